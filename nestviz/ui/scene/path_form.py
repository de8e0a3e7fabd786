"""The coefficients of a solution path as shares of their bounds, listed where they change.

Most points keep a share of zero or one from one breakpoint to the next, also where bounds move with
the level. The points whose shares change are mostly those that changed before, so only the points
that join or leave this group are listed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray, IntArray
from nestviz.coefficients import PathRows
from nestviz.compiled import njit

SHARE_STEPS = 65535
"""Steps from zero to one of the root of a share where it is written in 16 bits.

At low levels shares are small; their roots keep more digits."""


class Changes(NamedTuple):
    """Changes of shares along a path, from a first row of zeros.

    Attributes
    ----------
    shares : ndarray
        New shares at each breakpoint in turn, ascending in the number of the point; if coarse
        their roots in units of 1/`SHARE_STEPS`.
    toggles : ndarray
        Points that join or leave the group of those that change.
    starts : ndarray of shape (n_levels + 1,)
        Where the toggles of each breakpoint begin.
    margin : float
        Largest root of the sum of squares of the coefficients strictly between zero and their
        bounds, which are rounded.
    """

    shares: FloatArray
    toggles: IntArray
    starts: IntArray
    margin: float


def path_changes(rows: PathRows, index: IntArray, *, coarse: bool) -> Changes:
    """Return what changes between some breakpoints of a path.

    Parameters
    ----------
    rows : PathRows
        The path.
    index : ndarray of shape (n_levels,)
        Breakpoints, ascending.
    coarse : bool
        Whether shares are rounded to 16 bits, else to single precision.

    Returns
    -------
    Changes
    """
    path, levels = rows.path, rows.levels[index]
    steps = float(SHARE_STEPS) if coarse else 0.0
    scale = np.abs(rows.scale)
    alpha = path.coefficients(levels)
    return Changes(*_changes(alpha, levels, path.upper_base, path.upper_slope, scale, steps))


@njit(cache=True, nogil=True)
def _changes(
    alpha: FloatArray,
    levels: FloatArray,
    base: FloatArray,
    slope: FloatArray,
    scale: FloatArray,
    steps: float,
) -> tuple[FloatArray, IntArray, IntArray, float]:
    K, N = alpha.shape
    shares, toggles = np.empty(K * N, np.float32), np.empty(K * N, np.int64)
    starts = np.zeros(K + 1, np.int64)
    now, changed = np.zeros(N, np.float32), np.zeros(N, np.bool_)
    count, toggled, margin = 0, 0, 0.0
    for k in range(K):
        between = 0.0
        for i in range(N):
            share = np.float32(0.0)
            if alpha[k, i] > 0.0:
                bound = base[i] + slope[i] * levels[k]
                if alpha[k, i] < bound:
                    between += (scale[i] * alpha[k, i]) ** 2
                    share = np.float32(alpha[k, i] / bound)
                    if steps > 0.0:
                        share = np.float32(np.rint(steps * np.sqrt(alpha[k, i] / bound)))
                else:
                    share = np.float32(max(steps, 1.0))
            if (share != now[i]) != changed[i]:
                changed[i] = not changed[i]
                toggles[toggled] = i
                toggled += 1
            if changed[i]:
                shares[count] = share
                now[i] = share
                count += 1
        starts[k + 1] = toggled
        margin = max(margin, between)
    return shares[:count].copy(), toggles[:toggled].copy(), starts, np.sqrt(margin)
