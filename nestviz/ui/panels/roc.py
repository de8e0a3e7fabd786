"""ROC curves and the two rankings of two-class families."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from nestviz.analysis.ranking import RankingScores, ranking_scores
from nestviz.analysis.roc import RocCurve, roc_curve
from nestviz.data import Dataset
from nestviz.families import SetFamily
from nestviz.ui.compute.methods import Spec
from nestviz.ui.data_choice import Current
from nestviz.ui.panels.sweep import SweepResult
from nestviz.ui.results import cache
from nestviz.ui.widgets.charts import chart, selects


@cache.kept()
def measured(data: Dataset, spec: Spec, _family: SetFamily) -> tuple[RocCurve, RankingScores]:
    """Return the ROC curve of a family on its training points, and their two rankings."""
    return roc_curve(_family, data.X, np.asarray(data.y)), ranking_scores(_family, data.X)


def show(current: Current, shown: SweepResult) -> dict[str, Any]:
    """Show the ROC curves at the asymmetry at rest and the two rankings of the first method.

    Returns both figures.
    """
    from nestviz.figures.ranking import ranking_figure
    from nestviz.figures.roc import mark_operating_points, roc_figure

    data = current.measured
    found = [measured(data, fitted.spec, fitted.family) for fitted in shown.fits]
    titles = [spec.title for spec in shown.specs]
    curves = {title: roc for title, (roc, _) in zip(titles, found, strict=True)}
    figure = mark_operating_points(roc_figure(curves), list(curves.values()), shown.level)
    scores = found[0][1]
    rankings = ranking_figure(scores)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**ROC on these points**")
        chart(figure, "roc", 380, _rates_in_words(curves, shown.level))
        st.caption(
            f"{_points_in_words(current)}: too optimistic for new ones. A curve that runs "
            "backwards belongs to sets that lose points as γ grows."
        )
    with right:
        st.markdown(f"**Two rankings: {titles[0]}**")
        again = int(np.sum(scores.s_plus > scores.s_minus))
        alt = (
            f"s+ − s− over s+ for {data.n} points: {again} lie above zero, "
            f"{int(scores.ambiguous.sum())} are ranked ambiguously"
        )
        chart(rankings, "ranking", 380, alt, _selects(current))
        st.caption(
            f"Above zero: {again} points that enter, leave, and enter again as γ grows. Ranked "
            f"ambiguously (×): {scores.disagreement:.1%} of the points. The first set that "
            "contains them (s+) and the last set that does not (s−) order them differently "
            "against at least one other point. "
            f"{found[1][1].disagreement:.1%} for the method on the right. {_last_words(current)}"
        )
    return {"ROC": figure, f"Two rankings: {titles[0]}": rankings}


def _rates_in_words(curves: Mapping[str, RocCurve], level: float) -> str:
    """Say where each curve is at the level that is shown."""
    parts = []
    for title, curve in curves.items():
        alarms, detections = curve.rates_at(level)
        parts.append(
            f"{title}, area {curve.area:.3f}, now at {alarms:.1%} false alarms and "
            f"{detections:.1%} detections"
        )
    return f"ROC curves at γ = {level:.3g}. {'; '.join(parts)}."


def _selects(current: Current) -> Any:
    """Return what a click on a point does: nothing for rows that are not drawn."""
    return selects(current.fitted, "ranking") if current.rows is None else None


def _points_in_words(current: Current) -> str:
    if current.rows is None:
        return "On the training points"
    return f"On a sample of {current.measured.n:,} rows, all of which were used for training"


def _last_words(current: Current) -> str:
    if current.rows is None:
        return "Click a point to select it."
    return f"Counted on a sample of {current.measured.n:,} rows."
