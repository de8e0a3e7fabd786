"""Planes in feature space and the pixel grids that pictures are computed on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Plane:
    """A flat window into feature space: ``x = origin + u·directions[0] + v·directions[1]``.

    Parameters
    ----------
    origin : (d,) array
        The point with plane coordinates (0, 0).
    directions : (2, d) array
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
        """The plane of two-dimensional data: the data space itself."""
        return cls(np.zeros(2), np.eye(2))

    @property
    def dimension(self) -> int:
        """Number of features of the space the plane lies in."""
        return self.origin.size

    def coordinates(self, X: ArrayLike) -> FloatArray:
        """Orthogonal projection of points onto the plane, (n, 2)."""
        return (np.asarray(X, dtype=np.float64) - self.origin) @ self.directions.T

    def distances_squared(self, X: ArrayLike, unit: float = 1.0) -> FloatArray:
        """Squared distance of each point from the plane in units of ``unit``, (n,)."""
        centred = np.asarray(X, dtype=np.float64) - self.origin
        # In units of the point's largest coordinate: products of large numbers would overflow.
        largest = np.abs(centred).max(axis=1, initial=0.0, keepdims=True)
        centred /= np.where(largest > 0, largest, 1.0)
        across = centred - (centred @ self.directions.T) @ self.directions
        with np.errstate(over="ignore", invalid="ignore"):
            # Nothing across times a length that overflows is still nothing.
            across = np.where(across == 0.0, 0.0, across * (largest / unit))
            return np.einsum("ij,ij->i", across, across)

    def lift(self, uv: ArrayLike) -> FloatArray:
        """Points of feature space with the given plane coordinates, (n, d)."""
        return self.origin + np.asarray(uv, dtype=np.float64) @ self.directions


@dataclass(frozen=True, eq=False)
class Grid:
    """An axis-aligned pixel grid on a plane; row-major, rows follow ``v``, columns follow ``u``.

    Parameters
    ----------
    u, v : 1-D arrays
        Ascending coordinates of the columns and of the rows.
    plane : Plane
        Where the grid lies.
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
        """A square-resolution grid over the box of the points, widened by ``margin`` of its size.

        A coordinate without spread gets a box of width one, so that a picture can still be drawn.
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
        """(rows, columns)."""
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
        """(u min, u max, v min, v max)."""
        return float(self.u[0]), float(self.u[-1]), float(self.v[0]), float(self.v[-1])

    @property
    def inner_box(self) -> tuple[float, float, float, float]:
        """The box less one pixel on each side: what lies along the edge is out of sight."""
        return float(self.u[1]), float(self.u[-2]), float(self.v[1]), float(self.v[-2])

    def points(self) -> FloatArray:
        """All pixels as points of feature space, (rows·columns, d), in row-major order."""
        uu, vv = np.meshgrid(self.u, self.v)
        return self.plane.lift(np.column_stack([uu.ravel(), vv.ravel()]))


def _frozen(values: ArrayLike) -> FloatArray:
    array = np.array(values, dtype=np.float64)
    array.setflags(write=False)
    return array
