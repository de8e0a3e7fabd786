"""Planes in feature space, and grids of pixels on them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Plane:
    """A plane in feature space: ``x = origin + u·directions[0] + v·directions[1]``.

    Parameters
    ----------
    origin : ndarray of shape (n_features,)
        The point with plane coordinates (0, 0).
    directions : ndarray of shape (2, n_features)
        Two orthonormal rows.
    """

    origin: FloatArray
    directions: FloatArray

    def __post_init__(self) -> None:
        origin = _frozen(self.origin)
        directions = _frozen(self.directions)
        if origin.ndim != 1 or directions.shape != (2, origin.size):
            raise ValueError(
                f"A plane in d dimensions needs an origin of shape (d,) and directions of shape "
                f"(2, d); got {origin.shape} and {directions.shape}."
            )
        if not np.allclose(directions @ directions.T, np.eye(2), atol=1e-8):
            raise ValueError("The two directions of a plane must be orthonormal.")
        object.__setattr__(self, "origin", origin)
        object.__setattr__(self, "directions", directions)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plane) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def _content(self) -> tuple[bytes, bytes]:
        return self.origin.tobytes(), self.directions.tobytes()

    @classmethod
    def of_two_features(cls) -> Plane:
        """Return the plane of two-dimensional data: the data space itself.

        Returns
        -------
        Plane
            With the coordinate axes as its directions.
        """
        return cls(np.zeros(2), np.eye(2))

    @property
    def dimension(self) -> int:
        """Number of features of the space the plane lies in."""
        return self.origin.size

    def coordinates(self, X: ArrayLike) -> FloatArray:
        """Project points onto the plane, orthogonally.

        Parameters
        ----------
        X : array-like of shape (n_points, n_features)
            Points of feature space.

        Returns
        -------
        ndarray of shape (n_points, 2)
            Plane coordinates.
        """
        return _along(np.ascontiguousarray(X, dtype=np.float64) - self.origin, self.directions)

    def distances_squared(self, X: ArrayLike, unit: float = 1.0) -> FloatArray:
        """Return the squared distance of each point from the plane.

        Parameters
        ----------
        X : array-like of shape (n_points, n_features)
            Points of feature space.
        unit : float
            The length in which distances are measured.

        Returns
        -------
        ndarray of shape (n_points,)
            Squared distances.
        """
        centred = np.ascontiguousarray(X, dtype=np.float64) - self.origin
        # In units of the point's largest coordinate: products of large numbers would overflow.
        largest = np.abs(centred).max(axis=1, initial=0.0, keepdims=True)
        centred /= np.where(largest > 0, largest, 1.0)
        across = centred - _along(_along(centred, self.directions), self.directions.T)
        with np.errstate(over="ignore", invalid="ignore"):
            # Zero times a length that overflows is still zero.
            across = np.where(across == 0.0, 0.0, across * (largest / unit))
            return np.einsum("ij,ij->i", across, across)

    def lift(self, uv: ArrayLike) -> FloatArray:
        """Return the points of feature space with the given plane coordinates.

        Parameters
        ----------
        uv : array-like of shape (n_points, 2)
            Plane coordinates.

        Returns
        -------
        ndarray of shape (n_points, n_features)
            Points of feature space.
        """
        return self.origin + _along(np.ascontiguousarray(uv, dtype=np.float64), self.directions.T)


@dataclass(frozen=True, eq=False)
class Grid:
    """A grid of pixels on a plane; row-major, rows follow ``v``, columns follow ``u``.

    Parameters
    ----------
    u, v : ndarray of shape (n_columns,) and (n_rows,)
        Ascending coordinates of the columns and of the rows.
    plane : Plane
        The plane of the grid.
    """

    u: FloatArray
    v: FloatArray
    plane: Plane

    def __post_init__(self) -> None:
        for name in ("u", "v"):
            axis = _frozen(getattr(self, name))
            if axis.ndim != 1 or axis.size < 1 or not np.all(np.diff(axis) > 0):
                raise ValueError(f"The grid axis {name!r} must hold one or more ascending numbers.")
            object.__setattr__(self, name, axis)

    @classmethod
    def around(
        cls,
        X: ArrayLike,
        *,
        resolution: int = 150,
        margin: float = 0.15,
        plane: Plane | None = None,
    ) -> Grid:
        """Return a grid over the box of the points.

        Parameters
        ----------
        X : array-like of shape (n_points, n_features)
            Points of feature space.
        resolution : int
            Number of rows, and of columns.
        margin : float
            How far the grid reaches beyond the box on each side, as a share of its size. A
            coordinate without spread gets the width of the other one, or 1.
        plane : Plane, optional
            The plane of the grid; by default that of two-dimensional data.

        Returns
        -------
        Grid
            Evenly spaced.
        """
        plane = plane or Plane.of_two_features()
        uv = plane.coordinates(X)
        low, high = uv.min(axis=0), uv.max(axis=0)
        spread = high - low
        widest = spread.max() if spread.max() > 0 else 1.0
        pad = margin * np.where(spread > 1e-9 * widest, spread, 0.0)
        pad = np.where(pad > 0, pad, 0.5 * widest)
        axes = [np.linspace(low[k] - pad[k], high[k] + pad[k], resolution) for k in range(2)]
        return cls(axes[0], axes[1], plane)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        return self.v.size, self.u.size

    @property
    def size(self) -> int:
        """Number of pixels."""
        return self.v.size * self.u.size

    @property
    def cell_area(self) -> float:
        """Area of one pixel of an evenly spaced grid."""
        return float((self.u[-1] - self.u[0]) / (self.u.size - 1)) * float(
            (self.v[-1] - self.v[0]) / (self.v.size - 1)
        )

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The ends of both axes: u min, u max, v min, v max."""
        return float(self.u[0]), float(self.u[-1]), float(self.v[0]), float(self.v[-1])

    @property
    def inner_box(self) -> tuple[float, float, float, float]:
        """The box without its outermost pixels, whose edges are not visible."""
        return float(self.u[1]), float(self.u[-2]), float(self.v[1]), float(self.v[-2])

    def points(self) -> FloatArray:
        """Return all pixels as points of feature space, in row-major order.

        Returns
        -------
        ndarray of shape (n_rows * n_columns, n_features)
            Points of feature space.
        """
        uu, vv = np.meshgrid(self.u, self.v)
        return self.plane.lift(np.column_stack([uu.ravel(), vv.ravel()]))


def _along(X: FloatArray, directions: FloatArray) -> FloatArray:
    """Return ⟨x_i, d_k⟩; not by a library whose digits depend on its number of threads."""
    return np.einsum("ij,kj->ik", X, np.ascontiguousarray(directions))


def _frozen(values: ArrayLike) -> FloatArray:
    array = np.array(values, dtype=np.float64)
    array.setflags(write=False)
    return array
