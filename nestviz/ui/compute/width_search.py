"""Searches over the width of the kernel, for worker processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from nestviz.arrays import FloatArray, IndexArray
from nestviz.solvers.records import Progress
from nestviz.ui.compute.tasks import Report, fit_params
from nestviz.volume import BandwidthSelection, MarginEffect, Reference, uniform_reference
from nestviz.volume.bandwidth import MARGINS
from nestviz.volume.reference import MARGIN
from nestviz.volume.selection import NARROW
from nestviz.volume.trials import EXTENSIONS, Trials, narrower

AT_A_TIME = 2
"""Widths between two interim results; their folds together keep all cores busy."""
RULES_SHARE = 0.15
"""About what the rule of support vectors takes of the time, by which the bar is set."""
COMPARED = 512
"""Reference points of each box that the choice of the width is compared over."""
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
    margins : MarginEffect
        What the width would be with boxes of other margins, by the same fits.
    counted_end : str or None
        Which end of the widths the rule of support vectors stops at, if it does.
    """

    selection: BandwidthSelection
    rules: dict[str, float]
    wanted: int
    margins: MarginEffect
    counted_end: str | None = None


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
    extrapolated : dict of str to (S,) array
        Share of the points that are ranked by extrapolation, by method; mean over folds.
    """

    sigmas: FloatArray
    areas: dict[str, FloatArray]
    wanted: int
    extrapolated: dict[str, FloatArray]


def search(
    method: str,
    X: FloatArray,
    widths: Sequence[float],
    folds: int,
    margin: float,
    report: Report,
) -> WidthSearch | None:
    """Integrated volume at each width, and what other rules would choose.

    Volumes are shares of the box around the points. Widths are visited from coarse to fine, so that
    a search that is stopped has seen the whole range. As in the library, narrower ones are added
    while the least volume is at the narrow end.
    """
    from nestviz.kernels import average_distance, median_distance
    from nestviz.volume import support_vector_rule

    estimator = _estimator(method)
    rules = {"median distance": median_distance(X), "average distance": average_distance(X)}
    found = Volumes(estimator, X, folds, len(widths), rules, margin)
    order = coarse_to_fine(len(widths))
    for start in range(0, len(order), AT_A_TIME):
        if found.add([widths[k] for k in order[start : start + AT_A_TIME]], report):
            return found.so_far()
    if found.extend(len(widths), report):
        return found.so_far()
    if method in COUNTED:
        report(1.0 - RULES_SHARE, "counting support vectors", partial=found.so_far())
        rule = support_vector_rule(X, estimator, widths)
        rules["support vectors"], found.counted_end = rule.sigma, rule.at_end
    return found.so_far()


@dataclass(eq=False)
class Volumes:
    """Integrated volumes, a few widths at a time, all on the same folds and references."""

    estimator: Any
    X: FloatArray
    folds: int
    wanted: int
    rules: dict[str, float]
    margin: float = MARGIN
    selection: BandwidthSelection | None = None
    values: dict[float, FloatArray] = field(default_factory=dict)
    counted_end: str | None = None
    trials: Trials = field(init=False)

    def __post_init__(self) -> None:
        others = [margin for margin in MARGINS if margin != self.margin]
        self.margins = (self.margin, *others)
        boxes = [_box(self.X, self.margin)]
        boxes += [_box(self.X, margin, COMPARED) for margin in others]
        self.trials = Trials(self.X, self.estimator, boxes, self.folds)

    def add(self, widths: Sequence[float], report: Report) -> bool:
        """Estimate at some more widths; True when told to stop."""
        stop = False
        before = len(self.values)

        def heard(progress: Progress) -> bool:
            nonlocal stop
            tried = before + progress.done / self.folds
            share = (1.0 - RULES_SHARE) * min(tried / self.wanted, 1.0)
            stop = report(share, f"{int(tried)} of {self.wanted} widths tried") or stop
            return stop

        found, values = self.trials.run(np.sort(widths), heard)
        self.selection = found if self.selection is None else self.selection.joined(found)
        self.values |= dict(zip(found.sigmas.tolist(), values.T, strict=True))
        if self.values and not stop:
            share = (1.0 - RULES_SHARE) * min(len(self.values) / self.wanted, 1.0)
            stop = report(share, partial=self.so_far())
        return stop

    def extend(self, count: int, report: Report) -> bool:
        """Add narrower widths while the least volume is at that end; True when told to stop."""
        for _ in range(EXTENSIONS):
            if self.selection is None or self.selection.at_end != NARROW:
                break
            more = narrower(self.selection.sigmas, count)
            self.wanted += more.size
            if self.add(more.tolist(), report):
                return True
        return False

    def so_far(self) -> WidthSearch | None:
        """What is finished, in order; None before anything is."""
        if self.selection is None or not self.values:
            return None
        done = self.selection
        whole = done.sigmas.size == self.wanted
        selection = BandwidthSelection(done.sigmas, done.results, whole)
        return WidthSearch(
            selection, dict(self.rules), self.wanted, self._effect(), self.counted_end
        )

    def _effect(self) -> MarginEffect:
        widths = sorted(self.values)
        order = np.argsort(self.margins)
        table = np.array([self.values[width] for width in widths]).T
        return MarginEffect(np.array(self.margins)[order], np.array(widths), table[order])


def _box(X: FloatArray, margin: float, count: int = 2048) -> Reference:
    """Reference points of the box around the points; volumes are shares of it."""
    return uniform_reference(X, count, seed=0, margin=margin, relative=True)


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
    found: dict[float, list[list[Ranked]]] = {}
    for width in (widths[k] for k in coarse_to_fine(len(widths))):
        areas: list[list[Ranked]] = []
        for method in methods:
            estimator = _estimator(method).set_params(sigma=width)
            tried = len(found) + len(areas) / len(methods)
            heard = partial(_at_work, report, tried / len(widths))
            areas.append([_area(estimator, nominal, part, others, heard) for part in parts])
            tried = len(found) + len(areas) / len(methods)
            if report(tried / len(widths), f"{int(tried)} of {len(widths)} widths tried"):
                return _in_order(methods, found, len(widths))
        found[width] = areas
        report(len(found) / len(widths), partial=_in_order(methods, found, len(widths)))
    return _in_order(methods, found, len(widths))


def coarse_to_fine(count: int) -> list[int]:
    """Every fourth place, then the ones half way between, then the rest."""
    return [*range(0, count, 4), *range(2, count, 4), *range(1, count, 2)]


class Ranked(NamedTuple):
    """AUC on one fold, and the share of the points ranked by extrapolation."""

    area: float
    extrapolated: float


def _at_work(report: Report, done: float, progress: Any) -> bool:
    """Hear a solver between two rounds, of one fit among many; True when it should stop."""
    return report(done)


def _area(
    estimator: Any,
    nominal: FloatArray,
    part: IndexArray,
    others: FloatArray,
    heard: Callable[[Any], bool],
) -> Ranked:
    from nestviz.analysis.roc import roc_curve
    from nestviz.volume.integrated import fit_without

    params = fit_params(estimator, heard)
    family = fit_without(estimator, nominal, part, fit_params=params).family_
    points = np.concatenate([nominal[part], others])
    curve = roc_curve(family, points, np.repeat([1, -1], [len(part), len(others)]))
    return Ranked(curve.area, curve.extrapolated)


def _in_order(
    methods: Sequence[str], found: dict[float, list[list[Ranked]]], wanted: int
) -> AreaSearch | None:
    if not found:
        return None
    widths = sorted(found)
    table = np.array([found[width] for width in widths])
    areas = {method: table[:, place, :, 0] for place, method in enumerate(methods)}
    shares = {method: table[:, place, :, 1].mean(axis=1) for place, method in enumerate(methods)}
    return AreaSearch(np.array(widths), areas, wanted, shares)


def _estimator(method: str) -> Any:
    import nestviz

    return getattr(nestviz, METHODS[method])()
