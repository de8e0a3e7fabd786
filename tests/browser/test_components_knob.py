"""The slider of pages without a player: mouse, keys, marks, and changes by the page."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser


@pytest.fixture
def show(serve, open_page):
    def visit(**options) -> Page:
        page = open_page(serve(Path(__file__).with_name("knob_app.py")), **options)
        expect(page.get_by_text("width 0.25, runs 1")).to_be_visible()
        return page

    return visit


def slider(page: Page) -> Locator:
    return page.get_by_role("slider", name="width σ")


def expect_width(page: Page, width: float, runs: int, text: str) -> None:
    expect(page.get_by_text(f"width {width}, runs {runs}", exact=True)).to_be_visible()
    expect(slider(page)).to_have_attribute("aria-valuetext", text)
    expect(page.locator(".knob-value")).to_have_text(f"= {text}")


def test_keys_report_once_when_they_rest(show) -> None:
    page = show()
    slider(page).focus()
    page.keyboard.press("End")
    expect_width(page, 2.0, 2, "4")
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    expect(page.locator(".knob")).to_have_attribute("data-value", "0.9563")
    expect(page.get_by_text("width 0.9563")).to_be_visible()
    page.keyboard.press("Shift+ArrowRight")
    expect(page.get_by_text("width 1.0, ")).to_be_visible()


def test_a_drag_shows_its_number_and_reports_on_release(show) -> None:
    page = show()
    box = slider(page).bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 4, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, middle, steps=5)
    page.mouse.move(box["x"] + box["width"] - 1, middle, steps=5)
    expect(page.locator(".knob-value")).to_have_text("= 4")
    expect(page.get_by_text("width 0.25, runs 1", exact=True)).to_be_visible()
    page.mouse.up()
    expect_width(page, 2.0, 2, "4")


def test_marks_and_the_page_set_it(show) -> None:
    page = show(viewport={"width": 400, "height": 800}, color_scheme="dark")
    page.get_by_text("median", exact=True).dblclick()
    expect_width(page, 1.0, 2, "2")
    page.get_by_role("button", name="Set 0.7").click()
    expect_width(page, 0.7, 3, "1.4")
    # A value that was reported before is reported again.
    page.get_by_text("median", exact=True).click()
    expect_width(page, 1.0, 4, "2")
    box = page.locator(".knob").bounding_box()
    assert box
    assert box["height"] <= 46
