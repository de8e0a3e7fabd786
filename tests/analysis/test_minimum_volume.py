"""The smallest set that holds a mass, by definition and by cross-validation."""

import numpy as np
import pytest

from nestviz.analysis.minimum_volume import minimum_volume_set
from nestviz.data import make_sample
from nestviz.estimators import NestedOneClassSVM, OneClassPath, OneClassSVM, ParzenLevelSets
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.kernels import PolynomialKernel
from nestviz.volume import mass_volume_curve, uniform_reference
from nestviz.volume.integrated import split


def offset_family(scores, orientation, domain):
    """Points that come in at known levels: one field each, shifted by the level."""
    n = len(scores)
    kernel = PolynomialKernel(degree=1, offset=0.0)
    rows = -orientation * np.asarray(scores, dtype=float)[None]
    options = {"domain": domain, "tail": -float(orientation), "is_nested": True}
    return SetFamily([0.0], rows, [0.0], np.eye(n), kernel, orientation, **options), np.eye(n)


@pytest.mark.parametrize("orientation", [1, -1])
@pytest.mark.parametrize(("beta", "last"), [(0.2, 1), (0.21, 2), (0.6, 3), (0.8, 4), (1.0, 5)])
def test_known_entry_levels(orientation, beta, last):
    entry = orientation * np.array([1.0, 2.0, 4.0, 8.0, 16.0])
    family, X = offset_family(entry, orientation, (-100.0, 100.0))
    found = minimum_volume_set(family, X, beta)
    np.testing.assert_array_equal(found.levels, entry)
    assert found.mass == last / 5
    assert found.contains(X).sum() == last
    following = entry[last] if last < 5 else orientation * 100.0
    assert found.level == (entry[last - 1] + following) / 2


@pytest.mark.parametrize("orientation", [1, -1])
def test_endless_domains_give_finite_levels(orientation):
    family, X = offset_family([0.0, orientation * 5.0], orientation, (-np.inf, np.inf))
    assert minimum_volume_set(family, X, 1.0).level == orientation * 10.0
    assert minimum_volume_set(family, X, 1.0).contains(X).all()


@pytest.mark.parametrize(
    "estimator", [ParzenLevelSets(0.4), NestedOneClassSVM(0.5), OneClassPath(0.8)]
)
@pytest.mark.parametrize("seed", range(2))
def test_cross_validated_mass_is_the_first_to_reach_beta(estimator, seed):
    X = make_sample("multi", n=90, random_state=seed).X
    found = minimum_volume_set(estimator, X, 0.7, cv=4, random_state=seed)
    families = []
    for rows in split(len(X), 4, seed):
        train = np.setdiff1d(np.arange(len(X)), rows)
        families.append((rows, estimator.fit(X[train]).family_))

    def mass(level):
        return sum(family.contains(X[rows], level).sum() for rows, family in families) / len(X)

    assert mass(found.level) == found.mass >= 0.7
    smaller = (found.levels[1:] + found.levels[:-1]) / 2
    smaller = smaller[smaller > found.level]
    assert smaller.size
    assert all(mass(level) < 0.7 for level in smaller[-20:])
    whole = estimator.fit(X).family_
    np.testing.assert_array_equal(found.contains(X), whole.contains(X, found.level))


def test_mass_of_new_points_is_near_the_mass_asked_for():
    """Within four binomial standard errors of held-out and new points together."""
    X, new = (
        make_sample("multi", n=400, random_state=0).X,
        make_sample("multi", n=2000, random_state=1).X,
    )
    for beta in (0.5, 0.8):
        share = minimum_volume_set(ParzenLevelSets(0.4), X, beta).contains(new).mean()
        assert abs(share - beta) < 4 * np.sqrt(beta * (1 - beta) * (1 / 400 + 1 / 2000))


def test_volume_of_the_set_by_points_and_by_pixels():
    X = make_sample("ring", n=120).X
    found = minimum_volume_set(NestedOneClassSVM(0.5), X, 0.8)
    volume, error = found.volume(uniform_reference(X, n=4096))
    area, none = found.volume(Grid.around(X, margin=0.1))
    assert none == 0.0
    assert error > 0
    assert volume == pytest.approx(area, abs=5 * error + 0.02 * area)
    curve = mass_volume_curve(found.family, X, Grid.around(X, margin=0.1))
    inside = found.contains(X).mean()
    assert curve.quantile(inside) <= area


def test_what_cannot_be_had():
    X = make_sample("ring", n=60).X
    fitted = OneClassSVM(sigma=0.3, lam=0.1).fit(X)
    with pytest.raises(ValueError, match="the most is"):
        minimum_volume_set(fitted.family_, X, 1.0)
    for beta in (0.0, 1.2, np.nan):
        with pytest.raises(ValueError, match="above 0 and at most 1"):
            minimum_volume_set(fitted.family_, X, beta)
    with pytest.raises(ValueError, match="at least one point"):
        minimum_volume_set(fitted.family_, np.empty((0, 2)), 0.5)


def test_one_set_is_chosen_when_it_is_enough():
    X = make_sample("ring", n=60).X
    family = OneClassSVM(sigma=0.5, lam=0.02).fit(X).family_
    found = minimum_volume_set(family, X, 0.2)
    assert found.level == 0.02
    assert found.mass == family.contains(X, 0.02).mean()
