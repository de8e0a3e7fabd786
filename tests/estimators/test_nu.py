"""Chapter 8 through its estimators: against libsvm, the path, each other, and a general solver."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qpsolvers import solve_qp
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import OneClassSVM as LibsvmOneClass

from nestviz.estimators import (
    CentredOneClassSVM,
    NuOneClassSVM,
    OneClassPath,
    OneClassSVM,
    ParzenLevelSets,
    ReflectedOneClassSVM,
    SoftBall,
    nu_family,
)
from nestviz.estimators import nu_problem as nu_problem_module
from nestviz.grids import Grid
from nestviz.kernels import GaussianKernel, PolynomialKernel

TIGHT = 1e-12


def points(seed, n=40, d=2):
    rng = np.random.default_rng(seed)
    centres = rng.normal(scale=2.0, size=(3, d))
    return centres[rng.integers(0, 3, n)] + rng.normal(scale=0.6, size=(n, d))


def reference(Q, nu, linear=None):
    """The dual posed to a general solver; its value as ½ αᵀQα − qᵀα."""
    n = len(Q)
    q = np.zeros(n) if linear is None else linear
    alpha = solve_qp(
        Q, -q, A=np.ones((1, n)), b=np.ones(1), lb=np.zeros(n), ub=np.full(n, 1 / (nu * n)),
        solver="piqp", eps_abs=1e-11, eps_rel=1e-11,
    )  # fmt: skip
    return float(0.5 * alpha @ Q @ alpha - q @ alpha)


@pytest.mark.parametrize("nu", [0.05, 0.3, 0.7, 0.93])
@pytest.mark.parametrize("seed", range(3))
def test_the_set_and_the_objective_are_those_of_libsvm(nu, seed):
    X, new = points(seed, n=80), points(seed + 50, n=80)
    ours = NuOneClassSVM(1.0, nu, tol=TIGHT).fit(X)
    peer = LibsvmOneClass(nu=nu, gamma=0.5, tol=1e-10).fit(X)
    # Coefficients of libsvm add up to νm. That is 4, 24, 56 and 74.4 here: where it is a whole
    # number ρ may be any of an interval, unless there are margin points, as there are here.
    unit = nu * len(X)
    np.testing.assert_allclose(ours.score_samples(new), peer.score_samples(new) / unit, atol=1e-7)
    assert ours.rho_ == pytest.approx(peer.offset_[0] / unit, abs=1e-7)
    alpha = np.zeros(80)
    alpha[peer.support_] = peer.dual_coef_.ravel() / unit
    K = GaussianKernel(1.0).gram(X, X)
    assert ours.objective_ == pytest.approx(0.5 * alpha @ K @ alpha, rel=1e-7)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("sigma", [0.3, 1.0, 4.0])
def test_the_set_is_that_of_the_path_at_its_level(seed, sigma):
    """C = 1/(νnρ): with C = 1/(nλ), λ = νρ and α(λ) = ν α."""
    X, new = points(seed), points(seed + 100)
    path = OneClassPath(sigma).fit(X)
    family = nu_family(path)
    for nu in np.random.default_rng(seed).uniform(0.02, 1.0, 8):
        model = NuOneClassSVM(sigma, nu, tol=TIGHT).fit(X)
        level = path.level_of_nu(nu)
        field = nu * model.family_.values(new, model.rho_)
        if model.rho_ * nu == pytest.approx(level, rel=1e-6):
            np.testing.assert_allclose(path.family_.values(new, level), field, atol=1e-7)
            np.testing.assert_allclose(family.values(new, nu), field, atol=1e-7)
        # Without margin points ρ is one of an interval; the coefficients agree all the same.
        np.testing.assert_allclose(path.coefficients([level])[0], nu * model.alpha_[0], atol=1e-7)
        n = len(X)
        assert path.cost_of_level(nu * model.rho_) == pytest.approx(1 / (nu * n * model.rho_))


def test_the_family_over_nu_is_a_family():
    X = points(3, n=60)
    family = nu_family(OneClassPath(0.6).fit(X))
    grid = Grid.around(X, resolution=20)
    assert family.domain == (0.0, 1.0)
    nus = np.linspace(0.02, 1.0, 50)
    inside = family.values(grid, nus) > 0
    counts = inside.sum(axis=1)
    assert counts[0] > counts[25] > counts[-1] == 0
    first = family.first_level(grid)
    assert not np.isnan(first).any()
    np.testing.assert_array_equal(np.isneginf(first[inside[10]]), False)


@given(st.integers(0, 10_000), st.floats(0.05, 1.0), st.floats(0.2, 4.0))
@settings(max_examples=30)
def test_the_soft_ball_is_the_half_space_for_translation_invariant_kernels(seed, nu, sigma):
    X, new = points(seed, n=30), points(seed + 1, n=20)
    plane = NuOneClassSVM(sigma, nu, tol=TIGHT).fit(X)
    ball = SoftBall(sigma, nu, tol=TIGHT).fit(X)
    np.testing.assert_allclose(ball.alpha_, plane.alpha_, atol=1e-6)
    # 1 − 2 f + ‖c‖² ≤ R² is f ≥ ρ, with R² = 1 + ‖c‖² − 2ρ.
    np.testing.assert_allclose(
        ball.family_.values(new, ball.radius_**2), 2 * plane.family_.values(new, plane.rho_),
        atol=1e-7,
    )  # fmt: skip
    assert ball.radius_**2 == pytest.approx(1 + 2 * plane.objective_ - 2 * plane.rho_, abs=1e-7)
    assert ball.objective_ == pytest.approx(2 * plane.objective_ - 1, abs=1e-9)


@pytest.mark.parametrize("degree", [1, 2, 3])
@pytest.mark.parametrize("nu", [0.1, 0.4, 0.8])
def test_the_soft_ball_of_a_polynomial_kernel(degree, nu):
    X, new = points(degree, n=35), points(9, n=25)
    ball = SoftBall(nu=nu, kernel="polynomial", degree=degree, tol=1e-10).fit(X)
    kernel = PolynomialKernel(degree)
    K = kernel.gram(X, X)
    own, alpha = K.diagonal(), ball.alpha_[0]
    assert ball.objective_ == pytest.approx(2 * reference(K, nu, 0.5 * own), rel=1e-7)
    assert ball.objective_ == pytest.approx(alpha @ K @ alpha - alpha @ own, rel=1e-9)
    squared = kernel.diagonal(new) - 2 * alpha @ kernel.gram(X, new) + alpha @ K @ alpha
    np.testing.assert_allclose(ball.score_samples(new), -squared, rtol=1e-9, atol=1e-8)
    grid = Grid.around(X, resolution=10)
    np.testing.assert_allclose(
        ball.family_.field(grid), ball.family_.field(grid.points()), rtol=1e-9, atol=1e-7
    )
    assert ball.family_.is_nested
    assert not ball.family_.violations(grid).any()


def test_a_ball_in_the_plane_can_be_seen():
    """Degree one is the plane itself: the smallest circle around a square, hard margin."""
    square = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0], [1.0, 1.2]])
    ball = SoftBall(nu=0.1, kernel="polynomial", degree=1, tol=TIGHT).fit(square)
    assert ball.radius_ == pytest.approx(2**0.5)
    np.testing.assert_allclose(ball.alpha_[0] @ square, [1.0, 1.0], atol=1e-9)
    np.testing.assert_array_equal(ball.predict([[1.0, 2.4], [1.0, 2.5]]), [1, -1])


def test_at_nu_one_the_family_is_that_of_parzen_windows():
    X, new = points(0, n=60), points(1, n=40)
    model, parzen = NuOneClassSVM(0.7, nu=1.0).fit(X), ParzenLevelSets(0.7).fit(X)
    levels = np.linspace(0.001, 0.3, 20)
    np.testing.assert_allclose(
        model.family_.values(new, levels), parzen.family_.values(new, levels), atol=1e-12
    )
    np.testing.assert_allclose(model.family_.first_level(new), parzen.family_.first_level(new))
    # The offset that the algorithm returns leaves all points outside, or the densest on the edge.
    assert (model.predict(X) == 1).sum() == 1


@pytest.mark.parametrize("nu", [0.1, 0.2, 0.4, 1.0])
@pytest.mark.parametrize("make", [NuOneClassSVM, SoftBall])
def test_the_offset_moved_to_a_fraction_leaves_that_fraction_outside(make, nu):
    X = points(2, n=200)
    for fraction in (0.0, 0.1, 0.33, 0.5):
        model = make(0.8, nu, outlier_fraction=fraction, tol=TIGHT).fit(X)
        outside = (model.predict(X) < 0).mean()
        assert outside <= fraction + 1e-12
        scores = model.score_samples(X)
        at_margin = np.abs(scores - model.rho_) <= 2 * model.tolerance_
        missing = fraction - outside
        # Only points that lie on one level set together can keep the fraction from being met.
        assert missing < 1 / 200 + 1e-12 or missing <= at_margin.mean()


def test_the_family_in_between_is_nested_and_uses_about_nu_of_the_kernels():
    X = points(5, n=200)
    grid = Grid.around(X, resolution=25)
    used = []
    for nu in (0.1, 0.2, 0.4, 1.0):
        model = NuOneClassSVM(0.8, nu, outlier_fraction=0.1).fit(X)
        assert model.family_.is_nested
        raw = model.family_.values(grid, np.linspace(0.01, 0.4, 9)) > 0
        assert np.all(raw[1:] <= raw[:-1])
        used.append(len(model.support_) / 200)
    assert used == sorted(used)
    assert used[-1] == 1.0
    assert used[0] < 0.3


@pytest.mark.parametrize("seed", range(5))
def test_margin_points_are_inside_by_the_tolerance_on_rho(seed):
    X = points(seed, n=60)
    for model in (NuOneClassSVM(0.8, 0.2, tol=1e-4).fit(X), SoftBall(0.8, 0.2, tol=1e-4).fit(X)):
        upper = 1 / (0.2 * 60)
        room = model.alpha_[0] < upper * (1 - 1e-12)
        assert np.all(model.decision_function(X)[room] >= 0)
        assert np.all(model.predict(X)[room] == 1)
        assert 0 < model.tolerance_ < 0.1 * abs(model.rho_)


ALL = {
    "half-space": lambda **o: NuOneClassSVM(1.0, 0.3, tol=TIGHT, **o),
    "ball": lambda **o: SoftBall(1.0, 0.3, tol=TIGHT, **o),
}


@pytest.mark.parametrize("make", ALL.values(), ids=ALL)
def test_a_repeated_point_is_a_weighted_point(make):
    X, new = points(2, n=20), points(3, n=15)
    weights = np.random.default_rng(0).integers(0, 4, 20)
    repeated = make().fit(np.repeat(X, weights, axis=0))
    weighted = make().fit(X, sample_weight=weights)
    np.testing.assert_allclose(
        repeated.decision_function(new), weighted.decision_function(new), atol=1e-8
    )
    np.testing.assert_allclose(repeated.alpha_.sum(), 1.0)
    assert repeated.alpha_.shape == (1, weights.sum())


@pytest.mark.parametrize("make", ALL.values(), ids=ALL)
def test_a_precomputed_kernel_is_the_kernel(make):
    X, new = points(5), points(6)
    kernel = GaussianKernel(1.0)
    given = make(kernel="precomputed").fit(kernel.gram(X, X))
    np.testing.assert_allclose(
        given.decision_function(kernel.gram(new, X)), make().fit(X).decision_function(new),
        atol=1e-8,
    )  # fmt: skip


@pytest.mark.parametrize("make", ALL.values(), ids=ALL)
def test_rows_on_demand_give_the_stored_answer(make, monkeypatch):
    X, new = points(7, n=120), points(8)
    stored = make().fit(X)
    monkeypatch.setattr(nu_problem_module, "STORED", 50)
    np.testing.assert_allclose(
        make().fit(X).decision_function(new), stored.decision_function(new), atol=1e-9
    )


@pytest.mark.parametrize("make", ALL.values(), ids=ALL)
@pytest.mark.parametrize(
    "X",
    [
        np.zeros((1, 2)),
        np.ones((6, 2)),
        np.arange(12.0).reshape(6, 2) * 1e4,
        np.arange(12.0).reshape(6, 2) * 1e-6,
    ],
    ids=["one point", "all equal", "K = I", "K nearly ones"],
)
def test_degenerate_data_give_finite_sets(make, X):
    fitted = make().fit(X)
    assert fitted.converged_
    assert np.isfinite(fitted.decision_function(X)).all()
    assert not np.isnan(fitted.family_.first_level(X)).any()
    assert (fitted.predict(X) == -1).mean() <= 0.3


@pytest.mark.parametrize(
    ("model", "data", "words"),
    [
        (NuOneClassSVM(nu=0.0), {}, "nu must be a finite number above 0"),
        (NuOneClassSVM(nu=1.2), {}, "at most 1"),
        (NuOneClassSVM(outlier_fraction=1.0), {}, "below 1"),
        (SoftBall(kernel="precomputed"), {"X": np.diag([1.0, 2.0])}, "constant diagonal"),
        (ReflectedOneClassSVM(), {"outliers": np.ones((2, 3))}, "have 3 features"),
        (
            CentredOneClassSVM(kernel="precomputed"),
            {"X": np.eye(3), "others": np.ones((2, 3))},
            "given by its name",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_words(model, data, words):
    with pytest.raises(ValueError, match=words):
        model.fit(**{"X": points(0), **data})


def test_a_solve_cut_short_is_said_to_be():
    with pytest.warns(ConvergenceWarning, match="ν one-class SVM stopped"):
        model = NuOneClassSVM(0.3, 0.05, max_iter=1, tol=1e-14).fit(points(0, n=1200))
    assert not model.converged_
    assert model.duality_gap_ > 1e-14


def test_one_level_of_the_lambda_form_is_the_nu_form():
    X, new = points(1), points(2)
    nu = NuOneClassSVM(0.8, 0.25, tol=TIGHT).fit(X)
    lam = OneClassSVM(0.8, lam=0.25 * nu.rho_, tol=TIGHT).fit(X)
    np.testing.assert_allclose(
        lam.decision_function(new), 0.25 * nu.family_.values(new, nu.rho_), atol=1e-7
    )
