"""What the classifiers that control the two errors share: a search, a fit, a shift."""

from __future__ import annotations

from typing import Any, Self

from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.estimators.base import warn_if_stopped
from nestviz.estimators.bias_shift import shifted_offset
from nestviz.estimators.checks import as_seed
from nestviz.estimators.dual_problem import ErrorRates, InterceptEstimator
from nestviz.estimators.error_control.axes import nu_axis, sigma_axis
from nestviz.estimators.error_control.criteria import Criterion, Misclassification
from nestviz.estimators.error_control.known_rates import search_table
from nestviz.estimators.error_control.rate_tables import ErrorTable
from nestviz.estimators.error_control.search import Search, Settings, search
from nestviz.kernels import GaussianKernel, Kernel
from nestviz.renamed import renamed
from nestviz.solvers.box_sum.dual_parameters import to_nu_gamma
from nestviz.solvers.box_sum.dual_svm import solve_dual_nu
from nestviz.solvers.records import Callback


@renamed(nu="nu_grid", folds="cv", seed="random_state", unshifted_offset_="unshifted_intercept_")
class ErrorControl(InterceptEstimator):
    """A 2ν-SVM whose parameters are searched for, and whose intercept may be shifted."""

    kernel = "gaussian"
    degree = 2
    search_: Search

    def __init__(
        self,
        *,
        strategy: str = "grid",
        smoothing: str = "3d",
        select_by: str = "aim",
        shift: bool = False,
        nu_grid: int | ArrayLike = 10,
        sigmas: int | ArrayLike = 10,
        cv: Any = 5,
        random_state: Any = 0,
        n_jobs: int | None = None,
        tol: float = 1e-6,
        max_iter: int = 1000,
    ) -> None:
        self.strategy = strategy
        self.smoothing = smoothing
        self.select_by = select_by
        self.shift = shift
        self.nu_grid = nu_grid
        self.sigmas = sigmas
        self.cv = cv
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.tol = tol
        self.max_iter = max_iter

    def fit(  # type: ignore[override]
        self, X: ArrayLike, y: ArrayLike, callback: Callback | None = None
    ) -> Self:
        """Search, and fit the 2ν-SVM that was chosen to all points.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.
        y : ndarray of shape (n_points,)
            Two classes; the larger label is positive.
        callback : callable, optional
            Called with a `Progress` of the search. A true return value stops it; the choice is
            then the best of the settings tried.

        Returns
        -------
        self
            The fitted estimator.
        """
        self.fit_chosen(X, y, self.search(X, y, callback))
        self._warn_about_choice()
        return self

    def search(self, X: ArrayLike, y: ArrayLike, callback: Callback | None = None) -> Search:
        """Search as `fit` does, without fitting the choice.

        Parameters
        ----------
        X, y : ndarray
            As in `fit`.
        callback : callable, optional
            As in `fit`.

        Returns
        -------
        Search
            The rates and the choice.
        """
        self._aim()
        points, signs = self._two_classes(X, y)
        criterion = self._criterion(int((signs > 0).sum()), int((signs < 0).sum()))
        settings = Settings(
            self.strategy, self.smoothing, nu_axis(self.nu_grid), sigma_axis(self.sigmas, points),
            self.cv, as_seed(self.random_state), self.n_jobs,
        )  # fmt: skip
        return search(points, signs, criterion, settings, callback)

    def choose(self, table: ErrorTable) -> Search:
        """Choose from a table of known rates, without training an SVM.

        Parameters
        ----------
        table : ErrorTable
            Rates over a whole grid; for the strategy "nu-svm" over its own values of ν.

        Returns
        -------
        Search
            The same as a search on the grid and the folds of the table.
        """
        settings = Settings(
            self.strategy, self.smoothing, table.nu_plus, table.sigmas,
            table.folds, table.seed, self.n_jobs,
        )  # fmt: skip
        return search_table(table, self._criterion(table.n_plus, table.n_minus), settings)

    def fit_chosen(self, X: ArrayLike, y: ArrayLike, search: Search) -> Self:
        """Fit the 2ν-SVM of an earlier search, such as one of `choose`, to all points.

        Parameters
        ----------
        X, y : ndarray
            As in `fit`.
        search : Search
            The search.

        Returns
        -------
        self
            The fitted estimator.
        """
        aim = self._aim()
        points, signs = self._two_classes(X, y)
        self.search_, self.sigma_ = search, search.sigma
        self.nu_plus_, self.nu_minus_ = search.nu_plus, search.nu_minus
        self._solve_chosen(X, y)
        if self.shift:
            scores = self.family_.values(points, 0.0)
            best = shifted_offset(scores, signs > 0, self.intercept_, aim)
            self.intercept_ = self.level_ = best
        self._keep_estimates(search)
        return self

    def _keep_estimates(self, search: Search) -> None:
        self.estimated_ = ErrorRates(*search.rates)
        self.caveat_ = self._caveat()

    def _warn_about_choice(self) -> None:
        """Warn if the choice does not meet the aim."""

    def _aim(self) -> Criterion:
        raise NotImplementedError

    def _caveat(self) -> str:
        raise NotImplementedError

    def _criterion(self, n_plus: int, n_minus: int) -> Criterion:
        if self.select_by == "aim":
            return self._aim()
        if self.select_by == "misclassification":
            return Misclassification(n_plus, n_minus)
        raise ValueError(f"select_by must be 'aim' or 'misclassification', not {self.select_by!r}.")

    def _make_kernel(self, points: FloatArray) -> Kernel:
        return GaussianKernel(self.sigma_)

    def _solve_chosen(self, X: ArrayLike, y: ArrayLike) -> None:
        problem = self._problem(X, y, None)
        solution = solve_dual_nu(
            problem.columns, problem.y, problem.weights, self.nu_plus_, self.nu_minus_,
            tol=self.tol, max_iter=self.max_iter,
        )  # fmt: skip
        self.nu_, self.gamma_ = to_nu_gamma(
            self.nu_plus_, self.nu_minus_, self.n_plus_, self.n_minus_
        )
        self.is_trivial_ = solution.is_trivial
        self._keep(problem, solution)
        self.unshifted_intercept_ = self.intercept_
        warn_if_stopped(self.converged_, "The 2ν-SVM")
