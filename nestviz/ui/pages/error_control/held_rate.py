"""A false alarm rate that is held: what it needs, and the classifier with the held threshold."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st

from nestviz.analysis.rate_scores import Rate, Score, neyman_pearson_score
from nestviz.arrays import FloatArray, IndexArray
from nestviz.data import Dataset
from nestviz.estimators import held_threshold, needed_negatives
from nestviz.estimators.error_control.classifiers import ErrorControl
from nestviz.ui.data_choice import Current
from nestviz.ui.pages.error_control import settings as setup
from nestviz.ui.pages.error_control.pictures import ClassifierResult
from nestviz.ui.pages.error_control.settings import ErrorControlSettings, GridSettings
from nestviz.ui.session.view import put
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.tables import columns

SURE = 0.05
"""Probability with which the held rate may be exceeded, at first."""
SHARES = range(10, 80, 10)
"""Shares of held-out points that the page offers, in per cent."""


@dataclass(frozen=True)
class Promise:
    """What is to be held, and the points that can hold it."""

    alpha: float  # The largest false alarm rate
    delta: float  # The probability with which it may be exceeded
    rows: IndexArray  # Rows of the negative points that set the threshold
    tested: IndexArray  # Rows of the other held-out points

    @property
    def needed(self) -> int:
        """The number of negative points that a guarantee needs."""
        return needed_negatives(self.alpha, self.delta)

    @property
    def possible(self) -> bool:
        """Whether there are enough points."""
        return len(self.rows) >= self.needed


@dataclass(frozen=True, eq=False)
class HeldRateResult:
    """The classifier of a cell with the held threshold, and the errors of both thresholds."""

    promise: Promise
    model: ErrorControl  # With the held threshold
    # The two thresholds on the decision value before any offset, and errors on the same points
    thresholds: tuple[float, float]
    scores: tuple[Score, Score]


def announce(
    current: Current, grid: GridSettings, settings: ErrorControlSettings
) -> Promise | None:
    """Say before the search what a guarantee needs and whether there are enough points."""
    if settings.alpha is None:
        return None
    left, right = st.columns([1, 2], gap="medium", vertical_alignment="center")
    with left:
        delta = inputs.slider("delta", SURE)
    data, aside = current.fitted, setup.parts_of(current.fitted, grid).aside
    held = setup.threshold_rows(np.asarray(data.y)[aside])
    promise = Promise(settings.alpha, delta, aside[held], np.delete(aside, held))
    with right:
        st.markdown(in_words(promise))
        if not promise.possible:
            _offer_more(current, grid, promise.needed)
    return promise


def _offer_more(current: Current, grid: GridSettings, needed: int) -> None:
    """Offer to hold out as many points as a guarantee needs, where that is possible."""
    percent = enough_held_out(current.fitted, grid, needed)
    if percent is not None:
        st.button(
            f"Hold out {percent}% of the points",
            key="hold-out-enough",
            icon=":material/verified:",
            on_click=put,
            args=({"aside": percent},),
            help="The least share with enough points for a guarantee. The others are searched "
            "again.",
        )


def enough_held_out(data: Dataset, grid: GridSettings, needed: int) -> int | None:
    """Return the least share of held-out points, in per cent, that allows a guarantee, if any."""
    for percent in SHARES:
        aside = setup.parts_of(data, replace(grid, aside=percent / 100)).aside
        if len(setup.threshold_rows(np.asarray(data.y)[aside])) >= needed:
            return percent
    return None


def in_words(promise: Promise) -> str:
    """Say what a guarantee needs, and what there is."""
    have = len(promise.rows)
    words = (
        f":material/verified: **Held, not estimated:** to keep false alarms at {promise.alpha:.0%} "
        f"or less with a probability of {1 - promise.delta:.0%}, a threshold needs "
        f"{promise.needed:,} points of class −1 that serve nothing else. Half of the held-out "
        f"points of that class are kept for it: you have {have:,}."
    )
    if promise.possible:
        return words
    return words + (
        " **Too few:** hold out more points (*Grid and folds*), allow more false alarms, or accept "
        "a larger probability of exceeding the limit. Below is the estimate alone."
    )


def evaluate(
    current: Current, promise: Promise | None, shown: ClassifierResult
) -> HeldRateResult | None:
    """Set the threshold by the points for it; None where there are too few."""
    if promise is None or not promise.possible or shown.test is None:
        return None
    data, plain = current.fitted, shown.model
    found = held_threshold(_scores(plain, data.X[promise.rows]), promise.alpha, promise.delta)
    model = copy(plain)
    # A point on the boundary is called positive: the threshold itself must not be.
    model.intercept_ = model.level_ = -float(np.nextafter(found, np.inf))
    X, y = data.X[promise.tested], np.asarray(data.y)[promise.tested]
    one, two = (neyman_pearson_score(y, m.predict(X), promise.alpha) for m in (plain, model))
    return HeldRateResult(promise, model, (-float(plain.intercept_), found), (one, two))


def _scores(model: ErrorControl, X: FloatArray) -> FloatArray:
    """Return decision values before any offset."""
    return np.asarray(model.family_.values(X, 0.0)).ravel()


def show(found: HeldRateResult | None) -> None:
    """Show both thresholds with their errors."""
    if found is None:
        return
    promise, (estimated, held) = found.promise, found.scores
    st.dataframe(
        table(found),
        key="thresholds",
        hide_index=True,
        column_config=columns("error_control", "thresholds"),
    )
    st.caption(
        f"Both on the same {estimated.false_alarm.n:,} points of class −1 and {held.miss.n:,} of "
        f"class +1, which set neither threshold; {held.confidence:.0%} intervals. The errors above "
        "are on all held-out points, so they may differ a little. Dashed in the "
        f"plane: the boundary of the held threshold. It is the order statistic of "
        f"{len(promise.rows):,} decision values, and holds for this classifier whatever the "
        "distribution; choosing a cell by this result would spoil it."
    )


def sentence(found: HeldRateResult) -> str:
    """Say what is proved, and what it costs."""
    promise, (one, two) = found.promise, found.scores
    return (
        f"**With the held threshold, at most {promise.alpha:.0%} of class −1 is called +1, with a "
        f"probability of {1 - promise.delta:.0%}.** On held-out points its misses are "
        f"{two.miss.value:.1%}, those of the estimated threshold {one.miss.value:.1%}: certainty "
        f"costs less the more points of class −1 set the threshold."
    )


def table(found: HeldRateResult) -> pd.DataFrame:
    """Return a row for each threshold."""
    names = ("estimated", "held")
    return pd.DataFrame(
        {
            "kind": name,
            "threshold": threshold,
            "false alarms": score.false_alarm.value,
            "alarms, interval": _interval(score.false_alarm),
            "misses": score.miss.value,
            "misses, interval": _interval(score.miss),
        }
        for name, threshold, score in zip(names, found.thresholds, found.scores, strict=True)
    )


def _interval(rate: Rate) -> str:
    low, high = rate.interval
    return f"{100 * low:.1f}–{100 * high:.1f}%"


def lines(found: HeldRateResult | None) -> tuple[str, ...]:
    """Return the lines of a script that set the same threshold."""
    if found is None:
        return ()
    promise = found.promise
    return (
        "",
        "# A threshold that holds the false alarm rate with high probability",
        "import numpy as np",
        "from nestviz.estimators import held_threshold",
        "negatives = np.flatnonzero(kept.y < 0)",
        f"order = np.random.default_rng({setup.SEED}).permutation(negatives)",
        "half = np.sort(order[: len(order) // 2])",
        "scores = model.family_.values(kept.X[half], 0.0).ravel()",
        f"threshold = held_threshold(scores, {promise.alpha!r}, {promise.delta!r})",
        'print(f"Called +1 above {threshold:.4g}, before the offset")',
    )
