"""The minimax probability machine (Lanckriet, El Ghaoui, Bhattacharyya & Jordan 2002).

::

    1/κ = min_a  √(aᵀ Σ₊ a) + √(aᵀ Σ₋ a)     subject to  aᵀ(m₊ − m₋) = 1

For p, q ≥ 0, (√p + √q)² is the least value of p/t + q/(1 − t) over t in (0, 1). Minimising over a
first,

::

    κ² = max_t  dᵀ (Σ₊/t + Σ₋/(1 − t))⁻¹ d,     d = m₊ − m₋

is concave in t. If the means differ along a direction without variance in either class, κ = ∞.
Otherwise, in coordinates in which Σ₊ + Σ₋ is the identity and Σ₊ is diagonal, the maximum is the
root of a decreasing function of t.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.kernel_matrices import decomposed

#: Distance of t from its ends, where one class has no variance along the normal vector.
END = 1e-12
#: Part of the distance between the means above which a difference is not rounding.
SURE = 1e-6


class Machine(NamedTuple):
    """A minimax probability machine.

    Attributes
    ----------
    normal : ndarray of shape (n_features,)
        a, with aᵀ(m₊ − m₋) = 1.
    offset : float
        b; a point z is classified as positive where aᵀz + b > 0.
    kappa : float
        κ: both means are this many standard deviations from the boundary, along a. Infinite if
        neither class varies along a.
    objective : float
        √(aᵀΣ₊a) + √(aᵀΣ₋a), which is 1/κ at the optimum; 0 for an infinite κ.
    duality_gap : float
        Relative distance of the objective from a lower bound on all of its values.
    n_iter : int
        Iterations of the root finder.
    """

    normal: FloatArray
    offset: float
    kappa: float
    objective: float
    duality_gap: float
    n_iter: int


def solve_machine(
    mean_plus: FloatArray, mean_minus: FloatArray, plus: FloatArray, minus: FloatArray
) -> Machine:
    """Solve for given means and covariance matrices.

    Parameters
    ----------
    mean_plus, mean_minus : ndarray of shape (n_features,)
        m₊ and m₋.
    plus, minus : ndarray of shape (n_features, n_features)
        Σ₊ and Σ₋, positive semidefinite.

    Returns
    -------
    Machine

    Raises
    ------
    ValueError
        If the means are equal.
    """
    d = mean_plus - mean_minus
    if not np.any(d):
        raise ValueError(
            "The two classes have the same mean, and a minimax probability machine separates by "
            "means: no direction separates them. Use another kernel."
        )
    return decomposed(lambda: _solved(d, mean_plus, mean_minus, plus, minus), len(d))


def _solved(
    d: FloatArray,
    mean_plus: FloatArray,
    mean_minus: FloatArray,
    plus: FloatArray,
    minus: FloatArray,
) -> Machine:
    """Solve for different means, whose difference is d."""
    from scipy.optimize import brentq

    values, vectors = np.linalg.eigh(plus + minus)
    kept = values > len(values) * np.finfo(np.float64).eps * max(values[-1], 0.0)
    still = vectors[:, ~kept] @ (vectors[:, ~kept].T @ d)
    if np.linalg.norm(still) > SURE * np.linalg.norm(d):
        return _certain(still, mean_plus, mean_minus)
    B, s = _common_axes(vectors[:, kept] / np.sqrt(values[kept]), plus)
    e2 = (B.T @ d) ** 2
    steps = 0
    if _slope(END, s, e2) <= 0:
        t = END
    elif _slope(1.0 - END, s, e2) >= 0:
        t = 1.0 - END
    else:
        t, info = brentq(_slope, END, 1.0 - END, (s, e2), xtol=1e-15, full_output=True)
        steps = int(info.iterations)
    a = B @ ((B.T @ d) / (s * (1.0 - t) + (1.0 - s) * t))
    return _checked(a / (a @ d), t, (mean_plus, mean_minus), (plus, minus), steps)


def _certain(still: FloatArray, mean_plus: FloatArray, mean_minus: FloatArray) -> Machine:
    """Return the machine along a direction without variance: half way between the means."""
    a = still / float(still @ (mean_plus - mean_minus))
    offset = -0.5 * float(a @ (mean_plus + mean_minus))
    return Machine(a, offset, kappa=np.inf, objective=0.0, duality_gap=0.0, n_iter=0)


def _common_axes(W: FloatArray, plus: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return B with Bᵀ(Σ₊ + Σ₋)B = 1 and BᵀΣ₊B = diag(s), from W with the first property."""
    s, rotation = np.linalg.eigh(W.T @ plus @ W)
    return W @ rotation, np.clip(s, 0.0, 1.0)


def _slope(t: float, s: FloatArray, e2: FloatArray) -> float:
    """Return the derivative of κ²(t) = Σ_i e_i² t(1 − t)/(s_i(1 − t) + (1 − s_i)t)."""
    both = s * (1.0 - t) + (1.0 - s) * t
    return float(e2 @ ((s * (1.0 - t) ** 2 - (1.0 - s) * t * t) / (both * both)))


def _checked(
    a: FloatArray,
    t: float,
    means: tuple[FloatArray, FloatArray],
    covariances: tuple[FloatArray, FloatArray],
    steps: int,
) -> Machine:
    """Return the machine with its offset and the certificate of its normal vector.

    With u = Σ₊^½ a/(tc) and v = Σ₋^½ a/((1 − t)c), of length at most 1 by the choice of c, and
    Σ₊a/t + Σ₋a/(1 − t) a multiple of d, no feasible vector has an objective below
    (p/t + q/(1 − t))/c.
    """
    p, q = (max(float(a @ S @ a), 0.0) for S in covariances)
    root_p, root_q = np.sqrt(p), np.sqrt(q)
    objective = float(root_p + root_q)
    longest = max(root_p / t, root_q / (1.0 - t))
    bound = (p / t + q / (1.0 - t)) / longest
    kappa = 1.0 / objective
    return Machine(
        normal=a,
        offset=float(kappa * root_p - a @ means[0]),
        kappa=kappa,
        objective=objective,
        duality_gap=max(0.0, float(objective - bound) / objective),
        n_iter=steps,
    )
