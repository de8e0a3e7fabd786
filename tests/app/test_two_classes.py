"""The Two classes page, without a browser."""

import json

import numpy as np
import pytest
from conftest import components, healthy, look

from nestviz import Dataset
from nestviz.ui.player.protocol import decode
from nestviz.ui.session.own_data import OwnData

PAGE = "pages/explore/two_classes.py"


@pytest.fixture
def page(open_app):
    return open_app(PAGE, data="banana", **{"banana.n": "150"})


def picture(app):
    return decode(app.get("bidi_component")[0].proto.bytes)


def test_points_that_leave_again_are_hollow_where_sets_cross_only(page):
    crossing, nested = picture(page).panels
    assert crossing.flags.any()
    assert not nested.flags.any()
    leaving = np.flatnonzero(crossing.flags)[0]
    assert "interval" in crossing.texts[leaving]


def test_the_card_of_a_point(page):
    page.number_input(key="point_number").set_value(4).run()
    labels = [m.label for m in healthy(page).metric]
    assert labels.count("s+") == labels.count("s−") == 2
    rows = json.loads(page.get("bidi_component")[1].proto.json)["rows"]
    assert rows == [4]
    assert any("class" in c.value and c.value.startswith("Point 4") for c in page.caption)


@pytest.mark.parametrize("levels", [2, 9])
def test_the_number_of_asymmetries(page, levels):
    page.slider(key="levels").set_value(levels).run()
    assert any(f"{levels} breakpoints" in c.value for c in healthy(page).caption)


def test_regularisation_changes_the_sets(page):
    before = picture(page).panels[0].sets[30]
    page.slider(key="loglam").set_value(1.5).run()
    after = picture(healthy(page)).panels[0].sets[30]
    assert sum(map(len, before)) != sum(map(len, after))


def test_sizes_are_coefficients(page):
    sizes = picture(page).panels[0].marker_sizes
    assert sizes[0].max() < sizes[30].max()  # at γ = 0 only class −1 counts, and nothing is missed
    assert sizes.max() <= 1


def test_one_class_only_is_told_with_a_way_out(page):
    data = Dataset(np.random.default_rng(0).random((20, 2)), y=np.ones(20, np.int8))
    page.session_state["own_data"] = OwnData(data, "drawn")
    look(page, data="mine").run()
    assert "no point of class −1" in healthy(page).warning[0].value
    assert not components(page, "nestviz_sweep_player")
    page.switch_page("pages/explore/solution_path.py").run()
    assert healthy(page).segmented_control(key="kind_path").options == ["One class"]
