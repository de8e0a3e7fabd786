"""The Outliers page: a ranked table and the plane, with one selection for both."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from nestviz.analysis.flags import flag_outliers
from nestviz.arrays import FloatArray
from nestviz.escaping import LONGEST_NAME, markdown
from nestviz.ui import data_warnings
from nestviz.ui.components.plane import Area, Kind, PlaneData, Thread, plane
from nestviz.ui.compute import entry_maps
from nestviz.ui.compute.methods import ONE_CLASS, Spec
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.page_frame import page
from nestviz.ui.pages.outliers import tables
from nestviz.ui.pages.outliers.explanation import Explanation
from nestviz.ui.pages.outliers.tables import OutliersResult, OutliersSettings
from nestviz.ui.panels import fit_controls
from nestviz.ui.results import fits
from nestviz.ui.session.selection import listed_number, select, selection
from nestviz.ui.session.view import put
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.inputs import NONE
from nestviz.ui.widgets.tables import columns, selectable_table

TABLE = "ranking"
POINT = "outlier_point"
NEW = ("new_x", "new_y")
WRITTEN = 10
"""Ranks that are written in the plane."""


@page("Outliers")
def render(current: Current) -> None:
    """Render the page."""
    settings = _controls(current)
    data = current.fitted
    fitted = fits.fit(data, settings.spec)
    title = f"Ranking {data.n:,} points"
    found = fits.analyse(data, current.plane, fitted, entry_maps.rank, title)
    flags = flag_outliers(found.ranking, settings.contamination)
    shown = OutliersResult(settings, found, flags)
    pictures, below = st.container(), st.container()
    with below:
        location = _picker(current, shown)
    point, why = selection(data).point, None
    if location is not None:
        why = Explanation.at(found, current.plane, location)
    elif point is not None:
        why = Explanation.of_row(found, point)
    with pictures:
        _pictures(current, shown, why)
    if why is not None:
        why.show(shown.flags)
    tables.numbers(current, shown)
    data_warnings.show(current, settings.spec.sigma)
    tables.exports(current, fitted, shown)


def _controls(current: Current) -> OutliersSettings:
    left, middle, right = st.columns(3, gap="medium")
    with left:
        method = fit_controls.method(
            "method", ONE_CLASS, "nested one-class SVM", page="outliers", label="Score by"
        )
    with middle:
        sigma = fit_controls.width(current)
    with right:
        percent = inputs.slider("contamination", 5.0)
        with st.popover("Levels", icon=":material/tune:"):
            levels = inputs.slider("depth", 21)
    with middle:
        more = fit_controls.of_method(method)
    spec = Spec(method, sigma, levels, spacing="geometric", **more)
    return OutliersSettings(spec, percent / 100)


def _pictures(current: Current, shown: OutliersResult, why: Explanation | None) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        plane(
            _content(current, shown, why),
            key="outlier-plane",
            on_rows=lambda rows: _pick(current, rows),
            on_place=_score_at,
            height=440,
        )
    with right:
        _table(current, shown)
    st.caption(
        "Higher score means more abnormal, and rank 1 is the most abnormal. Click a point or a "
        "row to see the reasons for its rank; click an empty location to score a new point there."
    )


def _pick(current: Current, rows: list[int]) -> None:
    """Select points, and forget the new point."""
    put(dict.fromkeys(NEW))
    select(current.fitted, rows)


def _pick_listed(current: Current) -> None:
    row = listed_number(st.session_state[POINT])
    _pick(current, [] if row is None else [row])


def _score_at(x: float, y: float) -> None:
    """Score a new point at a location."""
    put({key: float(f"{value:.4g}") for key, value in zip(NEW, (x, y), strict=True)})


def _content(current: Current, shown: OutliersResult, why: Explanation | None) -> PlaneData:
    data, flags, found = current.fitted, shown.flags, shown.found
    ranking, entry_map = found.ranking, found.entry_map
    points = current.plane.coordinates(data.X)
    finite = np.isfinite(flags.threshold) and flags.threshold > 0
    rings = entry_map.outline(flags.threshold) if finite else ()
    location = None if why is None else why.location
    first = ranking.order[: min(WRITTEN, flags.count)]
    return PlaneData(
        points=points,
        view=entry_map.grid.inner_box,
        kinds=[Kind("not flagged", -1, "circle"), Kind("flagged", 1, "triangle")],
        kind_of=flags.flagged.astype(int),
        shades=ranking.score,
        notes=[
            f"rank {rank}, score {score:.3f}{f', {tied} tied' if tied > 1 else ''}"
            for rank, tied, score in zip(ranking.rank, ranking.tied, ranking.score, strict=True)
        ],
        areas=[Area(rings, -1, dashed=True)] if len(rings) else [],
        threads=[] if why is None else _threads(points, why),
        labels=[(int(row), str(ranking.rank[row])) for row in first],
        chosen=selection(data).points if location is None else (),
        spot=location,
        axis_names=axis_names(data),
        title="Larger and more vivid: more abnormal",
        name="Points by score",
        alt=f"{data.n} points in the plane by their outlier score; {flags.count} are flagged, and "
        "the dashed line leaves them outside.",
    )


def _threads(points: FloatArray, why: Explanation) -> list[Thread]:
    """Return lines to the supporting points, thicker for larger contributions."""
    start = points[why.row] if why.location is None else why.location
    largest = max(float(np.abs(why.contributions.values).max(initial=0.0)), 1e-300)
    return [
        Thread(start, points[rows[0]], abs(given) / largest, pushes=given < 0)
        for rows, given in zip(why.contributions.rows, why.contributions.values, strict=True)
        if rows.size and why.row not in rows
    ]


def _table(current: Current, shown: OutliersResult) -> None:
    """Show the ranking; its rows and the points share one selection."""
    ranking = shown.found.ranking
    order = ranking.order
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    selectable_table(
        tables.ranked_table(current, shown.found, shown.flags),
        TABLE,
        (order,),
        [int(place[row]) for row in selection(current.fitted).points],
        lambda rows: _pick(current, [int(order[row]) for row in rows]),
        height=450,
        selection_mode="multi-row",
        column_config=columns("outliers", "ranking", level=ranking.family.level_name),
    )


def _picker(current: Current, shown: OutliersResult) -> tuple[float, float] | None:
    """Show fields for a point or a location; return the location of a new point, if any."""
    found, data = shown.found, current.fitted
    point = selection(data).point
    st.session_state[POINT] = NONE if point is None else point
    left, *rest = st.columns([2, 1, 1], gap="medium")
    left.selectbox(
        "Point",
        [NONE, *found.ranking.order.tolist()],
        # Not the rank: an entry must mean the same point after a change of the width.
        format_func=lambda row: "none" if row == NONE else f"point {row}",
        key=POINT,
        on_change=lambda: _pick_listed(current),
        help="Selects a point, as a click on it does. The most abnormal is first.",
    )
    xmin, xmax, ymin, ymax = found.entry_map.grid.inner_box
    spans = (xmax - xmin, ymax - ymin)
    fields = zip(rest, NEW, axis_names(data), spans, strict=True)
    x, y = (_coordinate(*field) for field in fields)
    return None if x is None or y is None else (x, y)


def _coordinate(column: Any, key: str, name: str, span: float) -> float | None:
    value: float | None = inputs.number(
        key,
        None,
        draw=column.number_input,
        label=f"New point: {markdown(name, LONGEST_NAME)}",
        step=float(f"{span / 50:.1g}"),
    )
    return value
