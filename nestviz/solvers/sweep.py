"""Coordinate descent over points: the M coefficients of one point move together."""

from __future__ import annotations

import numpy as np
from numba import njit

from nestviz.solvers.errors import Units, errors
from nestviz.solvers.isotonic import pool
from nestviz.solvers.records import Chains, FloatArray, IndexArray


@njit(cache=True, nogil=True)
def nearest_chain(
    chains: Chains, i: int, b: FloatArray, start: IndexArray, scratch: FloatArray
) -> None:
    """Replace ``b``, M wished coefficients of point i, by the nearest feasible ones.

    Near in the sense of weights q. A point with s_i < 0 is turned round, solved and turned back.
    ``start`` (M,) and ``scratch`` (6, M) are work space.
    """
    q, s, h = chains
    M = len(q)
    z, weight, bound, a, total, mass = scratch
    if s[i] > 0:
        for m in range(M):
            bound[m] = h[m, i]
        pool(b, q, bound, a, start, total, mass)
        for m in range(M):
            b[m] = a[m]
    else:
        for m in range(M):
            z[M - 1 - m] = -b[m]
            weight[M - 1 - m] = q[m]
            bound[M - 1 - m] = h[m, i]
        pool(z, weight, bound, a, start, total, mass)
        for m in range(M):
            b[m] = -a[M - 1 - m]


@njit(cache=True, nogil=True)
def sweep(K: FloatArray, chains: Chains, b: FloatArray, F: FloatArray) -> None:
    """Solve the subproblem of every point in turn, in place.

    K : kernel matrix (n, n). b : coefficients (M, n). F : the field b K, kept up to date (M, n).
    For point i the subproblem is isotonic regression of z_m = b_im + (s_i − F_im)/K_ii.
    """
    q, s, h = chains
    M = len(q)
    z, start, scratch = np.empty(M), np.empty(M, dtype=np.intp), np.empty((6, M))
    for i in range(len(s)):
        row = K[i]
        for m in range(M):
            if row[i] > 0:
                z[m] = b[m, i] + (s[i] - F[m, i]) / row[i]
            else:
                # A vanishing diagonal means a vanishing row: only the linear term is left.
                z[m] = np.copysign(h[m, i], s[i])
        nearest_chain(chains, i, z, start, scratch)
        for m in range(M):
            delta = z[m] - b[m, i]
            if delta != 0.0:
                b[m, i] = z[m]
                field = F[m]
                for j in range(len(row)):
                    field[j] += delta * row[j]


@njit(cache=True, nogil=True)
def sweep_until(
    K: FloatArray,
    chains: Chains,
    b: FloatArray,
    F: FloatArray,
    units: Units,
    target: float,
    most: int,
) -> bool:
    """Sweep until the errors add up to ``target``, or ``most`` times; return whether they do."""
    for _ in range(most):
        sweep(K, chains, b, F)
        if errors(chains, b, F, units).sum() <= target:
            return True
    return False


@njit(cache=True, nogil=True)
def project(chains: Chains, b: FloatArray) -> None:
    """Replace the coefficients of every point by the nearest feasible ones, in place."""
    M, n = b.shape
    z, start, scratch = np.empty(M), np.empty(M, dtype=np.intp), np.empty((6, M))
    for i in range(n):
        for m in range(M):
            z[m] = b[m, i]
        nearest_chain(chains, i, z, start, scratch)
        for m in range(M):
            b[m, i] = z[m]
