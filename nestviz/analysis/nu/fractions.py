"""The ν-property and the resistance to outliers: Propositions 8.3 and 8.4.

From Schölkopf & Smola (2002).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.distances import inner, product
from nestviz.estimators.checks import checked_number
from nestviz.estimators.nu_problem import NuEstimator
from nestviz.estimators.one_class_path import OneClassPath
from nestviz.solvers.box_sum.nu_one_class import NuSolution, solve_nu_one_class

ROUNDING = 1e-13
"""Values closer than this part of the largest k(x, x) are not distinguished."""
TIGHT = 1e-9
"""Relative gap to which problems are solved here."""


@dataclass(frozen=True)
class NuProperty:
    """Fractions of the training points (Proposition 8.3).

    Attributes
    ----------
    nu : float
        ν, between the two fractions.
    outliers : float
        Fraction strictly outside the set at ρ.
    support_vectors : float
        Fraction with a coefficient.
    """

    nu: float
    outliers: float
    support_vectors: float

    @property
    def holds(self) -> bool:
        """Return whether ν lies between the two fractions, as it must."""
        return self.outliers <= self.nu + ROUNDING and self.support_vectors >= self.nu - ROUNDING


def nu_property(model: NuEstimator, X: ArrayLike) -> NuProperty:
    """Count outliers and support vectors of a fitted model on its training points.

    Parameters
    ----------
    model : NuOneClassSVM or SoftBall
        Fitted on ``X`` with equal weights.
    X : array-like of shape (n_points, n_features)
        The training points.

    Returns
    -------
    NuProperty

    Examples
    --------
    >>> import numpy as np
    >>> from nestviz import NuOneClassSVM
    >>> X = np.array([[0.0], [0.1], [0.2], [3.0]])
    >>> nu_property(NuOneClassSVM(0.5, nu=0.7).fit(X), X)
    NuProperty(nu=0.7, outliers=0.25, support_vectors=0.75)
    """
    scores, alpha = model.score_samples(X), model.alpha_[0]
    if scores.shape != alpha.shape:
        raise ValueError(
            f"The model was fitted on {len(alpha)} points, but X has {len(scores)}: give the "
            f"training points."
        )
    outside = scores < model.rho_ - model.tolerance_
    return NuProperty(float(model.nu), float(outside.mean()), float((alpha > 0).mean()))


@dataclass(frozen=True)
class NuCurve:
    """Fractions of outliers and support vectors over ν.

    Attributes
    ----------
    nu, outliers, support_vectors : ndarray of shape (k,)
        ν and the two fractions at it.
    n : int
        Number of points.
    """

    nu: FloatArray
    outliers: FloatArray
    support_vectors: FloatArray
    n: int


def nu_curve(path: OneClassPath, nus: ArrayLike | None = None) -> NuCurve:
    """Compute outliers and support vectors of the ν-SVM at many ν, from one exact path.

    Parameters
    ----------
    path : OneClassPath
        Fitted with equal weights.
    nus : array-like, optional
        Values in (0, 1]; by default 200 evenly spaced ones.

    Returns
    -------
    NuCurve
    """
    values = np.linspace(0.005, 1.0, 200) if nus is None else np.asarray(nus, dtype=np.float64)
    sets = np.stack([path.sets(path.level_of_nu(nu)) for nu in values])
    # 0 is outside the set with the coefficient at its bound, 1 is on the margin.
    return NuCurve(values, (sets == 0).mean(axis=1), (sets <= 1).mean(axis=1), sets.shape[1])


@dataclass(frozen=True)
class MovedOutlier:
    """Change of the hyperplane when an outlier moves by δ·w in feature space.

    Attributes
    ----------
    delta : float
        The move, in units of w.
    limit : float
        ξ/‖w‖². For δ from −1/α_o = −νm up to this limit the point stays an outlier and nothing
        changes (Proposition 8.4).
    change : float
        Largest change of a coefficient, relative to the upper bound.
    angle : float
        Angle between the normals before and after, in radians.
    shift : float
        Relative change of the distance between hyperplane and origin.
    """

    delta: float
    limit: float
    change: float
    angle: float
    shift: float


def move_outlier(K: FloatArray, nu: float, point: int, delta: float) -> MovedOutlier:
    """Move one outlier parallel to w, solve again, and compare (Proposition 8.4).

    Moving Φ(x_o) to Φ(x_o) + δw changes one row and column of K: K_oj grows by δ⟨w, Φ(x_j)⟩ and
    K_oo by 2δ⟨w, Φ(x_o)⟩ + δ²‖w‖². The proposition is printed with ``|δ|`` < ξ_o/‖w‖; the slack
    shrinks by δ‖w‖², so moves with δ < ξ_o/‖w‖² change nothing, and outward moves must leave 1 +
    δα_o positive.

    Parameters
    ----------
    K : ndarray of shape (n_points, n_points)
        Kernel matrix.
    nu : float
        ν in (0, 1].
    point : int
        Row of an outlier at this ν.
    delta : float
        How far to move it, in units of w; positive is towards the set.

    Returns
    -------
    MovedOutlier
    """
    before, after = _moved(K, nu, point, delta)
    square, new_square = 2.0 * before.objective, 2.0 * after.objective
    along = inner(after.alpha, before.field) + delta * square * after.alpha[point]
    cosine = along / np.sqrt(square * new_square)
    distance = before.rho / np.sqrt(square), after.rho / np.sqrt(new_square)
    return MovedOutlier(
        delta=float(delta),
        limit=float((before.rho - before.field[point]) / square),
        change=float(np.abs(after.alpha - before.alpha).max() * nu * len(K)),
        angle=float(np.arccos(np.clip(cosine, -1.0, 1.0))),
        shift=float(abs(distance[1] / distance[0] - 1.0)),
    )


def moved_outlier_values(
    K: FloatArray, locations: FloatArray, nu: float, point: int, delta: float
) -> FloatArray:
    """Evaluate the decision function after an outlier has moved (Proposition 8.4).

    Where the move changes nothing, its sign is the same as before everywhere, and so is the set.

    Parameters
    ----------
    K : ndarray of shape (n_points, n_points)
        Kernel matrix.
    locations : ndarray of shape (n_points, n_locations)
        Kernel values between the training points and the locations.
    nu, point, delta
        As in `move_outlier`.

    Returns
    -------
    ndarray of shape (n_locations,)
        Positive inside the set.
    """
    before, after = _moved(K, nu, point, delta)
    # The moved point is Φ(x_o) + δw, and w itself is a sum of kernels.
    w, moved = product(np.stack([before.alpha, after.alpha]), locations)
    return moved + delta * after.alpha[point] * w - after.rho


def _moved(K: FloatArray, nu: float, point: int, delta: float) -> tuple[NuSolution, NuSolution]:
    """Return the solutions before and after the move."""
    nu = checked_number("nu", nu, above=0.0, at_most=1.0)
    upper = np.full(len(K), 1.0 / (nu * len(K)))
    before = solve_nu_one_class(K, upper, tol=TIGHT)
    slack = before.rho - before.field[point]
    if not slack > ROUNDING * K.diagonal().max():
        raise ValueError(f"Point {point} is no outlier at ν = {nu:g}: choose one with a slack.")
    moved = K.copy()
    moved[point] += delta * before.field
    moved[:, point] += delta * before.field
    moved[point, point] += delta**2 * 2.0 * before.objective
    return before, solve_nu_one_class(moved, upper, tol=TIGHT, start=before.alpha)
