"""Follow a path from its start to its end and put its record together.

``path_walk.run`` takes events in compiled runs. Between runs this module listens to the callback,
makes room, has ties resolved, and now and then recomputes the residuals from the coefficients
alone; the drift found is added to the residuals it reports for the steps since the last time. A
correction of the coefficients is a step of its own, one unit in the last place long.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import CodeArray, FloatArray
from nestviz.solvers.path.drift import all_coefficients, correct, refresh, violation
from nestviz.solvers.path.events import run, write_step
from nestviz.solvers.path.records import EVENT, PathSolution
from nestviz.solvers.path.setup import ADRIFT_ABOVE, Problem, begin, blank_tape, more_room
from nestviz.solvers.path.state import ADRIFT, DONE, MARGIN, NOW, OFF, TIED, ZERO_GAP, Tape, Walk
from nestviz.solvers.path.ties import Event, Ties
from nestviz.solvers.records import Callback, Progress

EVENTS_PER_RUN = 512
# Events after which to give up.
EVENTS_PER_POINT, MORE_EVENTS = 500, 10_000


class Trace(NamedTuple):
    """A followed path and the state it ended in."""

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

    It ends at ``problem.end``; with ``until_left_empty`` as soon as no point is left in L; or when
    the callback returns True or ``max_events`` have passed, and then it has not converged.
    """
    N = len(c)
    limit = EVENTS_PER_POINT * N + MORE_EVENTS if max_events is None else max_events
    walk, ties = begin(problem, code, c), Ties(problem)
    record = _Record(problem, walk)
    checked, status = 0, -1
    while status != DONE and record.n_events < limit:
        tape = blank_tape(min(EVENTS_PER_RUN, limit - record.n_events), len(walk.margin))
        status = run(walk, tape, until_left_empty)
        record.add(tape)
        if status in (TIED, OFF) or record.n_events - checked >= max(N, EVENTS_PER_RUN):
            _settle(problem, walk, record)
            checked = record.n_events
        if status == TIED:
            problem, walk, events = ties.resolve(problem, walk)
            record.resolved(events, ties.shift(problem))
        if walk.tally[MARGIN] == len(walk.margin):
            walk = more_room(walk)
        if callback is not None and callback(_progress(problem, walk, record.n_events)):
            break
    record.add_drift(refresh(problem, walk))
    if status == DONE:
        correct(problem, walk)
    solution = record.solution(problem, converged=status == DONE)
    return Trace(solution, all_coefficients(walk), walk.code)


def _settle(problem: Problem, walk: Walk, record: _Record) -> None:
    """Take away the drift since the last time, and tell the walk when to come back."""
    record.add_drift(refresh(problem, walk))
    if correct(problem, walk):
        tape = blank_tape(1, len(walk.margin))
        write_step(walk, tape, int(walk.tally[MARGIN]))
        record.add(tape)
    rounding = 16.0 * walk.clock[ZERO_GAP]
    walk.clock[ADRIFT] = max(ADRIFT_ABOVE, (4.0 * violation(walk) + rounding) / problem.scale)


def _progress(problem: Problem, walk: Walk, events: int) -> Progress:
    now = float(walk.clock[NOW])
    return Progress(events, share=now / problem.length, level=problem.level_at(now))


class _Record:
    """The tapes of all runs, joined."""

    def __init__(self, problem: Problem, walk: Walk) -> None:
        self.start = problem.y * all_coefficients(walk)
        self.start_sets = walk.code.copy()
        self.moments = [np.zeros(1)]
        self.residuals = [np.array([violation(walk) / problem.scale])]
        self.ends = [np.zeros(1, np.int64)]
        self.points = [np.zeros(0, np.int32)]
        self.values = [np.zeros(0)]
        self.events = [np.zeros((0, 4), np.int32)]
        self.n_steps = self.n_entries = self.n_events = 0
        self.undrifted = 0
        self.shift = 0.0

    def add(self, tape: Tape) -> None:
        """Keep what one run has written."""
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
        """Keep who went where at a tie, and what targets are moved by from there on."""
        rows = [(self.n_steps, *event) for event in events]
        self.events.append(np.array(rows, np.int32).reshape(-1, 4))
        self.n_events += len(rows)
        self.shift = shift

    def add_drift(self, drift: float) -> None:
        """Charge the drift found to every breakpoint since the last time it was taken away."""
        for residual in self.residuals[self.undrifted :]:
            residual += drift
        self.undrifted = len(self.residuals)

    def solution(self, problem: Problem, *, converged: bool) -> PathSolution:
        """The path in terms of levels and of α = y c."""
        slope = problem.direction * problem.y * problem.bound_rate + 0.0  # no negative zeros
        return PathSolution(
            breakpoints=problem.level + problem.direction * np.concatenate(self.moments),
            start=self.start,
            start_sets=self.start_sets,
            upper_base=problem.y * problem.bound - slope * problem.level,
            upper_slope=slope,
            indptr=np.concatenate(self.ends),
            indices=np.concatenate(self.points),
            values=np.concatenate(self.values),
            events=_net_events(np.concatenate(self.events)),
            residuals=np.concatenate(self.residuals),
            converged=converged,
        )


def _net_events(rows: NDArray[np.int32]) -> NDArray[np.void]:
    """One event per point and breakpoint: where it came from first and where it went last."""
    order = np.lexsort((rows[:, 1], rows[:, 0]))
    same = np.all(rows[order][1:, :2] == rows[order][:-1, :2], axis=1)
    first = order[np.concatenate(([True], ~same))[: len(order)]]
    last = order[np.concatenate((~same, [True]))[-len(order) or len(same) + 1 :]]
    events = np.empty(len(first), EVENT)
    events["breakpoint"], events["point"] = rows[first, 0], rows[first, 1]
    events["from_set"], events["to_set"] = rows[first, 2], rows[last, 3]
    return events[events["from_set"] != events["to_set"]]
