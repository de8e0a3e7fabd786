"""The Outliers page: a ranked table and the plane, with one selection for both."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from nestviz.analysis.flags import flag_outliers
from nestviz.analysis.outliers import ScoreBy
from nestviz.arrays import FloatArray
from nestviz.escaping import LONGEST_NAME, markdown, plain
from nestviz.ui import data_warnings
from nestviz.ui.components.plane import Area, PlaneData, Thread, plane
from nestviz.ui.compute import entry_maps
from nestviz.ui.compute.methods import ONE_CLASS, Spec
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.page_frame import page
from nestviz.ui.pages.outliers import advice, colouring, downloads, own_file, reasons, tables
from nestviz.ui.pages.outliers.explanation import Explanation
from nestviz.ui.pages.outliers.results import (
    WRITTEN,
    OutliersResult,
    OutliersSettings,
    score_text,
    scored,
)
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
SCORES = {"mass": "share of points", "volume": "volume"}


@page("Outliers")
def render(current: Current) -> None:
    """Render the page."""
    own_file.show(current)
    settings = _controls(current)
    data = current.fitted
    fitted = fits.fit(data, settings.spec)
    title = f"Ranking {data.n:,} points"
    found = fits.analyse(data, current.plane, fitted, entry_maps.rank, title)
    found = scored(found, settings.score)
    flags = flag_outliers(found.ranking, settings.contamination)
    shown = OutliersResult(settings, found, flags)
    pictures, below = st.container(), st.container()
    with below:
        location = _picker(current, shown)
    point, why = selection(data).point, None
    if location is not None:
        why = Explanation.at(found, current.plane, location, current.source)
    elif point is not None:
        why = Explanation.of_row(found, point, current.source)
    with pictures:
        advice.show(current, shown)
        _pictures(current, shown, why)
    if why is not None:
        why.show_numbers(shown.flags)
        if why.row >= 0:
            reasons.show(current, shown, why.row)
        why.show_levels()
    tables.numbers(current, shown)
    data_warnings.show(current)
    downloads.exports(current, fitted, shown, why)


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
        with st.popover("Score, colours and levels", icon=":material/tune:"):
            by = inputs.segments("score", list(SCORES), format_func=SCORES.__getitem__)
            inputs.select("colour", colouring.choices(current.source), format_func=plain)
            levels = inputs.slider("depth", 21)
    with middle:
        more = fit_controls.of_method(method)
    spec = Spec(method, sigma, levels, spacing="geometric", **more)
    score: ScoreBy = "volume" if by == "volume" else "mass"
    return OutliersSettings(spec, percent / 100, score)


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
        downloads.ranking_button(current, shown)
    st.caption(
        "A higher anomaly score means more abnormal, and rank 1 is the most abnormal. Click a "
        "point or a row to see the reasons for its rank; click an empty location to score a new "
        "point there."
    )


def _pick(current: Current, rows: list[int]) -> None:
    """Select points, and forget the new point."""
    put(dict.fromkeys(NEW))
    select(current.fitted, rows)


def _names(current: Current) -> list[str]:
    """Return what each point is called in the list, beginning with its number."""
    source = current.source
    names = (plain(source.point_name(row), LONGEST_NAME) for row in range(source.n))
    return [
        name if name == f"point {row}" else f"point {row}: {name}" for row, name in enumerate(names)
    ]


def _pick_listed(current: Current) -> None:
    row = listed_number(st.session_state[POINT])
    _pick(current, [] if row is None else [row])


def _score_at(x: float, y: float) -> None:
    """Score a new point at a location."""
    put({key: float(f"{value:.4g}") for key, value in zip(NEW, (x, y), strict=True)})


def _content(current: Current, shown: OutliersResult, why: Explanation | None) -> PlaneData:
    data, flags, found = current.fitted, shown.flags, shown.found
    ranking, entry_map, source = found.ranking, found.entry_map, current.source
    points = current.plane.coordinates(data.X)
    rings = shown.boundary
    location = None if why is None else why.location
    first = ranking.order[: min(WRITTEN, flags.count)]
    by = inputs.setting("colour", colouring.SCORE)
    look = colouring.colouring(source, ranking, flags, by)
    return PlaneData(
        points=points,
        view=entry_map.grid.inner_box,
        kinds=look.kinds,
        kind_of=look.kind_of,
        shades=look.shades,
        names=[plain(source.point_name(row), LONGEST_NAME) for row in range(data.n)],
        notes=[
            f"rank {rank}, score {score_text(ranking, score)}{f', {tied} tied' if tied > 1 else ''}"
            for rank, tied, score in zip(ranking.rank, ranking.tied, ranking.score, strict=True)
        ],
        areas=[Area(rings, -1, dashed=True)] if len(rings) else [],
        threads=[] if why is None else _threads(points, why),
        labels=[(int(row), str(ranking.rank[row])) for row in first],
        chosen=selection(data).points if location is None else (),
        spot=location,
        axis_names=axis_names(data),
        title=look.title,
        name="Points by score" if by == colouring.SCORE else f"Points by {plain(by)}",
        alt=f"{data.n} points in the plane. {look.title}. {flags.count} are flagged as outliers, "
        f"{_boundary_in_words(current)}",
    )


def _boundary_in_words(current: Current) -> str:
    if current.plane_key == "slice":
        return "and the dashed line is the threshold in the slice through the mean."
    return "and the dashed line leaves them outside."


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
    form = {"score": "percent"} if ranking.score_by == "volume" else {}
    config = columns("outliers", "ranking", level=ranking.family.level_name)
    for name, style in form.items():
        config[name] = config[name] | {
            "type_config": config[name]["type_config"] | {"format": style}
        }
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
        column_config=config,
    )


def _picker(current: Current, shown: OutliersResult) -> tuple[float, float] | None:
    """Show fields for a point or a location; return the location of a new point, if any."""
    found, data = shown.found, current.fitted
    point = selection(data).point
    st.session_state[POINT] = NONE if point is None else point
    names = _names(current)
    left, *rest = st.columns([2, 1, 1], gap="medium")
    left.selectbox(
        "Point",
        [NONE, *found.ranking.order.tolist()],
        # Not the rank: an entry must mean the same point after a change of the width.
        format_func=lambda row: "none" if row == NONE else names[row],
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
