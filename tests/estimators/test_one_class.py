"""One-class SVMs through their estimators: against each other, against libsvm, at the edges."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import OneClassSVM as LibsvmOneClass

from nestviz.data import make_sample
from nestviz.estimators import NestedOneClassSVM, OneClassPath, OneClassSVM
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.kernels import GaussianKernel

TIGHT = 1e-12


def points(seed, n=40, d=2):
    rng = np.random.default_rng(seed)
    centres = rng.normal(scale=2.0, size=(3, d))
    return centres[rng.integers(0, 3, n)] + rng.normal(scale=0.6, size=(n, d))


def dense(path: OneClassPath) -> SetFamily:
    """The path's family with its coefficients written out as a table."""
    family = path.family_
    table = family.coefficients.take(np.arange(family.levels.size))
    return SetFamily(
        family.levels, table, family.offsets, family.centres, family.kernel, -1,
        domain=family.domain, tail=1.0, open_below=True, tolerance=family.tolerance,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("sigma", [0.3, 1.0, 4.0])
def test_path_agrees_with_a_solve_at_each_level(seed, sigma):
    X, new = points(seed), points(seed + 100)
    path = OneClassPath(sigma).fit(X)
    top = path.breakpoints_[0]
    for level in np.random.default_rng(seed).uniform(0, 1.2 * top, 12):
        single = OneClassSVM(sigma, lam=level, tol=TIGHT).fit(X)
        np.testing.assert_allclose(
            path.family_.values(new, level), single.decision_function(new), atol=1e-6 * top
        )
        alpha = path.coefficients([level])
        K = GaussianKernel(sigma).gram(X, X)
        objective = (alpha @ K @ alpha.T).item() / (2 * level) - alpha.sum()
        assert objective == pytest.approx(single.objective_, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_a_path_without_a_table_is_the_path_with_one(seed):
    X = points(seed, n=60)
    path = OneClassPath(0.7).fit(X)
    grid = Grid.around(X, resolution=25)
    table = dense(path)
    np.testing.assert_allclose(path.family_.field(grid), table.field(grid), atol=1e-12)
    np.testing.assert_array_equal(path.family_.violations(grid), table.violations(grid))
    np.testing.assert_allclose(path.family_.first_level(grid), table.first_level(grid), atol=1e-10)
    np.testing.assert_array_equal(path.family_.intervals(grid).counts, table.intervals(grid).counts)


def test_union_of_the_path_is_exact_and_nested():
    X = points(4, n=50)
    family = OneClassPath(0.5).fit(X).family_
    grid = Grid.around(X, resolution=20)
    assert family.violations(grid).any()
    union = family.union()
    assert not union.violations(grid).any()
    levels = np.linspace(1e-6, family.levels[-1] * 1.05, 400)
    inside = family.values(grid, levels) > 0
    ever_above = np.logical_or.accumulate(inside[::-1], axis=0)[::-1]
    clear = np.abs(union.first_level(grid)[None] - levels[:, None]) > np.diff(levels)[0]
    got = union.first_level(grid)[None] > levels[:, None]
    np.testing.assert_array_equal(got[clear], ever_above[clear])


@pytest.mark.parametrize("nu", [0.1, 0.3, 0.7])
@pytest.mark.parametrize("seed", range(2))
def test_nu_names_the_same_set_as_libsvm(nu, seed):
    """Proposition 1 of the 2007 paper: C = 1/(ν n ρ)."""
    X, new = points(seed, n=80), points(seed + 50, n=80)
    path = OneClassPath(1.0, nu=nu).fit(X)
    assert path.nu_of_level(path.level_) == pytest.approx(nu)
    peer = LibsvmOneClass(nu=nu, gamma=0.5, tol=1e-10).fit(X)
    # ρ_ν = λ/ν in units where the coefficients sum to one; libsvm's sum to νn
    scaled = peer.decision_function(new) / len(X)
    np.testing.assert_allclose(path.decision_function(new), scaled, atol=1e-7)
    rho = path.level_ / nu
    assert path.cost_of_level(path.level_) == pytest.approx(1 / (nu * len(X) * rho))


def test_the_table_of_a_path_is_built_when_asked_for():
    path = OneClassPath(0.8).fit(np.repeat(points(1, n=12), 2, axis=0))
    assert path.alpha_.shape == (path.breakpoints_.size, 24)
    np.testing.assert_allclose(path.alpha_[0], 1 / 24)
    np.testing.assert_allclose(path.alpha_[-1], 0)


def test_events_tell_the_changes_at_each_breakpoint():
    X = points(1, n=30)
    path = OneClassPath(0.8).fit(X)
    for event in path.events_[:40]:
        j = int(event["breakpoint"])
        if j == 0 or j + 1 >= path.breakpoints_.size:
            continue
        before = 0.5 * (path.breakpoints_[j - 1] + path.breakpoints_[j])
        after = 0.5 * (path.breakpoints_[j] + path.breakpoints_[j + 1])
        sets = path.path_.sets([before, after])
        point = int(event["point"])
        assert sets[0, point] == event["from_set"]
        assert sets[1, point] == event["to_set"]
    assert path.path_residual_.max() <= 1e-7


@given(st.integers(0, 10_000), st.floats(0.2, 3.0), st.integers(1, 9))
@settings(max_examples=60)
def test_nested_sets_nest_at_random_levels_and_points(seed, sigma, M):
    """Proposition 2, between breakpoints and beyond them too, from the raw field."""
    rng = np.random.default_rng(seed)
    X = points(seed, n=int(rng.integers(2, 25)))
    family = NestedOneClassSVM(sigma, levels=M).fit(X).family_
    assert family.is_nested
    new = rng.normal(scale=3.0, size=(40, 2))
    levels = np.sort(rng.uniform(0, 1.3 * family.levels[-1], 12)) + 1e-9
    inside = family.values(new, levels) > 1e-12
    clearly_out = family.values(new, levels) < -1e-12
    for low, high in zip(range(11), range(1, 12), strict=True):
        assert not np.any(inside[high] & clearly_out[low])


@pytest.mark.parametrize("seed", range(3))
def test_nested_constraints_hold_to_the_last_bit(seed):
    X = np.repeat(points(seed, n=20), 2, axis=0)
    nested = NestedOneClassSVM(0.7, levels=7).fit(X)
    ratios = nested.alpha_ / nested.levels_[:, None]
    assert np.all(np.diff(ratios, axis=0) >= 0)
    assert np.all(nested.alpha_ >= 0)
    assert np.all(nested.alpha_ <= 1 / len(X))
    assert nested.duality_gap_ <= 1e-6


def test_one_level_nested_is_the_plain_svm():
    X = points(7)
    nested = NestedOneClassSVM(0.8, levels=[0.1], tol=TIGHT).fit(X)
    plain = OneClassSVM(0.8, lam=0.1, tol=TIGHT).fit(X)
    np.testing.assert_allclose(nested.alpha_, plain.alpha_, atol=1e-9)


def test_levels_in_any_order_and_repeated():
    X = points(8)
    ordered = NestedOneClassSVM(0.8, levels=[0.3, 0.1, 0.02], tol=TIGHT).fit(X)
    mixed = NestedOneClassSVM(0.8, levels=[0.1, 0.3, 0.02, 0.1], tol=TIGHT).fit(X)
    np.testing.assert_array_equal(ordered.levels_, mixed.levels_)
    np.testing.assert_allclose(ordered.alpha_, mixed.alpha_, atol=1e-12)


ALL = [
    lambda **o: OneClassSVM(1.0, lam=0.2, tol=TIGHT, **o),
    lambda **o: NestedOneClassSVM(1.0, levels=5, tol=TIGHT, **o),
    lambda **o: OneClassPath(1.0, **o),
]
NAMES = ["single", "nested", "path"]


@pytest.mark.parametrize("make", ALL, ids=NAMES)
def test_a_repeated_point_is_a_weighted_point(make):
    X, new = points(2, n=20), points(3, n=15)
    weights = np.random.default_rng(0).integers(0, 4, 20)
    repeated = make().fit(np.repeat(X, weights, axis=0))
    weighted = make().fit(X, sample_weight=weights)
    levels = [0.05, 0.2, 0.4] if repeated.family_.levels.size > 1 else [0.2]
    for level in levels:
        np.testing.assert_allclose(
            repeated.family_.values(new, level), weighted.family_.values(new, level), atol=1e-8
        )


@pytest.mark.parametrize("make", ALL, ids=NAMES)
def test_a_precomputed_kernel_is_the_kernel(make):
    X, new = points(5), points(6)
    kernel = GaussianKernel(1.0)
    named = make().fit(X)
    given = make(kernel="precomputed").fit(kernel.gram(X, X))
    np.testing.assert_allclose(
        given.decision_function(kernel.gram(new, X)), named.decision_function(new), atol=1e-8
    )


@pytest.mark.parametrize("make", ALL, ids=NAMES)
def test_a_precomputed_kernel_takes_weights_of_zero(make):
    X, weights = points(5, n=20), np.tile([1.0, 0.0], 10)
    kernel = GaussianKernel(1.0)
    given = make(kernel="precomputed").fit(kernel.gram(X, X), sample_weight=weights)
    fewer = make().fit(X[weights > 0])
    np.testing.assert_allclose(
        given.decision_function(kernel.gram(X, X)), fewer.decision_function(X), atol=1e-8
    )


@pytest.mark.parametrize("make", ALL, ids=NAMES)
def test_permuted_rows_give_the_same_sets(make):
    X, new = points(9), points(10)
    order = np.random.default_rng(1).permutation(len(X))
    np.testing.assert_allclose(
        make().fit(X).decision_function(new), make().fit(X[order]).decision_function(new), atol=1e-8
    )


@pytest.mark.parametrize("make", ALL, ids=NAMES)
@pytest.mark.parametrize(
    "X",
    [
        np.zeros((1, 2)),
        np.ones((6, 2)),
        np.arange(12.0).reshape(6, 2) * 1e4,
        np.arange(12.0).reshape(6, 2) * 1e-6,
        np.arange(12.0).reshape(6, 2) * 1e-150,
    ],
    ids=["one point", "all equal", "K = I", "K nearly ones", "tiny scale"],
)
def test_degenerate_data_give_finite_sets(make, X):
    fitted = make().fit(X)
    assert np.isfinite(fitted.decision_function(X)).all()
    first = fitted.family_.first_level(X)
    assert not np.isnan(first).any()
    assert fitted.duality_gap_ <= 1e-6


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_features_of_any_scale(scale):
    X = points(11)
    plain = NestedOneClassSVM("median", tol=TIGHT).fit(X)
    scaled = NestedOneClassSVM("median", tol=TIGHT).fit(X * scale)
    np.testing.assert_allclose(scaled.family_.field(X * scale), plain.family_.field(X), atol=1e-6)


def test_titanic_path_has_ties_and_finishes():
    data = make_sample("bench-titanic", n=300)
    path = OneClassPath("median").fit(data.X)
    assert path.converged_
    assert path.path_residual_.max() <= 1e-7
    for level in np.random.default_rng(0).uniform(0, path.breakpoints_[0], 8):
        single = OneClassSVM(path.sigma_, lam=level, tol=TIGHT).fit(data.X)
        np.testing.assert_allclose(
            path.family_.values(data.X, level), single.decision_function(data.X), atol=1e-7
        )


def test_a_kernel_that_can_be_negative_is_refused():
    X = points(12)
    with pytest.raises(ValueError, match="never negative"):
        NestedOneClassSVM(kernel="polynomial", degree=3).fit(X)
    with pytest.raises(ValueError, match="never negative"):
        NestedOneClassSVM(kernel="precomputed").fit(X @ X.T)
    assert NestedOneClassSVM(kernel="polynomial", degree=2).fit(X).family_.is_nested


@pytest.mark.parametrize("make", [ALL[1], ALL[2]], ids=NAMES[1:])
def test_a_callback_stops_with_a_feasible_result_and_a_warning(make):
    X = points(13, n=400)
    with pytest.warns(ConvergenceWarning, match="stopped before it converged"):
        stopped = make().fit(X, callback=lambda progress: True)
    assert not stopped.converged_
    assert np.isfinite(stopped.decision_function(X)).all()


def test_a_converged_fit_does_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        NestedOneClassSVM(1.0).fit(points(14))


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (OneClassSVM(lam=0.0), "lam must be"),
        (NestedOneClassSVM(levels=0), "at least 1"),
        (NestedOneClassSVM(levels=[0.1, -1.0]), "positive numbers"),
        (OneClassPath(nu=1.5), "nu must be"),
        (OneClassPath(kernel="cubic"), "kernel must be"),
        (OneClassSVM(kernel="polynomial", degree=0), "degree must be"),
    ],
)
def test_bad_parameters_get_a_sentence(estimator, message):
    with pytest.raises(ValueError, match=message):
        estimator.fit(points(0))
