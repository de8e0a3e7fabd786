"""Choose a few of a family's breakpoints such that straight lines between them move no outline.

Coefficients are linear between breakpoints, of which a solution path has thousands. The field at
some locations shows how far it is from linear between breakpoints that are further apart.
"""

from __future__ import annotations

import numpy as np

from nestviz.arrays import BoolArray, FloatArray, IntArray
from nestviz.compiled import njit
from nestviz.families import SetFamily
from nestviz.grids import Plane

SPREAD, EVEN = 48, 80
"""Probes, at which the field is compared: far from each other, and every so many points."""
SLOPE_ROWS, SLOPE_PROBES = 24, 48
"""Breakpoints and probes at which the steepness of the field is measured."""
NEAREST = 6
"""Probes nearest to the boundary, whose steepness counts."""
RESERVE = 12.0
"""How much smaller errors are kept at the probes than they may be elsewhere."""
LONG, CANDIDATES = 2048, 1024
"""Of a path with more breakpoints than the first number, about so many are looked at."""
OUTSIDE_SPAN = 0.1
"""Weight of errors at levels that the slider does not show."""


def chosen_knots(
    family: SetFamily, plane: Plane, span: tuple[float, float], length: float, at_most: int
) -> IntArray:
    """Return breakpoints between which the family is nearly linear, the most needed ones first.

    Parameters
    ----------
    family : SetFamily
        The family.
    plane : Plane
        The plane of the picture.
    span : tuple of float
        Lowest and highest level that are shown.
    length : float
        How far outlines may move, in units of the plane.
    at_most : int
        Number of knots; ends and jumps are kept in any case.

    Returns
    -------
    ndarray of shape (n_knots,)
        Indices of breakpoints. Any first part of it that holds the ends and jumps is the best
        choice of its length.
    """
    if len(family.levels) <= 2:
        return np.arange(len(family.levels))
    index = np.arange(len(family.levels))
    if index.size > LONG:
        index = evenly_spaced(family.levels, CANDIDATES)
    levels = family.levels[index]
    field, allowed = _probed(family, plane, index, length)
    shown = (levels >= span[0]) & (levels <= span[1])
    weight = np.where(shown, 1.0, OUTSIDE_SPAN) / allowed
    return index[_refined(levels, field, weight, _needed(levels), at_most)]


def evenly_spaced(levels: FloatArray, count: int) -> IntArray:
    """Return about ``count`` breakpoints, with both ends and all jumps.

    Parameters
    ----------
    levels : ndarray of shape (n_levels,)
        Breakpoints, ascending.
    count : int
        Number of breakpoints besides ends and jumps.

    Returns
    -------
    ndarray of shape (n_chosen,)
        Indices, ascending.
    """
    spaced = np.linspace(0, len(levels) - 1, count).astype(np.int64)
    spaced = spaced[~_unreached(levels)[spaced]]
    return np.unique(np.concatenate([spaced, np.flatnonzero(_needed(levels))]))


def _probed(
    family: SetFamily, plane: Plane, index: IntArray, length: float
) -> tuple[FloatArray, FloatArray]:
    """Return the field at the probes for some breakpoints, and the error allowed at each."""
    uv = plane.coordinates(family.centres)
    even = np.linspace(0, len(uv) - 1, EVEN).astype(np.intp)
    # At low levels the boundary is at isolated points, at high ones within the bulk.
    uv = uv[np.unique(np.concatenate([even, _spread(uv, SPREAD)]))]
    kernel, rows = family.kernel, family.coefficients
    G = kernel.gram(family.centres, plane.lift(uv))
    complete = index.size == len(family.levels)
    field = (rows if complete else rows.take(index, axis=0)) @ G - family.offsets[index, None]
    some = np.unique(np.linspace(0, index.size - 1, SLOPE_ROWS).astype(np.intp))
    c = rows.take(index[some], axis=0)
    few = np.unique(np.linspace(0, len(uv) - 1, SLOPE_PROBES).astype(np.intp))
    uv = uv[few]
    slope = np.zeros((some.size, len(uv)))
    # Differences over a pixel serve any kernel.
    for step in (0.5 * length * np.eye(2)) * 10.0:
        ahead, behind = (kernel.gram(family.centres, plane.lift(uv + s * step)) for s in (1, -1))
        slope += ((c @ (ahead - behind)) / (10.0 * length)) ** 2
    slope = np.sqrt(slope)
    at = field[np.ix_(some, few)]
    tiny = np.finfo(np.float64).tiny
    distance = np.abs(at) / np.maximum(slope, tiny)
    count = min(NEAREST, len(uv))
    nearest = np.argpartition(distance, count - 1, axis=1)[:, :count]
    steep = np.quantile(np.take_along_axis(slope, nearest, axis=1), 0.25, axis=1)
    floor = 1e-9 * max(float(np.abs(field).max()), tiny) / length
    levels = family.levels[index]
    steep = np.interp(levels, levels[some], np.maximum(steep, floor))
    return field, length / RESERVE * steep


@njit(cache=True, nogil=True)
def _spread(uv: FloatArray, at_most: int) -> IntArray:
    """Return points each of which is farthest from those before: isolated ones come first."""
    nearest = np.full(len(uv), np.inf)
    chosen = np.zeros(min(at_most, len(uv)), np.int64)
    for k in range(1, len(chosen)):
        place = uv[chosen[k - 1]]
        for i in range(len(uv)):
            nearest[i] = min(nearest[i], (uv[i, 0] - place[0]) ** 2 + (uv[i, 1] - place[1]) ** 2)
        chosen[k] = np.argmax(nearest)
    return chosen


def _needed(levels: FloatArray) -> BoolArray:
    """Mark both ends and both sides of every jump."""
    before, after = _repeated(levels)
    needed = before ^ after
    needed[[0, -1]] = True
    return needed


def _unreached(levels: FloatArray) -> BoolArray:
    """Mark what is within a jump: no level takes it."""
    before, after = _repeated(levels)
    return before & after


def _repeated(levels: FloatArray) -> tuple[BoolArray, BoolArray]:
    """Mark levels that are equal to the next one, and to the one before."""
    same = levels[1:] == levels[:-1]
    return np.append(same, False), np.insert(same, 0, False)


@njit(cache=True, nogil=True, fastmath=True)
def _worst(
    levels: FloatArray, field: FloatArray, weight: FloatArray, a: int, b: int
) -> tuple[float, int]:
    """Return the largest weighted distance from the line between breakpoints a and b, and where."""
    largest, place = 0.0, -1
    gap = levels[b] - levels[a]
    if gap <= 0.0:
        return largest, place
    for j in range(a + 1, b):
        w = (levels[j] - levels[a]) / gap
        error = 0.0
        for p in range(field.shape[1]):
            error = max(error, abs(field[j, p] - (1.0 - w) * field[a, p] - w * field[b, p]))
        if error * weight[j] > largest:
            largest, place = error * weight[j], j
    return largest, place


@njit(cache=True, nogil=True)
def _refined(
    levels: FloatArray, field: FloatArray, weight: FloatArray, needed: BoolArray, at_most: int
) -> IntArray:
    """Split the worst stretch at its worst breakpoint until all errors are small."""
    M = len(levels)
    # Stretch s reaches from knots[s] to ends[s].
    knots, ends = np.empty(M, np.int64), np.empty(M, np.int64)
    error, place = np.zeros(M), np.empty(M, np.int64)
    count = 0
    for j in range(M):
        if needed[j]:
            if count > 0:
                ends[count - 1] = j
            knots[count] = j
            count += 1
    for s in range(count - 1):
        error[s], place[s] = _worst(levels, field, weight, knots[s], ends[s])
    while count < at_most:
        split = int(np.argmax(error[:count]))
        if not error[split] > 1.0:
            break
        knots[count], ends[count], ends[split] = place[split], ends[split], place[split]
        for t in (split, count):
            error[t], place[t] = _worst(levels, field, weight, knots[t], ends[t])
        count += 1
    return knots[:count]
