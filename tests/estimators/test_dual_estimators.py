"""DualCostSVM and DualNuSVM: the family around the offset, rates, one model from the other."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from nestviz import DualCostSVM, DualNuSVM, make_sample
from nestviz.kernels import PolynomialKernel

SVMS = [DualCostSVM(C=5.0, gamma=0.4, sigma=0.8), DualNuSVM(nu_plus=0.3, nu_minus=0.5, sigma=0.8)]
both = pytest.mark.parametrize("svm", SVMS, ids=lambda e: type(e).__name__)


@pytest.fixture(scope="module")
def data():
    return make_sample("banana", random_state=0, n=160)


@both
def test_the_family_moves_the_offset_around_b(svm, data):
    svm.fit(data.X, data.y)
    decision = svm.decision_function(data.X)
    assert svm.level_ == svm.intercept_
    for shift in (-0.7, 0.0, 0.4):
        moved = svm.family_.values(data.X, svm.level_ + shift)
        np.testing.assert_allclose(moved, decision + shift, atol=1e-12)
    # A point comes in at the offset at which its own field is made up for.
    np.testing.assert_allclose(
        svm.family_.first_level(data.X), svm.intercept_ - decision, atol=1e-12
    )
    assert not svm.family_.violations(data.X).any()


@both
def test_decision_is_the_sum_over_support_vectors_and_the_offset(svm, data):
    svm.fit(data.X, data.y)
    c = svm.alpha_[0] * data.y
    by_hand = c @ svm.family_.kernel.gram(data.X, data.X[:9]) + svm.intercept_
    np.testing.assert_allclose(svm.decision_function(data.X[:9]), by_hand, atol=1e-12)


@both
def test_rates_are_shares_of_each_class(svm, data):
    svm.fit(data.X, data.y)
    called, y = svm.predict(data.X), data.y
    rates = svm.error_rates(data.X, y)
    assert rates.false_alarm == (called[y == -1] == 1).mean()
    assert rates.miss == (called[y == 1] == -1).mean()
    assert np.isnan(svm.error_rates(data.X[y == 1], y[y == 1]).false_alarm)
    with pytest.raises(ValueError, match="not among the classes"):
        svm.error_rates(data.X, np.where(y == 1, 7, -1))


@both
def test_labels_of_any_kind_come_back(svm, data):
    names = np.where(data.y > 0, "tumour", "benign")
    svm.fit(data.X, names)
    assert set(svm.predict(data.X)) <= set(names)
    assert svm.classes_[1] == "tumour"
    assert (svm.predict(data.X) == names).mean() > 0.8


@both
def test_kernels_by_name_or_by_matrix(svm, data):
    X, y = data.X[::3][:52], data.y[::3][:52]
    options = svm.get_params()
    by_name = type(svm)(**{**options, "kernel": "polynomial", "degree": 3, "tol": 1e-10}).fit(X, y)
    K = PolynomialKernel(3).gram(X, X)
    by_matrix = type(svm)(**{**options, "kernel": "precomputed", "tol": 1e-10}).fit(K, y)
    assert by_name.objective_ == pytest.approx(by_matrix.objective_, rel=1e-8)
    np.testing.assert_allclose(
        by_name.decision_function(X),
        by_matrix.decision_function(K),
        rtol=1e-4,
        atol=1e-4 * by_name.margin_,
    )


@both
def test_coincident_points_are_one_point_of_their_weight(svm, data):
    X, y = data.X[::3][:52], data.y[::3][:52]
    weights = np.where(np.arange(52) % 4 == 0, 3.0, 1.0)
    tight = type(svm)(**{**svm.get_params(), "tol": 1e-11})
    weighted = tight.fit(X, y, sample_weight=weights).decision_function(X)
    rows = np.repeat(np.arange(52), weights.astype(int))
    repeated = tight.fit(X[rows], y[rows])
    np.testing.assert_allclose(repeated.decision_function(X), weighted, atol=1e-6)
    first = rows == 0
    np.testing.assert_allclose(np.ptp(repeated.alpha_[0, first]), 0.0, atol=1e-15)


def test_each_model_is_found_from_the_other(data):
    cost = DualCostSVM(C=8.0, gamma=0.35, sigma=0.7, tol=1e-11).fit(data.X, data.y)
    nu = DualNuSVM(
        **dict(zip(("nu_plus", "nu_minus"), cost.to_nu(), strict=True)), sigma=0.7, tol=1e-11
    ).fit(data.X, data.y)
    n = len(data.y)
    np.testing.assert_allclose(nu.alpha_ * cost.C * n, cost.alpha_, atol=1e-4)
    back = nu.to_cost()
    assert back == pytest.approx((8.0, 0.35), rel=1e-5)
    np.testing.assert_allclose(
        nu.decision_function(data.X) / nu.margin_, cost.decision_function(data.X), atol=1e-4
    )


@pytest.mark.parametrize("end", [0.0, 1.0])
def test_at_the_end_of_the_asymmetry_one_class_takes_all(data, end):
    fitted = DualCostSVM(gamma=end).fit(data.X, data.y)
    assert set(fitted.predict(data.X)) == {1 if end else -1}
    with pytest.raises(ValueError, match="costs nothing"):
        fitted.to_nu()


def test_a_trivial_solution_says_so_and_calls_everything_negative():
    X = np.array([[0.0], [1.0], [0.5], [0.5]])
    y = np.array([-1, -1, 1, 1])
    with pytest.warns(UserWarning, match="The 2ν-SVM is trivial"):
        fitted = DualNuSVM(nu_plus=0.9, nu_minus=0.9, kernel="polynomial", degree=1).fit(X, y)
    assert fitted.is_trivial_
    assert fitted.converged_
    np.testing.assert_allclose(fitted.decision_function(X), 0.0, atol=1e-300)
    np.testing.assert_array_equal(fitted.predict(X), -1)
    with pytest.raises(ValueError, match="margin zero"):
        fitted.to_cost()


@pytest.mark.parametrize(
    ("svm", "words"),
    [
        (DualNuSVM(nu_plus=1.2), "nu_plus must lie above 0 and be at most 1"),
        (DualNuSVM(nu_minus=0.0), "nu_minus must lie above 0 and be at most 1"),
        (DualNuSVM(nu_plus="half"), "nu_plus must be a finite number"),
        (DualCostSVM(C=0.0), "C must be a finite number above 0"),
        (DualCostSVM(gamma=1.5), "gamma must be a finite number"),
        (DualCostSVM(sigma="miv"), "needs data of one class"),
        (DualCostSVM(kernel="cosine"), "kernel must be"),
    ],
)
def test_parameters_out_of_range_are_refused_in_words(data, svm, words):
    with pytest.raises(ValueError, match=words):
        svm.fit(data.X, data.y)


@both
@pytest.mark.parametrize("labels", [1, 3])
def test_other_than_two_classes_are_refused(svm, data, labels):
    with pytest.raises(ValueError, match="two classes"):
        svm.fit(data.X, np.arange(len(data.y)) % labels)


def test_a_stopped_fit_warns_and_is_feasible(data):
    with pytest.warns(ConvergenceWarning, match="2C-SVM stopped"):
        fitted = DualCostSVM(C=1e5, sigma=2.0, max_iter=0).fit(data.X, data.y)
    assert not fitted.converged_


@both
def test_the_certificate_is_within_the_tolerance(svm, data):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        svm.fit(data.X, data.y)
    assert svm.converged_
    assert 0 <= svm.duality_gap_ <= svm.tol
    assert 0 <= svm.kkt_residual_ <= svm.tol**0.5
    assert svm.alpha_.shape == (1, len(data.y))
