"""Work that takes long: its bar, its Cancel, and what others notice of it."""

import re

import pytest
from playwright.sync_api import Page, expect
from visits import PATIENCE, expect_width_in_address, settled, stepped, width_knob

pytestmark = pytest.mark.browser

LONG_RUN = "one-class?data=banana&banana.n=5000&most=5000&width=0.05"
"""A path with some thirty thousand breakpoints: minutes of work."""


def cancel(page: Page):
    return page.get_by_role("button", name="Cancel", exact=True)


def test_a_long_run_can_be_cancelled_while_others_go_on(app_url, open_page):
    busy = open_page(f"{app_url}/{LONG_RUN}")
    expect(busy.get_by_text("Solving: One-class SVM")).to_be_visible()
    expect(busy.get_by_text(re.compile(r"s so far|s left|min left"))).to_be_visible()
    other = open_page(f"{app_url}/one-class?data=ring")
    expect(other.locator("[data-frame]").first).to_be_visible()
    width_knob(other).press("ArrowRight")
    expect_width_in_address(other, stepped(0.2, 1))
    settled(other)
    expect(cancel(busy)).to_be_visible()
    cancel(busy).click()
    expect(busy.get_by_text(re.compile("stopped at"))).to_be_visible()
    expect(busy.get_by_role("button", name="Run again")).to_be_visible()
    # What is looked at next is not held up by what was cancelled.
    busy.get_by_test_id("stSidebar").get_by_role("combobox", name="Data set").fill("Ring")
    busy.get_by_role("option", name="Ring", exact=True).click()
    expect(busy.locator("[data-frame]").first).to_be_visible()


def follow_curve(page: Page, kept: str) -> tuple[float, float]:
    """Move over the curve as a hand does until another width is shown; return where.

    A picture that is drawn anew below a pointer at rest hears of no movement.
    """
    curve, knob = page.locator(".knob-curve"), page.locator(".knob.with-curve")
    for step in range(PATIENCE // 500):
        box = curve.bounding_box()
        there = box["x"] + (0.7 + 0.005 * (step % 2)) * box["width"], box["y"] + box["height"] / 2
        page.mouse.move(*there)
        page.wait_for_timeout(500)
        if knob.get_attribute("data-value") != kept:
            break
    expect(knob).not_to_have_attribute("data-value", kept)
    return there


def test_the_sets_follow_the_pointer_over_the_curve(app_url, open_page):
    page = open_page(f"{app_url}/bandwidth?data=ring&ring.n=60&widths=8&folds=2&sets=Parzen")
    curve, knob = page.locator(".knob-curve"), page.locator(".knob.with-curve")
    # The end of the search brings another width, and its own knob.
    expect(page.get_by_text("Width of least volume", exact=True)).to_be_visible()
    expect(curve).to_be_visible()
    settled(page)
    kept = knob.get_attribute("data-kept")
    there = follow_curve(page, kept)
    expect(knob).to_have_attribute("data-kept", kept)
    expect(page.locator("[data-answers]")).to_be_visible()  # sets of that width
    page.mouse.move(there[0], curve.bounding_box()["y"] - 60)
    expect(knob).to_have_attribute("data-value", kept)
    page.mouse.click(*there)
    expect(knob).not_to_have_attribute("data-kept", kept)
    text = knob.get_attribute("data-kept")
    chosen = float(text)
    expect(page).to_have_url(re.compile(f"look={re.escape(text[:5])}"))
    expect(page.get_by_text(f"Sets at σ = {chosen:.3g}")).to_be_visible()
    page.get_by_role("button", name=re.compile("on all pages")).click()
    badge = page.get_by_test_id("stMarkdownContainer").filter(has_text="in use on all pages")
    expect(badge.first).to_be_visible()
    page.get_by_role("link", name="One class").click()
    expect(page.get_by_role("heading", level=1, name="One class")).to_be_visible()
    expect(width_knob(page)).to_have_attribute("aria-valuetext", f"{chosen:.3g}")
