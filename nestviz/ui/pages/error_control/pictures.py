"""The classifier of a cell: in the plane, as a point of the ROC, and in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from nestviz.analysis.level_sweep import outline
from nestviz.analysis.rate_scores import Rate, Score
from nestviz.analysis.roc import roc_curve
from nestviz.arrays import IndexArray
from nestviz.estimators.error_control.classifiers import ErrorControl
from nestviz.figures.rate_points import operating_figure
from nestviz.grids import Grid
from nestviz.number_words import in_words
from nestviz.ui.components.plane import Area, Kind, PlaneData, plane
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.pages.error_control.rate_table import ErrorControlResult, model_of
from nestviz.ui.pages.error_control.settings import Cell
from nestviz.ui.results import fits
from nestviz.ui.session.selection import select, selection
from nestviz.ui.widgets.charts import chart
from nestviz.ui.widgets.metrics import metrics

KINDS = (
    Kind("class +1", 0, "circle"),
    Kind("class −1", 1, "triangle"),
    Kind("misses", 3, "diamond"),
    Kind("false alarms", 2, "square"),
)


@dataclass(frozen=True, eq=False)
class ClassifierResult:
    """The classifier of a cell, and its errors."""

    cell: Cell  # Indices of σ, ν₊ and ν₋
    model: ErrorControl  # Fitted to the training set
    # False alarm and miss rate by cross-validation; smoothed where the choice was
    rates: tuple[float, float]
    test: Score | None  # On held-out points, where there are some of both classes


def evaluate(current: Current, found: ErrorControlResult, cell: Cell) -> ClassifierResult:
    """Train the classifier of a cell, and measure its errors."""
    model = model_of(current, found, cell)
    search, data = found.search, current.fitted
    rates = float(search.false_alarm[cell]), float(search.miss[cell])
    if not np.isfinite(rates).all():
        rates = float(found.table.false_alarm[cell]), float(found.table.miss[cell])
    aside = found.parts.aside
    y = np.asarray(data.y)[aside]
    both = bool(np.any(y == 1) and np.any(y == -1))
    test = found.settings.score(y, model.predict(data.X[aside])) if both else None
    return ClassifierResult(cell, model, rates, test)


def show_plane(
    current: Current,
    found: ErrorControlResult,
    shown: ClassifierResult,
    held: ErrorControl | None = None,
) -> None:
    """Show the points by class and error, on the set that is called +1.

    The boundary of ``held``, the classifier with another threshold, is dashed.
    """
    rows = np.sort(np.concatenate([found.parts.learn, found.parts.aside]))
    plane(
        _content(current, found, shown, rows, held),
        key="error-plane",
        on_rows=lambda picked: select(current.fitted, [int(rows[row]) for row in picked]),
        height=430,
    )


def _content(
    current: Current,
    found: ErrorControlResult,
    shown: ClassifierResult,
    rows: IndexArray,
    held: ErrorControl | None,
) -> PlaneData:
    data, model = current.fitted, shown.model
    grid = fits.grid(data, current.plane)
    areas = [Area(_rings(model, grid), 0)]
    title, dashed = "Shaded: called +1", ""
    if held is not None:
        areas.append(Area(_rings(held, grid), -1, dashed=True))
        title += ". Dashed: with the held threshold"
        dashed = " The dashed line is the boundary of the held threshold."
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
        areas=areas,
        chosen=[place_of[r] for r in selection(data).points if r in place_of],
        notes=[
            f"point {row}, {'training' if known else 'held out'}, decision value {value:.3g}"
            for row, known, value in zip(rows, learned, values, strict=True)
        ],
        axis_names=axis_names(data),
        title=title,
        name="The classifier in the plane",
        alt=f"{len(rows)} points of two classes; the shaded set is called +1. "
        f"{int((wrong & (y > 0)).sum())} misses and {int((wrong & (y < 0)).sum())} false alarms."
        + dashed,
    )


def _rings(model: ErrorControl, grid: Grid) -> Any:
    """Return rings around the set that a classifier calls +1."""
    return outline(model.family_.values(grid, model.level_).reshape(grid.shape), grid)


def roc(current: Current, found: ErrorControlResult, shown: ClassifierResult) -> Any:
    """Return the ROC of the classifier, on held-out points where there are some."""
    data, tested = current.fitted, shown.test is not None
    rows = found.parts.aside if tested else found.parts.learn
    curve = roc_curve(shown.model.family_, data.X[rows], np.asarray(data.y)[rows])
    name = "held-out points" if tested else "training points"
    return operating_figure(
        curve, name, found.search, shown.rates, alpha=found.settings.alpha, test=shown.test
    )


def show_roc(figure: Any, shown: ClassifierResult) -> None:
    """Show the ROC with the operating point."""
    figure.update_layout(legend={"y": -0.2, "yanchor": "top"}, margin={"b": 40})
    alt = (
        "ROC of the classifier as its offset moves, with the limit and all settings of the search. "
        f"Its operating point: {shown.rates[0]:.1%} false alarms and {shown.rates[1]:.1%} misses "
        f"at ν₊ = {shown.model.nu_plus_:.3g}, ν₋ = {shown.model.nu_minus_:.3g}."
    )
    chart(figure, "error_roc", 470, alt)


def numbers(found: ErrorControlResult, shown: ClassifierResult) -> None:
    """Show the rates with their intervals, and the parameters of the classifier."""
    table, model, test = found.table, shown.model, shown.test
    values = {"false_alarm": f"{shown.rates[0]:.1%}", "miss": f"{shown.rates[1]:.1%}"}
    insert: dict[str, Any] = {}
    if test is not None:
        values["test_false_alarm"] = _with_interval(test.false_alarm)
        values["test_miss"] = _with_interval(test.miss)
        insert = {"negatives": test.false_alarm.n, "positives": test.miss.n}
        insert["confidence"] = test.confidence
    values["nu"] = f"{model.nu_plus_:.3g}, {model.nu_minus_:.3g}"
    values["solves"] = f"{found.search.solves:,}"
    metrics(
        "pages/error_control",
        values,
        compact=True,
        sigma=model.sigma_,
        folds=table.folds,
        whole=table.solves,
        unsettled=table.unsettled,
        **insert,
    )
    st.caption(
        f"Certificate of the classifier: relative duality gap {in_words(model.duality_gap_)}.",
        help="How far the solution can be from the optimum of its problem.",
    )


def _with_interval(rate: Rate) -> str:
    low, high = rate.interval
    return f"{rate.value:.1%} ({100 * low:.1f}–{100 * high:.1f})"


def warnings(found: ErrorControlResult, shown: ClassifierResult) -> None:
    """Show what may be wrong with the result."""
    table, alpha = found.table, found.settings.alpha
    if not table.complete:
        known = int(np.isfinite(table.miss).any(axis=(1, 2)).sum())
        st.warning(
            f"The table is incomplete: {known} of {len(table.sigmas)} widths have rates. The best "
            "of them need not be the best of all.",
            icon=":material/hourglass_bottom:",
        )
    if shown.model.is_trivial_:
        st.warning(
            "This classifier is trivial: with so few margin errors allowed the classes cannot be "
            "separated at this width, and every point is called −1. Choose larger values of ν, or "
            "a smaller σ.",
            icon=":material/report:",
        )
    if alpha is not None and found.search.rates[0] > alpha:
        st.warning(
            f"No setting of the search has an estimated false alarm rate of {alpha:.3g} or less: "
            f"the one with the lowest, {found.search.rates[0]:.3g}, was chosen. Allow more false "
            "alarms, or search a finer grid.",
            icon=":material/report:",
        )
