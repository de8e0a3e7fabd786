"""The texts of each variant: one sentence, what to try, formulas and source."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import streamlit as st

from nestviz.ui.data_choice import Current


@dataclass(frozen=True)
class Entry:
    """One variant: the name of its file, and what shows it."""

    file: str
    show: Callable[[Current], None]


@dataclass(frozen=True)
class VariantText:
    """The texts of a variant; its file has the same keys."""

    sentence: str
    # What can be done with the picture, some of them problems of the chapter
    attempts: tuple[str, ...]
    formulas: str
    source: str


@cache
def variant_text(name: str) -> VariantText:
    """Read the texts of a variant, by the name of their file."""
    content = (files("nestviz.ui.pages.variants") / f"{name}.toml").read_text(encoding="utf-8")
    given = tomllib.loads(content)
    return VariantText(**{**given, "attempts": tuple(given["attempts"])})


def introduce(text: VariantText) -> None:
    """Show the sentence above the picture."""
    st.markdown(text.sentence)


def explain(name: str) -> None:
    """Show what to try, formulas and source below the picture."""
    text = variant_text(name)
    st.markdown("**Try this**\n\n" + "\n".join(f"- {attempt}" for attempt in text.attempts))
    with st.expander("Formulas", icon=":material/functions:"):
        st.markdown(text.formulas)
        st.caption(f"Source: {text.source}")
