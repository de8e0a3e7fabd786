"""One fold of a cross-validation of 2ν-SVMs: one kernel matrix, solved at many pairs."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import check_X_y

from nestviz.arrays import FloatArray
from nestviz.distances import product
from nestviz.kernels import Kernel
from nestviz.solvers.box_sum.dual_svm import nu_problem, offset_and_margin
from nestviz.solvers.box_sum.solve import PairSolution, repaired, solve_pairs
from nestviz.solvers.columns import Columns, StoredMatrix, columns_of
from nestviz.solvers.merge import Merged, merge_duplicates

#: Relative gap of each solve. Tight, so that where a solve began does not show in its mistakes.
TOLERANCE = 1e-7
MAX_ITER = 50


class Fold(NamedTuple):
    """Distinct training points of one fold with classes and weights, and its test points."""

    train: Merged
    test: FloatArray
    test_positive: NDArray[np.bool_]


class Mistakes(NamedTuple):
    """Counts of negative test points called positive, and of positive ones called negative."""

    false_alarms: int
    misses: int


def checked_points(X: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return points and classes −1 and +1; the larger of two labels is positive."""
    points, labels = check_X_y(X, y, dtype=np.float64, order="C")
    classes = np.unique(labels)
    if len(classes) != 2:
        raise ValueError(
            f"False alarms and misses are errors between two classes, and y has {len(classes)}. "
            f"Keep the points of two classes, or join classes into two."
        )
    return points, np.where(labels == classes[1], 1.0, -1.0)


def checked_grid(
    nu_plus: ArrayLike, nu_minus: ArrayLike, sigmas: ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the three axes of a grid as arrays."""
    named = {"nu_plus": nu_plus, "nu_minus": nu_minus, "sigmas": sigmas}
    arrays = [np.array(values, dtype=np.float64) for values in named.values()]
    for name, array in zip(named, arrays, strict=True):
        if array.ndim != 1 or not len(array) or not np.all(np.isfinite(array)):
            raise ValueError(f"{name} must be a list of one or more finite numbers.")
    if arrays[2].min() <= 0:
        raise ValueError("sigmas must be positive: they are widths of the Gaussian kernel.")
    return arrays[0], arrays[1], arrays[2]


def feasible(nu: FloatArray) -> NDArray[np.bool_]:
    """Return which values are feasible: Proposition 4, without ν = 0."""
    return (nu > 0) & (nu <= 1)


def downwards(nu: FloatArray) -> NDArray[np.intp]:
    """Return the indices of the feasible values, largest first."""
    order = np.argsort(-nu, kind="stable")
    return order[feasible(nu)[order]]


def split(X: FloatArray, y: FloatArray, cv: Any, seed: int) -> list[Fold]:
    """Return folds: of a scikit-learn splitter, or this many that keep the class proportions."""
    if not hasattr(cv, "split"):
        smaller = int(min((y > 0).sum(), (y < 0).sum()))
        if cv < 2 or smaller < cv:
            raise ValueError(
                f"Each fold needs a point of each class, and at least two folds are needed: with "
                f"{smaller} points in the smaller class, {cv} folds do not work. Use 2 to "
                f"{max(smaller, 2)} folds, or bring more points of the smaller class."
            )
        cv = StratifiedKFold(cv, shuffle=True, random_state=seed)
    return [Fold(merge_duplicates(X[a], y[a]), X[b], y[b] > 0) for a, b in cv.split(X, y)]


class FoldModel:
    """The 2ν-SVMs of one fold with one kernel."""

    def __init__(self, fold: Fold, kernel: Kernel) -> None:
        self.fold = fold
        self.y = np.asarray(fold.train.y, dtype=np.float64)
        self.columns: Columns = columns_of(kernel, fold.train.X)
        self._test = kernel.gram(fold.train.X, fold.test)
        self._at_one = nu_problem(self.y, fold.train.weights, 1.0, 1.0)

    @property
    def n_bytes(self) -> int:
        """Bytes of the kernel values."""
        stored = self.columns.K.nbytes if isinstance(self.columns, StoredMatrix) else 0
        return int(stored + self._test.nbytes)

    def solve(self, nu_plus: float, nu_minus: float, start: PairSolution | None) -> PairSolution:
        """Solve for one pair, from the solution of another pair or afresh."""
        nu = np.where(self.y > 0, nu_plus, nu_minus)
        problem = self._at_one._replace(low=self._at_one.low / nu, high=self._at_one.high / nu)
        field = None
        if start is None:
            # At ν₊ = ν₋ = 1 all points are at their bounds, which is feasible for every pair.
            begin = self._at_one.low + self._at_one.high
        elif np.all(start.c >= problem.low) and np.all(start.c <= problem.high):
            begin, field = start.c, start.field
        else:
            begin = repaired(problem, start.c, start.field)
        return solve_pairs(
            self.columns, problem, begin, field=field, tol=TOLERANCE, max_iter=MAX_ITER
        )

    def mistakes(self, solution: PairSolution) -> Mistakes:
        """Count the test points on the wrong side; a trivial solution is −1 everywhere."""
        called = np.zeros(len(self.fold.test), dtype=bool)
        if not solution.certificate.vanished:
            offset, _ = offset_and_margin(solution)
            called = product(solution.c[None], self._test)[0] + offset >= 0
        positive = self.fold.test_positive
        return Mistakes(int((called & ~positive).sum()), int((~called & positive).sum()))
