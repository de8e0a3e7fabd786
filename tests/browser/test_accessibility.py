"""Every page, in both themes: axe-core finds nothing, all text fits a narrow window."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect
from visits import is_cut, is_fault, settled

from nestviz.ui.menu import PAGES

pytestmark = pytest.mark.browser

AXE = Path(__file__).resolve().parents[2] / "node_modules/axe-core/axe.min.js"
ADDRESSES = [address for rows in PAGES.values() for _, _, address, _ in rows]
SMALL = "data=banana&banana.n=60&folds=2&widths=8"
OTHERS = {
    "list": "stSidebarNav",  # Streamlit puts sections, not items, into the list of the menu.
    "listitem": "stSidebarNav",  # The same list: its items are children of the sections.
}
"""Rule of axe to the test id of the part of Streamlit that does not follow it; nothing is ours."""
CHECK = """async (others) => {
    const rules = { "target-size": { enabled: true } };
    const { violations } = await axe.run(document, { rules, resultTypes: ["violations"] });
    const theirs = (id, { target: [first] }) => (
        others[id] && typeof first === "string"
        && document.querySelector(first)?.closest(`[data-testid=${others[id]}]`)
    );
    return violations.flatMap(({ id, nodes }) => nodes
        .filter((node) => !theirs(id, node))
        .map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary}`));
}"""


def open_folds(page: Page) -> None:
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")


def in_theme(page: Page, theme: str) -> None:
    """Switch the reader's system to a theme, and wait until the page has followed."""
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    dark = "rgb(17, 22, 28)" if theme == "dark" else "rgb(255, 255, 255)"
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", dark)
    settled(page)


HALVES = [ADDRESSES[::2], ADDRESSES[1::2]]
THEMES = ("light", "dark")
WIDE, NARROW = ViewportSize(width=1280, height=900), ViewportSize(width=400, height=900)


@pytest.mark.skipif(
    not AXE.exists() and os.environ.get("CI") != "true", reason="`npm ci` brings axe-core."
)
@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize("both", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_axe_finds_nothing_on_any_page(half, both, app_url, open_page):
    """Each page in one theme, in turn, or in both; it fits a narrow window, too."""
    page = open_page(app_url)
    faults: list[str] = []
    page.on("console", lambda seen: faults.append(seen.text) if is_fault(seen) else None)
    # The policy of the app's own server allows no other scripts; this is run by the browser itself.
    axe = AXE.read_text(encoding="utf-8")
    found = []
    for number, address in enumerate(HALVES[half]):
        themes = THEMES if both else (THEMES[(number + half) % 2],)
        # Not on the page before: it would still follow the theme while it is left.
        page.goto("about:blank")
        page.emulate_media(color_scheme=themes[0], reduced_motion="reduce")
        page.set_viewport_size(WIDE)
        page.goto(f"{app_url}/{address.removeprefix('home')}?{SMALL}")
        settled(page)
        page.evaluate(axe)
        open_folds(page)
        for theme in themes:
            in_theme(page, theme)
            found += [f"{address}, {theme}: {words}" for words in page.evaluate(CHECK, OTHERS)]
        page.set_viewport_size(NARROW)
        settled(page)
        assert not is_cut(page), address
    assert not found, "\n".join(found)
    assert not faults, "\n".join(faults)
