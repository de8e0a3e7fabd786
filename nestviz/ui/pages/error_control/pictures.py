"""The classifier that is looked at: in the plane, as a point of the ROC, and in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from nestviz.analysis.level_sweep import outline
from nestviz.ui.components.plane import Area, Kind, PlaneData, plane
from nestviz.ui.data_choice import Current
from nestviz.ui.pages.cluster_tree.pictures import axis_names
from nestviz.ui.pages.error_control.rate_table import Found
from nestviz.ui.pages.error_control.settings import Cell, Choice
from nestviz.ui.results import fits
from nestviz.ui.session.selection import select, selection
from nestviz.ui.widgets.metrics import figures_row

if TYPE_CHECKING:
    from nestviz.analysis.rate_scores import Rate, Score
    from nestviz.estimators.error_control.classifiers import ErrorControl

KINDS = (
    Kind("class +1", 0, "circle"),
    Kind("class −1", 1, "triangle"),
    Kind("misses", 3, "diamond"),
    Kind("false alarms", 2, "square"),
)


NAMES, WHAT = ("P_F", "P_M"), ("False alarms", "Misses")


@dataclass(frozen=True, eq=False)
class Looked:
    """The classifier of a cell, and what is known of its errors.

    Attributes
    ----------
    cell : Cell
        Places of σ, ν₊ and ν₋.
    model : ErrorControl
        Fitted to all points to learn from.
    rates : (float, float)
        P_F and P_M by cross-validation; smoothed where the choice was made by smoothed rates.
    test : Score or None
        On points held out, where there are some of both classes.
    """

    cell: Cell
    model: ErrorControl
    rates: tuple[float, float]
    test: Score | None


def look(current: Current, choice: Choice, found: Found, cell: Cell, model: ErrorControl) -> Looked:
    """Measure a classifier."""
    search, data = found.search, current.fitted
    rates = float(search.false_alarm[cell]), float(search.miss[cell])
    if not np.isfinite(rates).all():
        rates = float(found.table.false_alarm[cell]), float(found.table.miss[cell])
    aside = found.parts.aside
    y = np.asarray(data.y)[aside]
    both = bool(np.any(y == 1) and np.any(y == -1))
    test = choice.score(y, model.predict(data.X[aside])) if both else None
    return Looked(cell, model, rates, test)


def show_plane(current: Current, found: Found, looked: Looked) -> None:
    """Points by class and mistake on the set that is called +1."""
    rows = np.sort(np.concatenate([found.parts.learn, found.parts.aside]))
    plane(
        _content(current, found, looked, rows),
        key="error-plane",
        on_rows=lambda picked: select(current.fitted, [int(rows[row]) for row in picked]),
        height=430,
    )


def _content(current: Current, found: Found, looked: Looked, rows: Any) -> PlaneData:
    data, model = current.fitted, looked.model
    grid = fits.grid(data, current.plane)
    field = model.family_.values(grid, model.level_).reshape(grid.shape)
    X, y = data.X[rows], np.asarray(data.y)[rows]
    values = model.decision_function(X)
    wrong = (values >= 0) != (y > 0)
    place_of = {int(row): place for place, row in enumerate(rows)}
    learned = np.isin(rows, found.parts.learn)
    return PlaneData(
        points=current.plane.coordinates(X),
        view=grid.box,
        kinds=KINDS,
        kind_of=np.where(y > 0, 0, 1) + 2 * wrong,
        areas=[Area(outline(field, grid), 0)],
        chosen=[place_of[r] for r in selection(data).points if r in place_of],
        notes=[
            f"point {row}, {'training' if known else 'held out'}, decision value {value:.3g}"
            for row, known, value in zip(rows, learned, values, strict=True)
        ],
        axis_names=axis_names(current),
        title="Shaded: called +1",
        name="The classifier in the plane",
        alt=f"{len(rows)} points of two classes; the shaded set is called +1. "
        f"{int((wrong & (y > 0)).sum())} misses and {int((wrong & (y < 0)).sum())} false alarms.",
    )


def roc(current: Current, choice: Choice, found: Found, looked: Looked) -> Any:
    """The ROC of the classifier, on points held out where there are some."""
    from nestviz.analysis.roc import roc_curve
    from nestviz.figures.rate_points import operating_figure

    data = current.fitted
    rows = found.parts.learn if looked.test is None else found.parts.aside
    curve = roc_curve(looked.model.family_, data.X[rows], np.asarray(data.y)[rows])
    name = "training points" if looked.test is None else "points held out"
    return operating_figure(
        curve, name, found.search, looked.rates, alpha=choice.alpha, test=looked.test
    )


def show_roc(figure: Any) -> None:
    """The ROC with the operating point."""
    figure.update_layout(legend={"y": -0.2, "yanchor": "top"}, margin={"b": 40})
    st.plotly_chart(
        figure,
        key="error_roc",
        height=470,
        alt="ROC of the classifier as its offset moves, with its operating point, the limit, and "
        "all settings of the search",
        config={"displaylogo": False},
    )


def numbers(found: Found, looked: Looked) -> None:
    """Rates with their intervals, and what the classifier is."""
    table, model, test = found.table, looked.model, looked.test
    rows = [
        (f"{name} estimated", f"{rate:.1%}", f"{what} by cross-validation, as it was chosen by.")
        for name, what, rate in zip(NAMES, WHAT, looked.rates, strict=True)
    ]
    if test is not None:
        rows += [
            (f"{name} held out", _with_interval(rate), f"{what} among {rate.n} points kept "
             f"aside, with its {test.confidence:.0%} interval (Clopper–Pearson).")
            for name, what, rate in zip(NAMES, WHAT, (test.false_alarm, test.miss), strict=True)
        ]  # fmt: skip
    rows += [
        (
            "(ν₊, ν₋)",
            f"{model.nu_plus_:.3g}, {model.nu_minus_:.3g}",
            f"The cell that is looked at, at σ = {model.sigma_:.3g}.",
        ),
        (
            "SVMs needed",
            f"{found.search.solves:,}",
            f"{table.folds} for each cell that this search looks at. The whole table has "
            f"{table.solves:,}, of which {table.unsettled} ended before their tolerance.",
        ),
    ]
    for cell, (label, value, words) in zip(figures_row(len(rows)), rows, strict=True):
        cell.metric(label, value, help=words)
    st.caption(
        f"Certificate of the classifier: relative duality gap {model.duality_gap_:.1e}.",
        help="How far the solution can be from the optimum of its problem.",
    )


def _with_interval(rate: Rate) -> str:
    low, high = rate.interval
    return f"{rate.value:.1%} ({100 * low:.1f}–{100 * high:.1f})"


def warnings(choice: Choice, found: Found, looked: Looked) -> None:
    """What may be wrong with what is shown, in sentences."""
    table = found.table
    if not table.complete:
        known = int(np.isfinite(table.miss).any(axis=(1, 2)).sum())
        st.warning(
            f"A part of the table only: {known} of {len(table.sigmas)} widths have rates. The best "
            "of them need not be the best of all.",
            icon=":material/hourglass_bottom:",
        )
    if looked.model.is_trivial_:
        st.warning(
            "This classifier is trivial: with so few margin errors allowed the classes cannot be "
            "separated at this width, and every point is called −1. Take larger values of ν, or a "
            "smaller σ.",
            icon=":material/report:",
        )
    if choice.alpha is not None and found.search.rates[0] > choice.alpha:
        st.warning(
            f"No setting that was searched has an estimated P_F of at most {choice.alpha:g}: the "
            f"one of the lowest, {found.search.rates[0]:.3g}, was taken. Allow more false alarms, "
            "or search a finer grid.",
            icon=":material/report:",
        )
    st.info(_caveat(choice, table.n_minus, looked), icon=":material/balance:")


def _caveat(choice: Choice, n_minus: int, looked: Looked) -> str:
    limit = "Both rates are noisy, and the best of many looks better than it is"
    if choice.alpha is not None:
        sign = "≤" if looked.rates[0] <= choice.alpha else ">"
        limit = f"P_F {sign} {choice.alpha:g} holds for an estimate from {n_minus} points"
    said = f"**An estimate is no guarantee.** {limit}; new points may do worse."
    if looked.test is None:
        return said + " Keep points aside to see by how much."
    low, high = looked.test.false_alarm.interval
    return said + (
        f" On {looked.test.false_alarm.n} points of class −1 held out P_F is "
        f"{looked.test.false_alarm.value:.3g}, and with 95 % confidence the true rate is between "
        f"{low:.3g} and {high:.3g}."
    )
