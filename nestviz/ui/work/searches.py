"""Searches over the width of the kernel, for worker processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nestviz.ui.work.tasks import Report
from nestviz.volume import BandwidthSelection, Reference, select_bandwidth, uniform_reference
from nestviz.volume.integrated import IntegratedVolume

FloatArray = NDArray[np.float64]
IndexArray = NDArray[np.intp]

AT_A_TIME = 2
"""Widths between two interim results; their folds together keep all cores busy."""
RULES_SHARE = 0.15
"""About what the rule of support vectors takes of the time, by which the bar is set."""
UNIFORM = 2_000
"""Points of the uniform alternative."""
METHODS = {
    "one-class SVM": "OneClassPath",
    "nested one-class SVM": "NestedOneClassSVM",
    "Parzen": "ParzenLevelSets",
}
"""Methods whose width can be searched for, and their estimators."""
COUNTED = ("one-class SVM", "nested one-class SVM")
"""Those that leave points out as the kernel widens, so that support vectors can be counted."""


@dataclass(frozen=True, eq=False)
class WidthSearch:
    """Integrated volume by width, and widths by other rules.

    Attributes
    ----------
    selection : BandwidthSelection
        At the widths that were tried; ``complete`` says whether that is all of them.
    rules : dict of str to float
        Widths by rules that look at the points alone.
    wanted : int
        How many widths were asked for.
    """

    selection: BandwidthSelection
    rules: dict[str, float]
    wanted: int


@dataclass(frozen=True, eq=False)
class AreaSearch:
    """AUC by width and method.

    Attributes
    ----------
    sigmas : (S,) array
        Widths with a finished estimate, ascending.
    areas : dict of str to (S, K) array
        AUC of each fold, by method.
    wanted : int
        How many widths were asked for.
    """

    sigmas: FloatArray
    areas: dict[str, FloatArray]
    wanted: int


def search(
    method: str, X: FloatArray, widths: Sequence[float], folds: int, report: Report
) -> WidthSearch | None:
    """Integrated volume at each width, and what other rules would choose.

    Volumes are shares of the box around the points. Widths are visited from coarse to fine, so that
    a search that is stopped has seen the whole range.
    """
    from nestviz.kernels import average_distance, median_distance
    from nestviz.volume import support_vector_rule

    estimator = _estimator(method)
    rules = {"median distance": median_distance(X), "average distance": average_distance(X)}
    found = _Volumes(estimator, X, folds, len(widths), rules)
    order = coarse_to_fine(len(widths))
    for start in range(0, len(order), AT_A_TIME):
        if found.add([widths[k] for k in order[start : start + AT_A_TIME]], report):
            return found.so_far()
    if method in COUNTED:
        report(1.0 - RULES_SHARE, "counting support vectors", partial=found.so_far())
        rules["support vectors"] = support_vector_rule(X, estimator, widths).sigma
    return found.so_far()


@dataclass(eq=False)
class _Volumes:
    """Integrated volumes, a few widths at a time, all on the same folds and reference."""

    estimator: Any
    X: FloatArray
    folds: int
    wanted: int
    rules: dict[str, float]
    results: dict[float, IntegratedVolume] = field(default_factory=dict)
    reference: Reference = field(init=False)

    def __post_init__(self) -> None:
        self.reference = uniform_reference(self.X, seed=0, relative=True)

    def add(self, widths: Sequence[float], report: Report) -> bool:
        """Estimate at some more widths; True when told to stop."""
        stop = False
        before = len(self.results)

        def heard(done: int, total: int) -> bool:
            nonlocal stop
            tried = before + done / self.folds
            share = (1.0 - RULES_SHARE) * tried / self.wanted
            stop = report(share, f"{int(tried)} of {self.wanted} widths tried") or stop
            return stop

        found = select_bandwidth(
            self.X,
            self.estimator,
            widths,
            folds=self.folds,
            reference=self.reference,
            callback=heard,
        )
        self.results |= dict(zip(found.sigmas.tolist(), found.results, strict=True))
        if self.results and not stop:
            share = (1.0 - RULES_SHARE) * len(self.results) / self.wanted
            stop = report(share, partial=self.so_far())
        return stop

    def so_far(self) -> WidthSearch | None:
        """What is finished, in order; None before anything is."""
        if not self.results:
            return None
        widths = sorted(self.results)
        selection = BandwidthSelection(
            np.array(widths),
            tuple(self.results[width] for width in widths),
            len(widths) == self.wanted,
        )
        return WidthSearch(selection, dict(self.rules), self.wanted)


def compare_areas(
    methods: Sequence[str],
    nominal: FloatArray,
    others: FloatArray | None,
    widths: Sequence[float],
    folds: int,
    report: Report,
) -> AreaSearch | None:
    """AUC at each width: how well points held out are told from others (2010, fig. 8).

    Machines learn from the nominal points less one fold. That fold and the others are then ranked
    by the level at which they come in.

    Parameters
    ----------
    methods : sequence of str
        Keys of `METHODS`.
    nominal : (n, d) array
        Points of one class.
    others : (m, d) array, optional
        Points of the other class; without them, points drawn evenly from the box of the nominal.
    widths, folds, report
        As in `search`.
    """
    from nestviz.volume.integrated import split

    if others is None:
        others = np.asarray(uniform_reference(nominal, UNIFORM, seed=1, relative=True).points)
    parts = split(len(nominal), folds, 0)
    found: dict[float, list[list[float]]] = {}
    for width in (widths[k] for k in coarse_to_fine(len(widths))):
        areas: list[list[float]] = []
        for method in methods:
            estimator = _estimator(method).set_params(sigma=width)
            areas.append([_area(estimator, nominal, part, others) for part in parts])
            tried = len(found) + len(areas) / len(methods)
            if report(tried / len(widths), f"{int(tried)} of {len(widths)} widths tried"):
                return _in_order(methods, found, len(widths))
        found[width] = areas
        report(len(found) / len(widths), partial=_in_order(methods, found, len(widths)))
    return _in_order(methods, found, len(widths))


def coarse_to_fine(count: int) -> list[int]:
    """Every fourth place, then the ones half way between, then the rest."""
    return [*range(0, count, 4), *range(2, count, 4), *range(1, count, 2)]


def _area(estimator: Any, nominal: FloatArray, part: IndexArray, others: FloatArray) -> float:
    from nestviz.analysis.roc import auc
    from nestviz.volume.integrated import fit_without

    family = fit_without(estimator, nominal, part).family_
    points = np.concatenate([nominal[part], others])
    return auc(family, points, np.repeat([1, -1], [len(part), len(others)]))


def _in_order(
    methods: Sequence[str], found: dict[float, list[list[float]]], wanted: int
) -> AreaSearch | None:
    if not found:
        return None
    widths = sorted(found)
    table = np.array([found[width] for width in widths])
    areas = {method: table[:, place] for place, method in enumerate(methods)}
    return AreaSearch(np.array(widths), areas, wanted)


def _estimator(method: str) -> Any:
    import nestviz

    return getattr(nestviz, METHODS[method])()
