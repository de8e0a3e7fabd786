"""Features of a point by how unusual they are."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from nestviz import escaping
from nestviz.analysis.feature_profiles import FeatureProfile
from nestviz.figures.theme import BLUE, NEUTRAL, VERMILION, quiet_axes

LIMIT = 3.5
"""Robust z-scores beyond this are outlying by the rule of Iglewicz & Hoaglin (1993)."""


def feature_bars_figure(profile: FeatureProfile, most: int = 12) -> go.Figure:
    """Draw the robust z-scores of the features of a point as bars, the most unusual on top.

    Parameters
    ----------
    profile : FeatureProfile
        From `feature_profile`.
    most : int
        Number of features drawn.

    Returns
    -------
    Figure
    """
    shown = profile.order[:most]
    z = profile.robust_z[shown]
    unusual = np.abs(z) > LIMIT
    names = [
        f"{escaping.plotly(profile.names[j], 24)} <b>{profile.values[j]:.4g}</b>"
        f" (median {profile.medians[j]:.4g})"
        for j in shown
    ]
    bars = go.Bar(
        x=z,
        y=np.arange(len(shown)),
        orientation="h",
        marker={
            "color": np.where(unusual, VERMILION, BLUE).tolist(),
            "pattern": {"shape": np.where(unusual, "/", "").tolist(), "fgcolor": "white"},
        },
        hovertext=[f"{p:.1f}% of the points are below" for p in profile.percentiles[shown]],
        hoverinfo="text+x",
    )
    figure = quiet_axes(go.Figure(bars), "robust z", "")
    figure.update_yaxes(
        tickvals=np.arange(len(shown)), ticktext=names, autorange="reversed", automargin=True
    )
    reach = 1.15 * max(LIMIT, float(np.abs(z).max(initial=0.0)))
    figure.update_xaxes(range=[-reach, reach])
    for limit in (-LIMIT, LIMIT):
        figure.add_vline(x=limit, line={"color": NEUTRAL, "width": 1, "dash": "dash"})
    return figure.update_layout(showlegend=False, bargap=0.35)
