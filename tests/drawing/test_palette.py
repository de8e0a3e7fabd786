"""The one table of colours."""

import tomllib

from nestviz.palette import SHAPES, THEMES, cluster_shape, marker_radius, rgba
from nestviz.resources import app_dir
from nestviz.ui.scene.scene import MAX_CLASSES


def test_the_theme_of_the_app_has_the_colours_of_the_table():
    """Streamlit reads its theme from a file, which cannot import the table."""
    config = tomllib.loads((app_dir() / ".streamlit" / "config.toml").read_text("utf-8"))
    for name, theme in THEMES.items():
        assert config["theme"][name] == {
            "primaryColor": theme.primary,
            "backgroundColor": theme.background,
            "secondaryBackgroundColor": theme.surface,
            "textColor": theme.text,
            "chartCategoricalColors": list(theme.charts),
        }


def test_every_class_has_a_colour_and_a_shape_of_its_own():
    for theme in THEMES.values():
        assert len(set(theme.classes)) == len(SHAPES) == MAX_CLASSES
    looks = {(k % MAX_CLASSES, cluster_shape(k)) for k in range(MAX_CLASSES**2)}
    assert len(looks) == MAX_CLASSES**2


def test_more_points_have_smaller_markers():
    radii = [marker_radius(count) for count in (1, 201, 701, 2_001, 100_000)]
    assert radii == sorted(radii, reverse=True)
    assert radii[0] > radii[-1]


def test_opacity_is_added_to_a_colour():
    assert rgba("#0072B2", 0.15) == "rgba(0, 114, 178, 0.15)"
