"""The line of numbers under a picture."""

from __future__ import annotations

import streamlit as st

from nestviz.data import Dataset
from nestviz.families import SetFamily
from nestviz.grids import Plane
from nestviz.ui.compute.measures import Measures, measures
from nestviz.ui.compute.methods import Fitted, Spec
from nestviz.ui.data_choice import Current
from nestviz.ui.panels.sweep import Shown
from nestviz.ui.results import cache
from nestviz.ui.widgets.metrics import figures_row


@cache.kept("Measuring …")
def kept_measures(data: Dataset, plane: Plane, spec: Spec, _family: SetFamily) -> Measures:
    """How far a family is from being nested; the same on every page."""
    return measures(_family, data.X, plane)


def show(current: Current, shown: Shown) -> None:
    """Numbers of each family at the level at rest."""
    data, plane = current.fitted, current.plane
    for column, fitted in zip(st.columns(len(shown.fits), gap="medium"), shown.fits, strict=True):
        with column:
            st.markdown(f"**{fitted.spec.title}**")
            _row(fitted, kept_measures(data, plane, fitted.spec, fitted.family), shown.level)


def _row(fitted: Fitted, found: Measures, level: float) -> None:
    cells = figures_row(3)
    none, counted = found.by_construction, ""
    if not none:
        counted = f" Exact in the level, on {found.pixels} × {found.pixels} pixels."
    cells[0].metric(
        "Violated area",
        "none" if none else f"{found.violated:.1%}",
        help="The share of the picture that is inside at some level and outside a larger set. "
        "Nested sets have no such region, by construction." + counted,
    )
    cells[1].metric(
        "Ranks that clash",
        "none" if none else f"{found.disagreement:.1%}",
        help="Ranking disagreement: the share of the points that the first set with the point (s+) "
        "and the last set without it (s−) put in opposite order with some other point.",
    )
    cells[2].metric(
        "Support vectors",
        f"{fitted.support(level):,}",
        help="Points with a coefficient other than zero at the level where the player rests.",
    )
    pieces = f"{fitted.breakpoints:,} breakpoints" if fitted.breakpoints > 1 else "one breakpoint"
    st.caption(
        f"Certificate: {fitted.certificate}; {pieces}.",
        help="How far the solution can be from the optimum of its problem, measured: "
        "the residual of the optimality conditions, or the gap between primal and dual. Between "
        "breakpoints everything is linear in the level.",
    )
