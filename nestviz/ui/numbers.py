"""The line of numbers under a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from nestviz.analysis.nesting import nesting_report
from nestviz.analysis.ranking import ranking_disagreement
from nestviz.data import Dataset
from nestviz.grids import Grid, Plane
from nestviz.ui import cache, keeping
from nestviz.ui.current import Current
from nestviz.ui.methods import ONE_CLASS, TWO_CLASS, Fit, Spec
from nestviz.ui.metric_rows import figures_row
from nestviz.ui.multipliers import solved
from nestviz.ui.sweep_view import Shown

PIXELS = 75
"""Pixels along each side on which the violated area is counted, for up to `FULL` points; longer
paths are walked on fewer, so that the time stays about the same."""
FULL = 400


@dataclass(frozen=True)
class Measures:
    """How far a family is from being nested.

    Attributes
    ----------
    nested : bool
        Whether nothing can cross, by construction; the rest is zero then.
    area : float
        Share of the picture whose membership is not monotone in the level.
    disagreement : float
        Share of the points that s+ and s− rank differently.
    pixels : int
        Along each side, where the area was counted.
    """

    nested: bool
    area: float
    disagreement: float
    pixels: int


def one_class(current: Current, specs: Sequence[Spec], shown: Shown) -> None:
    """Numbers of each one-class family at the level at rest."""
    data = current.fitted
    fits = [cache.one_class_fit(data.fingerprint, data, spec) for spec in specs]
    _table(current, [ONE_CLASS[spec.method].title for spec in specs], specs, fits, shown, False)


def two_class(current: Current, specs: Sequence[Spec], shown: Shown) -> None:
    """Numbers of each two-class family at the asymmetry at rest."""
    data = current.fitted
    fits = [cache.two_class_fit(data.fingerprint, data, spec) for spec in specs]
    _table(current, [TWO_CLASS[spec.method].title for spec in specs], specs, fits, shown, True)


@keeping.kept("Measuring …")
def measures(
    fingerprint: str,
    plane_key: str,
    spec: Spec,
    two_classes: bool,
    _data: Dataset,
    _plane: Plane,
    _fit: Fit,
) -> Measures:
    """Exact in the level: no level is left out. Nested families need no look at all."""
    if _fit.family.is_nested:
        return Measures(True, 0.0, 0.0, 0)
    pixels = max(30, int(PIXELS * min(1.0, np.sqrt(FULL / _data.n))))
    region = Grid.around(_data.X, resolution=pixels, plane=_plane)
    report = nesting_report(_fit.family, region)
    disagreement = ranking_disagreement(_fit.family, _data.X)
    return Measures(False, report.share, disagreement, pixels)


def _table(
    current: Current,
    titles: Sequence[str],
    specs: Sequence[Spec],
    fits: Sequence[Fit],
    shown: Shown,
    two_classes: bool,
) -> None:
    data = current.fitted
    columns = st.columns(len(titles), gap="medium")
    for column, title, spec, fit in zip(columns, titles, specs, fits, strict=True):
        with column:
            st.markdown(f"**{title}**")
            found = measures(
                data.fingerprint, current.plane_key, spec, two_classes, data, current.plane, fit
            )
            _row(fit, found, shown.level)


def _row(fit: Fit, found: Measures, level: float) -> None:
    cells = figures_row(3)
    counted = (
        "" if found.nested else f" Exact in the level, on {found.pixels} × {found.pixels} pixels."
    )
    cells[0].metric(
        "Violated area",
        "none" if found.nested else f"{found.area:.1%}",
        help="The share of the picture that is inside at some level and outside a larger set. "
        "Nested sets have no such region, by construction." + counted,
    )
    cells[1].metric(
        "Ranks that clash",
        "none" if found.nested else f"{found.disagreement:.1%}",
        help="Ranking disagreement: the share of the points that the first set with the point (s+) "
        "and the last set without it (s−) put in opposite order with some other point.",
    )
    cells[2].metric(
        "Support vectors",
        _support(fit, level),
        help="Points with a coefficient other than zero at the level where the player rests.",
    )
    pieces = f"{fit.breakpoints:,} breakpoints" if fit.breakpoints > 1 else "one breakpoint"
    st.caption(
        f"Certificate: {fit.certificate}; {pieces}.",
        help="How far the solution can be from the optimum of its problem, measured: "
        "the residual of the optimality conditions, or the gap between primal and dual. Between "
        "breakpoints everything is linear in the level.",
    )


def _support(fit: Fit, level: float) -> str:
    coefficients = solved(fit.family).at(level).coefficients
    return f"{np.count_nonzero(coefficients):,}"
