"""Small examples for the Theory page: a few dozen points, solved once and cached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nestviz.analysis.level_sweep import points_inside, sweep
from nestviz.arrays import FloatArray
from nestviz.data import make_sample
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.kernels import GaussianKernel, Kernel, PolynomialKernel, median_distance
from nestviz.ui.scene.scene import Layer, Panel, Scale, Scene

FRAMES = 60
PIXELS = 90
WIDTH = 0.5
"""Kernel width as a share of the median distance; sets of these points cross well with it."""
LAM = 0.3
KERNELS: dict[str, Kernel] = {
    "linear ⟨x, x′⟩": PolynomialKernel(1, offset=0.0),
    "cubic ⟨x, x′⟩³": PolynomialKernel(3, offset=0.0),
    "quadratic (⟨x, x′⟩ + 1)²": PolynomialKernel(2),
    "Gaussian": GaussianKernel(0.6),
}


@dataclass(frozen=True, eq=False)
class Tiny:
    """Forty points with labels, sixty new ones, and solutions that several chapters share."""

    X: FloatArray
    y: NDArray[np.int8]
    fresh: FloatArray
    sigma: float
    grid: Grid
    path: Any
    nested: Any
    cost_path: Any

    @property
    def top(self) -> float:
        """The level above which all coefficients are at their bound."""
        return float(self.path.breakpoints_[0])

    def levels(self, count: int = FRAMES, lowest: float = 0.02) -> FloatArray:
        """Return levels λ, descending."""
        return np.linspace(0.98, lowest, count) * self.top


@st.cache_resource(show_spinner=False)
def tiny() -> Tiny:
    """Return the points of most chapters."""
    from nestviz.estimators import CostSensitivePath, NestedOneClassSVM, OneClassPath

    sample = make_sample("banana", 2, n=40)
    X, y = sample.X, np.asarray(sample.y)
    sigma = WIDTH * median_distance(X)
    return Tiny(
        X,
        y,
        make_sample("banana", 5, n=60).X,
        sigma,
        Grid.around(X, resolution=PIXELS),
        OneClassPath(sigma).fit(X),
        NestedOneClassSVM(sigma, 5).fit(X),
        CostSensitivePath(sigma, LAM).fit(X, y),
    )


@st.cache_resource(max_entries=16, show_spinner=False)
def problem(two_classes: bool) -> Scene:
    """Return sets and coefficients of either problem along its level."""
    mini = tiny()
    if two_classes:
        levels = np.linspace(0.0, 1.0, FRAMES)
        alpha, family = mini.cost_path.coefficients(levels), mini.cost_path.family_
    else:
        levels = mini.levels()
        alpha, family = mini.path.coefficients(levels), mini.path.family_
    active = np.count_nonzero(alpha, axis=1)
    return _scene(
        {"": family},
        Scale(family.level_name, levels, levels),
        size_scale=LAM if two_classes else len(mini.X),
        captions=[f"{count} of {len(mini.X)} points have a coefficient" for count in active],
        y=mini.y if two_classes else None,
        shown=("outline", "fill", "sizes"),
        alt="Points as large as their coefficients, and the set that they make, level by level",
    )


@st.cache_resource(max_entries=8, show_spinner=False)
def chains(count: int) -> list[tuple[str, FloatArray, FloatArray]]:
    """Return coefficients at the same levels, solved one by one and together."""
    from nestviz.estimators import NestedOneClassSVM

    mini = tiny()
    levels = mini.levels(count, lowest=0.1)
    together = NestedOneClassSVM(mini.sigma, levels).fit(mini.X)
    return [
        ("one by one (5)", levels, mini.path.coefficients(levels)),
        ("together (12)–(14)", levels, together.alpha_),
    ]


@st.cache_resource(max_entries=8, show_spinner=False)
def between() -> Scene:
    """Return the sets between two neighbouring levels of a nested one-class SVM."""
    mini = tiny()
    high, low = mini.nested.levels_[2], mini.nested.levels_[3]
    shares = np.linspace(1.0, 0.0, 41)
    levels = shares * high + (1 - shares) * low
    inside = points_inside(mini.nested.family_, mini.X, levels).mean(axis=1)
    words = [f"ε = {share:.2f}; {part:.0%} of the points inside or on the boundary"
             for share, part in zip(shares, inside, strict=True)]  # fmt: skip
    return _scene(
        {"": mini.nested.family_},
        Scale("level λ", levels, levels),
        captions=words,
        shown=("outline", "fill", "levels"),
        alt="The set at a level between two others, and the outlines of those two",
        ghosts=2,
        start=20,
    )


@st.cache_resource(max_entries=8, show_spinner=False)
def kernel_sets(name: str) -> Scene:
    """Return sets whose coefficients satisfy the constraints (8) and (9), for any kernel."""
    from nestviz.solvers.nested.solve import solve_cost_sensitive

    rng = np.random.default_rng(3)
    X = np.vstack([rng.normal((1, 0), 0.55, (20, 2)), rng.normal((0, -1), 0.55, (20, 2))])
    y = np.repeat([1.0, -1.0], 20)
    kernel, gammas = KERNELS[name], np.linspace(0.0, 1.0, 6)
    solution = solve_cost_sensitive(kernel.gram(X, X), y, np.ones(40), 1.0, gammas)
    family = SetFamily(gammas, solution.alpha * y, np.zeros(6), X, kernel, 1)
    grid = Grid.around(X, resolution=PIXELS, margin=0.3)
    # The sets at γ = 0 and γ = 1 are empty or everything.
    levels = np.linspace(0.02, 0.98, FRAMES)
    return _scene(
        {"": family},
        Scale("cost asymmetry γ", levels, levels, "2f"),
        y=y,
        X=X,
        grid=grid,
        start=FRAMES - 1,
        alt=f"Positive sets with the {name} kernel over the cost asymmetry",
    )


@st.cache_resource(max_entries=8, show_spinner=False)
def union() -> Scene:
    """Return the sets of the path, and their successive unions."""
    mini = tiny()
    family, levels = mini.path.family_, mini.levels()
    shares = sweep(family, mini.grid, mini.X, levels).broken_share
    return _scene(
        {"sets of the path": family, "their successive unions": family.union()},
        Scale("level λ", levels, levels),
        captions=[f"the union adds {share:.1%} of the picture" for share in shares],
        start=int(shares.argmax()),
        alt="Sets of the one-class SVM path and their unions, level by level",
    )


@st.cache_resource(max_entries=4, show_spinner=False)
def bandwidths() -> Any:
    """Return the integrated volume over twelve widths, for sixty points in three clusters."""
    from nestviz.estimators import NestedOneClassSVM
    from nestviz.volume import select_bandwidth

    X = make_sample("multi", 0, n=60).X
    sigmas = median_distance(X) * np.geomspace(0.05, 1.5, 12)
    return select_bandwidth(X, NestedOneClassSVM(levels=7), sigmas, n_jobs=1)


def _scene(
    families: Mapping[str, SetFamily],
    scale: Scale,
    *,
    alt: str,
    captions: Sequence[str] = (),
    size_scale: float | None = None,
    y: NDArray[Any] | None = None,
    X: FloatArray | None = None,
    grid: Grid | None = None,
    shown: Sequence[Layer] = ("outline", "fill", "overlay"),
    start: int = 30,
    ghosts: int = 0,
) -> Scene:
    """Return the content of an example's player."""
    mini = tiny()
    points, where = mini.X if X is None else X, grid or mini.grid
    classes = np.zeros(len(points), np.uint8) if y is None else np.where(y < 0, 1, 0)
    return Scene(
        panels=[
            Panel(title, points, classes, family, size_scale=size_scale)
            for title, family in families.items()
        ],
        scale=scale,
        captions=captions,
        view=where.inner_box,
        alt=alt,
        axis_names=("x1", "x2"),
        class_names=("points",) if y is None else ("class +1", "class −1"),
        overlay_name="was inside, now outside",
        shown=shown,
        start=start,
        ghosts=ghosts,
    )
