"""The smallest soft ball around the data in feature space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.distances import inner
from nestviz.estimators.base import Problem
from nestviz.estimators.nu_problem import NuEstimator
from nestviz.estimators.one_class_problem import one_class_family
from nestviz.grids import Grid
from nestviz.kernels import Kernel, PrecomputedKernel
from nestviz.solvers.records import Callback


@dataclass(frozen=True)
class BallKernel:
    """2 k(x_i, x) − k(x, x).

    Summed with coefficients that add up to one it is, up to ‖c‖², minus the squared distance of
    Φ(x) from the centre c = Σ_i α_i Φ(x_i): the form in which a ball is a set of a `SetFamily`. It
    is no kernel in the sense of a scalar product. ``constant`` is k(x, x) where it is the same for
    all x and cannot be computed.
    """

    base: Kernel
    constant: float | None = None

    @property
    def nonnegative(self) -> bool:
        """Whether it is nowhere negative: far away it is."""
        return False

    def gram(self, A: FloatArray, B: FloatArray) -> FloatArray:
        """Return the matrix 2 k(a_i, b_j) − k(b_j, b_j)."""
        return 2.0 * self.base.gram(A, B) - self._own(B)

    def diagonal(self, A: FloatArray) -> FloatArray:
        """Return the values k(a_i, a_i)."""
        return self.base.diagonal(A)

    def grid_field(self, coefficients: FloatArray, centres: FloatArray, grid: Grid) -> FloatArray:
        """Return fields on a grid, from those of the kernel itself."""
        own = coefficients.sum(axis=1)[:, None] * self._own(grid.points())
        return 2.0 * self.base.grid_field(coefficients, centres, grid) - own

    def grid_gram(self, centres: FloatArray, grid: Grid) -> FloatArray:
        """Return the values on every pixel, one row per centre."""
        return 2.0 * self.base.grid_gram(centres, grid) - self._own(grid.points())

    def _own(self, B: FloatArray) -> FloatArray | float:
        return self.base.diagonal(B) if self.constant is None else self.constant


class SoftBall(NuEstimator):
    """Smallest soft ball around the data in feature space (eqs. 8.17–8.21).

    ::

        min_{R, c}  R² + 1/(νm) Σ_i ξ_i     subject to ‖Φ(x_i) − c‖² ≤ R² + ξ_i,  ξ_i ≥ 0

        dual  min_α  Σ_ij α_i α_j k(x_i, x_j) − Σ_i α_i k(x_i, x_i)
              subject to 0 ≤ α_i ≤ 1/(νm),  Σ_i α_i = 1

    (Schölkopf & Smola 2002; also known as support vector data description). The centre is
    c = Σ_i α_i Φ(x_i). For a kernel with constant k(x, x), the Gaussian for example, the set is
    that of `NuOneClassSVM`; for others, like a polynomial one, it is not.

    Parameters
    ----------
    sigma : float or str
        Width of the Gaussian kernel, or a rule, as in `OneClassSVM`.
    nu : float
        ν in (0, 1], an upper bound on the fraction of points outside the ball.
    level : float, optional
        The squared radius at which `decision_function` and `predict` answer; by default R².
    outlier_fraction : float, optional
        The same radius by a fraction ν' in [0, 1): the smallest radius that leaves out no more than
        this fraction of the training points.
    kernel : {"gaussian", "polynomial", "precomputed"}
        The kernel k. A precomputed one must have a constant diagonal: k(x, x) of a new point is not
        among the values it comes with.
    degree, tol, max_iter : int, float, int
        As in `OneClassSVM`.

    Attributes
    ----------
    family_ : SetFamily
        The balls around the same centre, over their squared radius; they grow with it.
    level_ : float
        The squared radius in use.
    offset_ : float
        Minus the squared radius in use: ``decision_function = score_samples - offset_``.
    radius_ : float
        R, the distance of the margin points from the centre: the ν-quantile of all distances.
    rho_ : float
        −R², the threshold for minus the squared distance.
    tolerance_ : float
        How far beyond R² a point inside may lie, by the accuracy of the solution.
    alpha_, support_ : ndarray
        As in `NuOneClassSVM`.
    objective_ : float
        The dual objective (8.18).
    kkt_residual_, duality_gap_, n_iter_, converged_
        As in `OneClassSVM`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [9.0]])
    >>> ball = SoftBall(nu=0.5, kernel="polynomial", degree=1).fit(X)
    >>> ball.predict(X), round(ball.radius_, 6)
    (array([-1,  1,  1,  1, -1]), 2.8)
    """

    _title = "The soft ball"

    def _solve(self, problem: Problem, callback: Callback | None) -> None:
        # Not the diagonal of the kernel matrix: there k(x, x) comes from a distance, and rounds.
        own = problem.kernel.diagonal(problem.centres)
        kernel = self._ball_kernel(problem.kernel, own)
        solution = self._solved(problem, callback, 0.5 * own)
        # The solver's gradient is ‖c‖²/2 minus half the squared distance.
        norm = inner(solution.alpha, solution.field)
        scores = 2.0 * solution.field - own - norm
        squared = max(norm - 2.0 * solution.rho, 0.0)
        solution = solution._replace(objective=2.0 * solution.objective)
        self._keep_solution(problem, solution, scores, -squared)
        self.radius_ = squared**0.5
        self.level_ = self._level_or(lambda: max(-self._chosen_offset(), 0.0))
        self.family_ = one_class_family(
            problem,
            kernel=kernel,
            levels=np.array([squared]),
            coefficients=solution.alpha[None],
            offsets=np.array([norm - squared]),
            orientation=1,
            domain=(0.0, np.inf),
            tail=-1.0,
            open_below=False,
            is_nested=True,
            tolerance=self.tolerance_,
            level_name="squared radius R²",
        )

    def _ball_kernel(self, kernel: Kernel, own: FloatArray) -> BallKernel:
        if not isinstance(kernel, PrecomputedKernel):
            return BallKernel(kernel)
        if np.ptp(own) > 1e-9 * np.abs(own).max():
            raise ValueError(
                "A soft ball over a precomputed kernel needs a constant diagonal: k(x, x) of a new "
                "point is not among the values it comes with. Use a kernel given by its name."
            )
        return BallKernel(kernel, float(own[0]))
