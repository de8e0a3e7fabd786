"""What the tests of the components do on a page, and what they read from it."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

APP = Path(__file__).with_name("component_app.py")
VIEW = (-2.0, 2.0, -1.5, 1.5)
CANVAS = "canvas.picture, :is(.painter, .plane, .branches) canvas[role=img]"
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


def frame_of(page: Page) -> float:
    return float(page.locator(".player").get_attribute("data-frame"))


def expect_frame(page: Page, frame: float) -> None:
    expect(page.locator(".player")).to_have_attribute("data-frame", f"{frame:g}")


def expect_playing(page: Page, playing: bool) -> None:
    expect(page.locator(".player")).to_have_attribute("data-playing", str(playing).lower())


def wait_until_frame_changes(page: Page) -> None:
    expect(page.locator(".player")).not_to_have_attribute("data-frame", f"{frame_of(page):g}")


def next_frame(page: Page, act: Callable[[], None]) -> float:
    """Return the first frame that is shown after an action that lets the frame change.

    The page itself notes it: whoever asks from outside may ask when many more have passed.
    """
    player = page.locator(".player")
    player.evaluate("""player => {
      const start = player.dataset.frame;
      player.nextFrame = new Promise((resolve) => new MutationObserver((_, observer) => {
        if (player.dataset.frame === start) return;
        observer.disconnect();
        resolve(Number(player.dataset.frame));
      }).observe(player, { attributeFilter: ["data-frame"] }));
    }""")
    act()
    return player.evaluate("player => player.nextFrame")


def numbers(root: Locator, name: str) -> list:
    """Return what an attribute holds as JSON, once it is there."""
    expect(root).to_have_attribute(name, re.compile(r"\["))
    return json.loads(root.get_attribute(name) or "")


def position(page: Page, x: float, y: float, view=VIEW, panel: int = 0) -> tuple[float, float]:
    """Return where a location is on the canvas."""
    root = page.locator(".player, .painter").first
    left, top, width, height = numbers(root, "data-plots")[panel]
    shown = root.get_attribute("data-view")
    xmin, xmax, ymin, ymax = json.loads(shown) if shown else view
    return left + (x - xmin) / (xmax - xmin) * width, top + (ymax - y) / (ymax - ymin) * height


def picture(page: Page) -> str:
    """Return the pixels of the canvas, in a form that can be compared, when no more follow."""
    player = page.locator(".player")
    if player.count():
        expect(player).to_have_attribute("data-drawn", "complete")
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


def on_screen(page: Page, where: tuple[float, float]) -> tuple[float, float]:
    """Return where a location of the canvas is in the window."""
    canvas = page.locator(CANVAS)
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    return box["x"] + where[0], box["y"] + where[1]


def view_of(page: Page) -> list[float]:
    return numbers(page.locator(".player"), "data-view")


def zoom_by_wheel(page: Page, where: tuple[float, float], times: int) -> None:
    """Turn the wheel with the Ctrl key at a location of the canvas; each time zooms by 1.49."""
    page.mouse.move(*on_screen(page, where))
    page.keyboard.down("Control")
    for _ in range(times):
        before = view_of(page)
        page.mouse.wheel(0, -100)
        expect(page.locator(".player")).not_to_have_attribute("data-view", written(before))
    page.keyboard.up("Control")


def written(view: Sequence[float]) -> str:
    """Return a view as the player writes it: without a fraction where there is none."""
    exact = [int(number) if number == int(number) else number for number in view]
    return json.dumps(exact, separators=(",", ":"))


class Fingers:
    """Fingers on the window, by the protocol of the browser: Playwright has only taps."""

    def __init__(self, page: Page) -> None:
        self.session = page.context.new_cdp_session(page)

    def __call__(self, kind: str, *spots: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(spots)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def drag(self, *paths: tuple[tuple[float, float], tuple[float, float]], steps: int = 6) -> None:
        """Put one finger on the start of each path, and move all to their ends."""
        self("touchStart", *(start for start, _ in paths))
        for step in range(1, steps + 1):
            share = step / steps
            self("touchMove", *(
                (x0 + share * (x1 - x0), y0 + share * (y1 - y0)) for (x0, y0), (x1, y1) in paths
            ))  # fmt: skip
        self("touchEnd")
