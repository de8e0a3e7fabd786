"""What was asked for is seen without scrolling, on a screen of 1280 by 720."""

import re

import pytest
from playwright.sync_api import expect
from visits import settled

pytestmark = pytest.mark.browser
SCREEN = {"width": 1280, "height": 720}


def test_a_sample_that_is_chosen_is_named_with_the_way_on(app_url, open_page):
    page = settled(open_page(f"{app_url}/data", viewport=SCREEN))
    page.get_by_role("button", name="Use Three Gaussians", exact=True).click()
    expect(page.get_by_role("heading", name="In use: Three Gaussians")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="See the sets")).to_be_in_viewport(ratio=1)


def test_all_of_the_canvas_and_what_to_do_on_it(app_url, open_page):
    page = settled(open_page(f"{app_url}/data?from=Draw", viewport=SCREEN))
    expect(page.get_by_text("Click in the picture to add a point")).to_be_in_viewport(ratio=1)
    canvas = page.get_by_role("application").or_(page.locator("canvas[role=img]")).first
    expect(canvas).to_be_in_viewport(ratio=1)


def test_the_width_of_least_volume_can_be_used(app_url, open_page):
    page = settled(open_page(f"{app_url}/bandwidth?banana.n=80&widths=8&folds=2", viewport=SCREEN))
    use = page.get_by_role("button", name=re.compile("Use σ = .* on all pages"))
    expect(use).to_be_in_viewport(ratio=1)


def test_the_main_reason_for_the_rank_of_a_point(app_url, open_page):
    page = settled(open_page(f"{app_url}/outliers?data=banana", viewport=SCREEN))
    expect(page.get_by_text("Click a point or a row to see the reasons")).to_be_in_viewport(ratio=1)
    page.goto(f"{app_url}/outliers?data=banana&point=349")
    settled(page)
    expect(page.get_by_text("Point 349: rank 1.")).to_be_in_viewport(ratio=1)
