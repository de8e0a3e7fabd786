"""Coefficients of the points as given, also where some of them coincide."""

import numpy as np
import pytest

from nestviz import (
    CostSensitivePath,
    Dataset,
    NestedOneClassSVM,
    OneClassPath,
    ParzenLevelSets,
    make_sample,
)
from nestviz.ui.methods import Spec
from nestviz.ui.multipliers import breakpoints_of, shares_of_bound, solved

SIGMA = 0.5
SPEC = Spec("", SIGMA, lam=0.3)


@pytest.fixture(scope="module")
def doubled():
    """Forty points, the first five of them twice."""
    sample = make_sample("banana", 0, n=40)
    X = np.concatenate([sample.X, sample.X[:5]])
    return Dataset(X, y=np.concatenate([sample.y, sample.y[:5]]))


def test_a_path_of_points_that_coincide(doubled):
    path = OneClassPath(SIGMA).fit(doubled.X)
    levels = np.linspace(0.05, 0.95, 7) * path.breakpoints_[0]
    found = shares_of_bound(path.family_, doubled, SPEC, levels, two_classes=False)
    assert np.allclose(found, path.coefficients(levels) * doubled.n, atol=1e-12)
    union = path.family_.union()
    assert solved(union).is_nested is False
    joined = shares_of_bound(union, doubled, SPEC, levels, two_classes=False)
    assert np.array_equal(found, joined)


def test_nested_levels(doubled):
    nested = NestedOneClassSVM(SIGMA, 6).fit(doubled.X)
    found = shares_of_bound(nested.family_, doubled, SPEC, nested.levels_, two_classes=False)
    assert np.allclose(found, nested.alpha_ * doubled.n, atol=1e-9)
    assert np.array_equal(
        breakpoints_of(nested.family_, doubled, 3, two_classes=False), nested.levels_[::-1]
    )


def test_two_classes(doubled):
    path = CostSensitivePath(SIGMA, SPEC.lam).fit(doubled.X, doubled.y)
    levels = np.linspace(0.1, 0.9, 5)
    found = shares_of_bound(path.family_, doubled, SPEC, levels, two_classes=True)
    assert np.allclose(found, path.coefficients(levels), atol=1e-12)


def test_a_points_own_events(doubled):
    path = OneClassPath(SIGMA).fit(doubled.X)
    for row in (0, 7, 42):
        found = breakpoints_of(path.family_, doubled, row, two_classes=False)
        twin = row if row < 40 else row - 40
        mine = path.breakpoints_[path.events_["breakpoint"][path.event_points_ == twin]]
        assert np.array_equal(found, np.unique(mine))


def test_parzen_points_are_always_at_their_bound(doubled):
    family = ParzenLevelSets(SIGMA).fit(doubled.X).family_
    found = shares_of_bound(family, doubled, SPEC, np.array([0.1, 0.2]), two_classes=False)
    assert np.allclose(found, 1.0)
