"""Exports: every kind of file, the link, the session file."""

import csv
import io
import json
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect
from visits import expect_width_in_address, settled, stepped, width_knob

from nestviz import load_model, make_sample

pytestmark = pytest.mark.browser


def open_expander(page: Page, tab: str):
    """The part of "Export" under a tab."""
    expander = page.get_by_test_id("stExpander").filter(has_text="Export")
    expect(expander).to_be_visible()
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    if not expander.get_by_role("tab", name=tab).is_visible():
        expander.locator("summary").click()
    expander.get_by_role("tab", name=tab, exact=True).click()
    # A file that is asked for while the page still runs may be dropped at the end of the run.
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    return expander.get_by_role("tabpanel", name=tab)


def save(page: Page, panel, label: str, folder: Path, nth: int = 0) -> Path:
    with page.expect_download() as started:
        panel.get_by_role("button", name=label).nth(nth).click()
    path = folder / started.value.suggested_filename
    started.value.save_as(path)
    return path


def test_pictures_films_and_numbers_of_a_sweep(app_url, open_page, tmp_path):
    page = open_page(f"{app_url}/one-class?banana.n=100")
    panel = open_expander(page, "Pictures")
    picture = Image.open(save(page, panel, "PNG", tmp_path))
    assert picture.format == "PNG"
    assert picture.width > 2_000
    assert save(page, panel, "SVG", tmp_path).read_text().startswith("<svg")
    panel = open_expander(page, "Moving picture")
    film = Image.open(save(page, panel, "GIF", tmp_path))
    assert (film.format, film.n_frames) == ("GIF", 60)
    panel = open_expander(page, "Numbers")
    with save(page, panel, "CSV", tmp_path).open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 100
    np.testing.assert_array_equal(
        [float(row["x1"]) for row in rows], make_sample("banana", n=100).X[:, 0]
    )


def test_the_player_plays_from_a_file(app_url, open_page, tmp_path):
    page = open_page(f"{app_url}/one-class?banana.n=100")
    panel = open_expander(page, "Moving picture")
    path = save(page, panel, "HTML player", tmp_path)
    alone = open_page(path.as_uri(), offline=True)
    player = alone.locator(".player")
    expect(player).to_have_attribute("data-frame", "50")
    expect(player).to_have_attribute("data-playing", "false")
    player.focus()
    alone.keyboard.press("ArrowLeft")
    expect(player).to_have_attribute("data-frame", "49")
    alone.keyboard.press("Space")
    expect(player).to_have_attribute("data-playing", "true")
    expect(player).not_to_have_attribute("data-frame", "49")
    assert alone.evaluate("document.querySelector('canvas').width") > 400


def test_models_are_loaded_by_the_library(app_url, open_page, tmp_path):
    page = open_page(f"{app_url}/one-class?banana.n=100")
    panel = open_expander(page, "Model")
    path = save(page, panel, "Nested one-class SVM", tmp_path)
    with zipfile.ZipFile(path) as archive:
        certificate = json.loads(archive.read("certificate.json"))
    X = make_sample("banana", n=100).X
    model = load_model(path)
    assert certificate["certificate"]["converged"] is True
    assert model.sigma == certificate["parameters"]["sigma"]
    assert (model.decision_function(X) > 0).mean() > 0.5


def test_a_plotly_figure_becomes_pictures_and_a_page(app_url, open_page, tmp_path):
    page = open_page(f"{app_url}/two-classes?banana.n=100")
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    panel = open_expander(page, "Pictures")
    picture = Image.open(save(page, panel, "PNG", tmp_path, nth=1))
    assert picture.size == (1800, 1120)
    assert "<svg" in save(page, panel, "SVG", tmp_path, nth=1).read_text()[:300]
    path = save(page, panel, "HTML", tmp_path)
    alone = open_page(path.as_uri(), offline=True)
    expect(alone.locator(".js-plotly-plot .scatterlayer")).to_be_visible()
    # Nothing that would send the figure elsewhere.
    titles = [button.get_attribute("data-title") for button in alone.locator(".modebar-btn").all()]
    assert titles
    assert not [title for title in titles if re.search("share|cloud", title or "", re.I)]


@pytest.mark.slow
def test_a_figure_is_saved_on_a_page_without_charts(app_url, open_page, tmp_path):
    page = open_page(f"{app_url}/outliers?banana.n=100")
    panel = open_expander(page, "Pictures")
    assert page.evaluate("window.Plotly === undefined")
    path = save(page, panel, "SVG", tmp_path)
    assert "<svg" in path.read_text()[:300]
    expect(panel.locator(".js-plotly-plot")).to_be_visible()


def test_a_link_shows_the_same_picture_elsewhere(app_url, open_page):
    page = open_page(f"{app_url}/one-class?banana.n=100&width=0.4&right=Parzen")
    player = page.locator(".player").first
    expect(player).to_be_visible()
    settled(page)
    player.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("frame=1(&|$)"))
    open_expander(page, "Link and session")
    link = page.get_by_label("Link to this view")
    expect(link).to_have_value(re.compile("frame=1(&|$)"))
    other = open_page(link.input_value())
    shown = other.locator(".player").first
    expect(shown).to_have_attribute("data-frame", "1")
    assert shown.get_attribute("data-level") == player.get_attribute("data-level")
    expect(other.get_by_text("100 points of")).to_be_visible()


def test_a_session_file_goes_on_in_another_browser(app_url, open_page, tmp_path):
    page = open_page(f"{app_url}/data?from=File")
    rows = "\n".join(f"{i * 0.37 % 5:.3f},{i * 0.91 % 3:.3f}" for i in range(50))
    file = {"name": "mine.csv", "mimeType": "text/csv", "buffer": f"u,v\n{rows}\n".encode()}
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_role("heading", name="In use: mine")).to_be_visible()
    page.get_by_role("link", name="One class").click()
    width_knob(page).press("ArrowRight")
    expect_width_in_address(page, stepped(0.2, 1))
    panel = open_expander(page, "Link and session")
    expect(panel.get_by_text("does not contain your own points")).to_be_visible()
    saved = save(page, panel, "Session file", tmp_path)
    level = page.locator(".player").first.get_attribute("data-level")

    other = open_page(f"{app_url}/one-class?width=0.9", alone=True)
    expect(other.locator(".player").first).to_be_visible()
    other.get_by_role("link", name="Data", exact=True).click()
    other.get_by_text("Session", exact=True).click()
    other.locator("input[type=file]").set_input_files(saved)
    other.get_by_role("button", name="Open this session").click()
    expect(other.get_by_role("heading", level=1, name="One class")).to_be_visible()
    expect(other.get_by_text("50 points of “mine”")).to_be_visible()
    expect_width_in_address(other, stepped(0.2, 1))
    expect(other.locator(".player").first).to_have_attribute("data-level", level)
    expect(other.get_by_test_id("stAlert").filter(has_text="fault")).to_have_count(0)


def test_a_damaged_session_file_changes_nothing(app_url, open_page):
    page = open_page(f"{app_url}/data?from=Session")
    upload = page.locator("input[type=file]")
    upload.set_input_files(
        {"name": "x.json", "mimeType": "application/json", "buffer": io.BytesIO(b"{}").getvalue()}
    )
    expect(page.get_by_text("not a session file of nestviz")).to_be_visible()
    expect(page.get_by_text("current session is unchanged")).to_be_visible()
