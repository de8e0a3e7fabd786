"""Every result that ranks points says what share it ranks below the smallest solved level."""

import numpy as np
import pytest

from nestviz import CostSensitivePath, NestedOneClassSVM, ParzenLevelSets, make_sample
from nestviz.analysis.density import density_rank
from nestviz.analysis.outliers import outlier_ranking
from nestviz.analysis.ranking import ranking_scores
from nestviz.analysis.roc import roc_curve
from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel
from nestviz.volume import (
    integrated_volume,
    mass_volume_curve,
    select_bandwidth,
    uniform_reference,
)
from nestviz.volume.extrapolation import entered_by_extrapolation, in_words

X = make_sample("multi", n=100).X
NEW = np.tile(X, (2, 1)) + np.random.default_rng(0).normal(size=(200, 2))


def held(family, level):
    """Say that the family's sets are solved down to a level and held below it."""
    object.__setattr__(family, "hold_level", level)
    return family


class Held(NestedOneClassSVM):
    """A nested SVM that is known to end at a level."""

    def fit(self, X, y=None, sample_weight=None, callback=None):
        super().fit(X, y, sample_weight, callback)
        held(self.family_, float(self.levels_[-1]))
        return self


@pytest.fixture(scope="module")
def family():
    return Held(0.5, levels=np.geomspace(0.2, 1e-3, 9)).fit(X).family_


def test_all_results_say_the_same_share(family):
    entry = family.first_level(NEW)
    share = np.mean(entry < family.hold_level)
    assert 0.1 < share < 0.9
    y = np.where(np.arange(200) % 2, 1, -1)
    ranking = outlier_ranking(family, NEW)
    assert ranking.extrapolated == share
    np.testing.assert_array_equal(ranking.below_solved, entry < family.hold_level)
    np.testing.assert_array_equal(ranking.to_table()["extrapolated"], ranking.below_solved)
    assert ranking_scores(family, NEW).extrapolated == share
    assert roc_curve(family, NEW, y).extrapolated == share
    assert density_rank(family, NEW).extrapolated == share
    assert mass_volume_curve(family, NEW, uniform_reference(X)).extrapolated == share


def test_a_family_that_crosses_is_counted_by_the_first_level():
    levels, centres = [0.1, 0.5, 1.0], [[0.0], [3.0]]
    crossing = SetFamily(
        levels, [[0.1, 0.6], [0.9, 0.0], [1.0, 1.0]], levels, centres, GaussianKernel(1.0), -1,
        domain=(0.0, np.inf), tail=1.0, open_below=True,
    )  # fmt: skip
    points = np.linspace(-4, 7, 60)[:, None]
    entry = held(crossing, 0.1).first_level(points)
    share = np.mean(entry < 0.1)
    assert share > 0
    y = np.where(np.arange(60) % 2, 1, -1)
    assert roc_curve(crossing, points, y).extrapolated == share
    assert mass_volume_curve(crossing, points).extrapolated == share
    assert ranking_scores(crossing, points).extrapolated == share


def test_searches_say_it_of_held_out_points():
    estimator = Held(levels=np.geomspace(0.2, 1e-2, 7))
    found = select_bandwidth(X, estimator, [0.1, 0.5, 2.0], cv=4)
    assert found.extrapolated_shares.shape == (3,)
    assert found.extrapolated_shares[0] > found.extrapolated_shares[-1]
    assert found.extrapolated == found.extrapolated_shares[found.best]
    alone = integrated_volume(X, Held(0.1, levels=np.geomspace(0.2, 1e-2, 7)), cv=4)
    assert alone.extrapolated == found.extrapolated_shares[0]
    assert alone.curve.extrapolated == alone.extrapolated


def test_nothing_is_extrapolated_where_no_level_is_the_last():
    y = np.where(X[:, 0] > 0, 1, -1)
    for family in (
        ParzenLevelSets(0.5).fit(X).family_,
        CostSensitivePath(0.5).fit(X, y).family_,
    ):
        assert outlier_ranking(family, NEW).extrapolated == 0.0
        assert ranking_scores(family, NEW).extrapolated == 0.0
        assert roc_curve(family, X, y).extrapolated == 0.0


def test_points_on_the_boundary_of_the_last_set_are_not_extrapolated(family):
    last = family.hold_level
    levels = last * np.array([1.0 - 1e-9, 1.0, 1.5, 0.5])
    expected = [False, False, False, True]
    assert entered_by_extrapolation(family, levels).tolist() == expected
    assert entered_by_extrapolation(family, [-np.inf]).all()


@pytest.mark.parametrize(
    ("share", "words"), [(0.12, "12% of the points"), (0.001, "Less than 1%"), (1.0, "100%")]
)
def test_the_sentence(share, words):
    assert in_words(share).startswith(words)
    assert "below the smallest solved level" in in_words(share)
    assert in_words(0.0) == ""
