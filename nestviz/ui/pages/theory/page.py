"""The Theory page: a course of sixteen chapters, each with a question and a picture to try."""

from __future__ import annotations

from typing import Any

import streamlit as st

from nestviz.ui.page_frame import heading
from nestviz.ui.pages.theory import (
    certificates,
    constraints,
    cost,
    crossing,
    errors,
    feature_space,
    hill,
    interpolation,
    nu,
    path,
    quantiles,
    rankings,
    sets,
    tree,
    volume,
)
from nestviz.ui.pages.theory.chapter import Chapter, render_chapter
from nestviz.ui.session.view import change, view
from nestviz.ui.widgets import inputs

CHAPTERS = {
    "Hill": Chapter("hill", hill.show),
    "SVM": Chapter("feature_space", feature_space.show),
    "ν": Chapter("nu", nu.show),
    "Path": Chapter("path", path.show),
    "Crossing": Chapter("crossing", crossing.show),
    "Rankings": Chapter("rankings", rankings.show),
    "Union": Chapter("union", sets.show_union),
    "Constraints": Chapter("constraints", constraints.show),
    "Kernel": Chapter("kernel", sets.show_kernel),
    "Interpolation": Chapter("interpolation", interpolation.show),
    "Cost": Chapter("cost", cost.show),
    "Volume": Chapter("volume", volume.show),
    "Tree": Chapter("tree", tree.show),
    "Quantiles": Chapter("quantiles", quantiles.show),
    "Errors": Chapter("errors", errors.show),
    "Certificates": Chapter("certificates", certificates.show),
}
"""Chapters by their names in links, in the order of the course."""
RENAMED = {"Problems": "SVM"}
"""Names in older links."""


def render() -> None:
    """Render the page: the chapter chosen by the reader or the link."""
    heading("Theory", "theory")
    asked = view()["chapter"]
    if asked in RENAMED:
        change(chapter=RENAMED[asked])
    names = list(CHAPTERS)
    name = inputs.select("chapter", names, format_func=_label)
    place = names.index(name)
    render_chapter(CHAPTERS[name], place + 1)
    left, right = st.columns(2)
    if place > 0:
        _link(left, names[place - 1], ":material/arrow_back:", "theory.back")
    if place + 1 < len(names):
        _link(right, names[place + 1], ":material/arrow_forward:", "theory.on")


def _label(name: str) -> str:
    """Return number and title of a chapter."""
    return f"{list(CHAPTERS).index(name) + 1} · {CHAPTERS[name].text.title}"


def _link(column: Any, name: str, icon: str, key: str) -> None:
    column.button(
        _label(name),
        key=key,
        icon=icon,
        on_click=lambda: change(chapter=name),
        width="stretch",
    )
