"""The row of numbers below a player."""

from __future__ import annotations

import streamlit as st

from nestviz.data import Dataset
from nestviz.families import SetFamily
from nestviz.grids import Plane
from nestviz.ui.compute.measures import Measures, measures
from nestviz.ui.compute.methods import Fitted, Spec
from nestviz.ui.data_choice import Current
from nestviz.ui.panels.sweep import SweepResult
from nestviz.ui.results import cache
from nestviz.ui.widgets.metrics import metrics


@cache.kept("Measuring …")
def kept_measures(
    data: Dataset, points: Dataset, plane: Plane, spec: Spec, _family: SetFamily
) -> Measures:
    """Return the measures of a family; the same on every page."""
    return measures(_family, data.X, plane, points.X)


def show(current: Current, shown: SweepResult) -> None:
    """Show the numbers of each family at the level at rest."""
    data, points, plane = current.fitted, current.measured, current.plane
    for column, fitted in zip(st.columns(len(shown.fits), gap="medium"), shown.fits, strict=True):
        with column:
            st.markdown(f"**{fitted.spec.title}**")
            found = kept_measures(data, points, plane, fitted.spec, fitted.family)
            _row(fitted, found, shown.level)


def _row(fitted: Fitted, found: Measures, level: float) -> None:
    none, counted = found.by_construction, ""
    if not none:
        counted = f" Exact in the level, on {found.pixels} × {found.pixels} pixels."
    values = {
        "violated": "none" if none else f"{found.violated:.1%}",
        "disagreement": "none" if none else f"{found.disagreement:.1%}",
        "support": f"{fitted.support(level):,}",
    }
    metrics("panels", values, compact=True, counted=counted)
    pieces = f"{fitted.breakpoints:,} breakpoints" if fitted.breakpoints > 1 else "one breakpoint"
    st.caption(
        f"Certificate: {fitted.certificate}; {pieces}.",
        help="A measured bound on the distance of the solution from the optimum: the residual of "
        "the optimality conditions, or the gap between primal and dual. Between breakpoints "
        "everything is linear in the level.",
    )
