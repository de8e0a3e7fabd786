"""Searches over (σ, ν₊, ν₋) for the classifier that a criterion likes best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.estimators.error_control.criteria import Criterion
from nestviz.estimators.error_control.descent import Descent, Path
from nestviz.estimators.error_control.rate_tables import (
    ErrorOracle,
    ErrorTable,
    Progress,
    error_table,
)
from nestviz.estimators.error_control.smoothing import Cell, Window, smoothed, window

LINES = ("nu-svm", "balanced-nu-svm")
STRATEGIES = ("grid", "coordinate-2d", "coordinate-3d", *LINES)


class Settings(NamedTuple):
    """What a search goes over, and how its estimates are made.

    Attributes
    ----------
    strategy : str
        One of `STRATEGIES`.
    smoothing : str
        "none", "2d" or "3d".
    nu : array
        Values of ν₊ and of ν₋; for the ν-SVM shares of its largest ν.
    sigmas : array
        Widths, in increasing order.
    folds, seed : int
        The folds.
    n_jobs : int or None
        Threads of a whole grid.
    """

    strategy: str
    smoothing: str
    nu: FloatArray
    sigmas: FloatArray
    folds: int
    seed: int
    n_jobs: int | None


@dataclass(frozen=True, eq=False)
class Search:
    """What a search saw, and what it chose.

    Attributes
    ----------
    strategy, smoothing : str
        How it went.
    table : ErrorTable
        Rates as estimated, (σ, ν₊, ν₋); NaN in cells the search did not look at. The ν-SVM and the
        balanced ν-SVM are on the diagonal of the table: ν₊ and ν₋ at the same index of their axes.
    false_alarm, miss : array (s, a, b)
        The same rates smoothed: what the choice was made by. Equal to the table without smoothing.
        In a descent NaN in cells that served only as neighbours of others.
    cell : (int, int, int)
        Indices of the chosen σ, ν₊ and ν₋ on their axes.
    sigma, nu_plus, nu_minus : float
        Their values.
    paths : tuple of (k, 3) arrays
        Descents: the cells at which the line searches ended, from the start on. In two dimensions
        one descent for each σ, in three dimensions one. Empty for other strategies.
    complete : bool
        Whether the search came to its end. If it was stopped, the choice is the best it had seen.
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
        """(P_F, P_M) at the choice, as it was made: smoothed where that was asked for."""
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
    callback: Progress | None = None,
) -> Search:
    """Look for the best (σ, ν₊, ν₋) by cross-validated error rates.

    Parameters
    ----------
    X : (n, d) array
        Points.
    signs : (n,) array
        Classes −1 and +1.
    criterion : Criterion
        What is best. Among equals the largest ν₊ + ν₋ wins, then the widest σ: the smoother set.
    settings : Settings
        Grid, strategy and folds.
    callback : callable, optional
        Called with the share that is done, at most; return True to stop.
    """
    steps = window(settings.smoothing, diagonal=settings.strategy in LINES)
    if settings.strategy == "grid":
        return _whole(X, signs, criterion, settings, steps, callback)
    if settings.strategy in LINES:
        return _line(X, signs, criterion, settings, steps, callback)
    if settings.strategy in STRATEGIES:
        return _descend(X, signs, criterion, settings, steps, callback)
    known = ", ".join(repr(name) for name in STRATEGIES)
    raise ValueError(f"strategy must be one of {known}, not {settings.strategy!r}.")


def _whole(
    X: FloatArray,
    signs: FloatArray,
    criterion: Criterion,
    settings: Settings,
    steps: Window,
    callback: Progress | None,
) -> Search:
    """Every cell of the grid."""
    table = error_table(
        X, signs, settings.nu, settings.nu, settings.sigmas,
        folds=settings.folds, seed=settings.seed, n_jobs=settings.n_jobs, callback=callback,
    )  # fmt: skip
    return choose(table, criterion, settings, steps, table.complete)


def _line(
    X: FloatArray,
    signs: FloatArray,
    criterion: Criterion,
    settings: Settings,
    steps: Window,
    callback: Progress | None,
) -> Search:
    """ν₊ and ν₋ that go together: the diagonal of a grid."""
    plus = minus = settings.nu
    if settings.strategy == "nu-svm":
        plus, minus = equal_costs(settings.nu, signs)
    oracle = ErrorOracle(
        X, signs, plus, minus, settings.sigmas, folds=settings.folds, seed=settings.seed
    )
    complete = _every(_downwards(oracle), oracle, callback)
    return choose(oracle.table(), criterion, settings, steps, complete)


def equal_costs(shares: FloatArray, signs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """ν₊ and ν₋ of the ν-SVM, γ = 1/2, at shares of the largest ν that is feasible."""
    n_plus, n_minus = float((signs > 0).sum()), float((signs < 0).sum())
    smaller = min(n_plus, n_minus)
    return shares * (smaller / n_plus), shares * (smaller / n_minus)


def _downwards(oracle: ErrorOracle) -> list[Cell]:
    """Cells of the diagonal, each σ from the largest ν down: every solve starts from the last."""
    order = np.argsort(-oracle.nu_plus, kind="stable")
    return [
        (s, int(i), int(i))
        for s in range(len(oracle.sigmas))
        for i in order
        if oracle.is_feasible(int(i), int(i))
    ]


def _every(cells: list[Cell], oracle: ErrorOracle, callback: Progress | None) -> bool:
    """Compute cells in turn; False if the callback stopped it before the end."""
    for done, cell in enumerate(cells, start=1):
        oracle.at(*cell)
        if callback is not None and callback(done / len(cells)) and done < len(cells):
            return False
    return True


def choose(
    table: ErrorTable, criterion: Criterion, settings: Settings, steps: Window, complete: bool
) -> Search:
    """The best of the cells of a table that have rates, after smoothing."""
    false_alarm, miss = smoothed(table.false_alarm, steps), smoothed(table.miss, steps)
    cells = [_as_cell(place) for place in np.argwhere(np.isfinite(false_alarm))]
    if not cells:
        raise ValueError(
            "The search ended before a single setting had been tried in all folds, so there is "
            "nothing to choose from. Let it run longer, or give it values of nu in (0, 1]."
        )
    order = Order(table, criterion)
    best = min(cells, key=lambda cell: order.key(cell, float(false_alarm[cell]), float(miss[cell])))
    return Search(
        settings.strategy, settings.smoothing, table, false_alarm, miss, best, (), complete
    )


class Order(NamedTuple):
    """What is better: by the criterion, and among equals the smoother set.

    Attributes
    ----------
    axes : ErrorTable or ErrorOracle
        Whose ν₊, ν₋ and σ the indices of a cell refer to.
    criterion : Criterion
        What is best.
    """

    axes: ErrorTable | ErrorOracle
    criterion: Criterion

    def key(self, cell: Cell, false_alarm: float, miss: float) -> tuple[float, ...]:
        """A key by which better cells with such rates come first."""
        s, a, b = cell
        both = float(self.axes.nu_plus[a] + self.axes.nu_minus[b])
        return *self.criterion.key(false_alarm, miss), -both, -float(self.axes.sigmas[s])


def _descend(
    X: FloatArray,
    signs: FloatArray,
    criterion: Criterion,
    settings: Settings,
    steps: Window,
    callback: Progress | None,
) -> Search:
    """Coordinate descent, in the plane of each σ or in all three dimensions."""
    oracle = ErrorOracle(
        X, signs, settings.nu, settings.nu, settings.sigmas,
        folds=settings.folds, seed=settings.seed,
    )  # fmt: skip
    descent = Descent(oracle, steps, Order(oracle, criterion).key, callback)
    for start, axes, from_, to in descents(settings):
        descent.run(start, axes, from_, to)
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


def descents(settings: Settings) -> Iterator[tuple[Cell, tuple[int, ...], float, float]]:
    """The descents that a strategy consists of, in turn.

    Yields the cell to start from, the axes to go along (0: σ, 1: ν₊, 2: ν₋), and the share of the
    work that is done before and after.
    """
    half = int(np.argmin(np.abs(settings.nu - 0.5)))
    if settings.strategy == "coordinate-3d":
        yield (len(settings.sigmas) // 2, half, half), (0, 1, 2), 0.0, 1.0
        return
    for s in range(len(settings.sigmas)):
        yield (s, half, half), (1, 2), s / len(settings.sigmas), (s + 1) / len(settings.sigmas)


def _as_cell(place: NDArray[np.intp]) -> Cell:
    return int(place[0]), int(place[1]), int(place[2])
