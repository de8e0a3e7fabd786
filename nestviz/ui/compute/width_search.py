"""Searches over the width of the kernel, for worker processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nestviz.arrays import FloatArray, IndexArray
from nestviz.data import DataError
from nestviz.methods import WITH_ETA
from nestviz.solvers.records import Progress
from nestviz.ui.compute.tasks import Report, fit_params
from nestviz.volume import (
    BandwidthBootstrap,
    BandwidthSelection,
    MarginEffect,
    default_sigmas,
    uniform_reference,
)
from nestviz.volume.bandwidth import MARGINS
from nestviz.volume.rules import distance_rules
from nestviz.volume.trials import Trials, coarse_to_fine

if TYPE_CHECKING:
    from nestviz.analysis.density_estimate import DensityEstimate
    from nestviz.analysis.minimum_volume import MassLevel

RULES_SHARE = 0.15
"""Share of the progress bar that is left for the rule of support vectors."""
COMPARED = 512
"""Number of reference points of each box with another margin."""
RESAMPLED_WIDTHS, RESAMPLED_FOLDS = 15, 3
"""Widths and folds of each resample."""
UNIFORM = 2_000
"""Number of points of the uniform alternative."""
METHODS = {
    "one-class SVM": "OneClassPath",
    "nested one-class SVM": "NestedOneClassSVM",
    "Parzen": "ParzenLevelSets",
    WITH_ETA: "EtaOneClassPath",
}
"""Methods whose width can be searched, and their estimators."""
COUNTED = ("one-class SVM", "nested one-class SVM", WITH_ETA)
"""Methods whose number of support vectors depends on the width."""


@dataclass(frozen=True, eq=False)
class WidthSearch:
    """Integrated volume by width, and widths by other rules.

    Attributes
    ----------
    selection : BandwidthSelection
        At the widths that were tried; ``complete`` tells whether these are all.
    rules : dict of str to float
        Widths by other rules.
    wanted : int
        Number of widths to try.
    margins : MarginEffect
        The width with boxes of other margins, by the same fits.
    counted_end : str or None
        End of the widths at which the rule of support vectors stops, if it does.
    """

    selection: BandwidthSelection
    rules: dict[str, float]
    wanted: int
    margins: MarginEffect
    counted_end: str | None = None


class MassSet(NamedTuple):
    """The least set with a mass; its volume as a share of the box, with a standard error."""

    chosen: MassLevel
    volume: float
    error: float


@dataclass(frozen=True, eq=False)
class AreaSearch:
    """The AUC by width and method.

    Attributes
    ----------
    sigmas : ndarray of shape (n_widths,)
        Widths with a finished estimate, ascending.
    areas : dict of str to ndarray of shape (n_widths, n_folds)
        AUC of each fold, by method.
    wanted : int
        Number of widths to try.
    extrapolated : dict of str to ndarray of shape (n_widths,)
        Share of the points that are ranked by extrapolation, by method; mean over folds.
    """

    sigmas: FloatArray
    areas: dict[str, FloatArray]
    wanted: int
    extrapolated: dict[str, FloatArray]


def search(
    method: str,
    X: FloatArray,
    widths: int | Sequence[float],
    cv: int,
    margin: float,
    report: Report,
) -> WidthSearch | None:
    """Search the width as `nestviz.volume.select_bandwidth` does, and by other rules.

    ``widths`` is their number, or the widths themselves. Volumes are shares of the box around the
    points. Boxes with other margins are measured by the same fits.

    ``report`` gets the share done, a text and the result so far, and returns True to stop. What is
    finished is then returned, or None if nothing is.
    """
    from nestviz.volume import support_vector_rule

    estimator = _estimator(method)
    margins = (margin, *(other for other in MARGINS if other != margin))
    boxes = [
        uniform_reference(X, 2048 if one == margin else COMPARED, margin=one, relative=True)
        for one in margins
    ]
    counted = isinstance(widths, int)
    grid = default_sigmas(X, widths) if isinstance(widths, int) else np.array(widths)
    trials = Trials(X, estimator, boxes, cv=cv, n_jobs=-1)
    rules, stopped, most = distance_rules(X), False, 0.0

    def heard(progress: Progress) -> bool:
        nonlocal stopped, most
        done = progress.done
        most = max(most, (1.0 - RULES_SHARE) * (progress.share or 0.0))
        found = None if done % cv else _so_far(trials, margins, rules)
        stopped = report(most, f"{done // cv} of {trials.wanted} widths tried", partial=found)
        return stopped

    # Own widths are tried as they are; a grid goes on where its end is the best.
    (trials.run_extended if counted else trials.run)(grid, heard)
    end = None
    if method in COUNTED and not stopped:
        report(1.0 - RULES_SHARE, "counting support vectors")
        rule = support_vector_rule(X, estimator, grid, n_jobs=-1)
        rules["support vectors"], end = rule.sigma, rule.at_end
    return _so_far(trials, margins, rules, end)


def bootstrap(
    method: str,
    X: FloatArray,
    sigmas: Sequence[float],
    resamples: int,
    margin: float,
    report: Report,
) -> BandwidthBootstrap | None:
    """Repeat a search on samples drawn from the data with replacement.

    Only by some of its widths, with few folds and reference points: the spread between resamples is
    much larger than what these would change. ``report`` is that of `search`.
    """
    from nestviz.volume import bootstrap_bandwidth

    def heard(progress: Progress) -> bool:
        done = int(resamples * (progress.share or 0.0))
        return report(progress.share or 0.0, f"{done} of {resamples} resamples")

    found = bootstrap_bandwidth(
        X,
        _estimator(method),
        thinned(sigmas),
        resamples=resamples,
        cv=min(RESAMPLED_FOLDS, len(X)),
        reference=uniform_reference(X, COMPARED, margin=margin, relative=True),
        n_jobs=-1,
        callback=heard,
    )
    return found if len(found.values) else None


def thinned(sigmas: Sequence[float]) -> list[float]:
    """Return at most so many widths as a resample tries, both ends among them."""
    rows = np.linspace(0, len(sigmas) - 1, min(RESAMPLED_WIDTHS, len(sigmas)))
    return [sigmas[k] for k in np.unique(rows.round().astype(int))]


def set_of_mass(
    method: str, X: FloatArray, sigma: float, beta: float, cv: int, margin: float, report: Report
) -> MassSet:
    """Return the least set of a family with a mass, and its volume; DataError if there is none."""
    from nestviz.analysis.minimum_volume import minimum_volume_set

    estimator = _estimator(method).set_params(sigma=sigma)
    try:
        chosen = minimum_volume_set(estimator, X, beta, cv=cv, n_jobs=-1)
    except ValueError as error:
        raise DataError(str(error)) from error
    box = uniform_reference(X, 2 * 2048, margin=margin, relative=True)
    return MassSet(chosen, *chosen.volume(box))


def density(
    method: str, X: FloatArray, sigma: float, cv: int, margin: float, report: Report
) -> DensityEstimate:
    """Return the density read off a family, as a multiple of the uniform one over the box."""
    from nestviz.analysis.density_estimate import density_estimate

    estimator = _estimator(method).set_params(sigma=sigma)
    box = uniform_reference(X, 2 * 2048, margin=margin, relative=True)
    return density_estimate(estimator, X, box, cv=cv, n_jobs=-1)


def _so_far(
    trials: Trials, margins: Sequence[float], rules: dict[str, float], end: str | None = None
) -> WidthSearch | None:
    """Return what is finished; None before anything is."""
    selection, order = trials.selection(), np.argsort(margins)
    if not selection.results:
        return None
    effect = MarginEffect(np.array(margins)[order], selection.sigmas, trials.values()[order])
    return WidthSearch(selection, dict(rules), trials.wanted, effect, end)


def compare_areas(
    methods: Sequence[str],
    nominal: FloatArray,
    others: FloatArray | None,
    widths: Sequence[float],
    folds: int,
    report: Report,
) -> AreaSearch | None:
    """Return the AUC between held-out points and others at each width (2010, fig. 8).

    Sets are fitted to the nominal points without one fold. That fold and the other points are then
    ranked by the level at which they enter.

    Without ``others`` uniform points of the box around the nominal ones are the alternative.
    ``report`` is that of `search`.
    """
    from nestviz.volume.integrated import split

    if others is None:
        others = np.asarray(
            uniform_reference(nominal, UNIFORM, random_state=1, relative=True).points
        )
    parts = split(len(nominal), folds, 0)
    found: dict[float, list[list[Ranked]]] = {}
    for width in (widths[k] for k in coarse_to_fine(len(widths))):
        areas: list[list[Ranked]] = []
        for method in methods:
            estimator = _estimator(method).set_params(sigma=width)
            tried = len(found) + len(areas) / len(methods)

            def progress(_: Any, done: float = tried / len(widths)) -> bool:
                return report(done)

            areas.append([_area(estimator, nominal, part, others, progress) for part in parts])
            tried = len(found) + len(areas) / len(methods)
            if report(tried / len(widths), f"{int(tried)} of {len(widths)} widths tried"):
                return _in_order(methods, found, len(widths))
        found[width] = areas
        report(len(found) / len(widths), partial=_in_order(methods, found, len(widths)))
    return _in_order(methods, found, len(widths))


class Ranked(NamedTuple):
    """AUC on one fold, and the share of the points ranked by extrapolation."""

    area: float
    extrapolated: float


def _area(
    estimator: Any,
    nominal: FloatArray,
    part: IndexArray,
    others: FloatArray,
    progress: Callable[[Any], bool],
) -> Ranked:
    from nestviz.analysis.roc import roc_curve
    from nestviz.volume.integrated import fit_without

    params = fit_params(estimator, progress)
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
    areas = {method: table[:, k, :, 0] for k, method in enumerate(methods)}
    shares = {method: table[:, k, :, 1].mean(axis=1) for k, method in enumerate(methods)}
    return AreaSearch(np.array(widths), areas, wanted, shares)


def _estimator(method: str) -> Any:
    import nestviz

    return getattr(nestviz, METHODS[method])()
