"""Cost-sensitive SVMs through their estimators."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from nestviz.data import make_sample, standardise
from nestviz.estimators import CostSensitivePath, CostSensitiveSVM, NestedCostSensitiveSVM
from nestviz.grids import Grid
from nestviz.kernels import GaussianKernel

TIGHT = 1e-12


def points(seed, n=40):
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < 0.4, 1, -1)
    y[:2] = 1, -1
    return rng.normal(size=(n, 2)) + 0.8 * y[:, None], y


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("lam", [0.05, 1.0, 100.0])
def test_path_agrees_with_a_solve_at_each_asymmetry(seed, lam):
    X, y = points(seed)
    new, _ = points(seed + 100)
    path = CostSensitivePath(0.8, lam).fit(X, y)
    assert path.path_residual_.max() <= 1e-7
    for gamma in np.random.default_rng(seed).uniform(0, 1, 10):
        single = CostSensitiveSVM(0.8, lam, gamma, tol=TIGHT).fit(X, y)
        np.testing.assert_allclose(
            path.family_.values(new, gamma), single.decision_function(new), atol=2e-5
        )
        alpha = path.coefficients([gamma])
        b = alpha * y
        K = GaussianKernel(0.8).gram(X, X)
        objective = (b @ K @ b.T).item() / (2 * lam) - alpha.sum()
        assert objective == pytest.approx(single.objective_, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("seed", range(2))
def test_fields_carried_along_the_path_equal_the_table(seed):
    """Points at their bounds move with γ: the carried sum must follow them."""
    X, y = points(seed, n=60)
    family = CostSensitivePath(0.6, 0.5).fit(X, y).family_
    grid = Grid.around(X, resolution=20)
    table = family.coefficients.take(np.arange(family.levels.size))
    expected = table @ family.kernel.gram(family.centres, grid.points())
    np.testing.assert_allclose(
        family.coefficients.product(family.kernel.gram(family.centres, grid.points())),
        expected,
        atol=1e-11,
    )


@given(st.integers(0, 10_000), st.floats(0.02, 20.0), st.integers(2, 7))
@settings(max_examples=60)
def test_nested_sets_nest_at_random_asymmetries_and_points(seed, lam, M):
    """Proposition 1, from the raw field, between the asymmetries too."""
    rng = np.random.default_rng(seed)
    X, y = points(seed, n=int(rng.integers(2, 25)))
    family = NestedCostSensitiveSVM(0.7, lam, M).fit(X, y).family_
    assert family.is_nested
    field = family.values(rng.normal(scale=2.0, size=(40, 2)), np.sort(rng.uniform(0, 1, 12)))
    assert np.all(np.diff(field, axis=0) >= -1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_nested_constraints_hold_to_the_last_bit(seed):
    X, y = points(seed)
    nested = NestedCostSensitiveSVM(0.7, 0.3).fit(X, y)
    bound = np.where(y > 0, nested.asymmetries_[:, None], 1 - nested.asymmetries_[:, None])
    assert np.all(nested.alpha_ >= 0)
    assert np.all(nested.alpha_ <= bound)
    assert np.all(np.diff(y * nested.alpha_, axis=0) >= 0)
    assert nested.duality_gap_ <= 1e-6


def test_the_ends_of_the_family_are_empty_and_full():
    """γ = 0 corresponds to (0, 0) in the ROC and γ = 1 to (1, 1)."""
    X, y = points(3)
    for family in (
        CostSensitivePath(0.8, 1.0).fit(X, y).family_,
        NestedCostSensitiveSVM(0.8, 1.0).fit(X, y).family_,
    ):
        assert not family.contains(X, 0.0).any()
        assert family.contains(X, 1.0).all()


def test_labels_of_any_kind():
    X, y = points(4)
    words = np.where(y > 0, "yes", "no")
    fitted = CostSensitiveSVM(0.8).fit(X, words)
    numbers = CostSensitiveSVM(0.8).fit(X, y)
    np.testing.assert_array_equal(fitted.predict(X) == "yes", numbers.predict(X) == 1)


@pytest.mark.parametrize("present", [1, -1])
@pytest.mark.parametrize(
    "estimator",
    [CostSensitiveSVM(1.0), CostSensitivePath(1.0), NestedCostSensitiveSVM(1.0)],
    ids=lambda e: type(e).__name__,
)
def test_one_class_may_be_missing(estimator, present):
    X, _ = points(5)
    y = np.full(len(X), present)
    fitted = estimator.fit(X, y)
    assert np.all(np.sign(fitted.decision_function(X)) == present)
    assert np.all(fitted.predict(X) == present)


def test_missing_ends_shorten_the_family():
    X, y = points(6)
    nested = NestedCostSensitiveSVM(0.8, 1.0, [0.7, 0.3, 0.5, 0.5]).fit(X, y)
    np.testing.assert_array_equal(nested.asymmetries_, [0.3, 0.5, 0.7])
    assert nested.family_.domain == (0.3, 0.7)
    with pytest.raises(ValueError, match="outside the asymmetries"):
        NestedCostSensitiveSVM(0.8, 1.0, [0.6, 0.7]).fit(X, y)


@pytest.mark.parametrize("estimator", [
    CostSensitiveSVM(1.0, tol=TIGHT), CostSensitivePath(1.0), NestedCostSensitiveSVM(1.0, tol=TIGHT)
], ids=lambda e: type(e).__name__)  # fmt: skip
def test_degenerate_data(estimator):
    y = np.array([1, -1, 1, -1])
    for X in (np.ones((4, 2)), np.arange(8.0).reshape(4, 2) * 1e5, np.eye(4) * 1e-150):
        fitted = estimator.fit(X, y)
        assert np.isfinite(fitted.decision_function(X)).all()
        assert fitted.duality_gap_ <= 1e-6


def test_coincident_points_of_both_classes():
    X = np.array([[0.0], [0.0], [1.0], [1.0], [1.0]])
    y = np.array([1, -1, 1, 1, -1])
    fitted = NestedCostSensitiveSVM(1.0, 0.5, tol=TIGHT).fit(X, y)
    assert fitted.duality_gap_ <= TIGHT * 10
    np.testing.assert_allclose(fitted.alpha_[:, 2], fitted.alpha_[:, 3], atol=1e-12)


@pytest.mark.parametrize("name", ["titanic", "flare-solar"])
def test_paths_with_ties_finish(name):
    data = standardise(make_sample(f"bench-{name}", n=250))
    path = CostSensitivePath("median", 1.0).fit(data.X, data.y)
    assert path.converged_
    assert path.path_residual_.max() <= 1e-7
    for gamma in (0.2, 0.5, 0.9):
        single = CostSensitiveSVM(path.sigma_, 1.0, gamma, tol=TIGHT).fit(data.X, data.y)
        np.testing.assert_allclose(
            path.family_.values(data.X, gamma), single.decision_function(data.X), atol=1e-5
        )


def test_bad_input_gets_a_sentence():
    X, y = points(0)
    with pytest.raises(ValueError, match="gamma must be"):
        CostSensitiveSVM(gamma=1.2).fit(X, y)
    with pytest.raises(ValueError, match="never negative"):
        NestedCostSensitiveSVM(kernel="polynomial", degree=1).fit(X, y)
    with pytest.raises(ValueError, match="two"):
        CostSensitivePath().fit(X, np.arange(len(X)) % 3)
    with pytest.raises(ValueError, match="from 0 to 1"):
        NestedCostSensitiveSVM(asymmetries=[0.0, 2.0]).fit(X, y)


def test_a_callback_stops_the_solve():
    X, y = points(7, n=300)
    with pytest.warns(ConvergenceWarning):
        stopped = NestedCostSensitiveSVM(0.5, 0.01).fit(X, y, callback=lambda progress: True)
    assert not stopped.converged_
    assert np.all(np.diff(y * stopped.alpha_, axis=0) >= 0)
