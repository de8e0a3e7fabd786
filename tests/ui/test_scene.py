"""The level axis of a scene, and scenes that are refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scene_samples import STOPS, make_panel, make_scene

from nestviz.families import SetFamily
from nestviz.grids import Plane
from nestviz.kernels import GaussianKernel
from nestviz.ui.scene.scene import Scale

levels_of = st.lists(
    st.floats(-1e3, 1e3).map(lambda x: round(x, 3)), min_size=2, max_size=8, unique=True
)


@given(levels_of, st.booleans(), st.floats(0, 1))
def test_position_and_level_are_inverse(levels, rising, share):
    scale = Scale("level λ", np.array(sorted(levels, reverse=not rising)), np.array(levels))
    position = share * scale.last
    level = scale.level(position)
    assert scale.level(scale.position(level)) == pytest.approx(level, abs=1e-9)
    assert scale.position(level) == pytest.approx(position, abs=1e-6)


def test_levels_are_linear_between_stops_and_end_with_the_axis():
    scale = Scale("level λ", [1.0, 0.5, 0.1], [1.0, 0.5, 0.1])
    assert scale.last == 2
    assert scale.level(0.5) == pytest.approx(0.75)
    assert scale.level(1.25) == pytest.approx(0.4)
    assert (scale.level(-3), scale.level(99)) == (1.0, 0.1)
    assert (scale.position(7.0), scale.position(-7.0)) == (0.0, 2.0)


def test_of_several_stops_at_one_level_the_first_is_meant():
    scale = Scale("level λ", [1.0, 0.5, 0.5, 0.1], [1.0, 0.5, 0.5, 0.1])
    assert scale.position(0.5) == 1.0
    assert Scale("level λ", [0.3], [0.3]).position(9.0) == 0.0


@pytest.mark.parametrize(
    ("form", "text"), [("3g", "0.15"), ("2f", "0.15"), ("3f", "0.150"), ("1%", "15.0%")]
)
def test_the_number_shown_is_in_the_unit_of_the_axis(form, text):
    scale = Scale("training mass", [8.0, 4.0], [0.1, 0.2], form)
    assert scale.label(0.5) == text
    assert scale.level(0.5) == 6.0


@pytest.mark.parametrize(
    ("levels", "numbers", "sentence"),
    [
        ([], [], "one or more levels"),
        ([1.0, 2.0], [1.0], "a number for each"),
        ([[1.0]], [[1.0]], "one or more levels"),
        ([1.0, np.nan], [1.0, 2.0], "must be finite"),
        ([1.0, 2.0], [1.0, np.inf], "must be finite"),
    ],
)
def test_scales_that_are_none(levels, numbers, sentence):
    with pytest.raises(ValueError, match=sentence):
        Scale("level", np.array(levels), np.array(numbers))


def in_three_dimensions() -> SetFamily:
    return SetFamily([0.0, 1.0], np.ones((2, 1)), [0, 1], np.zeros((1, 3)), GaussianKernel(1.0), -1)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"points": np.zeros((40, 3))}, "two columns"),
        ({"points": np.full((40, 2), np.nan)}, "not finite"),
        ({"classes": np.zeros(4, dtype=int)}, "40 points need 40 classes, not \\(4,\\)"),
        ({"hollow": np.zeros(4, dtype=bool)}, "40 points need 40 flags"),
        ({"intervals": make_panel(n=5).intervals}, "40 points need intervals each, not 5"),
        ({"size_scale": 1.0}, "a coefficient for each of the 40 points, not 25"),
        ({"size_scale": 1.0, "size_rows": np.full(40, 25)}, "a coefficient for each of the 40"),
        ({"size_scale": 1.0, "size_rows": np.zeros(3, int)}, "a coefficient for each of the 40"),
        ({"family": in_three_dimensions()}, "another space"),
    ],
)
def test_panels_that_do_not_fit(changes, sentence):
    with pytest.raises(ValueError, match=f"Panel 'Panel 0': .*{sentence}"):
        make_panel(**changes)


def test_a_plane_in_the_space_of_the_family_is_fine():
    plane = Plane(np.zeros(3), np.eye(3)[:2])
    assert make_panel(family=in_three_dimensions(), plane=plane).plane.dimension == 3


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"panels": []}, "at least one panel"),
        ({"captions": ["one"]}, f"{STOPS} stops need {STOPS} captions, not 1"),
        ({"notes": ["one", "two"]}, f"{STOPS} stops need {STOPS} notes, not 2"),
        ({"start": STOPS}, f"only 0 to {STOPS - 1}"),
        ({"start": -0.5}, "only 0 to"),
        ({"class_names": ()}, "1 to 7 classes"),
        ({"class_names": ["one"]}, "from 0 to 0"),
        ({"loop": "spin"}, "'bounce' or 'wrap'"),
        ({"shown": ("outline", "clock")}, "not clock"),
        ({"ghosts": -1}, "must not be negative"),
        ({"stops_per_second": 0}, "not zero"),
        ({"view": (0, 0, 0, 1)}, "xmin < xmax"),
        ({"view": (0, np.inf, 0, 1)}, "must be finite"),
        (
            {"panels": [make_panel(inside=np.zeros((2, 40), dtype=bool))]},
            f"{STOPS} stops × 40 points",
        ),
    ],
)
def test_scenes_that_do_not_fit(changes, sentence):
    with pytest.raises(ValueError, match=sentence):
        make_scene(**changes)


def test_a_scene_starts_between_stops_too():
    assert make_scene(start=1.5).level == pytest.approx(1 - 0.18 * 1.5)
