"""Bound the norm of a cell's kernel mean from moments of its points.

For points x_i = z + σ δ_i of a cell, a_i = exp(−‖δ_i‖²/2) and weights w_i,

    ‖Σ_i w_i Φ(x_i)‖² = Σ_ij w_i w_j a_i a_j exp(⟨δ_i, δ_j⟩)
                      ≤ Σ_{|n| ≤ L} (Σ_i w_i a_i δ_iⁿ)² / n! + (Σ_i w_i ‖δ_i‖^{L+1})² / (L+1)!

over multi-indices n: the exponential series up to order L, and its rest, for which
|e^t − Σ_{k ≤ L} t^k/k!| ≤ |t|^{L+1} e^{|t|}/(L+1)!, |⟨δ_i, δ_j⟩| ≤ ‖δ_i‖ ‖δ_j‖ and
a_i a_j e^{‖δ_i‖ ‖δ_j‖} = exp(−(‖δ_i‖ − ‖δ_j‖)²/2) ≤ 1. The sums add over parts of the points.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb, factorial

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray

HIGHEST, MOST_TERMS = 6, 500
"""Largest order, and largest number of multi-indices."""
LARGEST_REST = 0.25
"""Largest rest of the series, as a share of the square of the weights."""


@dataclass(frozen=True)
class Series:
    """The terms of the series for points with some number of features.

    Parameters
    ----------
    order : int
        Largest order L.
    parents, axes : tuple of int
        Each multi-index is that of a parent with one more along an axis.
    factorials : ndarray of shape (n_terms,)
        n! of each multi-index.
    """

    order: int
    parents: tuple[int, ...]
    axes: tuple[int, ...]
    factorials: FloatArray

    @property
    def radius(self) -> float:
        """Distance from the centre, in σ, up to which the rest is small enough."""
        return float((LARGEST_REST * factorial(self.order + 1)) ** (0.5 / (self.order + 1)))

    def moments(
        self, apart: FloatArray, weights: FloatArray, cell: NDArray[np.int64], count: int
    ) -> FloatArray:
        """Return Σ w a δⁿ over the points of each cell.

        Parameters
        ----------
        apart : ndarray of shape (n_points, n_features)
            Differences δ from the centres, in σ.
        weights : ndarray of shape (n_points,)
            Weights w.
        cell : ndarray of shape (n_points,)
            Cells of the points.
        count : int
            Number of cells.

        Returns
        -------
        ndarray of shape (n_terms, n_cells)
        """
        squared = np.einsum("ij,ij->i", apart, apart)
        terms = [weights * np.exp(-0.5 * squared)]
        sums = [np.bincount(cell, terms[0], count)]
        for parent, axis in zip(self.parents, self.axes, strict=True):
            terms.append(terms[parent] * apart[:, axis])
            sums.append(np.bincount(cell, terms[-1], count))
        return np.stack(sums)

    def bound(self, moments: FloatArray, rest: FloatArray, weights: FloatArray) -> FloatArray:
        """Return the bound on ‖Σ w Φ(x)‖² of each cell.

        Parameters
        ----------
        moments : ndarray of shape (n_terms, n_cells)
            From `moments`.
        rest : ndarray of shape (n_cells,)
            Σ w ‖δ‖^{L+1}.
        weights : ndarray of shape (n_cells,)
            Σ w; the norm is at most its square.

        Returns
        -------
        ndarray of shape (n_cells,)
        """
        series = (moments**2 / self.factorials[:, None]).sum(axis=0)
        return np.minimum(series + rest**2 / factorial(self.order + 1), weights**2)


@cache
def series(n_features: int) -> Series:
    """Return the series of the largest order that has few enough terms.

    Parameters
    ----------
    n_features : int
        Number of features.

    Returns
    -------
    Series
    """
    order = max(k for k in range(HIGHEST + 1) if k == 0 or comb(n_features + k, k) <= MOST_TERMS)
    # Multi-indices as sorted tuples of axes; a parent lacks the last axis.
    found: dict[tuple[int, ...], int] = {(): 0}
    parents, axes, factorials = [], [], [1.0]
    last: list[tuple[int, ...]] = [()]
    for _ in range(order):
        longer = [(*n, axis) for n in last for axis in range(n[-1] if n else 0, n_features)]
        for n in longer:
            parents.append(found[n[:-1]])
            axes.append(n[-1])
            factorials.append(factorials[parents[-1]] * n.count(n[-1]))
            found[n] = len(found)
        last = longer
    return Series(order, tuple(parents), tuple(axes), np.array(factorials))
