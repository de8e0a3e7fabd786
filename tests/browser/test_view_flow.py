"""What a page shows outlives links, pages, Back and Forward, and a reload."""

import re

import pytest
from playwright.sync_api import Page, expect
from visits import expect_width_in_address, settled, shows_width, stepped, width_knob

pytestmark = pytest.mark.browser
SMALL = "banana.n=100"


def go_to(page: Page, name: str, heading: str | None = None) -> None:
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=name, exact=True).click()
    arrived(page, heading or name)


def arrived(page: Page, heading: str) -> None:
    expect(page.get_by_role("heading", level=1, name=heading)).to_be_visible()
    settled(page)


def with_own_points(page: Page) -> None:
    """Upload fifty points on the Data page."""
    rows = "\n".join(f"{i * 0.37 % 5:.3f},{i * 0.91 % 3:.3f}" for i in range(50))
    file = {"name": "mine.csv", "mimeType": "text/csv", "buffer": f"u,v\n{rows}\n".encode()}
    page.locator("input[type=file]").first.set_input_files(file)


def test_the_width_of_a_link_goes_along_to_other_pages(app_url, open_page):
    page = settled(open_page(f"{app_url}/one-class?{SMALL}&width=0.6"))
    shows_width(page, 0.6)
    for name in ("Outliers", "Theory", "Cluster tree", "One class"):
        go_to(page, name)
        if name != "Theory":
            shows_width(page, 0.6)
            expect_width_in_address(page, 0.6)
            expect(page).to_have_url(re.compile(r"banana\.n=100(&|$)"))


def test_a_page_is_one_entry_of_the_history(app_url, open_page):
    # A tab that has been used for long has a full history, which no longer grows.
    page = settled(open_page(f"{app_url}/one-class?{SMALL}&width=0.6", alone=True))
    before = page.evaluate("history.length")
    width_knob(page).focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect_width_in_address(page, stepped(0.6, 3))
    page.locator(".player").first.focus()
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile(r"frame=0(&|$)"))
    assert page.evaluate("history.length") == before
    go_to(page, "Outliers")
    shows_width(page, stepped(0.6, 3))
    width_knob(page).focus()
    page.keyboard.press("ArrowRight")
    expect_width_in_address(page, stepped(0.6, 4))
    go_to(page, "Theory")
    assert page.evaluate("history.length") == before + 2


def test_back_and_forward_visit_pages_as_they_were_left(app_url, open_page):
    page = settled(open_page(f"{app_url}/one-class?{SMALL}&width=0.6&left=Parzen"))
    go_to(page, "Outliers")
    expect(page).to_have_url(re.compile(r"/outliers\?.*width=0\.6(&|$)"))
    width_knob(page).focus()
    page.keyboard.press("ArrowRight")
    expect_width_in_address(page, stepped(0.6, 1))
    go_to(page, "Theory")
    page.go_back()
    arrived(page, "Outliers")
    shows_width(page, stepped(0.6, 1))
    page.go_back()
    arrived(page, "One class")
    shows_width(page, 0.6)
    expect(page).to_have_url(re.compile(r"/one-class\?.*left=Parzen"))
    expect(page.get_by_text("100 points of “Banana”")).to_be_visible()
    page.go_forward()
    arrived(page, "Outliers")
    shows_width(page, stepped(0.6, 1))
    expect(page.get_by_text("100 points of “Banana”")).to_be_visible()


def test_what_an_entry_does_not_name_keeps_its_value(app_url, open_page):
    page = settled(open_page(f"{app_url}/theory"))
    go_to(page, "One class")
    expect(page).to_have_url(re.compile("frame="))
    width_knob(page).focus()
    page.keyboard.press("ArrowRight")
    expect_width_in_address(page, stepped(0.2, 1))
    page.go_back()
    arrived(page, "Theory")
    go_to(page, "Outliers")
    shows_width(page, stepped(0.2, 1))


def missing(page: Page):
    return page.get_by_text("Your own points are not in this tab.").last


def test_a_reload_asks_for_own_points_and_the_tab_still_has_them(app_url, open_page):
    page = settled(open_page(f"{app_url}/data?from=File"))
    with_own_points(page)
    expect(page.get_by_role("heading", name="In use: mine")).to_be_visible()
    go_to(page, "One class")
    expect(page.get_by_text("50 points of “mine”")).to_be_visible()
    page.get_by_role("spinbutton", name="Point").fill("7")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"data=mine.*point=\d+|point=\d+.*data=mine"))
    page.reload()
    arrived(page, "One class")
    expect(missing(page)).to_be_visible()
    expect(page.get_by_text("points of “Banana”")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("point="))
    expect(page).to_have_url(re.compile("data=mine"))
    expect(page.locator("input[type=file]")).to_have_count(2)
    page.get_by_role("button", name="Bring back “mine”").click()
    expect(page.get_by_text("50 points of “mine”")).to_be_visible()
    expect(page).not_to_have_url(re.compile("point="))


def test_a_link_to_own_points_asks_for_them(app_url, open_page):
    page = settled(open_page(f"{app_url}/one-class?data=mine&width=0.6&point=7"))
    expect(missing(page)).to_be_visible()
    expect(page.get_by_text("This tab of your browser has none either.")).to_be_visible()
    with_own_points(page)
    expect(page.get_by_text("50 points of “mine”")).to_be_visible()
    shows_width(page, 0.6)
    expect(page).not_to_have_url(re.compile("point="))


def test_a_stale_entry_of_the_list_of_points_does_no_harm(app_url, open_page):
    """The ranks in the list change with the width while the browser still shows the old ones."""
    page = settled(open_page(f"{app_url}/outliers?{SMALL}&point=7"))
    expect(page.get_by_role("combobox", name="Point")).to_have_value("point 7")
    for key in ("ArrowRight", "ArrowLeft") * 2:
        width_knob(page).focus()
        for _ in range(8):
            page.keyboard.press(key)
            page.wait_for_timeout(90)
    settled(page)
    expect(page.get_by_text("unexpected error")).to_have_count(0)
    shows_width(page, 0.2)
    expect(page).to_have_url(re.compile(r"point=7(&|$)"))
    expect(page).not_to_have_url(re.compile("width="))
