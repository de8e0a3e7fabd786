"""The events of a solution path, one after the other.

Both paths of the papers are one parametric problem in the distance T travelled. With signed
coefficients c_i = y_i α_i,

    min_c  ½ cᵀKc − q(T)ᵀc     subject to c_i between 0 and B_i(T),

where q and B are linear in T. With the residual ρ = q − Kc every point is in one of three sets:

    L: c_i = B_i and y_i ρ_i ≥ 0;   E: ρ_i = 0, c_i anywhere between;   R: c_i = 0 and y_i ρ_i ≤ 0.

While the sets stay, everything is linear in T: points of L move with their bound, points of E so
that their residual stays zero. An event is the first moment a point outside E reaches ρ = 0 or a
point of E reaches one of its bounds.

Ties and singular margins
-------------------------
* Steps of length zero are taken by least index (Murty's rule), which cannot cycle on a positive
  definite K_EE without rounding. Where it takes more than ``PATIENCE`` · N of them without getting
  anywhere, ``path_ties.py`` finds the sets with which to go on.
* A point that is nearly dependent on the margin would make K_EE singular. It gets a ridge of its
  own on the diagonal: enough to move its residual by about 1e-10 of the scale, or by what rounding
  demands where K is large against the scale.
* Slopes below the rounding noise start no event. Nor do those that ridges leave behind, until they
  have added up to a residual of ``DEEP``.

All three leave residuals that are measured, not assumed, and corrected where they grow: see
``path_follow.py``.
"""

from __future__ import annotations

from numba import njit

from nestviz.solvers.path.drift import violation
from nestviz.solvers.path.factor import SUMS, solve_upper
from nestviz.solvers.path.state import (
    ADRIFT,
    DONE,
    END,
    ENTER,
    EPS,
    FINISH,
    FULL,
    IDLE,
    LAST,
    LEFT,
    LENGTH,
    MARGIN,
    MARK,
    MORE,
    NOW,
    OFF,
    PAUSE,
    SCALE,
    SHORTEST,
    SINCE,
    TIED,
    TO_L,
    TO_R,
    WATCHED,
    WRITTEN,
    ZERO_GAP,
    ZERO_SLOPE,
    E,
    L,
    R,
    Tape,
    Walk,
    enter,
    leave,
)
from nestviz.solvers.path.watch import LONGEST_WATCH, renew, spend

# Rates and coefficients below these shares of a point's own size are noise.
ZERO_RATE = 1e-13
ZERO_COEFFICIENT = 1e-14
# A residual of the wrong sign, as a share of the scale, that is not left alone.
DEEP = 1e-9
# Events per point, and some more, that may pass on this share of the path before they are a tie.
PATIENCE, SOME_MORE = 2, 20
PROGRESS = 1e-9


@njit(cache=True, nogil=True, fastmath=SUMS)
def _slopes(walk: Walk, m: int, n: int) -> None:
    """slope = side · (pull − K[watched, E] b), four rows of the panel at a time."""
    slope, panel, row, b = walk.slope, walk.panel, walk.row, walk.b
    for j in range(n):
        slope[j] = walk.pull[walk.watched[j]]
    k = 0
    while k + 3 < m:
        p0, p1, p2, p3 = panel[row[k]], panel[row[k + 1]], panel[row[k + 2]], panel[row[k + 3]]
        b0, b1, b2, b3 = b[k], b[k + 1], b[k + 2], b[k + 3]
        for j in range(n):
            slope[j] -= b0 * p0[j] + b1 * p1[j] + b2 * p2[j] + b3 * p3[j]
        k += 4
    while k < m:
        p0, b0 = panel[row[k]], b[k]
        for j in range(n):
            slope[j] -= b0 * p0[j]
        k += 1
    for j in range(n):
        slope[j] *= walk.side[j]


@njit(cache=True, nogil=True)
def _slope_noise(walk: Walk, m: int) -> tuple[float, float]:
    """Below these a slope is not real: rounding of the sums over L and E; with the work of ridges.

    Points that depend on the margin inherit the slopes that ridges leave there. Taken for real,
    they would bring every such point onto the margin, each with a ridge of its own.
    """
    rounding, ridges = 0.0, 0.0
    for k in range(m):
        i = walk.margin[k]
        rounding += abs(walk.b[k]) * walk.weight[i]
        ridges += walk.ridge[i] * abs(walk.b[k] - walk.anchor[i])
    noise = max(walk.clock[ZERO_SLOPE], 4.0 * EPS * rounding)
    return noise, noise + 2.0 * ridges


@njit(cache=True, nogil=True)
def _first_to_enter(walk: Walk, m: int, n: int, reach: float) -> tuple[float, int]:
    """The earliest moment, at most ``reach``, at which a point outside meets the margin."""
    gap, slope = walk.gap, walk.slope
    zero = walk.clock[ZERO_GAP]
    rounding, noise = _slope_noise(walk, m)
    best, place = reach, -1
    for j in range(n):
        speed = -slope[j]
        # A product instead of a quotient: most points are passed over without a division.
        if speed > noise and gap[j] <= best * speed + zero:
            t = 0.0 if gap[j] <= zero else gap[j] / speed
            tied = place >= 0 and t == best and walk.watched[j] < walk.watched[place]
            if t < best or tied:
                best, place = t, j
    # What ridges do may be left alone until it adds up.
    if noise > rounding:
        deep = -max(DEEP * walk.clock[SCALE], 16.0 * zero)
        for j in range(n):
            if gap[j] < deep and -slope[j] > rounding:
                first = best > 0.0 or place < 0
                if first or walk.watched[j] < walk.watched[place]:
                    best, place = 0.0, j
    return best, place


@njit(cache=True, nogil=True)
def _first_to_leave(walk: Walk, m: int, reach: float) -> tuple[float, int, int]:
    """The earliest moment, at most ``reach``, at which a margin point meets a bound of its own."""
    best, place, kind = reach, -1, FINISH
    now, noise = walk.clock[NOW], ZERO_RATE / walk.clock[LENGTH]
    for k in range(m):
        i = walk.margin[k]
        y, size = walk.y[i], walk.size[i]
        rate = y * walk.b[k]
        room, speed, towards = y * walk.c[i], -rate, TO_R
        far_speed = rate - y * walk.bound_rate[i]
        far_room = y * (walk.bound[i] + now * walk.bound_rate[i] - walk.c[i])
        # With a moving bound both may be ahead: take the one that is met first.
        if far_speed > noise * size and (
            speed <= noise * size or far_room * speed < room * far_speed
        ):
            room, speed, towards = far_room, far_speed, TO_L
        if speed > noise * size and room < best * speed + ZERO_COEFFICIENT * size:
            t = 0.0 if room <= ZERO_COEFFICIENT * size else room / speed
            tied = place >= 0 and t == best and i < walk.margin[place]
            if t < best or tied:
                best, place, kind = t, k, towards
    return best, place, kind


@njit(cache=True, nogil=True)
def _next_event(walk: Walk, m: int, n: int) -> tuple[float, int, int]:
    """Direction and slopes of the next step, its length, place of the point that ends it, kind."""
    reach = max(walk.clock[END] - walk.clock[NOW], 0.0)
    solve_upper(walk.U, m, walk.w, walk.b)
    # At the very end everything may come together; what is left to go is below all tolerances, as
    # long as no coefficient moves.
    if reach <= walk.clock[LAST]:
        walk.b[:m] = 0.0
        _slopes(walk, m, n)
        return reach, -1, FINISH
    _slopes(walk, m, n)
    t_in, place_in = _first_to_enter(walk, m, n, reach)
    t_out, place_out, kind = _first_to_leave(walk, m, reach)
    if place_in < 0 and place_out < 0:
        return reach, -1, FINISH
    if place_out < 0 or (place_in >= 0 and t_in < t_out):
        return t_in, place_in, ENTER
    if place_in >= 0 and t_in == t_out and walk.watched[place_in] < walk.margin[place_out]:
        return t_in, place_in, ENTER
    return t_out, place_out, kind


@njit(cache=True, nogil=True)
def _advance(walk: Walk, m: int, n: int, t: float, place: int, kind: int) -> None:
    """Go ``t`` further; a margin point that met a bound is put on it to the last bit."""
    clock, c, b = walk.clock, walk.c, walk.b
    # No step with a length may vanish in rounding: breakpoints are strictly monotone.
    if t > 0.0:
        clock[NOW] += max(t, SHORTEST * clock[LENGTH])
        for j in range(n):
            walk.gap[j] += t * walk.slope[j]
    now = clock[NOW]
    for k in range(m):
        i = walk.margin[k]
        if walk.y[i] == 0.0:  # no bounds: see path_ties.py
            c[i] += t * b[k]
            continue
        far = walk.bound[i] + now * walk.bound_rate[i]
        c[i] = min(max(c[i] + t * b[k], min(far, 0.0)), max(far, 0.0))
        if k == place and kind == TO_R:
            c[i] = 0.0
        elif k == place and kind == TO_L:
            c[i] = far


@njit(cache=True, nogil=True)
def write_step(walk: Walk, tape: Tape, m: int) -> None:
    """Keep the margin coefficients at the end of a step."""
    step, entry = tape.used[0], tape.used[1]
    for k in range(m):
        i = walk.margin[k]
        tape.point[entry + k] = i
        tape.value[entry + k] = walk.y[i] * walk.c[i]
    tape.moment[step] = walk.clock[NOW]
    tape.residual[step] = violation(walk) / walk.clock[SCALE]
    tape.end[step] = entry + m
    tape.used[0], tape.used[1] = step + 1, entry + m
    walk.clock[WRITTEN] = walk.clock[NOW]


@njit(cache=True, nogil=True)
def _write_event(tape: Tape, point: int, before: int, after: int) -> None:
    """Keep who went where; the event belongs to the breakpoint written last."""
    k = tape.used[2]
    tape.event[k, 0], tape.event[k, 1] = tape.used[0], point
    tape.event[k, 2], tape.event[k, 3] = before, after
    tape.used[2] = k + 1


@njit(cache=True, nogil=True)
def _count_idle(walk: Walk) -> bool:
    """Whether a run of events has got nowhere."""
    tally, clock = walk.tally, walk.clock
    tally[IDLE] += 1
    if clock[NOW] - clock[MARK] > PROGRESS * clock[LENGTH]:
        tally[IDLE], clock[MARK] = 0, clock[NOW]
    return tally[IDLE] > PATIENCE * len(walk.c) + SOME_MORE


@njit(cache=True, nogil=True)
def _take(walk: Walk, tape: Tape, place: int, kind: int) -> None:
    """Change the sets and keep the event."""
    if kind == ENTER:
        i = walk.watched[place]
        _write_event(tape, i, walk.code[i], E)
        enter(walk, place)
    else:
        after = R if kind == TO_R else L
        _write_event(tape, walk.margin[place], E, after)
        leave(walk, place, after)


@njit(cache=True, nogil=True)
def run(walk: Walk, tape: Tape, until_left_empty: bool) -> int:
    """Take events until the tape or the margin's room is full, or the path has ended.

    Or until it gets nowhere (``TIED``), or residuals are no longer small (``OFF``).
    """
    tally, clock = walk.tally, walk.clock
    while tape.used[2] < len(tape.event):
        m, n = tally[MARGIN], tally[WATCHED]
        if until_left_empty and tally[LEFT] == 0:
            return DONE
        if m == len(walk.margin) or tape.used[1] + m > len(tape.point):
            return FULL
        t, place, kind = _next_event(walk, m, n)
        allowed = spend(walk, m, t)
        if allowed < t:
            t, place, kind = allowed, -1, PAUSE
        _advance(walk, m, n, t, place, kind)
        if kind == PAUSE:
            renew(walk)
            continue
        # Not "if t > 0": a pause may have taken the whole length of the step.
        if clock[NOW] > clock[WRITTEN]:
            write_step(walk, tape, m)
        if kind == FINISH:
            return DONE
        _take(walk, tape, place, kind)
        tally[SINCE] += 1
        if _count_idle(walk):
            return TIED
        if tape.used[0] > 0 and tape.residual[tape.used[0] - 1] > clock[ADRIFT]:
            return OFF
        if tally[SINCE] >= LONGEST_WATCH:
            renew(walk)
    return MORE
