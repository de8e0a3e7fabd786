"""The Solution path page: coefficients along the level, and the margin at the current one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nestviz.data import Dataset
from nestviz.ui import cache
from nestviz.ui.current import Current

FloatArray = NDArray[np.float64]
SAMPLES = 300
"""Levels at which the lines of a path are drawn; it has more breakpoints than pixels."""


@dataclass(frozen=True, eq=False)
class PathPair:
    """The un-nested path and the nested solution of the same problem."""

    path: Any
    nested: Any
    nodes: FloatArray
    level_name: str
    top: float


@st.cache_resource(max_entries=cache.FITS, show_spinner="Solving …")
def one_class(fingerprint: str, _dataset: Dataset, sigma: float, levels: int) -> PathPair:
    """Over the density level."""
    from nestviz.estimators import NestedOneClassSVM, OneClassPath

    path = OneClassPath(sigma).fit(_dataset.X)
    nested = NestedOneClassSVM(sigma, levels).fit(_dataset.X)
    top = float(path.breakpoints_[0])
    return PathPair(path, nested, nested.levels_, "density level λ", top)


@st.cache_resource(max_entries=cache.FITS, show_spinner="Solving …")
def two_class(
    fingerprint: str, _dataset: Dataset, sigma: float, levels: int, lam: float
) -> PathPair:
    """Over the cost asymmetry."""
    from nestviz.estimators import CostSensitivePath, NestedCostSensitiveSVM

    X, y = _dataset.X, np.asarray(_dataset.y)
    path = CostSensitivePath(sigma, lam).fit(X, y)
    nested = NestedCostSensitiveSVM(sigma, lam, levels).fit(X, y)
    return PathPair(path, nested, nested.asymmetries_, "cost asymmetry γ", 1.0)


def show(current: Current, pair: PathPair, share: float) -> None:
    """Both pictures at one level, given as a share of the largest."""
    level = max(share, 1e-6) * pair.top
    left, right = st.columns([3, 2], gap="large")
    with left:
        _coefficients(pair, level)
    with right:
        _plane(current, pair, level)


def _coefficients(pair: PathPair, level: float) -> None:
    from nestviz.figures.solution_path import path_figure

    path, nested = pair.path, pair.nested
    levels = np.linspace(1e-6 * pair.top, pair.top, SAMPLES)
    panels = [
        (
            f"un-nested path, {path.breakpoints_.size:,} breakpoints",
            levels,
            path.coefficients(levels),
        ),
        (f"nested, {pair.nodes.size} levels", pair.nodes, nested.alpha_),
    ]
    figure = path_figure(panels, pair.level_name, level, path.breakpoints_)
    st.plotly_chart(
        figure,
        key="path",
        height=520,
        alt=f"Coefficients of all points along the {pair.level_name}: many short pieces above, few "
        "long ones below",
        config={"displaylogo": False},
    )


def _plane(current: Current, pair: PathPair, level: float) -> None:
    from nestviz.analysis.sweeps import outline
    from nestviz.figures.solution_path import sets_figure

    data, path = current.fitted, pair.path
    grid = cache.grid(data.fingerprint, current.plane_key, data, current.plane)
    rings = outline(path.family_.values(grid, level).reshape(grid.shape), grid)
    codes = path.sets(level)
    names = data.feature_names if data.d == 2 else ("direction 1", "direction 2")
    figure = sets_figure(grid.plane.coordinates(data.X), codes, rings, (names[0], names[1]))
    st.plotly_chart(
        figure,
        key="margin",
        height=520,
        alt="Points by the set they are in at this level, and the boundary",
        config={"displaylogo": False},
    )
    inside, margin, beyond = (int(np.count_nonzero(codes == code)) for code in (0, 1, 2))
    st.caption(
        f"{pair.level_name} = {level:.3g}: {margin} points on the margin, {beyond} beyond it, "
        f"{inside} inside it, with their coefficient at its bound."
    )
