"""Cells: coverage of test points by the sets of each method at all quantiles."""

from __future__ import annotations

from typing import Any

from nestviz.arrays import FloatArray
from nestviz.kernels import dimension_sigma
from nestviz.studies.engine.cells import Result
from nestviz.studies.reproduce.glazer_2013.sets import draw

METHODS = {
    "q-OCSVM": "QuantileOneClassSVM",
    "I-OCSVM": "IndependentOneClassSVM",
    "HMVE": "HierarchicalMVSets",
    "NOC-SVM": "NestedOneClassSVM",
    "Parzen": "ParzenLevelSets",
}
"""Methods and their estimators. The last two get the level of each quantile from the training
points: the first set that holds this share of them."""


def covered(
    data: str, scaling: str, fingerprint: str, seed: int, method: str, quantiles: list[float]
) -> Result:
    """Return shares of test and training points in the set of each quantile.

    Nesting is checked on the test points: how many are in some set and outside a larger one.
    """
    import numpy as np

    train, test = draw(data, scaling, fingerprint, seed)
    family = _family(method, train, quantiles)
    wanted = np.asarray(quantiles)
    inside = family.values(test, wanted) >= 0
    earlier = np.logical_or.accumulate(inside, axis=0)
    return {
        "masses": inside.mean(axis=1).tolist(),
        "training_masses": (family.values(train, wanted) >= 0).mean(axis=1).tolist(),
        "crossing": float((earlier & ~inside).any(axis=0).mean()),
        "test_points": len(test),
        "features": test.shape[1],
    }


def _family(method: str, train: FloatArray, quantiles: list[float]) -> Any:
    from nestviz import estimators
    from nestviz.analysis.coverage import at_masses

    estimator = getattr(estimators, METHODS[method])
    sigma = dimension_sigma(train)
    if method in ("NOC-SVM", "Parzen"):
        return at_masses(estimator(sigma).fit(train).family_, train, quantiles)
    return estimator(sigma, quantiles).fit(train).family_
