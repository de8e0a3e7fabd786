"""Nested fits on data whose values repeat: points that are equal rank alike, by values alone."""

import dataclasses

import numpy as np
import pytest

from nestviz import NestedCostSensitiveSVM, NestedOneClassSVM
from nestviz.data.real import benchmark
from nestviz.kernels import average_distance

NAMES = ["titanic", "flare-solar", "breast-cancer"]
WIDTHS = [0.25, 1.0, 3.0]


def split(name, seed):
    """Standardised training points, their classes, and the points left over."""
    X, y = benchmark(name)[:2]
    chosen = np.random.default_rng(seed).permutation(len(X))
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return X[chosen[:150]], y[chosen[:150]].astype(float), X[chosen[150:]]


def fits(name, seed, width):
    X, y, rest = split(name, seed)
    sigma = width * average_distance(X)
    yield NestedOneClassSVM(sigma).fit(X), rest
    for lam in (0.1, 1.0):
        yield NestedCostSensitiveSVM(sigma, lam=lam).fit(X, y), rest


def margins(fit, X, y):
    """|g| relative to its margin where a coefficient is free and differs from its neighbours'."""
    family, alpha = fit.family_, fit.alpha_
    if isinstance(fit, NestedOneClassSVM):
        chain, wanted = alpha / fit.levels_[:, None], fit.levels_[:, None]
        field = (family.coefficients @ family.kernel.gram(family.centres, X))[::-1]
        free = (alpha > 0) & (alpha < 1 / alpha.shape[1] * (1 - 1e-12))
    else:
        chain, wanted = alpha, y
        field = family.coefficients @ family.kernel.gram(family.centres, X)
        bound = np.where(y > 0, fit.asymmetries_[:, None], 1 - fit.asymmetries_[:, None])
        free = (alpha > 0) & (alpha < bound * (1 - 1e-12))
    steps = np.abs(np.diff(chain, axis=0)) > 1e-9 * np.abs(chain[1:])
    edge = np.ones((1, chain.shape[1]), dtype=bool)
    alone = np.concatenate([edge, steps]) & np.concatenate([steps, edge])
    return (np.abs(field - wanted) / np.abs(wanted))[free & alone]


@pytest.mark.parametrize("name", NAMES)
def test_free_points_of_repeated_data_are_on_their_margin(name):
    found = 0
    for width in WIDTHS:
        X, y, _ = split(name, 0)
        for fit, _ in fits(name, 0, width):
            off = margins(fit, X, y)
            found += off.size
            assert off.max(initial=0.0) < 1e-12
    assert found > 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_two_ranks_of_every_point_agree_without_the_flag(name, width):
    for fit, rest in fits(name, 3, width):
        family = dataclasses.replace(fit.family_, is_nested=False)
        for points in (family.centres, rest):
            scan = family.scan(points)
            assert np.array_equal(scan.first, scan.last)
            assert not scan.violated.any()
        assert fit.nesting_defect_ == 0.0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_a_point_that_equals_a_training_point_has_its_rank(name, width):
    for fit, rest in fits(name, 1, width):
        family = fit.family_
        ranks = dict(
            zip(map(tuple, family.centres), family.first_level(family.centres), strict=True)
        )
        pairs = [
            (level, ranks[tuple(x)])
            for x, level in zip(rest, family.first_level(rest), strict=True)
            if tuple(x) in ranks
        ]
        assert len(pairs) > 10
        np.testing.assert_allclose(*np.array(pairs).T, rtol=1e-5, atol=0.0)


@pytest.mark.parametrize("lam", [1e-3, 0.03])
def test_fields_that_cancel_leave_no_rounding_to_rank_by(lam):
    """Every place occurs in both classes alike: the exact field is zero from γ = 0.25 on."""
    rng = np.random.default_rng(0)
    places = rng.normal(size=(8, 2))
    X, y = np.concatenate([places, places]), np.repeat([1.0, -1.0], 8)
    family = NestedCostSensitiveSVM(1.0, lam=lam).fit(X, y).family_
    levels = family.first_level(np.concatenate([places, rng.normal(size=(40, 2))]))
    assert np.ptp(levels) < 1e-9


def test_numbers_that_are_equal_in_other_words_are_one_point():
    """Signed zeros, and single precision turned into double."""
    X = np.random.default_rng(2).integers(-1, 2, (60, 2)).astype(np.float32) * np.float32(0.1)
    fit = NestedOneClassSVM(0.2).fit(X)
    turned = np.where(X == 0, -X, X)
    assert len(fit.family_.centres) == len(np.unique(X, axis=0))
    same = NestedOneClassSVM(0.2).fit(turned.astype(np.float64))
    assert np.array_equal(fit.alpha_, same.alpha_)
    again = fit.family_.first_level(turned.astype(np.float64))
    assert np.array_equal(again, fit.family_.first_level(X.astype(np.float64)))
