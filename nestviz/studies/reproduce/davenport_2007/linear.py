"""Cells of table 3.10: a linear 2ν-SVM chosen by cross-validation, and a linear MPM."""

from __future__ import annotations

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.studies.engine.cells import Result
from nestviz.studies.reproduce.common.benchmarks import Points, split

RHOS = (0.0, 0.01, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Uncertainties of the covariance of which the best on the test points is shown beside."""


def linear_machines(
    data: str,
    fingerprint: str,
    permutation: int,
    keep_negative: float,
    nu_values: int,
    folds: int,
    seed: int,
) -> Result:
    """Return P_F and P_M on test points of the SVM, the MPM, and the MPM with the best ρ."""
    train, test = split(data, fingerprint, permutation, keep_negative)
    nu = np.arange(1, nu_values + 1) / nu_values
    plus, minus = _chosen_pair(train, nu, folds, seed)
    rho = covariance_distance(train, test)
    machines = {value: _machine_rates(train, test, value) for value in (rho, *RHOS)}
    best = min(machines, key=lambda value: (max(machines[value]), value))
    return {
        "svm": _svm_rates(train, test, plus, minus),
        "mpm": machines[rho],
        "best_mpm": machines[best],
        "nu_plus": plus,
        "nu_minus": minus,
        "rho": rho,
        "best_rho": best,
    }


def _chosen_pair(train: Points, nu: FloatArray, folds: int, seed: int) -> tuple[float, float]:
    """Return (ν₊, ν₋) of least smoothed max(P_F, P_M)."""
    from nestviz.estimators import MinimaxClassifier, error_table

    table = error_table(
        train.X, train.y, nu, nu, [1.0], cv=folds, random_state=seed, kernel="linear"
    )
    search = MinimaxClassifier(smoothing="2d").choose(table)
    return search.nu_plus, search.nu_minus


def _svm_rates(train: Points, test: Points, plus: float, minus: float) -> list[float]:
    from nestviz.estimators import DualNuSVM

    # The constant of this kernel changes nothing: the coefficients of both classes have one sum.
    model = DualNuSVM(nu_plus=plus, nu_minus=minus, kernel="polynomial", degree=1)
    return list(model.fit(train.X, train.y).error_rates(test.X, test.y))


def _machine_rates(train: Points, test: Points, rho: float) -> list[float]:
    from nestviz.estimators import MinimaxProbabilityMachine

    model = MinimaxProbabilityMachine(kernel="linear", covariance_uncertainty=rho)
    return list(model.fit(train.X, train.y).error_rates(test.X, test.y))


def covariance_distance(train: Points, test: Points) -> float:
    """Return how far the covariance of a class is from that of its test points, at most.

    Frobenius norm, the larger one of the two classes.
    """
    distances = []
    for sign in (True, False):
        both = [np.cov(part.X[part.positive == sign].T, bias=True) for part in (train, test)]
        distances.append(float(np.linalg.norm(np.atleast_2d(both[0] - both[1]))))
    return max(distances)
