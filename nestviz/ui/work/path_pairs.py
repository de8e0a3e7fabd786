"""The un-nested path and the nested solution of one problem, solved one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nestviz.ui.work.tasks import Report, solver_progress

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PathPair:
    """The un-nested path and the nested solution of the same problem."""

    path: Any
    nested: Any
    nodes: FloatArray
    level_name: str
    top: float


def one_class(X: FloatArray, sigma: float, levels: int, report: Report) -> PathPair:
    """Over the level λ."""
    from nestviz.estimators import NestedOneClassSVM, OneClassPath

    told = solver_progress(report)
    path = OneClassPath(sigma).fit(X, callback=told)
    nested = NestedOneClassSVM(sigma, levels).fit(X, callback=told)
    top = float(path.breakpoints_[0])
    return PathPair(path, nested, nested.levels_, "level λ", top)


def two_class(
    X: FloatArray, y: FloatArray, sigma: float, levels: int, lam: float, report: Report
) -> PathPair:
    """Over the cost asymmetry."""
    from nestviz.estimators import CostSensitivePath, NestedCostSensitiveSVM

    told = solver_progress(report)
    path = CostSensitivePath(sigma, lam).fit(X, y, callback=told)
    nested = NestedCostSensitiveSVM(sigma, lam, levels).fit(X, y, callback=told)
    return PathPair(path, nested, nested.asymmetries_, "cost asymmetry γ", 1.0)
