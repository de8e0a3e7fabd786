"""Fits for worker processes, with progress.

Each function takes ``report`` last. It calls ``report(done, text, partial)`` from time to time and
ends early where that returns True.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.ui.compute.methods import Fitted, Spec, mean_one

TOLERANCE = 1e-6
"""The relative duality gap at which the nested solvers stop."""


class Report(Protocol):
    """A progress callback; see `nestviz.ui.results.worker.main`."""

    def __call__(self, done: float, text: str = "", partial: Any = None) -> bool:
        """Report the share that is done, from 0 to 1; return True to stop the work."""


def never_stop(done: float, text: str = "", partial: Any = None) -> bool:
    """Ignore progress; for work that cannot be stopped."""
    return False


def fit(
    spec: Spec,
    X: FloatArray,
    y: NDArray[np.int8] | None = None,
    weights: FloatArray | None = None,
    report: Report = never_stop,
) -> Fitted:
    """Solve the problem of a spec; labels are used for two classes only.

    Weights count relative to their mean: λ of two classes means the same as for as many points.
    """
    started = perf_counter()
    given = None if weights is None else mean_one(weights)
    estimator = unfitted(spec, X, given)
    labels = (y,) if spec.two_classes else ()
    params = fit_params(estimator, SolverProgress(report))
    if given is not None:
        params["sample_weight"] = given
    estimator.fit(X, *labels, **params)
    return Fitted(spec, estimator, spec.row.family(estimator), perf_counter() - started, given)


def unfitted(spec: Spec, X: FloatArray, weights: FloatArray | None = None) -> Any:
    """Return the estimator of a spec; geometric levels depend on the points."""
    return spec.unfitted(X, weights)


def fit_params(estimator: Any, callback: Callable[[Any], bool]) -> dict[str, Any]:
    """Return the callback as an argument of ``fit``, if ``fit`` has one."""
    accepted = "callback" in inspect.signature(estimator.fit).parameters
    return {"callback": callback} if accepted else {}


class SolverProgress:
    """A solver callback that reports progress.

    A path gives the share of its range itself. A nested solver reduces its duality gap by about the
    same factor in every round: its share is that of the digits gained.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._first_gap = 0.0

    def __call__(self, progress: Any) -> bool:
        """Report the progress of a solver; return True to stop it."""
        if progress.share is not None:
            return self._report(progress.share, f"{progress.done:,} breakpoints")
        gap = max(progress.duality_gap, TOLERANCE)
        self._first_gap = max(self._first_gap, gap)
        digits = math.log(self._first_gap / TOLERANCE)
        done = math.log(self._first_gap / gap) / digits if digits else 0.0
        return self._report(done, f"duality gap {progress.duality_gap:.0e}")
