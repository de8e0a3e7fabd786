"""What the tests of the components do on a page, and what they read from it."""

import json
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

APP = Path(__file__).with_name("component_app.py")
VIEW = (-2.0, 2.0, -1.5, 1.5)
CANVAS = "canvas[role=img]"
READY = {
    "painter": (".painter", "data-count"),
    "plane": (".plane", "data-chosen"),
    "tree": (".branches", "data-cut"),
}
"""Case to its root element and an attribute that appears with the first picture."""


def visitor(serve: Callable, open_page: Callable) -> Callable[..., Page]:
    """Return a function that opens a case of the component app and waits for its picture."""

    def visit(case: str, **options) -> Page:
        page = open_page(f"{serve(APP)}/?case={case}", **options)
        root, attribute = READY.get(case, (".player", "data-frame"))
        expect(page.locator(root)).to_have_attribute(attribute, re.compile(r"\d"))
        return page

    return visit


def frame_of(page: Page) -> int:
    return int(page.locator(".player").get_attribute("data-frame"))


def expect_frame(page: Page, frame: int) -> None:
    expect(page.locator(".player")).to_have_attribute("data-frame", str(frame))


def expect_playing(page: Page, playing: bool) -> None:
    expect(page.locator(".player")).to_have_attribute("data-playing", str(playing).lower())


def wait_until_frame_changes(page: Page) -> None:
    expect(page.locator(".player")).not_to_have_attribute("data-frame", str(frame_of(page)))


def position(page: Page, x: float, y: float, view=VIEW, panel: int = 0) -> tuple[float, float]:
    """Return where a point of the view is on the canvas."""
    root = page.locator(".player, .painter")
    left, top, width, height = json.loads(root.get_attribute("data-plots"))[panel]
    xmin, xmax, ymin, ymax = view
    return left + (x - xmin) / (xmax - xmin) * width, top + (ymax - y) / (ymax - ymin) * height


def picture(page: Page) -> str:
    """Return the pixels of the canvas, in a form that can be compared."""
    return page.locator(CANVAS).evaluate("canvas => canvas.toDataURL()")


def colour_at(page: Page, x: float, y: float) -> tuple[int, ...]:
    script = """(canvas, [x, y]) => {
      const ratio = canvas.width / canvas.clientWidth;
      return [...canvas.getContext("2d").getImageData(x * ratio, y * ratio, 1, 1).data];
    }"""
    return tuple(page.locator(CANVAS).evaluate(script, [x, y]))


def check(page: Page, label: str) -> None:
    page.get_by_test_id("stCheckbox").filter(has_text=label).locator("label").click()


def click_at(page: Page, where: tuple[float, float]) -> None:
    page.locator(CANVAS).click(position={"x": where[0], "y": where[1]})


def drag(
    page: Page,
    start: tuple[float, float],
    end: tuple[float, float],
    until: Callable[[], None] = lambda: None,
) -> None:
    """Drag from one location to another, and release the button once ``until`` returns."""
    box = page.locator(CANVAS).bounding_box()
    page.mouse.move(box["x"] + start[0], box["y"] + start[1])
    page.mouse.down()
    page.mouse.move(box["x"] + end[0], box["y"] + end[1], steps=8)
    until()
    page.mouse.up()
