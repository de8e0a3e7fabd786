"""Vector quantisation: the promise of the radius, and the smallest code book by enumeration."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.base import clone

from nestviz import KernelVectorQuantizer, make_sample
from nestviz.solvers.covering import dual_bound, solve_cover


def smallest_cover(near):
    """The size of a smallest cover, by trying all choices of 1, 2, … members."""
    n = len(near)
    for size in range(1, n + 1):
        if any(near[:, list(chosen)].any(axis=1).all() for chosen in combinations(range(n), size)):
            return size
    raise AssertionError("all points together cover all points")


def distances(X, Z):
    return np.sqrt(((X[:, None] - Z[None]) ** 2).sum(axis=2))


@given(seed=st.integers(0, 10_000), n=st.integers(1, 9), radius=st.floats(0.0, 2.5))
@settings(deadline=None, max_examples=25)
def test_the_smallest_code_book_is_the_one_of_enumeration(seed, n, radius):
    X = np.random.default_rng(seed).normal(size=(n, 2)).round(1)
    distinct = np.unique(X, axis=0)
    wanted = smallest_cover(distances(distinct, distinct) <= radius)
    exact = KernelVectorQuantizer(radius, exact=True).fit(X)
    assert len(exact.support_) == exact.lower_bound_ == wanted
    assert exact.gap_ == 0
    linear = KernelVectorQuantizer(radius).fit(X)
    assert linear.lower_bound_ <= wanted <= len(linear.support_)
    for model in (exact, linear):
        assert distances(X, model.codebook_).min(axis=1).max() <= radius
        assert model.covering_radius_ <= model.radius_ == radius


def test_no_code_vector_can_be_left_out():
    X = make_sample("banana", 0, n=200).X
    model = KernelVectorQuantizer(0.5).fit(X)
    near = distances(X, model.codebook_) <= 0.5
    assert near.any(axis=1).all()
    for k in range(near.shape[1]):
        assert not np.delete(near, k, axis=1).any(axis=1).all()
    np.testing.assert_array_equal(model.codebook_, X[model.support_])


def test_weights_solve_the_linear_program():
    """Primal and dual values agree: α is feasible, and no cover is smaller than its sum."""
    X = make_sample("multi", 3, n=120).X
    model = KernelVectorQuantizer(0.6, exact=True).fit(X)
    near = distances(X, X) <= 0.6
    assert (near @ model.weights_).min() >= 1.0 - 1e-9
    assert model.weights_.min() >= 0
    assert np.ceil(model.weights_.sum() - 1e-7) <= model.lower_bound_ == len(model.support_)


def test_the_bound_does_not_rest_on_the_solver():
    """A dual vector that is not feasible is scaled until it is."""
    near = csr_array(np.ones((3, 3)))
    assert dual_bound(near, np.array([1.0, 1.0, 1.0])) == 1
    assert dual_bound(near, np.array([-5.0, 0.0, 0.2])) == 1
    assert dual_bound(csr_array(np.eye(4)), np.ones(4)) == 4


def test_a_search_without_nodes_still_covers():
    X = make_sample("banana", 0, n=250).X
    model = KernelVectorQuantizer(0.55, exact=True, max_nodes=1).fit(X)
    assert distances(X, model.codebook_).min(axis=1).max() <= 0.55
    assert (
        model.lower_bound_
        <= len(model.support_)
        <= len(KernelVectorQuantizer(0.55).fit(X).support_)
    )


def test_predict_and_transform():
    X = make_sample("banana", 0, n=100).X
    model = KernelVectorQuantizer(0.8).fit(X)
    np.testing.assert_allclose(model.transform(X), distances(X, model.codebook_), rtol=1e-14)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    np.testing.assert_array_equal(model.labels_, distances(X, model.codebook_).argmin(axis=1))
    assert len(model.get_feature_names_out()) == len(model.codebook_)
    again = clone(model).fit(X)
    np.testing.assert_array_equal(again.support_, model.support_)


def test_a_radius_of_zero_keeps_every_distinct_point():
    X = np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0]])
    model = KernelVectorQuantizer(0.0).fit(X)
    assert model.support_.tolist() == [0, 1]
    assert model.labels_.tolist() == [0, 1, 0]
    assert model.weights_.tolist() == [1.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"radius": -1.0}, "must not be negative"),
        ({"radius": "wide"}, "a number or 'auto'"),
        ({"radius": np.nan}, "finite number"),
        ({"max_nodes": 0}, "whole number from 1 up"),
    ],
)
def test_bad_parameters_get_a_sentence(options, words):
    with pytest.raises(ValueError, match=words):
        KernelVectorQuantizer(**options).fit(np.eye(3))


def test_too_many_pairs_get_a_sentence(monkeypatch):
    monkeypatch.setattr("nestviz.estimators.vector_quantizer.MOST_PAIRS", 50)
    with pytest.raises(ValueError, match="a smaller radius or fewer points"):
        KernelVectorQuantizer(10.0).fit(np.random.default_rng(0).normal(size=(20, 2)))


def test_a_point_alone_covers_itself():
    cover = solve_cover(csr_array(np.ones((1, 1))), exact=True)
    assert (cover.chosen.tolist(), cover.bound) == ([0], 1)
