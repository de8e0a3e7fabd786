"""The story of the start page in a real browser: keys, prediction, notes, presentation."""

import re

import pytest
from playwright.sync_api import Page, expect
from visits import settled

from nestviz.ui.pages.home.steps import STEPS, TEXTS

pytestmark = pytest.mark.browser

PLAYER = "[data-step]"
SCREEN = {"width": 1280, "height": 720}
NAMES = [step.name for step in STEPS]


def at_step(page: Page, name: str) -> None:
    """Wait until a step is told."""
    expect(page.locator(PLAYER)).to_have_attribute("data-step", name)
    title = page.get_by_role("heading", name=TEXTS[name]["title"], exact=True)
    expect(title).to_be_visible()
    settled(page)


def press(page: Page, key: str, name: str) -> None:
    page.keyboard.press(key)
    at_step(page, name)


def frame(page: Page) -> float:
    return float(page.locator(PLAYER).get_attribute("data-frame") or -1)


def test_predict_and_step_to_the_end(app_url, open_page):
    page = settled(open_page(app_url, viewport=SCREEN))
    at_step(page, "ask")
    yes = page.get_by_role("button", name="Yes, it stays")
    yes.click()
    expect(page.locator("[data-choice=stays]")).to_have_attribute("aria-pressed", "true")
    settled(page)
    press(page, "ArrowRight", "play")
    press(page, "ArrowRight", "worst")
    expect(page.get_by_text("You predicted that it stays")).to_be_visible()
    for name in NAMES[3:]:
        press(page, "ArrowRight", name)
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_disabled()
    press(page, "ArrowLeft", NAMES[-2])
    assert f"step={NAMES[-2]}" in page.url


def test_quick_keys_go_as_far_as_they_say(app_url, open_page):
    page = settled(open_page(app_url, viewport=SCREEN))
    at_step(page, "ask")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    at_step(page, NAMES[4])


def test_sliders_keep_their_arrow_keys(app_url, open_page):
    page = settled(open_page(f"{app_url}/?step=profile", viewport=SCREEN))
    at_step(page, "profile")
    before = frame(page)
    page.get_by_role("slider", name="level λ").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(PLAYER)).to_have_attribute("data-frame", f"{before - 1:g}")
    knob = page.locator(".knob").first
    before = knob.get_attribute("data-value") or ""
    page.get_by_role("slider", name="Width σ").focus()
    page.keyboard.press("ArrowRight")
    expect(knob).not_to_have_attribute("data-value", before)
    at_step(page, "profile")


# In rare runs the page never answers, nor in the second attempt. The cause is not known yet.
@pytest.mark.slow
def test_settings_that_are_not_the_story_s_are_left_by_a_button(app_url, open_page):
    page = settled(open_page(f"{app_url}/?step=profile", viewport=SCREEN))
    at_step(page, "profile")
    page.get_by_role("slider", name="Width σ").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Return to the settings of the story")).to_be_visible()
    at_step(page, "profile")
    page.get_by_role("button", name="Return to the settings of the story").click()
    expect(page.locator(".story-detour")).to_be_hidden()


def test_the_chart_follows_the_level(app_url, open_page):
    page = settled(open_page(f"{app_url}/?step=profile", viewport=SCREEN))
    chart = page.locator(".side canvas")
    expect(chart).to_have_attribute("aria-label", re.compile("Sum of kernels"))
    first = chart.get_attribute("aria-label") or ""
    assert "outside" in first
    page.get_by_role("slider", name="level λ").focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    expect(chart).not_to_have_attribute("aria-label", first)


def test_notes_are_shown_by_a_key(app_url, open_page):
    page = settled(open_page(f"{app_url}/?step=rankings", viewport=SCREEN))
    at_step(page, "rankings")
    notes = page.get_by_role("complementary", name="Notes for the speaker")
    expect(notes).to_be_hidden()
    page.keyboard.press("n")
    expect(notes).to_contain_text("Each line is a point")
    press(page, "ArrowRight", "unions")
    expect(notes).to_contain_text("one line of code")
    page.keyboard.press("n")
    expect(notes).to_be_hidden()


def test_the_story_goes_on_in_a_presentation(app_url, open_page):
    page = settled(open_page(f"{app_url}/?step=worst", viewport=SCREEN))
    player = page.locator(PLAYER)
    player.focus()
    page.keyboard.press("f")
    expect(page.locator(".player.presenting")).to_be_visible()
    press(page, "ArrowRight", "profile")
    press(page, "PageDown", "course")
    page.keyboard.press("n")
    expect(page.locator(".story-notes")).to_be_visible()
    expect(page.locator(".player.presenting")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".player.presenting")).to_have_count(0)
    at_step(page, "course")


@pytest.mark.parametrize("name", NAMES)
def test_picture_words_and_controls_are_on_the_first_screen(app_url, open_page, name):
    page = settled(open_page(f"{app_url}/?step={name}", viewport=SCREEN))
    at_step(page, name)
    for part in (
        page.locator(".player canvas.picture"),
        page.get_by_role("slider", name="level λ"),
        page.get_by_role("slider", name="Width σ"),
        page.locator(".story-moves"),
        page.locator(".readout"),
    ):
        box = part.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= SCREEN["height"]


@pytest.mark.parametrize("name", ["ask", "profile", "constraint"])
def test_a_narrow_screen_is_not_scrolled_sideways(app_url, open_page, name):
    page = settled(open_page(f"{app_url}/?step={name}", viewport={"width": 400, "height": 860}))
    at_step(page, name)
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 400
    for part in (".story", ".board", ".show"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 401
