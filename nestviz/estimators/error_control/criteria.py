"""Criteria of a search over (ν₊, ν₋, σ), as orders of the pairs (P_F, P_M): least is best."""

from __future__ import annotations

from typing import NamedTuple, Protocol

#: Averages of the same shares in another order differ in their last digits, which must not decide.
DIGITS = 12


class Criterion(Protocol):
    """An order of settings by their two error rates."""

    def key(self, false_alarm: float, miss: float) -> tuple[float, ...]:
        """Return numbers to compare in turn; the least is best."""


class Minimax(NamedTuple):
    """Least max(P_F, P_M) (Davenport 2007, section 3.1); of equal ones the least sum."""

    def key(self, false_alarm: float, miss: float) -> tuple[float, ...]:
        """Return the worse rate, then the sum."""
        return round(max(false_alarm, miss), DIGITS), round(false_alarm + miss, DIGITS)


class NeymanPearson(NamedTuple):
    """Least P_M among settings with P_F ≤ α (section 4.1.1).

    Where no setting is within the constraint, the least P_F: a descent then moves towards one.
    """

    alpha: float

    def key(self, false_alarm: float, miss: float) -> tuple[float, ...]:
        """Return whether the constraint is broken, the rate to minimise, the other rate."""
        alarm, missed = round(false_alarm, DIGITS), round(miss, DIGITS)
        if alarm <= round(self.alpha, DIGITS):
            return 0.0, missed, alarm
        return 1.0, alarm, missed


class Misclassification(NamedTuple):
    """Least share of points misclassified, whatever their class; of equal ones the least worst."""

    n_plus: int
    n_minus: int

    def key(self, false_alarm: float, miss: float) -> tuple[float, ...]:
        """Return the share of mistakes, then the worse rate."""
        mistakes = false_alarm * self.n_minus + miss * self.n_plus
        share = mistakes / (self.n_plus + self.n_minus)
        return round(share, DIGITS), round(max(false_alarm, miss), DIGITS)
