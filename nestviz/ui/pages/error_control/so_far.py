"""A search while it runs: both error rates as they come in, and the best setting so far."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from nestviz.drawing.rates_so_far import rate_map, rate_points
from nestviz.estimators.error_control.search import LINES
from nestviz.palette import THEMES
from nestviz.ui.compute.rates import RatesSoFar
from nestviz.ui.pages.error_control.settings import ErrorControlSettings


def show(settings: ErrorControlSettings, found: RatesSoFar) -> None:
    """Draw the rates at the width computed now, and all settings known by now."""
    table, place = found.shown, found.place
    known = int(np.isfinite(table.miss).sum())
    if not known:
        return
    strategy = settings.strategy if settings.strategy in LINES else "grid"
    best = replace(settings, strategy=strategy).classifier().choose(table)
    alarm, miss = best.rates
    theme = THEMES[st.context.theme.type or "light"]
    st.markdown(
        f"**So far**, the best of {known:,} settings has {alarm:.1%} false alarms and {miss:.1%} "
        f"misses, at σ = {best.sigma:.3g}. It is not the final choice."
    )
    at = f"at σ = {table.sigmas[place]:.3g}, so far"
    pictures = {
        f"False alarms {at}": rate_map(table.false_alarm[place], theme),
        f"Misses {at}": rate_map(table.miss[place], theme),
        "All settings so far": rate_points(
            table.false_alarm, table.miss, theme, best=(alarm, miss), alpha=settings.alpha
        ),
    }
    for column, (title, picture) in zip(st.columns(3), pictures.items(), strict=True):
        with column:
            st.markdown(title)
            st.image(picture, width="stretch", alt=_alt(title, settings.alpha))
    limit = "" if settings.alpha is None else " Dashed: the limit."
    st.caption(
        "Maps: dark is 0, bright is 1; empty cells are not computed yet. Each dot is a setting; "
        f"the ring is the best so far.{limit}"
    )


def _alt(title: str, alpha: float | None) -> str:
    if title.startswith("All"):
        limit = "" if alpha is None else f", and the limit {alpha:g} of false alarms dashed"
        return f"False alarm rate against 1 − miss rate of each setting, the best ringed{limit}"
    return f"{title}: a map over ν₊ and ν₋ that fills in while the search runs"
