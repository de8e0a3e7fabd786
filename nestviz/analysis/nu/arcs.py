"""A one-class SVM whose feature space is the plane: directions, and the cosine as their kernel.

Φ(θ) = (cos θ, sin θ) has unit length, and k(θ, θ′) = cos(θ − θ′) is not negative within a quarter
of the circle, as with a Gaussian kernel. So the geometry of figures 8.2 and 8.3 of Schölkopf &
Smola (2002) can be drawn without a projection.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.solvers.box_sum.nu_one_class import solve_nu_one_class

CLOSE = 1e-7
"""Points closer than this to the hyperplane are on it."""


@dataclass(frozen=True, eq=False)
class ArcSolution:
    """A ν one-class SVM of directions.

    Attributes
    ----------
    angles : ndarray of shape (n_points,)
        The data, in radians.
    w : ndarray of shape (2,)
        The normal vector, Σ α_i Φ(x_i) with Σ α_i = 1; also the centre of the ball.
    rho : float
        The offset ρ.
    codes : ndarray of shape (n_points,)
        0 outlier, 1 on the hyperplane, 2 inside.
    """

    angles: FloatArray
    w: FloatArray
    rho: float
    codes: NDArray[np.int8]

    @property
    def mapped(self) -> FloatArray:
        """Return the points on the unit circle, Φ(θ) = (cos θ, sin θ)."""
        return circle_points(self.angles)

    @property
    def distance(self) -> float:
        """Return the distance of the hyperplane from the origin, ρ/‖w‖."""
        return self.rho / float(np.linalg.norm(self.w))

    @property
    def radius(self) -> float:
        """Return the radius of the ball around w that cuts the circle in the same points."""
        return float(np.sqrt(1.0 + self.w @ self.w - 2.0 * self.rho))


def circle_points(angles: FloatArray) -> FloatArray:
    """Return points of the unit circle, of shape (n_points, 2)."""
    return np.column_stack([np.cos(angles), np.sin(angles)])


def solve_arc(angles: FloatArray, nu: float) -> ArcSolution:
    """Solve the ν one-class SVM of directions in a quarter of the circle.

    Parameters
    ----------
    angles : ndarray of shape (n_points,)
        Directions in radians, all within a quarter of the circle.
    nu : float
        ν in (0, 1].

    Returns
    -------
    ArcSolution
    """
    K = np.cos(angles[:, None] - angles[None, :])
    solved = solve_nu_one_class(K, np.full(len(K), 1.0 / (nu * len(K))), tol=1e-10)
    mapped = circle_points(angles)
    w = np.asarray(solved.alpha @ mapped)
    away = mapped @ w - solved.rho
    codes = np.where(np.abs(away) <= CLOSE, 1, np.where(away < 0, 0, 2)).astype(np.int8)
    return ArcSolution(angles, w, float(solved.rho), codes)
