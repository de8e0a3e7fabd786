"""Methods compared by ranks: published numbers, scipy, and the groups of the diagram."""

import numpy as np
import pytest
from scipy import stats

from nestviz.analysis import compare_methods, critical_difference, friedman, nemenyi, wilcoxon

# Four methods on 14 data sets with the sums of ranks 44, 28, 40.5 and 27.5, which are those of the
# worked example of Demšar (2006): average ranks 3.143, 2.000, 2.893 and 1.964.
SUMS = np.array([44.0, 28.0, 40.5, 27.5])


def ranks_with_sums():
    """Rows of ranks 1 to 4, one of them with equal ranks, that add up to the sums."""
    rng = np.random.default_rng(0)
    rows = np.array([[4.0, 2.0, 3.0, 1.0]] * 13 + [[4.0, 1.0, 2.5, 2.5]])
    while np.any(rows.sum(axis=0) != SUMS):
        row = int(rng.integers(13))
        tried = rows.copy()
        tried[row] = rng.permutation([1.0, 2.0, 3.0, 4.0])
        if np.abs(tried.sum(axis=0) - SUMS).sum() <= np.abs(rows.sum(axis=0) - SUMS).sum():
            rows = tried
    return rows


def test_the_worked_example():
    found = compare_methods(ranks_with_sums())
    np.testing.assert_allclose(found.ranks, [3.143, 2.000, 2.893, 1.964], atol=5e-4)
    assert found.statistic == pytest.approx(9.28, abs=5e-3)
    assert found.f_statistic == pytest.approx(3.69, abs=5e-3)
    assert found.critical_difference == pytest.approx(1.25, abs=5e-3)
    assert found.n_sets == 14


@pytest.mark.parametrize(
    ("k", "q05", "q10"),
    [
        (2, 1.960, 1.645),
        (3, 2.343, 2.052),
        (4, 2.569, 2.291),
        (5, 2.728, 2.459),
        (10, 3.164, 2.920),
    ],
)
def test_critical_values_are_those_of_the_tables(k, q05, q10):
    unit = np.sqrt(k * (k + 1) / 6)
    assert critical_difference(k, 1) / unit == pytest.approx(q05, abs=1.5e-3)
    assert critical_difference(k, 1, 0.1) / unit == pytest.approx(q10, abs=1.5e-3)


@pytest.mark.parametrize("seed", range(5))
def test_without_ties_it_is_what_scipy_says(seed):
    scores = np.random.default_rng(seed).normal(size=(9, 4)) + np.arange(4) * 0.3
    found = compare_methods(scores)
    peer = stats.friedmanchisquare(*scores.T)
    assert found.statistic == pytest.approx(peer.statistic)
    assert found.p_value == pytest.approx(peer.pvalue)
    pair = wilcoxon(scores[:, 0], scores[:, 1])
    assert pair.p_value == pytest.approx(stats.wilcoxon(scores[:, 0], scores[:, 1]).pvalue)
    flipped = compare_methods(-scores, lower_is_better=False)
    np.testing.assert_array_equal(flipped.ranks, found.ranks)


def test_a_pair_differs_exactly_when_its_p_value_is_below_the_level():
    scores = np.random.default_rng(2).normal(np.array([0, 0.4, 0.8, 1.6, 3]), size=(12, 5))
    found = compare_methods(scores)
    gaps = np.abs(found.ranks[:, None] - found.ranks)
    np.testing.assert_array_equal(gaps > found.critical_difference, found.pair_p_values < 0.05)
    together = {frozenset((i, j)) for group in found.groups for i in group for j in group if i != j}
    for i in range(5):
        for j in range(i):
            assert (frozenset((i, j)) in together) == (gaps[i, j] < found.critical_difference)
    for group in found.groups:
        assert not any(set(group) < set(other) for other in found.groups)


def test_equal_scores_and_one_order():
    same = compare_methods(np.ones((6, 3)))
    np.testing.assert_array_equal(same.ranks, 2.0)
    assert same.p_value == 1.0
    assert same.groups == ((0, 1, 2),)
    one = compare_methods(np.tile([1.0, 2.0, 3.0], (20, 1)))
    assert one.f_statistic == np.inf
    assert one.f_p_value == 0.0
    assert wilcoxon([1, 2], [1, 2]) == (pytest.approx(np.nan, nan_ok=True), 1.0, -1)
    assert wilcoxon([5, 5, 5, 5], [1, 2, 3, 4]).better == 1


def test_wrong_arguments_are_sentences():
    with pytest.raises(ValueError, match="table of finite scores"):
        compare_methods([[1, 2]])
    with pytest.raises(ValueError, match="level must lie"):
        compare_methods([[1, 2], [2, 1]], level=1.0)
    with pytest.raises(ValueError, match="same data sets"):
        wilcoxon([1, 2], [1])


def test_the_two_tests_are_the_parts_of_the_comparison():
    scores = np.random.default_rng(3).normal([0.0, 0.5, 1.0, 3.0], size=(9, 4))
    both, at_all, pairs = compare_methods(scores), friedman(scores), nemenyi(scores)
    assert (at_all.statistic, at_all.p_value) == (both.statistic, both.p_value)
    assert at_all.statistic == pytest.approx(stats.friedmanchisquare(*scores.T).statistic)
    assert pairs.critical_difference == both.critical_difference == critical_difference(4, 9)
    apart = np.abs(pairs.ranks[:, None] - pairs.ranks) >= pairs.critical_difference
    np.testing.assert_array_equal(apart, pairs.p_values <= 0.05)
