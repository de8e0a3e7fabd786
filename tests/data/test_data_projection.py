import importlib.util

import numpy as np
import pytest

from nestviz.data import DataError, Dataset, make_sample, principal_plane, project


@pytest.fixture(scope="module")
def wine():
    return make_sample("wine", n=60)


def reference(X):
    """Scores, directions and explained share by the eigenvectors of the covariance."""
    centred = X - X.mean(axis=0)
    values, vectors = np.linalg.eigh(centred.T @ centred)
    directions = vectors[:, ::-1][:, :2].T
    signs = np.sign([row[np.abs(row).argmax()] for row in directions])
    directions = directions * signs[:, None]
    return centred @ directions.T, directions, values[::-1][:2].sum() / values.sum()


@pytest.mark.parametrize(("n", "d"), [(40, 5), (40, 2), (4, 9), (2, 3)])
def test_pca_agrees_with_the_covariance(n, d):
    X = np.random.default_rng(n).normal(size=(n, d)) * np.arange(1, d + 1)
    scores, directions, explained = reference(X)
    result = project(Dataset(X), "pca")
    rank = min(2, n - 1)
    np.testing.assert_allclose(result.dataset.X[:, :rank], scores[:, :rank], atol=1e-8)
    assert result.explained == pytest.approx(explained)
    np.testing.assert_allclose(principal_plane(X).directions[:rank], directions[:rank], atol=1e-8)


def test_pca_agrees_with_the_svd_and_the_plane(wine):
    result = project(wine)
    _, sizes, directions = np.linalg.svd(wine.X - wine.X.mean(axis=0), full_matrices=False)
    scores = (wine.X - wine.X.mean(axis=0)) @ directions[:2].T
    np.testing.assert_allclose(np.abs(result.dataset.X), np.abs(scores), rtol=1e-9, atol=1e-9)
    assert result.explained == pytest.approx((sizes[:2] ** 2).sum() / (sizes**2).sum())
    plane = principal_plane(wine.X)
    np.testing.assert_allclose(plane.coordinates(wine.X), result.dataset.X, atol=1e-8)
    np.testing.assert_allclose(plane.origin, wine.X.mean(axis=0))


def test_projection_keeps_labels_and_tells_itself(wine):
    result = project(wine)
    np.testing.assert_array_equal(result.dataset.y, wine.y)
    assert result.dataset.provenance[:-1] == wine.provenance
    assert "of the variance" in result.dataset.provenance[-1]
    assert result.dataset.name == wine.name
    assert project(wine.unlabelled()).dataset.y is None


@pytest.mark.parametrize("method", ["tsne", pytest.param("umap", marks=pytest.mark.slow)])
def test_neighbour_embeddings_are_seeded(method, wine):
    if method == "umap":
        pytest.importorskip("umap", reason="umap-learn is an optional extra")
    first, again = project(wine, method, random_state=4), project(wine, method, random_state=4)
    assert first.dataset == again.dataset
    assert first.explained is None
    assert first.dataset.X.shape == (60, 2)
    assert "seed 4" in first.dataset.provenance[-1]
    few = Dataset(np.random.default_rng(0).normal(size=(5, 4)))
    assert project(few, "tsne").dataset.n == 5


@pytest.mark.parametrize("scale", [1e-140, 1e140])
def test_no_scale_overflows(scale):
    X = np.random.default_rng(0).normal(size=(20, 4))
    plain, scaled = project(Dataset(X)), project(Dataset(scale * X))
    np.testing.assert_allclose(scaled.dataset.X / scale, plain.dataset.X, atol=1e-9)
    assert scaled.explained == pytest.approx(plain.explained)


@pytest.mark.parametrize(
    ("X", "method", "message"),
    [
        (np.zeros((4, 1)), "pca", "two features"),
        (np.zeros((1, 3)), "pca", "two points"),
        (np.ones((4, 3)), "pca", "coincide"),
        (np.eye(4), "tsne", "at least 5 points; there are 4"),
        (np.eye(4), "umap", "at least 5 points"),
        (np.eye(4), "lda", "no projection called 'lda'"),
    ],
)
def test_faults(X, method, message):
    with pytest.raises(DataError, match=message):
        project(Dataset(X), method)


def test_plane_needs_two_features_and_two_points():
    for X in (np.zeros((4, 1)), np.zeros((1, 4)), np.zeros(4)):
        with pytest.raises(DataError, match="at least"):
            principal_plane(X)


def test_missing_umap_is_named(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(DataError, match="umap-learn"):
        project(Dataset(np.random.default_rng(0).normal(size=(9, 3))), "umap")
