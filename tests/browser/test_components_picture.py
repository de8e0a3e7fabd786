"""The player: what it draws, and what is marked on it."""

import json

import pytest
from component_steps import (
    CANVAS,
    click_at,
    colour_at,
    expect_frame,
    expect_playing,
    picture,
    position,
    visitor,
    wait_until_frame_changes,
)
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


@pytest.fixture
def show(serve, open_page):
    return visitor(serve, open_page)


def test_set_is_filled_and_its_hole_is_not(show) -> None:
    page = show("pair", color_scheme="light")
    page.get_by_role("slider", name="level λ").press("End")
    expect_frame(page, 19)
    inside, hole, outside = (
        colour_at(page, *position(page, x, y, panel=1))
        for x, y in ((0, 0.8), (0, 0.01), (1.9, 1.4))
    )
    assert outside[3] == 0  # nothing drawn: the page shows through
    assert 0 < inside[3] < 255
    assert inside[2] > inside[0]  # blue
    assert hole != inside


def test_all_levels_at_once(show) -> None:
    page = show("pair")
    switch = page.get_by_role("button", name="All levels")
    before = picture(page)
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    assert picture(page) != before
    switch.click()
    assert picture(page) == before


def test_pointing_at_a_point(show) -> None:
    page = show("pair")
    where = position(page, -1, 0)
    canvas, tooltip = page.locator(CANVAS), page.locator(".tooltip")
    canvas.hover(position={"x": where[0] + 2, "y": where[1]})
    expect(tooltip).to_contain_text("point 0 at (−1.000, 0.000)")
    expect(tooltip).to_contain_text("class +1")
    expect(tooltip).to_contain_text("inside from λ = 1 down, in 2 separate intervals")
    canvas.hover(position={"x": 5, "y": 5})
    expect(tooltip).to_be_hidden()


def test_a_click_marks_at_once_and_the_player_goes_on(show) -> None:
    page = show("marks")
    player = page.locator(".player")
    expect(player).to_have_attribute("data-marked", "1")
    expect(page.locator(".legend")).to_contain_text("selected")
    expect(page.get_by_text("runs 1")).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).click()
    click_at(page, position(page, -1, 0, panel=1))
    expect(player).to_have_attribute("data-marked", "0")
    expect(page.get_by_text("marked [0]")).to_be_visible()
    expect_playing(page, True)
    page.get_by_role("button", name="Mark two").click()
    expect(player).to_have_attribute("data-marked", "2 3")
    expect_playing(page, True)


def test_a_ring_is_drawn_around_marked_points(show) -> None:
    page = show("marks", color_scheme="light")
    before = picture(page)
    click_at(page, position(page, -1, 0))
    expect(page.locator(".player")).to_have_attribute("data-marked", "0")
    assert picture(page) != before
    x, y = position(page, -1, 0, panel=1)
    ring = [colour_at(page, x + 0.5 * step, y) for step in range(10, 26)]
    assert any(colour[3] > 200 and max(colour[:3]) < 120 for colour in ring)  # the colour of text


def test_views_are_switched_in_the_browser_and_reported(show) -> None:
    page = show("marks")
    expect(page.get_by_text("shown outline fill")).to_be_visible()
    pressed = {"Boundary": "true", "Filled set": "true", "Violations": "false"}
    for name, state in pressed.items():
        expect(page.get_by_role("button", name=name)).to_have_attribute("aria-pressed", state)
    # Nothing to switch: no point of this scene has a size.
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
