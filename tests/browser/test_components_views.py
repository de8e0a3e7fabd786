"""The player: which part of the plane is shown, by mouse, keys and fingers, and how sharply."""

import numpy as np
import pytest
from component_scenes import VIEW, levels, ring
from component_steps import (
    CANVAS,
    Fingers,
    drag,
    expect_frame,
    numbers,
    on_screen,
    picture,
    position,
    view_of,
    visitor,
    written,
    zoom_by_wheel,
)
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


@pytest.fixture
def show(serve, open_page):
    return visitor(serve, open_page)


def expect_view(page: Page, view: tuple[float, ...] = VIEW) -> None:
    expect(page.locator(".player")).to_have_attribute("data-view", written(view))


def span(page: Page) -> float:
    xmin, xmax, _, _ = view_of(page)
    return xmax - xmin


def expect_to_scale(page: Page) -> None:
    """One unit is as long across as along, in every panel."""
    xmin, xmax, ymin, ymax = view_of(page)
    for _, _, w, h in numbers(page.locator(".player"), "data-plots"):
        assert w / h == pytest.approx((xmax - xmin) / (ymax - ymin), rel=1e-6)


def test_wheel_keys_buttons_and_double_click(show) -> None:
    page = show("pair")
    player, where = page.locator(".player"), position(page, -0.5, 0.5)
    expect_view(page)
    # Without a key the wheel scrolls the page.
    page.mouse.move(*on_screen(page, where))
    page.mouse.wheel(0, -100)
    zoom_by_wheel(page, where, 2)
    assert span(page) == pytest.approx(4 * np.exp(-0.8), rel=1e-6)
    # The location under the pointer stays there.
    assert position(page, -0.5, 0.5) == pytest.approx(where, abs=1)
    expect_to_scale(page)
    zoomed = view_of(page)
    drag(page, where, (where[0] + 40, where[1] + 20))
    expect(player).not_to_have_attribute("data-view", written(zoomed))
    assert position(page, -0.5, 0.5) == pytest.approx((where[0] + 40, where[1] + 20), abs=1)
    page.locator(CANVAS).dblclick(position={"x": where[0], "y": where[1]})
    expect_view(page)
    # A double click pins nothing that remains; keys zoom at the centre.
    player.focus()
    for key, factor in (("+", 1 / 1.25), ("+", 1 / 1.25), ("-", 1.25)):
        before = span(page)
        page.keyboard.press(key)
        assert span(page) == pytest.approx(before * factor)
    before = view_of(page)
    page.keyboard.press("Shift+ArrowRight")
    assert view_of(page)[0] > before[0]
    expect_frame(page, 6)  # the arrow keys move the level only without Shift
    page.keyboard.press("0")
    expect_view(page)
    expect(page.get_by_role("button", name="Whole picture")).to_be_disabled()
    page.get_by_role("button", name="Zoom in").click()
    assert span(page) == pytest.approx(4 / 1.5)
    page.get_by_role("button", name="Zoom out").click()
    assert span(page) == pytest.approx(4)
    page.get_by_role("button", name="Zoom in").click()
    page.get_by_role("button", name="Whole picture").click()
    expect_view(page)


def test_fingers_pinch_and_move_and_a_tap_pins(show) -> None:
    page = show("marks", has_touch=True)
    fingers, player = Fingers(page), page.locator(".player")
    x, y = on_screen(page, position(page, 0.0, 0.6))
    # One finger on the whole picture scrolls the page.
    fingers.drag(((x, y), (x + 60, y)))
    expect_view(page)
    fingers.drag(((x - 20, y), (x - 80, y)), ((x + 20, y), (x + 80, y)))
    expect(player).not_to_have_attribute("data-view", written(VIEW))
    assert span(page) == pytest.approx(1, rel=0.02)
    expect_to_scale(page)
    zoomed = view_of(page)
    fingers.drag(((x, y), (x + 50, y)))
    expect(player).not_to_have_attribute("data-view", written(zoomed))
    assert view_of(page)[0] < zoomed[0]
    assert span(page) == pytest.approx(zoomed[1] - zoomed[0])
    page.touchscreen.tap(x, y)
    expect(page.get_by_text("pinned ")).to_be_visible()
    expect(page.locator(".pinned")).to_be_visible()
    # A second tap at once shows the whole picture.
    page.get_by_role("button", name="Whole picture").tap()
    expect_view(page)
    # A tap beside a point is on it: fingers are less exact.
    x, y = on_screen(page, position(page, -1.0, 0.0))
    page.touchscreen.tap(x + 3, y)
    expect(page.get_by_text("marked [0]")).to_be_visible()


def pixels(page: Page, spots: np.ndarray) -> np.ndarray:
    picture(page)  # when no more follows
    script = """(canvas, spots) => {
      const ratio = canvas.width / canvas.clientWidth, context = canvas.getContext("2d");
      return spots.map(([x, y]) => [...context.getImageData(x * ratio, y * ratio, 1, 1).data]);
    }"""
    return np.array(page.locator(CANVAS).evaluate(script, spots.tolist()))


def test_edges_are_sharp_a_hundred_times_nearer(show) -> None:
    page = show("pair")
    family, level = ring(), levels(20)[6]
    # A location of the boundary, between two centres and away from all points.
    low, high = 0.0, 0.9
    for _ in range(50):
        middle = (low + high) / 2
        inside = family.contains([[0.0, middle]], level)[0]
        low, high = (low, middle) if inside else (middle, high)
    zoom_by_wheel(page, position(page, 0.0, low, panel=1), 12)
    xmin, xmax, ymin, ymax = view_of(page)
    assert (xmax - xmin) < 4 / 100
    left, top, w, h = numbers(page.locator(".player"), "data-plots")[1]
    across, down = np.meshgrid(np.arange(6, w - 6, 9), np.arange(6, h - 6, 9))
    spots = np.column_stack([left + across.ravel(), top + down.ravel()]).round()

    def inside_at(shift_x: float, shift_y: float) -> np.ndarray:
        u = xmin + (spots[:, 0] + 0.5 + shift_x - left) / w * (xmax - xmin)
        v = ymax - (spots[:, 1] + 0.5 + shift_y - top) / h * (ymax - ymin)
        return family.contains(np.column_stack([u, v]), level)

    inside = inside_at(0, 0)
    # The outline covers some pixels beside the boundary.
    shifts = [(dx, dy) for dx in (-4, 0, 4) for dy in (-4, 0, 4)]
    clear = np.all([inside_at(*shift) == inside for shift in shifts], axis=0)
    filled = pixels(page, spots)
    page.get_by_role("button", name="Filled set").click()
    changed = (filled != pixels(page, spots)).any(axis=1)
    assert 0.1 < inside.mean() < 0.9
    assert clear.mean() > 0.8
    np.testing.assert_array_equal(changed[clear], inside[clear])


def test_the_level_is_continuous(show) -> None:
    page = show("pair")
    scrubber, seen = page.get_by_role("slider", name="level λ"), {picture(page)}
    for k, stop in enumerate((6.33, 6.67, 7.0)):
        scrubber.evaluate(
            """(slider, value) => {
              slider.value = value;
              slider.dispatchEvent(new Event("input", { bubbles: true }));
            }""",
            stop,
        )
        expect_frame(page, stop)
        shown = float(page.locator(".player").get_attribute("data-level"))
        assert shown == pytest.approx(np.interp(stop, np.arange(20), levels(20)))
        seen.add(picture(page))
        assert len(seen) == k + 2
    expect(page.get_by_text(f"frame 7, level {levels(20)[7]:.4f}")).to_be_visible()


@pytest.mark.parametrize("size", [(400, 800), (1920, 1080), (640, 360)])
def test_pictures_are_to_scale(show, size) -> None:
    page = show("pair", viewport={"width": 1280, "height": 720})
    player = page.locator(".player")
    expect_to_scale(page)
    before = player.get_attribute("data-plots")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    expect(player).not_to_have_attribute("data-plots", before)
    expect_to_scale(page)
    assert player.evaluate("e => e.scrollWidth <= e.clientWidth")
