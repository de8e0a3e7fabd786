"""Numbers for "What nesting costs" in docs/ranking.md. Run: python docs/figures/nesting_cost.py

Two classes. Ten random splits of a benchmark set with as many training points as in Lee & Scott
(2010, Fig. 6), features standardised by the training part, at most 2000 test points. For each λ and
each method σ has the highest AUC by five-fold cross-validation on the first split, among twelve
widths from d_avg/15 to 10 d_avg, where d_avg is the average distance between training points.

One class. The same splits; the training points of the larger class alone, its test points against
as many uniform points of the box around the data. σ has the least integrated volume on the first
split, for each method.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

from nestviz import CostSensitivePath, NestedCostSensitiveSVM, NestedOneClassSVM, OneClassPath
from nestviz.analysis.ranking import ranking_disagreement
from nestviz.analysis.roc import auc
from nestviz.data.real import benchmark
from nestviz.estimators.cost_sensitive_problem import CostSensitiveEstimator
from nestviz.kernels import average_distance
from nestviz.volume import select_bandwidth, uniform_reference

FloatArray = NDArray[np.float64]
Split = tuple[FloatArray, FloatArray, FloatArray, FloatArray]
METHODS: dict[str, Callable[..., CostSensitiveEstimator]] = {
    "plain": CostSensitivePath,
    "nested": NestedCostSensitiveSVM,
}
TRAINING = {"banana": 400, "diabetes": 468, "flare-solar": 666, "ringnorm": 400}
COSTS = (0.1, 1.0, 10.0)
SPLITS = 10
MOST_TEST = 2000


def split(name: str, seed: int) -> Split:
    """Return training points and labels, then test points and labels."""
    points = benchmark(name)
    assert points.y is not None
    rows = np.random.default_rng(seed).permutation(len(points.X))
    learn, test = rows[: TRAINING[name]], rows[TRAINING[name] :][:MOST_TEST]
    mean, scale = points.X[learn].mean(axis=0), points.X[learn].std(axis=0)
    X = (points.X - mean) / np.where(scale > 0, scale, 1.0)
    y = points.y.astype(float)
    return X[learn], y[learn], X[test], y[test]


def best_sigma(method: Callable[..., CostSensitiveEstimator], lam: float, part: Split) -> float:
    """Return the width with the highest cross-validated AUC."""
    X, y = part[:2]
    distance = average_distance(X)
    sigmas = np.geomspace(distance / 15, 10 * distance, 12)
    folds = list(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y))
    areas = [
        np.mean([auc(method(s, lam).fit(X[a], y[a]).family_, X[b], y[b]) for a, b in folds])
        for s in sigmas
    ]
    return float(sigmas[int(np.argmax(areas))])


ONE_CLASS = {
    "path alone": OneClassPath(hold_below=None),
    "path": OneClassPath(),
    "nested": NestedOneClassSVM(),
}
ONE_CLASS_SETS = {"banana": 400, "breast-cancer": 200, "heart": 170, "thyroid": 140}


def one_class() -> None:
    """Print one row for each data set: AUC of each family, and d of the two paths."""
    print(
        "| data | " + " | ".join(f"AUC {name}" for name in ONE_CLASS) + " | d path alone | d path |"
    )
    print("|---" * 6 + "|")
    for name, size in ONE_CLASS_SETS.items():
        TRAINING[name] = size
        areas: dict[str, list[float]] = {key: [] for key in ONE_CLASS}
        crossing: dict[str, list[float]] = {key: [] for key in ONE_CLASS}
        widths: dict[str, float] = {}
        for seed in range(SPLITS):
            X, y, X_new, y_new = split(name, seed)
            common = 1.0 if (y > 0).mean() > 0.5 else -1.0
            train, test = X[y == common], X_new[y_new == common]
            away = uniform_reference(np.concatenate([X, X_new]), 2048, random_state=seed).points[
                : len(test)
            ]
            both = np.concatenate([test, away])
            labels = np.repeat([1, -1], [len(test), len(away)])
            for key, estimator in ONE_CLASS.items():
                if key not in widths:
                    widths[key] = select_bandwidth(train, estimator, n_jobs=1).sigma
                family = clone(estimator).set_params(sigma=widths[key]).fit(train).family_
                areas[key].append(auc(family, both, labels))
                crossing[key].append(ranking_disagreement(family, both))
        cells = [f"{np.mean(areas[key]):.3f} ± {np.std(areas[key]):.3f}" for key in ONE_CLASS]
        cells += [f"{np.mean(crossing[key]):.3f}" for key in ("path alone", "path")]
        print(f"| {name} | " + " | ".join(cells) + " |", widths, flush=True)


def two_classes() -> None:
    """Print one row for each data set and λ."""
    print("| data | λ | σ plain | σ nested | AUC plain | AUC nested | d plain |")
    print("|---|---|---|---|---|---|---|")
    for name in TRAINING:
        parts = [split(name, seed) for seed in range(SPLITS)]
        for lam in COSTS:
            widths = {key: best_sigma(method, lam, parts[0]) for key, method in METHODS.items()}
            areas: dict[str, list[float]] = {key: [] for key in METHODS}
            crossing = []
            for X, y, X_new, y_new in parts:
                for key, method in METHODS.items():
                    family = method(widths[key], lam).fit(X, y).family_
                    areas[key].append(auc(family, X_new, y_new))
                    if key == "plain":
                        crossing.append(ranking_disagreement(family, X_new))
            cells = [f"{np.mean(areas[key]):.3f} ± {np.std(areas[key]):.3f}" for key in METHODS]
            print(
                f"| {name} | {lam:g} | {widths['plain']:.2f} | {widths['nested']:.2f} "
                f"| {cells[0]} | {cells[1]} | {np.mean(crossing):.3f} |",
                flush=True,
            )


if __name__ == "__main__":
    one_class()
    two_classes()
