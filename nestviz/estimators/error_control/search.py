"""Searches over (σ, ν₊, ν₋) for the classifier that minimises a criterion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.estimators.error_control.criteria import Criterion
from nestviz.estimators.error_control.descent import Descent, Key, Path
from nestviz.estimators.error_control.rate_tables import ErrorOracle, ErrorTable, error_table
from nestviz.estimators.error_control.smoothing import Cell, Window, smoothed, window
from nestviz.solvers.records import Callback, Progress

LINES = ("nu-svm", "balanced-nu-svm")
STRATEGIES = ("grid", "coordinate-2d", "coordinate-3d", *LINES)


class Settings(NamedTuple):
    """The grid of a search, and how its rates are estimated.

    Attributes
    ----------
    strategy, smoothing : str
        One of `STRATEGIES`; "none", "2d" or "3d".
    nu : ndarray
        Values of ν₊ and of ν₋; for the ν-SVM shares of its largest ν.
    sigmas : ndarray
        Widths, in increasing order.
    cv, seed : int or splitter, int
        The folds.
    n_jobs : int or None
        Threads of a whole grid.
    """

    strategy: str
    smoothing: str
    nu: FloatArray
    sigmas: FloatArray
    cv: Any
    seed: int
    n_jobs: int | None


@dataclass(frozen=True, eq=False)
class Search:
    """Rates that a search estimated, and its choice.

    Attributes
    ----------
    strategy, smoothing : str
        How the search was done.
    table : ErrorTable
        Rates as estimated, (σ, ν₊, ν₋); NaN in cells that were not computed. The ν-SVM and the
        balanced ν-SVM are on the diagonal of the table: ν₊ and ν₋ at the same index of their axes.
    false_alarm, miss : ndarray of shape (n_sigmas, n_plus, n_minus)
        The same rates smoothed: what the choice was made by. Equal to the table without smoothing.
        In a descent NaN in cells that served only as neighbours of others.
    cell : tuple of three int
        Indices of the chosen σ, ν₊ and ν₋ on their axes.
    sigma, nu_plus, nu_minus : float
        Their values.
    paths : tuple of ndarray of shape (n_steps, 3)
        Descents: the cells at which the line searches ended, from the start on. In two dimensions
        one descent for each σ, in three dimensions one. Empty for other strategies.
    complete : bool
        Whether the search was completed. If it was stopped, the choice is the best so far.
    """

    strategy: str
    smoothing: str
    table: ErrorTable
    false_alarm: FloatArray
    miss: FloatArray
    cell: Cell
    paths: tuple[Path, ...]
    complete: bool

    @property
    def sigma(self) -> float:
        """The chosen width."""
        return float(self.table.sigmas[self.cell[0]])

    @property
    def nu_plus(self) -> float:
        """The chosen ν₊."""
        return float(self.table.nu_plus[self.cell[1]])

    @property
    def nu_minus(self) -> float:
        """The chosen ν₋."""
        return float(self.table.nu_minus[self.cell[2]])

    @property
    def rates(self) -> tuple[float, float]:
        """(P_F, P_M) at the choice, smoothed if the search was."""
        return float(self.false_alarm[self.cell]), float(self.miss[self.cell])

    @property
    def solves(self) -> int:
        """SVMs trained."""
        return self.table.solves


def search(
    X: FloatArray,
    signs: FloatArray,
    criterion: Criterion,
    settings: Settings,
    callback: Callback | None = None,
) -> Search:
    """Look for the best (σ, ν₊, ν₋) by cross-validated error rates.

    Parameters
    ----------
    X : ndarray of shape (n_points, n_features)
        Points.
    signs : ndarray of shape (n_points,)
        Classes −1 and +1.
    criterion : Criterion
        What is best. Among equals the largest ν₊ + ν₋ wins, then the widest σ: the smoother set.
    settings : Settings
        Grid, strategy and folds.
    callback : callable, optional
        Called with a `Progress`; a true return value stops.

    Returns
    -------
    Search
        The rates and the choice.
    """
    if settings.strategy not in STRATEGIES:
        known = ", ".join(repr(name) for name in STRATEGIES)
        raise ValueError(f"strategy must be one of {known}, not {settings.strategy!r}.")
    steps = window(settings.smoothing, diagonal=settings.strategy in LINES)
    nu, folds = settings.nu, {"cv": settings.cv, "random_state": settings.seed}
    if settings.strategy == "grid":
        table = error_table(
            X, signs, nu, nu, settings.sigmas, n_jobs=settings.n_jobs, callback=callback, **folds
        )
        return choose(table, criterion, settings, steps, table.complete)
    plus, minus = equal_costs(nu, signs) if settings.strategy == "nu-svm" else (nu, nu)
    oracle = ErrorOracle(X, signs, plus, minus, settings.sigmas, **folds)
    if settings.strategy in LINES:
        complete = _every(_downwards(oracle), oracle, callback)
        return choose(oracle.table(), criterion, settings, steps, complete)
    return descend(oracle, criterion, settings, steps, callback)


def equal_costs(shares: FloatArray, signs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return ν₊ and ν₋ of the ν-SVM, γ = 1/2, at shares of the largest feasible ν."""
    n_plus, n_minus = float((signs > 0).sum()), float((signs < 0).sum())
    smaller = min(n_plus, n_minus)
    return shares * (smaller / n_plus), shares * (smaller / n_minus)


def _downwards(oracle: ErrorOracle) -> list[Cell]:
    """Return the cells of the diagonal, ν decreasing: every solve starts from the last."""
    order = np.argsort(-oracle.nu_plus, kind="stable")
    return [
        (s, int(i), int(i))
        for s in range(len(oracle.sigmas))
        for i in order
        if oracle.is_feasible(int(i), int(i))
    ]


def _every(cells: list[Cell], oracle: ErrorOracle, callback: Callback | None) -> bool:
    """Compute cells in turn; False if the callback stopped it before the end."""
    for done, cell in enumerate(cells, start=1):
        oracle.at(*cell)
        progress = Progress(done, share=done / len(cells), total=len(cells))
        if callback is not None and callback(progress) and done < len(cells):
            return False
    return True


def choose(
    table: ErrorTable, criterion: Criterion, settings: Settings, steps: Window, complete: bool
) -> Search:
    """Return the best of the cells of a table that have rates, after smoothing."""
    false_alarm, miss = smoothed(table.false_alarm, steps), smoothed(table.miss, steps)
    cells: list[Cell] = [(s, a, b) for s, a, b in np.argwhere(np.isfinite(false_alarm)).tolist()]
    if not cells:
        raise ValueError(
            "The search ended before a single setting had been tried in all folds, so there is "
            "nothing to choose from. Let it run longer, or give it values of nu in (0, 1]."
        )
    key = ranked(table, criterion)
    best = min(cells, key=lambda cell: key(cell, float(false_alarm[cell]), float(miss[cell])))
    return Search(
        settings.strategy, settings.smoothing, table, false_alarm, miss, best, (), complete
    )


def ranked(axes: ErrorTable | ErrorOracle, criterion: Criterion) -> Key:
    """Return an order of cells: by the criterion, and among equals the smoother set first."""

    def key(cell: Cell, false_alarm: float, miss: float) -> tuple[float, ...]:
        s, a, b = cell
        both = float(axes.nu_plus[a] + axes.nu_minus[b])
        return *criterion.key(false_alarm, miss), -both, -float(axes.sigmas[s])

    return key


def descend(
    oracle: ErrorOracle,
    criterion: Criterion,
    settings: Settings,
    steps: Window,
    callback: Callback | None = None,
) -> Search:
    """Search by coordinate descent, in the plane of each σ or in all three dimensions."""
    descent = Descent(oracle, steps, ranked(oracle, criterion), callback)
    for start, axes, begins, ends in _descents(settings):
        descent.run(start, axes, begins, ends)
        if descent.stopped:
            break
    table = oracle.table()
    false_alarm, miss = np.full((2, *table.miss.shape), np.nan)
    for cell, pair in descent.rates.items():
        false_alarm[cell], miss[cell] = pair
    return Search(
        settings.strategy, settings.smoothing, table, false_alarm, miss,
        descent.best(), tuple(descent.paths), not descent.stopped,
    )  # fmt: skip


def _descents(settings: Settings) -> Iterator[tuple[Cell, tuple[int, ...], float, float]]:
    """Yield the descents of a strategy.

    Each is the cell to start from, the axes to go along (0: σ, 1: ν₊, 2: ν₋), and the share of the
    work that is done before and after.
    """
    half = int(np.argmin(np.abs(settings.nu - 0.5)))
    if settings.strategy == "coordinate-3d":
        yield (len(settings.sigmas) // 2, half, half), (0, 1, 2), 0.0, 1.0
        return
    for s in range(len(settings.sigmas)):
        yield (s, half, half), (1, 2), s / len(settings.sigmas), (s + 1) / len(settings.sigmas)
