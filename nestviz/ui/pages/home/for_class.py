"""What a class takes home from the story: its link, a QR code, and a handout."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from nestviz.ui.components.copy_link import copy_link
from nestviz.ui.compute import scenes, story_charts
from nestviz.ui.data_choice import axis_names
from nestviz.ui.pages.home import story
from nestviz.ui.pages.home.facts import Facts
from nestviz.ui.pages.home.steps import PLAIN, STEPS, Step
from nestviz.ui.results import fits
from nestviz.ui.session.view_state import LINK_VERSION
from nestviz.ui.widgets import qr_code

if TYPE_CHECKING:
    from nestviz.drawing.charts import Chart
    from nestviz.ui.export.handout import Sheet
    from nestviz.ui.scene.scene import Scene

KEY = "for_class"
TITLE = "Sets that cross and sets that nest"


def show(facts: Facts) -> None:
    """Show an expander with the link, its QR code and the handout; closed, it costs nothing."""
    box = st.expander(
        "For a class: link, QR code, handout", icon=":material/school:", key=KEY, on_change="rerun"
    )
    if not box.open:
        return
    with box:
        left, right = st.columns([3, 2])
        with left:
            st.markdown("**Link to this step**")
            copy_link(key="link.story", version=LINK_VERSION)
            st.markdown("**Handout**: all steps with their pictures, to print or to send")
            notes = st.toggle("With the notes for the speaker", key="handout_notes")
            st.download_button(
                "Handout (HTML)",
                partial(_handout, sheets(facts), notes, qr_code.link() or ""),
                "sets-that-nest.html",
                "text/html",
                key="handout",
                on_click="ignore",
                icon=":material/download:",
            )
        with right:
            st.markdown("**QR code**")
            qr_code.show()


def sheets(facts: Facts) -> list[Sheet]:
    """Return all steps of the story about the data in use."""
    # Loads matplotlib.
    from nestviz.ui.export.handout import Sheet

    found = []
    for step in STEPS:
        told = story.told(step, facts)
        still = _still(step, facts)
        found.append(Sheet(told.title, told.text, told.notes, still, _chart(step, facts, still)))
    return found


def _handout(found: list[Sheet], notes: bool, source: str) -> str:
    from nestviz.ui.export import handout

    return handout.page(TITLE, found, notes=notes, source=source)


def _still(step: Step, facts: Facts) -> Scene:
    """Return the picture of a step at its level."""
    current, frames = facts.current, facts.frames
    solved = [fits.fit(current.fitted, facts.spec(method)) for method in step.methods]
    at, place = story.opening(step, facts)
    look = scenes.Look(0.0, False, step.layers, axis_names(current.fitted))
    scene = scenes.scene_of(
        current.fitted, current.plane, solved, frames, look, density=current.density
    )
    return replace(scene, start=scene.scale.position(at), probe=place)


def _chart(step: Step, facts: Facts, still: Scene) -> Chart | None:
    """Return the chart beside the picture of a step, if it has one."""
    from nestviz.drawing.charts import LineChart, RankChart

    data, plane, levels = facts.current.fitted, facts.current.plane, facts.levels
    family, found = fits.fit(data, facts.spec(PLAIN)).family, facts.crossing()
    level, name, ends = still.level, "level λ", (float(levels[0]), float(levels[-1]))
    if step.chart == "excess":
        cost = 100 * facts.cost().excess
        here = level, float(np.interp(-level, -levels, cost))
        title = "Objective above its minimum, in %"
        return LineChart(title, name, levels, cost, mark=here, ends=ends)
    if found is None or not step.chart:
        return None
    if step.chart == "ranks":
        first, last = story_charts.two_ranks(family, data.X)
        names = "by first set", "by last set"
        return RankChart("Rank of each point", names, first, last, family.violations(data.X))
    at_mark = float(story_charts.course(family, plane, found.place, np.array([level]))[0])
    if step.chart == "course":
        curve = story_charts.course(family, plane, found.place, levels)
        title = "Σ αᵢ k(xᵢ, x) / λ at the mark"
        mark = level, at_mark
        return LineChart(title, name, levels, curve, mark=mark, boundary=1.0, ends=ends)
    places, along = story_charts.cut_through(facts.centre, found.place, still.view)
    now, entered = (story_charts.ratios(family, plane, places, at) for at in (level, found.entered))
    title, name = "Σ αᵢ k(xᵢ, x) / λ along a line", "distance from the mark"
    return LineChart(title, name, along, now, [entered], (0.0, at_mark), 1.0)
