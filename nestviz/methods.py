"""The methods: what each is called, how it is fitted, and the settings that it reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel

Kind = Literal["one class", "two classes"]

ADAPTIVE = "adaptive"
"""The spacing of levels that the fit inserts."""
LOWEST_SHARE = 1e-3
"""The last but one of geometric levels, as a share of the first."""
NU = 0.2
"""The ν at which the family with moved offset is solved, unless another one is chosen."""
WITH_NU = "ν one-class SVM"
"""The method that has a ν."""
ETA = 2.0
"""η, the level of the coefficients over that of the threshold, unless another one is chosen."""
WITH_ETA = "η one-class SVM"
"""The method that has an η."""
DERIVED = cast("Kind", "")
"""The kind that follows from the method."""
BLOCK = 500
"""Points whose kernel values are held at once."""


@dataclass(frozen=True)
class Spec:
    """The settings of a fit, hashable.

    Settings that the method does not read are reset to their defaults: changing one of them must
    not cause another solve.
    """

    method: str  # A key of `ONE_CLASS` or `TWO_CLASS`
    sigma: float  # Width of the Gaussian kernel, in the units of the data
    levels: int = 11  # Breakpoints of the nested methods
    lam: float = 1.0  # Regularisation of the two-class methods
    # {"even", "geometric", "adaptive"}: spacing of the levels of the nested methods. Geometric, for
    # one class only: denser at low levels. Adaptive: inserted by the fit, their number is not read.
    # The last level is 1e-6 of the first in all cases.
    spacing: str = "even"
    nu: float = NU  # ν of the method `WITH_NU`
    eta: float = ETA  # η of the method `WITH_ETA`
    # Own levels of the nested methods instead of a number of them: shares of λ_OC, or asymmetries
    # from 0 to 1
    own: tuple[float, ...] = ()
    # {"one class", "two classes"}: the problem. Derived from the method by default; the method
    # "union" exists for both and then means one class.
    kind: Kind = DERIVED

    def __post_init__(self) -> None:
        if not self.kind:
            kind = "one class" if self.method in ONE_CLASS else "two classes"
            object.__setattr__(self, "kind", kind)
        unread = {"levels"} if self.spacing == ADAPTIVE else set()
        if self.own and "own" in self.row.reads:
            unread = {"levels", "spacing"}
        elif self.two_classes and self.spacing != ADAPTIVE:
            unread = {"spacing"}
        for setting in fields(self)[2:-1]:
            if setting.name not in self.row.reads or setting.name in unread:
                object.__setattr__(self, setting.name, setting.default)

    @property
    def row(self) -> Method:
        """The method in the registry."""
        return METHODS[self.kind][self.method]

    @property
    def title(self) -> str:
        """The title of the method."""
        return self.row.title

    @property
    def two_classes(self) -> bool:
        """Whether labels are used."""
        return self.kind == "two classes"

    @property
    def solved(self) -> Spec:
        """The fit to be solved: for a union, that of the sets it joins."""
        return replace(self, method=self.row.joins) if self.row.joins else self

    def unfitted(self, X: FloatArray, weights: FloatArray | None = None) -> Any:
        """Return the estimator for training points, on which geometric levels depend."""
        return self.estimator_class()(**self.row.parameters(self, X, weights))

    def estimator_class(self) -> Any:
        """Return the class of the estimator, imported on first use."""
        import nestviz

        return getattr(nestviz, self.row.estimator)


@dataclass(frozen=True)
class Method:
    """One row of the registry."""

    # Its title, and what it does to the sets
    title: str
    sentence: str
    estimator: str  # The public name of its estimator
    reads: tuple[str, ...] = ()  # The settings of a spec that it depends on, beside the width
    joins: str = ""  # The method whose sets it unites, if any; its solution is reused

    def parameters(
        self, spec: Spec, X: FloatArray, weights: FloatArray | None = None
    ) -> dict[str, Any]:
        """Return the parameters of the estimator for a spec and the training points."""
        given = {name: getattr(spec, name) for name in ("sigma", "lam", "nu", "eta")}
        given = {name: x for name, x in given.items() if name in ("sigma", *self.reads)}
        if "levels" not in self.reads:
            return given
        if spec.two_classes:
            usual = ADAPTIVE if spec.spacing == ADAPTIVE else spec.levels
            return given | {"asymmetries": np.array(spec.own) if spec.own else usual}
        return given | {"levels": level_grid(spec, X, weights)}

    def family(self, estimator: Any) -> SetFamily:
        """Return the sets of a fitted estimator, united if the method does that."""
        family: SetFamily = estimator.family_
        return family.union() if self.joins else family


def top_level(X: FloatArray, sigma: float, weights: FloatArray | None = None) -> float:
    """Return the level above which no point is inside a Parzen set: the first level of a sweep."""
    kernel = GaussianKernel(sigma)
    blocks = (X[start : start + BLOCK] for start in range(0, len(X), BLOCK))
    if weights is None:
        return max(float(kernel.gram(X, block).mean(axis=0).max()) for block in blocks)
    shares = weights / weights.sum()
    return max(float((shares @ kernel.gram(X, block)).max()) for block in blocks)


def largest_regularisation(
    X: FloatArray, y: ArrayLike, sigma: float, weights: FloatArray | None = None
) -> float:
    """Return λ_max: no two-class solution changes for a larger λ (Lee & Scott 2010, VI-A)."""
    from nestviz.solvers.columns import columns_of
    from nestviz.solvers.nested.limits import lambda_cs

    columns = columns_of(GaussianKernel(sigma), X)
    given = np.ones(len(X)) if weights is None else weights
    return lambda_cs(columns, np.asarray(y, dtype=np.float64), given)


def level_grid(spec: Spec, X: Any, weights: FloatArray | None = None) -> Any:
    """Return the levels of a nested one-class SVM, their number, or that the fit inserts them."""
    if spec.spacing == ADAPTIVE and not spec.own:
        return ADAPTIVE
    if spec.spacing == "even" and not spec.own:
        return spec.levels
    from nestviz.estimators.one_class_problem import SMALLEST_SHARE

    top = top_level(X, spec.sigma, weights)
    if spec.own:
        chosen = np.sort(np.array(spec.own))[::-1] * top
    else:
        chosen = np.geomspace(top, LOWEST_SHARE * top, spec.levels - 1)
    # All methods have the same last level, below which sets are extrapolated.
    return np.append(chosen, SMALLEST_SHARE * top)


ONE_CLASS = {
    "one-class SVM": Method(
        "One-class SVM", "Solved at every level on its own: sets may cross.", "OneClassPath"
    ),
    "nested one-class SVM": Method(
        "Nested one-class SVM",
        "All levels solved together under constraints: sets never cross.",
        "NestedOneClassSVM",
        ("levels", "spacing", "own"),
    ),
    "union": Method(
        "Union of one-class SVM sets",
        "Once inside, a point stays inside: nested by joining sets afterwards.",
        "OneClassPath",
        joins="one-class SVM",
    ),
    "Parzen": Method("Parzen level sets", "Level sets of one density estimate.", "ParzenLevelSets"),
    WITH_NU: Method(
        "ν one-class SVM, offset moved",
        "Solved once, at one ν; level sets of that one function. Between SVM and Parzen.",
        "NuOneClassSVM",
        ("nu",),
    ),
    WITH_ETA: Method(
        "One-class SVM with α(ηλ)",
        "Vert & Vert: the coefficients of the higher level ηλ, cut at λ. Level sets are estimated "
        "consistently; they may still cross, though less.",
        "EtaOneClassPath",
        ("eta",),
    ),
}

TWO_CLASS = {
    "cost-sensitive SVM": Method(
        "Cost-sensitive SVM",
        "Solved at every cost asymmetry on its own: sets may cross.",
        "CostSensitivePath",
        ("lam",),
    ),
    "nested cost-sensitive SVM": Method(
        "Nested cost-sensitive SVM",
        "All asymmetries solved together under constraints: sets never cross.",
        "NestedCostSensitiveSVM",
        ("lam", "levels", "spacing", "own"),
    ),
    "union": Method(
        "Union of cost-sensitive SVM sets",
        "Once positive, a location stays positive: nested by joining sets afterwards.",
        "CostSensitivePath",
        ("lam",),
        joins="cost-sensitive SVM",
    ),
    "offset cost-sensitive SVM": Method(
        "Cost-sensitive SVM, offset moved",
        "Solved once, at γ = ½; other γ only move the offset of that one function: nested, and "
        "the baseline for all others.",
        "OffsetCostSensitiveSVM",
        ("lam",),
    ),
}

METHODS: Mapping[Kind, Mapping[str, Method]] = {"one class": ONE_CLASS, "two classes": TWO_CLASS}
"""All methods, by the problem that they solve."""
