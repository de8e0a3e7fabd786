"""Means and standard deviations that neither overflow nor underflow, and standardisation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nestviz.arrays import FloatArray
from nestviz.data.annotations import Annotations
from nestviz.data.dataset import Dataset
from nestviz.data.errors import DataError, listed
from nestviz.data.large import by_columns


def unit_exponents(X: FloatArray) -> npt.NDArray[np.intp]:
    """Return for each column the power of two that brings its largest value below one.

    Scaling by powers of two is exact, so it changes no result, only its range.
    """
    largest = np.maximum(np.fmax.reduce(X, axis=0), -np.fmin.reduce(X, axis=0))
    exponents: npt.NDArray[np.intp] = np.frexp(largest)[1]
    return exponents


def column_means(X: FloatArray) -> FloatArray:
    """Return the mean of each column, without missing values."""
    exponents = unit_exponents(X)
    means: FloatArray = np.ldexp(np.nanmean(np.ldexp(X, -exponents), axis=0), exponents)
    return means


@dataclass(frozen=True, eq=False)
class Scaling:
    """What brings the features of some points to mean 0 and standard deviation 1.

    Applied to those points it gives `standard_scores` to the last bit; applied to others, the same
    change of units.

    Attributes
    ----------
    exponents, finer : ndarray of int of shape (n_features,)
        Powers of two that points are divided by, and what is left of them once centred.
    centres, remainders : ndarray of shape (n_features,)
        Means that are subtracted after the first and after the second division.
    deviations : ndarray of shape (n_features,)
        Standard deviations of the result.
    """

    exponents: npt.NDArray[np.intp]
    centres: FloatArray
    finer: npt.NDArray[np.intp]
    remainders: FloatArray
    deviations: FloatArray

    @classmethod
    def of(cls, X: FloatArray) -> Scaling:
        """Return the scaling of some points, none of whose features may be constant."""
        exponents = unit_exponents(X)
        scaled = np.ldexp(X, -exponents)
        centres = scaled.mean(axis=0)
        centred = scaled - centres
        # Values that differ in their last digits only need the scale of their differences.
        finer = unit_exponents(centred)
        centred = np.ldexp(centred, -finer)
        remainders = centred.mean(axis=0)
        return cls(exponents, centres, finer, remainders, (centred - remainders).std(axis=0))

    @property
    def units(self) -> FloatArray:
        """Return mean and standard deviation of each feature, as two rows."""
        centres = self.centres + np.ldexp(self.remainders, self.finer)
        return np.ldexp([centres, np.ldexp(self.deviations, self.finer)], self.exponents)

    def apply(self, X: FloatArray) -> FloatArray:
        """Return points in the new units."""
        centred = np.ldexp(np.ldexp(X, -self.exponents) - self.centres, -self.finer)
        scores: FloatArray = (centred - self.remainders) / self.deviations
        return scores


def standard_scores(X: FloatArray) -> FloatArray:
    """Bring columns to mean 0 and standard deviation 1 in place; none of them may be constant."""
    return by_columns(X, _scores)


def _scores(X: FloatArray) -> FloatArray:
    """Apply `Scaling.of` in place, step by step: half of the memory, the same bits."""
    np.ldexp(X, -unit_exponents(X), out=X)
    X -= X.mean(axis=0)
    # Values that differ in their last digits only need the scale of their differences.
    np.ldexp(X, -unit_exponents(X), out=X)
    X -= X.mean(axis=0)
    X /= X.std(axis=0)
    return X


def constant_columns(X: FloatArray) -> npt.NDArray[np.bool_]:
    """Return which columns have one value only."""
    return np.array([(column[0] == column).all() for column in X.T], dtype=bool)


def standardise(dataset: Dataset) -> Dataset:
    """Scale every feature to mean 0 and standard deviation 1; drop constant ones.

    Parameters
    ----------
    dataset : Dataset
        The data.

    Returns
    -------
    Dataset
    """
    varying, names, sentences = varying_features(dataset.X, dataset.feature_names)
    X = dataset.X[:, varying]
    notes = (dataset.annotations or Annotations()).keep_features(varying)
    annotations = notes.with_own(X.copy(), Scaling.of(X).units)
    note = "Each feature was brought to mean 0 and standard deviation 1."
    story = (*dataset.provenance, *sentences, note)
    return Dataset(standard_scores(X), dataset.y, names, dataset.name, story, annotations)


def varying_features(
    X: FloatArray, names: tuple[str, ...]
) -> tuple[npt.NDArray[np.bool_], tuple[str, ...], list[str]]:
    """Return which columns are not constant, their names, and a sentence that names the others."""
    constant = constant_columns(X)
    if not constant.any():
        return ~constant, names, []
    if constant.all():
        raise DataError(
            "Every feature is constant: all points are the same.",
            column=names[0] if len(names) == 1 else None,
            hint="Choose other feature columns, or more rows.",
        )
    dropped = listed(name for name, same in zip(names, constant, strict=True) if same)
    kept = tuple(name for name, same in zip(names, constant, strict=True) if not same)
    return ~constant, kept, [f"Constant columns were dropped: {dropped}."]
