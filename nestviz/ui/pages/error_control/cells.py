"""The cell of an error table that is looked at: chosen, clicked, or set by sliders."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from nestviz.arrays import FloatArray
from nestviz.ui.pages.error_control.rate_table import Found
from nestviz.ui.pages.error_control.settings import Cell, Choice
from nestviz.ui.results import cache
from nestviz.ui.session.view import put
from nestviz.ui.widgets import inputs

if TYPE_CHECKING:
    from nestviz.estimators import Search

KEYS = ("at_sigma", "at_plus", "at_minus")
_LAST, _ROUNDS = "error_search", "error_map_rounds"


def maps(choice: Choice, found: Found, cell: Cell) -> None:
    """Maps of both errors and the score at one width; a click looks at another cell."""
    words, raw = st.columns([3, 2], gap="medium", vertical_alignment="center")
    words.markdown(f"**Errors over (ν₊, ν₋) at σ = {found.table.sigmas[cell[0]]:.3g}**")
    with raw:
        shown = inputs.segments(
            "rates",
            "Rates",
            ["smoothed", "raw"],
            "smoothed",
            disabled=choice.smoothing == "none",
            label_visibility="collapsed",
            help="Rates as the choice was made by, or as they were estimated.",
        )
    panels = _panels(choice, found, cell[0], shown == "smoothed")
    for number, (column, (title, figure)) in enumerate(
        zip(st.columns(3, gap="small"), panels.items(), strict=True)
    ):
        name = f"error_map_{number}_{_rounds()[number]}"
        with column:
            st.markdown(title)
            st.plotly_chart(
                figure,
                key=name,
                height=300,
                on_select=partial(_take_click, found, number, name),
                selection_mode="points",
                alt=f"Map of {title} over ν₊ and ν₋ with the choice ringed, and the path of a "
                "descent if there is one",
                config={"displayModeBar": False},
            )
    st.caption(
        "Ring: the choice."
        + (" Line: the path of the descent." if found.search.paths else "")
        + (" Dashed: P_F = α." if choice.alpha is not None else "")
        + " Click a cell, or move the sliders, to see its classifier above. One scale for all "
        "three; scores beyond it are shown by their number only."
    )


def _panels(choice: Choice, found: Found, place: int, smoothed: bool) -> dict[str, Any]:
    """Kept, so that a chart that is clicked stays the same to the byte."""
    from nestviz.figures.rate_points import rate_panels

    def draw() -> dict[str, Any]:
        search = whole_search(found)
        return rate_panels(search, place, alpha=choice.alpha, smoothed=smoothed)

    return cache.keep(("error maps", found.key, place, smoothed), draw)


def whole_search(found: Found) -> Search:
    """The search with all cells that are known, also those that a descent did not look at."""
    from nestviz.estimators.error_control.known_rates import smoothed_everywhere
    from nestviz.estimators.error_control.search import LINES

    search = found.search
    return search if search.strategy in LINES else smoothed_everywhere(search, found.table)


def maps_figure(choice: Choice, found: Found, place: int) -> Any:
    """The three maps in one figure, to take along."""
    from nestviz.figures.error_control import rate_maps_figure

    return rate_maps_figure(whole_search(found), place, alpha=choice.alpha)


def sliders(found: Found) -> Cell:
    """The cell to look at: the choice after every new search, and that of a link at first."""
    if st.session_state.setdefault(_LAST, found.key) != found.key:
        st.session_state[_LAST] = found.key
        _look_at_the_choice()
    table, chosen = found.table, found.search.cell
    left, middle, right = st.columns(3, gap="medium")
    with left:
        words = "The maps show the cells of this width; at first that of the choice."
        s = _slider("Width σ", KEYS[0], table.sigmas, chosen[0], words)
    with middle:
        words = "At most this share of class +1 are margin errors. Or click a cell."
        a = _slider("ν₊", KEYS[1], table.nu_plus, chosen[1], words)
    with right:
        words = "At most this share of class −1 are margin errors. Or click a cell."
        b = _slider("ν₋", KEYS[2], table.nu_minus, chosen[2], words)
    return s, a, b


def _slider(label: str, key: str, values: FloatArray, place: int, words: str) -> int:
    return inputs.place(
        key,
        label,
        range(len(values)),
        place,
        lambda k: _words(values[k]),
        then=_redraw,
        help=words,
    )


def back(found: Found, cell: Cell) -> None:
    """A button back to the choice, where another cell is looked at."""
    st.button(
        "Back to the choice",
        key="to_choice",
        icon=":material/undo:",
        on_click=_look_at_the_choice,
        disabled=cell == found.search.cell,
        help="Looks at the classifier that the search chose.",
    )


def is_known(found: Found, cell: Cell) -> bool:
    """Whether there are rates for a cell; there are none off the line of a single ν."""
    return bool(np.isfinite(found.table.miss[cell]))


def _words(value: float) -> str:
    """Write a parameter as its slider and the address do."""
    return f"{value:.3g}"


def _look_at_the_choice() -> None:
    """Set the sliders to what the search chose, and draw the maps anew."""
    put(dict.fromkeys(KEYS))
    _redraw()


def _redraw(but: int = -1) -> None:
    """Draw maps anew: a mark on the cell that was clicked last would now be wrong there."""
    st.session_state[_ROUNDS] = [count + (number != but) for number, count in enumerate(_rounds())]


def _rounds() -> list[int]:
    """How often each map was drawn anew."""
    rounds: list[int] = st.session_state.setdefault(_ROUNDS, [0, 0, 0])
    return rounds


def _take_click(found: Found, number: int, name: str) -> None:
    points = st.session_state[name]["selection"]["points"]
    cells = [point["customdata"] for point in points if "customdata" in point]
    if cells:
        table = found.table
        axes = zip(KEYS, (table.sigmas, table.nu_plus, table.nu_minus), cells[0][:3], strict=True)
        put({key: _words(values[int(place)]) for key, values, place in axes})
        _redraw(but=number)
