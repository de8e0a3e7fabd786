"""Families over ν of the estimators of chapter 8."""

import numpy as np
import pytest

from nestviz import (
    CentredOneClassSVM,
    Grid,
    NuOneClassSVM,
    OneClassPath,
    ReflectedOneClassSVM,
    SoftBall,
    family_over_nu,
    make_sample,
    nu_family,
)

NUS = [0.15, 0.4, 0.9]


@pytest.fixture(scope="module")
def data():
    return make_sample("banana", 0, n=60)


def cases(data):
    X, Z = data.X[data.y > 0], data.X[data.y < 0]
    return [
        (NuOneClassSVM(0.8, tol=1e-10), X, {}),
        (SoftBall(0.8, tol=1e-10), X, {}),
        (SoftBall(kernel="polynomial", degree=2, tol=1e-10), X, {}),
        (ReflectedOneClassSVM(0.8, tol=1e-10), X, {"outliers": Z}),
        (CentredOneClassSVM(0.8, tol=1e-10), X, {"others": Z}),
    ]


@pytest.mark.parametrize("case", range(5))
def test_the_sets_are_those_of_single_solutions(data, case):
    estimator, X, given = cases(data)[case]
    family, grid = family_over_nu(estimator, X, NUS, **given), Grid.around(data.X, resolution=24)
    for nu in NUS:
        model = type(estimator)(**{**estimator.get_params(), "nu": nu}).fit(X, **given)
        wanted = model.family_.values(grid, model.level_)
        np.testing.assert_allclose(family.values(grid, nu), nu * wanted, atol=1e-9)


@pytest.mark.parametrize("case", range(1, 5))
def test_coefficients_times_nu_are_piecewise_linear(data, case):
    """Where the margin points stay the same, a solution half way is the mean of the two."""
    estimator, X, given = cases(data)[case]
    low, high = 0.5, 0.5005
    ends = family_over_nu(estimator, X, [low, high], **given)
    middle = family_over_nu(estimator, X, [0.5 * (low + high)], **given)
    a, b = np.asarray(ends.coefficients)
    half = np.asarray(middle.coefficients)[0]
    np.testing.assert_allclose(half, 0.5 * (a + b), atol=1e-7)
    assert middle.offsets[0] == pytest.approx(0.5 * (ends.offsets[0] + ends.offsets[1]), abs=1e-6)


def test_between_breakpoints_it_is_the_exact_path(data):
    X = data.X
    path = OneClassPath(0.8).fit(X)
    exact = nu_family(path)
    nus = np.unique(exact.levels)
    nus = nus[(nus > 0.3) & (nus < 0.36)]
    family = family_over_nu(NuOneClassSVM(0.8, tol=1e-12), X, nus)
    middle = 0.5 * (nus[1:] + nus[:-1])
    np.testing.assert_allclose(family.values(X, middle), exact.values(X, middle), atol=1e-8)


def test_half_space_and_ball_are_the_same_for_a_gaussian_kernel_only(data):
    grid = Grid.around(data.X, resolution=40)
    for kernel, same in (("gaussian", True), ("polynomial", False)):
        sets = [
            family_over_nu(kind(0.8, kernel=kernel, tol=1e-10), data.X, NUS)
            for kind in (NuOneClassSVM, SoftBall)
        ]
        inside = [family.values(grid, 0.4) >= 0 for family in sets]
        assert (inside[0] == inside[1]).all() == same


def test_it_stops_where_asked(data):
    family = family_over_nu(NuOneClassSVM(0.8), data.X, NUS, stopped=lambda: True)
    assert family.levels.tolist() == [0.9]


@pytest.mark.parametrize("nus", [[], [0.0, 0.5], [0.5, 1.5], [np.nan]])
def test_other_nus_are_refused(data, nus):
    with pytest.raises(ValueError, match="above 0 and at most 1"):
        family_over_nu(NuOneClassSVM(0.8), data.X, nus)
