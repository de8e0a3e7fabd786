"""Compare rules for the bandwidth, and other detectors, as outlier scores on the bundled sets.

For each class of each of the 13 benchmark sets: fit to half of the class, without labels, and
compute the AUC between the other half and the other class; three splits. Features are divided by
their standard deviation over the training points. Writes two Markdown tables beside this file.
"""

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import rankdata
from sklearn.ensemble import IsolationForest
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import LocalOutlierFactor, NearestNeighbors
from sklearn.svm import OneClassSVM as LibsvmOneClass

from nestviz import NestedOneClassSVM, ParzenLevelSets, make_sample
from nestviz.arrays import FloatArray
from nestviz.data import SAMPLES
from nestviz.kernels import median_distance
from nestviz.volume import BandwidthWarning

SPLITS = 3
MOST_TRAINING, MOST_TESTED = 250, 500
TARGET = Path(__file__).with_suffix(".md")


class Split(NamedTuple):
    """Training points, tested points, and which of the latter are of the same class."""

    train: FloatArray
    tested: FloatArray
    same: FloatArray


def splits(name: str, label: int) -> Iterator[Split]:
    """Yield the three random splits of one class of a benchmark set."""
    data = make_sample(name)
    mine, others = data.X[data.y == label], data.X[data.y == -label]
    for seed in range(SPLITS):
        rng = np.random.default_rng(seed)
        mine, others = rng.permutation(mine), rng.permutation(others)
        half = len(mine) // 2
        train, fresh = mine[:half][:MOST_TRAINING], mine[half:][:MOST_TESTED]
        scale = train.std(axis=0)
        scale[scale == 0] = 1.0
        tested = np.concatenate([fresh, others[:MOST_TESTED]])
        same = np.arange(len(tested)) < len(fresh)
        yield Split(train / scale, tested / scale, same)


def silverman(X: FloatArray) -> float:
    """Return Silverman's factor times the average standard deviation."""
    n, d = X.shape
    return float(np.sqrt(X.var(axis=0, ddof=1).mean()) * (n * (d + 2) / 4) ** (-1 / (d + 4)))


def fifth_neighbour(X: FloatArray) -> float:
    """Return the average distance to the fifth neighbour among distinct points."""
    distinct = np.unique(X, axis=0)
    nearest = NearestNeighbors(n_neighbors=min(6, len(distinct))).fit(distinct)
    return float(nearest.kneighbors(distinct)[0][:, -1].mean())


def share(factor: float, X: FloatArray) -> float:
    """Return a share of the median distance."""
    return factor * median_distance(X)


RULES: dict[str, Callable[[FloatArray], Any]] = {
    "MIV": lambda X: "miv",
    '0.2 × median distance (`"auto"`)': lambda X: "auto",
    "0.1 × median distance": partial(share, 0.1),
    "0.3 × median distance": partial(share, 0.3),
    "distance to the fifth neighbour": fifth_neighbour,
    "Silverman": silverman,
    'median distance (`"median"`)': lambda X: "median",
}
OTHERS: dict[str, Callable[[], Any]] = {
    'Parzen windows, `sigma="miv"`': lambda: ParzenLevelSets(sigma="miv"),
    "scikit-learn, `LocalOutlierFactor`": lambda: LocalOutlierFactor(novelty=True),
    "scikit-learn, `IsolationForest`": lambda: IsolationForest(random_state=0),
    "scikit-learn, `OneClassSVM`": LibsvmOneClass,
}
METHODS = {
    'nested one-class SVM, `sigma="miv"`': "MIV",
    'nested one-class SVM, `sigma="auto"`': '0.2 × median distance (`"auto"`)',
    'nested one-class SVM, `sigma="median"`': 'median distance (`"median"`)',
}
"""Rows of the first table that are rules of the second."""


def nested_area(rule: Callable[[FloatArray], Any], split: Split) -> float:
    """Return the AUC of the levels at which points enter."""
    family = NestedOneClassSVM(sigma=rule(split.train)).fit(split.train).family_
    return float(roc_auc_score(split.same, _finite(family.first_level(split.tested))))


def other_area(make: Callable[[], Any], split: Split) -> float:
    """Return the AUC of another detector's scores."""
    return float(roc_auc_score(split.same, make().fit(split.train).score_samples(split.tested)))


def _finite(entry: FloatArray) -> FloatArray:
    return np.where(np.isfinite(entry), entry, -1.0)


def areas(name: str, label: int) -> dict[str, float]:
    """Return the AUC of every rule and detector, averaged over the splits."""
    rows: dict[str, list[float]] = {key: [] for key in (*RULES, *OTHERS)}
    for split in splits(name, label):
        for key, rule in RULES.items():
            rows[key].append(nested_area(rule, split))
        for key, make in OTHERS.items():
            rows[key].append(other_area(make, split))
    return {key: float(np.mean(values)) for key, values in rows.items()}


def tables(found: list[dict[str, float]]) -> str:
    """Return the two Markdown tables."""
    columns = {**METHODS, **{key: key for key in OTHERS}}
    matrix = np.array([[row[key] for key in columns.values()] for row in found])
    ranks = rankdata(-matrix, axis=1).mean(axis=0)
    lines = ["| method | mean rank | mean AUC |", "|---|---|---|"]
    for k in np.argsort(ranks):
        lines.append(f"| {[*columns][k]} | {ranks[k]:.1f} | {matrix[:, k].mean():.3f} |")
    best = np.mean([row["MIV"] for row in found])
    lines += ["", "| width of the nested one-class SVM | mean AUC | against MIV |", "|---|---|---|"]
    means = {key: float(np.mean([row[key] for row in found])) for key in RULES}
    for key in sorted(means, key=lambda key: -means[key]):
        lines.append(f"| {key} | {means[key]:.3f} | {means[key] - best:+.3f} |")
    return "\n".join(lines).replace("-0.", "−0.") + "\n"


def main() -> None:
    """Compute all areas and write the tables."""
    warnings.simplefilter("ignore", BandwidthWarning)
    names = [name for name, sample in SAMPLES.items() if sample.kind == "benchmark"]
    found = []
    for name in names:
        for label in (1, -1):
            found.append(areas(name, label))
            brief = {key[:12]: round(value, 3) for key, value in found[-1].items()}
            print(name, label, brief, flush=True)
    TARGET.write_text(tables(found), encoding="utf-8")


if __name__ == "__main__":
    main()
