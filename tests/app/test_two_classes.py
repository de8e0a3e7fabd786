"""The Two classes page, without a browser."""

import numpy as np
import pytest
from conftest import components, drawn, healthy, look, marked, scene

from nestviz import Dataset
from nestviz.ui.session.own_data import OwnData

PAGE = "pages/explore/two_classes.py"


@pytest.fixture
def page(open_app):
    return open_app(PAGE, data="banana", **{"banana.n": "150"})


def test_points_that_leave_again_are_hollow_where_sets_cross_only(page):
    crossing, nested = scene(page).panels
    assert crossing.hollow.any()
    assert not nested.hollow.any()
    # Those with several intervals, which the player describes when pointed at.
    assert (crossing.intervals.counts[crossing.hollow] > 1).any()


def test_the_card_of_a_point(page):
    page.number_input(key="point_number").set_value(4).run()
    labels = [m.label for m in healthy(page).metric]
    assert labels.count("s+") == labels.count("s−") == 2
    assert marked(page) == [4]
    assert any("class" in c.value and c.value.startswith("Point 4") for c in page.caption)


@pytest.mark.parametrize("levels", [2, 9])
def test_the_number_of_asymmetries(page, levels):
    page.slider(key="levels").set_value(levels).run()
    assert any(f"{levels} breakpoints" in c.value for c in healthy(page).caption)


def test_regularisation_changes_the_sets(page):
    before = drawn(page).panels[0].sets[30]
    look(page, loglam=1.5).run()
    after = drawn(healthy(page)).panels[0].sets[30]
    assert sum(map(len, before)) != sum(map(len, after))


def test_sizes_are_coefficients(page):
    sizes = drawn(page).panels[0].sizes
    assert sizes[0].max() < sizes[30].max()  # at γ = 0 only class −1 counts, and nothing is missed
    assert sizes.max() <= 1


def test_one_class_only_is_told_with_a_way_out(page):
    data = Dataset(np.random.default_rng(0).random((20, 2)), y=np.ones(20, np.int8))
    page.session_state["own_data"] = OwnData(data, "drawn")
    look(page, data="mine").run()
    assert "no point of class −1" in healthy(page).warning[0].value
    assert not components(page, "nestviz_player")
    page.switch_page("pages/explore/solution_path.py").run()
    assert healthy(page).segmented_control(key="kind_path").options == ["One class"]
