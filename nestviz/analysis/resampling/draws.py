"""Samples drawn from the data: how often each row is in each of them."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import IntArray
from nestviz.volume.reference import seed_of

Method = Literal["bootstrap", "subsample"]
SHARES: dict[str, float] = {"bootstrap": 1.0, "subsample": 0.5}
"""Rows drawn by default, as a share of the data."""
SMALLEST = 2
"""Number of rows that a sample has at least."""


@dataclass(frozen=True)
class Resampling:
    """How samples are drawn from the data.

    Parameters
    ----------
    resamples : int
        Number of samples.
    method : {"bootstrap", "subsample"}
        Rows are drawn with replacement, or without.
    share : float, optional
        Number of rows drawn, as a share of the data, in (0, 1]. By default 1 with replacement and
        0.5 without: for averages the two then vary alike. With replacement and a smaller share it
        is the m-out-of-n bootstrap.
    random_state : int, RandomState or None
        Seed. With a number, the first samples of a longer run are those of a shorter one.

    Examples
    --------
    >>> Resampling(method="subsample").counts(6)[:2]
    array([[0, 0, 0, 1, 1, 1],
           [0, 0, 1, 0, 1, 1]])
    """

    resamples: int = 200
    method: Method = "bootstrap"
    share: float | None = None
    random_state: Any = 0

    def counts(self, n: int, stands_for: ArrayLike | None = None) -> IntArray:
        """Return how often each row is in each sample.

        Parameters
        ----------
        n : int
            Number of rows.
        stands_for : array-like of shape (n,), optional
            How many equal rows each one stands for, as the weighted centres of many rows do; by
            default one.

        Returns
        -------
        ndarray of shape (resamples, n)
            Counts.
        """
        if stands_for is not None:
            return self._counts_of_many(np.rint(np.asarray(stands_for)).astype(np.int64))
        size, seed = self._size(n), seed_of(self.random_state)
        drawn = np.zeros((self.resamples, n), dtype=np.int64)
        for number, counts in enumerate(drawn):
            rng = np.random.default_rng([seed, number])
            if self.method == "bootstrap":
                counts += np.bincount(rng.integers(n, size=size), minlength=n)
            else:
                counts[rng.choice(n, size=size, replace=False)] = 1
        return drawn

    def _counts_of_many(self, rows: IntArray) -> IntArray:
        """Return how many of the rows that each one stands for are in each sample."""
        total = int(rows.sum())
        size, seed = self._size(total), seed_of(self.random_state)
        drawn = np.zeros((self.resamples, rows.size), dtype=np.int64)
        for number, counts in enumerate(drawn):
            rng = np.random.default_rng([seed, number])
            if self.method == "bootstrap":
                counts += rng.multinomial(size, rows / total)
            else:
                counts += rng.multivariate_hypergeometric(rows, size)
        return drawn

    def _size(self, n: int) -> int:
        """Return the number of rows drawn, or raise if a setting is wrong."""
        if self.method not in SHARES:
            raise ValueError(f'method must be "bootstrap" or "subsample", not {self.method!r}.')
        if not isinstance(self.resamples, Integral) or self.resamples < 1:
            raise ValueError(f"There must be one resample or more, not {self.resamples!r}.")
        share = SHARES[self.method] if self.share is None else self.share
        if not 0 < share <= 1:
            raise ValueError(f"share must be above 0 and at most 1, not {self.share!r}.")
        size = round(share * n)
        if size < SMALLEST:
            raise ValueError(f"{share:g} of {n} points is not enough to draw: take a larger share.")
        return size


def checked_share(share: float) -> float:
    """Return a share of the resamples in (0, 1), or raise."""
    if not 0 < share < 1:
        raise ValueError(f"share must lie between 0 and 1, not {share!r}.")
    return float(share)
