"""A chapter of the course: its texts, and the frame around its picture."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import streamlit as st

from nestviz.ui.pages.theory import chapter_handout
from nestviz.ui.pages.theory.exercises import fold
from nestviz.ui.widgets.shown_pictures import collected

MOST_WORDS = 150
"""Words of a chapter outside its folds."""


@dataclass(frozen=True)
class ChapterText:
    """The texts of a chapter; its file has the same keys."""

    title: str
    # One question, answered by the picture and the text below it
    question: str
    text: str
    # One or two things to do with the picture
    attempts: tuple[str, ...]
    source: str
    # Markdown in the fold: before, beside each other, and after
    formulas: str
    primal: str = ""
    dual: str = ""
    more: str = ""


@dataclass(frozen=True)
class Chapter:
    """One chapter: the name of its file, and what shows its picture."""

    file: str
    show: Callable[[], None]

    @property
    def text(self) -> ChapterText:
        """The texts of the chapter."""
        return chapter_text(self.file)


@cache
def chapter_text(name: str) -> ChapterText:
    """Read the texts of a chapter, by the name of their file."""
    content = (files("nestviz.ui.pages.theory") / f"{name}.toml").read_text(encoding="utf-8")
    given = tomllib.loads(content)
    return ChapterText(**{**given, "attempts": tuple(given["attempts"])})


def render_chapter(chapter: Chapter, number: int) -> None:
    """Show a chapter: question, picture, text, what to try, formulas, exercises and source."""
    text = chapter.text
    st.header(f"{number} · {text.title}", anchor=False)
    st.markdown(f"**{text.question}**")
    with st.container(border=True), collected() as shown:
        chapter.show()
    st.markdown(text.text)
    st.markdown("**Try this**\n\n" + "\n".join(f"- {attempt}" for attempt in text.attempts))
    with st.expander("Formulas", icon=":material/functions:"):
        st.markdown(text.formulas)
        if text.primal:
            left, right = st.columns(2, gap="medium")
            left.markdown(text.primal)
            right.markdown(text.dual)
        if text.more:
            st.markdown(text.more)
    fold.show(chapter.file)
    chapter_handout.show(chapter, number, shown)
    st.caption(f"Source: {text.source}")
