"""The picture follows the hand: knobs and points that move, with the server's answers."""

import json
import re
from collections.abc import Iterator

import pytest
from component_steps import Fingers
from playwright.sync_api import Locator, Page, expect
from servers import ROOT, own_server, start_script
from visits import expect_width_in_address, settled, stepped, width_knob

pytestmark = pytest.mark.browser

SMALL = "data=banana&banana.n=60"


def player_of(page: Page) -> Locator:
    return page.locator(".player").first


def answers(page: Page) -> str:
    return player_of(page).get_attribute("data-answers") or ""


def expect_answer(page: Page, known: str) -> None:
    """Wait for an answer after those that are known."""
    expect(player_of(page)).to_have_attribute("data-answers", re.compile(r"\d"))
    expect(player_of(page)).not_to_have_attribute("data-answers", known)


def shown_value(page: Page, key: str) -> float:
    return float(page.locator(f".knob[data-key={key}]").get_attribute("data-value") or "nan")


def thumb(page: Page, slider: Locator, share: float) -> tuple[float, float]:
    """Return where the thumb of a slider is in the window at a share of its length."""
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    return box["x"] + 8 + share * (box["width"] - 16), box["y"] + box["height"] / 2


def numbers_below(page: Page) -> str:
    return " ".join(page.get_by_text(re.compile("^Certificate: ")).all_inner_texts())


def expect_other_numbers(page: Page, before: str) -> None:
    script = """before => [...document.querySelectorAll("[data-testid=stCaptionContainer]")]
      .map((part) => part.innerText).filter((text) => text.startsWith("Certificate: "))
      .join(" ") !== before"""
    page.wait_for_function(script, arg=before)


def test_the_picture_follows_the_width(app_url, open_page):
    page = settled(open_page(f"{app_url}/one-class?{SMALL}", has_touch=True))
    player, slider = player_of(page), width_knob(page)
    level, numbers, known = player.get_attribute("data-level"), numbers_below(page), answers(page)
    at = float(slider.input_value())
    page.mouse.move(*thumb(page, slider, at))
    page.mouse.down()
    for share in (0.5, 0.6, 0.7):
        page.mouse.move(*thumb(page, slider, share), steps=3)
        expect_answer(page, known)
        known = answers(page)
    expect(player).not_to_have_attribute("data-level", level or "")
    expect(page).not_to_have_url(re.compile("width="))
    assert numbers_below(page) == numbers
    page.mouse.up()
    assert shown_value(page, "width") > 0.5
    expect_width_in_address(page, shown_value(page, "width"))
    expect_other_numbers(page, numbers)
    settled(page)
    # By keys, also while the player fills the screen.
    slider.focus()
    page.keyboard.press("f")
    expect(player).to_have_class(re.compile("presenting"))
    slider.focus()
    before, known = shown_value(page, "width"), answers(page)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect_answer(page, known)
    expect_width_in_address(page, stepped(before, -2))
    page.keyboard.press("Escape")
    expect(player).not_to_have_class(re.compile("presenting"))
    expect(slider).to_be_focused()
    settled(page)
    # By a finger.
    known = answers(page)
    start, end = (thumb(page, slider, share) for share in (float(slider.input_value()), 0.2))
    fingers = Fingers(page)
    fingers("touchStart", start)
    for share in (0.9, 0.6, 0.3, 0.0):
        fingers("touchMove", tuple(b + share * (a - b) for a, b in zip(start, end, strict=True)))
    expect_answer(page, known)
    fingers("touchEnd")
    assert shown_value(page, "width") < 0.3
    expect_width_in_address(page, shown_value(page, "width"))


@pytest.mark.parametrize(
    ("path", "name", "key"),
    [
        ("two-classes?data=banana&banana.n=60", "Regularisation λ", "loglam"),
        (f"one-class?{SMALL}&left=ν+one-class+SVM", "ν", "nu"),
    ],
)
def test_the_picture_follows_other_knobs(app_url, open_page, path, name, key):
    page = settled(open_page(f"{app_url}/{path}"))
    known, before = answers(page), shown_value(page, key)
    page.get_by_role("slider", name=name, exact=True).focus()
    page.keyboard.press("PageDown")
    expect_answer(page, known)
    after = shown_value(page, key)
    assert after < before
    expect(page).to_have_url(re.compile(rf"{key}={re.escape(f'{after:g}')}(&|$)"))
    settled(page)
    other = settled(open_page(page.url))
    expect(player_of(other)).to_have_attribute(
        "data-level", player_of(page).get_attribute("data-level") or ""
    )
    assert shown_value(other, key) == after


@pytest.fixture
def url_without_route() -> Iterator[str]:
    """The address of an app that is served by Streamlit alone."""
    with own_server(start_script(ROOT / "app.py")) as url:
        yield url


@pytest.mark.slow
def test_without_the_route_the_picture_follows_on_release(url_without_route, open_page):
    page = settled(open_page(f"{url_without_route}/?{SMALL}"))
    player, slider = player_of(page), width_knob(page)
    level = player.get_attribute("data-level")
    page.mouse.move(*thumb(page, slider, float(slider.input_value())))
    page.mouse.down()
    page.mouse.move(*thumb(page, slider, 0.7), steps=5)
    page.mouse.up()
    expect(player).not_to_have_attribute("data-level", level or "")
    expect_width_in_address(page, shown_value(page, "width"))
    assert answers(page) == ""
    expect(page.locator(".trouble")).to_be_hidden()


def spot(page: Page, across: float, down: float) -> tuple[float, float]:
    """Return a location in the window, by its shares of the first plot."""
    canvas = player_of(page).locator("canvas.picture")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    x, y, w, h = json.loads(player_of(page).get_attribute("data-plots") or "")[0]
    return box["x"] + x + across * w, box["y"] + y + down * h


def test_points_are_added_dragged_deleted_and_undone(app_url, open_page):
    page = settled(open_page(f"{app_url}/one-class?{SMALL}"))
    player, undo = player_of(page), page.get_by_role("button", name="Undo")
    page.get_by_role("button", name="Edit points").click()
    expect(player).to_have_attribute("data-mode", "edit")
    expect(undo).to_be_disabled()
    view = player.get_attribute("data-view") or ""
    known = answers(page)
    corner = spot(page, 0.05, 0.05)
    page.mouse.click(*corner)
    expect_answer(page, known)
    expect(page.get_by_text("61 points of “Banana”")).to_be_visible()
    expect(page.get_by_test_id("stSidebar").get_by_text("edited in the picture")).to_be_visible()
    settled(page)
    expect(player).to_have_attribute("data-mode", "edit")
    # The view does not move below the hand, though it would be larger with this point.
    expect(player).to_have_attribute("data-view", view)
    # The sets follow while the point is dragged.
    known = answers(page)
    page.mouse.move(*corner)
    page.mouse.down()
    for share in (0.1, 0.2, 0.3):
        page.mouse.move(*spot(page, 0.05 + share, 0.05), steps=3)
        expect_answer(page, known)
        known = answers(page)
    page.mouse.up()
    settled(page)
    page.get_by_role("button", name="Delete", exact=True).click()
    page.mouse.click(*spot(page, 0.35, 0.05))
    expect(page.get_by_text("60 points of “Banana”")).to_be_visible()
    settled(page)
    undo.click()
    expect(page.get_by_text("61 points of “Banana”")).to_be_visible()
    settled(page)
    player.focus()
    page.keyboard.press("y")
    expect(page.get_by_text("60 points of “Banana”")).to_be_visible()
    settled(page)
    page.keyboard.press("z")
    expect(page.get_by_text("61 points of “Banana”")).to_be_visible()
    settled(page)
    page.keyboard.press("e")
    expect(player).to_have_attribute("data-mode", "look")
    expect(player).not_to_have_attribute("data-view", view)
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Outliers").click()
    expect(page.get_by_role("heading", level=1, name="Outliers")).to_be_visible()
    expect(page.get_by_text("61 points of “Banana”")).to_be_visible()
    expect(page.get_by_test_id("stSidebar").get_by_text("edited in the picture")).to_be_visible()


def test_what_is_asked_is_in_the_link(app_url, open_page):
    page = settled(open_page(f"{app_url}/one-class?data=ring&ring.n=60"))
    player = player_of(page)
    page.mouse.click(*spot(page, 0.03, 0.04))
    expect(player).to_have_attribute("data-probe", re.compile(r"\d"))
    expect(page).to_have_url(re.compile("probe="))
    settled(page)
    truth = page.get_by_role("button", name="True set")
    truth.click()
    expect(page).to_have_url(re.compile(r"view=[a-z.]*truth"))
    settled(page)
    corners = [(0.02, 0.08), (0.98, 0.08), (0.98, 0.5), (0.02, 0.5)]
    page.get_by_role("button", name="Select with a lasso").click()
    expect(player).to_have_attribute("data-mode", "lasso")
    page.mouse.move(*spot(page, *corners[0]))
    page.mouse.down()
    for corner in corners[1:]:
        page.mouse.move(*spot(page, *corner), steps=5)
    page.mouse.up()
    expect(player).to_have_attribute("data-marked", re.compile(r"^\d+( \d+)+$"))
    count = len((player.get_attribute("data-marked") or "").split())
    expect(page.get_by_text(f"the first of {count} selected points")).to_be_visible()
    settled(page)
    probe = player.get_attribute("data-probe")
    page.reload()
    settled(page)
    # The address has four digits or so of the location.
    expect(player).to_have_attribute("data-probe", re.compile(r"\d"))
    for a, b in zip((player.get_attribute("data-probe") or "").split(), probe.split(), strict=True):
        assert float(a) == pytest.approx(float(b), rel=1e-2)
    expect(page.locator(".pinned .words").first).to_contain_text("One-class SVM: ")
    expect(truth).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Remove the pin").click()
    expect(page).not_to_have_url(re.compile("probe="))
    truth.click()
    expect(page).not_to_have_url(re.compile("view="))


def boxes(page: Page, *names: str) -> list[dict[str, float]]:
    return [player_of(page).locator(name).first.bounding_box() for name in names]


def test_picture_and_controls_are_above_the_fold(app_url, open_page):
    page = settled(open_page(f"{app_url}/one-class", viewport={"width": 1280, "height": 720}))
    for box in boxes(page, "canvas.picture", ".controls", ".knobs"):
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 720


@pytest.mark.parametrize("size", [(400, 800), (640, 360)])
def test_picture_and_slider_are_seen_together_on_small_screens(app_url, open_page, size):
    """The second is 1280 × 720 at 200 %."""
    width, height = size
    page = settled(
        open_page(f"{app_url}/one-class?{SMALL}", viewport={"width": width, "height": height})
    )
    canvas = player_of(page).locator("canvas.picture")
    canvas.evaluate("canvas => canvas.scrollIntoView({ block: 'start' })")
    picture, scrubber, deck = boxes(page, "canvas.picture", ".scrubber", ".deck")
    assert scrubber["y"] >= 0
    assert scrubber["y"] + scrubber["height"] <= height
    seen = min(deck["y"], picture["y"] + picture["height"]) - max(picture["y"], 0)
    assert seen >= 0.4 * height
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
