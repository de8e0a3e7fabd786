"""The smallest soft ball around the data in feature space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.estimators.base import warn_if_stopped
from nestviz.estimators.nu_problem import NuEstimator
from nestviz.grids import Grid
from nestviz.kernels import Kernel, PrecomputedKernel
from nestviz.solvers.box_sum.nu_one_class import solve_nu_one_class


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
        """Far away it is negative."""
        return False

    def gram(self, A: FloatArray, B: FloatArray) -> FloatArray:
        """The matrix 2 k(a_i, b_j) − k(b_j, b_j)."""
        return 2.0 * self.base.gram(A, B) - self._own(B)

    def diagonal(self, A: FloatArray) -> FloatArray:
        """The values k(a_i, a_i)."""
        return self.base.diagonal(A)

    def grid_field(self, coefficients: FloatArray, centres: FloatArray, grid: Grid) -> FloatArray:
        """Fields on a grid, by those of the kernel itself."""
        own = coefficients.sum(axis=1)[:, None] * self._own(grid.points())
        return 2.0 * self.base.grid_field(coefficients, centres, grid) - own

    def grid_gram(self, centres: FloatArray, grid: Grid) -> FloatArray:
        """The values on every pixel, one row per centre."""
        return 2.0 * self.base.grid_gram(centres, grid) - self._own(grid.points())

    def _own(self, B: FloatArray) -> FloatArray | float:
        return self.base.diagonal(B) if self.constant is None else self.constant


class SoftBall(NuEstimator):
    """The smallest soft ball around the data in feature space (eqs. 8.17–8.21).

    ::

        min_{R, c}  R² + 1/(νm) Σ_i ξ_i     subject to ‖Φ(x_i) − c‖² ≤ R² + ξ_i,  ξ_i ≥ 0

        dual  min_α  Σ_ij α_i α_j k(x_i, x_j) − Σ_i α_i k(x_i, x_i)
              subject to 0 ≤ α_i ≤ 1/(νm),  Σ_i α_i = 1

    (Schölkopf & Smola 2002; also known as support vector data description). The centre is
    c = Σ_i α_i Φ(x_i). For a kernel with constant k(x, x), the Gaussian for example, the set is
    that of `NuOneClassSVM`; for others, like a polynomial one, it is not.

    Parameters
    ----------
    sigma : float, "median" or "miv"
        Width of the Gaussian kernel; "miv" takes the one of least integrated volume
        (`nestviz.volume.select_bandwidth` with seed 0), "miv:0.5" the same in a box with that
        margin.
    nu : float
        ν in (0, 1], an upper bound on the fraction of points outside the ball.
    outlier_fraction : float, optional
        ν' in [0, 1): `predict` then answers at the smallest radius that leaves out no more than
        this fraction of the training points.
    kernel : {"gaussian", "polynomial", "precomputed"}
        The kernel k. A precomputed one must have a constant diagonal: k(x, x) of a new point is not
        among the values it comes with.
    degree : int
        Degree of the polynomial kernel.
    tol : float
        Relative duality gap at which the solver stops.
    max_iter : int
        Rounds after which it stops in any case.

    Attributes
    ----------
    family_ : SetFamily
        The balls around the same centre, over their squared radius; they grow with it.
    level_ : float
        The squared radius in use.
    alpha_ : (1, N) array
        Coefficients.
    support_ : array
        Rows of the training points with a coefficient.
    radius_ : float
        R, the distance of the margin points from the centre: the ν-quantile of all distances.
    rho_ : float
        −R², the offset to which minus the squared distance is compared.
    tolerance_ : float
        How far beyond R² a point that belongs inside may lie, by the accuracy of the solution.
    objective_ : float
        The dual objective (8.18).
    kkt_residual_, duality_gap_ : float
        Certificate, recomputed from the coefficients.
    n_iter_ : int
        Rounds of the solver.
    converged_ : bool
        Whether the certificate is within ``tol``.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [9.0]])
    >>> ball = SoftBall(nu=0.5, kernel="polynomial", degree=1).fit(X)
    >>> ball.predict(X), round(ball.radius_, 6)
    (array([-1,  1,  1,  1, -1]), 2.8)
    """

    def fit(
        self,
        X: ArrayLike,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        callback: Any = None,
    ) -> SoftBall:
        """Find the ball; ``y`` is ignored, weights scale the upper bounds."""
        nu = self._checked_nu()
        problem = self._problem(X, sample_weight)
        # Not the diagonal of the kernel matrix: there k(x, x) comes from a distance, and rounds.
        own = problem.kernel.diagonal(problem.centres)
        kernel = self._ball_kernel(problem.kernel, own)
        solution = solve_nu_one_class(
            problem.columns, problem.upper / nu, linear=0.5 * own,
            tol=self.tol, max_iter=self.max_iter, callback=callback,
        )  # fmt: skip
        solution = self._verified(problem, solution, nu, 0.5 * own)
        # The solver's gradient is ‖c‖²/2 minus half the squared distance.
        norm = float(solution.alpha @ solution.field)
        scores = 2.0 * solution.field - own - norm
        squared = max(norm - 2.0 * solution.rho, 0.0)
        solution = solution._replace(objective=2.0 * solution.objective)
        self._keep_solution(problem, solution, nu, scores, -squared)
        self.radius_ = squared**0.5
        self.level_ = max(-self._chosen_offset(), 0.0)
        self.family_ = self._one_class_family(
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
        warn_if_stopped(self.converged_, "The soft ball")
        return self

    def offset_of_fraction(self, fraction: float) -> float:
        """Minus the smallest squared radius that leaves out no more than a fraction ν'.

        Parameters
        ----------
        fraction : float
            ν', from 0 up to but not including 1.

        Returns
        -------
        float
            An offset for `score_samples`; its negative is a level of ``family_``.
        """
        return super().offset_of_fraction(fraction)

    def score_samples(self, X: ArrayLike) -> FloatArray:
        """Minus the squared distance from the centre: larger is more normal."""
        return self.decision_function(X) - self.level_

    @property
    def offset_(self) -> float:
        """Minus the squared radius: ``decision_function = score_samples - offset_``."""
        return -self.level_

    def _ball_kernel(self, kernel: Kernel, own: FloatArray) -> BallKernel:
        if not isinstance(kernel, PrecomputedKernel):
            return BallKernel(kernel)
        if np.ptp(own) > 1e-9 * np.abs(own).max():
            raise ValueError(
                "A soft ball over a precomputed kernel needs a constant diagonal: k(x, x) of a new "
                "point is not among the values it comes with. Use a kernel given by its name."
            )
        return BallKernel(kernel, float(own[0]))
