"""Hostile names on the pages and in the files of the app, in a real browser."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import plotly.graph_objects as go
import pytest
from hostile_names import MARKED, NAMES, hostile_data, hostile_scenes
from playwright.sync_api import Page, expect
from visits import settled

from nestviz.escaping import plain
from nestviz.figures.export import figure_page
from nestviz.figures.theme import quiet_axes
from nestviz.figures.traces import numbered_line
from nestviz.ui.export import picture, player_page
from nestviz.ui.menu import PAGES
from nestviz.ui.session import session_file
from nestviz.ui.session.session_file import Session

pytestmark = pytest.mark.browser
APP = Path(__file__).with_name("names_app.py")
PARTS = {
    "item": "[data-testid='stMarkdown'] li",
    "caption": "[data-testid='stCaptionContainer']",
    "header": "h2",
    "label": "label p",
}
"""What shows each name once."""
MARKUP = (
    "a, img, code, pre, strong, em, del, ol, table, hr, h1, h3, blockquote, sup, .katex, "
    "[style*='color'], [role=img]"
)
READ = """
([parts, markup]) => [...document.querySelectorAll("[class*='st-key-name-']")].map(box =>
  Object.fromEntries(Object.entries(parts).map(([name, selector]) => {
    const found = [...box.querySelectorAll(selector)];
    return [name, [found.map(part => part.textContent).join("|"),
                   found.flatMap(part => [...part.querySelectorAll(markup)]).length]];
  })))
"""


@pytest.fixture
def watched(open_page) -> Iterator[Page]:
    """A page that must ask no other host than its own, and run no script of a name."""
    asked, dialogs = [], []
    page = open_page("about:blank", alone=True)
    page.context.on("request", lambda request: asked.append((request.url, page.url)))
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    yield page
    assert [url for url, own in asked if is_foreign(url, own)] == []
    assert dialogs == []


def is_foreign(url: str, own: str) -> bool:
    if url.startswith(("data:", "blob:", "about:")) or own == "about:blank":
        return False
    return urlsplit(url)[:2] != urlsplit(own)[:2]


@pytest.mark.nightly
def test_every_name_is_shown_as_it_is(serve, watched):
    watched.goto(serve(APP))
    page = settled(watched)
    # Loaded on demand.
    expect(page.locator(f".st-key-name-{len(NAMES) - 1} {PARTS['label']}")).to_be_visible()
    found = page.evaluate(READ, [PARTS, MARKUP])
    wrong = [
        (name, part, text, markup)
        for name, parts in zip(NAMES, found, strict=True)
        for part, (text, markup) in parts.items()
        if plain(name) not in text or markup
    ]
    assert wrong == []


def open_hostile_session(page: Page, app_url: str) -> None:
    """Open a session file whose texts are all hostile."""
    page.goto(f"{app_url}/data?from=Session")
    story = tuple(plain(name) for name in NAMES if plain(name))
    session = Session("outliers", {}, hostile_data(story=story), plain(MARKED, 90))
    page.locator("input[type=file]").set_input_files(
        {"name": "s.json", "mimeType": "application/json",
         "buffer": session_file.write(session).encode()}
    )  # fmt: skip
    # The name is shown before anything is opened.
    expect(page.get_by_text(f"20 points of “{MARKED}”")).to_be_visible()
    page.get_by_role("button", name="Open this session").click()
    expect(page.get_by_role("heading", level=1, name="Outliers")).to_be_visible()
    expect(page.get_by_text(f"New point: 0{plain(MARKED, 79)[:60]}")).to_be_visible()


def test_a_hostile_session_asks_no_other_host(app_url, watched):
    page = watched
    open_hostile_session(page, app_url)
    page.get_by_role("link", name="Data", exact=True).click()
    expect(page.get_by_role("heading", name=f"In use: {MARKED}")).to_be_visible()
    settled(page)
    told = page.locator("[data-testid='stMarkdown'] li").all_text_contents()
    for name in NAMES:
        assert plain(name) in [line.strip() for line in told] or not plain(name)
    axis = page.locator(".js-plotly-plot .xtitle")
    expect(axis).to_have_text(plain(f"0{MARKED}", 80))


@pytest.mark.nightly
def test_no_page_asks_another_host(app_url, watched):
    page = watched
    open_hostile_session(page, app_url)
    for rows in PAGES.values():
        for _, title, _, _ in rows:
            page.get_by_test_id("stSidebarNav").get_by_role("link", name=title, exact=True).click()
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            settled(page)


def test_pictures_and_players_run_nothing_and_ask_nobody(watched, tmp_path):
    page = watched
    for scene, names in hostile_scenes():
        file = tmp_path / "picture.svg"
        file.write_text(picture.svg(scene), encoding="utf-8")
        page.goto(file.as_uri())
        assert page.evaluate("document.documentElement.localName") == "svg"
        assert page.locator("parsererror, script, a, image").count() == 0
        assert page.locator("title").first.text_content() == plain(names[2])
        file = tmp_path / "player.html"
        file.write_text(player_page.page(scene, names[0]), encoding="utf-8")
        page.goto(file.as_uri())
        expect(page.locator(".player canvas").first).to_be_visible()
        assert page.locator("h1").text_content() == plain(names[0])
        legend = " ".join(" ".join(page.locator(".player li").all_text_contents()).split())
        for name in names[5:10]:
            assert plain(name)[:20] in legend


def test_the_page_of_a_figure_shows_names_as_they_are(watched, tmp_path):
    x = np.arange(3.0)
    figure = go.Figure(
        [numbered_line(x, x + k, name, k, "%{x}") for k, name in enumerate(NAMES) if plain(name)]
    )
    file = tmp_path / "figure.html"
    file.write_text(figure_page(quiet_axes(figure, MARKED, NAMES[0]), MARKED))
    watched.goto(file.as_uri())
    expect(watched.locator(".xtitle")).to_have_text(plain(MARKED, 80))
    expect(watched.locator(".ytitle")).to_have_text(plain(NAMES[0]))
    shown = watched.locator(".legendtext").all_text_contents()
    assert [text.split() for text in shown] == [
        plain(name, 80).split() for name in NAMES if plain(name)
    ]
    assert watched.title() == plain(MARKED)
