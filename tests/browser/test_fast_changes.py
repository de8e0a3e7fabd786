"""Quick changes of the width do not end a page."""

from collections import Counter

import pytest
from playwright.sync_api import Page, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from visits import expect_width_in_address, settled, shows_width, stepped, width_knob

pytestmark = pytest.mark.browser
STEPS, PERIOD = 16, 90
LAST = stepped(stepped(0.2, STEPS), -STEPS)
# All pages that have the width σ among their controls. The first group has both kinds of page: a
# player that is sent whole, and pictures with a table. Each takes a minute of each core.
GROUPS = [
    ("one-class", "outliers"),
    ("", "two-classes", "solution-path"),
    ("compare", "bandwidth"),
    ("cluster-tree", "quantiles"),
]


def is_alive(page: Page) -> None:
    """The last value is shown, no dialog covers the page, and the next change is answered."""
    settled(page)
    shows_width(page, LAST)
    settled(page)
    width_knob(page).press("ArrowRight")
    expect_width_in_address(page, stepped(LAST, 1))
    settled(page)
    shows_width(page, stepped(LAST, 1))
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def step_back_and_forth(pages: list[Page], rounds: int) -> None:
    for page in pages:
        expect(width_knob(page)).to_be_visible()
        settled(page)
        width_knob(page).focus()
    for _ in range(rounds):
        for key in ("ArrowRight", "ArrowLeft"):
            for _ in range(STEPS):
                for page in pages:
                    page.keyboard.press(key)
                pages[0].wait_for_timeout(PERIOD)
    for page in pages:
        is_alive(page)


@pytest.mark.slow
@pytest.mark.parametrize("names", GROUPS, ids=" ".join)
def test_the_width_is_stepped_fast_back_and_forth(app_url, open_page, names):
    pages = [open_page(f"{app_url}/{name}?banana.n=100") for name in names]
    step_back_and_forth(pages, rounds=6)


def test_no_message_relies_on_an_earlier_one(app_url, open_page):
    """One that the browser has dropped meanwhile would end the page."""
    kinds: Counter[str | None] = Counter()

    def count(frame: bytes) -> None:
        kinds[ForwardMsg.FromString(frame).WhichOneof("type")] += 1

    pages = []
    for name in GROUPS[0]:
        page = open_page("about:blank", alone=True)
        page.on("websocket", lambda socket: socket.on("framereceived", count))
        page.goto(f"{app_url}/{name}?banana.n=100")
        pages.append(page)
    step_back_and_forth(pages, rounds=1)
    # The picture is the one of the last value, too.
    level = pages[0].locator(".player").get_attribute("data-level") or ""
    fresh = open_page(pages[0].url).locator(".player")
    expect(fresh).to_have_attribute("data-level", level)
    assert kinds["delta"] > STEPS
    assert kinds["ref_hash"] == 0
