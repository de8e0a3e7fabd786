"""What every visit of the app needs: waiting until it is at rest, and clicking a point."""

import json
import re

from playwright.sync_api import ConsoleMessage, Locator, Page, Position, expect

PATIENCE = 180_000
"""Milliseconds that no busy machine needs; what comes sooner costs nothing."""
PROBES = ("/_stcore/health", "/_stcore/host-config")
"""Where Streamlit looks for the root of the app, below the page; the first answer counts."""


def is_fault(message: ConsoleMessage) -> bool:
    """Return whether the console has an error of ours."""
    return message.type == "error" and not message.location["url"].endswith(PROBES)


def is_cut(page: Page) -> bool:
    """Return whether the page has to be scrolled sideways."""
    return page.evaluate("document.documentElement.scrollWidth > window.innerWidth")


def settled(page: Page) -> Page:
    """Wait until the page is connected and its script has ended.

    Between the connection and the first run a page is idle, too: it has no title then.
    """
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-connection-state", "CONNECTED")
    expect(page.get_by_role("heading", level=1).first).to_be_visible()
    expect(app).to_have_attribute("data-test-script-state", "notRunning")
    return page


def width_knob(page: Page) -> Locator:
    """The slider of the width σ, in a player or on its own."""
    return page.get_by_role("slider", name="Width σ")


def stepped(width: float, steps: int) -> float:
    """Return the width after steps of an arrow key: hundredths of a logarithmic slider."""
    factor = (2.0 / 0.05) ** (0.01 if steps > 0 else -0.01)
    for _ in range(abs(steps)):
        width = float(f"{width * factor:.4g}")
    return width


def shows_width(page: Page, width: float) -> None:
    knob = page.locator(".knob").filter(has=width_knob(page))
    expect(knob).to_have_attribute("data-value", f"{width:g}")


def expect_width_in_address(page: Page, width: float) -> None:
    expect(page).to_have_url(re.compile(rf"width={re.escape(f'{width:g}')}(&|$)"))


def click_a_point(page: Page) -> str:
    """Click a point in the left picture; its number is returned."""
    place, row = find_a_point(page)
    page.locator(".player canvas.picture").first.click(position=place)
    return row


def find_a_point(page: Page) -> tuple[Position, str]:
    """Return the location and the number of the first point on a line through the left picture."""
    player = page.locator(".player").first
    canvas = player.locator("canvas.picture")
    canvas.scroll_into_view_if_needed()
    left, top, width, height = json.loads(player.get_attribute("data-plots") or "")[0]
    words = page.locator(".tooltip .words").first
    for step in range(80):
        place: Position = {"x": left + width * (0.1 + 0.8 * step / 80), "y": top + height / 2}
        canvas.hover(position=place)
        # Beside a point there may be a card of the location, which has no words.
        found = re.search(r"point (\d+)", words.inner_text() if words.is_visible() else "")
        if found:
            return place, found.group(1)
    raise AssertionError("No point lies on the middle line of the picture.")
