"""The point painter: clicks, strokes, undo, and who changed the points last."""

import re

import pytest
from component_steps import CANVAS, check, click_at, drag, picture, position, visitor
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser


@pytest.fixture
def show(serve, open_page):
    return visitor(serve, open_page)


SQUARE = (-1.0, 1.0, -1.0, 1.0)


def at(page: Page, x: float, y: float) -> tuple[float, float]:
    return position(page, x, y, SQUARE)


def expect_count(page: Page, pattern: str) -> None:
    expect(page.locator(".painter")).to_have_attribute("data-count", re.compile(f"^({pattern})$"))


def expect_total(page: Page, total: int, plus: int) -> None:
    expect(page.get_by_text(f"total {total}, plus {plus}", exact=True)).to_be_visible()
    expect(page.locator(".painter")).to_have_attribute("data-count", str(total))


def tool(page: Page, name: str) -> Locator:
    return page.get_by_role("radio", name=name)


def test_clicks_add_points_of_either_class(show) -> None:
    page = show("painter")
    expect_total(page, 1, 1)
    click_at(page, at(page, 0.5, -0.5))
    expect_total(page, 2, 2)
    tool(page, "Class −1").check()
    click_at(page, at(page, -0.5, 0.25))
    expect_total(page, 3, 2)
    x, y, kind = re.search(r"last (\S+) (\S+) (\S+)", page.inner_text("body")).groups()
    assert (float(x), float(y)) == pytest.approx((-0.5, 0.25), abs=0.01)
    assert kind == "-1"
    expect(page.locator(".count")).to_have_text("3 points: 2 of class +1, 1 of class −1")


def test_hasty_clicks_are_all_kept(show) -> None:
    page = show("painter")
    box = page.locator(CANVAS).bounding_box()
    for step in range(15):
        x, y = at(page, -0.9 + 0.12 * step, -0.5)
        page.mouse.click(box["x"] + x, box["y"] + y)
    expect_total(page, 16, 16)
    page.get_by_role("button", name="Undo the last stroke").click()
    expect_total(page, 15, 15)


def test_drag_sprays_and_one_undo_takes_the_stroke_back(show) -> None:
    page = show("painter")
    before = picture(page)
    sprayed = r"[5-9]|\d\d"
    drag(page, at(page, -0.6, 0.5), at(page, 0.6, 0.5), until=lambda: expect_count(page, sprayed))
    total = int(page.locator(".painter").get_attribute("data-count"))
    expect_total(page, total, total)
    assert picture(page) != before
    page.get_by_role("button", name="Undo the last stroke").click()
    expect_total(page, 1, 1)


def test_undo_by_keyboard_and_clear(show) -> None:
    page = show("painter")
    page.get_by_role("button", name="Clear").click()
    expect_total(page, 0, 0)
    page.keyboard.press("Control+z")
    expect_total(page, 1, 1)
    page.keyboard.press("Control+z")
    expect_total(page, 1, 1)


def test_eraser(show) -> None:
    page = show("painter")
    click_at(page, at(page, 0.7, 0.7))
    expect_total(page, 2, 2)
    tool(page, "Erase").check()
    click_at(page, at(page, 0.0, 0.0))
    expect_total(page, 1, 1)
    expect(page.get_by_text("last 0.7")).to_be_visible()
    page.get_by_role("button", name="Undo the last stroke").click()
    expect_total(page, 2, 2)


def test_python_replaces_the_drawing_and_drawing_goes_on(show) -> None:
    page = show("painter")
    click_at(page, at(page, 0.7, 0.7))
    expect_total(page, 2, 2)
    page.get_by_role("button", name="Set three points").click()
    expect_total(page, 3, 1)
    click_at(page, at(page, -0.7, 0.7))
    expect_total(page, 4, 2)
    # The points Python set first are old now; setting them again counts as new.
    page.get_by_role("button", name="Set three points").click()
    expect_total(page, 3, 1)


def test_the_drawing_survives_leaving_the_page(show) -> None:
    page = show("painter")
    click_at(page, at(page, 0.7, 0.7))
    expect_total(page, 2, 2)
    check(page, "Leave the page")
    expect(page.get_by_text("elsewhere")).to_be_visible()
    check(page, "Leave the page")
    expect_total(page, 2, 2)
    click_at(page, at(page, -0.7, 0.7))
    expect_total(page, 3, 3)


def test_the_limit_is_kept_and_said(show) -> None:
    page = show("painter")
    page.get_by_label("Spray rate").fill("120")
    drag(page, at(page, -0.6, 0.5), at(page, 0.6, 0.5), until=lambda: expect_count(page, "40"))
    expect_total(page, 40, 40)
    expect(page.get_by_role("alert").filter(has_text="limit of 40 points")).to_be_visible()
    page.get_by_role("button", name="Undo the last stroke").click()
    expect_total(page, 1, 1)
    expect(page.locator(".limit")).to_be_empty()


def test_painter_on_a_narrow_dark_screen(show) -> None:
    page = show("painter", viewport={"width": 400, "height": 900}, color_scheme="dark")
    expect(page.locator(".painter")).to_have_attribute("data-theme", "dark")
    assert page.locator(".painter").evaluate("e => e.scrollWidth <= e.clientWidth")
    click_at(page, at(page, 0.3, 0.3))
    expect_total(page, 2, 2)
