"""Exercises of the course: their links open, their numbers are computed, both editions agree."""

import doctest
import re
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from app_visits import address, healthy

from nestviz.ui.menu import BY_ADDRESS
from nestviz.ui.pages.theory.exercises.reading import KINDS, Exercise, exercises
from nestviz.ui.pages.theory.page import CHAPTERS
from nestviz.ui.session.view_state import RULES, read_address

ROOT = Path(__file__).resolve().parents[2]
TEACHING = ROOT / "docs" / "teaching"
FILES = {chapter.file: name for name, chapter in CHAPTERS.items()}
ALL = [(file, exercise) for file in FILES for exercise in exercises(file)]
LINKS = [(file, each) for file, each in ALL if each.page not in ("", "theory")]
REFERENCES = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|(?:chapters?|Propositions?) \d+|\(\d+\)", re.DOTALL)
NUMBERS = re.compile(r"\d+(?:\.\d+)?")


def numbers(text):
    return set(NUMBERS.findall(text))


@pytest.mark.parametrize("file", FILES)
def test_every_chapter_has_an_exercise_of_each_kind(file):
    assert [exercise.kind for exercise in exercises(file)] == list(KINDS)
    for exercise in exercises(file):
        assert bool(exercise.page) == (exercise.kind == "app")
        assert bool(exercise.code) or exercise.kind != "compute"
        assert exercise.task
        assert len(exercise.answer.split()) > 10
        assert (exercise.task + exercise.answer).count("$") % 2 == 0


@pytest.mark.parametrize("file", FILES)
def test_the_code_of_the_answers_prints_what_is_said(file):
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for number, exercise in enumerate(exercises(file), 1):
        if exercise.code:
            name = f"{file} {number}"
            found = doctest.DocTestParser().get_doctest(exercise.code, {}, name, name, 0)
            assert runner.run(found).attempted > 0
    assert runner.failures == 0


@pytest.mark.parametrize("file", FILES)
def test_every_number_in_an_answer_is_given_or_computed(file):
    for exercise in exercises(file):
        known = numbers(exercise.task) | numbers(exercise.code)
        assert numbers(REFERENCES.sub("", exercise.answer)) <= known | {"0", "1"}


@pytest.mark.parametrize(("file", "exercise"), [row for row in ALL if row[1].page])
def test_the_address_of_an_exercise_is_understood(file, exercise):
    found = read_address(exercise.settings)
    assert not found.unusable
    assert set(found.values) == set(exercise.settings) <= set(RULES)
    assert exercise.page in BY_ADDRESS
    if exercise.page == "theory":
        assert found.values["chapter"] == FILES[file]
    link = urlsplit(exercise.link("http://localhost:8501"))
    assert parse_qs(link.query) == exercise.settings


def test_a_link_names_the_page_and_quotes_the_settings():
    exercise = Exercise("app", "", "", "one-class", "over=ν&left=one-class+SVM")
    assert exercise.link("http://a/") == "http://a/one-class?over=%CE%BD&left=one-class%20SVM"
    assert Exercise("app", "", "", "home", "step=ask").link("http://a") == "http://a/?step=ask"


def test_a_listing_has_its_output_as_comments():
    code = ">>> for k in (1, 2):\n...     print(k)\n1\n2\n>>> x = 3\n"
    listing = Exercise("compute", "", "", code=code).listing
    assert listing == "for k in (1, 2):\n    print(k)\n# 1\n# 2\nx = 3"


def test_a_button_opens_the_page_with_the_settings(open_app):
    app = open_app("pages/learn/theory.py", chapter="Union", data="banana")
    app.button(key="exercise.union").click().run()
    settings = exercises("union")[0].settings
    written = address(healthy(app))
    assert {key: written[key] for key in settings if key in written}.items() <= settings.items()
    assert written["width"] == ["0.4"]
    assert not [info for info in app.info if "could not be used" in info.value]


@pytest.mark.slow
@pytest.mark.parametrize(("file", "exercise"), LINKS, ids=[file for file, _ in LINKS])
def test_the_page_of_an_exercise_uses_all_its_settings(open_app, file, exercise):
    query = {key: texts[-1] for key, texts in exercise.settings.items()}
    app = open_app(BY_ADDRESS[exercise.page][0], **query)
    assert not [info for info in app.info if "could not be used" in info.value]


def test_the_pages_of_the_manual_are_those_of_the_app(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(ROOT / "docs"), *sys.path])
    import make_teaching

    pages = make_teaching.pages()
    written = {path.name: path.read_text("utf-8") for path in TEACHING.glob("[0-9]*.md")}
    assert written == pages
    index = (TEACHING / "index.md").read_text("utf-8")
    for (name, text), chapter in zip(pages.items(), CHAPTERS.values(), strict=True):
        assert text.startswith(f"# {name[:2].lstrip('0')}. {chapter.text.title}\n")
        row = f"| [{text.splitlines()[0][2:]}]({name}) | {chapter.text.question} |"
        assert row in index


def test_links_of_the_lecture_plan_are_understood():
    plan = (TEACHING / "hour.md").read_text("utf-8")
    links = re.findall(r"\(http://localhost:8501/([^)]*)\)", plan)
    assert len(links) > 15
    for link in links:
        found = urlsplit(link)
        asked = parse_qs(found.query)
        assert not read_address(asked).unusable
        assert found.path in ("", *BY_ADDRESS)
        assert asked.get("chapter", ["Hill"])[0] in CHAPTERS
