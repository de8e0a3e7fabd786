"""Choose σ and λ of the cost-sensitive SVMs by cross-validated AUC (Lee & Scott 2010, VI)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.analysis.roc import curve_of_entries, curve_of_intervals
from nestviz.arrays import BoolArray, FloatArray, IntArray
from nestviz.estimators.base import Problem
from nestviz.estimators.checks import checked_number, whole_number
from nestviz.estimators.cost_sensitive_path import CostSensitivePath, cost_path_family
from nestviz.estimators.nested_cost_sensitive import NestedCostSensitiveSVM, nested_cost_family
from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel
from nestviz.solvers.columns import StoredMatrix
from nestviz.solvers.merge import merge_duplicates
from nestviz.solvers.nested.limits import lambda_cs
from nestviz.solvers.nested.solve import solve_cost_sensitive
from nestviz.solvers.path.cost_sensitive import cost_path
from nestviz.solvers.records import Callback
from nestviz.volume.bandwidth import default_sigmas
from nestviz.volume.parallel import counted
from nestviz.volume.trials import coarse_to_fine

SMALLEST_LAMBDA = 0.1
"""The first value of the grid of λ."""
EQUAL = 1e-12
"""Scores closer than this are equal: means of the same areas differ by rounding."""


@dataclass(frozen=True, eq=False)
class CostSelection:
    """Cross-validated AUC over a grid of σ and λ, and the choice.

    Attributes
    ----------
    sigmas : ndarray of shape (n_sigmas,)
        Widths, ascending.
    lams : ndarray of shape (n_sigmas, n_lams)
        Regularisations of each width.
    scores : ndarray of shape (n_folds, n_sigmas, n_lams)
        AUC on the points of each fold; NaN at widths that were not reached.
    """

    sigmas: FloatArray
    lams: FloatArray
    scores: FloatArray

    @property
    def means(self) -> FloatArray:
        """Mean over the folds, (n_sigmas, n_lams)."""
        return np.asarray(self.scores.mean(axis=0))

    @property
    def complete(self) -> bool:
        """Whether all widths were reached."""
        return not bool(np.isnan(self.scores).any())

    @property
    def cell(self) -> tuple[int, int]:
        """Indices of the choice: the best cell, of several the one nearest to their middle."""
        best = best_cells(self.means)
        places = np.argwhere(best)
        logs = np.log(np.column_stack([self.sigmas[places[:, 0]], self.lams[best]]))
        middle = (logs.min(axis=0) + logs.max(axis=0)) / 2
        i, j = places[np.argmin(((logs - middle) ** 2).sum(axis=1))]
        return int(i), int(j)

    @property
    def sigma(self) -> float:
        """The width chosen."""
        return float(self.sigmas[self.cell[0]])

    @property
    def lam(self) -> float:
        """The regularisation chosen."""
        return float(self.lams[self.cell])

    @property
    def error(self) -> float:
        """Standard error of the best mean, over the folds."""
        return standard_error(self.scores)

    @property
    def as_good(self) -> BoolArray:
        """Which cells are within one standard error of the best, (n_sigmas, n_lams)."""
        return within_one_error(self.scores)


def select_cost_sensitive(
    X: ArrayLike,
    y: ArrayLike,
    estimator: Any = None,
    sigmas: int | ArrayLike = 15,
    lams: int | ArrayLike = 10,
    *,
    cv: int = 5,
    callback: Callback | None = None,
) -> CostSelection:
    """Choose σ and λ of a cost-sensitive SVM by the AUC of its whole family on held-out points.

    This is how Lee & Scott (2010, section VI) choose both. Every family is scored by all of its
    asymmetries together, so one (σ, λ) serves every γ. Folds take the points of each class in turn
    and are the same for all cells.

    Parameters
    ----------
    X : array-like of shape (n_points, n_features)
        Training points.
    y : array-like of shape (n_points,)
        Their classes, −1 and +1.
    estimator : estimator, optional
        Has parameters ``sigma`` and ``lam`` and, after ``fit(X, y)``, a ``family_`` over γ; by
        default `CostSensitivePath`.
    sigmas : int or array-like of shape (n_sigmas,)
        Widths, or the number of those of `default_sigmas`.
    lams : int or array-like of shape (n_lams,)
        Regularisations for every width; or their number, evenly spaced by ratio from 0.1 to the
        λ_max of each width, from which on nothing changes.
    cv : int
        Number of folds.
    callback : callable, optional
        Called with a `Progress` after each width and fold. A true return value stops the search.

    Returns
    -------
    CostSelection
        Scores and choice. After a stop, the scores of widths not reached are NaN.

    Examples
    --------
    >>> from nestviz import make_sample
    >>> data = make_sample("moons", random_state=0, n=60)
    >>> found = select_cost_sensitive(data.X, data.y, sigmas=3, lams=2, cv=2)
    >>> found.means.shape, found.complete
    ((3, 2), True)
    """
    trials = CostTrials(X, y, estimator, sigmas, lams, cv=cv)
    trials.run(callback)
    return trials.selection()


class CostTrials:
    """A search over σ and λ that keeps what is finished; see `select_cost_sensitive`."""

    def __init__(
        self,
        X: ArrayLike,
        y: ArrayLike,
        estimator: Any = None,
        sigmas: int | ArrayLike = 15,
        lams: int | ArrayLike = 10,
        *,
        cv: int = 5,
    ) -> None:
        self.X = np.ascontiguousarray(X, dtype=np.float64)
        self.y = _checked_labels(y, len(self.X), whole_number("cv", cv))
        self.sets = family_maker(estimator)
        if isinstance(sigmas, int):
            self.sigmas = default_sigmas(self.X, whole_number("sigmas", sigmas))
        else:
            self.sigmas = np.unique([checked_number("sigmas", s, above=0.0) for s in _flat(sigmas)])
        if isinstance(lams, int):
            count = whole_number("lams", lams)
            rows = [regularisations(self.X, self.y, float(s), count) for s in self.sigmas]
            self.lams = np.array(rows)
        else:
            given = np.unique([checked_number("lams", lam, above=0.0) for lam in _flat(lams)])
            self.lams = np.tile(given, (self.sigmas.size, 1))
        self.fold = folds(self.y.astype(np.int64), cv)
        self.scores = np.full((cv, *self.lams.shape), np.nan)

    def run(self, callback: Callback | None = None) -> None:
        """Score all cells, from coarse to fine in σ, until a callback stops it."""
        count = len(self.scores)
        for done, i in enumerate(coarse_to_fine(self.sigmas.size)):
            column = np.empty((count, self.lams.shape[1]))
            for k in range(count):
                column[k] = self._areas(float(self.sigmas[i]), self.lams[i], k)
                if k == count - 1:
                    self.scores[:, i] = column
                at = counted(done * count + k + 1, self.sigmas.size * count)
                if callback is not None and callback(at):
                    return

    def selection(self) -> CostSelection:
        """Return what is finished."""
        return CostSelection(self.sigmas, self.lams, self.scores.copy())

    def _areas(self, sigma: float, lams: FloatArray, k: int) -> list[float]:
        """Return the AUC of one fold at every λ; from λ_max on it is the same."""
        held = self.fold == k
        problem = posed(self.X[~held], self.y[~held], sigma)
        largest = lambda_cs(problem.columns, problem.y, problem.weights)
        points, signs = self.X[held], self.y[held].astype(np.int64)
        found: dict[float, float] = {}
        for lam in np.minimum(lams, largest).tolist():
            if lam not in found:
                found[lam] = area(self.sets(problem, lam), points, signs)
        return [found[min(lam, largest)] for lam in lams.tolist()]


def family_maker(estimator: Any) -> Callable[[Problem, float], SetFamily]:
    """Return a function from a problem and λ to the family of an estimator, without certificate."""
    if estimator is None or type(estimator) is CostSensitivePath:
        return path_sets
    if type(estimator) is NestedCostSensitiveSVM and isinstance(estimator.asymmetries, int):
        asymmetries = estimator.asymmetries
        return lambda problem, lam: nested_sets(problem, lam, asymmetries)
    from sklearn.base import clone

    def fitted(problem: Problem, lam: float) -> SetFamily:
        kernel, merged = problem.kernel, problem.merged
        assert isinstance(kernel, GaussianKernel)
        model = clone(estimator).set_params(sigma=kernel.sigma, lam=lam)
        family: SetFamily = model.fit(merged.X, problem.y, sample_weight=merged.weights).family_
        return family

    return fitted


def posed(X: FloatArray, y: FloatArray | None, sigma: float) -> Problem:
    """Return the problem of training points and one width, with its kernel matrix."""
    merged = merge_duplicates(X, y)
    kernel = GaussianKernel(sigma)
    return Problem(kernel, StoredMatrix(kernel.gram(merged.X, merged.X)), merged)


def regularisations(X: FloatArray, y: FloatArray, sigma: float, count: int) -> FloatArray:
    """Return the grid of λ, from 0.1 to λ_max."""
    problem = posed(X, y, sigma)
    largest = lambda_cs(problem.columns, problem.y, problem.weights)
    return np.geomspace(min(SMALLEST_LAMBDA, largest), largest, count)


def path_sets(problem: Problem, lam: float) -> SetFamily:
    """Return the family of `CostSensitivePath`, without its certificate."""
    K = problem.columns.block(np.arange(len(problem.centres)))
    path = cost_path(K, problem.y, lam, problem.weights)
    return cost_path_family(problem, path, lam)


def nested_sets(problem: Problem, lam: float, asymmetries: int) -> SetFamily:
    """Return the family of `NestedCostSensitiveSVM`, without its certificate."""
    levels = np.linspace(0.0, 1.0, asymmetries)
    solution = solve_cost_sensitive(problem.columns, problem.y, problem.weights, lam, levels)
    return nested_cost_family(problem, levels, solution.alpha, lam)


def area(family: SetFamily, X: FloatArray, signs: IntArray) -> float:
    """Return the AUC of a family, as `nestviz.analysis.auc` does, without what else that finds."""
    if family.is_nested:
        return curve_of_entries(family, family.scan(X).first, signs).area
    return curve_of_intervals(family, family.intervals(X), signs).area


def folds(y: IntArray, count: int) -> IntArray:
    """Return the fold of each point: the points of each class in turn."""
    fold = np.empty(len(y), dtype=np.int64)
    for sign in (-1, 1):
        members = np.flatnonzero(y == sign)
        fold[members] = np.arange(len(members)) % count
    return fold


def best_cells(means: FloatArray) -> BoolArray:
    """Mark the cells with the best mean score, all of them where scores are equal."""
    return np.asarray(means >= np.nanmax(means) - EQUAL)


def within_one_error(scores: FloatArray) -> BoolArray:
    """Mark cells whose mean over folds is within one standard error of the best.

    Parameters
    ----------
    scores : ndarray of shape (n_folds, ...)
        Score of each fold and cell. The standard error is that of the first best cell.
    """
    means = scores.mean(axis=0)
    return np.asarray(means >= np.nanmax(means) - standard_error(scores) - EQUAL)


def standard_error(scores: FloatArray) -> float:
    """Return the standard error of the mean over folds, at the first best cell."""
    best = int(np.nanargmax(scores.mean(axis=0)))
    spread = scores.reshape(len(scores), -1)[:, best].std(ddof=1)
    return float(spread / np.sqrt(len(scores)))


def _flat(values: Any) -> list[Any]:
    found = np.asarray(values, dtype=object).ravel().tolist()
    if not found:
        raise ValueError("A grid needs one value or more.")
    return found


def _checked_labels(y: ArrayLike, n: int, cv: int) -> FloatArray:
    labels = np.asarray(y)
    if labels.shape != (n,) or not np.isin(labels, (-1, 1)).all():
        raise ValueError("y must be a list of +1 and −1, one per point.")
    fewest = min(int(np.sum(labels == sign)) for sign in (-1, 1))
    if cv < 2 or fewest < cv:
        raise ValueError(
            f"cv must be at least 2 and no more than the points of the smaller class, which has "
            f"{fewest}; not {cv}."
        )
    return labels.astype(np.float64)
