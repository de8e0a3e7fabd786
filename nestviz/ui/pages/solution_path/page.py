"""The Solution path page: coefficients along the level, and the margin at the current one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from nestviz.arrays import FloatArray
from nestviz.data import Dataset
from nestviz.ui.compute.methods import METHODS, Fitted, Kind, Spec
from nestviz.ui.data_choice import Current
from nestviz.ui.results import cache, fits
from nestviz.ui.session.selection import follow_level, keep_level_share, selection
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.chart_clicks import selects

SAMPLES = 300
"""Levels at which the lines of a path are drawn; it has more breakpoints than pixels."""


@dataclass(frozen=True, eq=False)
class PathPair:
    """The un-nested path and the nested solution of the same problem."""

    path: Fitted
    nested: Fitted

    @property
    def level_name(self) -> str:
        """What the level is called."""
        return self.path.family.level_name

    @property
    def top(self) -> float:
        """The level that shares refer to."""
        return 1.0 if self.path.spec.two_classes else float(self.path.estimator.breakpoints_[0])

    @property
    def nodes(self) -> FloatArray:
        """Levels of the nested SVM, in the order of its coefficients."""
        return self.nested.family.levels[:: self.nested.family.orientation]

    def sampled(self) -> FloatArray:
        """Levels at which the lines of the path are drawn."""
        return np.linspace(1e-6 * self.top, self.top, SAMPLES)


def solve(data: Dataset, kind: Kind, sigma: float, levels: int, lam: float) -> PathPair:
    """The path and the nested SVM: the first two methods of the problem."""
    path, nested = list(METHODS[kind])[:2]
    return PathPair(
        *(fits.fit(data, Spec(name, sigma, levels, lam, kind=kind)) for name in (path, nested))
    )


def level_control(kind: Kind) -> float:
    """The level as a share of the largest; the one last looked at on another page, at first."""
    follow_level("at", kind, lambda share: round(share, 2), tolerance=0.005)
    share = inputs.slider(
        "at",
        "Level, as a share of the largest",
        0.3,
        step=0.01,
        help="Moves the dashed line, and the margin on the right with it.",
    )
    keep_level_share(kind, share, shown_by="at")
    return share


def show(current: Current, pair: PathPair, share: float) -> None:
    """Both pictures at one level, given as a share of the largest."""
    level = level_of(pair, share)
    left, right = st.columns([3, 2], gap="large")
    with left:
        _coefficients(current, pair, level)
    with right:
        _plane(current, pair, level)


def level_of(pair: PathPair, share: float) -> float:
    """The level at a share of the largest; never quite zero, where one-class sets have no end."""
    return max(share, 1e-6) * pair.top


@cache.kept()
def _panels(
    data: Dataset, path: Spec, nested: Spec, _pair: PathPair
) -> list[tuple[str, FloatArray, FloatArray]]:
    sampled, solution = _pair.sampled(), _pair.path.estimator
    return [
        (
            f"plain path, {solution.breakpoints_.size:,} breakpoints",
            sampled,
            solution.coefficients(sampled),
        ),
        (f"nested, {_pair.nodes.size} levels", _pair.nodes, _pair.nested.estimator.alpha_),
    ]


def _coefficients(current: Current, pair: PathPair, level: float) -> None:
    from nestviz.figures.solution_path import path_figure

    data = current.fitted
    panels = _panels(data, pair.path.spec, pair.nested.spec, pair)
    chosen = selection(data).points
    figure = path_figure(
        panels, pair.level_name, level, pair.path.estimator.breakpoints_, chosen, clickable=True
    )
    st.plotly_chart(
        figure,
        key="path",
        height=520,
        alt=f"Coefficients of all points along the {pair.level_name}: many short pieces above, few "
        "long ones below",
        config={"displaylogo": False},
        on_select=selects(data, "path"),
        selection_mode="points",
    )


def _plane(current: Current, pair: PathPair, level: float) -> None:
    from nestviz.analysis.level_sweep import outline
    from nestviz.figures.solution_path import sets_figure

    data, path = current.fitted, pair.path.estimator
    grid = fits.grid(data, current.plane)
    rings = outline(path.family_.values(grid, level).reshape(grid.shape), grid)
    codes = path.sets(level)
    names = data.feature_names if data.d == 2 else ("direction 1", "direction 2")
    one_class = not pair.path.spec.two_classes
    figure = sets_figure(
        grid.plane.coordinates(data.X),
        codes,
        rings,
        (names[0], names[1]),
        selection(data).points,
        one_class=one_class,
    )
    st.plotly_chart(
        figure,
        key="margin",
        height=520,
        alt="Points by the set they are in at this level, and the boundary",
        config={"displaylogo": False},
        on_select=selects(data, "margin"),
        selection_mode="points",
    )
    inside, margin, beyond = (int(np.count_nonzero(codes == code)) for code in (0, 1, 2))
    st.caption(
        f"{pair.level_name} = {level:.3g}: {margin} points on the margin, {beyond} beyond it"
        + (" (inside the set)" if one_class else "")
        + f", {inside} inside it"
        + (" (outside the set)" if one_class else "")
        + ", with their coefficient at its bound. Click a line or a point to select it."
    )
