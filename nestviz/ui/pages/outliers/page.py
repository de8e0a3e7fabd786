"""The Outliers page: a ranked table and the plane, with one selection for both."""

from __future__ import annotations

from collections.abc import Sequence
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
from nestviz.ui.compute.entry_maps import RankingResult
from nestviz.ui.compute.methods import ONE_CLASS, Fitted, Spec
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.page_frame import page
from nestviz.ui.pages.outliers import (
    advice,
    all_rows,
    colouring,
    discoveries,
    downloads,
    filtering,
    in_short,
    own_file,
    rank_intervals,
    reasons,
    tables,
)
from nestviz.ui.pages.outliers.explanation import Explanation
from nestviz.ui.pages.outliers.results import (
    WRITTEN,
    Filter,
    OutliersResult,
    OutliersSettings,
    point_name,
    score_digits,
    score_text,
    scored,
)
from nestviz.ui.panels import certificate, fit_controls
from nestviz.ui.results import fits
from nestviz.ui.session.selection import listed_number
from nestviz.ui.session.view import put
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.inputs import NONE
from nestviz.ui.widgets.tables import columns, selectable_table

TABLE = "ranking"
HEIGHT = 350
"""Height of the picture and of the table in pixels."""
POINT = "outlier_point"
NEW = ("new_x", "new_y")
FILTER_HELP = "List only points with some values of a column; ranks stay those among all points."
SMALL = 1e-4
"""Smaller levels are too long for their column unless they are written with an exponent."""
SCORES = {"mass": "share of points", "volume": "volume"}


@page("Outliers")
def render(current: Current) -> None:
    """Render the page."""
    own_file.show(current)
    settings, listed = _controls(current)
    fitted = fits.fit(current.fitted, settings.spec)
    whole, found, listed = _ranked(current, fitted, listed)
    found = scored(found, settings.score)
    flags = flag_outliers(found.ranking, settings.contamination)
    pictures, below, details, certain, selecting = (st.container() for _ in range(5))
    many = current.rows is not None
    with selecting:
        judged = None if many else discoveries.controls(current, settings.spec)
    intervals = None if many else rank_intervals.known(current, settings.spec)
    more = discoveries.columns(judged)
    shown = OutliersResult(settings, found, flags, listed, more, intervals)
    drawn = all_rows.narrowed(whole, shown)
    with below:
        location = _picker(*drawn)
    chosen, why = all_rows.selected(whole), None
    if location is not None:
        why = Explanation.at(found, current.plane, location, whole)
    elif chosen:
        why = Explanation.of_row(found, chosen[0], whole)
    with pictures:
        advice.show(current, shown)
        in_short.show(whole, shown, why)
        _pictures(whole, shown, drawn, why)
        certificate.show(current, [fitted])
    with details:
        if why is not None:
            why.show_numbers(shown.flags)
            if why.row >= 0:
                reasons.show(whole, shown, why.row)
            why.show_levels()
        tables.numbers(whole, shown)
    with certain:
        waiting = None if many else rank_intervals.show(current, settings.spec)
    with selecting:
        discoveries.show(current, judged)
    if many:
        st.caption(all_rows.FOR_A_SAMPLE)
    data_warnings.show(current)
    code = (*discoveries.lines(current, judged), *rank_intervals.lines(intervals))
    downloads.exports(current, whole, fitted, shown, drawn, why, code)
    rank_intervals.complete(current, settings.spec, waiting)


def _ranked(
    current: Current, fitted: Fitted, listed: Filter
) -> tuple[Current, RankingResult, Filter]:
    """Return the points that are ranked, their ranking, and which are listed."""
    if current.rows is not None:
        return all_rows.ranked(current, fitted, listed)
    data = current.fitted
    title = f"Ranking {data.n:,} points"
    return current, fits.analyse(data, current.plane, fitted, entry_maps.rank, title), listed


def _controls(current: Current) -> tuple[OutliersSettings, Filter]:
    left, middle, right = st.columns(3, gap="medium")
    with left:
        method = fit_controls.method(
            "method", ONE_CLASS, "nested one-class SVM", page="outliers", label="Score by"
        )
        with st.popover("Score, colours and levels", icon=":material/tune:"):
            by = inputs.segments("score", list(SCORES), format_func=SCORES.__getitem__)
            inputs.select("colour", colouring.choices(all_rows.named(current)), format_func=plain)
            levels = inputs.slider("depth", 21)
    with middle:
        sigma = fit_controls.width(current)
    with right:
        percent = inputs.slider("contamination", 5.0)
        with st.popover("Filter", icon=":material/filter_alt:", help=FILTER_HELP):
            listed = filtering.choose(all_rows.named(current))
    with middle:
        more = fit_controls.of_method(method)
    spec = Spec(method, sigma, levels, spacing="geometric", **more)
    score: ScoreBy = "volume" if by == "volume" else "mass"
    return OutliersSettings(spec, percent / 100, score), listed


def _pictures(
    whole: Current,
    shown: OutliersResult,
    drawn: tuple[Current, OutliersResult],
    why: Explanation | None,
) -> None:
    current, few = drawn
    left, right = st.columns([3, 5], gap="small")
    with left:
        plane(
            _content(current, few, why),
            key="outlier-plane",
            on_rows=lambda rows: _pick(current, rows),
            on_place=_score_at,
            height=HEIGHT,
        )
    with right:
        _table(current, few)
        filtering.show_sentence(shown.listed)
        all_rows.show_sentence(current, whole)
        downloads.ranking_button(whole, shown)


def _pick(current: Current, rows: list[int]) -> None:
    """Select points, and forget the new point."""
    put(dict.fromkeys(NEW))
    all_rows.pick(current, rows)


def _names(current: Current) -> list[str]:
    """Return what each point is called in the list: a row of the file, or a number."""
    return [plain(point_name(current, row), LONGEST_NAME) for row in range(current.source.n)]


def _pick_listed(current: Current, names: Sequence[str]) -> None:
    value = st.session_state[POINT]
    # An entry that the list no longer has comes back as its text.
    if isinstance(value, str):
        row = names.index(value) if value in names else None
    else:
        row = listed_number(value)
    _pick(current, [] if row is None else [row])


def _score_at(x: float, y: float) -> None:
    """Score a new point at a location."""
    put({key: float(f"{value:.4g}") for key, value in zip(NEW, (x, y), strict=True)})


def _content(current: Current, shown: OutliersResult, why: Explanation | None) -> PlaneData:
    data, flags, found = current.fitted, shown.flags, shown.found
    ranking, entry_map, source = found.ranking, found.entry_map, current.source
    chosen = all_rows.selected(current)
    points = current.plane.coordinates(data.X)
    rings = shown.boundary
    location = None if why is None else why.location
    first = shown.listed.of(ranking.order[: flags.count])[:WRITTEN]
    by = inputs.setting("colour", colouring.SCORE)
    look = colouring.colouring(source, ranking, flags, by, shown.listed.kept)
    return PlaneData(
        points=points,
        view=entry_map.grid.inner_box,
        kinds=look.kinds,
        kind_of=look.kind_of,
        shades=look.shades,
        names=[plain(point_name(current, row), LONGEST_NAME) for row in range(data.n)],
        notes=[
            f"rank {rank}, score {score_text(ranking, score)}{f', {tied} tied' if tied > 1 else ''}"
            for rank, tied, score in zip(ranking.rank, ranking.tied, ranking.score, strict=True)
        ],
        areas=[Area(rings, -1, dashed=True)] if len(rings) else [],
        threads=[] if why is None else _threads(current, points, chosen, why),
        labels=[(int(row), str(ranking.rank[row])) for row in first],
        chosen=chosen if location is None else (),
        spot=location,
        axis_names=axis_names(data),
        title=look.title,
        name="Points by score" if by == colouring.SCORE else f"Points by {plain(by)}",
        alt=f"{data.n} points in the plane. {look.title}. {flags.count} are flagged as outliers, "
        f"{_boundary_in_words(current)} {plain(shown.listed.sentence, 1000)}".strip(),
    )


def _boundary_in_words(current: Current) -> str:
    if current.plane_key == "slice":
        return "and the dashed line is the threshold in the slice through the mean."
    return "and the dashed line leaves them outside."


def _threads(
    current: Current, points: FloatArray, chosen: Sequence[int], why: Explanation
) -> list[Thread]:
    """Return lines to the supporting points, thicker for larger contributions."""
    start = points[chosen[0]] if why.location is None else why.location
    supports, itself = why.ranked.supports, why.row
    if supports is not None:
        points, itself = current.plane.coordinates(supports.X), -1
    largest = max(float(np.abs(why.contributions.values).max(initial=0.0)), 1e-300)
    return [
        Thread(start, points[rows[0]], abs(given) / largest, pushes=given < 0)
        for rows, given in zip(why.contributions.rows, why.contributions.values, strict=True)
        if rows.size and itself not in rows
    ]


def _table(current: Current, shown: OutliersResult) -> None:
    """Show the ranking; its rows and the points share one selection."""
    ranking = shown.found.ranking
    order = shown.listed.of(ranking.order)
    digits = score_digits(ranking)
    form = {"score": "percent" if ranking.score_by == "volume" else f"%.{digits}f"}
    if 0.0 < ranking.level.min() < SMALL:
        form["level"] = "scientific"
    config = columns("outliers", "ranking", level=ranking.family.level_name)
    for name, style in form.items():
        config[name] = config[name] | {
            "type_config": config[name]["type_config"] | {"format": style}
        }
    config["score"] |= {"width": config["score"]["width"] + 8 * (digits - 3)}
    place = {int(row): number for number, row in enumerate(order)}
    selectable_table(
        rank_intervals.with_intervals(
            tables.ranked_table(current, shown.found, shown.flags, shown.listed, shown.more),
            shown.intervals,
            order,
            ends=False,
        ),
        TABLE,
        (order,),
        [place[row] for row in all_rows.selected(current) if row in place],
        lambda rows: _pick(current, [int(order[row]) for row in rows]),
        height=HEIGHT,
        selection_mode="multi-row",
        column_config=config,
    )


def _picker(current: Current, shown: OutliersResult) -> tuple[float, float] | None:
    """Show fields for a point or a location; return the location of a new point, if any."""
    found, data = shown.found, current.fitted
    chosen = all_rows.selected(current)
    st.session_state[POINT] = chosen[0] if chosen else NONE
    names = _names(current)
    left, *rest = st.columns([2, 1, 1], gap="medium")
    left.selectbox(
        "Point",
        [NONE, *found.ranking.order.tolist()],
        # Not the rank: an entry must mean the same point after a change of the width.
        format_func=lambda row: "none" if row == NONE else names[row],
        key=POINT,
        on_change=lambda: _pick_listed(current, names),
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
