"""Points drawn from a reference measure, as the second class beside data of one class.

Davenport (2007), section 5.1: uniform on the box around the data; uniform and thinned; or from
balls around the data and thinned, where the data fill only a small part of the box.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.renamed import renamed
from nestviz.volume.reference import seed_of
from nestviz.volume.thinning import thin

DRAWS = ("uniform", "thinned", "manifold")


@renamed(seed="random_state", neighbours="n_neighbors")
def draw_reference(
    X: ArrayLike,
    n: int,
    kind: str = "uniform",
    *,
    random_state: Any = 0,
    margin: float = 0.1,
    discrete: Sequence[int] = (),
    oversampling: int = 10,
    n_neighbors: int = 10,
) -> FloatArray:
    """Draw points from a reference measure.

    Parameters
    ----------
    X : array-like of shape (n_points, n_features)
        The data.
    n : int
        Number of points to draw.
    kind : {"uniform", "thinned", "manifold"}
        Uniform on the box; many more of these, thinned; or many more from balls around the data,
        thinned.
    random_state : int, RandomState or None
        The same integer gives the same points.
    margin : float
        Share of the spread of a feature added to the box on each side.
    discrete : sequence of int
        Columns with few possible values: those found in the data. Uniform points take each with
        equal probability; points of balls take the nearest one.
    oversampling : int
        How many times more points are drawn than kept, where they are thinned.
    n_neighbors : int
        k: the radius of all balls is the average distance of a data point to its k-th neighbour.

    Returns
    -------
    ndarray of shape (n_draws, n_features)
        The points drawn.

    Raises
    ------
    ValueError
        If the data, the kind or a number cannot be used.

    Examples
    --------
    >>> draw_reference([[0.0, 1.0], [1.0, 3.0]], 4, margin=0.0, discrete=[1]).shape
    (4, 2)
    """
    points = _checked(X, n, discrete)
    rng = np.random.default_rng(seed_of(random_state))
    if kind == "uniform":
        return uniform_points(points, n, rng, margin, discrete)
    if oversampling < 1:
        raise ValueError(f"oversampling must be a whole number from 1 up, not {oversampling!r}.")
    if kind == "thinned":
        many = uniform_points(points, oversampling * n, rng, margin, discrete)
    elif kind == "manifold":
        many = ball_points(points, oversampling * n, rng, n_neighbors, discrete)
    else:
        raise ValueError(f"kind must be 'uniform', 'thinned' or 'manifold', not {kind!r}.")
    return many[thin(many, n)]


def uniform_points(
    X: FloatArray, n: int, rng: np.random.Generator, margin: float, discrete: Sequence[int]
) -> FloatArray:
    """Draw independent uniform points of the box; discrete features from their values."""
    if not (isinstance(margin, Real) and np.isfinite(margin) and margin >= 0):
        raise ValueError(f"margin must be a finite number from 0 up, not {margin!r}.")
    low, high = X.min(axis=0), X.max(axis=0)
    reach = margin * (high - low)
    drawn = rng.uniform(low - reach, high + reach, size=(n, X.shape[1]))
    for column in discrete:
        drawn[:, column] = rng.choice(np.unique(X[:, column]), size=n)
    return drawn


def ball_points(
    X: FloatArray, n: int, rng: np.random.Generator, neighbours: int, discrete: Sequence[int]
) -> FloatArray:
    """Draw points of balls, each around a data point drawn at random."""
    radius = neighbour_radius(X, neighbours)
    centres = X[rng.integers(len(X), size=n)]
    directions = rng.standard_normal(centres.shape)
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    # In d dimensions the volume within a radius grows as its d-th power.
    lengths = radius * rng.uniform(size=(n, 1)) ** (1.0 / X.shape[1])
    drawn = centres + lengths * directions
    for column in discrete:
        drawn[:, column] = _nearest_value(drawn[:, column], np.unique(X[:, column]))
    return drawn


def neighbour_radius(X: FloatArray, neighbours: int) -> float:
    """Return the average distance of a point to its k-th neighbour among the others."""
    from scipy.spatial import cKDTree

    if not 1 <= neighbours < len(X):
        raise ValueError(
            f"n_neighbors must be a whole number from 1 to {len(X) - 1} for {len(X)} points, not "
            f"{neighbours!r}."
        )
    distances, _ = cKDTree(X).query(X, k=[neighbours + 1])
    return float(np.mean(distances))


def _nearest_value(drawn: FloatArray, values: FloatArray) -> FloatArray:
    return values[np.abs(drawn[:, None] - values).argmin(axis=1)]


def _checked(X: ArrayLike, n: int, discrete: Sequence[int]) -> FloatArray:
    points = np.ascontiguousarray(X, dtype=np.float64)
    if points.ndim != 2 or not points.size or not np.all(np.isfinite(points)):
        raise ValueError("The data must be a table of finite numbers with at least one row.")
    if not isinstance(n, Integral) or isinstance(n, bool) or n < 1:
        raise ValueError(
            f"At least one reference point must be drawn, a whole number of them, not {n!r}."
        )
    with np.errstate(over="ignore"):
        spread = points.max(axis=0) - points.min(axis=0)
    if not np.all(np.isfinite(spread)):
        raise ValueError(
            "The range of the data is beyond the largest number: there is no box around them. "
            "Scale the features, or remove the points in question."
        )
    strange = [column for column in discrete if not 0 <= column < points.shape[1]]
    if strange:
        raise ValueError(
            f"discrete names column {strange[0]}, and the data have columns 0 to "
            f"{points.shape[1] - 1}."
        )
    return points
