"""Follow a path from start to end and assemble its record.

``events.run`` processes events in compiled runs. Between runs this module calls the callback, grows
arrays, resolves ties, and at times recomputes the residuals from the coefficients. The drift found
is added to the residuals reported for the steps since the last time. A correction of the
coefficients is a step of its own, one unit in the last place long.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import CodeArray, FloatArray, joined
from nestviz.solvers.path import slots as at
from nestviz.solvers.path.drift import all_coefficients, correct, refresh, violation
from nestviz.solvers.path.events import run, write_step
from nestviz.solvers.path.records import EVENT, PathSolution
from nestviz.solvers.path.setup import (
    ADRIFT_ABOVE,
    Problem,
    begin,
    blank_tape,
    events_at_once,
    with_larger_margin,
)
from nestviz.solvers.path.state import DONE, OFF, TIED, PathState, Tape
from nestviz.solvers.path.ties import Event, Ties
from nestviz.solvers.records import Callback, Progress

EVENTS_PER_CHECK = 512
# Events after which to give up.
EVENTS_PER_POINT, MORE_EVENTS = 500, 10_000


class Trace(NamedTuple):
    """A path with the coefficients and sets at its end."""

    solution: PathSolution
    c: FloatArray
    code: CodeArray


def follow(
    problem: Problem,
    code: CodeArray,
    c: FloatArray,
    *,
    until_left_empty: bool = False,
    callback: Callback | None = None,
    max_events: int | None = None,
) -> Trace:
    """Follow the path of ``problem`` from the optimal sets ``code`` and coefficients ``c``.

    It ends at ``problem.end``, or with ``until_left_empty`` as soon as L is empty. It has not
    converged if the callback returned True or ``max_events`` were reached.
    """
    N = len(c)
    limit = EVENTS_PER_POINT * N + MORE_EVENTS if max_events is None else max_events
    state, ties = begin(problem, code, c), Ties(problem)
    record = _Record(problem, state)
    checked, status = 0, -1
    while status != DONE and record.n_events < limit:
        tape = blank_tape(min(events_at_once(state), limit - record.n_events), len(state.margin))
        status = run(state, tape, until_left_empty)
        record.add(tape)
        if status in (TIED, OFF) or record.n_events - checked >= max(N, EVENTS_PER_CHECK):
            _settle(problem, state, record)
            checked = record.n_events
        if status == TIED:
            problem, state, events = ties.resolve(problem, state)
            record.resolved(events, ties.shift(problem))
        if state.tally[at.MARGIN] == len(state.margin):
            state = with_larger_margin(state)
        if callback is not None and callback(_progress(problem, state, record.n_events)):
            break
    record.add_drift(refresh(problem, state))
    if status == DONE:
        correct(problem, state)
    solution = record.solution(problem, converged=status == DONE)
    return Trace(solution, all_coefficients(state), state.code)


def _settle(problem: Problem, state: PathState, record: _Record) -> None:
    """Correct the drift, and set the residual at which to correct it next."""
    record.add_drift(refresh(problem, state))
    if correct(problem, state):
        tape = blank_tape(1, len(state.margin))
        write_step(state, tape, int(state.tally[at.MARGIN]))
        record.add(tape)
    rounding = 16.0 * state.clock[at.ZERO_GAP]
    state.clock[at.ADRIFT] = max(ADRIFT_ABOVE, (4.0 * violation(state) + rounding) / problem.scale)


def _progress(problem: Problem, state: PathState, events: int) -> Progress:
    now = float(state.clock[at.NOW])
    return Progress(events, share=now / problem.length, level=problem.level_at(now))


class _Record:
    """The concatenated tapes of all runs."""

    def __init__(self, problem: Problem, state: PathState) -> None:
        self.start = problem.y * all_coefficients(state)
        self.start_sets = state.code.copy()
        self.moments = [np.zeros(1)]
        self.residuals = [np.array([violation(state) / problem.scale])]
        self.ends = [np.zeros(1, np.int64)]
        self.points = [np.zeros(0, np.int32)]
        self.values = [np.zeros(0)]
        self.events = [np.zeros((0, 4), np.int32)]
        self.n_steps = self.n_entries = self.n_events = 0
        self.undrifted = 0
        self.shift = 0.0

    def add(self, tape: Tape) -> None:
        """Add the record of one run."""
        steps, entries, events = (int(k) for k in tape.used)
        self.moments.append(tape.moment[:steps].copy())
        self.residuals.append(tape.residual[:steps] + self.shift)
        self.ends.append(tape.end[:steps] + self.n_entries)
        self.points.append(tape.point[:entries].copy())
        self.values.append(tape.value[:entries].copy())
        happened = tape.event[:events].copy()
        happened[:, 0] += self.n_steps
        self.events.append(happened)
        self.n_steps += steps
        self.n_entries += entries
        self.n_events += events

    def resolved(self, events: list[Event], shift: float) -> None:
        """Add the events of a tie, and the shift of the targets from there on."""
        rows = [(self.n_steps, *event) for event in events]
        self.events.append(np.array(rows, np.int32).reshape(-1, 4))
        self.n_events += len(rows)
        self.shift = shift

    def add_drift(self, drift: float) -> None:
        """Add the drift to the residuals of all breakpoints since the last correction."""
        for residual in self.residuals[self.undrifted :]:
            residual += drift
        self.undrifted = len(self.residuals)

    def solution(self, problem: Problem, *, converged: bool) -> PathSolution:
        """Return the path in terms of levels and α = y c."""
        slope = problem.direction * problem.y * problem.bound_rate + 0.0  # no negative zeros
        return PathSolution(
            breakpoints=problem.level + problem.direction * np.concatenate(self.moments),
            start=self.start,
            start_sets=self.start_sets,
            upper_base=problem.y * problem.bound - slope * problem.level,
            upper_slope=slope,
            indptr=np.concatenate(self.ends),
            indices=joined(self.points),
            values=joined(self.values),
            events=_net_events(np.concatenate(self.events)),
            residuals=np.concatenate(self.residuals),
            converged=converged,
        )


def _net_events(rows: NDArray[np.int32]) -> NDArray[np.void]:
    """Reduce events to one per point and breakpoint: from its first set to its last."""
    order = np.lexsort((rows[:, 1], rows[:, 0]))
    same = np.all(rows[order][1:, :2] == rows[order][:-1, :2], axis=1)
    first = order[np.concatenate(([True], ~same))[: len(order)]]
    last = order[np.concatenate((~same, [True]))[-len(order) or len(same) + 1 :]]
    events = np.empty(len(first), EVENT)
    events["breakpoint"], events["point"] = rows[first, 0], rows[first, 1]
    events["from_set"], events["to_set"] = rows[first, 2], rows[last, 3]
    return events[events["from_set"] != events["to_set"]]
