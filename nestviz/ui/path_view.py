"""The Solution path page: coefficients along the level, and the margin at the current one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nestviz.data import Dataset
from nestviz.ui import cache, jobs, keeping, widgets
from nestviz.ui.chart_clicks import selects
from nestviz.ui.current import Current
from nestviz.ui.selection import Kind, follow_level, keep_level_share, selection
from nestviz.ui.work import path_pairs
from nestviz.ui.work.path_pairs import PathPair

FloatArray = NDArray[np.float64]
SAMPLES = 300
"""Levels at which the lines of a path are drawn; it has more breakpoints than pixels."""


def one_class(fingerprint: str, data: Dataset, sigma: float, levels: int) -> PathPair:
    """Over the level λ."""
    return _solved(path_pairs.one_class, fingerprint, data.n, data.X, sigma, levels)


def two_class(fingerprint: str, data: Dataset, sigma: float, levels: int, lam: float) -> PathPair:
    """Over the cost asymmetry."""
    y = np.asarray(data.y)
    return _solved(path_pairs.two_class, fingerprint, data.n, data.X, y, sigma, levels, lam)


def _solved(solve: Callable[..., PathPair], fingerprint: str, n: int, *arguments: Any) -> PathPair:
    """At once, or in a worker process where there are many points."""
    numbers = tuple(value for value in arguments if not isinstance(value, np.ndarray))
    title = "Solving: the path, then the nested SVM"
    key = (fingerprint, numbers)
    return jobs.run_if_long(n > cache.LONG_PATH, key, solve, *arguments, title=title)


def level_control(kind: Kind) -> float:
    """The level as a share of the largest; the one last looked at on another page, at first."""
    follow_level("at", kind, lambda share: round(share, 2), tolerance=0.005)
    share = widgets.slider(
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


@keeping.kept()
def _panels(
    fingerprint: str, sigma: float, levels: int, lam: float | None, _pair: PathPair
) -> list[tuple[str, FloatArray, FloatArray]]:
    path, nested = _pair.path, _pair.nested
    sampled = np.linspace(1e-6 * _pair.top, _pair.top, SAMPLES)
    return [
        (
            f"plain path, {path.breakpoints_.size:,} breakpoints",
            sampled,
            path.coefficients(sampled),
        ),
        (f"nested, {_pair.nodes.size} levels", _pair.nodes, nested.alpha_),
    ]


def _coefficients(current: Current, pair: PathPair, level: float) -> None:
    from nestviz.figures.solution_path import path_figure

    data = current.fitted
    lam = getattr(pair.path, "lam", None)
    panels = _panels(data.fingerprint, pair.path.sigma, pair.nodes.size, lam, pair)
    chosen = selection(data).points
    figure = path_figure(
        panels, pair.level_name, level, pair.path.breakpoints_, chosen, clickable=True
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
    from nestviz.analysis.sweeps import outline
    from nestviz.figures.solution_path import sets_figure

    data, path = current.fitted, pair.path
    grid = cache.grid(data.fingerprint, current.plane_key, data, current.plane)
    rings = outline(path.family_.values(grid, level).reshape(grid.shape), grid)
    codes = path.sets(level)
    names = data.feature_names if data.d == 2 else ("direction 1", "direction 2")
    one_class = getattr(path, "lam", None) is None
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
