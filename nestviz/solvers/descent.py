"""The loop that all iterative solvers share: improve, certify, stop on recomputed values."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from nestviz.solvers.records import Callback, Progress


class Judgement(NamedTuple):
    """Objective, relative primal–dual gap, and whether the solve may end."""

    objective: float
    duality_gap: float
    done: bool


class Rounds(Protocol):
    """A problem with its current coefficients and their field."""

    def judge(self) -> Judgement:
        """Certify the current coefficients."""

    def improve(self) -> None:
        """Choose a working set and lower the objective over it."""

    def refresh(self, stopped: bool) -> None:
        """Make the coefficients exactly feasible and recompute their field.

        ``stopped`` says that the callback asked to stop, so no time is to be spent on accuracy.
        """


def descend(
    rounds: Rounds,
    *,
    max_iter: int,
    patience: int,
    callback: Callback | None = None,
    fresh: bool = False,
) -> int:
    """Improve until done, at most ``max_iter`` times, and return the number of rounds.

    A solve ends only on a field that was computed from the coefficients, so that rounding
    accumulated in updates cannot decide; ``fresh`` says that this is so at the start. It also ends
    after ``patience`` rounds without a lower objective, or when the callback returns True.
    """
    iteration, reported, stopped = 0, -1, False
    lowest, idle = np.inf, 0
    while True:
        state = rounds.judge()
        if reported < iteration:
            reported = iteration
            if callback is not None:
                stopped = callback(Progress(iteration, state.objective, state.duality_gap))
            lowest, idle = (state.objective, 0) if state.objective < lowest else (lowest, idle + 1)
        if stopped or state.done or iteration >= max_iter or idle >= patience:
            if fresh:
                return iteration
            rounds.refresh(stopped)
            fresh = True
        else:
            rounds.improve()
            fresh, iteration = False, iteration + 1
