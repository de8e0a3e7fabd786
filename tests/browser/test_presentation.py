"""Presenting a page: by F anywhere or by the button in its heading."""

import re

import pytest
from playwright.sync_api import Page, expect
from visits import settled

from nestviz.ui.widgets.charts import LARGE

pytestmark = pytest.mark.browser


def presented(page: Page):
    return page.locator("html[data-presented]")


def press_f(page: Page) -> None:
    """Press F as soon as the page listens for it."""
    expect(page.get_by_role("button", name="Present", exact=True)).to_be_visible()
    page.keyboard.press("f")


def test_a_chapter_is_presented_and_so_is_the_next_one(app_url, open_page):
    page = settled(open_page(f"{app_url}/theory?chapter=Path"))
    ticks = page.locator(".js-plotly-plot .xtick text").first
    expect(ticks).not_to_have_css("font-size", f"{LARGE}px")
    press_f(page)
    expect(presented(page)).to_have_count(1)
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(ticks).to_have_css("font-size", f"{LARGE}px")
    page.keyboard.press("PageDown")
    expect(page).to_have_url(re.compile("chapter=Crossing"))
    expect(page.get_by_role("heading", level=2, name=re.compile("^5"))).to_be_visible()
    settled(page)
    expect(presented(page)).to_have_count(1)
    page.keyboard.press("Escape")
    expect(presented(page)).to_have_count(0)
    expect(page.get_by_test_id("stSidebar")).to_be_visible()


def test_a_page_with_a_player_presents_the_player(app_url, open_page):
    page = settled(open_page(f"{app_url}/one-class?banana.n=60"))
    expect(page.locator(".player[data-drawn]")).to_be_visible()
    page.get_by_role("button", name="Present", exact=True).click()
    expect(page.locator(".player.presenting")).to_be_visible()
    expect(presented(page)).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".player.presenting")).to_have_count(0)


def test_a_point_is_clicked_where_it_is_drawn_on_a_presented_page(app_url, open_page):
    page = settled(open_page(f"{app_url}/outliers?banana.n=60"))
    press_f(page)
    expect(presented(page)).to_have_count(1)
    plane = page.locator(".plane")
    expect(plane).to_have_attribute("data-chosen", "0")
    across, down = plane.evaluate(
        """plane => {
            const [x, y, w, h] = JSON.parse(plane.dataset.plot);
            const [across, down] = JSON.parse(plane.dataset.first);
            const box = plane.querySelector("canvas").getBoundingClientRect();
            const zoom = box.width / parseFloat(plane.querySelector("canvas").style.width);
            return [box.left + zoom * (x + across * w), box.top + zoom * (y + down * h)];
        }"""
    )
    page.mouse.click(across, down)
    expect(plane).to_have_attribute("data-chosen", "1")
    expect(page).to_have_url(re.compile("point=0(&|$)"))


def test_f_is_a_letter_where_text_is_typed(app_url, open_page):
    page = settled(open_page(f"{app_url}/data?from=Paste"))
    field = page.get_by_role("textbox").first
    field.press("f")
    expect(field).to_have_value("f")
    expect(presented(page)).to_have_count(0)
