"""What the story says about a family: where it crosses, how it ranks, what nesting costs."""

import numpy as np
import pytest

from nestviz import NestedOneClassSVM, OneClassPath
from nestviz.data import make_sample
from nestviz.estimators.one_class import OneClassSVM
from nestviz.grids import Plane
from nestviz.ui.compute import crossing
from nestviz.ui.compute.methods import Fitted, Spec, top_level

SIGMA = 2.1
X = make_sample("ring", 0, n=80).X
PLANE = Plane.of_two_features()
VIEW = (-6.0, 6.0, -6.0, 6.0)


@pytest.fixture(scope="module")
def levels():
    return top_level(X, SIGMA) * np.linspace(0.98, 0.01, 40)


def fitted(method, estimator):
    spec = Spec(method, SIGMA)
    return Fitted(spec, estimator, spec.row.family(estimator), 0.0)


@pytest.fixture(scope="module")
def plain():
    return fitted("one-class SVM", OneClassPath(SIGMA).fit(X))


@pytest.fixture(scope="module")
def union(plain):
    return plain.under(Spec("union", SIGMA))


@pytest.fixture(scope="module")
def nested():
    return fitted("nested one-class SVM", NestedOneClassSVM(SIGMA).fit(X))


def test_the_location_enters_and_leaves_at_the_levels_named(plain, levels):
    found = crossing.find_crossing(plain.family, PLANE, VIEW, levels)
    place = np.array([found.place])

    def inside(level):
        return bool(plain.family.contains(place, level)[0])

    assert found.entered >= found.clearest >= found.left > found.level
    assert inside(found.clearest)
    assert inside(0.999 * found.entered)
    assert not inside(1.001 * found.entered)
    assert inside(1.001 * found.left)
    assert not inside(0.999 * found.left)
    assert not inside(found.level)


def test_the_level_is_the_worst_of_the_sweep(plain, levels):
    found = crossing.find_crossing(plain.family, PLANE, VIEW, levels)
    rng = np.random.default_rng(0)
    points = rng.uniform(-6, 6, size=(4000, 2))
    inside = np.array([plain.family.contains(points, level) for level in levels])
    broken = (np.maximum.accumulate(inside, axis=0) & ~inside).mean(axis=1)
    assert broken[np.argmin(abs(levels - found.level))] >= 0.9 * broken.max()
    assert found.share == pytest.approx(broken.max(), abs=0.015)
    shortfall = -plain.family.values(np.array([found.place]), levels)[:, 0] / levels
    worst = int(np.argmin(abs(levels - found.level)))
    assert found.deepest == pytest.approx(shortfall[worst:].max())


def test_nested_families_do_not_cross(nested, union, levels):
    for family in (nested.family, union.family):
        assert crossing.find_crossing(family, PLANE, VIEW, levels) is None


def test_a_crossing_too_small_to_be_seen_is_none(plain, levels):
    elsewhere = (40.0, 44.0, 40.0, 44.0)
    assert crossing.find_crossing(plain.family, PLANE, elsewhere, levels) is None


def test_nested_sets_rank_once(plain, nested):
    assert crossing.compare_rankings(nested.family, X) == crossing.Rankings(80, 0, 0)
    found = crossing.compare_rankings(plain.family, X)
    assert found.leaving == int(plain.family.scan(X).violated.sum())
    assert found.ambiguous >= found.leaving > 0


def test_the_plain_solution_is_the_cheapest_and_costs_nothing(plain, union, nested, levels):
    cost = crossing.price(plain, union, nested, X, levels)
    assert cost.excess.shape == levels.shape
    assert cost.excess.min() >= 0
    assert cost.excess[cost.worst] == cost.excess.max() > 0.01
    free = crossing.price(plain, union, plain, X, levels)
    assert free.excess.max() == 0.0
    assert free.nested == free.plain
    assert 0.5 < cost.nested <= 1.0


def test_the_objective_is_that_of_the_solver(plain, union, nested, levels):
    # At one level the excess follows from the definition and a fit of that level alone.
    cost = crossing.price(plain, union, nested, X, levels)
    level = levels[25]
    K = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=2) / (2 * SIGMA**2))

    def objective(alpha):
        return 0.5 * alpha @ K @ alpha / level + np.maximum(0, 1 - K @ alpha / level).mean()

    best = OneClassSVM(SIGMA, level).fit(X)
    given = nested.estimator.coefficients([level])[0]
    alone = best.family_.coefficients_at([level])[0][0]
    assert cost.excess[25] == pytest.approx(objective(given) / objective(alone) - 1, abs=1e-5)
