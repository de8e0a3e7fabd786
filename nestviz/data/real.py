"""Real data sets: those of scikit-learn, and the thirteen benchmark sets."""

from __future__ import annotations

import functools
import gzip
from typing import Any

import numpy as np

from nestviz.data.errors import DataError
from nestviz.data.generators import Points
from nestviz.resources import sample_data_dir

# Row count and one line on each set.
BENCHMARKS = {
    "banana": (5300, "Two bent, overlapping classes in the plane (KEEL)"),
    "breast-cancer": (277, "Recurrence of breast cancer, nominal features (UCI, Ljubljana)"),
    "diabetes": (768, "Onset of diabetes (UCI, Pima)"),
    "flare-solar": (1066, "Solar flares, few distinct rows (UCI)"),
    "german": (1000, "Credit risk (UCI, Statlog)"),
    "heart": (270, "Heart disease (UCI, Statlog)"),
    "image": (2310, "Image segments, four of seven classes against the rest (UCI)"),
    "ringnorm": (7400, "A narrow Gaussian on the flank of a wide one, in 20 dimensions"),
    "splice": (3175, "Splice junctions in DNA, letters coded 1 to 4 (UCI)"),
    "thyroid": (215, "Normal thyroid against the rest (UCI)"),
    "titanic": (2201, "Survival from three nominal features, 24 distinct rows (KEEL)"),
    "twonorm": (7400, "Two overlapping Gaussians in 20 dimensions (DELVE)"),
    "waveform": (5000, "Noisy mixtures of triangular waves (Breiman et al.)"),
}


@functools.cache
def _benchmark_array(name: str) -> np.ndarray:
    path = sample_data_dir() / "benchmarks" / f"{name}.csv.gz"
    if not path.is_file():
        raise DataError(
            f"The benchmark file {path.name} is missing.",
            hint="Install nestviz again to restore it.",
        )
    with gzip.open(path, "rt", encoding="ascii") as lines:
        table = np.loadtxt(lines, delimiter=",", skiprows=1)
    table.setflags(write=False)
    return table


def benchmark(name: str) -> Points:
    """Return one of the benchmark sets: raw numbers, not standardised."""
    table = _benchmark_array(name)
    return Points(table[:, :-1], table[:, -1].astype(np.int8))


def iris(positive: int) -> Points:
    """Return 150 irises of three species, four lengths each."""
    from sklearn.datasets import load_iris

    return _one_against_rest(load_iris(), positive)


def wine(positive: int) -> Points:
    """Return 178 wines of three cultivars, thirteen chemical measurements."""
    from sklearn.datasets import load_wine

    return _one_against_rest(load_wine(), positive)


def breast_cancer_wisconsin() -> Points:
    """Return 569 tumours, thirty measurements; +1 is malignant."""
    from sklearn.datasets import load_breast_cancer

    return _one_against_rest(load_breast_cancer(), 0)


def digits(positive: int) -> Points:
    """Return 1,797 handwritten digits of eight by eight pixels."""
    from sklearn.datasets import load_digits

    return _one_against_rest(load_digits(), positive)


def _one_against_rest(bunch: Any, positive: int) -> Points:
    X, target = bunch.data, bunch.target
    names = tuple(str(name) for name in bunch.feature_names)
    classes = [str(name) for name in bunch.target_names]
    y = np.where(target == positive, 1, -1).astype(np.int8)
    note = f"Class '{classes[positive]}' counts as +1, every other class as -1."
    return Points(np.asarray(X, dtype=np.float64), y, names, (note,))
