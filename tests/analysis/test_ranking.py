import numpy as np
import pytest
from crossing_families import STEP, crossing_families, crossing_family, membership
from hypothesis import given
from hypothesis import strategies as st

from nestviz import (
    CostSensitivePath,
    Grid,
    NestedCostSensitiveSVM,
    NestedOneClassSVM,
    OneClassPath,
    ParzenLevelSets,
    make_sample,
)
from nestviz.analysis.ranking import ambiguously_ranked, ranking_disagreement, ranking_scores
from nestviz.figures.ranking import ranking_figure


def by_definition(s_plus, s_minus):
    """The double loop, with signs instead of a product: ∞ − ∞ is a tie."""
    n = len(s_plus)

    def sign(a, b):
        return int(a > b) - int(a < b)

    return np.array(
        [
            any(
                sign(s_plus[i], s_plus[j]) * sign(s_minus[i], s_minus[j]) < 0
                for j in range(n)
                if j != i
            )
            for i in range(n)
        ]
    )


few_values = st.sampled_from([-np.inf, -1.0, 0.0, 0.5, 1.0, 2.0, np.inf])
any_values = st.floats(allow_nan=False)


@given(
    st.one_of(
        st.lists(st.tuples(few_values, few_values), min_size=1, max_size=30),
        st.lists(st.tuples(any_values, any_values), min_size=1, max_size=30),
    )
)
def test_disagreement_is_its_definition(pairs):
    p, m = np.array(pairs).T
    expected = by_definition(p, m)
    np.testing.assert_array_equal(ambiguously_ranked(p, m), expected)
    assert ranking_disagreement(p, m) == expected.mean()
    assert ranking_disagreement(m, p) == expected.mean()
    assert ranking_disagreement(-p, -m) == expected.mean()


@pytest.mark.parametrize("seed", range(3))
def test_equal_and_opposite_rankings(seed):
    scores = np.random.default_rng(seed).normal(size=50)
    assert ranking_disagreement(scores, np.exp(scores)) == 0.0
    assert ranking_disagreement(scores, -scores) == 1.0
    assert ranking_disagreement(scores, np.zeros(50)) == 0.0


@given(crossing_families())
def test_scores_are_read_off_the_sets(case):
    family, X = case
    scores = ranking_scores(family, X)
    assert not np.isnan(scores.s_plus).any()
    assert not np.isnan(scores.s_minus).any()
    assert np.all(scores.s_plus >= scores.s_minus)
    monotone = ~family.violations(X)
    np.testing.assert_array_equal(scores.s_plus[monotone], scores.s_minus[monotone])
    levels, inside = membership(family, X)
    score = levels if family.orientation == -1 else 1 - levels
    for i, spans in enumerate(map(family.intervals(X).__getitem__, range(len(X)))):
        # A jump at the end of the domain makes a set of a single level, which is not looked at.
        if np.any(spans[:, 0] == spans[:, 1]) or not len(spans):
            continue
        # Between a score and the nearest level looked at there is half a step.
        s_plus, s_minus = scores.s_plus[i], scores.s_minus[i]
        if np.isfinite(s_plus):
            assert abs(s_plus - score[inside[:, i]].max()) <= STEP / 2 + 1e-9
        out = score[~inside[:, i]]
        touches = np.any(spans[1:, 0] == spans[:-1, 1]) or left_at_the_end(family, X, inside)[i]
        if np.isfinite(s_minus) and out.size and not touches:
            assert abs(s_minus - out.min()) <= STEP / 2 + 1e-9


def left_at_the_end(family, X, inside):
    """Points that are outside at the last level of the domain only."""
    end = family.domain[1] if family.orientation == 1 else family.domain[0]
    return inside[-1] & ~family.contains(X, end) if np.isfinite(end) else np.zeros(len(X), bool)


def test_scores_of_a_hand_made_family():
    columns = [[1, -1, -1, 1], [-1, 1, -1, 1], [1, 1, -1, 1]]
    shrinking, X = crossing_family([0.0, 1.0, 2.0], columns, -1)
    scores = ranking_scores(shrinking, X)
    np.testing.assert_allclose(scores.s_plus, [2, 2, -np.inf, 2])
    np.testing.assert_allclose(scores.s_minus, [0.5, 0, -np.inf, 2])
    growing, X = crossing_family([0.0, 0.5, 1.0], columns, 1)
    scores = ranking_scores(growing, X)
    np.testing.assert_allclose(scores.s_plus, [1, 0.75, -np.inf, 1])
    np.testing.assert_allclose(scores.s_minus, [0.25, 0.75, -np.inf, 1])
    # Ranked above the second point by its first set, below it by its last: both are ambiguous.
    np.testing.assert_array_equal(scores.ambiguous, [True, True, False, False])
    assert scores.disagreement == ranking_disagreement(growing, X) == 0.5


@pytest.mark.parametrize("seed", range(3))
def test_nested_families_have_one_ranking(seed):
    two = make_sample("mixture", random_state=seed, n=60)
    one = make_sample("ring", random_state=seed, n=60)
    new = np.random.default_rng(seed).normal(scale=2.0, size=(80, 2))
    for family in (
        ParzenLevelSets(0.5).fit(one.X).family_,
        NestedOneClassSVM(0.5).fit(one.X).family_,
        OneClassPath(0.5).fit(one.X).family_.union(),
        NestedCostSensitiveSVM(0.5).fit(two.X, two.y).family_,
    ):
        scores = ranking_scores(family, new)
        np.testing.assert_array_equal(scores.s_plus, scores.s_minus)
        assert ranking_disagreement(family, new) == 0.0


@pytest.mark.parametrize("seed", range(3))
def test_paths_disagree_and_the_two_forms_agree(seed):
    two = make_sample("mixture", random_state=seed, n=60)
    grid = Grid.around(two.X, resolution=40)
    for family in (
        OneClassPath(0.5).fit(two.X).family_,
        CostSensitivePath(0.5, lam=0.05).fit(two.X, two.y).family_,
    ):
        scores = ranking_scores(family, grid)
        assert 0 < scores.disagreement == ranking_disagreement(family, grid)
        np.testing.assert_array_equal(
            scores.ambiguous, ambiguously_ranked(scores.s_plus, scores.s_minus)
        )
        assert ranking_disagreement(scores.s_plus, scores.s_minus) == scores.disagreement


@pytest.mark.parametrize("seed", range(3))
def test_coincident_points_are_ties_to_the_last_bit(seed):
    rng = np.random.default_rng(seed)
    distinct = rng.normal(size=(11, 3))
    X = distinct[rng.integers(0, 11, 150)]
    scores = ranking_scores(ParzenLevelSets(0.7).fit(X).family_, X)
    assert np.unique(scores.s_plus).size <= 11


def test_errors_are_sentences():
    with pytest.raises(ValueError, match="same length"):
        ranking_disagreement([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="one number or more"):
        ranking_disagreement([], [])
    with pytest.raises(ValueError, match="NaN"):
        ranking_disagreement([np.nan], [1.0])
    with pytest.raises(TypeError, match="SetFamily first"):
        ranking_disagreement([1.0], Grid.around(np.eye(2), resolution=3))


def test_the_figure_marks_ambiguous_points():
    family, X = crossing_family([0.0, 0.5, 1.0], [[1, -1, -1], [-1, 1, -1], [1, 1, -1]], 1)
    scores = ranking_scores(family, X)
    figure = ranking_figure(scores)
    clear, ambiguous = figure.data
    assert len(ambiguous.x) == 2
    assert len(clear.x) == 0
    assert clear.marker.symbol != ambiguous.marker.symbol
    assert "1 outside every set" in figure.layout.annotations[0].text
    np.testing.assert_allclose(
        ambiguous.y, (scores.s_plus - scores.s_minus)[ambiguous.customdata[:, 0].astype(int)]
    )
