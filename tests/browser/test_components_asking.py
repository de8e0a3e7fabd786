"""The player: what can be asked of the picture, its layers, a lasso, and the whole screen."""

import re

import numpy as np
import pytest
from component_scenes import TITLES, levels, ring, sample, wandering
from component_steps import (
    CANVAS,
    Fingers,
    click_at,
    colour_at,
    drag,
    expect_frame,
    expect_playing,
    numbers,
    on_screen,
    picture,
    position,
    visitor,
    wait_until_frame_changes,
)
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser

LAYERS = ["Boundary", "Filled set", "Violations", "All levels", "Hill", "3-D", "Swipe", "True set"]
FOCUS = """() => {
  let element = document.activeElement;
  while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element.className;
}"""


@pytest.fixture
def show(serve, open_page):
    return visitor(serve, open_page)


def layer(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def empty_location() -> tuple[float, float]:
    """Return a location without points near it that is inside, then outside, then inside again."""
    points, _ = sample(300)
    u, v = np.meshgrid(np.linspace(-1.6, -0.4, 60), np.linspace(-0.6, 0.6, 60))
    places = np.column_stack([u.ravel(), v.ravel()])
    far = np.linalg.norm(places[:, None] - points, axis=2).min(axis=1)
    twice = np.array([len(one) == 2 and one[1, 1] < 0.93 for one in wandering().intervals(places)])
    best = np.where(twice, far, 0).argmax()
    assert far[best] > 0.08
    assert twice[best]
    return tuple(places[best])


def sentence(location: tuple[float, float], level: float) -> str:
    """Return what Python says about a location."""
    (_, back), (left, entry) = wandering().intervals([location])[0]
    assert back < level < left
    words = [
        f"{TITLES[0]}: outside now; inside from level λ = {entry:.3g} down, "
        f"but outside again between {left:.3g} and {back:.3g}."
    ]
    inside = ring().intervals([location])[0]
    now = "inside" if ring().contains([location], level)[0] else "outside"
    if not len(inside) or inside[-1, 1] < 0.05:
        words.append(f"{TITLES[1]}: outside at every level shown.")
    elif inside[-1, 1] >= 0.95:
        words.append(f"{TITLES[1]}: inside at every level shown.")
    else:
        words.append(f"{TITLES[1]}: {now} now; inside from level λ = {inside[-1, 1]:.3g} down.")
    return " ".join(words)


def test_a_location_is_asked_and_pinned(show) -> None:
    page = show("marks")
    player, tooltip, pinned = (page.locator(name) for name in (".player", ".tooltip", ".pinned"))
    where = position(page, *empty_location())
    expect(page.get_by_text("nothing pinned")).to_be_visible()
    page.mouse.move(*on_screen(page, where))
    expect(tooltip).to_be_visible()
    card = tooltip.locator("canvas")
    expect(card).to_have_attribute("aria-label", re.compile("but outside again between"))
    before = picture(page)
    click_at(page, where)
    expect(player).to_have_attribute("data-probe", re.compile(r"\d"))
    location = tuple(map(float, player.get_attribute("data-probe").split()))
    assert location == pytest.approx(empty_location(), abs=0.02)
    said = sentence(location, levels(20)[6])
    expect(pinned.locator("canvas")).to_have_attribute("aria-label", said)
    expect(pinned.locator(".words")).to_have_text(said)
    expect(page.get_by_text("pinned {:.3f} {:.3f}".format(*location))).to_be_visible()
    page.mouse.move(0, 0)
    expect(tooltip).to_be_hidden()
    assert picture(page) != before
    # The sentence follows the level.
    player.focus()
    page.keyboard.press("End")
    expect(pinned.locator(".words")).to_contain_text(f"{TITLES[0]}: inside now;")
    page.get_by_role("button", name="Remove the pin").click()
    expect(pinned).to_be_hidden()
    expect(player).to_have_attribute("data-probe", "")
    expect(page.get_by_text("nothing pinned")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_each_layer_changes_the_picture(show, theme) -> None:
    page = show("pair", color_scheme=theme)
    before = picture(page)
    for name in LAYERS:
        pressed = layer(page, name).get_attribute("aria-pressed")
        layer(page, name).click()
        expect(layer(page, name)).not_to_have_attribute("aria-pressed", pressed)
        assert picture(page) != before, name
        layer(page, name).click()
        expect(layer(page, name)).to_have_attribute("aria-pressed", pressed)
        assert picture(page) == before, name


def test_the_sets_are_turned_and_swiped(show) -> None:
    page = show("pair", has_touch=True)
    player = page.locator(".player")
    layer(page, "3-D").click()
    expect(player).to_have_attribute("data-mode", "turn")
    seen = {picture(page)}
    centre = position(page, 0, 0)
    drag(page, centre, (centre[0] + 60, centre[1] + 20))
    seen.add(picture(page))
    player.focus()
    page.keyboard.press("Shift+ArrowLeft")
    seen.add(picture(page))
    x, y = on_screen(page, centre)
    Fingers(page).drag(((x, y), (x + 50, y)))
    seen.add(picture(page))
    assert len(seen) == 4
    layer(page, "3-D").click()
    expect(player).to_have_attribute("data-mode", "look")
    layer(page, "Swipe").click()
    assert len({tuple(plot) for plot in numbers(player, "data-plots")}) == 1
    picture(page)
    # A location of the nested set, right of the divider at first.
    spot = position(page, 0.3, 0.85)
    right = colour_at(page, *spot)
    drag(page, position(page, 0, -1), position(page, 1.5, -1))
    picture(page)
    left = colour_at(page, *spot)
    assert left != right
    ends = [on_screen(page, position(page, u, -1)) for u in (1.5, 0)]
    Fingers(page).drag((ends[0], ends[1]))
    picture(page)
    assert colour_at(page, *spot) == right


def broken_shares() -> np.ndarray:
    """Return the share of the view that is violated at many levels, from small sets to large."""
    u, v = np.meshgrid(np.linspace(-2, 2, 81), np.linspace(-1.5, 1.5, 61))
    places = np.column_stack([u.ravel(), v.ravel()])
    inside = np.array([wandering().contains(places, level) for level in levels(200)])
    before = np.logical_or.accumulate(inside)
    return (before & ~inside).mean(axis=1)


def test_the_worst_level_is_found(show) -> None:
    page = show("pair")
    player = page.locator(".player")
    picture(page)
    expect(page.locator(".strip")).to_be_visible()
    drawn = "canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)" \
        ".data.some((value) => value > 0)"  # fmt: skip
    assert page.locator(".strip").evaluate(drawn)
    shares = broken_shares()

    def share_shown() -> float:
        level = float(player.get_attribute("data-level"))
        return float(np.interp(-level, -levels(200), shares))

    page.get_by_role("button", name="Worst level").click()
    expect(player).not_to_have_attribute("data-frame", "6")
    assert share_shown() == pytest.approx(shares.max(), abs=0.01)
    worst = float(player.get_attribute("data-frame"))
    player.focus()
    page.keyboard.press("Home")
    expect_frame(page, 0)
    page.keyboard.press("w")
    expect_frame(page, worst)


def test_a_lasso_selects_and_escape_gives_up(show) -> None:
    page = show("marks")
    player = page.locator(".player")
    player.focus()
    page.keyboard.press("l")
    expect(player).to_have_attribute("data-mode", "lasso")
    low, high = np.array([-1.4, -0.45]), np.array([-0.6, 0.45])
    corners = [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])]
    spots = [on_screen(page, position(page, *corner)) for corner in corners]

    def draw() -> None:
        page.mouse.move(*spots[0])
        page.mouse.down()
        for spot in spots[1:]:
            page.mouse.move(*spot, steps=6)

    draw()
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(player).to_have_attribute("data-marked", "1")
    draw()
    page.mouse.up()
    expect(page.get_by_text(re.compile(r"marked \[\d+, \d+, "))).to_be_visible()
    rows = set(map(int, player.get_attribute("data-marked").split()))
    points, _ = sample(300)
    depth = np.minimum(points - low, high - points).min(axis=1)
    assert set(np.flatnonzero(depth > 0.04)) <= rows <= set(np.flatnonzero(depth > -0.04))
    page.get_by_role("button", name="Select with a lasso").click()
    expect(player).to_have_attribute("data-mode", "look")


def test_the_player_fills_the_screen(show) -> None:
    page = show("pair")
    player, scrubber = page.locator(".player"), page.get_by_role("slider", name="level λ")
    before = player.get_attribute("data-plots")
    scrubber.focus()
    page.keyboard.press("f")
    expect(player).to_have_class(re.compile("presenting"))
    expect(player).not_to_have_attribute("data-plots", before)
    window = page.evaluate("[0, 0, innerWidth, innerHeight]")
    box = player.bounding_box()
    assert [box["x"], box["y"], box["width"], box["height"]] == pytest.approx(window, abs=1)
    canvas = page.locator(CANVAS).bounding_box()
    assert canvas["y"] + canvas["height"] <= scrubber.bounding_box()["y"] + 1 <= window[3]
    page.keyboard.press("End")
    expect_frame(page, 19)
    page.keyboard.press("Space")
    expect_playing(page, True)
    wait_until_frame_changes(page)
    page.keyboard.press("Space")
    expect_playing(page, False)
    page.get_by_role("button", name="Light or dark").click()
    expect(player).to_have_attribute("data-theme", "dark")
    page.keyboard.press("Escape")
    expect(player).not_to_have_class(re.compile("presenting"))
    expect(player).to_have_attribute("data-plots", before)
    expect(player).to_have_attribute("data-theme", "light")
    assert page.evaluate(FOCUS) == "scrubber"
    page.get_by_role("button", name="Presentation").click()
    expect(player).to_have_class(re.compile("presenting"))
    page.get_by_role("button", name="Back to the page").click()
    expect(player).not_to_have_class(re.compile("presenting"))
