"""ROC curves and the two rankings of the families on a two-class page."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nestviz.analysis.ranking import RankingScores, ranking_scores
from nestviz.analysis.roc import RocCurve, roc_curve
from nestviz.data import Dataset
from nestviz.families import SetFamily
from nestviz.ui.compute.methods import Spec
from nestviz.ui.data_choice import Current
from nestviz.ui.panels.sweep import Shown
from nestviz.ui.results import cache
from nestviz.ui.widgets.chart_clicks import selects


@cache.kept()
def measured(data: Dataset, spec: Spec, _family: SetFamily) -> tuple[RocCurve, RankingScores]:
    """The ROC of a family on its training points, and their two rankings."""
    return roc_curve(_family, data.X, np.asarray(data.y)), ranking_scores(_family, data.X)


def show(current: Current, shown: Shown) -> None:
    """ROC of both families with the current asymmetry marked, and s+ against s− of the first."""
    from nestviz.figures.ranking import ranking_figure
    from nestviz.figures.roc import mark_operating_points, roc_figure

    data = current.fitted
    found = [measured(data, fitted.spec, fitted.family) for fitted in shown.fits]
    titles = [spec.title for spec in shown.specs]
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**ROC on these points**")
        curves = {title: roc for title, (roc, _) in zip(titles, found, strict=True)}
        figure = mark_operating_points(roc_figure(curves), list(curves.values()), shown.level)
        st.plotly_chart(figure, key="roc", height=380, alt="ROC curves of both families")
        st.caption(
            "On the training points: too optimistic for new ones. A curve that runs backwards "
            "belongs to sets that lose points as γ grows."
        )
    with right:
        st.markdown(f"**Two rankings: {titles[0]}**")
        scores = found[0][1]
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
            f"{found[1][1].disagreement:.1%} for the method on the right. Click a point to "
            "select it."
        )
