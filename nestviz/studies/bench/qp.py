"""General QP solvers as peers: the nested one-class problem posed to PIQP, Clarabel and OSQP."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.solvers.nested.certificate import one_class_certificate
from nestviz.solvers.nested.feasible import settle_one_class
from nestviz.solvers.nested.solve import TOLERANCE
from nestviz.studies.bench.report import Row
from nestviz.studies.bench.timing import best_time

#: Tolerances that are tried, loosest first.
TOLS = (1e-4, 1e-5, 1e-6, 1e-8, 1e-10)
#: Each solver's name of the tolerance. OSQP stops early by default, so it gets more steps.
OPTIONS: dict[str, Callable[[float], dict[str, Any]]] = {
    "piqp": lambda tol: {"eps_abs": tol, "eps_rel": tol},
    "clarabel": lambda tol: {"tol_gap_abs": tol, "tol_gap_rel": tol, "tol_feas": tol},
    "osqp": lambda tol: {"eps_abs": tol, "eps_rel": tol, "max_iter": 200_000},
}


class QuadraticProgram(NamedTuple):
    """A problem in the form that qpsolvers takes, and how its solutions are read and judged.

    ``read`` turns a solver's vector into coefficients; ``gap_of`` is the relative duality gap of
    the feasible coefficients nearest to given ones.
    """

    posed: Any
    read: Callable[[FloatArray], FloatArray]
    gap_of: Callable[[FloatArray], float]

    def solve(self, solver: str, tol: float) -> FloatArray | None:
        """Return coefficients, or None if the solver gives up."""
        from qpsolvers import solve_problem

        found = solve_problem(self.posed, solver=solver, **OPTIONS[solver](tol))
        return None if not found.found or found.x is None else self.read(found.x)

    def gap(self, alpha: FloatArray | None) -> float:
        """Return the relative gap; infinite without a solution."""
        return float("inf") if alpha is None or not np.isfinite(alpha).all() else self.gap_of(alpha)


def is_installed(solver: str) -> bool:
    """Return whether a solver, and qpsolvers to call it through, can be imported."""
    return find_spec("qpsolvers") is not None and find_spec(solver) is not None


def pose(K: FloatArray, upper: FloatArray, levels: FloatArray) -> QuadraticProgram:
    """Return the nested one-class problem as one sparse QP.

    In shares a = α/u of equal bounds u, so that all variables lie in [0, 1]: the general solvers
    are faster and more accurate on it than on the coefficients themselves.
    """
    import scipy.sparse as sp
    from qpsolvers import Problem

    M, N = len(levels), len(upper)
    links = N * (M - 1)
    shrink = sp.kron(sp.diags(levels[1:] / levels[:-1]), sp.eye(N))
    none = sp.csc_matrix((links, N))
    order = sp.hstack([shrink, none]) - sp.hstack([none, sp.eye(links)])
    posed = Problem(
        sp.block_diag([K * (upper[0] / lam) for lam in levels], format="csc"),
        -np.ones(M * N),
        sp.csc_matrix(order),
        np.zeros(links),
        lb=np.zeros(M * N),
        ub=np.ones(M * N),
    )

    def gap(alpha: FloatArray) -> float:
        feasible = settle_one_class(alpha, upper, levels)
        return one_class_certificate(K, feasible, upper, levels).duality_gap

    return QuadraticProgram(posed, lambda x: x.reshape(M, -1) * upper, gap)


def contest(
    row: Row,
    solver: str,
    pose: Callable[[], QuadraticProgram],
    repeats: int,
    *,
    at_least: int = 2,
) -> Row:
    """Add the solver's side to a row, at the loosest tolerance that is accurate enough."""
    if not is_installed(solver):
        return replace(row, note="peer not installed")
    program = pose()
    for tol in TOLS:
        if program.gap(program.solve(solver, tol)) <= TOLERANCE:
            break
    else:
        return replace(row, note=f"peer reached no gap of {TOLERANCE:.0e}".replace("e-06", "e-6"))
    theirs, alpha = best_time(partial(program.solve, solver, tol), repeats, at_least=at_least)
    peer, gap = f"{solver}, tol {tol:.0e}", program.gap(alpha)
    return replace(row, peer=peer, peer_seconds=theirs, peer_gap=gap)
