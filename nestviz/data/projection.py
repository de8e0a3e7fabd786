"""Projections of points with many features to the plane."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from nestviz.arrays import FloatArray
from nestviz.data.dataset import Dataset
from nestviz.data.errors import DataError, quoted
from nestviz.grids import Plane
from nestviz.renamed import renamed

Method = Literal["pca", "tsne", "umap"]
_FEWEST_POINTS = 5


@dataclass(frozen=True)
class Projection:
    """A data set in the plane.

    Attributes
    ----------
    dataset : Dataset
        The points in the plane, with their labels.
    method : str
        The method of projection.
    explained : float or None
        For "pca" the share of the variance that the plane keeps.
    """

    dataset: Dataset
    method: str
    explained: float | None


@renamed(seed="random_state")
def project(dataset: Dataset, method: Method = "pca", random_state: int = 0) -> Projection:
    """Project a data set to the plane.

    Parameters
    ----------
    dataset : Dataset
        With at least two features.
    method : {"pca", "tsne", "umap"}
        Principal components, t-SNE, or UMAP (which needs the package umap-learn).
    random_state : int
        Seed of t-SNE and UMAP.

    Returns
    -------
    Projection

    Notes
    -----
    A set fitted after t-SNE or UMAP exists in the plane only: it cannot be mapped back to the
    features. For "pca" the plane is that of `principal_plane`.
    """
    if method not in ("pca", "tsne", "umap"):
        raise DataError(
            f"There is no projection called '{quoted(method)}'.", hint="Choose pca, tsne or umap."
        )
    _check_shape(dataset.X)
    explained = None
    if method == "pca":
        points, explained = _principal(dataset.X)
        note = f"The {dataset.d} features were projected to two principal components, "
        note += f"which keep {explained:.1%} of the variance."
        names = ("component 1", "component 2")
    else:
        _check_count(dataset.n)
        points = (_tsne if method == "tsne" else _umap)(_centred_unit(dataset.X)[0], random_state)
        title = "t-SNE" if method == "tsne" else "UMAP"
        note = f"The {dataset.d} features were projected to the plane by {title} "
        note += f"(seed {random_state})."
        names = (f"{title} 1", f"{title} 2")
    story = (*dataset.provenance, note)
    notes = None if dataset.annotations is None else dataset.annotations.without_features()
    projected = Dataset(points, dataset.y, names, dataset.name, story, notes)
    return Projection(projected, method, explained)


def principal_plane(X: npt.ArrayLike) -> Plane:
    """Return the plane through the mean along the first two principal directions.

    Parameters
    ----------
    X : array-like of shape (n_points, n_features)
        At least two points with at least two features.

    Returns
    -------
    Plane
        In each direction the entry of largest size is positive.
    """
    points = np.asarray(X, dtype=np.float64)
    _check_shape(points)
    return Plane(points.mean(axis=0), _directions(_centred_unit(points)[0])[0])


def _check_shape(X: FloatArray) -> None:
    if X.ndim != 2 or X.shape[1] < 2:
        raise DataError(
            "A projection to the plane needs at least two features.",
            hint="Choose more feature columns.",
        )
    if X.shape[0] < 2:
        raise DataError("A projection needs at least two points.", hint="Add points.")


def _check_count(n: int) -> None:
    if n < _FEWEST_POINTS:
        raise DataError(
            f"t-SNE and UMAP need at least {_FEWEST_POINTS} points; there are {n}.",
            hint="Use pca, or add points.",
        )


def _centred_unit(X: FloatArray) -> tuple[FloatArray, float]:
    """Return centred points divided by their largest entry, and that entry: squares stay finite."""
    centred = X - X.mean(axis=0)
    size = float(np.abs(centred).max())
    return (centred / size, size) if size > 0 else (centred, 1.0)


def _directions(centred: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the first two principal directions, signs fixed, and all singular values."""
    _, sizes, directions = np.linalg.svd(centred, full_matrices=False)
    first = directions[:2]
    largest = np.abs(first).argmax(axis=1)
    signs = np.sign(first[np.arange(2), largest])
    return first * signs[:, None], sizes


def _principal(X: FloatArray) -> tuple[FloatArray, float]:
    centred, size = _centred_unit(X)
    directions, sizes = _directions(centred)
    total = float((sizes**2).sum())
    if total == 0:
        raise DataError("All points coincide.", hint="Choose other feature columns.")
    return (centred @ directions.T) * size, float((sizes[:2] ** 2).sum() / total)


def _tsne(X: FloatArray, random_state: int) -> FloatArray:
    from sklearn.manifold import TSNE
    from threadpoolctl import threadpool_limits

    perplexity = min(30.0, (len(X) - 1) / 3)
    model = TSNE(2, perplexity=perplexity, init="pca", random_state=random_state)
    # Threads sum forces in any order; one thread gives the same bits on every run.
    with threadpool_limits(1):
        return np.asarray(model.fit_transform(X), dtype=np.float64)


def _umap(X: FloatArray, random_state: int) -> FloatArray:
    if importlib.util.find_spec("umap") is None:
        raise DataError(
            "UMAP needs the package umap-learn, which is not installed.",
            hint='Install it with: pip install "nestviz[umap]"',
        )
    from umap import UMAP

    # A fixed seed makes UMAP use one thread; n_jobs=1 avoids its warning.
    model = UMAP(
        n_components=2, n_neighbors=min(15, len(X) - 1), random_state=random_state, n_jobs=1
    )
    return np.asarray(model.fit_transform(X), dtype=np.float64)
