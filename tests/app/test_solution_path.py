"""The Solution path page, without a browser."""

import json

import pytest
from conftest import healthy

from nestviz.ui.player.protocol import decode

PAGE = "pages/explore/solution_path.py"


@pytest.fixture
def page(open_app):
    return open_app(PAGE, data="banana", **{"banana.n": "120"})


def figures(app):
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]


def names(figure):
    return [trace.get("name") for trace in figure["data"]]


@pytest.mark.parametrize("kind", ["One class", "Two classes"])
def test_the_selected_point_is_lit_up_in_both_pictures(page, kind):
    page.segmented_control(key="kind_path").set_value(kind).run()
    lines, plane = figures(healthy(page))[:2]
    assert "point 9" not in names(lines)
    assert "selected" not in names(plane)
    page.number_input(key="point_number").set_value(9).run()
    lines, plane, card = figures(healthy(page))[:3]
    assert names(lines).count("point 9") == 2
    assert "selected" in names(plane)
    assert len(card["data"]) == 6


def test_every_line_can_be_clicked(page):
    lines = figures(page)[0]
    handles = [trace for trace in lines["data"] if trace.get("name") == "points"]
    assert len(handles) == 2
    assert all(trace["type"] == "scattergl" for trace in handles)


def test_events_are_ticks(page):
    assert "events" in names(figures(page)[0])


def test_the_level_of_the_link(open_app):
    app = open_app(PAGE, data="banana", at="0.7", **{"banana.n": "120"})
    assert app.slider(key="at").value == 0.7


def test_the_level_goes_on_to_the_next_page(page):
    page.slider(key="at").set_value(0.5).run()
    page.switch_page("pages/explore/one_class.py").run()
    sweep = decode(healthy(page).get("bidi_component")[0].proto.bytes)
    # The sweep runs from 0.98 of the top to 0.01 of it.
    assert sweep.start == pytest.approx((0.98 - 0.5) / 0.97 * 59, abs=0.51)
