"""Hierarchical minimum-volume sets, found greedily from the largest to the smallest."""

from __future__ import annotations

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.estimators.base import Problem
from nestviz.estimators.quantile_problem import QuantileEstimator, Relay, offsets_in_use
from nestviz.intersections import IntersectionFamily
from nestviz.solvers.box_sum.nu_one_class import NuSolution, solve_nu_one_class, verified_nu
from nestviz.solvers.records import Callback


class HierarchicalMVSets(QuantileEstimator):
    """Hierarchical minimum-volume sets (HMVE), greedily from the largest to the smallest.

    The largest set is that of the one-class SVM with ν_q = 1 − α_q. Each further one is learned
    from the points which the sets so far do not leave out, of weight u(I) in all,

    ::

        min_α  ½ Σ_is α_ji α_js k(x_i, x_s)     over the points i in I_j,
        subject to  Σ_i α_ji = 1,   0 ≤ α_ji ≤ u_i/m_j,   m_j = ν_j − (1 − u(I_j)),

    so that together with the points left out before no more than ν_j is outside, and it is cut to
    the set before. (Glazer, Lindenbaum & Markovitch 2013, sections 2 and 5, which describe in words
    what their paper of 2012 introduced.) Nested by intersection; what an early step does badly the
    later ones inherit.

    Parameters
    ----------
    sigma, quantiles, level : float or str, int or ndarray, float
        As in `QuantileOneClassSVM`.
    kernel, degree, tol, max_iter : str, int, float, int
        As in `OneClassSVM`; the tolerance holds for each quantile.

    Attributes
    ----------
    family_ : IntersectionFamily
        All sets, over the quantile; the one-class SVMs before the intersection are its ``base``.
    rho_ : ndarray of shape (n_quantiles,)
        Offsets, each the mean value of the margin points of its one-class SVM.
    offset_ : float
        0: an intersection has no single offset, and ``score_samples`` is the decision function.
    quantiles_, alpha_, objectives_, level_
        As in `IndependentOneClassSVM`.
    objective_, kkt_residual_, duality_gap_, n_iter_, converged_
        As in `IndependentOneClassSVM`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(50, 2))
    >>> model = HierarchicalMVSets(sigma=1.0, quantiles=[0.3, 0.7]).fit(X)
    >>> model.alpha_.shape, model.family_.is_nested
    ((2, 50), True)
    """

    _title = "One of the one-class SVMs"

    @property
    def offset_(self) -> float:
        """Zero: an intersection has no single offset."""
        return 0.0

    def _solve(self, problem: Problem, callback: Callback | None) -> None:
        self._choose_levels()
        solutions, bounds = self._greedy(problem, Relay(callback))
        # Solved in units of the weights; divided by their sums the coefficients add up to one.
        total = np.array([float(solution.alpha.sum()) for solution in solutions])
        alpha = np.stack([solution.alpha for solution in solutions]) / total[:, None]
        self._keep_certificates(solutions)
        self.objectives_ = self.objectives_ / total**2
        self.objective_ = float(self.objectives_.sum())
        self.alpha_ = self._shared_out(problem, alpha, bounds / total[:, None])
        self.rho_ = offsets_in_use(problem, solutions, bounds) / total
        base = self._quantile_family(problem, alpha, is_nested=len(total) == 1)
        self.family_ = IntersectionFamily.of(base)

    def _greedy(self, problem: Problem, relay: Relay) -> tuple[list[NuSolution], FloatArray]:
        """Return solutions and bounds for each quantile, in ascending order."""
        upper, out, start = problem.upper.copy(), 0.0, None
        solutions, bounds, verifying = [], [], problem.verifying
        for alpha in self.quantiles_[::-1]:
            solution = solve_nu_one_class(
                problem.columns, upper, total=1.0 - alpha - out,
                start=start, tol=self.tol, max_iter=self.max_iter, callback=relay,
            )  # fmt: skip
            relay.next()
            solution = verified_nu(verifying, solution, upper, tol=self.tol)
            solutions.append(solution)
            bounds.append(upper.copy())
            # Only a point at its bound can be outside; the others are short of ρ by rounding.
            left_out = (solution.alpha >= upper) & (solution.field < solution.rho) & (upper > 0)
            upper[left_out] = 0.0
            out = 1.0 - float(upper.sum())
            start = np.where(left_out, 0.0, solution.alpha)
        return solutions[::-1], np.stack(bounds[::-1])
