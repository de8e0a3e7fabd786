"""Variants of the one-class SVM over ν: families, scenes and numbers, without Streamlit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from nestviz.arrays import FloatArray, IntArray
from nestviz.data import Dataset
from nestviz.estimators.nu_sweep import family_over_nu
from nestviz.estimators.soft_ball import BallKernel
from nestviz.families import SetFamily
from nestviz.grids import Grid, Plane
from nestviz.kernels import GaussianKernel
from nestviz.ui.compute.tasks import Report
from nestviz.ui.scene.point_names import point_names
from nestviz.ui.scene.scene import Knob, Layer, Panel, Scale, Scene
from nestviz.ui.scene.view_box import shown_box

LOWEST, HIGHEST = 0.02, 0.98
"""The ends of the slider: below, hardly any set changes; above, hardly any point is inside."""
STOPS = 49
SOLVED, SOLVED_LIVE = 25, 13
"""Values of ν that are solved, at rest and while a knob moves; sets between are interpolated."""
UNIFORM = 200
"""Points drawn uniformly from the box of the data, to separate from their mean."""
Kind = Literal["ball", "outliers", "mean"]


@dataclass(frozen=True)
class Variant:
    """Two estimators side by side, hashable, as the key of a cache."""

    kind: Kind
    sigma: float
    degree: int = 0  # Of the polynomial kernel; 0 for the Gaussian one
    rows: tuple[int, ...] = ()  # The points that are known outliers, or to separate from
    uniform: bool = False  # Whether to separate from uniform points instead
    before: bool = False  # Whether the left side is trained on known outliers like on all others

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of both estimators, without ν."""
        if self.degree:
            return {"kernel": "polynomial", "degree": self.degree}
        return {"sigma": self.sigma}

    def turned(self, knobs: Mapping[str, float], unit: float) -> Variant:
        """Return the variant at another width; ``unit`` is the length of a width of 1."""
        return replace(self, sigma=knobs["width"] * unit) if "width" in knobs else self

    def normal(self, n: int) -> IntArray:
        """Return the rows of the training points."""
        return np.setdiff1d(np.arange(n), self.rows)


@dataclass(frozen=True)
class Side:
    """One of the two: an estimator, by its public name, and further arguments of its fit."""

    title: str
    estimator: str
    rows: IntArray  # Of the training points
    given: Mapping[str, FloatArray]

    def unfitted(self, variant: Variant) -> Any:
        """Return the estimator."""
        import nestviz

        return getattr(nestviz, self.estimator)(**variant.parameters)


@dataclass(frozen=True, eq=False)
class AtRest:
    """Both estimators at one ν."""

    models: tuple[Any, Any]
    outside: tuple[int, int]  # Training points outside
    others: tuple[int, int]  # Known outliers, or other points of the data, that are inside
    differ: float  # Share of the pixels that are in one of the two sets


def sides(variant: Variant, X: FloatArray) -> tuple[Side, Side]:
    """Return what stands on the left and on the right."""
    normal = variant.normal(len(X))
    if variant.kind == "ball":
        return Side("Half-space", "NuOneClassSVM", normal, {}), Side("Ball", "SoftBall", normal, {})
    others = uniform_points(X) if variant.uniform else X[list(variant.rows)]
    if variant.kind == "outliers":
        first = np.arange(len(X)) if variant.before else normal
        given = {"outliers": others} if len(others) else {}
        return (
            Side("One-class SVM", "NuOneClassSVM", first, {}),
            Side("With known outliers", "ReflectedOneClassSVM", normal, given),
        )
    given = {"others": others} if len(others) else {}
    return (
        Side("From the origin", "NuOneClassSVM", normal, {}),
        Side("From the mean of others", "CentredOneClassSVM", normal, given),
    )


def uniform_points(X: FloatArray) -> FloatArray:
    """Return points drawn uniformly from the box of the data."""
    rng = np.random.default_rng(0)
    return rng.uniform(X.min(axis=0), X.max(axis=0), size=(UNIFORM, X.shape[1]))


def families(
    variant: Variant, X: FloatArray, solved: int, report: Report
) -> tuple[SetFamily, SetFamily]:
    """Return the sets of both estimators over ν; fewer ν of each, where it was stopped."""
    nus, done = np.linspace(LOWEST, HIGHEST, solved), 0

    def stopped() -> bool:
        nonlocal done
        done += 1
        return report(min(done / (2 * solved), 1.0), f"{done} of {2 * solved} problems")

    left, right = (
        with_kernel(
            family_over_nu(side.unfitted(variant), X[side.rows], nus, stopped=stopped, **side.given)
        )
        for side in sides(variant, X)
    )
    return left, right


def with_kernel(family: SetFamily) -> SetFamily:
    """Return balls of a Gaussian kernel as sums of kernels, which a browser evaluates exactly.

    With k(x, x) = 1, a sum of 2 k(x_i, x) − k(x, x) is one of kernels, and another offset.
    """
    kernel = family.kernel
    if not (isinstance(kernel, BallKernel) and isinstance(kernel.base, GaussianKernel)):
        return family
    rows = np.asarray(family.coefficients)
    offsets = family.offsets + rows.sum(axis=1)
    return replace(family, kernel=kernel.base, coefficients=2.0 * rows, offsets=offsets)


def at_rest(variant: Variant, X: FloatArray, nu: float, plane: Plane, report: Report) -> AtRest:
    """Fit both estimators at one ν, and compare their sets."""
    report(0.0)
    trained = sides(variant, X)
    left, right = (
        side.unfitted(variant).set_params(nu=nu).fit(X[side.rows], **side.given) for side in trained
    )
    both, grid, rows = (left, right), Grid.around(X, plane=plane), list(variant.rows)
    pixels = [model.family_.contains(grid, model.level_) for model in both]
    outside = [
        int((model.predict(X[side.rows]) < 0).sum())
        for model, side in zip(both, trained, strict=True)
    ]
    others = [int((model.predict(X[rows]) > 0).sum()) if rows else 0 for model in both]
    return AtRest(
        (left, right),
        (outside[0], outside[1]),
        (others[0], others[1]),
        float((pixels[0] != pixels[1]).mean()),
    )


def scene_of(
    data: Dataset,
    plane: Plane,
    variant: Variant,
    found: Sequence[SetFamily],
    *,
    start: float,
    shown: tuple[Layer, ...],
    axis_names: tuple[str, str],
    knobs: Sequence[Knob] = (),
) -> Scene:
    """Return the scene of both estimators over ν."""
    levels = np.linspace(HIGHEST, LOWEST, STOPS)
    both = [
        Panel(
            side.title,
            plane.coordinates(data.X),
            _classes(data, variant),
            family,
            plane,
            intervals=family.intervals(data.X),
        )
        for side, family in zip(sides(variant, data.X), found, strict=True)
    ]
    titles = " and ".join(panel.title for panel in both)
    return Scene(
        panels=both,
        scale=Scale("ν", levels, levels, "2f"),
        view=shown_box(Grid.around(data.X, plane=plane).inner_box),
        axis_names=axis_names,
        class_names=_class_names(data, variant),
        neutral=variant.kind == "ball",
        point_names=point_names(data),
        overlay_name="inside at a larger ν, outside now",
        flag_name="enters and leaves again",
        shown=shown,
        alt=f"{titles}, side by side: sets of {data.n} points over ν.",
        start=start,
        ghosts=10,
        by_class=variant.kind != "ball",
        knobs=knobs,
    )


def _classes(data: Dataset, variant: Variant) -> IntArray:
    if variant.kind == "ball":
        return np.zeros(data.n, np.int64) if data.y is None else np.where(data.y < 0, 1, 0)
    classes = np.zeros(data.n, np.int64)
    classes[list(variant.rows)] = 1
    return classes


def _class_names(data: Dataset, variant: Variant) -> tuple[str, ...]:
    if variant.kind == "ball":
        return ("points",) if data.y is None else ("class +1", "class −1")
    if not variant.rows:
        return ("points",)
    return "training", "known outlier" if variant.kind == "outliers" else "other"
