"""What is kept of a fit: the specification, the estimator, and coefficients in the user's order."""

import numpy as np
import pytest

from nestviz import CostSensitivePath, Dataset, NestedOneClassSVM, OneClassPath, make_sample
from nestviz.ui.compute import tasks
from nestviz.ui.compute.methods import METHODS, ONE_CLASS, TWO_CLASS, WITH_NU, Spec, top_level

SIGMA = 0.5


@pytest.fixture(scope="module")
def doubled():
    """Forty points, the first five of them twice."""
    sample = make_sample("banana", 0, n=40)
    X = np.concatenate([sample.X, sample.X[:5]])
    return Dataset(X, y=np.concatenate([sample.y, sample.y[:5]]))


def test_a_path_of_points_that_coincide(doubled):
    fitted = tasks.fit(Spec("one-class SVM", SIGMA), doubled.X)
    path = OneClassPath(SIGMA).fit(doubled.X)
    levels = np.linspace(0.05, 0.95, 7) * path.breakpoints_[0]
    found = fitted.shares_of_bound(levels)
    assert np.allclose(found, path.coefficients(levels) * doubled.n, atol=1e-12)
    assert np.allclose(found[:, :5], found[:, 40:])
    union = fitted.under(Spec("union", SIGMA))
    assert union.family.is_nested
    assert not fitted.family.is_nested
    assert np.array_equal(found, union.shares_of_bound(levels))


def test_nested_levels(doubled):
    fitted = tasks.fit(Spec("nested one-class SVM", SIGMA, 6), doubled.X)
    nested = NestedOneClassSVM(SIGMA, 6).fit(doubled.X)
    found = fitted.shares_of_bound(nested.levels_)
    assert np.allclose(found, nested.alpha_ * doubled.n, atol=1e-12)
    assert np.array_equal(fitted.breakpoints_of(3), nested.levels_[::-1])


def test_two_classes(doubled):
    fitted = tasks.fit(Spec("cost-sensitive SVM", SIGMA, lam=0.3), doubled.X, doubled.y)
    path = CostSensitivePath(SIGMA, 0.3).fit(doubled.X, doubled.y)
    levels = np.linspace(0.1, 0.9, 5)
    assert np.allclose(fitted.shares_of_bound(levels), path.coefficients(levels), atol=1e-12)


@pytest.mark.parametrize("method", [*ONE_CLASS, *TWO_CLASS])
@pytest.mark.parametrize("kind", METHODS)
def test_coefficients_are_those_of_the_family(doubled, method, kind):
    """At solved levels and between them; points that coincide share what theirs has."""
    if method not in METHODS[kind]:
        return
    spec = Spec(method, SIGMA, 5, 0.3, kind=kind)
    fitted = tasks.fit(spec.solved, doubled.X, doubled.y)
    family = fitted.family
    low, high = family.levels[0], family.levels[-1]
    levels = np.linspace(low + 1e-5 * (high - low), high, 9)
    summed = np.abs(family.coefficients_at(levels)[0]).sum(axis=1)
    alpha = fitted.estimator.coefficients(levels)
    assert alpha.shape == (9, doubled.n)
    assert np.allclose(alpha.sum(axis=1) / (0.3 if kind == "two classes" else 1.0), summed)


def test_a_points_own_events(doubled):
    fitted = tasks.fit(Spec("one-class SVM", SIGMA), doubled.X)
    path = fitted.estimator
    for row in (0, 7, 42):
        twin = row if row < 40 else row - 40
        mine = path.breakpoints_[path.events_["breakpoint"][path.event_points_ == twin]]
        assert np.array_equal(fitted.breakpoints_of(row), np.unique(mine))


@pytest.mark.parametrize("method", ["Parzen", WITH_NU])
def test_points_at_their_bound(doubled, method):
    """All of them with Parzen windows and at ν = 1, which is the same."""
    fitted = tasks.fit(Spec(method, SIGMA, nu=1.0), doubled.X)
    assert np.allclose(fitted.shares_of_bound([0.1, 0.2]), 1.0)
    assert fitted.support(0.1) == doubled.n


def test_a_share_of_the_bound_of_the_nu_svm(doubled):
    fitted = tasks.fit(Spec(WITH_NU, SIGMA, nu=0.5), doubled.X)
    found = fitted.shares_of_bound([0.1])[0]
    assert np.allclose(found, fitted.estimator.alpha_[0] * 0.5 * doubled.n)
    assert found.max() == pytest.approx(1.0)


def test_certificates_in_words(doubled):
    words = {
        name: tasks.fit(Spec(name, SIGMA), doubled.X).certificate for name in ONE_CLASS if name
    }
    assert words["one-class SVM"].startswith("KKT residual ≤ ")
    assert words["nested one-class SVM"].startswith("duality gap ")
    assert words["Parzen"] == "exact, nothing is solved"


def test_settings_that_a_method_does_not_read_do_not_matter():
    assert Spec("one-class SVM", 1.0, 21, 0.3, "geometric", 0.7) == Spec("one-class SVM", 1.0)
    assert Spec("nested one-class SVM", 1.0, 21) != Spec("nested one-class SVM", 1.0)
    assert Spec("cost-sensitive SVM", 1.0, 21, 0.3) == Spec("cost-sensitive SVM", 1.0, lam=0.3)
    assert Spec(WITH_NU, 1.0, nu=0.3) != Spec(WITH_NU, 1.0)


def test_the_kind_follows_from_the_method():
    assert {Spec(name, 1.0).kind for name in ONE_CLASS} == {"one class"}
    assert {Spec(name, 1.0).kind for name in TWO_CLASS if name != "union"} == {"two classes"}
    two = Spec("union", 1.0, kind="two classes")
    assert two != Spec("union", 1.0)
    assert two.solved == Spec("cost-sensitive SVM", 1.0)
    assert Spec("union", 1.0).solved == Spec("one-class SVM", 1.0)


def test_the_top_level_is_where_the_path_begins(doubled):
    path = OneClassPath(SIGMA).fit(doubled.X)
    assert top_level(doubled.X, SIGMA) == pytest.approx(path.breakpoints_[0], rel=1e-12)
