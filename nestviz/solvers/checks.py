"""Check the input of solvers; raise ValueError with a sentence that says what to do."""

from __future__ import annotations

from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.solvers.columns import Columns


def check_points(columns: Columns, **per_point: ArrayLike) -> list[FloatArray]:
    """Return one finite number for each point: classes −1 or +1, all else not negative."""
    N = len(columns.diagonal)
    if not (np.all(np.isfinite(columns.diagonal)) and np.all(columns.diagonal >= 0)):
        raise ValueError(
            "The diagonal of K must be finite and not negative: K is not a kernel matrix. "
            "Check the kernel, or the matrix passed as precomputed."
        )
    checked = []
    for name, values in per_point.items():
        array = np.ascontiguousarray(values, dtype=np.float64)
        if array.shape != (N,):
            raise ValueError(
                f"{name} must have one entry for each of the {N} points of K, "
                f"got shape {array.shape}."
            )
        if name == "y" and not np.all(np.abs(array) == 1):
            raise ValueError("y must hold the classes -1 and +1 only; relabel the classes.")
        if name != "y" and not (np.all(np.isfinite(array)) and np.all(array >= 0)):
            raise ValueError(f"{name} must be finite and not negative; remove or correct the rest.")
        checked.append(array)
    return checked


def check_tolerance(tol: float, max_iter: float) -> None:
    """Check that the tolerance is positive and finite, and the number of rounds not negative."""
    is_number = isinstance(tol, Real) and not isinstance(tol, bool)
    if not (is_number and np.isfinite(tol) and tol > 0):
        raise ValueError(
            f"tol must be a positive number, got {tol!r}: a duality gap never gets to exactly "
            f"zero. For the best that rounding allows take 1e-12."
        )
    if not (isinstance(max_iter, Real) and max_iter >= 0):
        raise ValueError(f"max_iter must be a number from 0 up, got {max_iter!r}.")


def check_levels(levels: ArrayLike) -> FloatArray:
    """Return levels λ as an array: at least one, positive, not increasing."""
    array = np.ascontiguousarray(levels, dtype=np.float64)
    if array.ndim != 1 or len(array) == 0:
        raise ValueError("levels must be a list of at least one number.")
    if not (np.all(np.isfinite(array)) and np.all(array > 0) and np.all(np.diff(array) <= 0)):
        raise ValueError("levels must be positive, finite and sorted from largest to smallest.")
    return array


def check_asymmetries(asymmetries: ArrayLike) -> FloatArray:
    """Return cost asymmetries γ as an array: at least one, within [0, 1], not decreasing."""
    array = np.ascontiguousarray(asymmetries, dtype=np.float64)
    if array.ndim != 1 or len(array) == 0:
        raise ValueError("asymmetries must be a list of at least one number.")
    if not (np.all(array >= 0) and np.all(array <= 1) and np.all(np.diff(array) >= 0)):
        raise ValueError("asymmetries must lie between 0 and 1, sorted from smallest to largest.")
    return array


def check_lam(lam: float) -> float:
    """Return the regularisation λ: positive and finite."""
    if not (np.isfinite(lam) and lam > 0):
        raise ValueError(f"lam must be a positive number, got {lam}.")
    return float(lam)
