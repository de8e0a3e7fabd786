"""The methods that pages offer: each one row, with what it is and how to fit it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from nestviz.families import SetFamily

LOWEST_SHARE = 1e-3
"""The last of geometric levels, as a share of the first."""
NU = 0.2
"""The ν at which the family with moved offset is solved, unless another one is chosen."""
WITH_NU = "ν one-class SVM"
"""The method that has a ν."""


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
    spacing : {"even", "geometric"}
        How the levels of the nested one-class SVM are spread; geometric ones crowd at low levels.
    lam : float
        Regularisation of the two-class methods.
    nu : float
        ν of the method `WITH_NU`. No other looks at it, so theirs is always the usual one: moving
        ν must not make them be solved again.
    """

    method: str
    sigma: float
    levels: int = 11
    lam: float = 1.0
    spacing: str = "even"
    nu: float = NU

    def __post_init__(self) -> None:
        if self.method != WITH_NU:
            object.__setattr__(self, "nu", NU)


@dataclass(frozen=True)
class Fit:
    """A family, what is known about its solution, and how many seconds it took."""

    family: SetFamily
    certificate: str
    breakpoints: int
    seconds: float = 0.0


@dataclass(frozen=True)
class Method:
    """One row of the registry.

    Attributes
    ----------
    title, sentence : str
        What it is called, and what it does to the sets.
    estimator : str
        The public name of its estimator.
    parameters : callable
        What the estimator is given, from a spec and the points.
    joined : bool
        Whether its sets are the successive unions of the estimator's sets.
    """

    title: str
    sentence: str
    estimator: str
    parameters: Callable[[Spec, Any], dict[str, Any]]
    joined: bool = False

    def fitted(self, spec: Spec, X: Any, y: Any = None, callback: Any = None) -> Any:
        """The estimator, fitted: what a model file keeps, and what the code on a page makes.

        A callback hears from solvers how far they are; where nothing is solved it is not called.
        """
        import nestviz

        estimator = getattr(nestviz, self.estimator)(**self.parameters(spec, X))
        hears = "callback" in inspect.signature(estimator.fit).parameters
        options = {"callback": callback} if callback and hears else {}
        return estimator.fit(X, **options) if y is None else estimator.fit(X, y, **options)

    def fit(self, spec: Spec, X: Any, y: Any = None, callback: Any = None) -> Fit:
        """The family, and what is known about its solution."""
        found = _certified(self.fitted(spec, X, y, callback))
        return replace(found, family=found.family.union()) if self.joined else found


def _certified(estimator: Any) -> Fit:
    family = estimator.family_
    words = "exact, nothing is solved"
    if hasattr(estimator, "path_residual_"):
        words = f"KKT residual ≤ {estimator.path_residual_.max():.0e} at every breakpoint"
    elif hasattr(estimator, "duality_gap_"):
        words = f"duality gap {estimator.duality_gap_:.0e}"
    return Fit(family, words, family.levels.size)


def level_grid(spec: Spec, X: Any) -> Any:
    """The levels of a nested one-class SVM: their number, or the levels where not even."""
    if spec.spacing == "even":
        return spec.levels
    import numpy as np

    top = ONE_CLASS["Parzen"].fit(spec, X).family.first_level(X).max()
    return np.geomspace(top, LOWEST_SHARE * top, spec.levels)


def _width(spec: Spec, X: Any) -> dict[str, Any]:
    return {"sigma": spec.sigma}


def _one_class_levels(spec: Spec, X: Any) -> dict[str, Any]:
    return {"sigma": spec.sigma, "levels": level_grid(spec, X)}


def _nu(spec: Spec, X: Any) -> dict[str, Any]:
    return {"sigma": spec.sigma, "nu": spec.nu}


def _cost(spec: Spec, X: Any) -> dict[str, Any]:
    return {"sigma": spec.sigma, "lam": spec.lam}


def _cost_levels(spec: Spec, X: Any) -> dict[str, Any]:
    return {"sigma": spec.sigma, "lam": spec.lam, "asymmetries": spec.levels}


ONE_CLASS = {
    "one-class SVM": Method(
        "One-class SVM",
        "Solved at every level on its own: sets may cross.",
        "OneClassPath",
        _width,
    ),
    "nested one-class SVM": Method(
        "Nested one-class SVM",
        "All levels solved together under constraints: sets never cross.",
        "NestedOneClassSVM",
        _one_class_levels,
    ),
    "union": Method(
        "Union of one-class SVM sets",
        "Once inside, a point stays inside: nested by joining sets afterwards.",
        "OneClassPath",
        _width,
        joined=True,
    ),
    "Parzen": Method(
        "Parzen level sets",
        "Level sets of one density estimate.",
        "ParzenLevelSets",
        _width,
    ),
    WITH_NU: Method(
        "ν one-class SVM, offset moved",
        "Solved once, at one ν; level sets of that one function. Between SVM and Parzen.",
        "NuOneClassSVM",
        _nu,
    ),
}

TWO_CLASS = {
    "cost-sensitive SVM": Method(
        "Cost-sensitive SVM",
        "Solved at every cost asymmetry on its own: sets may cross.",
        "CostSensitivePath",
        _cost,
    ),
    "nested cost-sensitive SVM": Method(
        "Nested cost-sensitive SVM",
        "All asymmetries solved together under constraints: sets never cross.",
        "NestedCostSensitiveSVM",
        _cost_levels,
    ),
    "union": Method(
        "Union of cost-sensitive SVM sets",
        "Once positive, a location stays positive: nested by joining sets afterwards.",
        "CostSensitivePath",
        _cost,
        joined=True,
    ),
}


def fit(spec: Spec, X: Any, y: Any = None, callback: Any = None) -> Fit:
    """Fit the method a spec names; labels mean two classes."""
    started = perf_counter()
    found = _row(spec, y).fit(spec, X, y, callback)
    return replace(found, seconds=perf_counter() - started)


def fitted(spec: Spec, X: Any, y: Any = None) -> Any:
    """The fitted estimator behind a spec, made anew: a cached fit keeps its family only."""
    return _row(spec, y).fitted(spec, X, y)


def _row(spec: Spec, y: Any) -> Method:
    return (ONE_CLASS if y is None else TWO_CLASS)[spec.method]
