"""How well values agree with the published ones, in words and counts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nestviz.studies.findings import Claim, Value

ONE, TWO, BEYOND = "within 1 sd", "within 2 sd", "beyond 2 sd"
EQUAL, DIFFERENT = "equal as printed", "no sd printed"
UNPUBLISHED = "not published"
MARKS = {ONE: "●", TWO: "◐", BEYOND: "○", EQUAL: "●", DIFFERENT: "–", UNPUBLISHED: ""}
"""A sign for each agreement, which says the same without colour."""
HELD, NOT_HELD, UNDECIDED = "held", "not held", "undecided"
VERDICT_MARKS = {HELD: "✓", NOT_HELD: "✗", UNDECIDED: "?"}


def agreement(value: Value) -> str:
    """Return how far ours is from the published value: one of the keys of `MARKS`.

    A published standard deviation that rounds to zero counts: only equal values are within it.
    """
    if not math.isfinite(value.published) or not math.isfinite(value.ours):
        return UNPUBLISHED
    if not math.isfinite(value.published_sd):
        return EQUAL if value.distance == 0.0 else DIFFERENT
    if value.distance <= 1.0:
        return ONE
    return TWO if value.distance <= 2.0 else BEYOND


@dataclass(frozen=True)
class Counts:
    """How many of some values agree."""

    compared: int
    """Values with a published standard deviation."""
    one: int
    two: int
    """Of these, within one and within two published standard deviations."""
    others: int
    """Values published without a standard deviation."""
    equal: int
    """Of these, equal as printed."""

    def in_words(self) -> str:
        """Return the counts as a sentence; empty where nothing is published."""
        parts = []
        if self.compared:
            parts.append(
                f"{self.one} of {self.compared} values are within one published standard "
                f"deviation, {self.two} within two."
            )
        if self.others:
            parts.append(
                f"{self.others} values are published without a standard deviation; {self.equal} "
                "of them are equal as printed."
            )
        return " ".join(parts)


def count(values: Iterable[Value]) -> Counts:
    """Count the values that agree with the published ones."""
    found = [agreement(value) for value in values]
    one, two = found.count(ONE), found.count(TWO)
    equal, different = found.count(EQUAL), found.count(DIFFERENT)
    return Counts(one + two + found.count(BEYOND), one, one + two, equal + different, equal)


def verdict(claim: Claim) -> str:
    """Return whether a claim held, in a word."""
    return UNDECIDED if claim.held is None else HELD if claim.held else NOT_HELD


def verdicts(claims: Sequence[Claim]) -> dict[str, int]:
    """Count the claims by verdict, in a fixed order."""
    found = [verdict(claim) for claim in claims]
    return {word: found.count(word) for word in VERDICT_MARKS}
