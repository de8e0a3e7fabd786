"""What every visit of the app needs: waiting until it is at rest, and clicking a point."""

import json
import re

from playwright.sync_api import Page, expect

PATIENCE = 180_000
"""Milliseconds that no busy machine needs; what comes sooner costs nothing."""


def settled(page: Page) -> Page:
    """Wait until the page is connected and its script has ended."""
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-connection-state", "CONNECTED")
    expect(app).to_have_attribute("data-test-script-state", "notRunning")
    return page


def click_a_point(page: Page) -> str:
    """Click the first point met on a line through the left picture; its number is returned."""
    player = page.locator(".player").first
    canvas = player.locator("canvas[role=img]")
    canvas.scroll_into_view_if_needed()
    left, top, width, height = json.loads(player.get_attribute("data-plots") or "")[0]
    for step in range(80):
        place = {"x": left + width * (0.1 + 0.8 * step / 80), "y": top + height / 2}
        canvas.hover(position=place)
        if page.locator(".tooltip").first.is_visible():
            told = page.locator(".tooltip").first.inner_text()
            canvas.click(position=place)
            return re.search(r"point (\d+)", told).group(1)
    raise AssertionError("No point lies on the middle line of the picture.")
