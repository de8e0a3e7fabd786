"""The events of a solution path.

Both paths of the papers are one parametric problem in T, the distance from the first level. With
signed coefficients c_i = y_i α_i,

    min_c  ½ cᵀKc − q(T)ᵀc     subject to c_i between 0 and B_i(T),

where q and B are linear in T. With the residual ρ = q − Kc every point is in one of three sets:

    L: c_i = B_i and y_i ρ_i ≥ 0;   E: ρ_i = 0, c_i anywhere between;   R: c_i = 0 and y_i ρ_i ≤ 0.

While the sets do not change, everything is linear in T: points of L move with their bound, points
of E so that their residual stays zero. The next event is when a point outside E reaches ρ = 0 or a
point of E reaches one of its bounds.

Ties and singular margins
-------------------------
* Steps of length zero are taken by least index (Murty's rule), which cannot cycle on a positive
  definite K_EE without rounding. After more than ``PATIENCE`` · N of them without progress,
  :mod:`nestviz.solvers.path.ties` finds the sets to continue with.
* A point that is nearly dependent on the margin would make K_EE singular. It gets a ridge on its
  diagonal entry: enough to move its residual by about 1e-10 of the scale, or by rounding where K is
  large against the scale.
* Slopes below the rounding noise start no event. Nor do slopes due to ridges, until they have added
  up to a residual of ``DEEP``.

All three leave residuals that are measured, and corrected where they grow:
:mod:`nestviz.solvers.path.follow`.
"""

from __future__ import annotations

from nestviz.compiled import fma, njit
from nestviz.solvers.cholesky import solve_upper
from nestviz.solvers.path import slots as at
from nestviz.solvers.path.drift import violation
from nestviz.solvers.path.state import (
    DONE,
    ENTER,
    EPS,
    FINISH,
    FULL,
    MORE,
    OFF,
    PAUSE,
    SHORTEST,
    TIED,
    TO_L,
    TO_R,
    E,
    L,
    PathState,
    R,
    Tape,
    enter,
    leave,
)
from nestviz.solvers.path.watch import LONGEST_WATCH, renew, spend

# Rates and coefficients below these shares of a point's own size are noise.
ZERO_RATE = 1e-13
ZERO_COEFFICIENT = 1e-14
# A residual of the wrong sign, as a share of the scale, that starts an event.
DEEP = 1e-9
# Events per point, and some more, within this share of the path that count as a tie.
PATIENCE, SOME_MORE = 2, 20
PROGRESS = 1e-9


@njit(cache=True, nogil=True)
def _slopes(state: PathState, m: int, n: int) -> None:
    """Compute slope = side · (pull − K[watched, E] b), eight rows of the panel at a time."""
    slope, panel, row, b = state.slope, state.panel, state.row, state.b
    for j in range(n):
        slope[j] = state.pull[state.watched[j]]
    k = 0
    while k + 7 < m:
        p0, p1, p2, p3 = panel[row[k]], panel[row[k + 1]], panel[row[k + 2]], panel[row[k + 3]]
        p4, p5, p6, p7 = panel[row[k + 4]], panel[row[k + 5]], panel[row[k + 6]], panel[row[k + 7]]
        b0, b1, b2, b3 = b[k], b[k + 1], b[k + 2], b[k + 3]
        b4, b5, b6, b7 = b[k + 4], b[k + 5], b[k + 6], b[k + 7]
        for j in range(n):
            part = fma(-b1, p1[j], fma(-b0, p0[j], slope[j]))
            part = fma(-b3, p3[j], fma(-b2, p2[j], part))
            part = fma(-b5, p5[j], fma(-b4, p4[j], part))
            slope[j] = fma(-b7, p7[j], fma(-b6, p6[j], part))
        k += 8
    while k < m:
        p0, b0 = panel[row[k]], b[k]
        for j in range(n):
            slope[j] = fma(-b0, p0[j], slope[j])
        k += 1
    for j in range(n):
        slope[j] *= state.side[j]


@njit(cache=True, nogil=True)
def _slope_noise(state: PathState, m: int) -> tuple[float, float]:
    """Return the noise of a slope from rounding, and from rounding and ridges.

    Points that depend on the margin have the slopes that ridges leave there. Counted as real, these
    would bring every such point onto the margin, each with a ridge of its own.
    """
    rounding, ridges = 0.0, 0.0
    for k in range(m):
        i = state.margin[k]
        rounding += abs(state.b[k]) * state.weight[i]
        ridges += state.ridge[i] * abs(state.b[k] - state.anchor[i])
    noise = max(state.clock[at.ZERO_SLOPE], 4.0 * EPS * rounding)
    return noise, noise + 2.0 * ridges


@njit(cache=True, nogil=True)
def _first_to_enter(state: PathState, m: int, n: int, reach: float) -> tuple[float, int]:
    """Return when, within ``reach``, a point outside first meets the margin, and its index."""
    gap, slope = state.gap, state.slope
    zero = state.clock[at.ZERO_GAP]
    rounding, noise = _slope_noise(state, m)
    best, place = reach, -1
    for j in range(n):
        speed = -slope[j]
        # A product instead of a quotient: most points need no division.
        if speed > noise and gap[j] <= best * speed + zero:
            t = 0.0 if gap[j] <= zero else gap[j] / speed
            tied = place >= 0 and t == best and state.watched[j] < state.watched[place]
            if t < best or tied:
                best, place = t, j
    # Slopes due to ridges matter once they have added up.
    if noise > rounding:
        deep = -max(DEEP * state.clock[at.SCALE], 16.0 * zero)
        for j in range(n):
            if gap[j] < deep and -slope[j] > rounding:
                first = best > 0.0 or place < 0
                if first or state.watched[j] < state.watched[place]:
                    best, place = 0.0, j
    return best, place


@njit(cache=True, nogil=True)
def _first_to_leave(state: PathState, m: int, reach: float) -> tuple[float, int, int]:
    """Return when, within ``reach``, a margin point first meets a bound, its index, the bound."""
    best, place, kind = reach, -1, FINISH
    now, noise = state.clock[at.NOW], ZERO_RATE / state.clock[at.LENGTH]
    for k in range(m):
        i = state.margin[k]
        y, size = state.y[i], state.size[i]
        rate = y * state.b[k]
        ahead, speed, towards = y * state.c[i], -rate, TO_R
        far_speed = rate - y * state.bound_rate[i]
        far_reach = y * (state.bound[i] + now * state.bound_rate[i] - state.c[i])
        # With a moving bound both may be ahead: take the first.
        if far_speed > noise * size and (
            speed <= noise * size or far_reach * speed < ahead * far_speed
        ):
            ahead, speed, towards = far_reach, far_speed, TO_L
        if speed > noise * size and ahead < best * speed + ZERO_COEFFICIENT * size:
            t = 0.0 if ahead <= ZERO_COEFFICIENT * size else ahead / speed
            tied = place >= 0 and t == best and i < state.margin[place]
            if t < best or tied:
                best, place, kind = t, k, towards
    return best, place, kind


@njit(cache=True, nogil=True)
def _next_event(state: PathState, m: int, n: int) -> tuple[float, int, int]:
    """Compute direction and slopes; return step length, index of the point that ends it, kind."""
    reach = max(state.clock[at.END] - state.clock[at.NOW], 0.0)
    solve_upper(state.U, m, state.w, state.b)
    # At the very end all events may coincide. The remaining step is below all tolerances as long
    # as no coefficient moves.
    if reach <= state.clock[at.LAST]:
        state.b[:m] = 0.0
        _slopes(state, m, n)
        return reach, -1, FINISH
    _slopes(state, m, n)
    t_in, place_in = _first_to_enter(state, m, n, reach)
    t_out, place_out, kind = _first_to_leave(state, m, reach)
    if place_in < 0 and place_out < 0:
        return reach, -1, FINISH
    if place_out < 0 or (place_in >= 0 and t_in < t_out):
        return t_in, place_in, ENTER
    if place_in >= 0 and t_in == t_out and state.watched[place_in] < state.margin[place_out]:
        return t_in, place_in, ENTER
    return t_out, place_out, kind


@njit(cache=True, nogil=True)
def _advance(state: PathState, m: int, n: int, t: float, place: int, kind: int) -> None:
    """Take a step of length ``t``; a margin point that met a bound is set to it exactly."""
    clock, c, b = state.clock, state.c, state.b
    # Breakpoints are strictly monotone: no positive step may vanish in rounding.
    if t > 0.0:
        clock[at.NOW] += max(t, SHORTEST * clock[at.LENGTH])
        for j in range(n):
            state.gap[j] += t * state.slope[j]
    now = clock[at.NOW]
    for k in range(m):
        i = state.margin[k]
        if state.y[i] == 0.0:  # no bounds: see ties.py
            c[i] += t * b[k]
            continue
        far = state.bound[i] + now * state.bound_rate[i]
        c[i] = min(max(c[i] + t * b[k], min(far, 0.0)), max(far, 0.0))
        if k == place and kind == TO_R:
            c[i] = 0.0
        elif k == place and kind == TO_L:
            c[i] = far


@njit(cache=True, nogil=True)
def write_step(state: PathState, tape: Tape, m: int) -> None:
    """Record the margin coefficients at the end of a step."""
    step, entry = tape.used[0], tape.used[1]
    for k in range(m):
        i = state.margin[k]
        tape.point[entry + k] = i
        tape.value[entry + k] = state.y[i] * state.c[i]
    tape.moment[step] = state.clock[at.NOW]
    tape.residual[step] = violation(state) / state.clock[at.SCALE]
    tape.end[step] = entry + m
    tape.used[0], tape.used[1] = step + 1, entry + m
    state.clock[at.WRITTEN] = state.clock[at.NOW]


@njit(cache=True, nogil=True)
def _write_event(tape: Tape, point: int, before: int, after: int) -> None:
    """Record a change of set; it belongs to the breakpoint written last."""
    k = tape.used[2]
    tape.event[k, 0], tape.event[k, 1] = tape.used[0], point
    tape.event[k, 2], tape.event[k, 3] = before, after
    tape.used[2] = k + 1


@njit(cache=True, nogil=True)
def _count_idle(state: PathState) -> bool:
    """Return whether a run of events has made no progress."""
    tally, clock = state.tally, state.clock
    tally[at.IDLE] += 1
    if clock[at.NOW] - clock[at.MARK] > PROGRESS * clock[at.LENGTH]:
        tally[at.IDLE], clock[at.MARK] = 0, clock[at.NOW]
    return tally[at.IDLE] > PATIENCE * len(state.c) + SOME_MORE


@njit(cache=True, nogil=True)
def _take(state: PathState, tape: Tape, place: int, kind: int) -> None:
    """Change the sets and record the event."""
    if kind == ENTER:
        i = state.watched[place]
        _write_event(tape, i, state.code[i], E)
        enter(state, place)
    else:
        after = R if kind == TO_R else L
        _write_event(tape, state.margin[place], E, after)
        leave(state, place, after)


@njit(cache=True, nogil=True)
def run(state: PathState, tape: Tape, until_left_empty: bool) -> int:
    """Process events; return why it ended.

    The tape or the space for margin points is full, the path has ended, there is no progress
    (``TIED``), or residuals are no longer small (``OFF``).
    """
    tally, clock = state.tally, state.clock
    while tape.used[2] < len(tape.event):
        m, n = tally[at.MARGIN], tally[at.WATCHED]
        if until_left_empty and tally[at.LEFT] == 0:
            return DONE
        if m == len(state.margin) or tape.used[1] + m > len(tape.point):
            return FULL
        t, place, kind = _next_event(state, m, n)
        allowed = spend(state, m, t)
        if allowed < t:
            t, place, kind = allowed, -1, PAUSE
        _advance(state, m, n, t, place, kind)
        if kind == PAUSE:
            renew(state)
            continue
        # Not "if t > 0": a pause may have used the whole length of the step.
        if clock[at.NOW] > clock[at.WRITTEN]:
            write_step(state, tape, m)
        if kind == FINISH:
            return DONE
        _take(state, tape, place, kind)
        tally[at.SINCE] += 1
        if _count_idle(state):
            return TIED
        if tape.used[0] > 0 and tape.residual[tape.used[0] - 1] > clock[at.ADRIFT]:
            return OFF
        if tally[at.SINCE] >= LONGEST_WATCH:
            renew(state)
    return MORE
