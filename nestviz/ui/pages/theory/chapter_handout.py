"""A chapter, or the whole course, as a page to print."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING

import streamlit as st

from nestviz.escaping import html
from nestviz.ui.pages.theory.course_pictures import course_pictures
from nestviz.ui.scene.scene import Scene
from nestviz.ui.widgets.shown_pictures import Shown

if TYPE_CHECKING:
    from nestviz.ui.pages.theory.chapter import Chapter

TITLE = "Families of sets: a course"
STYLE = """
main { break-before: page; } main:first-of-type { break-before: auto; }
section { break-inside: auto; }
.formula { margin: 10px 0; overflow-x: auto; break-inside: avoid; }
math { font-size: 1.15em; } .formula mtable { math-style: normal; }
mtable.ams-align mtd:nth-child(odd) { text-align: right; }
mtable.ams-align mtd:nth-child(even) { text-align: left; }
.beside { display: flex; flex-wrap: wrap; gap: 8px 40px; }
pre { padding: 8px 10px; background: #f3f5f7; font-size: 0.8em; white-space: pre-wrap;
  break-inside: avoid; }
h3 { font-size: 1rem; margin: 12px 0 2px; break-after: avoid; }
.picture { break-inside: avoid; margin: 10px 0; text-align: center; }
.picture > div > div { margin: 0 auto; } .picture img { max-width: 100%; max-height: 430px; }
.picture p { margin: 0 auto; max-width: 60ch; font-size: 0.85em; color: #5b6570; }
"""
PANEL, LONGEST_TEXT = (430, 350), 1000


@cache
def printed() -> Mapping[str, Mapping[str, str]]:
    """Read the texts of all chapters as HTML, by the names of their files."""
    text = (files("nestviz.ui.pages.theory") / "printed.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def show(chapter: Chapter, number: int, shown: Sequence[Shown]) -> None:
    """Show a popover with the handouts; their pictures are those on the page."""
    with st.popover("Handout", icon=":material/print:"):
        answers = st.toggle("With the answers to the exercises", key="theory_answers")
        st.download_button(
            "This chapter (HTML)",
            partial(chapter_page, chapter, number, tuple(shown), answers),
            f"chapter-{number:02}.html",
            "text/html",
            key="theory_handout",
            on_click="ignore",
            icon=":material/download:",
            width="stretch",
            help="Text, pictures as they are now, formulas and exercises, to print or to send.",
        )
        st.download_button(
            "All chapters (HTML)",
            partial(course_page, answers),
            "course.html",
            "text/html",
            key="theory_all",
            on_click="ignore",
            icon=":material/download:",
            width="stretch",
            help="The whole course, with each picture as it is at first.",
        )


def chapter_page(chapter: Chapter, number: int, shown: Sequence[Shown], answers: bool) -> str:
    """Return a chapter with its pictures as one HTML file."""
    from nestviz.ui.export import handout

    title = f"{number} · {chapter.text.title}"
    (pictures,) = _pictures([shown])
    body = chapter_body(title, printed()[chapter.file], pictures, answers)
    return handout.document(title, body, handout.STYLE + STYLE)


def course_page(answers: bool) -> str:
    """Return all chapters with their pictures as one HTML file."""
    from nestviz.ui.export import handout

    parts, pictures = [f"<h1>{html(TITLE)}</h1>"], course_pictures()
    drawn = _pictures([pictures[file] for file in printed()])
    for number, (texts, images) in enumerate(zip(printed().values(), drawn, strict=True), 1):
        parts.append(chapter_body(f"{number} · {texts['title']}", texts, images, answers))
    return handout.document(TITLE, "\n".join(parts), handout.STYLE + STYLE)


def chapter_body(title: str, texts: Mapping[str, str], pictures: str, answers: bool) -> str:
    """Return a chapter as HTML: text, pictures, formulas, exercises and, if wanted, answers."""
    solved = f"<section><h2>Answers</h2>{texts['answers']}</section>" if answers else ""
    return f"""<main>
<h1>{html(title)}</h1>
{texts["text"]}
{pictures}
<section><h2>Formulas</h2>{texts["formulas"]}</section>
<section><h2>Exercises</h2>{texts["exercises"]}</section>
{solved}
</main>"""


def _pictures(chapters: Sequence[Sequence[Shown]]) -> list[str]:
    """Return the pictures of chapters as HTML; all share one copy of what draws charts."""
    # Loads Plotly and matplotlib.
    from nestviz.figures.export import figure_parts
    from nestviz.ui.export import picture
    from nestviz.ui.export.handout import Still, image

    charts = [each for shown in chapters for each in shown if not isinstance(each, Scene)]
    parts = iter(figure_parts([(each.figure, each.height) for each in charts]))

    def drawn(each: Shown) -> str:
        if isinstance(each, Scene):
            return image(Still(picture.svg(each, panel=PANEL), each.alt))
        return f'<div role="img" aria-label="{html(each.alt, LONGEST_TEXT)}">{next(parts)}</div>'

    def seen(each: Shown) -> str:
        # On the page controls and captions say what a picture shows.
        return f'<div class="picture">{drawn(each)}<p>{html(each.alt, LONGEST_TEXT)}.</p></div>'

    return ["\n".join(map(seen, shown)) for shown in chapters]
