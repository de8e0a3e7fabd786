"""The two views of the Error control page, put together."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from nestviz.ui import data_warnings
from nestviz.ui.data_choice import Current
from nestviz.ui.export import panel, scripts
from nestviz.ui.pages.error_control import (
    cells,
    exports,
    minimum_volume,
    minimum_volume_choice,
    pictures,
    rate_table,
)


def show(current: Current) -> None:
    """The view that is chosen."""
    if rate_table.task() == rate_table.VOLUMES:
        _volumes(current)
    elif rate_table.labelled(current):
        _errors(current)


def _errors(current: Current) -> None:
    grid, choice = rate_table.controls()
    found = rate_table.find(current, grid, choice)
    top, maps, ways = st.container(), st.container(), st.container()
    with ways:
        cell = cells.sliders(found)
        cells.back(found, cell)
    if not cells.is_known(found, cell):
        with top:
            st.info(
                "Nothing is known of the cell that the sliders are at: this search does not go "
                "there. Its choice is shown instead.",
                icon=":material/block:",
            )
        cell = found.search.cell
    model = rate_table.model_of(current, choice, found, cell)
    looked = pictures.look(current, choice, found, cell, model)
    roc = pictures.roc(current, choice, found, looked)
    with top:
        left, right = st.columns([6, 5], gap="medium")
        with left:
            pictures.show_plane(current, found, looked)
        with right:
            pictures.show_roc(roc)
        pictures.numbers(found, looked)
        pictures.warnings(choice, found, looked)
    with maps:
        cells.maps(choice, found, cell)
    data_warnings.show(current, two_classes=True)
    panel.show(
        current,
        name="error-control",
        code=exports.code(current, grid, choice, found, looked),
        figures={
            "Errors over the grid": lambda: cells.maps_figure(choice, found, cell[0]),
            "ROC": lambda: roc,
        },
        tables={"rates": lambda: exports.rates_table(choice, found)},
        models={"2ν-SVM": lambda: model},
    )


def _volumes(current: Current) -> None:
    wish = minimum_volume.controls(current)
    data, found = minimum_volume.find(current, wish)
    sets = minimum_volume.show(current, wish, data, found)
    data_warnings.show(current)
    figures = {
        way: minimum_volume.figure_of(current, data, found[way], entry)
        for way, entry in sets.items()
    }
    panel.show(
        current,
        name="error-control",
        code=scripts.script(current, *minimum_volume_choice.lines(wish)),
        figures={way: partial(_given, drawn) for way, drawn in figures.items()},
        tables={"sets": lambda: minimum_volume_choice.table_of(wish, sets)},
        models={way: partial(_given, entry.model) for way, entry in sets.items()},
    )


def _given(made: Any) -> Any:
    """What is there already, for a download that asks for it by a call."""
    return made
