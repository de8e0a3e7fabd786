"""The Error control page: classifiers with controlled errors, and minimum volume sets."""

from __future__ import annotations

import streamlit as st

from nestviz.ui import data_warnings
from nestviz.ui.data_choice import Current
from nestviz.ui.export import panel
from nestviz.ui.page_frame import page
from nestviz.ui.pages.error_control import (
    cells,
    exports,
    held_rate,
    machines,
    minimum_volume,
    outcome,
    pictures,
    rate_table,
)
from nestviz.ui.panels import labels
from nestviz.ui.widgets import inputs

ERRORS, VOLUMES, BOUNDS = "Two errors", "Minimum volume sets", "Worst-case bounds"


@page("Error control")
def render(current: Current) -> None:
    """Render the page."""
    task = inputs.segments("task", [ERRORS, VOLUMES, BOUNDS])
    if task == VOLUMES:
        minimum_volume.show(current)
        return
    if task == BOUNDS:
        machines.show(current)
        return
    _errors(labels.labelled(current))


def _errors(current: Current) -> None:
    grid, settings = rate_table.controls()
    promise = held_rate.announce(current, grid, settings)
    found = rate_table.find(current, grid, settings)
    top, maps, sliders = st.container(), st.container(), st.container()
    with sliders:
        cell = cells.sliders(found)
    if not cells.is_known(found, cell):
        top.info(
            "This search does not include the cell at the sliders. Its choice is shown instead.",
            icon=":material/block:",
        )
        cell = found.search.cell
    shown = pictures.evaluate(current, found, cell)
    held = held_rate.evaluate(current, promise, shown)
    roc = pictures.roc(current, found, shown)
    with top:
        outcome.show(found, shown, "" if held is None else held_rate.sentence(held))
        left, right = st.columns([6, 5], gap="medium")
        with left:
            pictures.show_plane(current, found, shown, None if held is None else held.model)
        with right:
            pictures.show_roc(roc, shown)
        pictures.numbers(found, shown)
        held_rate.show(held)
        pictures.warnings(found, shown)
    with maps:
        cells.maps(found, cell)
    data_warnings.show(current, two_classes=True)
    panel.show(
        current,
        name="error-control",
        code=exports.code(current, found, shown, held_rate.lines(held)),
        figures={
            "Errors over the grid": lambda: cells.maps_figure(found, cell[0]),
            "ROC": lambda: roc,
        },
        tables={"rates": lambda: exports.rates_table(found)}
        | ({} if held is None else {"thresholds": lambda: held_rate.table(held)}),
        models={"2ν-SVM": lambda: shown.model},
    )
