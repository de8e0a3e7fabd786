"""Handouts of chapters: texts as HTML with formulas, the pictures of the page, exercises."""

import json
import re
import runpy
from html.parser import HTMLParser
from pathlib import Path

import pytest
from app_visits import healthy

from nestviz.ui.pages.theory import chapter_handout
from nestviz.ui.pages.theory.page import CHAPTERS
from nestviz.ui.scene.scene import Scene

ROOT = Path(__file__).resolve().parents[2]
VOID = {"meta", "img", "br", "hr", "link", "input"}


def balanced(text):
    """Whether every element that is opened is closed, in order."""
    opened = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attrs):
            if tag not in VOID:
                opened.append(tag)

        def handle_endtag(self, tag):
            assert opened.pop() == tag

    Reader().feed(text)
    return not opened


def test_the_printed_texts_are_those_of_the_chapters():
    """Run ``python docs/make_printed.py`` after a change of a chapter or of an exercise."""
    made = runpy.run_path(str(ROOT / "docs" / "make_printed.py"))["printed"]()
    assert chapter_handout.printed() == made
    assert list(made) == [chapter.file for chapter in CHAPTERS.values()]


@pytest.mark.parametrize(
    ("tex", "drawn"),
    [
        (r"$\frac12$", "<mfrac><mn>1</mn><mn>2</mn></mfrac>"),
        (r"$\alpha_i$", "<msub><mi>α</mi><mi>i</mi></msub>"),
        ("$1<2$", "<mo>&lt;</mo>"),
    ],
)
def test_formulas_become_mathml(tex, drawn):
    made = runpy.run_path(str(ROOT / "docs" / "make_printed.py"))["to_html"](tex)
    assert drawn in made


@pytest.fixture(scope="module")
def pictures():
    return chapter_handout.course_pictures()


def without_scripts(page):
    return re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)


@pytest.mark.parametrize("answers", [False, True])
def test_the_course_has_all_chapters(answers, pictures, monkeypatch):
    monkeypatch.setattr(chapter_handout, "course_pictures", lambda: pictures)
    page = without_scripts(chapter_handout.course_page(answers))
    titles = [f"{k} · {c.text.title}" for k, c in enumerate(CHAPTERS.values(), 1)]
    assert re.findall(r"<h1>(\d.*?)</h1>", page) == titles
    assert page.count("<h2>Answers</h2>") == (len(titles) if answers else 0)
    assert "$" not in re.sub(r"<pre>.*?</pre>", "", page, flags=re.DOTALL)
    assert "http" not in page.replace("http://www.w3.org/1998/Math/MathML", "")
    assert balanced(page)


def test_the_course_has_pictures_in_every_chapter(caplog):
    page = chapter_handout.course_page(False)
    chapters = without_scripts(page).split("<main>")[1:]
    assert [chapter.count('<div class="picture">') > 0 for chapter in chapters] == [True] * 16
    words = re.findall(r'(?:aria-label|alt)="([^"]+)"', without_scripts(page))
    assert len(set(words)) == len(words) >= 16
    # One copy of the library that draws them.
    assert page.count("Plotly.newPlot(") > 16
    assert len(page) < 12_000_000
    assert not caplog.records


@pytest.mark.parametrize("name", ["Crossing", "Union"])
def test_a_chapter_is_printed_with_the_pictures_of_the_page(open_app, monkeypatch, name):
    seen = []
    monkeypatch.setattr(chapter_handout, "show", lambda *given: seen.append(given))
    app = healthy(open_app("pages/learn/theory.py", chapter=name))
    chapter, number, shown = seen[-1]
    page = chapter_handout.chapter_page(chapter, number, shown, True)
    assert f"<h1>{number} · {chapter.text.title}</h1>" in page
    if name == "Union":
        assert isinstance(shown[0], Scene)
        assert page.count("<img src=") == 1
        assert "Plotly" not in page
    else:
        charts = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
        assert len(charts) == len(shown) == page.count("Plotly.newPlot(") == 2
        assert page.count('"staticPlot": true') == 2
        assert "Plotly.addFrames" not in page.split("Plotly.newPlot(", 1)[1]


def test_the_handouts_are_offered(open_app):
    app = healthy(open_app("pages/learn/theory.py", chapter="Hill"))
    keys = {button.key for button in app.get("download_button")}
    assert {"theory_handout", "theory_all"} <= keys
