"""Benchmark rows: whole searches, the minimax probability machine, thinning."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.estimators.error_control.classifiers import NeymanPearsonClassifier
from nestviz.estimators.error_control.search import Search
from nestviz.solvers.minimax_machine import Machine, solve_machine
from nestviz.studies.bench.report import Row, faster
from nestviz.studies.bench.timing import best_time
from nestviz.studies.bench.training_sets import Points
from nestviz.volume.thinning import thin

ALPHA = 0.1
#: Added to the covariances of the minimax probability machine.
UNCERTAINTY = 0.01
#: Times more points than are kept by thinning.
OVERSAMPLING = 10
#: Points kept at most; the peer's time grows with the cube.
KEPT = 200


def rows(
    group: str, points: Points, nus: FloatArray, sigmas: FloatArray, folds: int
) -> Iterator[Row]:
    """Yield searches by grid and by descent, then what has a peer."""
    yield from _searches(group, points, nus, sigmas, folds)
    yield _machine(group, points)
    yield _thinning(group, points)


def _searches(
    group: str, points: Points, nus: FloatArray, sigmas: FloatArray, folds: int
) -> Iterator[Row]:
    """Yield searches from points to a fitted classifier; descents against the whole grid."""

    def run(strategy: str, smoothing: str) -> Search:
        model = NeymanPearsonClassifier(
            ALPHA, strategy=strategy, smoothing=smoothing, nu_grid=nus, sigmas=sigmas, cv=folds
        )
        found: Search = model.fit(points.X, points.y).search_
        return found

    setting = f"banana, N={len(points.y)}, {len(nus)}×{len(nus)}×{len(sigmas)}, {folds} folds"
    whole: float | None = None
    for strategy, smoothing, named in (
        ("grid", "3d", "whole grid"),
        ("coordinate-2d", "none", "2-D descent"),
        ("coordinate-3d", "none", "3-D descent"),
        ("coordinate-3d", "3d", "3-D descent, smoothed"),
    ):
        seconds, found = best_time(partial(run, strategy, smoothing), 1, at_least=1)
        yield Row(
            group,
            f"Neyman–Pearson search, α = {ALPHA:g}: {named}",
            setting,
            "none" if whole is None else "the whole grid, smoothed",
            seconds,
            whole,
            value=found.solves / seconds,
            unit="solves/s",
            note=f"{found.solves} solves; P_F {found.rates[0]:.3f}, P_M {found.rates[1]:.3f}",
        )
        whole = seconds if whole is None else whole


def _machine(group: str, points: Points) -> Row:
    """Time the minimax probability machine from feature-space moments to the normal vector."""
    values, vectors = np.linalg.eigh(points.gram())
    kept = values > 1e-10 * values[-1]
    features = vectors[:, kept] * np.sqrt(values[kept])
    moments = []
    for sign in (1, -1):
        own = features[points.y == sign]
        spread = np.cov(own.T, bias=True) + UNCERTAINTY * np.eye(own.shape[1])
        moments.append((own.mean(axis=0), spread))
    (mean_plus, plus), (mean_minus, minus) = moments

    def ours() -> Machine:
        return solve_machine(mean_plus, mean_minus, plus, minus)

    seconds, end = best_time(ours, 3)
    theirs, peer = best_time(lambda: cone_objective(mean_plus - mean_minus, plus, minus), 1)
    return Row(
        group,
        "minimax probability machine",
        f"banana, N={len(points.y)}, {len(mean_plus)} axes, ρ={UNCERTAINTY:g}",
        "Clarabel, as a cone program",
        seconds,
        theirs,
        our_gap=end.duality_gap,
        difference=abs(end.objective - peer) / peer,
        target=faster(1),
    )


def cone_objective(d: FloatArray, plus: FloatArray, minus: FloatArray) -> float:
    """Minimise ‖L₊ᵀa‖ + ‖L₋ᵀa‖ subject to aᵀd = 1 with a cone solver."""
    import clarabel  # type: ignore[import-untyped]
    from scipy import sparse

    r = len(d)
    blocks = [np.concatenate((d, [0.0, 0.0]))[None]]
    for k, S in enumerate((plus, minus)):
        top = np.zeros((1, r + 2))
        top[0, r + k] = -1.0
        blocks += [top, np.hstack((-np.linalg.cholesky(S).T, np.zeros((r, 2))))]
    A = sparse.csc_matrix(np.vstack(blocks))
    right = np.zeros(A.shape[0])
    right[0] = 1.0
    cones = [clarabel.ZeroConeT(1), *(clarabel.SecondOrderConeT(r + 1) for _ in range(2))]
    options = clarabel.DefaultSettings()
    options.verbose = False
    q = np.concatenate((np.zeros(r), [1.0, 1.0]))
    none = sparse.csc_matrix((r + 2, r + 2))
    return float(clarabel.DefaultSolver(none, q, A, right, cones, options).solve().obj_val)


def _thinning(group: str, points: Points) -> Row:
    """Time thinning of uniform points of a box, ten times as many as are kept."""
    n = min(len(points.y), KEPT)
    low, high = points.X.min(axis=0), points.X.max(axis=0)
    many = np.random.default_rng(0).uniform(low, high, size=(OVERSAMPLING * n, len(low)))
    ours, mine = best_time(lambda: thin(many, n), 3)
    theirs, peer = best_time(lambda: thin_by_matrix(many, n), 1, at_least=1)
    return Row(
        group,
        "thinning",
        f"{len(many)} points of a box to {n}",
        "a matrix of all distances, its least entry each time",
        ours,
        theirs,
        difference=float((mine != peer).mean()),
        target=faster(10),
    )


def thin_by_matrix(points: FloatArray, n: int) -> NDArray[np.intp]:
    """Thin by definition: drop one of the closest pair, the one nearer to its next neighbour."""
    from nestviz.kernels import squared_distances

    D = squared_distances(points, points)
    np.fill_diagonal(D, np.inf)
    left = np.ones(len(points), dtype=bool)
    for _ in range(len(points) - n):
        first, second = np.unravel_index(int(D.argmin()), D.shape)
        seconds = [
            np.partition(D[one], 1)[1] if D[one, other] == D[one].min() else D[one].min()
            for one, other in ((first, second), (second, first))
        ]
        gone = max(first, second)
        if seconds[0] != seconds[1]:
            gone = first if seconds[0] < seconds[1] else second
        D[gone] = D[:, gone] = np.inf
        left[gone] = False
    return np.flatnonzero(left)
