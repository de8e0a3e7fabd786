import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nestviz import NestedOneClassSVM, OneClassPath, ParzenLevelSets, make_sample
from nestviz.analysis.flags import detection_auc, flag_outliers
from nestviz.analysis.outliers import outlier_ranking


@pytest.fixture(scope="module")
def ranking():
    X = make_sample("multi", random_state=0, n=80).X
    return outlier_ranking(ParzenLevelSets(0.4).fit(X).family_, X)


@pytest.mark.parametrize("share", [0.0, 0.0125, 0.1, 0.5, 1.0])
def test_as_many_as_asked_for_and_the_most_abnormal_ones(ranking, share):
    flags = flag_outliers(ranking, share)
    assert flags.count == round(share * 80)
    assert set(np.flatnonzero(flags.flagged)) == set(ranking.order[: flags.count].tolist())


@pytest.mark.parametrize("share", [0.0, 0.05, 0.3, 0.9])
@pytest.mark.parametrize("estimator", [ParzenLevelSets(0.4), NestedOneClassSVM(0.4)])
def test_the_set_at_the_threshold_leaves_just_the_flagged_outside(estimator, share):
    X = make_sample("multi", random_state=1, n=60).X
    family = estimator.fit(X).family_
    flags = flag_outliers(outlier_ranking(family, X, resolution=1e-9), share)
    # With its boundary: the support vectors of an SVM lie on it.
    held = family.values(X, flags.threshold) >= -1e-9
    assert np.array_equal(held, ~flags.flagged)


def test_points_that_tie_are_flagged_together_or_not_at_all():
    X = [[0.0], [0.1], [5.0], [5.0], [5.0]]
    family = ParzenLevelSets(1.0).fit([[0.0]]).family_
    ranking = outlier_ranking(family, X)
    assert ranking.rank.tolist()[2:] == [1, 1, 1]
    assert flag_outliers(ranking, 0.4).count == 0
    assert flag_outliers(ranking, 0.6).flagged.tolist() == [False, False, True, True, True]


def test_a_point_in_no_set_is_beyond_every_threshold():
    data = make_sample("ring", random_state=0, n=40).X
    family = OneClassPath(0.5).fit(data).family_
    X = [data[0], [1e6, 1e6]]
    ranking = outlier_ranking(family, X)
    assert np.isinf(ranking.level[1])
    assert np.isfinite(flag_outliers(ranking, 0.5).threshold)
    assert np.isinf(flag_outliers(ranking, 0.0).threshold)


@pytest.mark.parametrize("share", [-0.1, 1.5, np.nan])
def test_a_share_is_a_share(ranking, share):
    with pytest.raises(ValueError, match="share from 0 to 1"):
        flag_outliers(ranking, share)


@settings(max_examples=40)
@given(st.lists(st.integers(0, 6), min_size=2, max_size=30), st.integers(0, 2**30 - 1))
def test_the_area_is_the_probability_of_ranking_before(levels, marks):
    known = np.array([(marks >> k) & 1 for k in range(len(levels))], dtype=bool)
    if known.all() or not known.any():
        known[0] = not known[0]
    family = ParzenLevelSets(1.0).fit([[0.0]]).family_
    ranking = outlier_ranking(family, np.array(levels, dtype=float)[:, None] / 2)
    pairs = [
        1.0 if a < b else 0.5 if a == b else 0.0
        for a in ranking.rank[known]
        for b in ranking.rank[~known]
    ]
    assert detection_auc(ranking, known) == pytest.approx(np.mean(pairs))


@pytest.mark.parametrize("known", [np.ones(80, bool), np.zeros(80, bool), np.ones(3, bool)])
def test_both_kinds_are_needed(ranking, known):
    with pytest.raises(ValueError, match="one mark per ranked point"):
        detection_auc(ranking, known)
