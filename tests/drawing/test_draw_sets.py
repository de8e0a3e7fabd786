"""Still pictures of families with matplotlib."""

import subprocess
import sys
import warnings
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch

from nestviz import Grid, NestedOneClassSVM, OneClassPath, make_sample
from nestviz.data import Dataset
from nestviz.drawing import canvas, draw_sets, small
from nestviz.palette import SHAPES, THEMES
from nestviz.ui.pages.data.thumbnails import thumbnail


@pytest.fixture(scope="module")
def ring():
    X = make_sample("ring", 0).X
    return X, {
        "path": OneClassPath(sigma=1.6).fit(X).family_,
        "nested": NestedOneClassSVM(sigma=1.6).fit(X).family_,
    }


def patches(axes, hatch):
    return [
        patch
        for patch in axes.patches
        if isinstance(patch, PathPatch) and bool(patch.get_hatch()) == hatch
    ]


def test_sets_of_families_side_by_side_with_violations_hatched(ring):
    X, families = ring
    grid = Grid.around(X, resolution=60)
    figure = draw_sets(families, X, levels=[0.1, 0.07, 0.04], grid=grid, selected=[3])
    assert isinstance(figure, Figure)
    left, right = figure.axes
    assert [left.get_title("left"), right.get_title("left")] == ["path", "nested"]
    for axes in (left, right):
        # An area and an outline for each level.
        assert len(patches(axes, hatch=False)) == 6
    assert len(patches(left, hatch=True)) == 1
    assert not patches(right, hatch=True)
    words = [text.get_text() for text in figure.legends[0].get_texts()]
    assert words == ["level = 0.1", "0.07", "0.04", "not nested"]


def test_areas_hold_the_points_of_the_set(ring):
    X, families = ring
    family, level = families["nested"], 0.05
    area = patches(draw_sets(family, X, levels=level).axes[0], hatch=False)[0]
    value = family.values(X, [level])[0]
    clear = np.abs(value) > 0.02 * np.abs(value).max()
    inside = area.get_path().contains_points(X)
    np.testing.assert_array_equal(inside[clear], value[clear] > 0)


@pytest.mark.parametrize("theme", THEMES)
def test_classes_themes_and_default_levels(ring, theme):
    X, families = ring
    y = np.where(X[:, 0] > 0, 1, -1)
    figure = draw_sets(families["nested"], X, y, theme=theme)
    assert len(figure.legends[0].get_texts()) == 5
    assert figure.get_facecolor() == canvas.to_rgba(THEMES[theme].background)
    shown = {
        tuple(collection.get_facecolor()[0][:3])
        for collection in figure.axes[0].collections
        if len(collection.get_offsets())
    }
    for colour in THEMES[theme].classes[:2]:
        assert canvas.to_rgba(colour)[:3] in shown


def test_matplotlib_is_loaded_when_something_is_drawn():
    code = "import sys, nestviz.drawing; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_matplotlib_the_error_says_what_to_install(ring, monkeypatch):
    X, families = ring
    monkeypatch.setitem(sys.modules, "nestviz.drawing.canvas", None)
    monkeypatch.delattr("nestviz.drawing.canvas")
    with pytest.raises(ImportError, match="pip install matplotlib"):
        draw_sets(families["nested"], X)


def test_markers_have_about_the_same_area():
    areas = []
    for shape in SHAPES:
        polygon = canvas.marker(shape).to_polygons()[0]
        x, y = polygon[:-1].T
        areas.append(abs(np.sum(x * np.roll(y, 1) - y * np.roll(x, 1))) / 2)
        assert np.abs([x.mean(), y.mean()]).max() < 1e-6
    assert max(areas) / min(areas) < 1.6


def test_triangles_point_up_and_wedges_down():
    for shape, end in (("triangle", np.argmax), ("wedge", np.argmin)):
        corners = canvas.marker(shape).vertices[:3]
        assert corners[end(corners[:, 1]), 0] == pytest.approx(0, abs=1e-12)


def test_empty_sets_have_an_empty_path():
    assert len(canvas.ring_path([]).vertices) == 0
    assert len(canvas.ring_path([np.zeros((2, 2))]).vertices) == 0


@pytest.mark.parametrize("d", [1, 2, 5])
def test_thumbnails_show_every_point(d):
    rng = np.random.default_rng(0)
    y = np.where(np.arange(40) % 4 == 0, 1, -1)
    data = Dataset(rng.normal(size=(40, d)), y, tuple("abcde"[:d]), "mine")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        text = thumbnail(data, "Points <of> mine")
    root = ElementTree.fromstring(text)
    assert root[0].text == "Points <of> mine"
    width, height = float(root.get("width")), float(root.get("height"))
    assert (width, height) == (small.WIDTH, small.HEIGHT)
    points = list(root.iter("{http://www.w3.org/2000/svg}use"))
    assert len(points) == 40
    assert all(0 < float(use.get("x")) < width for use in points)
    assert all(0 < float(use.get("y")) < height for use in points)
