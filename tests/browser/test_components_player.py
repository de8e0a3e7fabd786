"""The player: playing, stepping, and what it tells Python."""

import re

import pytest
from component_scenes import levels, pair
from component_steps import (
    CANVAS,
    check,
    expect_frame,
    expect_playing,
    frame_of,
    next_frame,
    visitor,
    wait_until_frame_changes,
)
from playwright.sync_api import expect

from nestviz.ui.export import player_page

pytestmark = pytest.mark.browser


@pytest.fixture
def show(serve, open_page):
    return visitor(serve, open_page)


def test_player_shows_the_scene(show) -> None:
    page = show("pair")
    player = page.locator(".player")
    expect(player).to_have_attribute("data-frames", "20")
    expect_frame(page, 6)
    expect_playing(page, False)
    expect(page.get_by_role("img", name="Two families of sets over 300 points")).to_be_visible()
    # The level is decoded from the message by the browser, and told by Python beside it.
    level = float(player.get_attribute("data-level"))
    assert level == pytest.approx(levels(20)[6])
    expect(page.get_by_text(f"frame 6, level {level:.4f}")).to_be_visible()
    expect(page.locator(".readout")).to_contain_text("level λ = 0.666")
    expect(page.locator(".readout")).to_contain_text("of the points inside")
    # Names come from the user's data: they are text, not markup.
    expect(page.locator(".legend li")).to_have_count(4)
    expect(page.locator(".legend")).to_contain_text("<img src=x onerror=alert(1)>")
    expect(page.locator(".legend img")).to_have_count(0)


def test_play_moves_and_pause_tells_python(show) -> None:
    page = show("pair")
    page.get_by_role("button", name="Play", exact=True).click()
    expect_playing(page, True)
    wait_until_frame_changes(page)
    page.get_by_role("button", name="Pause").click()
    expect_playing(page, False)
    frame = frame_of(page)
    expect(page.get_by_text(f"frame {frame:g}, ")).to_be_visible()
    expect_frame(page, frame)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_report_is_one_rerun_and_the_picture_stays(show) -> None:
    page = show("pair")
    page.locator(CANVAS).evaluate("canvas => { canvas.mark = 'same' }")
    # At once: on a busy machine three clicks of a mouse are further apart than the report's delay.
    step = page.get_by_role("button", name="One step forward")
    step.evaluate("button => { button.click(); button.click(); button.click(); }")
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
    expect(page.get_by_role("button", name="Worst level")).to_be_visible()
    page.locator(".player").focus()
    names = []
    while "All levels" not in names and len(names) < 30:
        page.keyboard.press("Tab")
        names.append(page.evaluate(FOCUSED_NAME))
    assert names == [
        "Zoom in",
        "Zoom out",
        "Select with a lasso",
        "Presentation",
        "One step back",
        "Play",
        "One step forward",
        "level λ",
        "Worst level",
        "Speed",
        "Play back and forth",
        "Boundary",
        "Filled set",
        "Violations",
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
    expect(scrubber).to_have_attribute(
        "aria-valuetext", re.compile(r"^0\.382, .*\d+% of the points")
    )
    expect(page.locator(".live")).to_have_text(
        re.compile(r"^level λ 0\.382, .*\d+%.* the set has \d+ part")
    )
    expect(page.get_by_text("frame 12, ")).to_be_visible()


def test_speed_and_turning_at_the_end(show) -> None:
    page = show("pair")
    page.get_by_label("Speed").select_option("2×")
    page.get_by_role("slider", name="level λ").press("End")
    expect_frame(page, 19)
    play = page.get_by_role("button", name="Play", exact=True)
    # It turned round instead of beginning again.
    assert 12 < next_frame(page, play.click) < 19


def test_less_motion_and_wrapping_at_the_end(show) -> None:
    page = show("autoplay", reduced_motion="reduce")
    expect_playing(page, False)
    expect_frame(page, 0)
    page.get_by_role("slider", name="level").press("End")
    expect_frame(page, 19)
    play = page.get_by_role("button", name="Play", exact=True)
    assert next_frame(page, play.click) < 7


def test_playing_survives_other_data_and_leaving_the_page(show) -> None:
    page = show("pair")
    page.get_by_label("Speed").select_option("0.5×")
    page.get_by_role("button", name="Play", exact=True).click()
    check(page, "More levels")
    expect(page.locator(".player")).to_have_attribute("data-frames", "40")
    expect_playing(page, True)
    wait_until_frame_changes(page)

    check(page, "Leave the page")
    expect(page.locator(".player")).to_have_count(0)
    check(page, "Leave the page")
    expect(page.locator(".player")).to_have_attribute("data-frames", "40")
    expect_playing(page, True)
    wait_until_frame_changes(page)
    expect(page.get_by_label("Speed")).to_have_value("0.5")


def test_python_and_browser_agree_after_coming_back(show) -> None:
    page = show("pair")
    page.get_by_role("slider", name="level λ").fill("15")
    expect(page.get_by_text("frame 15, ")).to_be_visible()
    check(page, "Leave the page")
    expect(page.get_by_text("elsewhere")).to_be_visible()
    check(page, "Leave the page")
    expect_frame(page, 15)
    expect(page.get_by_text("frame 15, ")).to_be_visible()


def test_another_number_of_levels_keeps_the_part_of_the_sweep(show) -> None:
    page = show("pair")
    page.get_by_role("slider", name="level λ").press("End")
    expect(page.get_by_text("frame 19, ")).to_be_visible()
    check(page, "More levels")
    expect_frame(page, 39)
    expect(page.get_by_text("frame 39, ")).to_be_visible()


def test_autoplay(show) -> None:
    page = show("autoplay")
    expect_playing(page, True)
    wait_until_frame_changes(page)


def test_a_single_level_cannot_be_played(show) -> None:
    page = show("single")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_disabled()
    expect(page.get_by_role("slider", name="level")).to_be_disabled()
    page.locator(".player").focus()
    page.keyboard.press(" ")
    page.keyboard.press("ArrowRight")
    expect_playing(page, False)
    expect_frame(page, 0)


def test_the_player_in_a_file_of_its_own(open_page, tmp_path) -> None:
    file = tmp_path / "sweep.html"
    file.write_text(player_page.page(pair(), "A file"), "utf-8")
    page = open_page(file.as_uri())
    expect_frame(page, 6)
    expect(page.get_by_role("img", name="Two families of sets over 300 points")).to_be_visible()
    page.locator(".player").press("ArrowRight")
    expect(page.locator(".readout")).to_contain_text("level λ = 0.618")
    page.emulate_media(color_scheme="dark")
    expect(page.locator(".player")).to_have_attribute("data-theme", "dark")
    expect_frame(page, 7)
