"""Every estimator and study as a named computation, and a digest of all numbers that it returns.

Run as a script it prints the digests of the computations named on the command line, as JSON: one
argument "name@size" each.
"""

import hashlib
import json
import sys
import warnings
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np

from nestviz import analysis, estimators
from nestviz.grids import Grid

ROOT = Path(__file__).resolve().parents[2]
FEW = {"nu_grid": 3, "sigmas": 2, "cv": 2}
TWO_CLASS = {
    "CostSensitiveSVM": {},
    "CostSensitivePath": {},
    "OffsetCostSensitiveSVM": {},
    "NestedCostSensitiveSVM": {},
    "DualCostSVM": {},
    "DualNuSVM": {"nu_plus": 0.3, "nu_minus": 0.3},
    "MinimaxClassifier": FEW,
    "NeymanPearsonClassifier": FEW,
    "MinimaxProbabilityMachine": {},
}
ONE_CLASS = {
    "ParzenLevelSets": {},
    "OneClassSVM": {},
    "OneClassPath": {},
    "EtaOneClassPath": {},
    "NestedOneClassSVM": {},
    "NuOneClassSVM": {},
    "SoftBall": {},
    "ReflectedOneClassSVM": {},
    "CentredOneClassSVM": {},
    "QuantileOneClassSVM": {"quantiles": 5},
    "IndependentOneClassSVM": {"quantiles": 5},
    "HierarchicalMVSets": {"quantiles": 5},
    "MinimumVolumeSet": FEW,
}
ESTIMATORS = {**TWO_CLASS, **ONE_CLASS}
#: Points and features. Linear algebra libraries use several threads at all of these sizes.
SIZES = {"wide": (220, 20), "flat": (600, 2), "large": (2300, 3)}


def sample(size):
    """Return points and classes; the same numbers in every process."""
    n, d = SIZES[size]
    rng = np.random.default_rng(n)
    signs = np.where(np.arange(n) % 3 > 0, 1, -1)
    return rng.normal(size=(n, d)) + 0.5 * signs[:, None], signs


def make(name, **changes):
    """Return an estimator with few quantiles and cells."""
    return getattr(estimators, name)(**{**ESTIMATORS[name], **changes})


def fitted(name, X, y, **changes):
    """Return the estimator after a fit."""
    model = make(name, **changes)
    more = {}
    if name == "ReflectedOneClassSVM":
        more["outliers"] = X[:9] + 3.0
    if name == "CentredOneClassSVM":
        more["others"] = X[:9] - 3.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y, **more) if name in TWO_CLASS else model.fit(X, **more)


def compute(name, X, y):
    """Return the result of a computation: everything in it counts."""
    if name in ESTIMATORS:
        model = fitted(name, X, y)
        return vars(model), model.decision_function(X[::2]), model.coefficients(model.level_)
    return STUDIES[name](X, y)


def _family(X, y):
    return fitted("NestedOneClassSVM", X, y).family_


def _on_grid(model, grid):
    return model.family_.values(grid, model.level_)


STUDIES = {
    "bandwidth": lambda X, y: analysis.select_bandwidth(
        X, make("NestedOneClassSVM"), widths=4, cv=2, n_jobs=2
    ),
    "mass_volume_curve": lambda X, y: analysis.mass_volume_curve(_family(X, y), X),
    "cluster_tree": lambda X, y: analysis.cluster_tree(_family(X, y), X),
    "outlier_ranking": lambda X, y: analysis.outlier_ranking(_family(X, y), X),
    "ranking_scores": lambda X, y: analysis.ranking_scores(
        fitted("NestedCostSensitiveSVM", X, y).family_, X
    ),
    "roc_curve": lambda X, y: analysis.roc_curve(fitted("CostSensitivePath", X, y).family_, X, y),
    "grid": lambda X, y: [
        _on_grid(fitted(name, X[:, :2], y), Grid.around(X[:, :2], resolution=40))
        for name in ("NestedOneClassSVM", "OneClassPath", "DualCostSVM")
    ],
    "scan": lambda X, y: fitted("OneClassPath", X, y).family_.scan(X[:400]),
    "polynomial": lambda X, y: [
        vars(fitted(name, X, y, kernel="polynomial"))
        for name in ("NuOneClassSVM", "CostSensitiveSVM", "MinimaxProbabilityMachine")
    ],
}


def digest(result):
    """Return a hash of all numbers in nested containers, records and objects."""
    state = hashlib.sha256()
    _feed(state, result, set())
    return state.hexdigest()[:16]


def _feed(state, value, above):
    if isinstance(value, np.ndarray) and value.dtype != object:
        state.update(f"{value.shape}{value.dtype}".encode() + np.ascontiguousarray(value).tobytes())
    elif value is None or isinstance(value, (str, bytes, bool, int, float, np.generic)):
        state.update(repr(value).encode())
    elif id(value) not in above:
        for key, part in _parts(value):
            state.update(repr(key).encode())
            _feed(state, part, above | {id(value)})


def _parts(value):
    if isinstance(value, Mapping):
        return sorted(value.items(), key=lambda item: repr(item[0]))
    if isinstance(value, (list, tuple, np.ndarray)):
        return enumerate(value)
    if is_dataclass(value):
        return [(field.name, getattr(value, field.name)) for field in fields(value)]
    kept = getattr(value, "__dict__", {})
    # What is computed on demand may or may not be there.
    return sorted((name, part) for name, part in kept.items() if not callable(part))


if __name__ == "__main__":
    found = {}
    for argument in sys.argv[1:]:
        name, size = argument.split("@")
        found[argument] = digest(compute(name, *sample(size)))
    print(json.dumps(found))
