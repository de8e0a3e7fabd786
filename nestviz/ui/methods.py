"""The methods that pages offer: each one row, with what it is and how to fit it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nestviz.families import SetFamily


@dataclass(frozen=True)
class Spec:
    """What a fit depends on beside its data: hashable, so that it can key a cache.

    Attributes
    ----------
    method : str
        A key of `ONE_CLASS` or `TWO_CLASS`.
    sigma : float
        Width of the Gaussian kernel, in the units of the data.
    levels : int
        Breakpoints of the nested methods.
    lam : float
        Regularisation of the two-class methods.
    """

    method: str
    sigma: float
    levels: int = 11
    lam: float = 1.0


@dataclass(frozen=True)
class Fit:
    """A family, and what is known about its solution."""

    family: SetFamily
    certificate: str
    breakpoints: int


@dataclass(frozen=True)
class Method:
    """One row of the registry."""

    title: str
    sentence: str
    fit: Callable[[Spec, Any, Any], Fit]


def _certified(estimator: Any) -> Fit:
    family = estimator.family_
    words = f"duality gap {estimator.duality_gap_:.0e}"
    if hasattr(estimator, "path_residual_"):
        words = f"KKT residual ≤ {estimator.path_residual_.max():.0e} at every breakpoint"
    return Fit(family, words, family.levels.size)


def _one_class_path(spec: Spec, X: Any, y: Any) -> Fit:
    from nestviz.estimators import OneClassPath

    return _certified(OneClassPath(spec.sigma).fit(X))


def _one_class_union(spec: Spec, X: Any, y: Any) -> Fit:
    base = _one_class_path(spec, X, y)
    return Fit(base.family.union(), base.certificate, base.breakpoints)


def _nested_one_class(spec: Spec, X: Any, y: Any) -> Fit:
    from nestviz.estimators import NestedOneClassSVM

    return _certified(NestedOneClassSVM(spec.sigma, spec.levels).fit(X))


def _parzen(spec: Spec, X: Any, y: Any) -> Fit:
    from nestviz.estimators import ParzenLevelSets

    family = ParzenLevelSets(spec.sigma).fit(X).family_
    return Fit(family, "exact, nothing is solved", 1)


def _cost_path(spec: Spec, X: Any, y: Any) -> Fit:
    from nestviz.estimators import CostSensitivePath

    return _certified(CostSensitivePath(spec.sigma, spec.lam).fit(X, y))


def _cost_union(spec: Spec, X: Any, y: Any) -> Fit:
    base = _cost_path(spec, X, y)
    return Fit(base.family.union(), base.certificate, base.breakpoints)


def _nested_cost(spec: Spec, X: Any, y: Any) -> Fit:
    from nestviz.estimators import NestedCostSensitiveSVM

    return _certified(NestedCostSensitiveSVM(spec.sigma, spec.lam, spec.levels).fit(X, y))


ONE_CLASS = {
    "one-class SVM": Method(
        "One-class SVM",
        "Solved at every level on its own: sets may cross.",
        _one_class_path,
    ),
    "nested one-class SVM": Method(
        "Nested one-class SVM",
        "All levels solved together under constraints: sets never cross.",
        _nested_one_class,
    ),
    "union": Method(
        "Union of one-class SVM sets",
        "Once inside, a point stays inside: nested by joining sets afterwards.",
        _one_class_union,
    ),
    "Parzen": Method(
        "Parzen level sets",
        "One density estimate, cut at ever lower heights.",
        _parzen,
    ),
}

TWO_CLASS = {
    "cost-sensitive SVM": Method(
        "Cost-sensitive SVM",
        "Solved at every cost asymmetry on its own: sets may cross.",
        _cost_path,
    ),
    "nested cost-sensitive SVM": Method(
        "Nested cost-sensitive SVM",
        "All asymmetries solved together under constraints: sets never cross.",
        _nested_cost,
    ),
    "union": Method(
        "Union of cost-sensitive SVM sets",
        "Once positive, a place stays positive: nested by joining sets afterwards.",
        _cost_union,
    ),
}


def fit(spec: Spec, X: Any, y: Any = None) -> Fit:
    """Fit the method a spec names; labels mean two classes."""
    registry = ONE_CLASS if y is None else TWO_CLASS
    return registry[spec.method].fit(spec, X, y)
