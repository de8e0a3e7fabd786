"""The one-class SVM with coefficients of a higher level than its threshold."""

from __future__ import annotations

from nestviz.estimators.base import Problem
from nestviz.estimators.checks import checked_number
from nestviz.estimators.nested_one_class import level_leaving_out
from nestviz.estimators.one_class_path import OneClassPath
from nestviz.estimators.one_class_problem import SMALLEST_SHARE


class EtaOneClassPath(OneClassPath):
    """One-class SVM at every level λ, with the coefficients of the level ηλ (Vert & Vert 2006).

    ::

        G_λ = {x : Σ_i α_i(ηλ) k(x_i, x) ≥ λ},   η ≥ 1

    where α is the exact path of eq. 5 of Lee & Scott (2010), who name this variant after eq. 6. For
    a fixed η > 1 and a well-calibrated Gaussian width its sets are consistent estimates of density
    level sets; those of η = 1, `OneClassPath`, need not be. From λ_0/η up all coefficients are
    equal and the sets are those of `ParzenLevelSets`. The sets need not be nested for any η.

    Between breakpoints, which are those of the path divided by η, everything is linear in λ.

    Parameters
    ----------
    sigma : float or str
        Width of the Gaussian kernel, or a rule, as in `OneClassSVM`.
    eta : float
        η, from 1 up. With 1 the sets are those of `OneClassPath`.
    level : float, optional
        The level λ at which `decision_function` and `predict` answer; by default that of
        ``contamination``.
    contamination : float
        The same level by the share of the training points outside, in (0, 0.5]: the highest level
        from which on no more than this share is outside, as the sets grow.
    hold_below : float or None
        As in `OneClassPath`: the smallest level λ_M as a share of λ_0, below which the coefficients
        are held. It is the same λ_M for every η.
    kernel, degree : str, int
        As in `OneClassSVM`.

    Attributes
    ----------
    family_ : SetFamily
        All sets, over λ in (0, ∞).
    breakpoints_ : ndarray of shape (n_breakpoints,)
        Descending, from λ_0/η to 0.
    nus_ : ndarray of shape (n_breakpoints,)
        ν = Σ_i α_i(ηλ) at each breakpoint. No more than a share ν of the points is outside: the set
        contains that of the ν-SVM with the same coefficients.
    level_, offset_, hold_level_, events_, event_points_, alpha_
        As in `OneClassPath`, at the level of the threshold.
    path_residual_, objective_, kkt_residual_, duality_gap_, converged_
        Of the path that is solved, as in `OneClassPath`; the objective is that at η ``level_``.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(40, 2))
    >>> model = EtaOneClassPath(0.8, eta=2.0).fit(X)
    >>> float(model.breakpoints_[0] / OneClassPath(0.8).fit(X).breakpoints_[0])
    0.5
    """

    def __init__(
        self,
        sigma: float | str = "auto",
        eta: float = 2.0,
        *,
        level: float | None = None,
        contamination: float = 0.1,
        hold_below: float | None = SMALLEST_SHARE,
        kernel: str = "gaussian",
        degree: int = 2,
    ) -> None:
        self.sigma = sigma
        self.eta = eta
        self.level = level
        self.contamination = contamination
        self.hold_below = hold_below
        self.kernel = kernel
        self.degree = degree

    def _answer_level(self, problem: Problem) -> float:
        share = checked_number("contamination", self.contamination, above=0.0, at_most=0.5)

        def rule() -> float:
            stays = self.family_.last_level(problem.centres)
            return level_leaving_out(stays, problem.upper, share)

        return self._level_or(rule)

    def _checked_eta(self, share: float | None) -> float:
        eta = checked_number("eta", self.eta, above=0.0)
        if eta < 1.0:
            raise ValueError(f"eta must be 1 or more, not {self.eta!r}.")
        if share is not None and eta * share >= 1.0:
            raise ValueError(
                f"eta times hold_below must be below 1, not {eta * share:g}: at the smallest level "
                "the coefficients would already be those of the first."
            )
        return eta

    def cost_of_level(self, level: float) -> float:
        """Return the C of the one-class SVM whose coefficients a level has.

        Parameters
        ----------
        level : float
            The level λ.

        Returns
        -------
        float
            The cost C = 1/(n η λ).
        """
        return super().cost_of_level(level) / float(self.eta)
