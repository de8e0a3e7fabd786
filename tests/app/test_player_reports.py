"""What the player reports to a page: knobs, points, edits, the level and the pinned location."""

import json

import numpy as np
import pytest
from app_visits import address, components, drawn, healthy, knobs, marked, scene

ONE, TWO = "pages/explore/one_class.py", "pages/explore/two_classes.py"
SMALL = {"data": "banana", "banana.n": "80"}


@pytest.fixture
def page(open_app):
    return open_app(ONE, **SMALL)


def tell(app, **states):
    """Report what the player would."""
    found = app._tree.get_widget_states()
    report = found.widgets.add()
    report.id = components(app, "nestviz_player")[0].proto.id
    report.json_value = json.dumps(states)
    return healthy(app._run(found))


def test_a_released_knob_changes_view_address_and_sets(page):
    before = drawn(page).panels[0].sets[30]
    tell(page, knobs={"width": 0.9})
    assert knobs(page)["width"] == 0.9
    assert address(page)["width"] == ["0.9"]
    after = drawn(page).panels[0].sets[30]
    assert sum(map(len, before)) != sum(map(len, after))


def test_the_default_of_a_knob_is_not_in_the_address(page):
    tell(page, knobs={"width": 0.9})
    tell(page, knobs={"width": 0.2})
    assert knobs(page)["width"] == 0.2
    assert "width" not in address(page)


def test_the_true_density_is_sent_where_it_is_known(open_app):
    assert scene(open_app(ONE, data="ring", **{"ring.n": "60"})).truth is not None
    assert scene(open_app(ONE, **SMALL)).truth is None
    assert scene(open_app(TWO, data="blobs", **{"blobs.n": "60"})).truth is None


@pytest.mark.parametrize("reported", [{"width": 99.0}, {"nonsense": 1.0}, {"width": -1}])
def test_a_knob_that_cannot_be_changes_nothing(page, reported):
    tell(page, knobs=reported)
    assert knobs(page)["width"] == 0.2


def test_level_layers_and_pin_are_in_the_address(page):
    tell(page, frame=12.25, view=["fill", "hill"], probe=[0.5, -1.25])
    found = address(page)
    assert (found["frame"], found["view"]) == (["12.25"], ["fill.hill"])
    assert found["probe"] == ["0.5,-1.25"]
    tell(page, frame=12.25, view=["fill", "hill"], probe=[])
    assert "probe" not in address(page)


def test_a_link_pins_a_location_between_stops(open_app):
    app = open_app(ONE, **SMALL, probe="0.5,-1.25", frame="20.5")
    assert scene(app).start == 20.5
    assert address(app)["probe"] == ["0.5,-1.25"]


def test_points_of_a_lasso_are_selected(page):
    tell(page, points=[4, 9, 11])
    assert marked(page) == [4, 9, 11]


def test_edited_points_are_own_data(open_app):
    app = open_app(TWO, **SMALL)
    points, classes = scene(app).panels[0].points, scene(app).panels[0].classes
    moved = np.vstack([points[1:], [(0.25, 0.5)]])
    tell(app, edited={"points": moved.tolist(), "classes": [*classes[1:].tolist(), 1]})
    current = app.session_state["current_data"]
    assert np.array_equal(current.own.X, moved)
    assert current.own.y[-1] == -1
    assert np.array_equal(current.own.y[:-1] < 0, classes[1:] == 1)
    assert np.array_equal(scene(app).panels[0].points, moved)
    assert address(app)["data"] == ["mine"]


def test_an_edit_that_leaves_nothing_is_told_and_changes_nothing(page):
    tell(page, edited={"points": [], "classes": []})
    assert [toast.value for toast in page.toast] == ["There is no point left. Add some, or undo."]
    assert page.session_state["current_data"].own is None
    assert len(scene(page).panels[0].points) == 80
