"""The One class page and its controls, without a browser."""

import json
from itertools import pairwise

import numpy as np
import pytest
from app_visits import address, drawn, healthy, look, marked, scene

PAGE = "pages/explore/one_class.py"


def metric(app, label):
    return [m.value for m in app.metric if m.label == label]


@pytest.fixture
def page(open_app):
    return open_app(PAGE, **{"data": "ring", "ring.n": "80"})


def test_the_numbers_under_the_picture(page):
    crossing, nested = metric(page, "Violated area")
    assert float(crossing.rstrip("%")) > 0
    assert nested == "none"
    assert metric(page, "Ranked ambiguously")[1] == "none"
    assert all(0 < int(count) <= 80 for count in metric(page, "Support vectors"))
    certificates = [c.value for c in page.caption if c.value.startswith("Certificate")]
    assert "KKT residual" in certificates[0]
    assert "duality gap" in certificates[1]
    assert all(m.help for m in page.metric)


@pytest.mark.parametrize(
    ("over", "name"), [("ν", "ν of the one-class SVM"), ("mass", "training mass")]
)
def test_the_slider_in_other_units(page, over, name):
    page.segmented_control(key="over").set_value(over).run()
    shown = scene(healthy(page))
    scale = shown.scale
    assert scale.name == name
    assert all(a > b for a, b in pairwise(scale.levels))
    values = [float(scale.label(stop).rstrip("%")) for stop in range(60)]
    steps = np.diff(values)
    if over == "ν":
        assert np.allclose(steps, steps[0], atol=2e-3)
        assert steps[0] < 0
    else:
        assert (steps >= 0).all()
        assert steps.max() < 15
    assert shown.notes[30].startswith("λ = ")


def test_nu_is_named_for_the_plain_svm_only(page):
    assert all("ν = " in note and "(one-class SVM)" in note for note in scene(page).notes)
    page.selectbox(key="left").set_value("Parzen").run()
    shown = scene(healthy(page))
    assert [panel.title for panel in shown.panels][1] == "Nested one-class SVM"
    # The coefficients of the nested SVM add up to no ν: they bound no share of outliers.
    assert not any("ν" in note for note in shown.notes)


def test_the_level_stays_when_the_unit_changes(page):
    before = scene(page)
    page.segmented_control(key="over").set_value("ν").run()
    after = scene(healthy(page))
    # Between two stops, to a hundredth of the way.
    assert after.start == pytest.approx(after.scale.position(before.level), abs=0.0051)
    assert after.level == pytest.approx(before.level, rel=1e-3)


def test_number_and_grid_of_the_levels(page):
    before = drawn(page).panels[1].sets
    page.segmented_control(key="grid").set_value("geometric").run()
    geometric = drawn(healthy(page)).panels[1].sets
    page.slider(key="levels").set_value(30).run()
    more = drawn(healthy(page)).panels[1].sets
    sizes = [sum(len(r) for f in sets for r in f) for sets in (before, geometric, more)]
    assert len(set(sizes)) == 3
    assert any("30 breakpoints" in c.value for c in page.caption)


def test_a_point_is_chosen_by_its_number_and_cleared(page):
    assert marked(page) == []
    page.number_input(key="point_number").set_value(7).run()
    assert marked(healthy(page)) == [7]
    assert any(c.value.startswith("Point 7: ") for c in page.caption)
    assert all(1 <= int(rank) <= 80 for rank in metric(page, "Rank"))
    assert metric(page, "Intervals")[1] == "1"
    card = json.loads(page.get("plotly_chart")[0].proto.spec)
    assert {t.get("name") for t in card["data"]} >= {"One-class SVM", "Nested one-class SVM"}
    page.button(key="point_clear").click().run()
    assert marked(healthy(page)) == []
    assert not metric(page, "Rank")


def test_the_choice_follows_to_other_pages_and_not_to_other_data(page):
    page.number_input(key="point_number").set_value(7).run()
    page.switch_page("pages/start/home.py").run()
    assert marked(healthy(page)) == [7]
    page.number_input(key="seed").set_value(5).run()
    assert marked(healthy(page)) == []


def test_the_link_names_a_point_a_unit_and_what_is_drawn(open_app):
    query = {"data": "ring", "ring.n": "80", "point": "3", "over": "mass", "view": "levels.sizes"}
    app = open_app(PAGE, **query)
    assert marked(app) == [3]
    assert scene(app).scale.name == "training mass"
    assert set(scene(app).shown) == {"levels", "sizes"}
    assert address(app)["point"] == ["3"]
    assert address(app)["view"] == ["levels.sizes"]


def test_sizes_are_coefficients_as_a_share_of_their_bound(page):
    sizes = drawn(page).panels[1].sizes
    assert sizes.min() >= 0
    assert sizes[0].max() == 1.0
    assert sizes[0].mean() > sizes[-1].mean()


def test_the_level_seen_here_is_where_the_next_page_begins(open_app):
    app = open_app(PAGE, **{"data": "ring", "ring.n": "80", "frame": "10"})
    assert scene(app).start == 10
    app.switch_page("pages/explore/compare.py").run()
    assert scene(healthy(app)).start == 10
    app.switch_page("pages/explore/solution_path.py").run()
    seen = 0.98 - 10 * 0.97 / 59
    assert float(address(healthy(app))["at"][0]) == pytest.approx(seen, abs=1e-3)


def test_an_absurd_width_is_told_with_a_way_out(page):
    look(page, width=2.0).run()
    assert any("too large" in w.value and "Try a width" in w.value for w in healthy(page).warning)
    look(page, width=0.2).run()
    assert not healthy(page).warning
