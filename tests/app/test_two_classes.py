"""The Two classes page, without a browser."""

import json
import re

import numpy as np
import pytest
from app_visits import components, drawn, healthy, knobs, look, marked, scene

from nestviz import Dataset, make_sample
from nestviz.data import against_uniform
from nestviz.kernels import median_distance
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
    assert "no point of class −1" in healthy(page).info[0].value
    assert not components(page, "nestviz_player")
    page.button(key="against_uniform").click().run()
    assert len(scene(healthy(page)).panels[0].points) == 40
    assert page.session_state["own_data"].dataset == data


@pytest.mark.parametrize(
    ("file", "query"),
    [
        (PAGE, {}),
        ("pages/explore/compare.py", {"problem": "Two classes"}),
        ("pages/explore/solution_path.py", {"kind_path": "Two classes"}),
        ("pages/use/error_control.py", {}),
    ],
)
def test_no_page_is_a_dead_end_without_labels(open_app, file, query):
    app = open_app(file, data="ring", **{"ring.n": "40"}, **query)
    assert "no labels" in healthy(app).info[0].value
    assert not app.exception
    assert {"against_uniform", "take_banana", "name_labels"} <= {b.key for b in app.button}


def test_a_sample_with_labels_is_one_click_away(open_app):
    app = open_app(PAGE, data="ring", **{"ring.n": "40"})
    app.button(key="take_moons").click().run()
    assert healthy(app).session_state["view"].data == "moons"
    assert not [b for b in app.button if b.key == "take_moons"]
    assert components(app, "nestviz_player")


def test_points_without_labels_are_learned_against_uniform_ones(open_app):
    app = open_app(PAGE, data="ring", **{"ring.n": "40"})
    app.button(key="against_uniform").click().run()
    panel = scene(healthy(app)).panels[0]
    expected = against_uniform(make_sample("ring", random_state=0, n=40))
    np.testing.assert_array_equal(panel.points, expected.X)
    np.testing.assert_array_equal(panel.classes, np.repeat([0, 1], 40))
    code = next(block.value for block in app.code if "data = " in block.value)
    assert "data = against_uniform(data)" in code
    # The points themselves are as they were, on pages that need no labels.
    app.switch_page("pages/explore/one_class.py").run()
    assert len(scene(healthy(app)).panels[0].points) == 40
    app.switch_page(PAGE).run()
    app.toggle(key="against").set_value(False).run()
    assert "no labels" in healthy(app).info[0].value


def test_the_offset_panel_shows_the_svm_itself_at_one_half(page):
    page.selectbox(key="right2").set_value("offset cost-sensitive SVM").run()
    left, right = (panel.family for panel in scene(healthy(page)).panels)
    X = scene(page).panels[0].points
    np.testing.assert_array_equal(left.contains(X, 0.5), right.contains(X, 0.5))
    assert not right.contains(X, 0.0).any()
    assert right.contains(X, 1.0).all()


def test_width_and_regularisation_are_chosen_by_cross_validation(open_app):
    query = {"choose": "true", "choose_grid": "coarse", "choose_for": "offset cost-sensitive SVM"}
    app = open_app(PAGE, data="moons", **{"moons.n": "60"}, folds="2", **query)
    cells = json.loads(app.get_by_key("cost_cells").proto.spec)["data"][0]
    assert len(cells["text"]) == 5
    assert len(cells["text"][0]) == 6
    words = next(m.value for m in app.markdown if m.value.startswith("Best:"))
    assert "as good within one standard error" in words
    assert "in use" not in words
    sigma, lam = (float(re.split("[,*]", part)[0]) for part in words.split(" = ")[1:3])
    app.button(key="use_cost").click().run()
    shown = knobs(healthy(app))
    unit = median_distance(make_sample("moons", random_state=0, n=60).X)
    assert shown["width"] * unit == pytest.approx(sigma, rel=5e-3)
    assert 10 ** shown["loglam"] == pytest.approx(lam, rel=5e-3)
    assert "in use" in next(m.value for m in app.markdown if m.value.startswith("Best:"))
    assert app.button(key="use_cost").disabled


def test_rankings_are_compared_by_their_difference(page):
    found = json.loads(page.get_by_key("ranking").proto.spec)
    assert found["layout"]["yaxis"]["title"]["text"] == "s+ − s−"
    assert any(c.value.startswith("Above zero:") for c in page.caption)


def test_charts_say_what_they_show_at_the_level(page):
    page.number_input(key="point_number").set_value(4).run()
    alts = {c.proto.id.split("-")[-1]: c.proto.alt for c in healthy(page).get("plotly_chart")}
    shown = scene(page)
    gamma = shown.scale.levels[shown.start]
    data = page.session_state["current_data"].fitted
    for panel in shown.panels:
        inside = panel.family.contains(data.X, gamma)
        rates = [f"{inside[data.y == sign].mean():.1%}" for sign in (-1, 1)]
        assert f"{rates[0]} false alarms and {rates[1]} detections" in alts["roc"]
        where = "inside" if inside[4] else "outside"
        assert re.search(
            rf"{re.escape(panel.title)}, \d+% of the bound, {where}", alts["point_path"]
        )
    assert f"γ = {gamma:.3g}" in alts["roc"]
    assert f"γ = {gamma:.3g}" in alts["point_path"]
