"""The smoothness of the function behind the sets (eq. 8.37)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.distances import product
from nestviz.estimators.nu_path import nu_family
from nestviz.estimators.one_class_path import OneClassPath


@dataclass(frozen=True, eq=False)
class SmoothnessCurve:
    """‖Υf‖² of the ν one-class SVM over ν.

    Attributes
    ----------
    nus : ndarray of shape (n_nus,)
        ν.
    norms : ndarray of shape (n_nus,)
        ‖Υf‖² = Σ_ij α_i α_j k(x_i, x_j) with Σ_i α_i = 1: twice the dual objective (8.13).
    offsets : ndarray of shape (n_nus,)
        ρ.
    """

    nus: FloatArray
    norms: FloatArray
    offsets: FloatArray


def smoothness_curve(path: OneClassPath, nus: ArrayLike) -> SmoothnessCurve:
    """Return the smoothness of the ν one-class SVM at several ν, from its exact path.

    With k a Green's function of Υ*Υ, the dual objective is ½ ‖Υf‖² of f = Σ_i α_i k(x_i, ·) (8.37):
    of all functions of this form whose coefficients the constraints allow, f is the smoothest. For
    the Gaussian kernel on a line

        ‖Υf‖² = 1/(σ √2π) Σ_n σ²ⁿ / (n! 2ⁿ) ∫ (dⁿf/dxⁿ)² dx ,

    and in general ‖Υf‖² is the squared length of w. It falls as ν grows smaller, since the
    constraints leave more freedom.

    Parameters
    ----------
    path : OneClassPath
        A fitted path.
    nus : array-like of shape (n_nus,)
        ν, each above 0 and at most 1.

    Returns
    -------
    SmoothnessCurve

    Examples
    --------
    >>> from nestviz import OneClassPath
    >>> curve = smoothness_curve(OneClassPath(1.0).fit([[0.0], [0.0], [3.0]]), [0.5, 1.0])
    >>> curve.norms.round(3)
    array([0.506, 0.56 ])
    """
    chosen = np.atleast_1d(np.asarray(nus, dtype=np.float64))
    family = nu_family(path)
    coefficients, offsets = family.coefficients_at(chosen)
    # The family has ν times the coefficients of the ν one-class SVM.
    alpha = coefficients / chosen[:, None]
    K = family.kernel.gram(family.centres, family.centres)
    norms = np.einsum("ij,ij->i", product(alpha, K), alpha)
    return SmoothnessCurve(chosen, norms, offsets / chosen)
