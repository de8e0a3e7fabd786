"""Quick changes of the width do not end a page."""

import re

import pytest
from playwright.sync_api import Page, expect
from visits import settled

pytestmark = pytest.mark.browser
ROUNDS, STEPS, PERIOD = 6, 16, 90
# All pages that have the width σ among their controls. The first group has both kinds of page: a
# player that is sent whole, and pictures with a table. The others take a minute of each core.
GROUPS = [
    ("one-class", "outliers"),
    pytest.param(("", "two-classes", "solution-path"), marks=pytest.mark.slow),
    pytest.param(("compare", "bandwidth"), marks=pytest.mark.slow),
    pytest.param(("cluster-tree", "quantiles"), marks=pytest.mark.slow),
]


def width(page: Page):
    return page.get_by_role("slider", name=re.compile("^Width σ"))


def is_alive(page: Page) -> None:
    """No dialog covers the page, and the next change is answered."""
    expect(width(page)).to_be_enabled()
    settled(page)
    summary = page.get_by_text(re.compile(r"^σ = .* points of"))
    before = summary.inner_text()
    width(page).focus()
    page.keyboard.press("ArrowRight")
    expect(summary).not_to_have_text(before)
    settled(page)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_test_id("stException")).to_have_count(0)


@pytest.mark.parametrize("names", GROUPS, ids=" ".join)
def test_the_width_is_stepped_fast_back_and_forth(app_url, open_page, names):
    pages = [open_page(f"{app_url}/{name}?banana.n=100") for name in names]
    for page in pages:
        expect(width(page)).to_be_visible()
        settled(page)
        width(page).focus()
    for _ in range(ROUNDS):
        for key in ("ArrowRight", "ArrowLeft"):
            for _ in range(STEPS):
                for page in pages:
                    page.keyboard.press(key)
                pages[0].wait_for_timeout(PERIOD)
    for page in pages:
        is_alive(page)
