"""One-class SVMs that know something of the other class: problems 8.10 and 8.11."""

import numpy as np
import pytest
from qpsolvers import solve_qp

from nestviz.estimators import CentredOneClassSVM, NuOneClassSVM, ReflectedOneClassSVM
from nestviz.kernels import GaussianKernel, PolynomialKernel


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


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("nu", [0.1, 0.4])
def test_known_outliers_are_reflected(seed, nu):
    """(8.42)–(8.46) against a general solver."""
    X, Z, new = points(seed, n=30), points(seed + 20, n=8), points(seed + 40, n=25)
    model = ReflectedOneClassSVM(0.9, nu, tol=1e-11).fit(X, outliers=Z)
    both, y = np.concatenate([X, Z]), np.repeat([1.0, -1.0], [30, 8])
    kernel = GaussianKernel(0.9)
    K, alpha = kernel.gram(both, both), model.alpha_[0]
    assert model.objective_ == pytest.approx(reference(K * y[:, None] * y, nu), rel=1e-7)
    np.testing.assert_allclose(
        model.score_samples(new), (alpha * y) @ kernel.gram(both, new), atol=1e-10
    )
    margin = (alpha > 1e-9) & (alpha < (1 - 1e-9) / (nu * 38))
    np.testing.assert_allclose(
        (y * ((alpha * y) @ K))[margin], model.rho_, atol=1e-6 * max(abs(model.rho_), 1e-3)
    )


def test_a_known_outlier_takes_its_place_out_of_the_set():
    X = points(1, n=60)
    place = X[:1] + 0.01
    before = ReflectedOneClassSVM(0.5, 0.3).fit(X)
    after = ReflectedOneClassSVM(0.5, 0.3).fit(X, outliers=np.repeat(place, 15, axis=0))
    assert before.decision_function(place)[0] > after.decision_function(place)[0]
    assert after.predict(place)[0] == -1


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kernel", ["gaussian", "polynomial"])
def test_separation_from_the_mean_of_other_points(seed, kernel):
    """(8.47)–(8.51) against a general solver."""
    X, Z, new = points(seed, n=30), points(seed + 20, n=8), points(seed + 40, n=25)
    model = CentredOneClassSVM(0.9, 0.3, kernel=kernel, tol=1e-11).fit(X, others=Z)
    k = GaussianKernel(0.9) if kernel == "gaussian" else PolynomialKernel(2)
    q, means = k.gram(Z, Z).mean(), k.gram(X, Z).mean(axis=1)
    Q = k.gram(X, X) + q - means[:, None] - means
    assert model.objective_ == pytest.approx(reference(Q, 0.3), rel=1e-7)
    alpha = model.alpha_[0]
    # ⟨w, Φ(x) − mean Φ(z)⟩ with w = Σ α_i (Φ(x_i) − mean Φ(z))
    along = alpha @ (k.gram(X, new) + q - means[:, None]) - k.gram(Z, new).mean(axis=0)
    np.testing.assert_allclose(model.score_samples(new), along, rtol=1e-9, atol=1e-8)
    field = Q @ alpha
    margin = (alpha > 1e-9) & (alpha < (1 - 1e-9) / (0.3 * 30))
    np.testing.assert_allclose(field[margin], model.rho_, rtol=1e-6)


@pytest.mark.parametrize("nu", [0.1, 0.6])
def test_from_its_own_mean_a_data_set_cannot_be_separated(nu):
    """α = 1/m satisfies (8.50) and (8.51) at every ν, and leaves nothing of w."""
    X = points(2, n=50)
    model = CentredOneClassSVM(0.8, nu).fit(X, others=X)
    assert model.converged_
    assert model.objective_ == pytest.approx(0.0, abs=1e-9)
    assert model.rho_ == pytest.approx(0.0, abs=1e-4)


@pytest.mark.parametrize("make", [ReflectedOneClassSVM, CentredOneClassSVM])
def test_without_other_points_the_variants_are_the_plain_svm(make):
    X = points(3)
    plain, variant = NuOneClassSVM(0.8, 0.2).fit(X), make(0.8, 0.2).fit(X)
    np.testing.assert_array_equal(variant.alpha_, plain.alpha_)
    assert variant.level_ == plain.level_
