"""The tree, the plane and the table tell each other what is selected, in a real browser."""

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect
from visits import width_knob

pytestmark = pytest.mark.browser

TREE, PLANE = ".branches", ".plane"
COUNT_MESSAGES = """() => {
    const send = WebSocket.prototype.send;
    window.messagesSent = 0;
    WebSocket.prototype.send = function (...message) {
        window.messagesSent += 1;
        return send.apply(this, message);
    };
}"""


def settled(page: Page) -> Page:
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-connection-state", "CONNECTED")
    expect(page.locator(PLANE)).to_have_attribute("data-plot", re.compile("."))
    expect(app).to_have_attribute("data-test-script-state", "notRunning")
    return page


class Picture:
    """Places on a canvas, as shares of its plot from the left and from the top."""

    def __init__(self, page: Page, part: str, which: int = 0) -> None:
        self.page = page
        self.part: Locator = page.locator(part).nth(which)
        self.part.scroll_into_view_if_needed()
        box = self.part.locator("canvas").bounding_box()
        assert box
        x, y, self.w, self.h = json.loads(self.part.get_attribute("data-plot") or "")
        self.x, self.y = box["x"] + x, box["y"] + y

    def at(self, across: float, down: float) -> tuple[float, float]:
        return self.x + across * self.w, self.y + down * self.h

    def click(self, across: float, down: float) -> None:
        self.page.mouse.click(*self.at(across, down))

    def drag(self, *places: tuple[float, float]) -> None:
        self.page.mouse.move(*self.at(*places[0]))
        self.page.mouse.down()
        for place in places[1:]:
            self.page.mouse.move(*self.at(*place), steps=4)
        self.page.mouse.up()


@pytest.fixture
def tree_page(app_url, open_page) -> Page:
    return settled(open_page(f"{app_url}/cluster-tree?data=multi"))


def test_a_branch_that_is_clicked_shows_its_points_and_follows_to_other_pages(tree_page):
    page = tree_page
    expect(page.locator(PLANE)).to_have_attribute("data-chosen", "0")
    Picture(page, TREE).click(0.58, 0.8)
    expect(page.get_by_text(re.compile(r"Branch \d+\. 56 points"))).to_be_visible()
    expect(page.locator(PLANE)).to_have_attribute("data-chosen", "56")
    settled(page)
    page.get_by_role("link", name="Outliers").click()
    expect(page.get_by_role("heading", name="Outliers", level=1)).to_be_visible()
    expect(page.locator(PLANE)).to_have_attribute("data-chosen", "56")
    settled(page)
    page.get_by_role("link", name="Cluster tree").click()
    expect(page.get_by_text(re.compile(r"Branch \d+\. 56 points"))).to_be_visible()


def test_what_is_pointed_at_is_lit_without_a_run_of_the_page(app_url, open_page):
    page = settled(open_page(f"{app_url}/cluster-tree?data=multi&hdbscan=true"))
    ours, theirs = page.locator(TREE).nth(0), page.locator(TREE).nth(1)
    plane = page.locator(PLANE)
    expect(theirs).to_have_attribute("data-plot", re.compile("."))
    page.evaluate(COUNT_MESSAGES)
    tree = Picture(page, TREE, 0)
    page.mouse.move(*tree.at(0.58, 0.8))
    expect(plane).to_have_attribute("data-lit", re.compile(r"^5\d$"))
    lit = plane.get_attribute("data-lit") or ""
    expect(theirs).to_have_attribute("data-lit", lit)
    expect(page.locator(".tooltip").first).to_contain_text("branch 3")
    # At rest the text of the plane says what is lit, and the set at that level.
    words = re.compile(rf" {lit} points are lit\. Level [\d.]+: the set has \d+ parts?\.$")
    expect(plane.locator("canvas")).to_have_attribute("aria-label", words)
    low = float(plane.get_attribute("data-level") or "nan")
    page.mouse.move(*tree.at(0.58, 0.6))
    expect(plane).not_to_have_attribute("data-lit", lit)
    assert float(plane.get_attribute("data-level") or "nan") > low
    page.mouse.move(*tree.at(0.99, 0.02))
    expect(plane).to_have_attribute("data-lit", "0")
    expect(plane.locator("canvas")).not_to_have_attribute("aria-label", re.compile("lit"))
    # The same by keys, and in words.
    ours.locator(".stage").focus()
    page.keyboard.press("ArrowUp")
    expect(ours.get_by_role("status")).to_contain_text("branch 0")
    expect(plane).to_have_attribute("data-lit", re.compile(r"^\d{3}$"))
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    expect(ours.get_by_role("status")).to_contain_text("branch 4")
    expect(plane).to_have_attribute("data-lit", re.compile(r"^5\d$"))
    # A point shows where it is in both trees.
    spot = json.loads(plane.get_attribute("data-first") or "")
    page.mouse.move(*Picture(page, PLANE).at(*spot))
    expect(ours).to_have_attribute("data-lit", "1")
    expect(theirs).to_have_attribute("data-lit", "1")
    assert page.evaluate("window.messagesSent") == 0


def test_the_tree_is_zoomed_to_its_splits_by_wheel_and_keys(tree_page):
    page, tree = tree_page, tree_page.locator(TREE)

    def span() -> float:
        low, high = json.loads(tree.get_attribute("data-heights") or "")
        return high - low

    whole = span()
    page.get_by_role("button", name="Zoom to splits").click()
    expect(tree).to_have_attribute("data-zoom", "splits")
    near = span()
    assert near < 0.1 * whole
    page.get_by_role("button", name="Whole tree").click()
    expect(tree).to_have_attribute("data-zoom", "whole")
    assert span() == pytest.approx(whole)
    page.mouse.move(*Picture(page, TREE).at(0.5, 0.9))
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    expect(tree).to_have_attribute("data-zoom", "own")
    assert span() < whole
    tree.locator(".stage").focus()
    page.keyboard.press("0")
    expect(tree).to_have_attribute("data-zoom", "whole")
    page.keyboard.press("s")
    expect(tree).to_have_attribute("data-zoom", "splits")
    assert span() == pytest.approx(near)


def test_points_that_are_lassoed_show_their_branch(app_url, open_page):
    page = settled(open_page(f"{app_url}/cluster-tree?data=multi&method=nested+one-class+SVM"))
    Picture(page, PLANE).drag((0.25, 0.03), (0.75, 0.03), (0.75, 0.45), (0.25, 0.45), (0.25, 0.05))
    expect(page.get_by_text(re.compile(r"\d\d points, in branches: \d\."))).to_be_visible()
    expect(page.locator(TREE)).to_have_attribute("data-chosen", re.compile(r"^\d$"))
    page.get_by_role("button", name="Clear the selection").click()
    expect(page.get_by_text("Nothing is selected.")).to_be_visible()
    expect(page.locator(TREE)).to_have_attribute("data-chosen", "")


def test_the_cut_is_dragged_and_travels_in_the_link(tree_page, open_page):
    page = tree_page
    tree = Picture(page, TREE)
    cut = float(page.locator(TREE).get_attribute("data-cut") or "nan")
    low, high = json.loads(page.locator(TREE).get_attribute("data-heights") or "")
    down = 1 - (cut - low) / (high - low)
    tree.drag((0.01, down), (0.01, 0.1))
    expect(page).to_have_url(re.compile(r"cut=0\.9"))
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("1")
    other = settled(open_page(page.url))
    expect(other.get_by_test_id("stMetricValue").first).to_have_text("1")


def test_an_extrapolated_join_is_picked_by_its_dashed_line(app_url, open_page):
    page = settled(open_page(f"{app_url}/cluster-tree?data=multi&method=nested+one-class+SVM"))
    # The first join, between the two branches on the left, right below the line of the roots.
    Picture(page, TREE).click(0.4, 0.891)
    expect(page.get_by_text("extrapolated, not estimated").first).to_be_visible()
    expect(page.get_by_text(re.compile(r"It joins branches \d, \d below"))).to_be_visible()
    expect(page.locator(TREE)).to_have_attribute("data-chosen", "1")


def test_a_branch_is_chosen_from_the_keyboard(tree_page):
    page = tree_page
    box = page.get_by_role("combobox", name=re.compile("Selected branch"))
    box.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(TREE)).to_have_attribute("data-chosen", re.compile(r"^\d$"))


def test_a_row_and_a_point_are_one_selection_and_an_empty_place_is_scored(app_url, open_page):
    page = settled(open_page(f"{app_url}/outliers?data=outliers", viewport={
        "width": 1280, "height": 1500,
    }))  # fmt: skip
    # The table moves down when the knob above it appears.
    expect(width_knob(page)).to_be_visible()
    expect(page.get_by_test_id("data-grid-canvas").first).to_be_visible()
    page.get_by_test_id("stDataFrame").first.click(position={"x": 18, "y": 53})
    expect(page.get_by_role("heading", name="Why rank 1?")).to_be_visible()
    expect(page.locator(PLANE)).to_have_attribute("data-chosen", "1")
    settled(page)
    plane = Picture(page, PLANE)
    plane.click(0.97, 0.03)
    expect(page.get_by_text("It is beyond the threshold")).to_be_visible()
    expect(page).to_have_url(re.compile("new_x="))
    settled(page)
    points = json.loads(page.locator(PLANE).get_attribute("data-first") or "")
    plane.click(points[0], points[1])
    expect(page.get_by_text("It is beyond the threshold")).to_have_count(0)
    expect(page.get_by_role("combobox", name="Point", exact=True)).to_have_value("point 0")


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_both_pages_fit_a_narrow_screen(app_url, open_page, theme):
    for path in ("cluster-tree", "outliers"):
        page = open_page(
            f"{app_url}/{path}?data=multi",
            color_scheme=theme,
            viewport={"width": 400, "height": 900},
        )
        expect(settled(page).locator(PLANE)).to_have_attribute("data-theme", theme)
        overflow = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert overflow <= 0, path


def test_numbers_of_many_rows_are_not_cut(app_url, open_page):
    """“1,000 of 2…” would be another number; nor may it run into the next one."""
    narrow = {"width": 1000, "height": 800}
    page = settled(open_page(f"{app_url}/outliers?data=banana&banana.n=20000", viewport=narrow))
    value = page.get_by_test_id("stMetricValue").first
    expect(value).to_have_text("1,000 of 20,000")
    fits = "part => part.scrollWidth <= part.clientWidth"
    assert value.evaluate(f"all => [all, ...all.querySelectorAll('*')].every({fits})")
