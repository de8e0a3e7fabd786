"""Benchmark rows: what guarantees promise and what is measured, beside methods without them.

Every row is a mean over many draws of data, with a 95 % band. Sets are calibrated for a coverage of
90 %; outliers are selected at a false discovery rate of 10 %; false alarms are limited to 10 %. The
peers are scikit-learn's detectors, calibrated on held-out points in a few lines.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from nestviz.analysis.coverage import at_masses
from nestviz.arrays import BoolArray, FloatArray
from nestviz.data import make_sample
from nestviz.estimators import (
    ConformalSets,
    NestedOneClassSVM,
    NeymanPearsonClassifier,
    QuantileOneClassSVM,
)
from nestviz.studies.bench.report import Row, Target

GROUP = "guarantees"
SIGMA, COVERAGE, RATE = 0.4, 0.9, 0.1
"""Width for the banana as drawn; the coverage of sets; the rate of false discoveries."""
ALPHA, DELTA = 0.1, 0.05
"""The limit on false alarms, and the probability with which it may be exceeded."""
PLANTED = 20
"""Outliers among the points to be judged, spread evenly over the box (−9, 9)²."""
WITHIN = 4.0
"""Standard errors by which a mean over draws may miss a promise that holds."""


class Plan(NamedTuple):
    """Draws and sizes of a run."""

    draws: int
    few: int  # Draws of methods with one fit for each point
    points: int  # Points of each draw that sets are fitted to and calibrated on
    new: int  # New points of each draw
    reference: int  # Ordinary points that outliers are compared with
    negatives: int  # Points of each class of a classifier
    classifiers: int  # Draws of classifiers
    nus: int  # Values of ν₊ and of ν₋ that are searched


FULL = Plan(500, 50, 100, 500, 400, 200, 500, 6)
QUICK = Plan(20, 3, 60, 200, 300, 60, 20, 4)


class Judge(NamedTuple):
    """A fitted method."""

    inside: Callable[[FloatArray], BoolArray]  # Whether points are in its set
    p_values: Callable[[FloatArray], FloatArray] | None = None
    bound: float | None = None  # The coverage that is proved


Fit = Callable[[FloatArray, int], Judge]
"""Fits a method to the points of a draw, with a seed."""


def rows(quick: bool) -> Iterator[Row]:
    """Yield coverage, false discoveries with power, and how often false alarms exceed a limit."""
    plan = QUICK if quick else FULL
    yield from _coverage(plan)
    yield from _discoveries(plan)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="No setting of the search")
        yield from _false_alarms(plan)


def banana(n: int, seed: int) -> FloatArray:
    """Return points of the banana, drawn anew by each seed."""
    return make_sample("banana", n=n, random_state=seed).X


def conformal(method: str = "split") -> Fit:
    """Return a fit of our calibrated sets."""

    def fit(X: FloatArray, seed: int) -> Judge:
        inner = NestedOneClassSVM(SIGMA)
        sets = ConformalSets(inner, COVERAGE, method=method, random_state=seed).fit(X)
        return Judge(sets.contains, sets.p_values, sets.coverage_bound())

    return fit


def quantile_set(X: FloatArray, seed: int) -> Judge:
    """Fit the set of the same mass without calibration: q-OCSVM's."""
    family = QuantileOneClassSVM(SIGMA, [0.5, 0.7, COVERAGE]).fit(X).family_
    return Judge(lambda new: family.contains(new, COVERAGE))


def training_mass(X: FloatArray, seed: int) -> Judge:
    """Fit the nested SVM, read where it holds the share of its training points."""
    family = at_masses(NestedOneClassSVM(SIGMA).fit(X).family_, X, [0.5, COVERAGE])
    return Judge(lambda new: family.contains(new, COVERAGE))


def calibrated(make: Callable[[int], Any]) -> Fit:
    """Return a fit of a scikit-learn detector, calibrated on half of the points."""

    def fit(X: FloatArray, seed: int) -> Judge:
        order, half = np.random.default_rng(seed).permutation(len(X)), len(X) // 2
        model = make(seed).fit(X[order[half:]])
        held = np.sort(model.score_samples(X[order[:half]]))

        def p_values(new: FloatArray) -> FloatArray:
            below = np.searchsorted(held, model.score_samples(new), side="right")
            return np.asarray((1.0 + below) / (half + 1.0))

        return Judge(lambda new: p_values(new) > 1.0 - COVERAGE + 1e-12, p_values, COVERAGE)

    return fit


def one_class_svm(seed: int) -> Any:
    """Return scikit-learn's one-class SVM with the same kernel."""
    from sklearn.svm import OneClassSVM

    return OneClassSVM(gamma=0.5 / SIGMA**2, nu=0.1)


def uncalibrated(X: FloatArray, seed: int) -> Judge:
    """Fit scikit-learn's one-class SVM; its own ν is the share that it leaves outside."""
    model = one_class_svm(seed).fit(X)
    return Judge(lambda new: model.predict(new) > 0)


def isolation_forest(seed: int) -> Any:
    """Return scikit-learn's isolation forest."""
    from sklearn.ensemble import IsolationForest

    return IsolationForest(random_state=seed)


PEERS = {
    "OneClassSVM, split": calibrated(one_class_svm),
    "IsolationForest, split": calibrated(isolation_forest),
}


def _coverage(plan: Plan) -> Iterator[Row]:
    """Yield the share of new points in sets that should hold 90 % of them."""
    methods: dict[str, Fit] = {
        "nested SVM, split": conformal("split"),
        "nested SVM, cross": conformal("cross"),
        "nested SVM, jackknife+": conformal("jackknife+"),
        **PEERS,
        "q-OCSVM, plain": quantile_set,
        "nested SVM, plain": training_mass,
    }
    for name, fit in methods.items():
        draws = plan.few if name.endswith(("cross", "jackknife+")) else plan.draws
        started, shares, areas = perf_counter(), [], []
        for seed in range(draws):
            judge = fit(banana(plan.points, seed), seed)
            shares.append(judge.inside(banana(plan.new, 100_000 + seed)).mean())
            areas.append(judge.inside(_box(1000, seed)).mean())
        target, words = None, "no promise"
        if judge.bound is not None:
            least = 100.0 * (judge.bound - WITHIN * _error(shares))
            target, words = Target(f"≥ {judge.bound:.0%}", least=least), "proved: the target"
        size = f"banana, N={plan.points}, {draws} draws"
        note = f"{words}; area {np.mean(areas):.1%} of the box"
        yield _row(f"90 % sets hold: {name}", size, name, started, shares, target, note)


def _discoveries(plan: Plan) -> Iterator[Row]:
    """Yield the share of ordinary points among those selected, and the outliers found."""
    methods = {"nested SVM, split": conformal("split"), **PEERS, "OneClassSVM, plain": uncalibrated}
    ordinary = 9 * PLANTED
    for name, fit in methods.items():
        started, shares, powers = perf_counter(), [], []
        for seed in range(plan.draws):
            judge = fit(banana(plan.reference, seed), seed)
            judged = np.vstack([banana(ordinary, 100_000 + seed), _box(PLANTED, seed)])
            chosen = _selected(judge, judged)
            shares.append(float(chosen[:ordinary].sum() / max(chosen.sum(), 1)))
            powers.append(chosen[ordinary:].mean())
        target, words = None, "no promise"
        if judge.p_values is not None:
            most = 100.0 * (RATE + WITHIN * _error(shares))
            target, words = Target(f"≤ {RATE:.0%}", most=most), "proved: the target"
        size = f"banana, N={plan.reference}, {plan.draws} draws"
        note = f"{words}; {np.mean(powers):.0%} of {PLANTED} outliers found"
        yield _row(f"false discoveries: {name}", size, name, started, shares, target, note)


def _selected(judge: Judge, judged: FloatArray) -> BoolArray:
    """Return which points are taken for outliers: by p-values, or all outside the set."""
    from scipy.stats import false_discovery_control

    if judge.p_values is None:
        return ~judge.inside(judged)
    return np.asarray(false_discovery_control(judge.p_values(judged)) <= RATE)


def _false_alarms(plan: Plan) -> Iterator[Row]:
    """Yield how often the false alarm rate on new points is above the limit."""
    negatives = two_classes(10_000, 99_999)[0][:10_000]
    methods: dict[str, tuple[Callable[[int], Any], float | None]] = {
        "held": (lambda seed: _neyman_pearson(DELTA, seed, plan), DELTA),
        "estimated": (lambda seed: _neyman_pearson(None, seed, plan), None),
        "SVC, quantile": (lambda seed: _quantile_classifier(seed, plan), None),
    }
    for name, (fit, delta) in methods.items():
        started, above, misses = perf_counter(), [], []
        for seed in range(plan.classifiers):
            called = fit(seed)
            above.append(float(called(negatives).mean() > ALPHA))
            misses.append(1.0 - called(negatives + 1.5).mean())
        share, draws = float(np.mean(above)), plan.classifiers
        low, high = _binomial_band(int(np.sum(above)), draws)
        target = None
        if delta is not None:
            most = delta + WITHIN * float(np.sqrt(delta * (1 - delta) / draws))
            target = Target(f"≤ {delta:.0%}", most=100.0 * most)
        words = "no promise" if delta is None else "proved: the target"
        yield Row(
            GROUP,
            f"false alarms above {ALPHA:.0%}: {name}",
            f"two Gaussians, N={2 * plan.negatives}, {draws} draws",
            _peer(name),
            perf_counter() - started,
            value=100.0 * share,
            unit="%",
            target=target,
            note=f"band {low:.1%}–{high:.1%}; {words}; misses {np.mean(misses):.0%}",
        )


def two_classes(n: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """Draw two Gaussian classes on a line, the negative one first."""
    rng = np.random.default_rng(seed)
    y = np.repeat([-1.0, 1.0], n)
    return rng.normal(size=(2 * n, 1)) + 1.5 * (y > 0)[:, None], y


def _neyman_pearson(
    guarantee: float | None, seed: int, plan: Plan
) -> Callable[[FloatArray], BoolArray]:
    model = NeymanPearsonClassifier(
        ALPHA, guarantee=guarantee, smoothing="none", nu_grid=plan.nus, sigmas=[1.0, 3.0], cv=2,
        random_state=seed,
    )  # fmt: skip
    model.fit(*two_classes(plan.negatives, seed))
    return lambda X: model.predict(X) > 0


def _quantile_classifier(seed: int, plan: Plan) -> Callable[[FloatArray], BoolArray]:
    """Set the threshold of an SVM at the empirical quantile of half of the negatives."""
    from sklearn.svm import SVC

    X, y = two_classes(plan.negatives, seed)
    held = plan.negatives // 2
    model = SVC(gamma=0.5).fit(X[held:], y[held:])
    threshold = np.quantile(model.decision_function(X[:held]), 1.0 - ALPHA)
    return lambda new: model.decision_function(new) > threshold


def _box(n: int, seed: int) -> FloatArray:
    """Draw points spread evenly over the box that outliers are planted in."""
    return np.random.default_rng(seed).uniform(-9.0, 9.0, size=(n, 2))


def _row(
    what: str,
    size: str,
    name: str,
    started: float,
    shares: Sequence[float],
    target: Target | None,
    note: str,
) -> Row:
    """Return a row of a mean over draws, with its band."""
    mean, half = float(np.mean(shares)), 1.96 * _error(shares)
    band = f"band {mean - half:.1%}–{mean + half:.1%}; {note}"
    seconds = perf_counter() - started
    return Row(
        GROUP, what, size, _peer(name), seconds, value=100.0 * mean, unit="%", target=target,
        note=band,
    )  # fmt: skip


def _peer(name: str) -> str:
    """Return which package a row measures besides ours."""
    ours = name.startswith(("nested", "q-OCSVM", "held", "estimated"))
    return "none" if ours else "scikit-learn"


def _error(shares: Sequence[float]) -> float:
    """Return the standard error of a mean over draws."""
    return float(np.std(shares, ddof=1) / np.sqrt(len(shares)))


def _binomial_band(errors: int, n: int) -> tuple[float, float]:
    """Return the exact 95 % interval of a binomial share."""
    from nestviz.analysis.rate_scores import error_rate

    return error_rate(errors, n).interval
