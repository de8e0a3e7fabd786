"""Ranks and branches of resamples against fits from scratch to rows that are really drawn."""

import numpy as np
import pytest

from nestviz import NestedOneClassSVM, OneClassPath, ParzenLevelSets, make_sample
from nestviz.analysis import (
    Resampling,
    cluster_tree,
    outlier_ranking,
    rank_intervals,
    resample_trees,
)

X = make_sample("banana", n=40, random_state=1).X
X = np.vstack([X, X[:3]])  # three rows twice
ESTIMATORS = [NestedOneClassSVM(0.5), OneClassPath(0.5), ParzenLevelSets(0.5)]
CLOSE = 1e-5
"""Levels this close may swap: refits by weights and by rows differ by the solver's tolerance."""
TIMES = np.arange(len(X)) % 3 + 1
"""How many rows each point stands for."""


def name(estimator) -> str:
    return type(estimator).__name__


def drawn_rows(method, count, stands_for, seed=0):
    """Yield the points drawn, repeated where they are drawn again, by the documented draws."""
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        if stands_for is None:
            n = len(X)
            size = n if method == "bootstrap" else round(n / 2)
            again = method == "bootstrap"
            rows = rng.integers(n, size=size) if again else rng.choice(n, size, replace=False)
            yield sorted(rows.tolist())
            continue
        total = int(stands_for.sum())
        times = (
            rng.multinomial(total, stands_for / total)
            if method == "bootstrap"
            else rng.multivariate_hypergeometric(stands_for, round(total / 2))
        )
        yield [row for row, k in enumerate(times) for _ in range(k)]


def positions(levels):
    """Return the first and the last place that each point may have, from 0; often the same.

    At the same level points are ranked by the field there, which is rounding on a boundary.
    """
    first = [sum(other < level - 2 * CLOSE for other in levels) for level in levels]
    last = [sum(other <= level + 2 * CLOSE for other in levels) - 1 for level in levels]
    return np.array(first), np.array(last)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
@pytest.mark.parametrize("method", ["bootstrap", "subsample"])
@pytest.mark.parametrize("stands_for", [None, TIMES], ids=["rows", "many"])
def test_ranks_intervals_and_shares_are_those_of_fits_to_the_rows(estimator, method, stands_for):
    count, n = 12, len(X)
    found = rank_intervals(
        estimator, X, stands_for=stands_for, resampling=Resampling(count, method)
    )
    all_rows = np.repeat(X, 1 if stands_for is None else stands_for, axis=0)
    whole = outlier_ranking(estimator.fit(all_rows).family_, X)
    best, worst = positions(whole.level)
    assert ((found.rank > best) & (found.rank <= worst + 1)).all()
    exact = []
    for b, rows in enumerate(drawn_rows(method, count, stands_for)):
        family, distinct = estimator.fit(X[rows]).family_, sorted(set(rows))
        levels = family.first_level(X[distinct])
        np.testing.assert_allclose(found.levels[b, distinct], levels, atol=CLOSE)
        best, worst = positions(levels)
        scale, ranks = np.sort(found.rank[distinct]), found.ranks[b, distinct]
        assert ((ranks >= scale[best]) & (ranks <= scale[worst])).all()
        assert np.count_nonzero(found.ranks[b]) == len(distinct)
        exact.extend(best == worst)
    assert np.mean(exact) > 0.5
    low, high = found.interval(0.8)
    for row in range(n):
        own = sorted(int(rank) for rank in found.ranks[:, row] if rank)
        if not own:
            assert (low[row], high[row]) == (1, n)
            continue
        left = int(0.1 * len(own) + 1e-9)
        assert (low[row], high[row]) == (own[left], own[len(own) - 1 - left])
        assert found.in_top(7)[row] == sum(rank <= 7 for rank in own) / len(own)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
@pytest.mark.parametrize("method", ["bootstrap", "subsample"])
@pytest.mark.parametrize("stands_for", [None, TIMES], ids=["rows", "many"])
def test_support_is_counted_over_trees_of_fits_to_the_rows(estimator, method, stands_for):
    count, tree = 6, cluster_tree(estimator.fit(X).family_, X)
    found = resample_trees(
        estimator, X, stands_for=stands_for, resampling=Resampling(count, method)
    )
    again, drawn = np.zeros(len(tree)), np.zeros(len(tree))
    for rows in drawn_rows(method, count, stands_for):
        distinct = sorted(set(rows))
        sample = cluster_tree(estimator.fit(X[rows]).family_, X[distinct], bends=0)
        branches = [{distinct[k] for k in sample.members(node)} for node in range(len(sample))]
        for node in range(len(tree)):
            mine = set(tree.members(node).tolist()) & set(distinct)
            if mine:
                drawn[node] += 1
                again[node] += max(len(mine & b) / len(mine | b) for b in branches) >= 0.5
    support = found.support(tree)
    np.testing.assert_array_equal(support, again / np.maximum(drawn, 1))
