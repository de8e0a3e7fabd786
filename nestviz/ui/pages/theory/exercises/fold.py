"""The fold with the exercises at the end of a chapter."""

from __future__ import annotations

import streamlit as st

from nestviz.ui.menu import BY_ADDRESS
from nestviz.ui.pages.theory.exercises.reading import KINDS, Exercise, exercises
from nestviz.ui.session.view import open_page
from nestviz.ui.session.view_state import View, read_address


def show(chapter: str) -> None:
    """Show the exercises of a chapter, each with its answer in a fold of its own."""
    with st.expander("Exercises", icon=":material/edit_note:"):
        for number, exercise in enumerate(exercises(chapter), 1):
            st.markdown(f"**{number} · {KINDS[exercise.kind]}.** {exercise.task}")
            if exercise.page not in ("", "theory"):
                _open_button(exercise, chapter)
            with st.expander("Answer"):
                st.markdown(exercise.answer)
                if exercise.code:
                    st.code(exercise.listing, language="python")


def _open_button(exercise: Exercise, chapter: str) -> None:
    title = BY_ADDRESS[exercise.page][1]
    st.button(
        f"Open “{title}”",
        key=f"exercise.{chapter}",
        icon=":material/open_in_new:",
        on_click=_open,
        args=(exercise,),
    )


def _open(exercise: Exercise) -> None:
    """Open the page of an exercise with its settings, all others at their default."""
    asked = read_address(exercise.settings)
    # The last choice of the page must not override that of the exercise.
    st.session_state.pop("method:page", None)
    open_page(BY_ADDRESS[exercise.page][0], asked.over(View()), asked.unusable)
