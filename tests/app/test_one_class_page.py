"""The One class page and its controls, without a browser."""

import json
from itertools import pairwise

import numpy as np
import pytest
from conftest import address, healthy

from nestviz.ui.player.protocol import decode

PAGE = "pages/explore/one_class.py"


def picture(app):
    """The sweep that the player on the page was given."""
    return decode(app.get("bidi_component")[0].proto.bytes)


def marked(app):
    """The points that wear a ring in the player."""
    return json.loads(app.get("bidi_component")[1].proto.json)["rows"]


def metric(app, label):
    return [m.value for m in app.metric if m.label == label]


@pytest.fixture
def page(open_app):
    return open_app(PAGE, **{"data": "ring", "ring.n": "80"})


def test_the_numbers_under_the_picture(page):
    crossing, nested = metric(page, "Violated area")
    assert float(crossing.rstrip("%")) > 0
    assert nested == "none"
    assert metric(page, "Ranks that clash")[1] == "none"
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
    sweep = picture(healthy(page))
    assert sweep.level_name == name
    assert all(a > b for a, b in pairwise(sweep.levels))
    values = [float(label.rstrip("%")) for label in sweep.labels]
    steps = np.diff(values)
    if over == "ν":
        assert np.allclose(steps, steps[0], atol=2e-3)
        assert steps[0] < 0
    else:
        assert (steps >= 0).all()
        assert steps.max() < 15
    assert sweep.captions[30].startswith("λ = ")


def test_nu_is_named_for_the_plain_svm_only(page):
    assert all(
        "ν = " in caption and "(one-class SVM)" in caption for caption in picture(page).captions
    )
    page.selectbox(key="left").set_value("Parzen").run()
    shown = picture(healthy(page))
    assert [panel.title for panel in shown.panels][1] == "Nested one-class SVM"
    # The coefficients of the nested SVM add up to no ν: they bound no share of outliers.
    assert not any("ν" in caption for caption in shown.captions)


def test_the_level_stays_when_the_unit_changes(page):
    before = picture(page)
    page.segmented_control(key="over").set_value("ν").run()
    after = picture(healthy(page))
    rest = before.levels[before.start]
    nearest = np.abs(np.array(after.levels) - rest).argmin()
    assert after.start == nearest


def test_number_and_grid_of_the_levels(page):
    before = picture(page).panels[1].sets
    page.segmented_control(key="grid").set_value("geometric").run()
    geometric = picture(healthy(page)).panels[1].sets
    page.slider(key="levels").set_value(30).run()
    more = picture(healthy(page)).panels[1].sets
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
    sweep = picture(app)
    assert sweep.level_name == "training mass"
    assert set(sweep.shown) == {"levels", "sizes"}
    assert address(app)["point"] == ["3"]
    assert address(app)["view"] == ["levels.sizes"]


def test_sizes_are_coefficients_as_a_share_of_their_bound(page):
    sizes = picture(page).panels[1].marker_sizes
    assert sizes.min() >= 0
    assert sizes[0].max() == 1.0
    assert sizes[0].mean() > sizes[-1].mean()


def test_the_level_seen_here_is_where_the_next_page_begins(open_app):
    app = open_app(PAGE, **{"data": "ring", "ring.n": "80", "frame": "10"})
    assert picture(app).start == 10
    app.switch_page("pages/start/home.py").run()
    assert picture(healthy(app)).start == 10
    app.switch_page("pages/explore/solution_path.py").run()
    seen = 0.98 - 10 * 0.97 / 59
    assert healthy(app).slider(key="at").value == pytest.approx(seen, abs=0.006)


def test_an_absurd_width_is_told_with_a_way_out(page):
    page.slider(key="width").set_value(2.0).run()
    assert any("too large" in w.value and "Try a width" in w.value for w in healthy(page).warning)
    page.slider(key="width").set_value(0.2).run()
    assert not healthy(page).warning
