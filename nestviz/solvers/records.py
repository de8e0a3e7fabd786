"""The records that solvers take and return.

The nested solvers minimise one problem,

    Σ_m q_m [ ½ b_mᵀ K b_m − sᵀ b_m ],    b_1 ≤ b_2 ≤ … ≤ b_M elementwise,
    0 ≤ sign(s_i) b_im ≤ h_im,

which is the nested one-class SVM (12)–(14) of Lee & Scott (2010) with b = α/λ_m, q_m = λ_m, s = 1,
h_im = u_i/λ_m, and the nested cost-sensitive SVM (7)–(9) with b = yα, q_m = 1/λ, s = λy,
h_im = w_i γ_m where y_i > 0 and w_i (1 − γ_m) where y_i < 0. With one level, M = 1, it is the plain
SVM of equation (5) or (2).

A point with s_i < 0 read backwards (levels from M to 1, signs changed) is like one with s_i > 0: a
chain 0 ≤ a_1 ≤ … ≤ a_M under bounds that grow with m. The compiled code uses this *oriented* view,
which is the same for both SVMs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from nestviz.arrays import FloatArray


class Chains(NamedTuple):
    """The problem above without its kernel matrix.

    Attributes
    ----------
    q : ndarray of shape (n_levels,)
        Weight of each level, positive.
    s : ndarray of shape (n_points,)
        Target of the field at each point; its sign is that of the coefficients.
    h : ndarray of shape (n_levels, n_points)
        Bounds of |b|, not decreasing in m where s > 0 and not increasing where s < 0.
    """

    q: FloatArray
    s: FloatArray
    h: FloatArray


class Progress(NamedTuple):
    """Progress of a solver, a path or a search: the payload of every callback.

    A callback that returns a true value stops the work; what is finished is kept.

    Attributes
    ----------
    done : int
        Rounds of a solver, events of a path, fits or cells of a search that are finished.
    objective : float, optional
        Dual objective of the current, feasible coefficients, as the paper writes it.
    duality_gap : float, optional
        Relative primal–dual gap of the same coefficients.
    share : float, optional
        Share of the work that is done, from 0 to 1, where it can be known.
    total : int, optional
        The value of ``done`` at the end, where it can be known.
    level : float, optional
        The level that a path has reached.
    so_far : callable, optional
        Called without arguments, returns what the search knows by now, to be shown while it runs.
    """

    done: int
    objective: float | None = None
    duality_gap: float | None = None
    share: float | None = None
    total: int | None = None
    level: float | None = None
    so_far: Callable[[], Any] | None = None


Callback = Callable[[Progress], Any]
"""A callback; what it returns is taken as true or false."""


class Solution(NamedTuple):
    """Coefficients with their certificate.

    Attributes
    ----------
    alpha : ndarray of shape (n_levels, n_points)
        Dual coefficients, one row for each level in the order of the paper's index m. They satisfy
        the constraints exactly, in floating-point comparison.
    objective : float
        Dual objective as the paper writes it, (7) or (12): a minimum, so usually negative.
    kkt_residual : float
        Mean violation of the optimality conditions, see
        :func:`nestviz.solvers.nested.kkt.residual`.
    duality_gap : float
        Primal value minus dual value, relative to the dual value.
    n_iter : int
        Rounds of the decomposition.
    converged : bool
        Whether ``duality_gap`` is within the tolerance and ``kkt_residual`` within its square root.
    """

    alpha: FloatArray
    objective: float
    kkt_residual: float
    duality_gap: float
    n_iter: int
    converged: bool
