"""What a person does on the Quantiles page: steps through quantiles, clicks, passes on the link."""

import json
import re

import pytest
from playwright.sync_api import expect
from visits import settled

pytestmark = pytest.mark.browser

LINK = "quantiles?data=banana&banana.n=80&width=0.3&qcount=5&qframes=quantiles"


def test_quantiles_are_stepped_through_and_the_link_restores_them(app_url, open_page):
    page = settled(open_page(f"{app_url}/{LINK}"))
    player = page.locator(".player")
    expect(player).to_have_attribute("data-frames", "5")
    expect(page.get_by_text("of the picture violated").first).to_be_visible()
    player.get_by_role("slider").first.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"frame=2(&|$)"))
    expect(page.get_by_text("quantile α = 0.500")).to_be_visible()
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    assert len(json.loads(player.get_attribute("data-plots") or "[]")) == 4
    settled(page)
    page.get_by_role("spinbutton", name="Point", exact=True).fill("7")
    page.get_by_role("spinbutton", name="Point", exact=True).press("Enter")
    expect(player).to_have_attribute("data-marked", "7")
    expect(page.get_by_text(re.compile("Point 7: "))).to_be_visible()
    # The address is written last.
    expect(page).to_have_url(re.compile(r"point=7(&|$)"))
    other = settled(open_page(page.url))
    expect(other.locator(".player")).to_have_attribute("data-frame", "2")
    expect(other.locator(".player")).to_have_attribute("data-marked", "7")
