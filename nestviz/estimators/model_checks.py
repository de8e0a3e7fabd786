"""Checks of a model from a file: that it is one that a fit can have made.

Loading sets attributes without running a constructor, so nothing about them can be taken for
granted. Compiled code reads some of them without looking at bounds: indices are checked here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from nestviz.coefficients import PathRows
from nestviz.estimators.base import FamilyEstimator
from nestviz.estimators.checks import WIDTH_RULES, checked_number, miv_margin
from nestviz.estimators.dual_problem import ErrorRates
from nestviz.estimators.error_control.rate_record import ErrorTable
from nestviz.estimators.error_control.search import Search
from nestviz.estimators.soft_ball import BallKernel
from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel, PolynomialKernel, PrecomputedKernel
from nestviz.solvers.merge import Merged
from nestviz.solvers.nested.adaptive import LevelCertificate
from nestviz.solvers.path.records import EVENT, PathSolution

KERNELS = {"gaussian", "polynomial", "precomputed"}
NOT_COMPUTED = (ErrorTable, Search, ErrorRates)
"""Records in which NaN stands for a rate that was not computed."""


def check_model(model: Any) -> None:
    """Raise an error where an estimator is not sound; its kind depends on what is wrong."""
    parts = list(_parts(model))
    for part in parts:
        if is_dataclass(part) and set(vars(part)) != {field.name for field in fields(part)}:
            raise ValueError(f"a {type(part).__name__} has other attributes")
        for kind, check in CHECKS.items():
            if isinstance(part, kind):
                check(part)
    for part in parts:
        if isinstance(part, FamilyEstimator):
            _check_answers(part)


def _parts(value: Any, missing: bool = False) -> Iterator[Any]:
    """Yield an object and all that it consists of; raise where a number is NaN, unless allowed."""
    waiting, seen = [(value, missing)], set()
    while waiting:
        part, missing = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        missing = missing or isinstance(part, NOT_COMPUTED)
        if isinstance(part, np.ndarray):
            _check(part.dtype == EVENT or part.dtype.kind in "biufUO", "an array has another type")
        number = part.dtype.kind == "f" if isinstance(part, np.ndarray) else isinstance(part, float)
        _check(missing or not number or not np.isnan(part).any(), "a number is NaN")
        yield part
        inner: list[Any] = list(part) if isinstance(part, (tuple, list, set)) else []
        if isinstance(part, dict):
            inner = [*part, *part.values()]
        if type(part).__module__.startswith("nestviz.") and hasattr(part, "__dict__"):
            inner += vars(part).values()
        waiting.extend((entry, missing) for entry in inner)


def _check(holds: bool, sentence: str) -> None:
    if not holds:
        raise ValueError(sentence)


def _check_array(array: Any, shape: tuple[int, ...], kind: str = "f", what: str = "array") -> None:
    """Raise unless an array has a shape and a kind of type; −1 is any length. Floats are finite."""
    _check(isinstance(array, np.ndarray) and array.ndim == len(shape), f"the {what} is no array")
    fits = all(want in (-1, has) for want, has in zip(shape, array.shape, strict=True))
    _check(fits and array.dtype.kind == kind, f"the {what} has another shape or type")
    _check(kind != "f" or array.dtype == np.float64, f"the {what} has another precision")
    _check(kind != "f" or bool(np.isfinite(array).all()), f"the {what} is not finite")


def _check_within(indices: Any, count: int, shape: tuple[int, ...], what: str) -> None:
    """Raise unless all indices of an array are below a count."""
    _check_array(indices, shape, "i", what)
    _check(
        not indices.size or (indices.min() >= 0 and indices.max() < count), f"{what} point nowhere"
    )


def _check_family(family: SetFamily) -> None:
    for name in ("levels", "offsets"):
        _check_array(getattr(family, name), (-1,), what=name)
    _check_array(family.centres, (-1, -1), what="centres")
    rows = family.coefficients
    if isinstance(rows, PathRows):
        _check(np.array_equal(rows.levels, family.levels), "the levels are not those of the path")
    else:
        _check_array(rows, (len(family.levels), len(family.centres)), what="coefficients")
    _check(isinstance(family.kernel, (*SIMPLE, BallKernel)), "the kernel is unknown")
    _check(
        family.tolerance >= 0 and bool(np.isfinite([family.tail, family.tolerance]).all()),
        "its tail is not finite",
    )
    flags = (family.open_below, family.is_nested)
    _check(
        type(family.orientation) is int and all(type(f) is bool for f in flags), "a flag is none"
    )
    _check(type(family.level_name) is str, "the level has no name")
    if family.hold_level is not None:
        checked_number("hold_level", family.hold_level)
    low, high = family.domain or (0.0, 0.0)
    _check(isinstance(low, float) and isinstance(high, float), "the domain is not of two numbers")
    built = type(family)(**{field.name: getattr(family, field.name) for field in fields(family)})
    _check(built.levels.shape == family.levels.shape, "some levels are no breakpoints")


def _check_path(path: PathSolution) -> None:
    nodes, n = path.breakpoints, path.start.size
    _check_array(nodes, (-1,), what="breakpoints")
    steps = np.diff(nodes)
    _check(
        nodes.size > 0 and bool((steps > 0).all() or (steps < 0).all()),
        "breakpoints must be in order",
    )
    for name in ("start", "upper_base", "upper_slope"):
        _check_array(getattr(path, name), (n,), what=name)
    _check_array(path.residuals, nodes.shape, what="residuals")
    _check_within(path.start_sets, 3, (n,), "sets")
    _check_within(path.indices, n, (-1,), "indices")
    _check_array(path.values, path.indices.shape, what="values")
    _check_within(path.indptr, path.indices.size + 1, nodes.shape, "steps")
    ends = bool(path.indptr[0] == 0 and path.indptr[-1] == path.indices.size)
    _check(ends and bool((np.diff(path.indptr) >= 0).all()), "steps are not in order")
    events = path.events
    _check(
        isinstance(events, np.ndarray) and events.dtype == EVENT and events.ndim == 1,
        "events are none",
    )
    for name, count in (("breakpoint", nodes.size), ("point", n), ("from_set", 3), ("to_set", 3)):
        _check_within(events[name], count, events.shape, "events")
    _check(bool((np.diff(events["breakpoint"]) >= 0).all()), "events are not in order")
    types = (path.start_sets.dtype, path.indices.dtype, path.indptr.dtype, type(path.converged))
    _check(types == (np.int8, np.int32, np.int64, bool), "the path has other types")


def _check_rows(rows: PathRows) -> None:
    _check(isinstance(rows.path, PathSolution), "there is no path")
    _check_array(rows.scale, rows.path.start.shape, what="scale")


def _check_merged(merged: Merged) -> None:
    _check_array(merged.X, (-1, -1), what="points")
    n = len(merged.X)
    _check_array(merged.weights, (n,), what="weights")
    if merged.y is not None:
        _check_array(merged.y, (n,), what="classes")
    _check_within(merged.inverse, n, (-1,), "rows")
    _check_array(merged.share, merged.inverse.shape, what="shares")


def _check_table(table: ErrorTable | Search) -> None:
    axes = table.table if isinstance(table, Search) else table
    _check(isinstance(axes, ErrorTable), "there are no rates")
    shape = tuple(len(axis) for axis in (axes.sigmas, axes.nu_plus, axes.nu_minus))
    for axis in (axes.sigmas, axes.nu_plus, axes.nu_minus):
        _check_array(axis, (-1,), what="grid")
    for rates in (table.false_alarm, table.miss):
        _check_array(np.nan_to_num(rates, nan=0.0, posinf=np.inf), shape, what="rates")
    if isinstance(table, Search):
        _check(type(table.cell) is tuple and len(table.cell) == 3, "the choice is no cell")
        inside = all(
            type(k) is int and 0 <= k < size for k, size in zip(table.cell, shape, strict=True)
        )
        _check(inside and type(table.paths) is tuple, "the choice is outside the grid")


def _check_between(found: LevelCertificate) -> None:
    _check_array(found.levels, (-1,), what="levels")
    for name in ("gaps", "worst_levels"):
        _check_array(getattr(found, name), (len(found.levels) - 1,), what=name)


def _check_width(kernel: GaussianKernel) -> None:
    checked_number("sigma", kernel.sigma, above=0.0)


def _check_power(kernel: PolynomialKernel) -> None:
    _check(type(kernel.degree) is int and 1 <= kernel.degree <= 1_000, "the degree is none")
    checked_number("scale", kernel.scale)
    checked_number("offset", kernel.offset)


def _check_smallest(kernel: PrecomputedKernel) -> None:
    checked_number("smallest", kernel.smallest)


def _check_ball(kernel: BallKernel) -> None:
    _check(isinstance(kernel.base, SIMPLE), "the kernel is unknown")
    if kernel.constant is not None:
        checked_number("constant", kernel.constant)


def _check_estimator(model: FamilyEstimator) -> None:
    kind, own = type(model), vars(model)
    # An attribute of the same name would take the place of a method.
    clash = [name for name in own if callable(getattr(kind, name, None)) or name.startswith("__")]
    _check(not clash and set(model.get_params(deep=False)) <= set(own), "it has other attributes")
    kernel = own.get("kernel", "gaussian")
    _check(type(kernel) is str and kernel in KERNELS, "the kernel is unknown")
    sigma = own.get("sigma", "auto")
    if not isinstance(sigma, str):
        checked_number("sigma", sigma, above=0.0)
    elif sigma not in WIDTH_RULES:
        miv_margin(sigma)
    family = model.family_
    _check(isinstance(family, SetFamily), "there is no family")
    width = getattr(getattr(family.kernel, "base", family.kernel), "sigma", None)
    _check(width is None or own.get("sigma_", width) == width, "there are two widths")
    d = family.centres.shape[1]
    _check(
        type(own["n_features_in_"]) is int and own["n_features_in_"] == d, "features are missing"
    )
    checked_number("level_", model.level_)
    _check_beside(own, family)
    classes = own.get("classes_", np.array([-1, 1]))
    _check(isinstance(classes, np.ndarray) and classes.ndim == 1, "the classes are no list")
    _check(len(set(classes.tolist())) == len(classes) in (1, 2), "there are not two classes")
    _check(type(own.get("converged_", True)) is bool, "it does not say whether it converged")


def _check_beside(own: Mapping[str, Any], family: SetFamily) -> None:
    """Raise unless the attributes beside the family are those of its fit."""
    for name in ("objective_", "kkt_residual_", "duality_gap_", "n_iter_"):
        _check(isinstance(own.get(name, 0.0), (int, float)), f"{name} is no number")
    alpha = own.get("alpha_")
    if alpha is not None:
        _check_array(alpha, (-1, -1), what="alpha_")
    for name, order in (("levels_", -1), ("quantiles_", 1), ("asymmetries_", 1)):
        if name in own:
            _check_array(own[name], (len(own["alpha_"]),), what=name)
            known = np.isin(own[name], family.levels).all()
            _check(bool(known and (order * np.diff(own[name]) >= 0).all()), f"{name} is another")
    if "certificate_" in own:
        _check_inserted(own)
    if "support_" in own:
        _check_within(own["support_"], own["alpha_"].shape[1], (-1,), "support_")
    if "path_" in own:
        path = own["path_"]
        _check(isinstance(path, PathSolution), "there is no path")
        _check(np.array_equal(own["breakpoints_"], path.breakpoints), "the path is another")
        _check(np.array_equal(own["events_"], path.events), "the path is another")
        _check(len(own["_merged_"].X) == path.start.size, "the path has other points")


def _check_inserted(own: Mapping[str, Any]) -> None:
    """Raise unless the certificate is for the levels of the fit."""
    found, levels = own["certificate_"], own.get("levels_", own.get("asymmetries_"))
    _check(isinstance(found, LevelCertificate), "the certificate is another")
    _check(
        levels is not None and np.array_equal(found.levels, levels), "the certificate is another"
    )
    _check_within(own["level_rounds_"], len(own["round_gaps_"]), levels.shape, "rounds")
    _check_array(own["round_gaps_"], (-1,), what="gaps")
    _check_array(own["level_weights_"], levels.shape, what="weights")


def _check_answers(model: FamilyEstimator) -> None:
    """Raise unless an estimator answers for some of its own points."""
    X = model.family_.centres[:2]
    _check(bool(np.isfinite(model.decision_function(X)).all()), "its values are not finite")
    _check(model.predict(X).shape == (len(X),), "it does not predict")
    _check(not np.isnan(model.family_.first_level(X)).any(), "its levels are not numbers")
    _check(
        bool(np.isfinite(model.coefficients([model.level_])).all()), "coefficients are not finite"
    )


SIMPLE = (GaussianKernel, PolynomialKernel, PrecomputedKernel)
CHECKS: dict[Any, Callable[[Any], None]] = {
    FamilyEstimator: _check_estimator,
    SetFamily: _check_family,
    PathSolution: _check_path,
    PathRows: _check_rows,
    Merged: _check_merged,
    LevelCertificate: _check_between,
    ErrorTable: _check_table,
    Search: _check_table,
    GaussianKernel: _check_width,
    PolynomialKernel: _check_power,
    PrecomputedKernel: _check_smallest,
    BallKernel: _check_ball,
}
