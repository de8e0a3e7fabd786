"""Values of λ above which solutions no longer change (appendix C of Lee & Scott 2010)."""

from __future__ import annotations

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.solvers.columns import Columns, as_columns


def lambda_oc(K: FloatArray | Columns, upper: FloatArray) -> float:
    """Return the level above which the one-class SVM is α = u.

    Parameters
    ----------
    K : ndarray of shape (n_points, n_points) or Columns
        Kernel matrix.
    upper : ndarray of shape (n_points,)
        Upper bounds u, 1/N each in the paper.

    Returns
    -------
    float
        λ_OC = max_i Σ_j u_j K_ij over points with u_i > 0.
    """
    upper = np.asarray(upper, dtype=np.float64)
    # A point whose bound is zero has α = u at every level.
    return float(as_columns(K).product(upper[None, :])[0, upper > 0].max(initial=0.0))


def lambda_cs(K: FloatArray | Columns, y: FloatArray, weights: FloatArray) -> float:
    """Return the λ above which every cost-sensitive SVM has all coefficients at their bounds.

    The λ_max of section VI-A: the largest of Σ_{j ∈ I+} y_i y_j w_j K_ij and
    Σ_{j ∈ I−} y_i y_j w_j K_ij over all i.

    Parameters
    ----------
    K : ndarray of shape (n_points, n_points) or Columns
        Kernel matrix.
    y : ndarray of shape (n_points,)
        Classes, −1 or +1.
    weights : ndarray of shape (n_points,)
        Weights w, 1 each in the paper.

    Returns
    -------
    float
        λ_max.
    """
    y, weights = np.asarray(y, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    signed = y * weights
    both = np.stack([np.maximum(signed, 0.0), np.minimum(signed, 0.0)])
    return float((as_columns(K).product(both) * y)[:, weights > 0].max(initial=0.0))
