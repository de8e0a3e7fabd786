"""Methods compared over data sets by ranks: Wilcoxon, Friedman, Nemenyi (Demšar 2006).

Scores of different data sets are not on one scale, and their differences are not normal; ranks
within each data set are comparable. Wilcoxon's signed ranks compare two methods. For more,
Friedman's test says whether they differ at all, and Nemenyi's by how much two average ranks must
differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray


class SignedRanks(NamedTuple):
    """Wilcoxon's signed-rank test of two methods.

    Attributes
    ----------
    statistic : float
        The smaller of the two sums of ranks.
    p_value : float
        Two-sided p-value; 1 where all scores are equal.
    better : int
        0 or 1: the method with the better sum of ranks; −1 where they are equal.
    """

    statistic: float
    p_value: float
    better: int


@dataclass(frozen=True, eq=False)
class FriedmanTest:
    """Friedman's test of k methods on N data sets.

    Attributes
    ----------
    ranks : ndarray of shape (n_methods,)
        Average ranks; 1 is best.
    statistic, p_value : float
        Friedman's χ² with k − 1 degrees of freedom, without correction for equal ranks.
    f_statistic, f_p_value : float
        Iman and Davenport's F, which is less conservative.
    n_sets : int
        Number of data sets.
    """

    ranks: FloatArray
    statistic: float
    p_value: float
    f_statistic: float
    f_p_value: float
    n_sets: int


class NemenyiTest(NamedTuple):
    """Nemenyi's test of all pairs of k methods on N data sets.

    Attributes
    ----------
    ranks : ndarray of shape (n_methods,)
        Average ranks; 1 is best.
    critical_difference : float
        Average ranks that differ by this much or more differ at ``level``.
    p_values : ndarray of shape (n_methods, n_methods)
        One per pair; 1 on the diagonal.
    groups : tuple of tuple of int
        Largest groups of two or more methods, best first, in which no two differ at ``level``.
    level : float
        The level of the test.
    n_sets : int
        Number of data sets.
    """

    ranks: FloatArray
    critical_difference: float
    p_values: FloatArray
    groups: tuple[tuple[int, ...], ...]
    level: float
    n_sets: int


@dataclass(frozen=True, eq=False)
class Comparison(FriedmanTest):
    """Friedman's test of k methods on N data sets, and Nemenyi's for their pairs.

    Attributes
    ----------
    ranks, statistic, p_value, f_statistic, f_p_value, n_sets
        As in `FriedmanTest`.
    critical_difference, groups, level
        As in `NemenyiTest`.
    pair_p_values : ndarray of shape (n_methods, n_methods)
        Nemenyi's p-value of each pair.
    """

    critical_difference: float
    pair_p_values: FloatArray
    groups: tuple[tuple[int, ...], ...]
    level: float


def wilcoxon(first: ArrayLike, second: ArrayLike, *, lower_is_better: bool = True) -> SignedRanks:
    """Compare two methods by their scores on the same data sets.

    Data sets on which they are equal share their ranks between both (Demšar 2006, section 3.1.3).

    Parameters
    ----------
    first, second : array-like of shape (n_datasets,)
        Scores of the two methods.
    lower_is_better : bool
        Whether a smaller score is better, as for errors.

    Returns
    -------
    SignedRanks

    Examples
    --------
    >>> wilcoxon([1, 2, 3, 4, 5, 6], [2, 4, 6, 8, 10, 12])
    SignedRanks(statistic=0.0, p_value=0.03125, better=0)
    """
    from scipy import stats

    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 1 or not len(a) or not np.isfinite(a - b).all():
        raise ValueError("Two methods need one finite score each on the same data sets.")
    difference = a - b if lower_is_better else b - a
    if not difference.any():
        return SignedRanks(float("nan"), 1.0, -1)
    ranks = stats.rankdata(np.abs(difference))
    worse, better = ranks[difference > 0].sum(), ranks[difference < 0].sum()
    found = stats.wilcoxon(difference, zero_method="zsplit")
    winner = -1 if worse == better else int(worse > better)
    return SignedRanks(float(found.statistic), float(found.pvalue), winner)


def friedman(scores: ArrayLike, *, lower_is_better: bool = True) -> FriedmanTest:
    """Test whether methods differ at all, by their scores on the same data sets.

    Parameters
    ----------
    scores, lower_is_better
        As in `compare_methods`.

    Returns
    -------
    FriedmanTest

    Examples
    --------
    >>> friedman([[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]]).ranks.tolist()
    [1.25, 2.0, 2.75]
    """
    from scipy.stats import chi2, f

    ranks, n = _average_ranks(scores, lower_is_better)
    k = len(ranks)
    statistic = 12.0 * n / (k * (k + 1)) * (((ranks - 0.5 * (k + 1)) ** 2).sum())
    rest = n * (k - 1) - statistic
    # Zero where all data sets rank all methods alike.
    f_statistic = (n - 1) * statistic / rest if rest > 1e-9 else float("inf")
    return FriedmanTest(
        ranks,
        float(statistic),
        float(chi2.sf(statistic, k - 1)),
        float(f_statistic),
        float(f.sf(f_statistic, k - 1, (k - 1) * (n - 1))),
        n,
    )


def nemenyi(scores: ArrayLike, *, lower_is_better: bool = True, level: float = 0.05) -> NemenyiTest:
    """Test which methods differ, by their scores on the same data sets.

    Parameters
    ----------
    scores, lower_is_better, level
        As in `compare_methods`.

    Returns
    -------
    NemenyiTest

    Examples
    --------
    >>> found = nemenyi([[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]])
    >>> found.groups
    ((0, 1, 2),)
    """
    from scipy.stats import studentized_range

    if not 0.0 < level < 1.0:
        raise ValueError(f"level must lie between 0 and 1, not {level!r}.")
    ranks, n = _average_ranks(scores, lower_is_better)
    k = len(ranks)
    gaps = np.abs(ranks[:, None] - ranks) / _unit(k, n)
    p_values = np.ones((k, k))
    for i in range(k):
        for j in range(i):
            apart = gaps[i, j] * np.sqrt(2.0)
            p_values[i, j] = p_values[j, i] = studentized_range.sf(apart, k, np.inf)
    difference = critical_difference(k, n, level)
    return NemenyiTest(ranks, difference, p_values, _groups(ranks, difference), level, n)


def compare_methods(
    scores: ArrayLike, *, lower_is_better: bool = True, level: float = 0.05
) -> Comparison:
    """Compare methods by their scores on the same data sets: `friedman` and `nemenyi` in one.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods)
        One row for each data set, one column for each of at least two methods.
    lower_is_better : bool
        Whether a smaller score is better, as for errors.
    level : float
        Level of Nemenyi's test, in (0, 1).

    Returns
    -------
    Comparison

    Examples
    --------
    >>> found = compare_methods([[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]])
    >>> found.ranks.tolist()
    [1.25, 2.0, 2.75]
    """
    at_all = friedman(scores, lower_is_better=lower_is_better)
    pairs = nemenyi(scores, lower_is_better=lower_is_better, level=level)
    return Comparison(
        **vars(at_all),
        critical_difference=pairs.critical_difference,
        pair_p_values=pairs.p_values,
        groups=pairs.groups,
        level=level,
    )


def _average_ranks(scores: ArrayLike, lower_is_better: bool) -> tuple[FloatArray, int]:
    """Return the average rank of each method, and the number of data sets."""
    from scipy.stats import rankdata

    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or min(table.shape) < 2 or not np.isfinite(table).all():
        raise ValueError(
            "A comparison needs a table of finite scores: at least two data sets as rows and two "
            "methods as columns."
        )
    placed = rankdata(table if lower_is_better else -table, axis=1)
    return placed.mean(axis=0), len(table)


def critical_difference(k: int, n: int, level: float = 0.05) -> float:
    """Compute by how much the average ranks of k methods on n data sets must differ (Nemenyi).

    Parameters
    ----------
    k, n : int
        Number of methods and of data sets.
    level : float
        Level of the test.

    Returns
    -------
    float

    Examples
    --------
    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    from scipy.stats import studentized_range

    # Tables of Nemenyi's test list the studentized range over √2.
    q = studentized_range.ppf(1.0 - level, k, np.inf) / np.sqrt(2.0)
    return float(q * _unit(k, n))


def _unit(k: int, n: int) -> float:
    """Return the standard deviation of a difference of two average ranks, as tables scale it."""
    return float(np.sqrt(k * (k + 1) / (6.0 * n)))


def _groups(ranks: FloatArray, difference: float) -> tuple[tuple[int, ...], ...]:
    """Return runs of methods in order of rank whose ends do not differ, none within another."""
    order = np.argsort(ranks, kind="stable")
    groups: list[tuple[int, ...]] = []
    reached = 0
    for begin in range(len(order)):
        end = begin
        while end + 1 < len(order) and ranks[order[end + 1]] - ranks[order[begin]] < difference:
            end += 1
        if end > begin and end > reached:
            groups.append(tuple(int(i) for i in order[begin : end + 1]))
        reached = max(reached, end)
    return tuple(groups)
