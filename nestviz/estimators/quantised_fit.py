"""Fit an estimator to weighted centres, as the solution of the problem of all points."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from nestviz.arrays import FloatArray
from nestviz.estimators.cost_sensitive import CostSensitiveSVM
from nestviz.estimators.cost_sensitive_path import CostSensitivePath
from nestviz.estimators.eta_one_class_path import EtaOneClassPath
from nestviz.estimators.nested_cost_sensitive import NestedCostSensitiveSVM
from nestviz.estimators.nested_one_class import NestedOneClassSVM
from nestviz.estimators.one_class import OneClassSVM
from nestviz.estimators.one_class_path import OneClassPath
from nestviz.estimators.one_class_problem import SMALLEST_SHARE
from nestviz.families import SetFamily
from nestviz.quantisation.assignment import CellSums, Partition, add, sums_of
from nestviz.quantisation.lifting import Lifted
from nestviz.quantisation.sources import Part, Source

PATH_LEVELS = 11
"""Levels at which a path is certified."""
SUPPORTED = (
    NestedOneClassSVM, OneClassSVM, OneClassPath,
    NestedCostSensitiveSVM, CostSensitiveSVM, CostSensitivePath,
)  # fmt: skip
"""Estimators whose problems are certified, and subclasses that solve the same problems."""


def has_certificate(estimator: Any) -> bool:
    """Return whether an estimator solves a problem that is certified.

    The coefficients of `EtaOneClassPath` are those of another level than its threshold, where they
    solve nothing.
    """
    return isinstance(estimator, SUPPORTED) and not isinstance(estimator, EtaOneClassPath)


class Found(NamedTuple):
    """An estimator fitted to centres, and the problem that it stands for."""

    model: Any
    lifted: Lifted


def entry_levels(part: Part, family: SetFamily) -> FloatArray:
    """Return the level at which each point of a part first enters."""
    return family.first_level(part.X)


def fitted(inner: Any, source: Source, cells: Partition, classes: NDArray[Any] | None) -> Found:
    """Weight the centres by the points of their cells, and fit the estimator to them."""
    return fitted_to(inner, cells, source.combined(sums_of, add, cells), classes)


def fitted_to(inner: Any, cells: Partition, sums: CellSums, classes: NDArray[Any] | None) -> Found:
    """Fit the estimator to the means of cells, with their weights."""
    centres = sums.means(cells.seeds)
    model, signs = clone(inner), cells.y
    if signs is None or classes is None:
        model.fit(centres, sample_weight=sums.weights)
    else:
        labels = classes[np.where(signs > 0, len(classes) - 1, 0)]
        model.fit(centres, labels, sample_weight=sums.weights)
    return Found(model, lifted(model, cells, centres, sums.weights))


def lifted(model: Any, cells: Partition, centres: FloatArray, weights: FloatArray) -> Lifted:
    """Return the problem of all points that an estimator fitted to weighted centres stands for.

    Cells may have classes where the problem has none.
    """
    levels, alpha, lam, separate = _solution(model)
    if lam is None:
        b = alpha / levels[:, None]
    else:
        assert cells.y is not None
        b = cells.y * alpha
    return Lifted(
        model.sigma_, centres, cells, weights, b, levels, lam, separate=separate,
        level_weights=getattr(model, "level_weights_", None),
    )  # fmt: skip


def _solution(model: Any) -> tuple[FloatArray, FloatArray, float | None, bool]:
    """Return levels, coefficients, λ of two classes, and whether levels are solved one by one."""
    if isinstance(model, NestedOneClassSVM):
        return model.levels_, model.alpha_, None, False
    if isinstance(model, OneClassSVM):
        return np.array([model.level_]), model.alpha_, None, False
    if isinstance(model, OneClassPath):
        top = float(model.breakpoints_[0])
        levels = np.linspace(top, SMALLEST_SHARE * top, PATH_LEVELS)
        return levels, model.coefficients(levels), None, True
    if isinstance(model, NestedCostSensitiveSVM):
        return model.asymmetries_, model.alpha_, float(model.lam), False
    if isinstance(model, CostSensitivePath):
        levels = np.linspace(0.0, 1.0, PATH_LEVELS)
        return levels, model.coefficients(levels), float(model.lam), True
    return np.array([model.level_]), model.alpha_, float(model.lam), False
