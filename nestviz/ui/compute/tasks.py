"""What worker processes do for pages: fits, sweeps, and searches, all with progress.

Each function takes ``report`` last: ``report(done, text, partial)`` tells how far it is, and
returns True when it should come to an end.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nestviz.analysis.level_sweep import Sweep
from nestviz.arrays import FloatArray
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.ui.compute.methods import Fitted, Spec

TOLERANCE = 1e-6
"""The relative duality gap at which the nested solvers end."""


class Report(Protocol):
    """How work tells of its progress; see `nestviz.ui.results.worker.main`."""

    def __call__(self, done: float, text: str = "", partial: Any = None) -> bool:
        """Say how much is done, from 0 to 1; True when to stop."""


def never_stop(done: float, text: str = "", partial: Any = None) -> bool:
    """A report for work done at once, which nobody waits for to be stopped."""
    return False


def fit(
    spec: Spec, X: FloatArray, y: NDArray[np.int8] | None = None, report: Report = never_stop
) -> Fitted:
    """Solve what a spec asks for; labels are looked at where it is about two classes."""
    started = perf_counter()
    estimator = unfitted(spec, X)
    labels = (y,) if spec.two_classes else ()
    estimator.fit(X, *labels, **fit_params(estimator, solver_progress(report)))
    return Fitted(spec, estimator, spec.row.family(estimator), perf_counter() - started)


def unfitted(spec: Spec, X: FloatArray) -> Any:
    """Make the estimator of a spec; the points matter where levels are placed by them."""
    import nestviz

    return getattr(nestviz, spec.row.estimator)(**spec.row.parameters(spec, X))


def fit_params(estimator: Any, callback: Callable[[Any], bool]) -> dict[str, Any]:
    """Return the callback as ``fit`` takes it; nothing where nothing is solved."""
    hears = "callback" in inspect.signature(estimator.fit).parameters
    return {"callback": callback} if hears else {}


def walk(
    family: SetFamily, grid: Grid, points: FloatArray, levels: Sequence[float], report: Report
) -> Sweep:
    """Outlines of the sets of a family at each level."""
    from nestviz.analysis.level_sweep import sweep

    report(0.05, f"{len(levels)} levels")
    return sweep(family, grid, points, np.array(levels))


class solver_progress:  # noqa: N801 - used like a function
    """A callback for solvers that reports how far they are.

    A path says itself what share of the way it has travelled. A nested solver makes its duality gap
    smaller, by about the same factor in every round: its share is that of the digits gained.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._first_gap = 0.0

    def __call__(self, progress: Any) -> bool:
        """Pass on what a solver says between two rounds; True when it should stop."""
        if progress.share is not None:
            return self._report(progress.share, f"{progress.done:,} breakpoints")
        gap = max(progress.duality_gap, TOLERANCE)
        self._first_gap = max(self._first_gap, gap)
        digits = math.log(self._first_gap / TOLERANCE)
        done = math.log(self._first_gap / gap) / digits if digits else 0.0
        return self._report(done, f"duality gap {progress.duality_gap:.0e}")
