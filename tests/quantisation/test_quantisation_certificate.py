"""The certificate of centres: bounds on the optimum of all points, never on the wrong side."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.base import clone

from nestviz import (
    CostSensitivePath,
    CostSensitiveSVM,
    Dataset,
    GaussianKernel,
    NestedCostSensitiveSVM,
    NestedOneClassSVM,
    OneClassPath,
    OneClassSVM,
    Quantised,
    make_sample,
)
from nestviz.kernels import median_distance
from nestviz.quantisation.spread import series
from nestviz.solvers.columns import StoredMatrix
from nestviz.solvers.nested.problems import OneClassProblem
from nestviz.solvers.nested.solve import solve_at

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def optimum(model, data, weights=None):
    """The optimum of the problem of all points that a model was certified for."""
    inner = clone(model.estimator_)
    if isinstance(inner, NestedOneClassSVM):
        inner.set_params(levels=model.estimator_.levels_, tol=1e-10)
        return -inner.fit(data.X, sample_weight=weights).objective_
    if isinstance(inner, NestedCostSensitiveSVM):
        return -inner.set_params(tol=1e-10).fit(data.X, data.y, sample_weight=weights).objective_
    if isinstance(inner, OneClassPath):
        top = model.estimator_.breakpoints_[0]
        levels = np.linspace(top, 1e-6 * top, 11)
        single = [OneClassSVM(model.sigma_, lam, tol=1e-10) for lam in levels]
        return -sum(one.fit(data.X, sample_weight=weights).objective_ for one in single)
    if isinstance(inner, CostSensitivePath):
        gammas = np.linspace(0.0, 1.0, 11)
        lam = inner.lam
        single = [CostSensitiveSVM(model.sigma_, lam, gamma, tol=1e-10) for gamma in gammas]
        return -sum(one.fit(data.X, data.y, sample_weight=weights).objective_ for one in single)
    given = (data.X, data.y) if isinstance(inner, CostSensitiveSVM) else (data.X,)
    return -inner.set_params(tol=1e-10).fit(*given, sample_weight=weights).objective_


ESTIMATORS = [
    NestedOneClassSVM(0.4),
    NestedOneClassSVM(0.4, levels=[0.2, 0.05, 0.01]),
    OneClassSVM(0.4, 0.05),
    OneClassPath(0.4),
    NestedCostSensitiveSVM(0.5, 20.0),
    CostSensitiveSVM(0.5, 20.0, 0.3),
    CostSensitivePath(0.5, 20.0),
]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize(("name", "count"), [("banana", 40), ("banana", 160), ("moons", 90)])
def test_the_optimum_lies_between_the_bounds(estimator, name, count):
    data = make_sample(name, n=500, random_state=3)
    model = Quantised(estimator, count, random_state=0).fit(data.X, data.y)
    best, found = optimum(model, data), model.certificate_
    slack = 1e-8 * abs(best)
    assert found.dual <= best + slack
    assert found.primal >= best - slack
    assert found.gap >= (found.primal - best) / best - 1e-8
    assert found.n_points == 500
    assert found.n_centres <= count + 1


def two_normals(dimensions):
    rng = np.random.default_rng(dimensions)
    X = np.vstack([rng.normal(size=(750, dimensions)), rng.normal(2.0, 0.5, (750, dimensions))])
    return Dataset(X, np.repeat([1, -1], 750))


SAMPLES = {
    **{name: make_sample(name, n=2000, random_state=1) for name in ("banana", "multi", "ring")},
    "line": two_normals(1),
    "four dimensions": two_normals(4),
}


ONE_CLASS, TWO_CLASSES = [NestedOneClassSVM, OneClassPath], [NestedCostSensitiveSVM]
USEFUL = [
    *product(["banana", "multi", "ring"], [0.2, 1.0], ONE_CLASS),
    *product(["four dimensions"], [0.5, 1.0], ONE_CLASS),
    *product(["line"], [0.2, 1.0], [NestedOneClassSVM]),
    *product(["banana", "line", "four dimensions"], [0.5, 1.0], TWO_CLASSES),
]


@pytest.mark.parametrize(("name", "share", "kind"), USEFUL)
def test_the_certificate_is_useful(name, share, kind):
    """Within four times the truth. With the coefficients of whole cells it was up to 44 times."""
    data = SAMPLES[name]
    width = share * median_distance(data.X)
    estimator = kind(width, 10.0) if kind in TWO_CLASSES else kind(width)
    model = Quantised(estimator, 200, tol=1.0, random_state=0).fit(data.X, data.y)
    found = model.certificate_
    true = (found.primal - optimum(model, data)) / found.dual
    assert true > 0
    assert found.gap <= 4.0 * true


@pytest.mark.parametrize(
    ("name", "estimator", "count"),
    [("banana", OneClassSVM(lam=0.3), 250), ("banana", CostSensitiveSVM(lam=10.0), 250),
     ("four dimensions", OneClassSVM(lam=0.3), 800),
     ("four dimensions", NestedCostSensitiveSVM(lam=10.0), 1200)],
)  # fmt: skip
def test_the_certificate_of_a_narrow_kernel_is_useful(name, estimator, count):
    """Few boundaries pass through cells, and the norm was most of the gap: up to 40 times."""
    data = SAMPLES[name]
    estimator.set_params(sigma=0.1 * median_distance(data.X))
    model = Quantised(estimator, count, tol=1.0, random_state=0).fit(data.X, data.y)
    found = model.certificate_
    assert found.gap <= 10.0 * (found.primal - optimum(model, data)) / found.dual


def test_auto_reaches_its_tolerance_with_a_useful_certificate():
    data = SAMPLES["ring"]
    model = Quantised(NestedOneClassSVM("auto"), random_state=0).fit(data.X)
    found = model.certificate_
    true = (found.primal - optimum(model, data)) / found.dual
    assert model.converged_
    assert true < found.gap <= min(0.01, 4.0 * true)


def test_inserted_levels_have_their_weights_in_both_bounds():
    X = make_sample("banana", n=400, random_state=3).X
    model = Quantised(NestedOneClassSVM(0.5, levels="adaptive"), 60, random_state=0).fit(X)
    levels, found = model.estimator_.levels_, model.certificate_
    columns = StoredMatrix(GaussianKernel(0.5).gram(X, X))
    whole = OneClassProblem(columns, np.full(400, 1 / 400), weighted=True)
    best = -solve_at(whole, levels, 1e-10, 1000).certificate.objective
    assert found.dual <= best + 1e-9 <= found.primal + 2e-9
    assert found.gap <= 4.0 * (found.primal - best) / best


@pytest.mark.parametrize("seed", range(4))
def test_weights_and_far_points_keep_the_bounds(seed):
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(size=(300, 2)), rng.normal(size=(6, 2)) * 40.0])
    weights = rng.exponential(size=len(X))
    # Far points that no centre is near to: centres are chosen from dense regions by herding.
    model = Quantised(NestedOneClassSVM(0.8), 60, method="herding", random_state=seed)
    model.fit(X, sample_weight=weights)
    best = optimum(model, type("Data", (), {"X": X, "y": None}), weights)
    assert model.certificate_.far_share > 0
    assert model.certificate_.dual <= best + 1e-8
    assert model.certificate_.primal >= best - 1e-8


@pytest.mark.parametrize("scale", [1e-300, 1e-170, 1e200])
def test_the_scale_of_weights_does_not_matter(scale):
    """Squares of such weights are zero or infinite, and the bound on the dual was wrong."""
    X = make_sample("banana", n=400, random_state=0).X
    plain = Quantised(NestedOneClassSVM(0.4), 40, random_state=0).fit(X).certificate_
    scaled = Quantised(NestedOneClassSVM(0.4), 40, random_state=0)
    found = scaled.fit(X, sample_weight=np.full(400, scale)).certificate_
    assert found.primal == pytest.approx(plain.primal, rel=1e-9)
    assert found.dual == pytest.approx(plain.dual, rel=1e-9)


@pytest.mark.parametrize("kind", [NestedOneClassSVM, OneClassPath, NestedCostSensitiveSVM])
def test_cells_without_weight_keep_the_bounds(kind):
    """Their means were 0 / 0 where cells are divided."""
    data = make_sample("banana", n=300, random_state=0)
    weights = np.where(data.X[:, 0] > 1.0, 0.0, 1.0)
    estimator = kind(0.4, 5.0) if kind in TWO_CLASSES else kind(0.4)
    model = Quantised(estimator, 40, random_state=0).fit(data.X, data.y, sample_weight=weights)
    best, found = optimum(model, data, weights), model.certificate_
    assert (model.weights_ == 0).any()
    assert found.dual <= best + 1e-9 <= found.primal + 2e-9
    assert found.gap < 0.5


def test_a_coarse_certificate_is_finite():
    """A share of the coefficients is feasible, too, so that the dual bound is above zero."""
    data = make_sample("banana", n=300, random_state=0)
    model = Quantised(CostSensitiveSVM(0.2, 1.0, 0.3), 30, random_state=0).fit(data.X, data.y)
    assert 0 < model.certificate_.dual < optimum(model, data)
    assert np.isfinite(model.duality_gap_)


def primal_by_linear_program(model, X):
    """The least primal value of the vectors of a solution: the slacks by a general solver."""
    N, levels, alpha = len(X), model.estimator_.levels_, model.estimator_.alpha_
    K = GaussianKernel(model.sigma_).gram(model.centres_, X)
    own = GaussianKernel(model.sigma_).gram(model.centres_, model.centres_)
    field = (alpha / levels[:, None]) @ K
    value = 0.5 * np.einsum("mi,ij,mj->", alpha / levels[:, None], own, alpha)
    # Eq. 23: Σ_{k ≥ m} λ_k ξ_k ≥ Σ_{k ≥ m} λ_k (1 − f_k) for all m, each divided by λ_m.
    cover = np.triu(levels[None, :] / levels[:, None])
    for i in range(N):
        need = cover @ (1.0 - field[:, i])
        cost = np.full(len(levels), 1.0 / N)
        value += linprog(cost, A_ub=-cover, b_ub=-need, bounds=(0, None)).fun
    return value


def test_the_primal_value_is_that_of_a_linear_program():
    X = make_sample("banana", n=60, random_state=0).X
    model = Quantised(NestedOneClassSVM(0.5, levels=5), 20, random_state=0).fit(X)
    assert model.certificate_.primal == pytest.approx(primal_by_linear_program(model, X), rel=1e-7)


@pytest.mark.parametrize("d", [1, 2, 3, 5, 12])
@pytest.mark.parametrize("spread", [0.05, 0.3, 0.8])
def test_moments_bound_the_norm_of_a_kernel_mean(d, spread):
    rng = np.random.default_rng(d)
    delta = rng.normal(size=(80, d)) * spread / np.sqrt(d)
    weights = rng.exponential(size=80)
    terms, cell = series(d), np.zeros(80, dtype=np.int64)
    moments = terms.moments(delta, weights, cell, 1)
    distance = np.sqrt((delta**2).sum(axis=1))
    rest = np.array([(weights * distance ** (terms.order + 1)).sum()])
    bound = terms.bound(moments, rest, np.array([weights.sum()]))[0]
    exact = weights @ GaussianKernel(1.0).gram(delta, delta) @ weights
    assert exact <= bound * (1 + 1e-12)
    if spread < 0.1:
        assert bound <= exact * (1 + 1e-3)


def test_sets_of_centres_are_nested():
    X = make_sample("ring", n=3000, random_state=0).X
    model = Quantised(NestedOneClassSVM("auto"), 200, random_state=0).fit(X)
    assert model.family_.is_nested
    assert not model.family_.violations(X).any()


def test_few_points_are_their_own_centres():
    X = make_sample("banana", n=120, random_state=0).X
    model, plain = Quantised(random_state=0).fit(X), NestedOneClassSVM().fit(X)
    assert len(model.centres_) == 120
    np.testing.assert_allclose(model.decision_function(X), plain.decision_function(X), atol=1e-6)
    assert model.duality_gap_ < 1e-5
