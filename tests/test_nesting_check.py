"""Nesting read off the coefficients, against membership of many points at many levels."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from nestviz import NestedCostSensitiveSVM, NestedOneClassSVM, ParzenLevelSets, make_sample
from nestviz.nesting_check import nesting_defect, pair_defect


def leaves(levels, c, r, orientation, tail=0.0, beyond=0.0):
    """Whether some row of kernel values is in a smaller set and not in a larger one, by values."""
    rng = np.random.default_rng(0)
    N = c.shape[1]
    k = np.concatenate([np.eye(N), rng.uniform(size=(600, N)) ** rng.uniform(0, 8, (600, 1))])
    wanted = np.linspace(levels[0] - beyond, levels[-1] + beyond, 101)
    outside = wanted - np.clip(wanted, levels[0], levels[-1])
    at = np.array([np.interp(wanted, levels, column) for column in c.T]).T
    g = at @ k.T - (np.interp(wanted, levels, r) + tail * outside)[:, None]
    inside = (g >= -1e-12)[::orientation]
    return bool(np.any(inside[:-1] & (g[::orientation][1:] < -1e-9)))


def grown(rng, M, N, two_classes):
    """Breakpoints from the smallest set to the largest, each by a factor and a gain ≥ 0."""
    c = [rng.normal(size=N) if two_classes else rng.uniform(size=N)]
    r = [0.0 if two_classes else rng.uniform(0.2, 2.0)]
    for _ in range(M - 1):
        factor = rng.uniform(0.3, 3.0)
        c.append(factor * c[-1] + rng.uniform(size=N) * (rng.uniform(size=N) < 0.5))
        r.append(factor * r[-1] * rng.uniform(0.5, 1.0))
    return np.array(c), np.array(r)


@pytest.mark.parametrize("orientation", [1, -1])
@pytest.mark.parametrize("two_classes", [False, True])
def test_what_is_said_to_be_nested_is(orientation, two_classes):
    for seed in range(60):
        rng = np.random.default_rng(seed)
        M, N = int(rng.integers(2, 6)), int(rng.integers(1, 6))
        c, r = (v[::orientation] for v in grown(rng, M, N, two_classes))
        levels = np.sort(rng.uniform(size=M))
        assert nesting_defect(levels, c, r, orientation) < 1e-14
        assert not leaves(levels, c, r, orientation)


@pytest.mark.parametrize("orientation", [1, -1])
def test_a_family_that_some_point_leaves_is_never_called_nested(orientation):
    found = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        M, N = int(rng.integers(2, 5)), int(rng.integers(1, 5))
        c, r = (v[::orientation].copy() for v in grown(rng, M, N, seed % 2 == 0))
        c[int(rng.integers(M)), int(rng.integers(N))] += rng.normal()
        levels = np.sort(rng.uniform(size=M))
        if leaves(levels, c, r, orientation):
            found += 1
            assert nesting_defect(levels, c, r, orientation) > 1e-9
    assert found > 50


@pytest.mark.parametrize(("tail", "nested"), [(1.0, True), (0.0, True), (-1.0, False)])
def test_the_tail_counts_where_the_domain_reaches_it(tail, nested):
    levels, c, r = np.array([1.0, 2.0]), np.ones((2, 3)), np.array([0.5, 0.6])
    given = nesting_defect(levels, c, r, -1, tail=tail, domain=(0.0, np.inf))
    assert (given == 0.0) == nested
    assert leaves(levels, c, r, -1, tail, beyond=0.9) == (not nested)
    assert nesting_defect(levels, c, r, -1, tail=tail) == 0.0


def test_an_empty_set_is_part_of_every_set_and_no_set_of_an_empty_one():
    positive, negative, nothing = np.array([1.0, 2.0]), np.array([-1.0, -2.0]), np.zeros(2)
    assert pair_defect(negative, 0.0, np.array([-3.0, 1.0]), 0.0) == 0.0
    assert pair_defect(nothing, 1.0, negative, 2.0) == 0.0
    assert pair_defect(positive, 0.0, nothing, 0.0) > 0.1


def test_the_defect_is_relative():
    c, r = np.array([[1.0, -1.0], [0.9, -1.0]]), np.zeros(2)
    for unit in (1e-200, 1.0, 1e200):
        assert nesting_defect([0.0, 1.0], unit * c, r, 1) == pytest.approx(0.1)


def test_a_single_breakpoint_is_nested():
    assert nesting_defect([1.0], [[1.0, -1.0]], [0.0], 1) == 0.0


def test_nested_fits_carry_the_defect_of_their_coefficients():
    data = make_sample("banana", n=60)
    one = NestedOneClassSVM(0.5, levels=7).fit(data.X)
    two = NestedCostSensitiveSVM(0.5, lam=0.5).fit(data.X, data.y)
    for fit in (one, two):
        assert fit.nesting_defect_ == 0.0
        family = fit.family_
        turned = nesting_defect(
            family.levels, family.coefficients, family.offsets, -family.orientation
        )
        assert turned > 1e-3
    family = ParzenLevelSets(0.5).fit(data.X).family_
    assert nesting_defect(family.levels, family.coefficients, family.offsets, -1, tail=1.0) == 0.0


@pytest.mark.parametrize("estimator", [NestedOneClassSVM(0.5), NestedCostSensitiveSVM(0.5)])
def test_a_fit_whose_coefficients_break_the_order_has_not_converged(monkeypatch, estimator):
    """The flag of the family is not believed: the check sees what a faulty solver returns."""
    data = make_sample("banana", n=40)
    module = type(estimator).__module__
    name = "solve_one_class" if "one_class" in module else "solve_cost_sensitive"
    solve = getattr(__import__(module, fromlist=[name]), name)

    def faulty(*args, **options):
        solution = solve(*args, **options)
        alpha = solution.alpha.copy()
        alpha[len(alpha) // 2] *= np.random.default_rng(0).uniform(0.2, 1.0, alpha.shape[1])
        return solution._replace(alpha=alpha)

    monkeypatch.setattr(f"{module}.{name}", faulty)
    with pytest.warns(ConvergenceWarning, match="did not reach nested sets"):
        estimator.fit(data.X, data.y)
    assert not estimator.converged_
    assert estimator.nesting_defect_ > 1e-3
