"""Choose the roles of a table's columns; the result becomes the user's own data."""

from __future__ import annotations

import hashlib
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nestviz.data import Roles, Table, guess_roles, label_values, to_dataset
from nestviz.data.limits import SERVED
from nestviz.ui import error_boundary
from nestviz.ui.session.own_data import use_own_data
from nestviz.ui.widgets.inputs import CONTROLS

NO_LABEL = "(no label)"
MANY_VALUES = 50
MISSING: dict[str, Literal["drop", "mean"]] = {
    "leave out": "drop",
    "fill in the column's mean": "mean",
}


def show(table: Table, digest: str, origin: str) -> None:
    """Show the role controls and use the data set that they define."""
    st.header("Columns", anchor=False)
    # Read in another way, the same file may have other columns, which need controls of their own.
    mark = hashlib.sha256("\n".join([digest, *table.columns]).encode()).hexdigest()[:8]
    roles = _roles(table, mark)
    with error_boundary.in_words():
        use_own_data(to_dataset(table, roles, SERVED), origin)


def _roles(table: Table, mark: str) -> Roles:
    guess = guess_roles(table)
    left, right = st.columns(2)
    label = _label(table, guess, mark, right)
    names = [name for name in table.columns if name != label]
    features = left.multiselect(
        "Features",
        names,
        default=[name for name in guess.features or names if name in names],
        key=f"features.{mark}.{label}",
        help="Coordinates of the points. Columns of text become one yes-or-no column per value. "
        "Other columns have no influence on any result.",
    )
    ids = right.multiselect(
        "Identifiers",
        names,
        default=[name for name in guess.ids if name in names],
        key=f"ids.{mark}.{label}",
        help="Columns that identify a row, such as a number, a name or a date. They are shown with "
        "the points and are in downloads, but have no influence on any result.",
    )
    missing = left.radio(
        "Rows with missing values", list(MISSING), horizontal=True, key=f"missing.{mark}"
    )
    standardise = left.toggle(
        "Standardise",
        value=guess.standardise,
        key=f"standardise.{mark}",
        help=CONTROLS["standardise"]["help"],
    )
    positive = _positive(table, guess, label, mark, right)
    return Roles(tuple(features), label, positive, MISSING[missing], standardise, tuple(ids))


def _label(table: Table, guess: Roles, mark: str, column: DeltaGenerator) -> str | None:
    options = [NO_LABEL, *table.columns]
    chosen: str = column.selectbox(
        "Label",
        options,
        index=options.index(guess.label) if guess.label else 0,
        key=f"label.{mark}",
        help="The column that says which class a point belongs to, if there is one.",
    )
    return None if chosen == NO_LABEL else chosen


def _positive(
    table: Table, guess: Roles, label: str | None, mark: str, column: DeltaGenerator
) -> tuple[str, ...]:
    if label is None:
        return ()
    counts = dict(label_values(table, label, MANY_VALUES))
    default = guess.positive if label == guess.label else tuple(counts)[:1]
    chosen: list[str] = column.multiselect(
        "Values that count as +1",
        list(counts),
        default=[value for value in default if value in counts],
        format_func=lambda value: f"{value} ({counts[value]:,})",
        key=f"positive.{mark}.{label}",
        help="All other values count as −1. The number of rows is in brackets.",
    )
    return tuple(chosen)
