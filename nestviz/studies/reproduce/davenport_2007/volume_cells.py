"""Cells of chapter 5: minimum volume sets of the negative class, measured on test points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.studies.engine.cells import Result
from nestviz.studies.reproduce.common.benchmarks import benchmark, split
from nestviz.studies.reproduce.common.packing import packed, unpacked
from nestviz.studies.reproduce.davenport_2007.rates import table_of_counts

ONE_CLASS = "one-class"
DISCRETE = 20
"""Columns with so many values or fewer are discrete: this gives the kinds of table 3.1."""
MEASURING = 10_000
"""Uniform points that measure the volume of a set, other than those it was chosen by."""
MANY, NEIGHBOURS, OVERSAMPLING, MARGIN = 2048, 10, 10, 0.1


def discrete_columns(name: str) -> list[int]:
    """Return the columns of a set with few values."""
    return [k for k, column in enumerate(benchmark(name).X.T) if len(np.unique(column)) <= DISCRETE]


def estimator(data: str, reference: str, beta: float, seed: int, **options: Any) -> Any:
    """Return the estimator of one way to draw reference points."""
    from nestviz.estimators import MinimumVolumeSet

    return MinimumVolumeSet(
        beta, reference, discrete=discrete_columns(data), margin=MARGIN, n_neighbors=NEIGHBOURS,
        oversampling=OVERSAMPLING, random_state=seed, **options,
    )  # fmt: skip


def volume_rates(
    data: str,
    fingerprint: str,
    permutation: int,
    reference: str,
    nus: Sequence[float],
    sigmas: Sequence[float],
    folds: int,
    seed: int,
) -> Result:
    """Count data outside and reference points inside, over (σ, ν₊, ν₋) or, one class, (σ, ν)."""
    train = split(data, fingerprint, permutation).train
    X = train.X[~train.positive]
    model = estimator(data, reference, 0.9, seed, nu_grid=nus, sigmas=sigmas, cv=folds)
    points, table = model.rates(X)
    # Volumes of one-class sets are averaged over the folds.
    each = len(points) * (folds if reference == ONE_CLASS else 1)
    counts = np.array([table.false_alarm * len(X), table.miss * each])
    return {"counts": packed(np.rint(counts)), "unsettled": table.unsettled}


def measured_sets(
    data: str,
    fingerprint: str,
    permutation: int,
    reference: str,
    nus: Sequence[float],
    sigmas: Sequence[Sequence[float]],
    folds: int,
    seed: int,
    betas: Sequence[float],
    tables: Sequence[str],
) -> Result:
    """Choose the set of each β, fit it, and measure it on test points of both classes."""
    train, test = split(data, fingerprint, permutation)
    X = train.X[~train.positive]
    points = _reference(X, data, reference, seed)
    table = _joined(tables, reference, nus, sigmas, len(points), len(X), folds, seed)
    uniform = _measuring_points(data, permutation)
    found = []
    for beta in betas:
        model = estimator(data, reference, beta, seed).fit_chosen(X, points, table)
        inside = [float((model.predict(part) > 0).mean()) for part in
                  (test.X[~test.positive], uniform, test.X[test.positive])]  # fmt: skip
        chosen = [model.search_.sigma, model.search_.nu_plus, model.search_.nu_minus]
        found.append({"mass": inside[0], "volume": inside[1], "positives": inside[2],
                      "chosen": chosen})  # fmt: skip
    return {"sets": found}


def _reference(X: FloatArray, data: str, reference: str, seed: int) -> FloatArray:
    """Draw the same reference points as the estimator does."""
    from nestviz.volume import draw_reference

    alone = reference == ONE_CLASS
    return draw_reference(
        X, MANY if alone else len(X), "uniform" if alone else reference, random_state=seed,
        margin=MARGIN, discrete=discrete_columns(data), oversampling=OVERSAMPLING,
        n_neighbors=min(NEIGHBOURS, len(X) - 1),
    )  # fmt: skip


def _measuring_points(data: str, permutation: int) -> FloatArray:
    """Draw uniform points of the box around all negative points, training and test."""
    from nestviz.volume import draw_reference

    return draw_reference(
        benchmark(data).class_points(-1), MEASURING, "uniform", random_state=permutation + 1,
        margin=0.0, discrete=discrete_columns(data),
    )  # fmt: skip


def _joined(
    tables: Sequence[str],
    reference: str,
    nus: Sequence[float],
    sigmas: Sequence[Sequence[float]],
    n_reference: int,
    n_data: int,
    folds: int,
    seed: int,
) -> Any:
    """Return the table of rates from the texts of its parts."""
    alone = reference == ONE_CLASS
    last = 1 if alone else len(nus)
    parts = [
        unpacked(text, (2, len(widths), len(nus), last))
        for text, widths in zip(tables, sigmas, strict=True)
    ]
    widths = np.concatenate([np.asarray(block) for block in sigmas])
    counts = np.concatenate(parts, axis=1).astype(np.float64)
    if alone:
        counts[1] /= folds
    nu = np.asarray(nus)
    return table_of_counts(
        widths, n_reference, n_data, folds, seed, counts, nu, np.zeros(1) if alone else nu
    )
