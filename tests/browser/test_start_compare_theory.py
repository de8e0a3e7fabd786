"""From the start page to an example, methods side by side, and a chapter by its link."""

import json
import re

import pytest
from playwright.sync_api import Page, expect
from visits import expect_width_in_address, settled, stepped, width_knob

pytestmark = pytest.mark.browser

PLAYER = "[data-frame]"


def opened(page: Page, title: str) -> Page:
    heading = page.get_by_role("heading", name=title, level=1, exact=True)
    expect(heading).to_be_visible()
    return settled(page)


def plots(page: Page) -> list[list[float]]:
    """Where the player has put its panels: x, y, width and height of each."""
    player = page.locator(PLAYER).first
    expect(player).to_have_attribute("data-plots", re.compile(r"\d"))
    return json.loads(player.get_attribute("data-plots") or "[]")


def test_a_card_leads_to_its_example_whatever_was_touched_before(app_url, open_page):
    page = opened(open_page(app_url, reduced_motion="reduce"), "Sets that nest")
    width_knob(page).press("ArrowRight")
    expect_width_in_address(page, stepped(0.4, 1))
    settled(page)
    page.get_by_role("button", name="Show me the violation", exact=True).click()
    opened(page, "One class")
    expect(page.get_by_text("200 points of “Ring”")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/one-class\?.*data=ring"))
    expect(page).to_have_url(re.compile(r"width=0\.4(&|$)"))
    expect(page.get_by_text("of the picture violated").first).to_be_visible()


@pytest.mark.slow
def test_the_link_after_a_card_opens_the_same_example_elsewhere(app_url, open_page):
    page = opened(open_page(app_url, reduced_motion="reduce"), "Sets that nest")
    page.get_by_role("button", name="Control the errors", exact=True).click()
    opened(page, "Error control")
    expect(page).to_have_url(re.compile(r"data=imbalanced"))
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    page.get_by_role("slider", name="False alarms allowed").press("ArrowRight")
    expect(page).to_have_url(re.compile(r"alpha=0\.1[1-9]"))
    alpha = re.search(r"alpha=(0\.\d+)", page.url).group(1)
    other = opened(open_page(page.url, reduced_motion="reduce"), "Error control")
    chosen = other.get_by_role("slider", name="False alarms allowed")
    expect(chosen.or_(other.get_by_text(alpha, exact=True)).first).to_be_visible()
    expect(other.get_by_text(f"false alarms, dashed: {alpha}")).to_be_visible()


def test_the_table_of_held_out_points_is_not_cut(app_url, open_page):
    link = f"{app_url}/compare?data=ring&ring.n=60&heldout=true"
    page = opened(open_page(link, viewport={"width": 1280, "height": 720}), "Compare")
    tables = page.locator(".dvn-scroller")
    expect(tables).to_have_count(2)
    for table in tables.all():
        assert table.evaluate("part => part.scrollWidth <= part.clientWidth")


@pytest.mark.slow
def test_small_multiples_stand_in_rows(app_url, open_page):
    link = f"{app_url}/compare?data=ring&ring.n=60"
    page = opened(open_page(link), "Compare")
    four = plots(page)
    assert len(four) == 4
    assert len({round(x) for x, _, _, _ in four}) == 2
    assert len({round(y) for _, y, _, _ in four}) == 2
    three = "&methods=union&methods=Parzen&methods=one-class+SVM"
    page = opened(open_page(link + three), "Compare")
    boxes = plots(page)
    assert len(boxes) == 3
    assert len({round(y) for _, y, _, _ in boxes}) == 1
    narrow = opened(open_page(link, viewport={"width": 400, "height": 900}), "Compare")
    assert len({round(x) for x, _, _, _ in plots(narrow)}) == 1
    overflow = narrow.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert overflow <= 0


def test_a_chapter_is_opened_by_its_link_and_played_without_the_server(app_url, open_page):
    page = opened(open_page(f"{app_url}/theory?chapter=Interpolation"), "Theory")
    expect(page.get_by_role("heading", name="10 · Between the levels")).to_be_visible()
    page.get_by_test_id("stButtonGroup").get_by_text("Between two levels").click()
    player = page.locator(PLAYER).first
    expect(player).to_have_attribute("data-frame", "20")
    settled(page)
    # The player of the view before may still be there: only this one speaks of ε.
    expect(page.get_by_text("ε = ")).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).focus()
    page.keyboard.press("End")
    expect(page.get_by_text("ε = 0.00")).to_be_visible()
    page.get_by_text("Formulas", exact=True).click()
    expect(page.locator(".katex").first).to_be_visible()
    assert page.locator(".katex-error").count() == 0
    page.get_by_role("button", name="9 · The kernel").click()
    expect(page.get_by_role("heading", name="9 · The kernel")).to_be_visible()
    expect(page).to_have_url(re.compile("chapter=Kernel"))


def test_the_profile_is_played_and_its_locations_are_clicked(app_url, open_page):
    page = opened(open_page(f"{app_url}/theory?chapter=Crossing"), "Theory")
    chart = page.locator(".js-plotly-plot").first
    expect(chart.get_by_text("level λ = 0.249")).to_be_visible()
    chart.get_by_text("▶ Play").click()
    expect(chart.get_by_text("level λ = 0.020")).to_be_visible()
    circles = chart.locator(".scatterlayer .trace .points path.point")
    expect(circles.first).to_be_attached()
    box = circles.nth(5).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_text("x = -1.40 is inside")).to_be_visible()


WIDE_FORMULAS = [
    "Constraints",
    *(
        pytest.param(name, marks=pytest.mark.slow)
        for name in ("SVM", "ν", "Crossing", "Rankings", "Quantiles", "Errors", "Certificates")
    ),
]


@pytest.mark.parametrize("chapter", WIDE_FORMULAS)
def test_formulas_fit_a_narrow_screen(app_url, open_page, chapter):
    link = f"{app_url}/theory?chapter={chapter}"
    page = opened(open_page(link, viewport={"width": 400, "height": 900}), "Theory")
    page.get_by_text("Formulas", exact=True).click()
    expect(page.locator(".katex-display").first).to_be_visible()
    wide = page.evaluate(
        "[...document.querySelectorAll('.katex-display')]"
        ".filter((formula) => formula.scrollWidth > formula.clientWidth + 1).length"
    )
    assert wide == 0


def test_charts_follow_a_theme_that_changes_while_they_are_shown(app_url, open_page):
    """Streamlit draws the axes anew by itself, and neither lines nor marks."""
    page = opened(open_page(f"{app_url}/theory?chapter=Hill"), "Theory")
    first = "document.querySelector('.js-plotly-plot')?.data?.[0]?.line?.color"
    page.wait_for_function(f"{first} === '#B4528A'")
    for theme, colour in (("dark", "#CC79A7"), ("light", "#B4528A")):
        page.emulate_media(color_scheme=theme)
        page.wait_for_function(f"{first} === '{colour}'")
    settled(page)
