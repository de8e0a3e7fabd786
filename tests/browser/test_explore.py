"""What a person does on the Explore pages: clicks points and lines, and finds them again."""

import re

import pytest
from playwright.sync_api import expect
from visits import find_a_point, settled

pytestmark = pytest.mark.browser

SMALL = "data=ring&ring.n=60"


def test_a_clicked_point_has_a_card_and_is_found_on_other_pages(app_url, open_page):
    page = settled(open_page(f"{app_url}/one-class?{SMALL}"))
    player = page.locator(".player")
    expect(player).to_have_attribute("data-frames", "60")
    place, row = find_a_point(page)
    page.get_by_role("button", name="Play", exact=True).click()
    player.locator("canvas.picture").click(position=place)
    expect(player).to_have_attribute("data-marked", row)
    expect(player).to_have_attribute("data-playing", "true")
    expect(page.get_by_text(f"Point {row}: ")).to_be_visible()
    expect(page.get_by_text("Enters at").first).to_be_visible()
    expect(page).to_have_url(re.compile(f"point={row}"))
    # Elsewhere by its address, and by the menu.
    other = settled(open_page(page.url))
    expect(other.locator(".player")).to_have_attribute("data-marked", row)
    page.get_by_role("link", name="See nesting").click()
    expect(page.get_by_role("heading", name="Sets that nest")).to_be_visible()
    expect(page.locator(".player").first).to_have_attribute("data-marked", row)


@pytest.mark.slow
def test_a_line_of_the_solution_path_is_clicked(app_url, open_page):
    page = settled(open_page(f"{app_url}/solution-path?{SMALL}"))
    player, chart = page.locator(".player"), page.locator(".paths canvas")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    for step in range(1, 40):
        if player.get_attribute("data-marked"):
            break
        chart.click(position={"x": box["width"] / 4, "y": box["height"] * step / 40})
    expect(player).to_have_attribute("data-marked", re.compile(r"^\d+$"))
    expect(page.get_by_text(re.compile(r"Point \d+: "))).to_be_visible()
    expect(page).to_have_url(re.compile(r"point=\d+"))
    page.get_by_role("button", name="Clear", exact=True).click()
    expect(page.get_by_text(re.compile(r"Point \d+: "))).to_have_count(0)


def test_what_is_drawn_is_in_the_link(app_url, open_page):
    page = settled(open_page(f"{app_url}/one-class?{SMALL}"))
    page.get_by_role("button", name="Coefficients as size").click()
    expect(page).to_have_url(re.compile(r"view=outline\.fill\.overlay\.sizes"))
    other = settled(open_page(page.url))
    pressed = other.get_by_role("button", name="Coefficients as size")
    expect(pressed).to_have_attribute("aria-pressed", "true")
    pressed.click()
    expect(other).not_to_have_url(re.compile("view="))
