"""Where the path goes when many points reach the margin, or their bounds, at the same moment.

Steps of length zero taken one at a time may go round in circles there: points that tie by symmetry
differ by rounding alone, and rounding would have to decide. Seen through a magnifying glass the
question is another path. With T = T* + ετ and c = c* + εr, only the tied points and those strictly
between their bounds matter for small ε; the latter have no bounds, and every tied point has one,
zero or one that moves, from which it may part to one side. Whatever residuals the tied points are
given in this problem vanish in the limit of large τ. So they get residuals of ordinary, different
sizes, by which nothing ties any more; the magnified path is followed to its end, and the sets it
ends in are the sets with which the real path leaves T*.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestviz.solvers.path_drift import all_coefficients
from nestviz.solvers.path_setup import Problem, begin, blank_tape, more_room
from nestviz.solvers.path_state import (
    CAUTION,
    DONE,
    END,
    IDLE,
    MARGIN,
    MARK,
    NOW,
    TIED,
    WATCHED,
    ZERO_GAP,
    ZERO_SLOPE,
    E,
    L,
    R,
    Walk,
    enter,
    leave,
)
from nestviz.solvers.path_walk import run
from nestviz.solvers.path_watch import watch

FloatArray = NDArray[np.float64]
CodeArray = NDArray[np.int8]

AT_BOUND = 1e-13
TIE = 16.0
FAR = 1e200
END_OF_GLASS = 1e15


def resolve(problem: Problem, walk: Walk, seed: int, blur: float):
    far = walk.bound + walk.clock[NOW] * walk.bound_rate
    side = np.where(walk.code == L, walk.y, -walk.y)
    c = all_coefficients(walk)
    on = walk.code == E
    tol = np.maximum(AT_BOUND * walk.size, blur * problem.scale / np.maximum(np.diagonal(problem.K), 1e-300))
    tol = np.minimum(tol, 1e-6 * walk.size)
    at_zero, at_far = np.abs(c) <= tol, np.abs(far - c) <= tol
    gap = side * walk.rho
    tied = np.where(on, at_zero | at_far, gap <= max(TIE * walk.clock[ZERO_GAP], blur * problem.scale))
    free = np.flatnonzero(on & ~tied)
    D = np.flatnonzero(tied)
    both = (at_zero & at_far)[D] & (walk.bound_rate[D] != 0)
    is_far = (np.where(on, at_far & ~at_zero, walk.code == L))[D]
    flip = is_far & ~both
    yD = np.where(flip, -walk.y[D], walk.y[D])
    inside = walk.code == L
    inside[D] = flip
    moving = np.where(inside, walk.bound_rate, 0.0)
    pull = problem.target_rate - (problem.K @ moving if moving.any() else 0.0)
    sub = np.concatenate([free, D])
    nf, n = len(free), len(sub)
    y = np.concatenate([np.zeros(nf), yD])
    both_all = np.concatenate([np.zeros(nf, bool), both])
    size = walk.size[sub]
    local = Problem(
        K=np.ascontiguousarray(problem.K[np.ix_(sub, sub)]),
        y=y,
        target=np.zeros(n),
        target_rate=pull[sub],
        bound=np.where(both_all, 0.0, np.where(y == 0, 1.0, y) * size),
        bound_rate=np.where(both_all, walk.bound_rate[sub], 0.0),
        level=0.0,
        direction=1.0,
        end=problem.length,
        length=problem.length,
        scale=problem.scale,
    )
    code = np.full(n, R, np.int8)
    code[:nf] = E
    code[nf:][both & (walk.code[D] == L)] = L
    glass = begin(local, code, np.zeros(n))
    glass.size[:] = size
    glass.clock[END] = END_OF_GLASS * problem.length
    glass.clock[ZERO_GAP] = walk.clock[ZERO_GAP]
    glass.clock[ZERO_SLOPE] = walk.clock[ZERO_SLOPE]
    glass.clock[CAUTION] = walk.clock[CAUTION]
    glass.bound[:] = np.where(both_all, 0.0, y * FAR)
    xi = np.random.default_rng(seed).uniform(1, 2, n) * problem.scale
    glass.rho[:] = np.where(code == E, 0.0, np.where(code == L, y, -y) * xi)
    glass.held[:] = 0.0
    watch(glass, np.inf)
    events, status = 0, -1
    while status not in (DONE, TIED) and events < 50 * n + 1000:
        tape = blank_tape(256, len(glass.margin))
        status = run(glass, tape, False)
        events += int(tape.used[2])
        if glass.tally[MARGIN] == len(glass.margin):
            glass = more_room(glass)
    new = glass.code[nf:].copy()
    new[(new == R) & flip] = L
    order = [int(k) - nf for k in glass.margin[: glass.tally[MARGIN]] if k >= nf]
    return _apply(walk, D, new, order) + (status, events, len(D), nf)


def _apply(walk: Walk, D, new, order):
    events = []
    want = dict(zip(D.tolist(), new.tolist(), strict=True))
    for k in range(walk.tally[MARGIN] - 1, -1, -1):
        i = int(walk.margin[k])
        if want.get(i, E) != E:
            leave(walk, k, want[i])
            events.append((i, E, want[i]))
    while len(walk.margin) < min(walk.tally[MARGIN] + len(order) + 2, len(walk.c) + 1):
        walk = more_room(walk)
    for i, to in want.items():
        if to != E and walk.code[i] not in (E, to):
            events.append((i, int(walk.code[i]), to))
            _enter(walk, i)
            leave(walk, walk.tally[MARGIN] - 1, to)
    for k in order:
        i = int(D[k])
        if walk.code[i] != E:
            events.append((i, int(walk.code[i]), E))
            _enter(walk, i)
    walk.tally[IDLE] = 0
    walk.clock[MARK] = walk.clock[NOW]
    return walk, events


def _enter(walk: Walk, i: int) -> None:
    enter(walk, int(np.flatnonzero(walk.watched[: walk.tally[WATCHED]] == i)[0]))


def shift(problem: Problem, pristine: FloatArray, walk: Walk, blur: float, seed: int) -> Problem:
    """Keep the points beside the margin at a distance, each its own, by moving their targets."""
    now = walk.clock[NOW]
    true = pristine + now * problem.target_rate - problem.K @ all_coefficients(walk)
    side = np.where(walk.code == L, walk.y, -walk.y)
    distance = blur * problem.scale * np.random.default_rng(seed).uniform(1, 2, len(true))
    target = np.where(walk.code == E, problem.target, pristine)
    near = (walk.code != E) & (side * true < distance)
    target[near] += side[near] * (distance - side * true)[near]
    return problem._replace(target=target)
