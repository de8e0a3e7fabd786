"""Advice on the width σ beside the ranking, with a button that sets a better one."""

from __future__ import annotations

import streamlit as st

from nestviz.ui import data_warnings
from nestviz.ui.data_choice import Current
from nestviz.ui.pages.outliers.results import OutliersResult
from nestviz.ui.pages.outliers.tables import share_a_rank
from nestviz.ui.results import fits
from nestviz.ui.session.view import put

MANY_TIED = 3
"""As many points that tie at the top are too many to tell which is the most abnormal."""
NOTICEABLE = 1.05
"""A width advised is larger by this factor at least."""


def show(current: Current, shown: OutliersResult) -> None:
    """Show why the width is too small or too large for a ranking, and a better one."""
    data, sigma = current.fitted, shown.settings.spec.sigma
    unit = fits.median_distance(data)
    share = sigma / unit if unit > 0 else 0.0
    sentences = list(data_warnings.of_width_of(data, sigma))
    advised = data_warnings.advised_share(data, sigma)
    tied = int(shown.found.ranking.tied[shown.found.ranking.order[0]])
    if not sentences and tied >= MANY_TIED and advised > NOTICEABLE * share:
        order = (
            "They share a rank."
            if share_a_rank(shown.found.ranking)
            else "They are ordered by the field, and then by the distance to the nearest point."
        )
        sentences = [
            f"{tied:,} points tie at the top: σ is too narrow to distinguish them by their levels. "
            f"{order} At σ = {advised * unit:.3g}, 19 of 20 points have a neighbour within σ."
        ]
    for sentence in sentences:
        _warn(sentence, advised, unit)


def _warn(sentence: str, share: float, unit: float) -> None:
    st.warning(sentence, icon=":material/report:")
    rounded = float(f"{share:.3g}")
    st.button(
        f"Use σ = {rounded * unit:.3g}",
        key="outliers-better-width",
        icon=":material/auto_fix_high:",
        on_click=put,
        args=({"width": rounded},),
        help=f"{rounded:g} median distances between points",
    )
