"""Cross-validated false alarm and miss rates of 2ν-SVMs over a grid of (ν₊, ν₋, σ).

P_F is the share of negative points called positive, P_M that of positive points called negative
(Davenport 2007, equations 1.1 and 1.2). `error_table` computes the whole grid, `ErrorOracle` single
cells. On the same cells they agree, up to test points that lie on a boundary to within the
tolerance of the solver.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.estimators.checks import as_seed
from nestviz.estimators.error_control.folds import (
    Fold,
    FoldModel,
    checked_grid,
    checked_points,
    downwards,
    feasible,
    split,
)
from nestviz.estimators.error_control.rate_record import (
    ErrorTable,
    counted_table,
    rates_so_far,
    tested,
)
from nestviz.kernels import GaussianKernel, Kernel, PolynomialKernel
from nestviz.renamed import renamed
from nestviz.solvers.box_sum.solve import PairSolution
from nestviz.solvers.columns import MATRIX_BUDGET
from nestviz.solvers.records import Callback, Progress
from nestviz.volume.parallel import run_all

KERNELS: dict[str, Callable[[float], Kernel]] = {
    "gaussian": GaussianKernel,
    "linear": lambda sigma: PolynomialKernel(1, offset=0.0),
}
"""Kernels of a table, by their width."""


@renamed(folds="cv", seed="random_state")
def error_table(
    X: ArrayLike,
    y: ArrayLike,
    nu_plus: ArrayLike,
    nu_minus: ArrayLike,
    sigmas: ArrayLike,
    *,
    cv: Any = 5,
    random_state: Any = 0,
    n_jobs: int | None = None,
    callback: Callback | None = None,
    kernel: str = "gaussian",
) -> ErrorTable:
    """Estimate P_F and P_M at every (σ, ν₊, ν₋) by cross-validation.

    For each fold and σ the kernel matrix is computed once. Within it ν₊ and then ν₋ decrease:
    bounds only grow, so each solution is feasible for the next pair and close to its answer.

    Parameters
    ----------
    X : ndarray of shape (n_points, n_features)
        Points.
    y : ndarray of shape (n_points,)
        Two classes; the larger label is positive.
    nu_plus, nu_minus : ndarray
        Values of ν₊ and ν₋. Those outside (0, 1] get NaN.
    sigmas : ndarray
        Widths of the Gaussian kernel.
    cv : int or splitter
        Number of stratified, shuffled folds, or a cross-validation splitter of scikit-learn.
    random_state : int, RandomState or None
        Seed of the shuffled folds.
    n_jobs : int, optional
        Threads over folds and widths, as in joblib: −1 for one per core, None for one. The answer
        does not depend on it.
    callback : callable, optional
        Called with a `Progress`, never by two threads at once; a true return value stops. Cells
        that are not known in all folds by then are NaN, and ``complete`` is False. Its ``so_far()``
        returns the table known by now, with rates of each cell from the folds it is known in.
    kernel : {"gaussian", "linear"}
        The kernel. A linear one has no width; ``sigmas`` should then be one number, which is not
        used.

    Returns
    -------
    ErrorTable
        The rates.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(20.0)[:, None]
    >>> table = error_table(X, np.arange(20) >= 10, [0.2, 0.4], [0.2], [2.0])
    >>> table.false_alarm.shape, table.solves, table.complete
    ((1, 2, 1), 10, True)
    """
    points, signs = checked_points(X, y)
    grid, seed = checked_grid(nu_plus, nu_minus, sigmas), as_seed(random_state)
    parts = split(points, signs, cv, seed)
    counts = np.full((len(grid[2]), len(parts), len(grid[0]), len(grid[1]), 3), np.nan)
    total = len(grid[2]) * len(parts) * int(feasible(grid[0]).sum())
    watch = _Watch(callback, total, lambda: rates_so_far(counts.copy(), grid, signs, parts, seed))
    if kernel not in KERNELS:
        raise ValueError(f"kernel must be 'gaussian' or 'linear', not {kernel!r}.")
    tasks = [
        partial(_one_width, fold, KERNELS[kernel](float(sigma)), *grid[:2], watch, counts[s, k])
        for s, sigma in enumerate(grid[2])
        for k, fold in enumerate(parts)
    ]
    run_all(tasks, n_jobs, None)
    return counted_table(counts, grid, signs, parts, seed)


def _one_width(
    fold: Fold,
    kernel: Kernel,
    nu_plus: FloatArray,
    nu_minus: FloatArray,
    watch: _Watch,
    counts: FloatArray,
) -> None:
    """Fill in false alarms, misses and convergence, (a, b, 3)."""
    rows, columns = downwards(nu_plus), downwards(nu_minus)
    if watch.stopped or not len(rows) or not len(columns):
        return
    model = FoldModel(fold, kernel)
    beginning: PairSolution | None = None
    for row in rows:
        start = beginning
        for column in columns:
            end = model.solve(nu_plus[row], nu_minus[column], start)
            start = end
            if column == columns[0]:
                beginning = end
            counts[row, column] = *model.mistakes(end), end.converged
        if watch.step():
            break


@renamed(folds="cv", seed="random_state")
class ErrorOracle:
    """P_F and P_M at single cells of a grid, each computed once.

    Parameters
    ----------
    X, y : ndarray
        As in `error_table`.
    nu_plus, nu_minus, sigmas : ndarray
        The grid.
    cv, random_state : int or splitter, int
        As in `error_table`; the folds are the same.

    Attributes
    ----------
    nu_plus, nu_minus, sigmas : ndarray
        The grid.
    solves : int
        SVMs trained so far.
    """

    def __init__(
        self,
        X: ArrayLike,
        y: ArrayLike,
        nu_plus: ArrayLike,
        nu_minus: ArrayLike,
        sigmas: ArrayLike,
        *,
        cv: Any = 5,
        random_state: Any = 0,
    ) -> None:
        points, self._signs = checked_points(X, y)
        self.nu_plus, self.nu_minus, self.sigmas = checked_grid(nu_plus, nu_minus, sigmas)
        self._seed = as_seed(random_state)
        self._folds = split(points, self._signs, cv, self._seed)
        self._models: OrderedDict[int, list[FoldModel]] = OrderedDict()
        self._ends: dict[tuple[int, int, int], list[PairSolution]] = {}
        shape = (len(self.sigmas), len(self._folds), len(self.nu_plus), len(self.nu_minus), 3)
        self._counts = np.full(shape, np.nan)

    @property
    def solves(self) -> int:
        """SVMs trained so far."""
        return len(self._ends) * len(self._folds)

    def is_feasible(self, i_plus: int, i_minus: int) -> bool:
        """Return whether there is a 2ν-SVM at some cells.

        Parameters
        ----------
        i_plus, i_minus : int
            Indices of ``nu_plus`` and ``nu_minus``.

        Returns
        -------
        bool
            Whether both values of ν are in (0, 1].
        """
        return bool(feasible(self.nu_plus)[i_plus] and feasible(self.nu_minus)[i_minus])

    def at(self, i_sigma: int, i_plus: int, i_minus: int) -> tuple[float, float]:
        """Return the rates of a cell.

        Parameters
        ----------
        i_sigma, i_plus, i_minus : int
            Indices of ``sigmas``, ``nu_plus`` and ``nu_minus``.

        Returns
        -------
        false_alarm, miss : float
            P_F and P_M; NaN where there is no 2ν-SVM.
        """
        cell = (int(i_sigma), int(i_plus), int(i_minus))
        if not self.is_feasible(cell[1], cell[2]):
            return np.nan, np.nan
        if cell not in self._ends:
            self._compute(cell)
        alarms, misses, _ = self._counts[cell[0], :, cell[1], cell[2]].sum(axis=0)
        plus, minus = tested(self._folds)
        return float(alarms / minus), float(misses / plus)

    def table(self) -> ErrorTable:
        """Return the rates that are known so far; NaN elsewhere.

        Returns
        -------
        ErrorTable
            The rates.
        """
        grid = (self.nu_plus, self.nu_minus, self.sigmas)
        return counted_table(self._counts, grid, self._signs, self._folds, self._seed)

    def _compute(self, cell: tuple[int, int, int]) -> None:
        i_sigma, i_plus, i_minus = cell
        starts = self._nearest(cell)
        ends = []
        for k, model in enumerate(self._of_width(i_sigma)):
            start = None if starts is None else starts[k]
            end = model.solve(self.nu_plus[i_plus], self.nu_minus[i_minus], start)
            self._counts[i_sigma, k, i_plus, i_minus] = *model.mistakes(end), end.converged
            ends.append(end)
        self._ends[cell] = ends

    def _nearest(self, cell: tuple[int, int, int]) -> list[PairSolution] | None:
        """Return the solutions of the computed cell of this σ that is fewest steps away."""
        near = [other for other in self._ends if other[0] == cell[0]]
        if not near:
            return None
        return self._ends[
            min(near, key=lambda o: (abs(o[1] - cell[1]) + abs(o[2] - cell[2]), o[1:]))
        ]

    def _of_width(self, i_sigma: int) -> list[FoldModel]:
        """Return the models of all folds at one σ; a budget bounds how many are kept."""
        if i_sigma not in self._models:
            sigma = float(self.sigmas[i_sigma])
            self._models[i_sigma] = [FoldModel(fold, GaussianKernel(sigma)) for fold in self._folds]
            size = sum(model.n_bytes for model in self._models[i_sigma])
            while len(self._models) > max(1, MATRIX_BUDGET // max(size, 1)):
                self._models.popitem(last=False)
        self._models.move_to_end(i_sigma)
        return self._models[i_sigma]


class _Watch:
    """Count finished rows over all threads, and ask whether to go on."""

    def __init__(
        self, callback: Callback | None, total: int, so_far: Callable[[], ErrorTable]
    ) -> None:
        self._callback, self._total, self._done = callback, total, 0
        self._so_far = so_far
        self._lock = threading.Lock()
        self.stopped = False

    def step(self) -> bool:
        """Count one more row; return True if the work should stop."""
        with self._lock:
            self._done += 1
            if self._callback is not None and not self.stopped:
                share = self._done / self._total
                progress = Progress(self._done, share=share, total=self._total, so_far=self._so_far)
                self.stopped = bool(self._callback(progress))
            return self.stopped
