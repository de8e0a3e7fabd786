"""What a person does with the app, in a real browser."""

import re

import pytest
from playwright.sync_api import Page, expect
from visits import (
    expect_width_in_address,
    is_cut,
    is_fault,
    settled,
    shows_width,
    stepped,
    width_knob,
)

pytestmark = pytest.mark.browser

PLAYER = "[data-frame]"
PAGES = {
    "": "Sets that nest",
    "data": "Data",
    "one-class": "One class",
    "two-classes": "Two classes",
    "solution-path": "Solution path",
    "compare": "Compare",
    "variants": "Variants",
    "bandwidth": "Bandwidth",
    "cluster-tree": "Cluster tree",
    "outliers": "Outliers",
    "quantiles": "Quantiles",
    "error-control": "Error control",
    "theory": "Theory",
    "results": "Results",
}


def frame_of(page: Page) -> float:
    return float(page.locator(PLAYER).first.get_attribute("data-frame") or -1)


def pause(page: Page) -> None:
    """The home page plays by itself; stand still."""
    page.get_by_role("button", name="Pause", exact=True).click()
    expect(page.locator(PLAYER).first).to_have_attribute("data-playing", "false")


def choose_data(page: Page, name: str) -> None:
    page.get_by_test_id("stSidebar").get_by_role("combobox", name=re.compile("Data set")).fill(name)
    page.get_by_role("option", name=name, exact=True).click()


def test_a_deep_link_is_the_first_visit(unvisited_app_url, open_page):
    page = open_page(f"{unvisited_app_url}/data")
    expect(page.get_by_role("heading", name="Data", level=1)).to_be_visible()
    settled(page)
    expect(page.get_by_text("Page not found")).to_have_count(0)
    expect(page.get_by_role("link", name="See nesting")).to_be_visible()


def test_the_app_starts_with_a_picture_that_is_still_for_readers_who_want_less_motion(
    app_url, open_page
):
    page = settled(open_page(f"{app_url}/?step=play", reduced_motion="reduce"))
    expect(page.get_by_role("heading", name="Sets that nest")).to_be_visible()
    expect(page.locator(PLAYER).first).to_have_attribute("data-frames", "60")
    expect(page.locator(PLAYER).first).to_have_attribute("data-playing", "false")


def test_the_picture_moves_at_once_and_can_be_paused(app_url, open_page):
    page = settled(open_page(f"{app_url}/?step=play", reduced_motion="no-preference"))
    player = page.locator(PLAYER).first
    expect(player).to_have_attribute("data-playing", "true")
    start = frame_of(page)
    expect(player).not_to_have_attribute("data-frame", f"{start:g}")
    pause(page)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(player).to_have_attribute("data-playing", "true")


def test_playing_makes_no_trip_to_the_server(app_url, open_page):
    page = settled(open_page(f"{app_url}/?step=free", reduced_motion="no-preference"))
    sent = []
    page.on("websocket", lambda ws: ws.on("framesent", lambda _: sent.append(1)))
    # With a frame in its address the picture holds still after the reload.
    expect(page).to_have_url(re.compile("frame="))
    page.reload()
    settled(page)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(PLAYER).first).to_have_attribute("data-playing", "true")
    before = len(sent)
    for _ in range(20):
        shown = f"{frame_of(page):g}"
        expect(page.locator(PLAYER).first).not_to_have_attribute("data-frame", shown)
    assert len(sent) == before


def test_keys_step_through_the_levels(app_url, open_page):
    page = settled(open_page(f"{app_url}/one-class"))
    start = frame_of(page)
    page.get_by_role("button", name="Play", exact=True).focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(PLAYER).first).to_have_attribute("data-frame", f"{start + 1:g}")
    page.keyboard.press("Home")
    expect(page.locator(PLAYER).first).to_have_attribute("data-frame", "0")


def test_another_sample_changes_the_picture_and_the_address(app_url, open_page):
    page = settled(open_page(app_url))
    choose_data(page, "Moons")
    expect(page.get_by_text("200 points of “Moons”")).to_be_visible()
    expect(page).to_have_url(re.compile("data=moons"))


def test_the_link_restores_the_view(app_url, open_page):
    first = settled(open_page(f"{app_url}/?step=free", reduced_motion="no-preference"))
    choose_data(first, "Moons")
    expect(first.get_by_text("points of “Moons”")).to_be_visible()
    width_knob(first).press("ArrowRight")
    expect_width_in_address(first, stepped(0.2, 1))
    settled(first)
    pause(first)
    first.get_by_role("button", name="Play", exact=True).focus()
    first.keyboard.press("Home")
    for _ in range(3):
        first.keyboard.press("ArrowRight")
    expect(first).to_have_url(re.compile("frame=3(&|$)"))
    second = settled(open_page(first.url))
    expect(second.get_by_text("points of “Moons”")).to_be_visible()
    shows_width(second, stepped(0.2, 1))
    expect(second.locator(PLAYER).first).to_have_attribute("data-frame", "3")
    expect(second.locator(PLAYER).first).to_have_attribute("data-playing", "false")


def upload(page: Page, name: str, content: bytes) -> None:
    file = {"name": name, "mimeType": "text/csv", "buffer": content}
    page.locator("input[type=file]").set_input_files(file)


def test_a_csv_is_uploaded_and_follows_to_the_picture(app_url, open_page):
    page = settled(open_page(f"{app_url}/data?from=File"))
    rows = "\n".join(f"{i * 0.37 % 5:.3f},{i * 0.91 % 3:.3f}" for i in range(50))
    upload(page, "mine.csv", f"u,v\n{rows}\n".encode())
    expect(page.get_by_role("heading", name="In use: mine")).to_be_visible()
    settled(page)
    page.get_by_role("link", name="See nesting").click()
    expect(page.get_by_text("50 points of “mine”")).to_be_visible()
    page.get_by_role("link", name="Data", exact=True).click()
    page.get_by_text("File", exact=True).click()
    expect(page.get_by_text("Using mine.csv, uploaded before")).to_be_visible()


def test_a_broken_csv_gets_its_sentence(app_url, open_page):
    page = settled(open_page(f"{app_url}/data?from=File"))
    upload(page, "broken.csv", b"a,b\n1,2\n3,4,5\n6,7\n")
    message = page.get_by_test_id("stAlert")
    expect(message).to_contain_text("row 3")
    expect(message).to_contain_text("3 cells")


def test_points_are_drawn_with_the_mouse(app_url, open_page):
    page = settled(open_page(f"{app_url}/data?from=Draw"))
    canvas = page.get_by_role("application").or_(page.locator("canvas[role=img]")).first
    box = canvas.bounding_box()
    assert box
    for across, down in ((0.3, 0.3), (0.5, 0.6), (0.7, 0.4), (0.6, 0.3)):
        page.mouse.click(box["x"] + across * box["width"], box["y"] + down * box["height"])
    expect(page.get_by_text("4 points: 4 of class +1")).to_be_visible()
    expect(page.get_by_role("heading", name=re.compile("In use: ", re.I))).to_be_visible()
    expect(page.get_by_test_id("stSidebar").get_by_text("drawn points")).to_be_visible()
    page.get_by_role("button", name="See the sets").click()
    expect(page.get_by_role("heading", name="One class", exact=True)).to_be_visible()
    expect(page.get_by_text(re.compile("4 points of"))).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 400)])
def test_pages_fit_both_themes_and_widths_and_the_console_has_no_errors(
    app_url, open_page, theme, width
):
    page = open_page(app_url, color_scheme=theme, viewport={"width": width, "height": 900})
    faults: list[str] = []
    page.on("console", lambda seen: faults.append(seen.text) if is_fault(seen) else None)
    for path, title in PAGES.items():
        page.goto(f"{app_url}/{path}?banana.n=60&folds=2")
        expect(page.get_by_role("heading", level=1, name=title)).to_be_visible()
        settled(page)
        assert not is_cut(page), path
    assert not faults, "\n".join(faults)


@pytest.mark.slow
def test_two_visitors_do_not_see_each_others_data(app_url, open_page):
    one = settled(open_page(f"{app_url}/data?from=File"))
    upload(one, "private.csv", b"a,b\n1,2\n3,4\n5,7\n")
    expect(one.get_by_role("heading", name="In use: private")).to_be_visible()
    two = settled(open_page(f"{app_url}/data?from=File&data=mine", alone=True))
    expect(two.get_by_text("Nothing uploaded yet.")).to_be_visible()
    expect(two.get_by_text("private")).to_have_count(0)
