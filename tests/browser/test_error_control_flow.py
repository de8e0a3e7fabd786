"""Error control in a browser: cells that are clicked, sliders, and a table that is cancelled."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

SMALL = "error-control?data=banana&banana.n=120&folds=2"


def settled(page: Page) -> Page:
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-connection-state", "CONNECTED")
    expect(page.get_by_role("heading", name="Error control", level=1)).to_be_visible()
    expect(page.get_by_text("What am I looking at?")).to_be_visible()
    expect(app).to_have_attribute("data-test-script-state", "notRunning")
    return page


def place_of(page: Page, chart: int, plus: int, minus: int) -> dict[str, float]:
    """Where a cell of one of the three maps is on the screen."""
    page.locator(".js-plotly-plot").nth(chart).scroll_into_view_if_needed()
    return page.evaluate(
        """([chart, plus, minus]) => {
            const plot = document.querySelectorAll('.js-plotly-plot')[chart];
            const cells = plot._fullData.find(trace => trace.name === 'cells');
            const k = cells.customdata.findIndex(c => c[1] === plus && c[2] === minus);
            const {xaxis, yaxis, _size} = plot._fullLayout;
            const area = plot.getBoundingClientRect();
            return {
                x: area.x + _size.l + xaxis.d2p(cells.x[k]),
                y: area.y + _size.t + yaxis.d2p(cells.y[k]),
            };
        }""",
        [chart, plus, minus],
    )


def value_of(page: Page, label: str):
    metric = page.get_by_test_id("stMetric").filter(has_text=label)
    return metric.get_by_test_id("stMetricValue")


def test_cells_that_are_clicked_show_their_classifiers(app_url, open_page):
    page = settled(open_page(f"{app_url}/{SMALL}", viewport={"width": 1280, "height": 1700}))
    expect(page.locator(".js-plotly-plot")).to_have_count(4)
    for chart, plus, minus, told in ((1, 0, 7, "0.125, 1"), (3, 6, 1, "0.875, 0.25")):
        spot = place_of(page, chart, plus, minus)
        page.mouse.click(spot["x"], spot["y"])
        expect(value_of(page, "(ν₊, ν₋)")).to_have_text(told)
        settled(page)
    expect(page).to_have_url(re.compile("at_plus=0.875"))


def test_sliders_a_new_choice_and_a_link(app_url, open_page):
    page = settled(open_page(f"{app_url}/{SMALL}&at_plus=0.875&at_minus=0.25"))
    pair, back = value_of(page, "(ν₊, ν₋)"), page.get_by_role("button", name="Back to the choice")
    # The parts of a page that the browser has not loaded yet may take it some seconds.
    expect(pair).to_have_text("0.875, 0.25")
    page.get_by_role("slider", name=re.compile("ν₋")).press("ArrowRight")
    expect(pair).to_have_text("0.875, 0.375")
    expect(page).to_have_url(re.compile("at_minus=0.375"))
    back.click()
    expect(back).to_be_disabled()
    page.get_by_role("slider", name=re.compile("ν₋")).press("ArrowRight")
    expect(back).to_be_enabled()
    # Another limit is another choice, and that is looked at then.
    page.get_by_role("slider", name="False alarms allowed").press("ArrowRight")
    expect(back).to_be_disabled()


@pytest.mark.slow
def test_a_long_table_is_cancelled_and_its_part_shown(app_url, open_page):
    page = open_page(f"{app_url}/error-control?data=banana&banana.n=1200&cells=finest")
    expect(page.get_by_text("Estimating both errors")).to_be_visible()
    expect(page.get_by_text(re.compile(r"[1-9]\d* of 12 widths done"))).to_be_visible()
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(page.get_by_text("The table is incomplete")).to_be_visible()
    expect(page.get_by_role("button", name="Run again")).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(4)


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_both_views_fit_a_narrow_screen(app_url, open_page, theme):
    for view in (SMALL, f"{SMALL}&task=Minimum+volume+sets"):
        page = open_page(
            f"{app_url}/{view}", color_scheme=theme, viewport={"width": 400, "height": 900}
        )
        settled(page)
        overflow = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert overflow <= 0, view
