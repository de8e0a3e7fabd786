"""Coordinate descent over points: the M coefficients of one point move together."""

from __future__ import annotations

import numpy as np

from nestviz.arrays import SLICE, FloatArray, IndexArray, slices
from nestviz.compiled import njit
from nestviz.solvers.nested.convergence import Units, errors
from nestviz.solvers.nested.isotonic import pool, pool_space
from nestviz.solvers.records import Chains

#: Points with at least this part of the mean error are part of a sweep.
WORTHWHILE = 0.5


@njit(cache=True, nogil=True)
def sweep_over(
    K: FloatArray, chains: Chains, b: FloatArray, F: FloatArray, points: IndexArray
) -> None:
    """Solve the subproblem of each of ``points`` in turn, in place.

    K : kernel matrix (n, n). b : coefficients (M, n). F : the field b K, kept up to date (M, n).
    For point i the subproblem is isotonic regression of z_m = b_im + (s_i − F_im)/K_ii.
    """
    q, s, h = chains
    M = len(q)
    z, space = np.empty(M), pool_space(M)
    for i in points:
        row = K[i]
        for m in range(M):
            if row[i] > 0:
                z[m] = b[m, i] + (s[i] - F[m, i]) / row[i]
            else:
                # A vanishing diagonal means a vanishing row: only the linear term is left.
                z[m] = np.copysign(h[m, i], s[i])
        pool(chains, i, z, space)
        for m in range(M):
            delta = z[m] - b[m, i]
            if delta != 0.0:
                b[m, i] = z[m]
                field = F[m]
                for j in range(len(row)):
                    field[j] += delta * row[j]


def sweep(
    K: FloatArray, chains: Chains, b: FloatArray, F: FloatArray, points: IndexArray | None = None
) -> None:
    """Solve the subproblem of every point in turn, in place; see :func:`sweep_over`."""
    points = np.arange(len(chains.s)) if points is None else points
    for part in slices(len(points), b.size):
        sweep_over(K, chains, b, F, points[part])


def sweep_until(
    K: FloatArray,
    chains: Chains,
    b: FloatArray,
    F: FloatArray,
    units: Units,
    target: float,
    most: int,
) -> float:
    """Sweep until the errors add up to ``target``, or ``most`` times; return their sum."""
    at_once = SLICE // (b.size * len(K))
    if at_once > 0:
        left = np.inf
        for part in range(0, most, at_once):
            left = sweeps(K, chains, b, F, units, target, min(at_once, most - part))
            if left <= target:
                break
        return left
    error = errors(chains, b, F, units)
    for _ in range(most):
        if error.sum() <= target:
            break
        sweep(K, chains, b, F, np.flatnonzero(error >= WORTHWHILE * error.mean()))
        error = errors(chains, b, F, units)
    return float(error.sum())


@njit(cache=True, nogil=True)
def sweeps(
    K: FloatArray,
    chains: Chains,
    b: FloatArray,
    F: FloatArray,
    units: Units,
    target: float,
    most: int,
) -> float:
    """Sweep until the errors add up to ``target``, or ``most`` times; return their sum.

    Each sweep leaves out the points whose error is small against the average.
    """
    error = errors(chains, b, F, units)
    for _ in range(most):
        if error.sum() <= target:
            break
        sweep_over(K, chains, b, F, np.flatnonzero(error >= WORTHWHILE * error.mean()))
        error = errors(chains, b, F, units)
    return error.sum()


@njit(cache=True, nogil=True)
def project(chains: Chains, b: FloatArray) -> None:
    """Replace the coefficients of every point by the nearest feasible ones, in place."""
    M, n = b.shape
    z, space = np.empty(M), pool_space(M)
    for i in range(n):
        for m in range(M):
            z[m] = b[m, i]
        pool(chains, i, z, space)
        for m in range(M):
            b[m, i] = z[m]
