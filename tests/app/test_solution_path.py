"""The Solution path page, without a browser."""

import json

import numpy as np
import pytest
from app_visits import address, components, healthy, look, marked, scene

from nestviz.ui.scene.message import read_header

PAGE = "pages/explore/solution_path.py"


@pytest.fixture
def page(open_app):
    return open_app(PAGE, data="banana", **{"banana.n": "120"})


def shown_parts(app):
    return read_header(components(app, "nestviz_player")[0].proto.bytes)["player"]["show"]


@pytest.mark.parametrize("kind", ["One class", "Two classes"])
def test_the_selected_point_is_lit_up_and_explained(page, kind):
    page.segmented_control(key="kind_path").set_value(kind).run()
    assert marked(healthy(page)) == []
    page.number_input(key="point_number").set_value(9).run()
    assert marked(healthy(page)) == [9]
    (card,) = (json.loads(chart.proto.spec) for chart in page.get("plotly_chart"))
    assert len(card["data"]) == 6


@pytest.mark.parametrize("kind", ["One class", "Two classes"])
def test_coefficients_along_the_whole_level_are_sent(page, kind):
    page.segmented_control(key="kind_path").set_value(kind).run()
    assert {"paths", "roles"} <= set(shown_parts(healthy(page)))
    path, nested = scene(page).panels
    assert path.size_scale is not None
    assert nested.size_scale is not None
    # Every breakpoint of the plain path is an event of the chart.
    found = path.family.levels.size
    assert any(f"{found:,} breakpoints" in caption.value for caption in page.caption)


def test_sizes_are_shares_of_the_bound(page):
    shown = scene(page)
    for panel in shown.panels:
        rows = np.abs(panel.family.coefficients_at(shown.scale.levels)[0]) * panel.size_scale
        assert rows.max() == pytest.approx(1.0)


def test_other_pages_do_not_show_coefficients(open_app):
    app = open_app("pages/explore/one_class.py", data="banana", **{"banana.n": "60"})
    assert not {"paths", "roles"} & set(shown_parts(app))


def test_the_level_of_the_link(open_app):
    app = open_app(PAGE, data="banana", at="0.7", **{"banana.n": "120"})
    shown = scene(app)
    top = shown.scale.levels[0] / 0.98
    assert shown.level / top == pytest.approx(0.7, abs=1e-3)
    assert float(address(app)["at"][0]) == pytest.approx(0.7, abs=1e-3)


def test_the_level_goes_on_to_the_next_page(page):
    look(page, one_class_share=0.5).run()
    page.switch_page("pages/explore/one_class.py").run()
    # The stops run from 0.98 of the top to 0.01 of it.
    assert scene(healthy(page)).start == pytest.approx((0.98 - 0.5) / 0.97 * 59, abs=0.0051)
