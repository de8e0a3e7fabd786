"""The cell of a study of one's own: one method on one permutation of one data set."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestviz.analysis.coverage import CoverageRatio
from nestviz.analysis.ranking import ranking_disagreement, ranking_scores
from nestviz.analysis.roc import auc
from nestviz.arrays import FloatArray, IndexArray
from nestviz.data import DataError, Dataset, hold_out
from nestviz.families import SetFamily
from nestviz.kernels import average_distance
from nestviz.methods import Spec
from nestviz.studies.engine.cells import Result
from nestviz.studies.own.settings import Source
from nestviz.volume import mass_volume_curve, uniform_reference
from nestviz.volume.integrated import split

QUANTILES = np.linspace(0.05, 0.95, 10)
"""Shares of the training points whose sets are held against test points."""


class Points(NamedTuple):
    """Points with their classes; None where there are none."""

    X: FloatArray
    y: NDArray[np.int8] | None

    def rows(self, rows: IndexArray) -> Points:
        """Return some of the points."""
        return Points(self.X[rows], None if self.y is None else self.y[rows])

    def inside(self) -> FloatArray:
        """Return the points that belong inside: those of class +1, or all."""
        return self.X if self.y is None else np.ascontiguousarray(self.X[self.y == 1])


def compare(
    data: Mapping[str, Any],
    fingerprint: str,
    fit: Mapping[str, Any],
    grid: Mapping[str, Sequence[float]],
    measures: Sequence[str],
    permutation: int,
    train: float,
    folds: int,
    seed: int,
    file: str = "",
) -> Result:
    """Choose among a grid on training points, and measure the choice on test points.

    Parameters
    ----------
    data, file
        What a `Source` needs to load the points.
    fingerprint : str
        That of the points.
    fit : mapping
        Method and settings of a `Spec`.
    grid : mapping of str to sequence of float
        ``lam``, and ``sigma`` or ``sigma_factors``.
    measures : sequence of str
        Keys of `MEASURES`.
    permutation, train, folds, seed
        The split into training and test points, and the folds of the training points.

    Returns
    -------
    dict
        The chosen ``sigma`` and ``lam``, and the measures.
    """
    dataset = _loaded(tuple(sorted((k, _hashable(v)) for k, v in data.items())), file, fingerprint)
    state = int(np.random.SeedSequence([seed, permutation]).generate_state(1)[0])
    kept, held_out = hold_out(dataset, 1.0 - train, random_state=state)
    points = Points(dataset.X, dataset.y)
    training, test = points.rows(kept), points.rows(held_out)
    specs = _specs(fit, grid, training)
    if not specs[0].two_classes:
        training = Points(training.inside(), None)
    spec = specs[0] if len(specs) == 1 else _chosen(specs, training, folds, state)
    family = _family(spec, training)
    found = {name: _measured(name, family, training, test, state) for name in measures}
    return {"sigma": spec.sigma, "lam": spec.lam, **found}


@functools.lru_cache(maxsize=8)
def _loaded(data: tuple[tuple[str, Any], ...], file: str, fingerprint: str) -> Dataset:
    try:
        dataset = Source("data", file=file, **dict(data)).load()
    except OSError as error:
        raise DataError(
            f"The file {file} cannot be read here: {error.strerror}.",
            hint="All workers need the same files in the same places.",
        ) from error
    if dataset.fingerprint != fingerprint:
        raise DataError(f"The file {file} is not the same here, or has changed since the start.")
    return dataset


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _specs(
    fit: Mapping[str, Any], grid: Mapping[str, Sequence[float]], training: Points
) -> list[Spec]:
    """Return the fits of a grid, in the order of σ and λ."""
    if "sigma" in grid:
        widths = [float(sigma) for sigma in grid["sigma"]]
    else:
        unit = average_distance(training.X)
        widths = [float(factor * unit) for factor in grid["sigma_factors"]]
    specs = [Spec(sigma=sigma, lam=lam, **fit) for sigma in widths for lam in grid["lam"]]
    # Methods without λ have one fit for all values of it.
    return list(dict.fromkeys(specs))


def _chosen(specs: Sequence[Spec], training: Points, folds: int, state: int) -> Spec:
    """Return the fit with the best cross-validated score; of equal ones the middle one."""
    parts = _folds(training, folds, state)
    scores = [np.mean([_score(spec, training, part, state) for part in parts]) for spec in specs]
    best = [spec for spec, score in zip(specs, scores, strict=True) if score == max(scores)]
    return best[len(best) // 2]


def _folds(training: Points, folds: int, state: int) -> list[IndexArray]:
    """Return the rows of each fold, class by class."""
    y = np.ones(len(training.X)) if training.y is None else training.y
    classes = [np.flatnonzero(y == sign) for sign in np.unique(y)]
    shares = [[rows[part] for part in split(len(rows), folds, state)] for rows in classes]
    return [np.sort(np.concatenate(parts)) for parts in zip(*shares, strict=True)]


def _score(spec: Spec, training: Points, part: IndexArray, state: int) -> float:
    """Return the score of a fit without one fold: higher is better."""
    others = np.setdiff1d(np.arange(len(training.X)), part)
    family, aside = _family(spec, training.rows(others)), training.rows(part)
    if aside.y is not None:
        return auc(family, aside.X, aside.y)
    return -_volume(family, aside.X, training.X, state)


def _family(spec: Spec, training: Points) -> SetFamily:
    labels = () if training.y is None else (training.y,)
    fitted = spec.unfitted(training.X).fit(training.X, *labels)
    return spec.row.family(fitted)


def _volume(family: SetFamily, X: FloatArray, around: FloatArray, state: int) -> float:
    box = uniform_reference(around, random_state=state, relative=True)
    return float(mass_volume_curve(family, X, box).area())


def _measured(name: str, family: SetFamily, training: Points, test: Points, state: int) -> float:
    if name == "auc":
        assert test.y is not None
        return float(auc(family, test.X, test.y))
    if name == "ranking disagreement":
        return float(ranking_disagreement(family, test.X))
    if name == "integrated volume":
        return _volume(family, test.inside(), training.X, state)
    return _coverage(family, training.X, test.inside()).mean_error


def _coverage(family: SetFamily, training: FloatArray, test: FloatArray) -> CoverageRatio:
    """Compare the shares of training and test points that have entered, whether or not they stay.

    The set of a quantile is the union up to the level at which that share of the training points
    has entered.
    """
    entered, later = (ranking_scores(family, X).s_plus for X in (training, test))
    counts = np.ceil(QUANTILES * len(training)).astype(np.intp)
    limits = -np.sort(-entered)[counts - 1]
    return CoverageRatio(QUANTILES, (later >= limits[:, None]).mean(axis=1), len(test))
