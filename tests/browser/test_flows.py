"""Whole visits: what a person does from the first look to the shared link."""

import re

import pytest
from playwright.sync_api import Page, expect
from visits import click_a_point, expect_width_in_address, settled, stepped, width_knob

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_from_the_first_look_to_the_shared_link(app_url, open_page, theme):
    page = settled(
        open_page(f"{app_url}/?step=play", color_scheme=theme, reduced_motion="no-preference")
    )
    player = page.locator(".player").first
    expect(player).to_have_attribute("data-playing", "true")
    expect(player).to_have_attribute("data-theme", theme)
    page.get_by_role("button", name="Show me the violation", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="One class")).to_be_visible()
    settled(page)
    expect(player).to_have_attribute("data-level", re.compile(r"\d"))
    before = player.get_attribute("data-level")
    width_knob(page).press("ArrowRight")
    expect(player).not_to_have_attribute("data-level", before or "")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(player).to_have_attribute("data-playing", "true")
    page.get_by_role("button", name="Pause", exact=True).click()
    row = click_a_point(page)
    expect(page.get_by_text(f"Point {row}: ")).to_be_visible()
    expect(page).to_have_url(re.compile(f"point={row}"))
    settled(page)
    frame, level = player.get_attribute("data-frame"), player.get_attribute("data-level")
    other = settled(open_page(page.url, color_scheme=theme)).locator(".player").first
    expect(other).to_have_attribute("data-frame", frame or "")
    expect(other).to_have_attribute("data-level", level or "")
    expect(other).to_have_attribute("data-marked", row)


def labelled_csv(shift: float) -> bytes:
    rows = [
        f"{(i * 0.37) % 3 + shift * (i % 2):.3f},{(i * 0.61) % 2:.3f},{'yes' if i % 2 else 'no'}"
        for i in range(60)
    ]
    return ("width,height,ill\n" + "\n".join(rows) + "\n").encode()


def upload(page: Page, name: str, content: bytes) -> None:
    file = {"name": name, "mimeType": "text/csv", "buffer": content}
    page.locator("input[type=file]").set_input_files(file)
    title = name.removesuffix(".csv")
    expect(page.get_by_role("heading", name=f"In use: {title}")).to_be_visible()
    settled(page)


@pytest.mark.slow
def test_an_upload_with_labels_goes_to_the_two_class_page(app_url, open_page):
    page = settled(open_page(f"{app_url}/data?from=File"))
    upload(page, "clinic.csv", labelled_csv(2.0))
    label = page.get_by_role("combobox", name=re.compile("Label"))
    expect(label.or_(page.get_by_label(re.compile("Label"))).first).to_be_visible()
    page.get_by_role("link", name="Two classes").click()
    expect(page.get_by_text(re.compile("60 points of “clinic”"))).to_be_visible()
    expect(page.locator(".player").first).to_have_attribute("data-frames", "60")
    expect(page.get_by_text("ROC on these points")).to_be_visible()


@pytest.mark.slow
def test_two_browsers_with_different_uploads_see_their_own(app_url, open_page):
    pages = {}
    for name, shift in (("north", 2.0), ("south", 0.5)):
        pages[name] = settled(open_page(f"{app_url}/data?from=File", alone=True))
        upload(pages[name], f"{name}.csv", labelled_csv(shift))
    levels = {}
    for name, page in pages.items():
        page.get_by_role("link", name="One class").click()
        told = page.get_by_text(re.compile(f"60 points of “{name}”"))
        expect(told).to_be_visible()
        player = page.locator(".player").first
        expect(player).to_have_attribute("data-level", re.compile(r"\d"))
        settled(page)
        levels[name] = player.get_attribute("data-level")
        other = "south" if name == "north" else "north"
        expect(page.get_by_text(other)).to_have_count(0)
    assert levels["north"] != levels["south"]


def tab_to(page: Page, is_there: str, most: int = 60) -> None:
    """Press Tab until the focused element, inside components too, fits a condition."""
    for _ in range(most):
        page.keyboard.press("Tab")
        found = page.evaluate(
            f"""() => {{
              let focus = document.activeElement;
              while (focus?.shadowRoot?.activeElement) focus = focus.shadowRoot.activeElement;
              return Boolean(focus && ({is_there})(focus));
            }}"""
        )
        if found:
            return
    raise AssertionError(f"Tab never led to what fits {is_there}.")


def test_everything_by_keyboard(app_url, open_page):
    page = settled(open_page(f"{app_url}/?step=free", reduced_motion="reduce"))
    player = page.locator(".player").first
    expect(player).to_have_attribute("data-level", re.compile(r"\d"))
    tab_to(page, "(e) => e.classList.contains('player')")
    start = float(player.get_attribute("data-frame") or -1)
    page.keyboard.press("ArrowRight")
    expect(player).to_have_attribute("data-frame", f"{start + 1:g}")
    page.keyboard.press("Space")
    expect(player).to_have_attribute("data-playing", "true")
    page.keyboard.press("Space")
    expect(player).to_have_attribute("data-playing", "false")
    settled(page)
    tab_to(page, "(e) => e.classList.contains('knob-slider')")
    before = player.get_attribute("data-level")
    page.keyboard.press("ArrowRight")
    expect(player).not_to_have_attribute("data-level", before or "")
    expect_width_in_address(page, stepped(0.4, 1))
    settled(page)
    tab_to(page, "(e) => e.tagName === 'BUTTON' && e.innerText.includes('Find the outliers')")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Outliers")).to_be_visible()
