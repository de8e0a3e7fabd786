"""The Outliers page: a ranked table and the plane, each telling the other what is selected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from nestviz.analysis.flags import Flags, flag_outliers
from nestviz.ui.components.plane import Area, Kind, PlaneData, Thread, plane
from nestviz.ui.compute import entry_maps
from nestviz.ui.compute.entry_maps import Ranked
from nestviz.ui.compute.methods import ONE_CLASS, Fitted, Spec
from nestviz.ui.data_choice import AT_ONCE, Current
from nestviz.ui.pages.cluster_tree.page import NONE, level_count
from nestviz.ui.pages.cluster_tree.pictures import axis_names
from nestviz.ui.pages.outliers import tables
from nestviz.ui.pages.outliers.why import NewPoint, Why
from nestviz.ui.results import fits, jobs
from nestviz.ui.session.selection import listed_number, select, selection
from nestviz.ui.session.view import put, stop_page
from nestviz.ui.widgets import fit_controls, inputs

TABLE = "ranking"
POINT = "outlier_point"
NEW = ("new_x", "new_y")
WRITTEN = 10
"""Ranks that are written in the plane."""


@dataclass(frozen=True)
class Choice:
    """What the controls of the page say."""

    spec: Spec
    contamination: float


@dataclass(frozen=True, eq=False)
class Shown:
    """A ranking as it is shown, with what is flagged."""

    ranked: Ranked
    flags: Flags


def controls(current: Current) -> Choice:
    """The controls above the pictures."""
    left, middle, right = st.columns(3, gap="medium")
    with left:
        method = fit_controls.method(
            "Score by", ONE_CLASS, "nested one-class SVM", key="method", page="outliers"
        )
    with middle:
        sigma = fit_controls.width(current)
    with right:
        percent = inputs.slider(
            "contamination",
            "Contamination",
            5.0,
            step=0.5,
            format="%g %% of the points",
            help="The share of the points to be flagged as outliers. The threshold is the level "
            "that leaves just them outside; for the plain one-class SVM, ν is an upper bound "
            "on the share outside.",
        )
    with left, st.popover("Levels", icon=":material/tune:"):
        levels = level_count()
    with middle:
        nu = fit_controls.nu(method)
    return Choice(Spec(method, sigma, levels, spacing="geometric", nu=nu), percent / 100)


def ranked(current: Current, fitted: Fitted) -> Ranked:
    """The ranking of the current data; in a worker where there are many points."""
    data = current.fitted
    found = jobs.run(
        (data, current.plane, fitted.spec),
        entry_maps.rank,
        fitted,
        data.X,
        current.plane,
        title=f"Ranking {data.n:,} points",
        long=data.n > AT_ONCE,
        spinner="Ranking …",
    )
    if found is None:
        stop_page()
    return found


def show(current: Current, choice: Choice) -> Shown:
    """Plane and table side by side, then why the selected point has its rank."""
    found = ranked(current, fits.fit(current.fitted, choice.spec))
    shown = Shown(found, flag_outliers(found.ranking, choice.contamination))
    pictures, below = st.container(), st.container()
    with below:
        new = _picker(current, shown)
    why = None if new is None else new.why
    chosen = selection(current.fitted)
    if why is None and chosen.point is not None:
        why = Why.of_row(found, chosen.point)
    with pictures:
        _pictures(current, shown, why, new)
    if new is not None:
        new.show(shown.flags)
    if why is not None:
        why.show()
    return shown


def _pictures(current: Current, shown: Shown, why: Why | None, new: NewPoint | None) -> None:
    left, right = st.columns([6, 5], gap="medium")
    with left:
        plane(
            _content(current, shown, why, new),
            key="outlier-plane",
            on_rows=lambda rows: _pick(current, rows),
            on_place=_place,
            height=460,
        )
    with right:
        _table(current, shown)
    st.caption(
        "Higher score means more abnormal, and rank 1 is the most abnormal. Click a point or a "
        "row to see why it ranks where it does; click an empty location to score a new point there."
    )


def _pick(current: Current, rows: list[int]) -> None:
    """Select points; what is asked about is then no longer the new point."""
    _forget_place()
    select(current.fitted, rows)


def _pick_listed(current: Current) -> None:
    row = listed_number(st.session_state[POINT])
    _pick(current, [] if row is None else [row])


def _place(x: float, y: float) -> None:
    """Ask about a new point."""
    put({key: float(f"{value:.4g}") for key, value in zip(NEW, (x, y), strict=True)})


def _forget_place() -> None:
    put(dict.fromkeys(NEW))


def _content(current: Current, shown: Shown, why: Why | None, new: NewPoint | None) -> PlaneData:
    data, ranking, flags = current.fitted, shown.ranked.ranking, shown.flags
    places = shown.ranked.places
    points = places.grid.plane.coordinates(data.X)
    finite = np.isfinite(flags.threshold) and flags.threshold > 0
    rings = places.outline(flags.threshold) if finite else ()
    first = ranking.order[: min(WRITTEN, flags.count)]
    chosen = selection(data).points
    return PlaneData(
        points=points,
        view=places.view,
        kinds=[Kind("not flagged", -1, "circle"), Kind("flagged", 1, "triangle")],
        kind_of=flags.flagged.astype(int),
        shades=ranking.score,
        notes=[
            f"rank {rank}, score {score:.3f}{f', {tied} tied' if tied > 1 else ''}"
            for rank, tied, score in zip(ranking.rank, ranking.tied, ranking.score, strict=True)
        ],
        areas=[Area(rings, -1, dashed=True)] if len(rings) else [],
        threads=[] if why is None else _threads(points, why, new),
        labels=[(int(row), str(ranking.rank[row])) for row in first],
        chosen=chosen if new is None else (),
        spot=None if new is None else new.place,
        axis_names=axis_names(current),
        title="Larger and more vivid: more abnormal",
        name="Points by score",
        alt=f"{data.n} points in the plane by their outlier score; {flags.count} are flagged, and "
        "the dashed line leaves them outside.",
    )


def _threads(points: Any, why: Why, new: NewPoint | None) -> list[Thread]:
    """Lines to the points whose kernels hold the point in, thicker where they give more."""
    start = points[why.row] if new is None else new.place
    largest = max(float(np.abs(why.contributions.values).max(initial=0.0)), 1e-300)
    return [
        Thread(start, points[rows[0]], abs(given) / largest, pushes=given < 0)
        for rows, given in zip(why.contributions.rows, why.contributions.values, strict=True)
        if rows.size and why.row not in rows
    ]


def _table(current: Current, shown: Shown) -> None:
    """The ranking; rows that are chosen are selected points, and the other way round."""
    ranking = shown.ranked.ranking
    order = ranking.order
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    rows = [int(place[row]) for row in selection(current.fitted).points]
    key = inputs.key_of_rows(TABLE, order)
    st.session_state[key] = {"selection": {"rows": rows, "columns": [], "cells": []}}
    st.dataframe(
        tables.ranked_table(current, shown.ranked, shown.flags),
        hide_index=True,
        height=470,
        key=key,
        on_select=lambda: _pick(
            current, [int(order[row]) for row in st.session_state[key]["selection"]["rows"]]
        ),
        selection_mode="multi-row",
        column_config=tables.columns(ranking.family.level_name),
    )


def _picker(current: Current, shown: Shown) -> NewPoint | None:
    """Ways to ask about a point, or about a location, without a mouse; the new point, if any."""
    ranking, data = shown.ranked.ranking, current.fitted
    point = selection(data).point
    st.session_state[POINT] = NONE if point is None else point
    left, *rest = st.columns([2, 1, 1], gap="medium")
    with left:
        st.selectbox(
            "Point",
            [NONE, *ranking.order.tolist()],
            # Not the rank: an entry must mean the same point after a change of the width.
            format_func=lambda row: "none" if row == NONE else f"point {row}",
            key=POINT,
            on_change=lambda: _pick_listed(current),
            help="Selects a point, as a click on it does. The most abnormal is first.",
        )
    xmin, xmax, ymin, ymax = shown.ranked.places.view
    x, y = (
        _coordinate(column, key, name, span)
        for column, key, name, span in zip(
            rest, NEW, axis_names(current), (xmax - xmin, ymax - ymin), strict=True
        )
    )
    if x is None or y is None:
        return None
    return NewPoint.at(shown.ranked, current.plane, (x, y))


def _coordinate(column: Any, key: str, name: str, span: float) -> float | None:
    value: float | None = inputs.number(
        key,
        f"New point: {name}",
        None,
        draw=column.number_input,
        step=float(f"{span / 50:.1g}"),
        format="%.4g",
        placeholder="none",
        help="Coordinates of a point to be scored against the ranking; a click on an empty "
        "location fills them in.",
    )
    return value
