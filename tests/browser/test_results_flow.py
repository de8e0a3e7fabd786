"""From a published table to the page that shows one of its cases."""

import re

import pytest
from playwright.sync_api import Page, expect
from servers import own_server, start_app
from study_runs import auc_run, share_run
from visits import settled

from nestviz.resources import RESULTS
from nestviz.studies.reproduce.registry import targets
from nestviz.studies.run_record import write_run

pytestmark = pytest.mark.browser


@pytest.fixture
def results_url(tmp_path, monkeypatch):
    """The address of an app that shows results of two studies."""
    for run in (share_run(), auc_run()):
        write_run(tmp_path, run)
    monkeypatch.setenv(RESULTS, str(tmp_path))
    with own_server(start_app) as url:
        yield url


def choose_table(page: Page, title: str) -> None:
    page.get_by_role("combobox", name=re.compile("Table or figure")).click()
    page.get_by_role("option", name=title, exact=True).click()


def click_a_dot(page: Page, chart: int, row: int) -> None:
    """Click one of our values in a figure."""
    figure = page.locator(".js-plotly-plot").nth(chart)
    figure.scroll_into_view_if_needed()
    x, y = page.evaluate(
        """([chart, row]) => {
            const plot = document.querySelectorAll('.js-plotly-plot')[chart];
            const {xaxis, yaxis, _size} = plot._fullLayout;
            const ours = plot._fullData[1];
            const area = plot.getBoundingClientRect();
            return [area.x + _size.l + xaxis.d2p(ours.x[row]) , area.y + yaxis._offset
                    + yaxis.d2p(ours.y[row])];
        }""",
        [chart, row],
    )
    page.mouse.click(x, y)


def test_from_a_published_table_to_one_of_its_cases(results_url, open_page):
    page = settled(open_page(f"{results_url}/results?table=table8.1"))
    expect(page.get_by_role("heading", name="Claims: 1 of 1 held")).to_be_visible()
    choose_table(page, targets()["fig7"].title)
    expect(page.get_by_role("heading", name="Claims: 1 of 3 held")).to_be_visible()
    expect(page.get_by_role("heading", name="uniform, plain")).to_be_visible()
    settled(page)
    first = page.get_by_role("table").first
    expect(first.get_by_role("row").nth(2)).to_contain_text("heart")
    page.get_by_role("button", name="heart", exact=True).last.click()
    expect(page.get_by_role("heading", level=1, name="One class")).to_be_visible()
    expect(page).to_have_url(re.compile("/one-class.*data=bench-heart.*width=0.35"))
    settled(page)
    page.get_by_role("link", name="Results").click()
    expect(page.get_by_role("heading", name="Claims: 1 of 3 held")).to_be_visible()
    expect(page.locator(".js-plotly-plot").nth(2)).to_be_visible()
    settled(page)
    click_a_dot(page, chart=1, row=3)
    expect(page.get_by_role("heading", level=1, name="Two classes")).to_be_visible()
    expect(page).to_have_url(re.compile("/two-classes.*data=bench-titanic"))
    settled(page)
