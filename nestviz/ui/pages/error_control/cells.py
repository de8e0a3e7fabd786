"""The cell of the rate table that is shown: chosen, clicked, or set by sliders."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from nestviz.arrays import FloatArray
from nestviz.estimators import Search
from nestviz.estimators.error_control.known_rates import smoothed_everywhere
from nestviz.estimators.error_control.search import LINES
from nestviz.figures.error_control import rate_maps_figure
from nestviz.figures.rate_points import rate_panels
from nestviz.ui.pages.error_control.rate_table import ErrorControlResult
from nestviz.ui.pages.error_control.settings import Cell
from nestviz.ui.results import cache
from nestviz.ui.session.view import put
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.charts import chart, clicked

KEYS = ("at_sigma", "at_plus", "at_minus")
_LAST, _ROUNDS = "error_search", "error_map_rounds"


def maps(found: ErrorControlResult, cell: Cell) -> None:
    """Show maps of both errors and the score at one width; a click shows another cell."""
    settings = found.settings
    words, raw = st.columns([3, 2], gap="medium", vertical_alignment="center")
    words.markdown(f"**Errors over (ν₊, ν₋) at σ = {found.table.sigmas[cell[0]]:.3g}**")
    with raw:
        fixed = settings.smoothing == "none"
        shown = inputs.segments("rates", ["smoothed", "raw"], disabled=fixed)
    panels = _panels(found, cell[0], shown == "smoothed").items()
    columns = st.columns(3, gap="small")
    for number, (column, (title, figure)) in enumerate(zip(columns, panels, strict=True)):
        name = f"error_map_{number}_{_rounds()[number]}"
        alt = f"Map of {title} over ν₊ and ν₋ with the choice ringed, and the path of a descent"
        with column:
            st.markdown(title)
            take = partial(_take_click, found, number, name)
            chart(figure, name, 300, alt, take, displayModeBar=False)
    st.caption(
        "Ring: the choice."
        + (" Line: the path of the descent." if found.search.paths else "")
        + (" Dashed: the limit on false alarms." if settings.alpha is not None else "")
        + " Click a cell, or move the sliders, to see its classifier above. All three maps share "
        "one scale; scores beyond it are shown by their number only."
    )


def _panels(found: ErrorControlResult, place: int, smoothed: bool) -> dict[str, Any]:
    """Return the maps, cached: a chart that is clicked must stay the same to the byte."""

    def draw() -> dict[str, Any]:
        search = _whole_search(found)
        return rate_panels(search, place, alpha=found.settings.alpha, smoothed=smoothed)

    return cache.keep(("error maps", *found.key, place, smoothed), draw)


def _whole_search(found: ErrorControlResult) -> Search:
    """Return the search with all known cells, also those outside the path of a descent."""
    search = found.search
    return search if search.strategy in LINES else smoothed_everywhere(search, found.table)


def maps_figure(found: ErrorControlResult, place: int) -> Any:
    """Return the three maps in one figure, for export."""
    return rate_maps_figure(_whole_search(found), place, alpha=found.settings.alpha)


def sliders(found: ErrorControlResult) -> Cell:
    """Show the sliders of the cell: the choice after every new search, the link's at first."""
    if st.session_state.setdefault(_LAST, found.key) != found.key:
        st.session_state[_LAST] = found.key
        _show_choice()
    s, a, b = (
        _slider(column, key, values, place)
        for column, key, values, place in zip(
            st.columns(3, gap="medium"), KEYS, _axes(found), found.search.cell, strict=True
        )
    )
    st.button(
        "Back to the choice",
        key="to_choice",
        icon=":material/undo:",
        on_click=_show_choice,
        disabled=(s, a, b) == found.search.cell,
        help="Shows the classifier that the search chose.",
    )
    return s, a, b


def _slider(column: Any, key: str, values: FloatArray, place: int) -> int:
    with column:
        return inputs.value_slider(
            key, range(len(values)), place, lambda k: _words(values[k]), then=_redraw
        )


def _axes(found: ErrorControlResult) -> tuple[FloatArray, FloatArray, FloatArray]:
    return found.table.sigmas, found.table.nu_plus, found.table.nu_minus


def is_known(found: ErrorControlResult, cell: Cell) -> bool:
    """Return whether a cell has rates; those off the line of a single ν have none."""
    return bool(np.isfinite(found.table.miss[cell]))


def _words(value: float) -> str:
    """Write a parameter as its slider and the address do."""
    return f"{value:.3g}"


def _show_choice() -> None:
    """Reset the sliders to the choice, and redraw the maps."""
    put(dict.fromkeys(KEYS))
    _redraw()


def _redraw(but: int = -1) -> None:
    """Redraw the maps, to remove the mark of the cell clicked last."""
    st.session_state[_ROUNDS] = [count + (number != but) for number, count in enumerate(_rounds())]


def _rounds() -> list[int]:
    """Return how often each map was redrawn."""
    rounds: list[int] = st.session_state.setdefault(_ROUNDS, [0, 0, 0])
    return rounds


def _take_click(found: ErrorControlResult, number: int, name: str) -> None:
    axes = _axes(found)
    if cells := clicked(name, *map(len, axes)):
        chosen = zip(KEYS, axes, cells[0], strict=True)
        put({key: _words(values[place]) for key, values, place in chosen})
        _redraw(but=number)
