"""Quick changes of the width do not end a page."""

import re

import pytest
from playwright.sync_api import Page, expect
from visits import settled

pytestmark = pytest.mark.browser
ROUNDS, STEPS, PERIOD = 6, 16, 90
AT_A_TIME = 3
PAGES = ("", "one-class", "two-classes", "solution-path", "compare", "bandwidth", "cluster-tree",
         "outliers", "quantiles")  # fmt: skip
"""All pages that have the width σ among their controls."""


def width(page: Page):
    return page.get_by_role("slider", name=re.compile("^Width σ"))


def is_alive(page: Page) -> None:
    """No dialog took the page's place, and the next change is answered."""
    expect(width(page)).to_be_enabled()
    settled(page)
    told = page.get_by_text(re.compile(r"^σ = .* points of"))
    before = told.inner_text()
    width(page).focus()
    page.keyboard.press("ArrowRight")
    expect(told).not_to_have_text(before)
    settled(page)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_test_id("stException")).to_have_count(0)


@pytest.mark.parametrize("start", range(0, len(PAGES), AT_A_TIME))
def test_the_width_is_stepped_fast_back_and_forth(app_url, open_page, start):
    names = PAGES[start : start + AT_A_TIME]
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
