"""Benchmark rows: any number of points through weighted centres, alone and against peers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.data import make_sample
from nestviz.estimators.nested_one_class import NestedOneClassSVM
from nestviz.estimators.quantised import Quantised
from nestviz.grids import Grid
from nestviz.kernels import median_distance
from nestviz.studies.bench.report import Row, Target, at_most
from nestviz.studies.bench.timing import best_time, run_in_new_process
from nestviz.studies.bench.training_sets import N_LEVELS

GROUP = "scale"
WHAT = "weighted centres"
SIGMA, TOLERANCE = 0.37, 0.01
"""Width for the banana as drawn, and the certified gap that is asked for."""
MOST_DRAWN = 20_000
"""Points that the generator draws at once."""
FEATURES, CLUSTERS, APART = 30, 5, 4.0
"""The Gaussian mixture: its features, its clusters, and the deviation of their means."""
SAMPLE = 2_000
"""Points that the width of the mixture is found from."""
PLANTED = 0.01
"""Outliers among the points, spread evenly over their box."""
EXPONENT = 1.1
"""Largest exponent of time in the number of points."""
BANANA_SECONDS, MIXTURE_SECONDS, MOST_GIGABYTES = 20.0, 60.0, 1.0
"""Limits for a million points in the plane, and for a hundred thousand with many features."""


class Plan(NamedTuple):
    """Sizes of a run."""

    points: tuple[int, ...]
    mixture: int
    mixture_centres: int
    peer_points: tuple[int, ...]
    hdbscan_most: int
    agreement: tuple[tuple[int, tuple[int, ...]], ...]
    targets: bool


FULL = Plan(
    (10_000, 100_000, 1_000_000), 100_000, 4000, (10_000, 100_000), 10_000,
    ((5000, (250, 1000)), (20_000, (250, 1000))), targets=True,
)  # fmt: skip
QUICK = Plan((2000, 4000, 8000), 2000, 200, (2000,), 2000, ((1000, (250,)),), targets=False)


def rows(plan: Plan, exponent: Callable[..., float]) -> Iterator[Row]:
    """Yield time, memory and certificates of ours, then the peers, then the agreement."""
    runs = [run_in_new_process("weighted-centres", n) for n in plan.points]
    for n, run in zip(plan.points, runs, strict=True):
        size = f"drawn banana, N={n:,}, M={N_LEVELS}, σ={SIGMA}"
        last = plan.targets and n == plan.points[-1]
        yield _memory_row(run, size, MOST_GIGABYTES if last else None)
    if plan.targets:
        run = runs[-1]
        yield _limit_row(run, size, run["seconds"], at_most(BANANA_SECONDS, "s"))
        yield _limit_row(run, size, 100.0 * run["gap"], at_most(100.0 * TOLERANCE, "%"))
    yield Row(
        GROUP,
        f"{WHAT}: exponent of time in N",
        f"drawn banana, N={plan.points[0]:,}…{plan.points[-1]:,}",
        "none",
        runs[-1]["seconds"],
        value=exponent(plan.points, [run["seconds"] for run in runs]),
        target=at_most(EXPONENT) if plan.targets else None,
        note="seconds at the largest N",
    )
    run = run_in_new_process("weighted-centres-mixture", plan.mixture, plan.mixture_centres)
    size = f"mixture, N={plan.mixture:,}, {FEATURES} features, σ=d_med"
    yield _memory_row(run, size)
    if plan.targets:
        yield _limit_row(run, size, run["seconds"], at_most(MIXTURE_SECONDS, "s"))
    for n in plan.peer_points:
        yield from _against_peers(n, plan)
    for n, counts in plan.agreement:
        yield from _agreement(n, counts)


def _limit_row(run: dict[str, float], size: str, value: float, target: Target) -> Row:
    unit = target.text.split()[-1]
    what = f"{WHAT}: {'certified gap' if unit == '%' else 'time'}"
    return Row(GROUP, what, size, "none", run["seconds"], value=value, unit=unit, target=target)


def _memory_row(run: dict[str, float], size: str, most: float | None = None) -> Row:
    known = np.isfinite(run["gigabytes"])
    return Row(
        GROUP,
        f"{WHAT}: memory",
        size,
        "none",
        run["seconds"],
        our_gap=run["gap"],
        value=run["gigabytes"] if known else run["centres"],
        unit="GB" if known else "centres",
        target=at_most(most, "GB") if known and most is not None else None,
        note=f"{run['centres']:,.0f} centres, certified to {run['gap']:.2%}",
    )


def banana(n: int) -> FloatArray:
    """Draw points of the banana, in blocks with seeds of their own."""
    blocks = [
        make_sample("banana", n=min(MOST_DRAWN, n - start), random_state=seed).X
        for seed, start in enumerate(range(0, n, MOST_DRAWN))
    ]
    return np.concatenate(blocks)


def mixture(n: int) -> FloatArray:
    """Draw points of a Gaussian mixture with many features."""
    generator = np.random.default_rng(0)
    means = APART * generator.normal(size=(CLUSTERS, FEATURES))
    return generator.normal(size=(n, FEATURES)) + means[generator.integers(CLUSTERS, size=n)]


def fit_banana(n: int) -> dict[str, float]:
    """Fit to the banana, and find the level at which each point enters."""
    return _timed(banana(n), Quantised(NestedOneClassSVM(SIGMA), tol=TOLERANCE, random_state=0))


def fit_mixture(n: int, most: int) -> dict[str, float]:
    """Fit to a mixture with many features, with the median distance as the width."""
    X = mixture(n)
    estimator = NestedOneClassSVM(median_distance(X[:SAMPLE]))
    return _timed(X, Quantised(estimator, tol=TOLERANCE, max_centres=most, random_state=0))


def _timed(X: FloatArray, model: Quantised) -> dict[str, float]:
    from nestviz.studies.bench.jobs import peak_gigabytes

    # Compiled code is read from the cache before the clock starts.
    Quantised(NestedOneClassSVM(2.0 * model.estimator.sigma), 20, tol=1e9, random_state=0).fit(
        X[:200]
    ).entry_levels(X[:200])
    start = time.perf_counter()
    model.fit(X).entry_levels(X)
    return {
        "seconds": time.perf_counter() - start,
        "gap": model.duality_gap_,
        "centres": float(len(model.centres_)),
        "gigabytes": peak_gigabytes(),
    }


def _against_peers(n: int, plan: Plan) -> Iterator[Row]:
    """Yield times and, for planted outliers, areas under the ROC curve of both sides."""
    from sklearn.metrics import roc_auc_score

    X, outlier = planted(n)

    def ours() -> FloatArray:
        model = Quantised(NestedOneClassSVM(SIGMA), tol=TOLERANCE, random_state=0)
        return -model.fit(X).entry_levels(X)

    seconds, scores = best_time(ours, 2, at_least=1)
    area = float(roc_auc_score(outlier, scores))
    for name, score in PEERS.items():
        if name == "HDBSCAN" and n > plan.hdbscan_most:
            continue
        taken, found = best_time(partial(score, X), 2, at_least=1)
        theirs = float(roc_auc_score(outlier, found))
        yield Row(
            GROUP,
            f"{WHAT}, planted outliers",
            f"drawn banana, N={n:,}, {PLANTED:.0%} planted",
            name,
            seconds,
            taken,
            difference=abs(area - theirs),
            note=f"AUC {area:.3f}, peer {theirs:.3f}",
        )


def planted(n: int) -> tuple[FloatArray, Any]:
    """Return points of the banana with outliers, and which points are outliers."""
    count = round(PLANTED * n)
    inner = banana(n - count)
    low, high = inner.min(axis=0), inner.max(axis=0)
    outer = np.random.default_rng(1).uniform(low, high, size=(count, inner.shape[1]))
    return np.concatenate([inner, outer]), np.arange(n) >= n - count


def _nystroem(X: FloatArray) -> FloatArray:
    from sklearn.kernel_approximation import Nystroem
    from sklearn.linear_model import SGDOneClassSVM
    from sklearn.pipeline import make_pipeline

    features = Nystroem(gamma=0.5 / SIGMA**2, n_components=200, random_state=0)
    model = make_pipeline(features, SGDOneClassSVM(nu=0.1, random_state=0)).fit(X)
    return -np.asarray(model.score_samples(X))


def _forest(X: FloatArray) -> FloatArray:
    from sklearn.ensemble import IsolationForest

    return -np.asarray(IsolationForest(random_state=0).fit(X).score_samples(X))


def _hdbscan(X: FloatArray) -> FloatArray:
    from sklearn.cluster import HDBSCAN

    found = HDBSCAN(min_cluster_size=max(len(X) // 100, 5), copy=True).fit(X)
    return 1.0 - np.asarray(found.probabilities_)


PEERS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "SGDOneClassSVM on 200 Nystroem features": _nystroem,
    "IsolationForest": _forest,
    "HDBSCAN": _hdbscan,
}
"""Scores of outliers, the higher the more abnormal."""


def _agreement(n: int, counts: tuple[int, ...]) -> Iterator[Row]:
    """Yield how far sets and entry levels are from those of the full solution."""
    from scipy.stats import spearmanr

    X = banana(n)
    seconds, full = best_time(lambda: NestedOneClassSVM(SIGMA).fit(X), 1)
    grid = Grid.around(X)
    pixels, levels = full.family_.first_level(grid).ravel(), full.levels_[:, None]
    entered = full.family_.first_level(X)
    for count in counts:
        inner = NestedOneClassSVM(SIGMA, full.levels_)
        model = Quantised(inner, count, tol=1.0, random_state=0)
        taken, _ = best_time(partial(model.fit, X), 1)
        mine = model.family_.first_level(grid).ravel()
        apart = 100.0 * float(np.mean((mine >= levels) != (pixels >= levels)))
        rho = float(spearmanr(entered, model.entry_levels(X)).statistic)
        yield Row(
            GROUP,
            f"{WHAT}: sets apart from those of all points",
            f"drawn banana, N={n:,}, {count:,} centres",
            "solving with all points",
            taken,
            seconds,
            our_gap=model.duality_gap_,
            difference=1.0 - rho,
            value=apart,
            unit="%",
            note=f"mean of the picture; rank correlation of entry levels {rho:.5f}",
        )
