"""The sweep player and the point painter, in a real browser."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser

APP = Path(__file__).with_name("component_app.py")
VIEW = (-2.0, 2.0, -1.5, 1.5)
CANVAS = "canvas[role=img]"


@pytest.fixture
def show(serve, open_page):
    def visit(case: str, **options) -> Page:
        page = open_page(f"{serve(APP)}/?case={case}", **options)
        root = "painter" if case == "painter" else "player"
        mark = "data-count" if case == "painter" else "data-frame"
        expect(page.locator(f".{root}")).to_have_attribute(mark, re.compile(r"\d+"), timeout=15_000)
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


def place(page: Page, x: float, y: float, view=VIEW, panel: int = 0) -> tuple[float, float]:
    """Where a point of the view is, on the canvas."""
    root = page.locator(".player, .painter")
    left, top, width, height = json.loads(root.get_attribute("data-plots"))[panel]
    xmin, xmax, ymin, ymax = view
    return left + (x - xmin) / (xmax - xmin) * width, top + (ymax - y) / (ymax - ymin) * height


def picture(page: Page) -> str:
    """The pixels of the canvas, in a form that can be compared."""
    return page.locator(CANVAS).evaluate("canvas => canvas.toDataURL()")


def color_at(page: Page, x: float, y: float) -> tuple[int, ...]:
    script = """(canvas, [x, y]) => {
      const ratio = canvas.width / canvas.clientWidth;
      return [...canvas.getContext("2d").getImageData(x * ratio, y * ratio, 1, 1).data];
    }"""
    return tuple(page.locator(CANVAS).evaluate(script, [x, y]))


def check(page: Page, label: str) -> None:
    page.get_by_test_id("stCheckbox").filter(has_text=label).locator("label").click()


def click_at(page: Page, where: tuple[float, float]) -> None:
    page.locator(CANVAS).click(position={"x": where[0], "y": where[1]})


def drag(page: Page, start: tuple[float, float], end: tuple[float, float], steps: int = 12) -> None:
    box = page.locator(CANVAS).bounding_box()
    page.mouse.move(box["x"] + start[0], box["y"] + start[1])
    page.mouse.down()
    for step in range(1, steps + 1):
        share = step / steps
        page.mouse.move(
            box["x"] + start[0] + share * (end[0] - start[0]),
            box["y"] + start[1] + share * (end[1] - start[1]),
        )
        page.wait_for_timeout(30)
    page.mouse.up()


# --- the player ---------------------------------------------------------------------------------


def test_player_shows_the_sweep(show) -> None:
    page = show("pair")
    player = page.locator(".player")
    expect(player).to_have_attribute("data-frames", "20")
    expect_frame(page, 6)
    expect_playing(page, False)
    expect(page.get_by_role("img", name="Two families of sets over 300 points")).to_be_visible()
    # The level is decoded from the message by the browser, and told by Python beside it.
    level = float(player.get_attribute("data-level"))
    assert level == pytest.approx(0.35 + 6 / 19)
    expect(page.get_by_text(f"frame 6, level {level:.4f}")).to_be_visible()
    expect(page.locator(".readout")).to_contain_text("level λ = 0.666")
    expect(page.locator(".readout")).to_contain_text("of the points outside")
    # Names come from the user's data: they are text, not markup.
    expect(page.locator(".legend li")).to_have_count(4)
    expect(page.locator(".legend")).to_contain_text("<img src=x onerror=alert(1)>")
    expect(page.locator(".legend img")).to_have_count(0)


def test_set_is_filled_and_its_hole_is_not(show) -> None:
    page = show("pair", color_scheme="light")
    page.get_by_role("slider", name="level λ").press("End")
    expect_frame(page, 19)
    inside, hole, outside = (
        color_at(page, *place(page, x, y, panel=1)) for x, y in ((0, 0.8), (0, 0.01), (1.9, 1.4))
    )
    assert outside[3] == 0  # nothing drawn: the page shows through
    assert 0 < inside[3] < 255
    assert inside[2] > inside[0]  # blue
    assert hole != inside


def test_play_moves_and_pause_tells_python(show) -> None:
    page = show("pair")
    page.get_by_role("button", name="Play", exact=True).click()
    expect_playing(page, True)
    wait_until_frame_changes(page)
    page.get_by_role("button", name="Pause").click()
    expect_playing(page, False)
    frame = frame_of(page)
    expect(page.get_by_text(f"frame {frame}, ")).to_be_visible()
    expect_frame(page, frame)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_report_is_one_rerun_and_the_picture_stays(show) -> None:
    page = show("pair")
    page.locator(CANVAS).evaluate("canvas => { canvas.mark = 'same' }")
    for _ in range(3):
        page.get_by_role("button", name="One step forward").click()
    expect(page.get_by_text("frame 9, ")).to_be_visible()
    expect(page.get_by_text("runs 2")).to_be_visible()
    assert page.locator(CANVAS).evaluate("canvas => canvas.mark") == "same"


def test_keyboard(show) -> None:
    page = show("pair")
    page.locator(".player").focus()
    for key, frame in (("ArrowRight", 7), ("ArrowLeft", 6), ("End", 19), ("ArrowRight", 19),
                       ("Home", 0), ("ArrowLeft", 0)):  # fmt: skip
        page.keyboard.press(key)
        expect_frame(page, frame)
    page.keyboard.press(" ")
    expect_playing(page, True)
    page.keyboard.press(" ")
    expect_playing(page, False)
    # On a button the key presses that button, once.
    page.get_by_role("button", name="Play", exact=True).press(" ")
    expect_playing(page, True)


def test_controls_are_named_and_in_tab_order(show) -> None:
    page = show("pair")
    page.locator(".player").focus()
    names = []
    for _ in range(7):
        page.keyboard.press("Tab")
        names.append(page.evaluate(FOCUSED_NAME))
    assert names == [
        "One step back",
        "Play",
        "One step forward",
        "level λ",
        "Speed",
        "Play back and forth",
        "All levels",
    ]


FOCUSED_NAME = """() => {
  let element = document.activeElement;
  while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element.getAttribute("aria-label") ?? element.textContent;
}"""


def test_scrubber_is_read_aloud(show) -> None:
    page = show("pair")
    scrubber = page.get_by_role("slider", name="level λ")
    scrubber.fill("12")
    expect_frame(page, 12)
    expect(scrubber).to_have_attribute("aria-valuetext", re.compile(r"^0\.982, \d+% of the points"))
    expect(page.locator(".live")).to_have_text(re.compile(r"^level λ 0\.982, \d+%"))
    expect(page.get_by_text("frame 12, ")).to_be_visible()


def test_speed_and_turning_at_the_end(show) -> None:
    page = show("pair")
    page.get_by_label("Speed").select_option("2×")
    page.get_by_role("slider", name="level λ").press("End")
    expect_frame(page, 19)
    page.get_by_role("button", name="Play", exact=True).click()
    wait_until_frame_changes(page)
    assert frame_of(page) > 12  # it turned round instead of beginning again


def test_less_motion_and_wrapping_at_the_end(show) -> None:
    page = show("autoplay", reduced_motion="reduce")
    expect_playing(page, False)
    expect_frame(page, 0)
    page.get_by_role("slider", name="level").press("End")
    expect_frame(page, 19)
    page.get_by_role("button", name="Play", exact=True).click()
    wait_until_frame_changes(page)
    assert frame_of(page) < 7


def test_playing_survives_other_data_and_another_place(show) -> None:
    page = show("pair")
    page.get_by_label("Speed").select_option("0.5×")
    page.get_by_role("button", name="Play", exact=True).click()
    check(page, "More levels")
    expect(page.locator(".player")).to_have_attribute("data-frames", "40")
    expect_playing(page, True)
    wait_until_frame_changes(page)

    check(page, "Another place")
    expect(page.locator(".player")).to_have_count(0)
    check(page, "Another place")
    expect(page.locator(".player")).to_have_attribute("data-frames", "40")
    expect_playing(page, True)
    wait_until_frame_changes(page)
    expect(page.get_by_label("Speed")).to_have_value("0.5")


def test_python_and_browser_agree_after_coming_back(show) -> None:
    page = show("pair")
    page.get_by_role("slider", name="level λ").fill("15")
    expect(page.get_by_text("frame 15, ")).to_be_visible()
    check(page, "Another place")
    expect(page.get_by_text("elsewhere")).to_be_visible()
    check(page, "Another place")
    expect_frame(page, 15)
    expect(page.get_by_text("frame 15, ")).to_be_visible()


def test_another_number_of_levels_keeps_the_part_of_the_sweep(show) -> None:
    page = show("pair")
    page.get_by_role("slider", name="level λ").press("End")
    expect(page.get_by_text("frame 19, ")).to_be_visible()
    check(page, "More levels")
    expect_frame(page, 39)
    expect(page.get_by_text("frame 39, ")).to_be_visible()


def test_all_levels_at_once(show) -> None:
    page = show("pair")
    switch = page.get_by_role("button", name="All levels")
    before = picture(page)
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    assert picture(page) != before
    switch.click()
    assert picture(page) == before


def test_pointing_at_and_clicking_a_point(show) -> None:
    page = show("pair")
    where = place(page, -1, 0)
    canvas, tooltip = page.locator(CANVAS), page.locator(".tooltip")
    canvas.hover(position={"x": where[0] + 2, "y": where[1]})
    expect(tooltip).to_contain_text("point 0 at (−1.000, 0.000)")
    expect(tooltip).to_contain_text("class +1")
    expect(tooltip).to_contain_text("row 0 <b>of the file</b>")
    canvas.hover(position={"x": 5, "y": 5})
    expect(tooltip).to_be_hidden()
    click_at(page, place(page, -1, 0, panel=1))
    expect(page.get_by_text("clicked panel 1 point 0")).to_be_visible()


def test_a_click_marks_at_once_and_the_player_goes_on(show) -> None:
    page = show("marks")
    player = page.locator(".player")
    expect(player).to_have_attribute("data-marked", "1")
    expect(page.locator(".legend")).to_contain_text("selected")
    expect(page.get_by_text("runs 1")).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).click()
    click_at(page, place(page, -1, 0, panel=1))
    expect(player).to_have_attribute("data-marked", "0")
    expect(page.get_by_text("clicked panel 1 point 0")).to_be_visible()
    expect(page.get_by_text("marked [0]")).to_be_visible()
    expect_playing(page, True)
    page.get_by_role("button", name="Mark two").click()
    expect(player).to_have_attribute("data-marked", "2 3")
    expect_playing(page, True)


def test_a_ring_is_drawn_around_marked_points(show) -> None:
    page = show("marks", color_scheme="light")
    before = picture(page)
    click_at(page, place(page, -1, 0))
    expect(page.locator(".player")).to_have_attribute("data-marked", "0")
    assert picture(page) != before
    x, y = place(page, -1, 0, panel=1)
    ring = color_at(page, x + 9.5, y)
    assert ring[3] == 255
    assert max(ring[:3]) < 120  # the colour of text


def test_empty_places_are_reported(show) -> None:
    page = show("marks")
    click_at(page, place(page, 1.9, 1.4, panel=1))
    expect(
        page.get_by_text(re.compile(r"place 1\.(89|90|91) 1\.(39|40|41) in panel 1"))
    ).to_be_visible()
    expect(page.locator(".player")).to_have_attribute("data-marked", "1")


def test_views_are_switched_in_the_browser_and_told(show) -> None:
    page = show("marks")
    expect(page.get_by_text("shown outline fill")).to_be_visible()
    pressed = {"Boundary": "true", "Filled set": "true", "Violations": "false"}
    for name, state in pressed.items():
        expect(page.get_by_role("button", name=name)).to_have_attribute("aria-pressed", state)
    # Nothing to switch: no point of this sweep has a size.
    expect(page.get_by_role("button", name="Coefficients as size")).to_be_hidden()
    for name in ("Filled set", "Violations", "Boundary"):
        before = picture(page)
        page.get_by_role("button", name=name).click()
        assert picture(page) != before, name
    expect(page.get_by_text("shown overlay", exact=False)).to_be_visible()


def test_narrow_and_dense_screens(show) -> None:
    page = show("pair", device_scale_factor=2)
    canvas, player = page.locator(CANVAS), page.locator(".player")
    wide = player.get_attribute("data-plots")
    page.set_viewport_size({"width": 400, "height": 900})
    expect(player).not_to_have_attribute("data-plots", wide)
    first, second = json.loads(player.get_attribute("data-plots"))
    assert first[0] == second[0]
    assert first[1] + first[3] < second[1]  # one above the other
    assert canvas.bounding_box()["width"] <= 400
    assert player.evaluate("e => e.scrollWidth <= e.clientWidth")
    assert canvas.evaluate("c => c.width / c.clientWidth") == pytest.approx(2, 0.01)


def test_theme_change_while_playing(show) -> None:
    page = show("pair", color_scheme="light")
    player = page.locator(".player")
    expect(player).to_have_attribute("data-theme", "light")
    page.get_by_role("button", name="Play", exact=True).click()
    page.emulate_media(color_scheme="dark")
    expect(player).to_have_attribute("data-theme", "dark")
    expect_playing(page, True)
    wait_until_frame_changes(page)


def test_autoplay(show) -> None:
    page = show("autoplay")
    expect_playing(page, True)
    wait_until_frame_changes(page)


def test_marker_sizes_follow_the_frame(show) -> None:
    page = show("sizes", color_scheme="light")

    def ink() -> int:
        """Dark pixels: the markers of a single class are nearly black."""
        return page.locator(CANVAS).evaluate(
            """canvas => {
              const { width, height } = canvas;
              const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
              let dark = 0;
              for (let k = 0; k < data.length; k += 4) {
                if (data[k + 3] > 200 && data[k] < 90 && data[k + 2] < 110) dark += 1;
              }
              return dark;
            }"""
        )

    small = ink()
    page.get_by_role("slider", name="level").press("End")
    expect_frame(page, 19)
    assert ink() > 4 * small


def test_a_single_level_cannot_be_played(show) -> None:
    page = show("single")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_disabled()
    expect(page.get_by_role("slider", name="level")).to_be_disabled()
    page.locator(".player").focus()
    page.keyboard.press(" ")
    page.keyboard.press("ArrowRight")
    expect_playing(page, False)
    expect_frame(page, 0)


# --- the painter --------------------------------------------------------------------------------

SQUARE = (-1.0, 1.0, -1.0, 1.0)


def at(page: Page, x: float, y: float) -> tuple[float, float]:
    return place(page, x, y, SQUARE)


def count_of(page: Page) -> int:
    return int(page.locator(".painter").get_attribute("data-count"))


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
    drag(page, at(page, -0.6, 0.5), at(page, 0.6, 0.5))
    total = count_of(page)
    assert total > 4
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


def test_the_drawing_survives_another_place(show) -> None:
    page = show("painter")
    click_at(page, at(page, 0.7, 0.7))
    expect_total(page, 2, 2)
    check(page, "Another place")
    expect(page.get_by_text("elsewhere")).to_be_visible()
    check(page, "Another place")
    expect_total(page, 2, 2)
    click_at(page, at(page, -0.7, 0.7))
    expect_total(page, 3, 3)


def test_the_limit_is_kept_and_said(show) -> None:
    page = show("painter")
    page.get_by_label("Spray rate").fill("120")
    drag(page, at(page, -0.6, 0.5), at(page, 0.6, 0.5), steps=20)
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
