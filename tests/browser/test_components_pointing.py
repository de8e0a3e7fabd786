"""The plane and the tree: pointing, clicking, lasso and cut."""

import json
import re

import pytest
from component_steps import CANVAS, VIEW, check, click_at, colour_at, drag, picture, visitor
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

TREE_VIEW = (0.0, 1.0, 0.0, 2.2)


@pytest.fixture
def show(serve, open_page):
    return visitor(serve, open_page)


def at(page: Page, x: float, y: float, view=VIEW) -> tuple[float, float]:
    plot = page.locator(".plane, .branches").get_attribute("data-plot")
    left, top, width, height = json.loads(plot)
    xmin, xmax, ymin, ymax = view
    return left + (x - xmin) / (xmax - xmin) * width, top + (ymax - y) / (ymax - ymin) * height


def hover(page: Page, where: tuple[float, float]) -> None:
    page.locator(CANVAS).hover(position={"x": where[0], "y": where[1]})


def expect_rows(page: Page, rows: list[int]) -> None:
    expect(page.get_by_text(f"rows {rows}", exact=True)).to_be_visible()
    expect(page.locator(".plane")).to_have_attribute("data-chosen", str(len(rows)))


def test_the_plane_says_what_is_under_the_pointer(show) -> None:
    page = show("plane")
    expect(page.get_by_role("img", name="Five points")).to_be_visible()
    expect(page.locator(".legend li")).to_have_text(["quiet <b>", "loud"])
    hover(page, at(page, 0.0, 1.0))
    expect(page.locator(".tooltip")).to_have_text("point 2\nloud\na note")
    hover(page, at(page, -1.5, 1.0))
    expect(page.locator(".tooltip")).to_be_hidden()


def test_clicks_pick_points_and_shift_adds_or_removes(show) -> None:
    page = show("plane")
    before = picture(page)
    click_at(page, at(page, -1.0, 0.0))
    expect_rows(page, [0])
    assert picture(page) != before
    page.keyboard.down("Shift")
    click_at(page, at(page, 1.0, 0.0))
    expect_rows(page, [1, 0])
    click_at(page, at(page, -1.0, 0.0))
    expect_rows(page, [1])
    page.keyboard.up("Shift")
    click_at(page, at(page, -1.5, 1.0))
    expect_rows(page, [])


def test_a_lasso_picks_what_it_surrounds(show) -> None:
    page = show("plane")
    box = page.locator(CANVAS).bounding_box()
    corners = [(-1.8, -0.5), (-0.3, -1.4), (0.4, -1.4), (0.4, -0.6), (-0.8, 0.6), (-1.8, 0.5)]
    for k, corner in enumerate(corners):
        x, y = at(page, *corner)
        page.mouse.move(box["x"] + x, box["y"] + y, steps=4)
        if k == 0:
            page.mouse.down()
    page.mouse.up()
    expect_rows(page, [0, 3])


def test_a_location_without_a_point_is_marked_and_reported(show) -> None:
    page = show("plane")
    check(page, "Locations")
    expect(page.locator(".plane")).to_have_attribute("data-locations", "true")
    click_at(page, at(page, 1.0, -1.0))
    expect(page.get_by_text("spot 1.00 -1.00")).to_be_visible()
    assert colour_at(page, *at(page, 1.0, -1.0))[3] > 200
    expect(page.get_by_text("rows None")).to_be_visible()


def test_branches_are_picked_and_described(show) -> None:
    page = show("tree")
    tree = page.locator(".branches")
    hover(page, at(page, 0.7, 1.3, TREE_VIEW))
    expect(page.locator(".tooltip")).to_have_text("right <b>")
    for location, branch in (((0.25, 1.4), 2), ((0.5, 0.7), 1), ((0.505, 0.2), 0)):
        click_at(page, at(page, *location, TREE_VIEW))
        expect(tree).to_have_attribute("data-chosen", str(branch))
        expect(page.get_by_text(f"chosen [{branch}], ")).to_be_visible()
    click_at(page, at(page, 0.97, 2.1, TREE_VIEW))
    expect(page.get_by_text("chosen [], ")).to_be_visible()


def test_the_cut_is_dragged_and_stays_above_the_base(show) -> None:
    page = show("tree")
    drag(page, at(page, 0.3, 1.8, TREE_VIEW), at(page, 0.3, 1.2, TREE_VIEW))
    expect(page.get_by_text("cut 1.20")).to_be_visible()
    # The text of the picture follows the cut, and says it politely.
    words = re.compile(r"At level = 1\.2 there are 2 branches")
    expect(page.locator(".branches canvas")).to_have_attribute("aria-label", words)
    expect(page.get_by_role("status").filter(has_text=words)).to_have_count(1)
    drag(page, at(page, 0.3, 1.2, TREE_VIEW), at(page, 0.3, 0.1, TREE_VIEW))
    expect(page.get_by_text("cut 0.40")).to_be_visible()
    expect(page.locator(".branches")).to_have_attribute("data-cut", "0.4")


@pytest.mark.parametrize("case", ["plane", "tree"])
def test_narrow_dark_pictures(show, case) -> None:
    page = show(case, viewport={"width": 400, "height": 900}, color_scheme="dark")
    root = page.locator(".plane, .branches")
    expect(root).to_have_attribute("data-theme", "dark")
    assert root.evaluate("e => e.scrollWidth <= e.clientWidth")
