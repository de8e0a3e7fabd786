"""The two views of the Error control page, put together."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from nestviz.ui import (
    error_cells,
    error_control_view,
    error_exports,
    error_pictures,
    minimum_volume_choice,
    minimum_volume_view,
    recipes,
    sanity,
    take_home,
)
from nestviz.ui.current import Current


def show(current: Current) -> None:
    """The view that is chosen."""
    if error_control_view.task() == error_control_view.VOLUMES:
        _volumes(current)
    elif error_control_view.labelled(current):
        _errors(current)


def _errors(current: Current) -> None:
    grid, choice = error_control_view.controls()
    found = error_control_view.find(current, grid, choice)
    pictures, maps, ways = st.container(), st.container(), st.container()
    with ways:
        cell = error_cells.sliders(found)
        error_cells.back(found, cell)
    if not error_cells.is_known(found, cell):
        with pictures:
            st.info(
                "Nothing is known of the cell that the sliders are at: this search does not go "
                "there. Its choice is shown instead.",
                icon=":material/block:",
            )
        cell = found.search.cell
    model = error_control_view.model_of(current, choice, found, cell)
    looked = error_pictures.look(current, choice, found, cell, model)
    roc = error_pictures.roc(current, choice, found, looked)
    with pictures:
        left, right = st.columns([6, 5], gap="medium")
        with left:
            error_pictures.show_plane(current, found, looked)
        with right:
            error_pictures.show_roc(roc)
        error_pictures.numbers(found, looked)
        error_pictures.warnings(choice, found, looked)
    with maps:
        error_cells.maps(choice, found, cell)
    sanity.show(current, two_classes=True)
    take_home.show(
        current,
        name="error-control",
        code=error_exports.code(current, grid, choice, found, looked),
        figures={
            "Errors over the grid": lambda: error_cells.maps_figure(choice, found, cell[0]),
            "ROC": lambda: roc,
        },
        tables={"rates": lambda: error_exports.rates_table(choice, found)},
        models={"2ν-SVM": lambda: model},
    )


def _volumes(current: Current) -> None:
    wish = minimum_volume_view.controls(current)
    data, found = minimum_volume_view.find(current, wish)
    sets = minimum_volume_view.show(current, wish, data, found)
    sanity.show(current)
    figures = {
        way: minimum_volume_view.figure_of(current, data, found[way], entry)
        for way, entry in sets.items()
    }
    take_home.show(
        current,
        name="error-control",
        code=recipes.script(current, *minimum_volume_choice.lines(wish)),
        figures={way: partial(_given, drawn) for way, drawn in figures.items()},
        tables={"sets": lambda: minimum_volume_choice.table_of(wish, sets)},
        models={way: partial(_given, entry.model) for way, entry in sets.items()},
    )


def _given(made: Any) -> Any:
    """What is there already, for a download that asks for it by a call."""
    return made
