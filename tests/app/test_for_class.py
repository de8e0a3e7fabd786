"""What a class takes home: the QR code of the link, and the handout of the story."""

import base64
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from app_visits import healthy
from test_story import told

from nestviz.data import make_sample
from nestviz.grids import Plane
from nestviz.ui.compute import story_charts
from nestviz.ui.compute.methods import Spec, top_level
from nestviz.ui.compute.tasks import fit
from nestviz.ui.export import handout
from nestviz.ui.pages.home import for_class
from nestviz.ui.pages.home.steps import STEPS, TEXTS
from nestviz.ui.widgets import qr_code


def modules(svg):
    """The dark modules of a code, as a count, and the size of the picture."""
    root = ElementTree.fromstring(svg)
    return len(re.findall(r"h\d", svg)), int(root.attrib["width"])


def test_a_qr_code_is_the_same_for_the_same_link_and_another_for_another():
    first = qr_code.qr_svg("https://example.org/?step=worst&v=1")
    assert first == qr_code.qr_svg("https://example.org/?step=worst&v=1")
    assert first != qr_code.qr_svg("https://example.org/?step=cost&v=1")
    count, size = modules(first)
    assert count > 100
    assert size % qr_code.SCALE == 0
    assert size // qr_code.SCALE >= 21 + 2 * qr_code.BORDER


def test_a_long_link_has_a_larger_code_and_an_endless_one_none():
    short, long = (modules(qr_code.qr_svg("x" * n))[1] for n in (20, 900))
    assert long > short
    assert qr_code.qr_svg("x" * 5000) is None


def test_the_code_holds_the_parameters_of_the_page(open_app, monkeypatch):
    links = []
    monkeypatch.setattr(qr_code, "qr_svg", lambda text: links.append(text))
    monkeypatch.setattr(
        type(qr_code.st.context), "url", property(lambda _: "http://room.example:8501/?old=1#x")
    )
    app = open_app(step="worst", data="moons")
    assert links == []
    app.session_state[for_class.KEY] = True
    healthy(app.run())
    assert links == ["http://room.example:8501/?data=moons&step=worst&v=1"]


def test_without_an_address_there_is_a_sentence(open_app):
    app = open_app(step="worst")
    app.session_state[for_class.KEY] = True
    healthy(app.run())
    assert any("No address is known" in caption.value for caption in app.caption)


@pytest.fixture
def sheets(open_app, monkeypatch):
    """The steps that the download of a page would hold."""
    found = []
    made = for_class.sheets

    def kept(facts):
        drawn = made(facts)
        found[:] = [replace(sheet, stills=draw()) for sheet, draw in drawn]
        return drawn

    monkeypatch.setattr(for_class, "sheets", kept)
    app = open_app()
    app.session_state[for_class.KEY] = True
    healthy(app.run())
    assert told(app)["name"] == "ask"
    return found


def test_the_handout_has_every_step_with_its_pictures(sheets):
    page = handout.page("Sets & nests", sheets, source="https://example.org/?a=1&b=2")
    assert "<h1>Sets &amp; nests</h1>" in page
    assert re.findall(r"<h2>\d+\. (.*?)</h2>", page) == [TEXTS[s.name]["title"] for s in STEPS]
    images = re.findall(r'<img src="data:image/svg\+xml;base64,([^"]*)" alt="([^"]+)">', page)
    # A strip of three, none for the last step, a chart for some.
    assert len(images) == len(STEPS) + 2 - 1 + sum(bool(step.chart) for step in STEPS)
    assert all(b"<svg" in base64.b64decode(data)[:50] for data, _ in images)
    assert len(set(images)) == len(images)
    assert not re.search(r"\b(Click|Drag|Play,|Space)\b", page)
    assert "<aside>" not in page
    assert "{" not in re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    assert "http" not in page.replace("https://example.org", "")
    assert page == handout.page("Sets & nests", sheets, source="https://example.org/?a=1&b=2")


def test_the_link_stands_below_the_heading_with_its_code(sheets):
    code = qr_code.qr_svg("https://example.org/?step=ask")
    page = handout.page("Sets", sheets[:1], source="https://example.org/?step=ask", code=code)
    head = page.split("</header>")[0]
    assert "<p>https://example.org/?step=ask</p>" in head
    assert base64.b64encode(code.encode()).decode() in head


def test_the_cut_of_the_profile_is_drawn(sheets):
    names = [step.name for step in STEPS]
    profile, worst = (sheets[names.index(name)].stills[0].svg for name in ("profile", "worst"))
    dashes = "stroke-dasharray"
    assert profile.count(dashes) == worst.count(dashes) + 1


def test_notes_are_in_the_handout_where_they_are_wanted(sheets):
    page = handout.page("Sets", sheets, notes=True)
    assert page.count("<aside>") == len(STEPS)
    assert "show of hands" in page


def test_the_true_set_is_drawn_where_the_step_shows_it(sheets):
    page = handout.page("Sets", [sheets[[s.name for s in STEPS].index("cost")]])
    data = re.findall(r"base64,([^\"]*)", page)[0]
    assert b"true level set" in base64.b64decode(data)


def test_the_cut_is_that_of_the_player():
    places, along = story_charts.cut_through((0, 0), (-1, -1), (-4, 4, -2, 2))
    assert np.allclose([places[0], places[-1]], [(-2, -2), (2, 2)])
    assert np.allclose([along[0], along[-1]], [-np.sqrt(2), 3 * np.sqrt(2)])
    places, along = story_charts.cut_through((1, 1), (1, 1), (-4, 4, -2, 2))
    assert np.allclose([places[0], places[-1], (along[0], along[-1])], [(-4, 1), (4, 1), (-5, 3)])


def test_ratios_reach_one_where_a_location_is_inside():
    X = make_sample("ring", 0, n=60).X
    family = fit(Spec("one-class SVM", 2.0), X).family
    plane, level = Plane.of_two_features(), 0.3 * top_level(X, 2.0)
    places, _ = story_charts.cut_through((0, 0), (2, 1), (-5, 5, -5, 5))
    found = story_charts.ratios(family, plane, places, level)
    assert np.array_equal(found >= 1, family.contains(places, level))
    levels = np.array([2.0, 1.0, 0.5]) * level
    assert story_charts.course(family, plane, tuple(places[7]), levels)[1] == pytest.approx(
        found[7]
    )
    first, last = story_charts.two_ranks(family, X)
    stays = ~family.violations(X)
    assert sorted(first) == list(range(1, 61))
    assert stays.any()
    assert last.sum() == first.sum()
