"""The reference box as a parameter, and how much depends on it."""

import numpy as np
import pytest
from slow_from import slow_from

from nestviz import NestedOneClassSVM, OneClassPath, ParzenLevelSets, make_sample
from nestviz.estimators import NuOneClassSVM
from nestviz.volume import (
    integrated_volume,
    margin_effect,
    mass_volume_curve,
    select_bandwidth,
    uniform_reference,
)

X = make_sample("multi", n=80).X
SIGMAS = [0.05, 0.3, 0.7, 2.0, 9.0]


@pytest.mark.parametrize("margin", [None, 0.0, 0.5])
def test_a_margin_is_the_box_of_the_default_reference(margin):
    reach = {} if margin is None else {"margin": margin}
    box = uniform_reference(X, **reach)
    family = ParzenLevelSets(0.5).fit(X[:60]).family_
    wide = uniform_reference(X[60:], **reach)
    mine, given = (
        mass_volume_curve(family, X[60:], **reach),
        mass_volume_curve(family, X[60:], wide),
    )
    np.testing.assert_array_equal(mine.volume, given.volume)
    assert mine.box_volume == wide.volume
    estimator = NestedOneClassSVM(0.5)
    one, two = (
        integrated_volume(X, estimator, cv=3, **reach),
        integrated_volume(X, estimator, cv=3, reference=box),
    )
    assert one.value == two.value
    one, two = (
        select_bandwidth(X, estimator, SIGMAS, cv=3, **reach),
        select_bandwidth(X, estimator, SIGMAS, cv=3, reference=box),
    )
    np.testing.assert_array_equal(one.values, two.values)


def test_a_reference_has_its_own_box():
    box = uniform_reference(X)
    family = ParzenLevelSets(0.5).fit(X).family_
    for ask in (
        lambda: mass_volume_curve(family, X, box, margin=0.5),
        lambda: integrated_volume(X, ParzenLevelSets(0.5), reference=box, margin=0.5),
        lambda: select_bandwidth(X, ParzenLevelSets(), SIGMAS, reference=box, margin=0.5),
    ):
        with pytest.raises(ValueError, match="not both"):
            ask()
    with pytest.raises(ValueError, match="margin must be"):
        select_bandwidth(X, ParzenLevelSets(), SIGMAS, margin=-0.5)


@pytest.mark.parametrize("estimator", [ParzenLevelSets(), NestedOneClassSVM(), OneClassPath()])
def test_the_effect_of_the_margin_is_that_of_separate_searches(estimator):
    margins = [0.0, 0.5, 1.5]
    effect = margin_effect(X, estimator, SIGMAS, margins, cv=3, n=512)
    for margin, values, sigma, end in zip(
        margins, effect.values, effect.sigmas, effect.at_end, strict=True
    ):
        box = uniform_reference(X, 512, margin=margin, relative=True)
        alone = select_bandwidth(X, estimator, SIGMAS, cv=3, reference=box)
        np.testing.assert_allclose(values, alone.values, rtol=1e-9)
        assert (sigma, end) == (alone.sigma, alone.at_end)
    table = effect.to_table()
    assert table["margin"] == margins
    assert table["sigma"] == effect.sigmas.tolist()
    assert effect.ratio == effect.sigmas.max() / effect.sigmas.min()


def test_every_fit_is_made_once_for_all_boxes():
    fits = []

    class Counting(ParzenLevelSets):
        def fit(self, X, y=None):
            fits.append(self.sigma)
            return super().fit(X, y)

    margin_effect(X, Counting(), SIGMAS, [0.0, 0.1, 0.5, 1.5], cv=3, n=128)
    assert len(fits) == 3 * len(SIGMAS)


def test_parzen_windows_do_not_depend_on_the_box():
    effect = margin_effect(X, ParzenLevelSets(), np.geomspace(0.1, 5.0, 12))
    assert effect.ratio <= np.geomspace(0.1, 5.0, 12)[1] / 0.1 + 1e-9


def test_a_default_grid_is_used_and_may_be_extended():
    tight = np.random.default_rng(0).normal(scale=0.01, size=(40, 2))
    tight[20:] += 10.0
    effect = margin_effect(tight, ParzenLevelSets(), margins=[0.1], widths=9, cv=2, n=256)
    assert effect.widths.size > 9
    assert effect.values.shape == (1, effect.widths.size)
    assert np.all(np.diff(effect.widths) > 0)


@pytest.mark.parametrize(
    "estimator", slow_from(2, [ParzenLevelSets, NestedOneClassSVM, NuOneClassSVM, OneClassPath])
)
def test_miv_takes_a_margin(estimator):
    points = X[:24]
    box = uniform_reference(points, margin=0.5, relative=True)
    expected = select_bandwidth(points, estimator(), reference=box).sigma
    assert estimator(sigma="miv:0.5").fit(points).sigma_ == expected
    default = estimator(sigma="miv").fit(points).sigma_
    assert estimator(sigma="miv:0.1").fit(points).sigma_ == default


@pytest.mark.parametrize("word", ["miv:", "miv:x", "miv:-1", "miv:nan", "mivs", "miv 0.5"])
def test_a_margin_that_is_none_is_refused(word):
    with pytest.raises(ValueError, match=r"'miv:0\.5'"):
        ParzenLevelSets(sigma=word).fit(X)


def test_no_margins_are_refused():
    with pytest.raises(ValueError, match="one margin or more"):
        margin_effect(X, ParzenLevelSets(), SIGMAS, [])
