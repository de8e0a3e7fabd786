"""The methods that pages offer, the specification of a fit, and the record that is kept of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel

Kind = Literal["one class", "two classes"]

LOWEST_SHARE = 1e-3
"""The last but one of geometric levels, as a share of the first."""
NU = 0.2
"""The ν at which the family with moved offset is solved, unless another one is chosen."""
WITH_NU = "ν one-class SVM"
"""The method that has a ν."""
DERIVED = cast("Kind", "")
"""The kind that follows from the method."""
BLOCK = 500
"""Points whose kernel values are held at once."""


@dataclass(frozen=True)
class Spec:
    """What a fit depends on beside its data: hashable, so that it can key a cache.

    Settings that the method does not read are put back to their defaults: changing one of them
    must not make it be solved again.

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
    spacing : {"even", "geometric"}
        How the levels of the nested one-class SVM are spread; geometric ones crowd at low levels.
        The last one is 1e-6 of the first either way.
    nu : float
        ν of the method `WITH_NU`.
    kind : {"one class", "two classes"}
        The problem that is solved. Derived from the method unless given; both problems have a
        method "union", which is that of one class unless told otherwise.
    """

    method: str
    sigma: float
    levels: int = 11
    lam: float = 1.0
    spacing: str = "even"
    nu: float = NU
    kind: Kind = DERIVED

    def __post_init__(self) -> None:
        if not self.kind:
            kind = "one class" if self.method in ONE_CLASS else "two classes"
            object.__setattr__(self, "kind", kind)
        for setting in fields(self)[2:-1]:
            if setting.name not in self.row.reads:
                object.__setattr__(self, setting.name, setting.default)

    @property
    def row(self) -> Method:
        """The method in the registry."""
        return METHODS[self.kind][self.method]

    @property
    def title(self) -> str:
        """What the method is called."""
        return self.row.title

    @property
    def two_classes(self) -> bool:
        """Whether labels are used."""
        return self.kind == "two classes"

    @property
    def solved(self) -> Spec:
        """The fit that is solved for: of a union, that of the sets it joins."""
        return replace(self, method=self.row.joins) if self.row.joins else self


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
    reads : tuple of str
        The settings of a spec that the parameters depend on, beside the width.
    joins : str
        The method whose sets it unites, if it does; nothing is solved again for that.
    """

    title: str
    sentence: str
    estimator: str
    parameters: Callable[[Spec, Any], dict[str, Any]]
    reads: tuple[str, ...] = ()
    joins: str = ""

    def family(self, estimator: Any) -> SetFamily:
        """Return the sets of a fitted estimator, united if the method does that."""
        family: SetFamily = estimator.family_
        return family.union() if self.joins else family


@dataclass(frozen=True, eq=False)
class Fitted:
    """A solved problem: what every page shows, measures and offers for download.

    Attributes
    ----------
    spec : Spec
        What was asked for.
    estimator : FamilyEstimator
        The fitted estimator; of a union, that of the sets it joins.
    family : SetFamily
        The sets.
    seconds : float
        How long solving took.
    """

    spec: Spec
    estimator: Any
    family: SetFamily
    seconds: float

    def under(self, spec: Spec) -> Fitted:
        """Return the same solution read as another method, such as the union of its sets."""
        return (
            self
            if spec == self.spec
            else replace(self, spec=spec, family=spec.row.family(self.estimator))
        )

    @property
    def breakpoints(self) -> int:
        """How many levels the sets are linear between."""
        return self.family.levels.size

    @property
    def certificate(self) -> str:
        """How far the solution can be from the optimum, in words."""
        return certificate_of(self.estimator)

    def shares_of_bound(self, levels: ArrayLike) -> FloatArray:
        """Return α of every point at each level, (levels, n), from 0 to 1.

        One class: as a share of its upper bound, which is the same for all points and levels. Two
        classes: α itself, whose bound is γ for points of class +1 and 1 − γ for the others.
        """
        alpha = self.estimator.coefficients(levels)
        if not self.spec.two_classes:
            alpha = alpha * alpha.shape[1] * (self.spec.nu if self.spec.method == WITH_NU else 1.0)
        return np.clip(alpha, 0.0, 1.0)

    def support(self, level: float) -> int:
        """Return how many points have a coefficient other than zero at a level."""
        return int(np.count_nonzero(self.estimator.coefficients([level])))

    def breakpoints_of(self, row: int) -> FloatArray:
        """Return the levels at which one point's coefficient changes course, ascending.

        Of a path, the levels at which the point itself reaches the margin or leaves it; of a
        family solved at a few levels, those levels.
        """
        if hasattr(self.estimator, "breakpoints_of"):
            return np.asarray(self.estimator.breakpoints_of(row))
        return self.family.levels


def certificate_of(estimator: Any) -> str:
    """Say how far the solution of an estimator can be from the optimum."""
    if hasattr(estimator, "path_residual_"):
        return f"KKT residual ≤ {estimator.path_residual_.max():.0e} at every breakpoint"
    if hasattr(estimator, "duality_gap_"):
        return f"duality gap {estimator.duality_gap_:.0e}"
    return "exact, nothing is solved"


def top_level(X: FloatArray, sigma: float) -> float:
    """Return the level above which no point is inside a Parzen set: the first level of a sweep."""
    kernel = GaussianKernel(sigma)
    blocks = (X[start : start + BLOCK] for start in range(0, len(X), BLOCK))
    return max(float(kernel.gram(X, block).mean(axis=0).max()) for block in blocks)


def level_grid(spec: Spec, X: Any) -> Any:
    """The levels of a nested one-class SVM: their number, or the levels where not even."""
    if spec.spacing == "even":
        return spec.levels
    from nestviz.estimators.one_class_problem import SMALLEST_SHARE

    top = top_level(X, spec.sigma)
    # The last level is that of all methods: what lies below it is extrapolated.
    crowded = np.geomspace(top, LOWEST_SHARE * top, spec.levels - 1)
    return np.append(crowded, SMALLEST_SHARE * top)


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
        ("levels", "spacing"),
    ),
    "union": Method(
        "Union of one-class SVM sets",
        "Once inside, a point stays inside: nested by joining sets afterwards.",
        "OneClassPath",
        _width,
        joins="one-class SVM",
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
        ("nu",),
    ),
}

TWO_CLASS = {
    "cost-sensitive SVM": Method(
        "Cost-sensitive SVM",
        "Solved at every cost asymmetry on its own: sets may cross.",
        "CostSensitivePath",
        _cost,
        ("lam",),
    ),
    "nested cost-sensitive SVM": Method(
        "Nested cost-sensitive SVM",
        "All asymmetries solved together under constraints: sets never cross.",
        "NestedCostSensitiveSVM",
        _cost_levels,
        ("lam", "levels"),
    ),
    "union": Method(
        "Union of cost-sensitive SVM sets",
        "Once positive, a location stays positive: nested by joining sets afterwards.",
        "CostSensitivePath",
        _cost,
        ("lam",),
        joins="cost-sensitive SVM",
    ),
}

METHODS: Mapping[Kind, Mapping[str, Method]] = {"one class": ONE_CLASS, "two classes": TWO_CLASS}
"""All methods, by the problem that they solve."""
