"""Details of one selected point: its coefficient, the levels at which it is inside, its rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from nestviz.analysis.outliers import OutlierRanking
from nestviz.analysis.ranking import ranking_scores
from nestviz.arrays import FloatArray
from nestviz.data import Dataset
from nestviz.escaping import LONGEST_NAME, markdown
from nestviz.families import SetFamily
from nestviz.ui.compute import entry_maps
from nestviz.ui.compute.methods import Fitted, Kind, Spec
from nestviz.ui.data_choice import Current
from nestviz.ui.results import cache, fits
from nestviz.ui.session.selection import clear, select, selection
from nestviz.ui.widgets.charts import chart
from nestviz.ui.widgets.metrics import metrics

if TYPE_CHECKING:
    from nestviz.figures.point_card import PointPath

SAMPLES = 400
"""Levels between breakpoints at which a coefficient is drawn."""
RANKED = 1_500
"""Up to this many points, paths of thousands of breakpoints are ranked too."""
INVITATION = (
    "Click a point in the picture, or type its number, to see its coefficient, the levels at which "
    "it is inside, and its rank."
)
CAPTIONS: dict[Kind, str] = {
    "one class": "Above, the coefficient as a share of its upper bound, with its breakpoints. "
    "Below, the levels at which the point is inside; more than one interval violates nesting. The "
    "dashed line is the level shown.",
    "two classes": "Above, the coefficient, whose bound is γ for class +1 and 1 − γ for class −1. "
    "Below, the asymmetries at which the point is called +1. The dashed line is the γ shown.",
}


def pick(current: Current, invitation: str = INVITATION) -> int | None:
    """Show a field for the number of a point; return the point selected on any page.

    The invitation is shown beside the field while nothing is selected.
    """
    data = current.fitted
    chosen = selection(data)
    field, button, words = st.columns([2, 1, 5], vertical_alignment="bottom", gap="small")
    # Written only where it differs: what is written replaces what is being typed.
    if st.session_state.get("point_number") != chosen.point:
        st.session_state["point_number"] = chosen.point
    field.number_input(
        "Point",
        min_value=0,
        max_value=data.n - 1,
        value=None,
        key="point_number",
        placeholder="none",
        on_change=lambda: _take_number(data),
        help="The row of a point, counted from 0. Clicking a point in a picture does the same; the "
        "selection is shared by all pages.",
    )
    button.button(
        "Clear", key="point_clear", on_click=clear, args=(data,), disabled=chosen.point is None,
        help="Select nothing.",
    )  # fmt: skip
    words.caption(_description(data, chosen.points) or invitation)
    return chosen.point


def show(current: Current, fits: Sequence[Fitted], level: float, top: float) -> None:
    """Show the card of the selected point, with the results of each family."""
    row = pick(current)
    if row is None:
        return
    data, spec = current.fitted, fits[0].spec
    ends = (0.0, 1.0) if spec.two_classes else (1e-4 * top, 1.05 * top)
    facts, picture = st.columns([5, 6], gap="medium")
    paths = [_path(data, row, fitted, np.linspace(*ends, SAMPLES)) for fitted in fits]
    with picture:
        _figure(paths, level, fits[0].family.level_name, (0.0, ends[1]), row)
        st.caption(CAPTIONS[spec.kind])
    with facts:
        for fitted, path in zip(fits, paths, strict=True):
            st.markdown(f"**{fitted.spec.title}**")
            values = (_scores if spec.two_classes else _ranks)(data, row, fitted)
            values["intervals"] = f"{len(path.intervals)}"
            tied = _tied(data, row, fitted) if "rank" in values else 0
            metrics("panels", values, compact=True, n=data.n, tied=tied)


def _take_number(data: Dataset) -> None:
    number = st.session_state["point_number"]
    select(data, [] if number is None else [number])


def _description(data: Dataset, points: Sequence[int]) -> str:
    if not points:
        return ""
    row = points[0]
    features = ", ".join(
        f"{markdown(name, LONGEST_NAME)} = {value:.4g}"
        for name, value in list(zip(data.feature_names, data.own_units[row], strict=True))[:4]
    )
    named = markdown(data.point_name(row), LONGEST_NAME)
    named = f"Point {row}" if named == f"point {row}" else f"Point {row}, {named}"
    more = f"; the first of {len(points)} selected points" if len(points) > 1 else ""
    label = "" if data.y is None else f", class {'+1' if data.y[row] > 0 else '−1'}"
    return f"{named}: {features}{' …' if data.d > 4 else ''}{label}{more}."


def _path(data: Dataset, row: int, fitted: Fitted, levels: FloatArray) -> PointPath:
    from nestviz.figures.point_card import PointPath

    nodes = fitted.breakpoints_of(row)
    nodes = nodes[(nodes >= levels[0]) & (nodes <= levels[-1])]
    every = np.union1d(levels, nodes)
    alpha = fitted.shares_of_bound(every)[:, row]
    inside = fitted.family.intervals(data.X[[row]])[0]
    at_nodes = alpha[np.searchsorted(every, nodes)]
    return PointPath(fitted.spec.title, every, alpha, nodes, at_nodes, inside)


def _figure(
    paths: Sequence[PointPath], level: float, name: str, ends: tuple[float, float], row: int
) -> None:
    from nestviz.figures.point_card import point_figure

    letter = name.split(" ")[-1]
    here = "; ".join(_at_level(path, level) for path in paths)
    alt = (
        f"Coefficient of point {row} along the {name}, and the levels at which it is inside. "
        f"At {letter} = {level:.3g}: {here}."
    )
    chart(point_figure(paths, level, name, ends), "point_path", 330, alt)


def _at_level(path: PointPath, level: float) -> str:
    """Say the coefficient at a level, and whether the point is inside."""
    share = float(np.interp(level, path.levels, path.alpha))
    inside = any(low <= level <= high for low, high in path.intervals)
    return f"{path.title}, {share:.0%} of the bound, {'inside' if inside else 'outside'}"


@cache.kept()
def ranking(data: Dataset, spec: Spec, _family: SetFamily) -> OutlierRanking:
    """Return the outlier ranking of all points, as on the Outliers page."""
    return entry_maps.ranking_of(_family, data.X, fits.top_level(data, spec.sigma))


def _ranks(data: Dataset, row: int, fitted: Fitted) -> dict[str, str]:
    if data.weights is not None:
        st.caption("A centre stands for many rows; the Outliers page ranks the rows themselves.")
        return {"enters": _number(float(fitted.family.first_level(data.X[[row]])[0]))}
    if data.n > RANKED and fitted.breakpoints > data.n:
        st.caption(f"Ranks along a whole path are computed for up to {RANKED:,} points.")
        return {}
    found = ranking(data, fitted.spec, fitted.family)
    return {
        "rank": f"{found.rank[row]:,}",
        "score": f"{found.score[row]:.3f}",
        "enters": _number(found.level[row]),
    }


def _tied(data: Dataset, row: int, fitted: Fitted) -> int:
    return int(ranking(data, fitted.spec, fitted.family).tied[row])


def _scores(data: Dataset, row: int, fitted: Fitted) -> dict[str, str]:
    scores = ranking_scores(fitted.family, data.X[[row]])
    return {"s_plus": _number(scores.s_plus[0]), "s_minus": _number(scores.s_minus[0])}


def _number(value: float) -> str:
    if np.isfinite(value):
        return f"{value:.3g}"
    return "never" if value < 0 else "always"
