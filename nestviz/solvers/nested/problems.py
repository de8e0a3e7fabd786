"""The two nested problems, without their levels: the same points and bounds at any levels.

The solvers take them level by level; levels that are inserted later ask the same problem again.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.distances import inner
from nestviz.solvers.columns import Columns
from nestviz.solvers.nested.between import Segment, product
from nestviz.solvers.nested.feasible import (
    cost_sensitive_bounds,
    cost_sensitive_chains,
    level_weights,
    one_class_chains,
    settle_cost_sensitive,
    settle_one_class,
    weighted_chains,
)
from nestviz.solvers.records import Chains


class NestedProblem(Protocol):
    """What a solve at some levels, in the order of the paper's index m, needs of a problem."""

    @property
    def columns(self) -> Columns:
        """The kernel matrix."""

    def chains(self, levels: FloatArray) -> Chains:
        """Return the problem at these levels in the variables b."""

    def variables(self, alpha: FloatArray, levels: FloatArray) -> FloatArray:
        """Return b for coefficients α."""

    def settled(self, b: FloatArray, levels: FloatArray) -> FloatArray:
        """Return α near that of b, feasible to the last bit."""

    def mixing(
        self, before: FloatArray, after: FloatArray, new: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the weights of b at two levels in the b of interpolated α, as columns."""

    def reference(self, levels: FloatArray, alpha: FloatArray, F: FloatArray) -> float:
        """Return what gaps are relative to, from the coefficients at all levels."""

    def segment(
        self,
        levels: FloatArray,
        alpha: FloatArray,
        F: FloatArray,
        reference: float,
        *,
        nested: bool = True,
    ) -> Segment:
        """Return what the gap between two neighbouring levels depends on; F = b K.

        Compared with the best coefficients between those of the two levels, or if not ``nested``
        with the best of all that are within the bounds.
        """


class OneClassProblem(NamedTuple):
    """The nested one-class problem (12)–(14): levels λ, in descending order.

    If ``weighted``, the terms of the levels in (12) have the weights of `level_weights`.
    """

    columns: Columns
    upper: FloatArray
    weighted: bool = False

    def chains(self, levels: FloatArray) -> Chains:
        """Return the problem at these levels in the variables b = α/λ."""
        weights = level_weights(levels) if self.weighted else None
        return weighted_chains(one_class_chains(self.upper, levels), weights)

    def variables(self, alpha: FloatArray, levels: FloatArray) -> FloatArray:
        """Return b = α/λ."""
        return alpha / levels[:, None]

    def settled(self, b: FloatArray, levels: FloatArray) -> FloatArray:
        """Return α near λb, feasible to the last bit."""
        alpha = np.where(b >= self.upper / levels[:, None], self.upper, b * levels[:, None])
        return settle_one_class(alpha, self.upper, levels)

    def mixing(
        self, before: FloatArray, after: FloatArray, new: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the weights of b at two levels in the b of interpolated α, as columns."""
        t = (new - before) / (after - before)
        return ((1.0 - t) * before / new)[:, None], (t * after / new)[:, None]

    def reference(self, levels: FloatArray, alpha: FloatArray, F: FloatArray) -> float:
        """Return the dual value at λ_1, divided by λ_1: at no level is the optimum over λ less.

        The optimal value of the plain problem is concave in λ, and zero at zero.
        """
        return inner(alpha[0], 1.0 - 0.5 * F[0]) / float(levels[0])

    def segment(
        self,
        levels: FloatArray,
        alpha: FloatArray,
        F: FloatArray,
        reference: float,
        *,
        nested: bool = True,
    ) -> Segment:
        """Return the segment of two levels: λ b_m ≤ α ≤ λ b_(m+1) if nested, and 0 ≤ α ≤ u.

        Gaps are relative to the dual value at λ, unless it is below λ times the ``reference``.
        """
        scale, upper = levels[:, None], np.stack([self.upper] * 2)
        least = reference * product(scale, scale)
        value = product(alpha, scale * (1.0 - 0.5 * F))
        value = value if np.all(value[::2] >= least[::2]) else least
        low, high = np.zeros_like(alpha), upper
        if nested:
            low = np.stack([alpha[0], alpha[0] * (levels[1] / levels[0])])
            high = np.stack([alpha[1] * (levels[0] / levels[1]), alpha[1]])
        return Segment.of(alpha, scale * (F - 1.0), (low, high, upper), value)


class CostSensitiveProblem(NamedTuple):
    """The nested cost-sensitive problem (7)–(9): asymmetries γ, in ascending order.

    If ``weighted``, the terms of the levels in (7) have the weights of `level_weights`.
    """

    columns: Columns
    y: FloatArray
    weights: FloatArray
    lam: float
    weighted: bool = False

    def chains(self, levels: FloatArray) -> Chains:
        """Return the problem at these asymmetries in the variables b = yα."""
        weights = level_weights(levels) if self.weighted else None
        chains = cost_sensitive_chains(self.y, self.weights, self.lam, levels)
        return weighted_chains(chains, weights)

    def variables(self, alpha: FloatArray, levels: FloatArray) -> FloatArray:
        """Return b = yα."""
        return self.y * alpha

    def settled(self, b: FloatArray, levels: FloatArray) -> FloatArray:
        """Return α near yb, feasible to the last bit."""
        return settle_cost_sensitive(self.y * b, self.y, self.weights, levels)

    def mixing(
        self, before: FloatArray, after: FloatArray, new: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the weights of b at two levels in the b of interpolated α, as columns."""
        t = (new - before) / (after - before)
        return (1.0 - t)[:, None], t[:, None]

    def reference(self, levels: FloatArray, alpha: FloatArray, F: FloatArray) -> float:
        """Return the mean dual value of the levels; it is positive unless all α are zero."""
        values = (alpha * (1.0 - 0.5 * self.y * F / self.lam)).sum(axis=1)
        weights = level_weights(levels) if self.weighted else np.ones(len(levels))
        return inner(weights, values) / len(levels)

    def segment(
        self,
        levels: FloatArray,
        alpha: FloatArray,
        F: FloatArray,
        reference: float,
        *,
        nested: bool = True,
    ) -> Segment:
        """Return the segment of two asymmetries: yα between its neighbours if nested, 0 ≤ α ≤ u.

        Gaps are relative to the ``reference``.
        """
        upper = cost_sensitive_bounds(self.y, self.weights, levels)
        low, high = np.zeros_like(alpha), upper
        if nested:
            grows = self.y > 0
            low = np.stack([np.where(grows, alpha[0], alpha[1])] * 2)
            high = np.stack([np.where(grows, alpha[1], alpha[0])] * 2)
        value = self.lam * reference * np.array([1.0, 2.0, 1.0])
        return Segment.of(alpha, self.y * F - self.lam, (low, high, upper), value)
