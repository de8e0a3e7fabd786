"""What cannot be fitted is refused with a sentence: tolerances, kernel matrices, points, levels."""

import numpy as np
import pytest

import nestviz
from nestviz.solvers.box_sum.dual_svm import solve_dual_cost, solve_dual_nu
from nestviz.solvers.box_sum.nu_one_class import solve_nu_one_class
from nestviz.solvers.nested.solve import solve_cost_sensitive, solve_one_class
from nestviz.solvers.quantile.solve import solve_quantiles

X = np.random.default_rng(0).normal(size=(24, 2))
Y = np.where(np.arange(24) % 2, 1, -1)
GRAM = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(-1))
SMALL_SEARCH = {"sigmas": [0.5, 1.0], "nu_grid": 3, "cv": 2}

WITH_TOLERANCE = [
    nestviz.OneClassSVM(),
    nestviz.NestedOneClassSVM(),
    nestviz.CostSensitiveSVM(),
    nestviz.NestedCostSensitiveSVM(),
    nestviz.NuOneClassSVM(),
    nestviz.SoftBall(),
    nestviz.ReflectedOneClassSVM(),
    nestviz.CentredOneClassSVM(),
    nestviz.QuantileOneClassSVM(),
    nestviz.IndependentOneClassSVM(),
    nestviz.HierarchicalMVSets(),
    nestviz.DualCostSVM(),
    nestviz.DualNuSVM(),
    nestviz.NeymanPearsonClassifier(**SMALL_SEARCH),
    nestviz.MinimaxClassifier(**SMALL_SEARCH),
    nestviz.MinimumVolumeSet(**SMALL_SEARCH),
]
WITHOUT = [
    nestviz.OneClassPath(),
    nestviz.CostSensitivePath(),
    nestviz.MinimaxProbabilityMachine(),
    nestviz.ParzenLevelSets(),
]
ALL = WITH_TOLERANCE + WITHOUT
WITH_KERNEL = [estimator for estimator in ALL if "kernel" in estimator.get_params()]


def name(value):
    return type(value).__name__ if hasattr(value, "fit") else None


@pytest.mark.parametrize("tol", [0, 0.0, -1e-6, np.nan, np.inf, -np.inf, True, "small", None])
@pytest.mark.parametrize("estimator", WITH_TOLERANCE, ids=name)
def test_a_tolerance_is_a_positive_number(estimator, tol):
    kind = type(estimator)
    with pytest.raises(ValueError, match="tol must be"):
        kind(**{**estimator.get_params(), "tol": tol}).fit(X, Y)


@pytest.mark.parametrize("tol", [0.0, -1.0, np.nan])
def test_solvers_ask_for_a_positive_tolerance_too(tol):
    u, y, one = np.full(24, 1 / 24), Y.astype(float), np.ones(24)
    for solve in (
        lambda: solve_one_class(GRAM, u, np.array([0.1]), tol=tol),
        lambda: solve_cost_sensitive(GRAM, y, one, 1.0, np.array([0.5]), tol=tol),
        lambda: solve_nu_one_class(GRAM, 3 * u, tol=tol),
        lambda: solve_quantiles(GRAM, u, [0.5], tol=tol),
        lambda: solve_dual_cost(GRAM, y, one, 1.0, 0.5, tol=tol),
        lambda: solve_dual_nu(GRAM, y, one, 0.5, 0.5, tol=tol),
    ):
        with pytest.raises(ValueError, match="tol must be a positive number"):
            solve()


def spoiled():
    asymmetric, missing, endless = GRAM.copy(), GRAM.copy(), GRAM.copy()
    asymmetric[2, 5] += 0.1
    missing[3, 4] = np.nan
    endless[3, 4] = endless[4, 3] = np.inf
    distances = np.abs(X[:, :1] - X[:, 0])
    rotation = np.linalg.qr(np.random.default_rng(1).normal(size=(24, 24)))[0]
    values = np.linspace(0.5, 2.0, 24)
    values[0] = -0.05
    return {
        "zero": (np.zeros((24, 24)), "is zero"),
        "negative": (-GRAM, "negative entry"),
        "diagonal taken away": (GRAM - 0.5 * np.eye(24), "indefinite"),
        "distances": (distances, "indefinite"),
        "one negative eigenvalue": ((rotation * values) @ rotation.T, "eigenvalue -0.05"),
        "asymmetric": (asymmetric, "symmetric"),
        "missing value": (missing, "NaN|nan"),
        "infinite value": (endless, "infinity|inf"),
        "not square": (GRAM[:, :20], "square"),
    }


@pytest.mark.parametrize("case", list(spoiled()))
@pytest.mark.parametrize("estimator", WITH_KERNEL, ids=name)
def test_a_matrix_that_is_not_one_of_kernel_values(estimator, case):
    K, sentence = spoiled()[case]
    kind = type(estimator)
    with pytest.raises(ValueError, match=sentence):
        kind(**{**estimator.get_params(), "kernel": "precomputed"}).fit(K, Y)


@pytest.mark.parametrize("estimator", WITH_KERNEL, ids=name)
def test_a_matrix_with_rounding_errors_is_one(estimator):
    """A singular matrix with eigenvalues a rounding below zero."""
    twice = np.tile(GRAM, (2, 2)) + 1e-13 * np.random.default_rng(0).normal(size=(48, 48))
    kind = type(estimator)
    model = kind(**{**estimator.get_params(), "kernel": "precomputed"})
    model.fit(twice, np.tile(Y, 2))
    assert np.all(np.isfinite(model.decision_function(twice)))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("estimator", ALL, ids=name)
def test_points_are_finite(estimator, value):
    Z = X.copy()
    Z[3, 1] = value
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        estimator.fit(Z, Y)
    estimator.fit(X, Y)
    for answer in (estimator.predict, estimator.decision_function):
        with pytest.raises(ValueError, match=r"NaN|infinity"):
            answer(Z)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, -1.0])
@pytest.mark.parametrize(
    ("kind", "parameter", "many"),
    [
        (nestviz.OneClassSVM, "lam", False),
        (nestviz.NestedOneClassSVM, "levels", True),
        (nestviz.OneClassPath, "nu", False),
        (nestviz.CostSensitiveSVM, "lam", False),
        (nestviz.CostSensitiveSVM, "gamma", False),
        (nestviz.NestedCostSensitiveSVM, "asymmetries", True),
        (nestviz.NestedCostSensitiveSVM, "level", False),
        (nestviz.CostSensitivePath, "level", False),
        (nestviz.NuOneClassSVM, "nu", False),
        (nestviz.QuantileOneClassSVM, "quantiles", True),
        (nestviz.IndependentOneClassSVM, "level", False),
        (nestviz.DualCostSVM, "C", False),
        (nestviz.DualNuSVM, "nu_plus", False),
        (nestviz.ParzenLevelSets, "level", False),
        (nestviz.NeymanPearsonClassifier, "nu_grid", True),
        (nestviz.NeymanPearsonClassifier, "sigmas", True),
        (nestviz.MinimumVolumeSet, "n_reference", False),
        (nestviz.MinimumVolumeSet, "margin", False),
    ],
)
def test_levels_are_finite_and_in_their_range(kind, parameter, many, value):
    search = SMALL_SEARCH if hasattr(kind(), "sigmas") else {}
    with pytest.raises(ValueError, match=rf"{parameter}|reference point"):
        kind(**{**search, parameter: [0.5, value] if many else value}).fit(X, Y)


def test_polynomials_that_overflow_are_refused():
    Z = X.copy()
    Z[5] = 1e200
    for kind in (nestviz.OneClassSVM, nestviz.SoftBall, nestviz.CostSensitiveSVM):
        with pytest.raises(ValueError, match="Scale the features"):
            kind(kernel="polynomial", degree=2).fit(Z, Y)
