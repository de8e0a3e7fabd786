"""Follow a path from its start to its end and put its record together.

``path_walk.run`` takes events in compiled runs. Between runs this module listens to the callback,
makes room, and now and then recomputes the residuals from the coefficients alone; the drift found
is added to the residuals it reports for the steps since the last time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestviz.solvers.path_drift import all_coefficients, refresh
from nestviz.solvers.path_records import EVENT, PathSolution
from nestviz.solvers.path_setup import Problem, begin, blank_tape, more_room
from nestviz.solvers.path_state import DONE, MARGIN, NOW, TIED, Tape, Walk
from nestviz.solvers.path_ties import resolve, shift
from nestviz.solvers.path_walk import PROGRESS, run, violation

FloatArray = NDArray[np.float64]
CodeArray = NDArray[np.int8]

EVENTS_PER_RUN = 512
import os
DEBUG='DEBUG' in os.environ
MAXBLUR=float(os.environ.get('MAXBLUR','1e-10'))


class PathProgress(NamedTuple):
    """What a callback is told: level reached, share of the way, events so far, margin points."""

    level: float
    travelled: float
    events: int
    margin: int


Callback = Callable[[PathProgress], bool]


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
    limit = 200 * N + 10_000 if max_events is None else max_events
    walk = begin(problem, code, c)
    record = _Record(problem, walk)
    checked, status = 0, -1
    pristine = problem.target
    parted, blur, last = 0, 1e-12, -1.0
    while status != DONE and record.n_events < limit:
        tape = blank_tape(min(EVENTS_PER_RUN, limit - record.n_events), len(walk.margin))
        status = run(walk, tape, until_left_empty)
        record.add(tape)
        if status == TIED:
            parted += 1
            record.add_drift(refresh(problem, walk))
            moved = walk.clock[NOW] - last
            blur = min(10 * blur, MAXBLUR) if moved < PROGRESS * problem.length else 1e-12
            last = walk.clock[NOW]
            walk, events, *info = resolve(problem, walk, parted, blur)
            problem = shift(problem, pristine, walk, blur, parted)
            refresh(problem, walk)
            record.shift = float(np.abs(problem.target - pristine).max()) / problem.scale
            if DEBUG:
                print(parted, walk.clock[NOW], info, len(events))
            record.note(events)
        if record.n_events - checked >= max(N, EVENTS_PER_RUN):
            record.add_drift(refresh(problem, walk))
            checked = record.n_events
        if walk.tally[MARGIN] == len(walk.margin):
            walk = more_room(walk)
        if callback is not None and callback(_progress(problem, walk, record.n_events)):
            break
    record.add_drift(refresh(problem, walk))
    solution = record.solution(problem, converged=status == DONE)
    return Trace(solution, all_coefficients(walk), walk.code)


def _progress(problem: Problem, walk: Walk, events: int) -> PathProgress:
    now = float(walk.clock[NOW])
    margin = int(walk.tally[MARGIN])
    return PathProgress(problem.level_at(now), now / problem.length, events, margin)


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

    def note(self, events) -> None:
        rows = [(self.n_steps, i, before, after) for i, before, after in events]
        self.events.append(np.array(rows, np.int32).reshape(-1, 4))
        self.n_events += len(rows)

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
