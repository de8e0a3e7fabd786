"""The axis of handles: dragged, moved by keys, added and removed."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def expect_values(page: Page, *values: float) -> None:
    text = "values " + " ".join(map(str, values))
    expect(page.get_by_text(text, exact=True)).to_be_visible()


def test_handles_are_dragged_added_moved_and_removed(serve, open_page) -> None:
    page: Page = open_page(serve(Path(__file__).with_name("handles_app.py")))
    expect_values(page, 0.2, 0.5, 0.8)
    track, handles = page.locator(".handles-track"), page.get_by_role("slider")
    expect(handles.nth(1)).to_have_attribute("aria-valuetext", "0.5")
    box = track.bounding_box()
    assert box
    y = box["y"] + box["height"] / 2

    def at(share: float) -> float:
        return box["x"] + share * box["width"]

    page.mouse.move(at(0.2), y)
    page.mouse.down()
    page.mouse.move(at(0.6), y, steps=4)
    expect(handles.nth(1)).not_to_have_attribute("aria-valuetext", "0.5")
    page.mouse.move(at(2.0), y, steps=4)
    page.mouse.up()
    expect_values(page, 0.5, 0.8, 1.0)
    handles.nth(0).focus()
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect_values(page, 0.44, 0.8, 1.0)
    handles.nth(1).focus()
    page.keyboard.press("Delete")
    expect_values(page, 0.44, 1.0)
    page.keyboard.press("Delete")
    expect(page.get_by_text("At least 2 must stay.")).to_be_visible()
    expect(handles).to_have_count(2)
    page.mouse.click(at(0.1), y)
    expect(handles).to_have_count(3)
    expect(page.get_by_text("values 0.44 1.0", exact=True)).to_have_count(0)
    expect(page.get_by_text("λ_OC")).to_be_visible()
