"""ROC curves and the two rankings of the families on a two-class page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from nestviz.analysis.ranking import RankingScores, ranking_scores
from nestviz.analysis.roc import RocCurve, roc_curve
from nestviz.data import Dataset
from nestviz.ui import cache, keeping
from nestviz.ui.chart_clicks import selects
from nestviz.ui.current import Current
from nestviz.ui.methods import TWO_CLASS, Spec


@keeping.kept()
def _measured(fingerprint: str, _dataset: Dataset, spec: Spec) -> tuple[RocCurve, RankingScores]:
    family = cache.two_class_fit(fingerprint, _dataset, spec).family
    X, y = _dataset.X, np.asarray(_dataset.y)
    return roc_curve(family, X, y), ranking_scores(family, X)


def show(current: Current, specs: Sequence[Spec], level: float) -> None:
    """ROC of both families with the current asymmetry marked, and s+ against s− of the first."""
    from nestviz.figures.ranking import ranking_figure
    from nestviz.figures.roc import mark_operating_points, roc_figure

    data = current.fitted
    measured = [_measured(data.fingerprint, data, spec) for spec in specs]
    titles = [TWO_CLASS[spec.method].title for spec in specs]
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**ROC on these points**")
        curves = {title: roc for title, (roc, _) in zip(titles, measured, strict=True)}
        figure = mark_operating_points(roc_figure(curves), list(curves.values()), level)
        st.plotly_chart(figure, key="roc", height=380, alt="ROC curves of both families")
        st.caption(
            "On the training points: too optimistic for new ones. A curve that runs backwards "
            "belongs to sets that lose points as γ grows."
        )
    with right:
        st.markdown(f"**Two rankings: {titles[0]}**")
        scores = measured[0][1]
        st.plotly_chart(
            ranking_figure(scores),
            key="ranking",
            height=380,
            alt="The score s− against s+",
            on_select=selects(data, "ranking"),
            selection_mode="points",
        )
        st.caption(
            f"Ranking disagreement: {scores.disagreement:.1%} of the points are ranked "
            "ambiguously: the first set that contains them (s+) and the last set that does not "
            "(s−) order them differently against at least one other point. "
            f"{measured[1][1].disagreement:.1%} for the method on the right. Click a point to "
            "select it."
        )
