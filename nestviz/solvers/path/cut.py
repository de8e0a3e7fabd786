"""Shorten a solution path, or read it at other levels."""

from __future__ import annotations

import numpy as np

from nestviz.arrays import joined
from nestviz.solvers.path.records import PathSolution


def cut_path(path: PathSolution, level: float) -> PathSolution:
    """Return the part of a path from its first breakpoint to ``level``, which becomes its last.

    The coefficients of the margin at ``level`` are interpolated within their step. A level before
    the first breakpoint or beyond the last one leaves the path as it is.
    """
    forward = 1.0 if path.breakpoints[-1] > path.breakpoints[0] else -1.0
    nodes, end = forward * path.breakpoints, forward * level
    if not nodes[0] < end < nodes[-1]:
        return path
    last = int(np.searchsorted(nodes, end, side="left"))
    margin = path.indices[path.indptr[last - 1] : path.indptr[last]]
    values = joined([path.values[: path.indptr[last]]])
    values[path.indptr[last - 1] :] = path.coefficients([level])[0, margin]
    return path._replace(
        breakpoints=np.append(path.breakpoints[:last], level),
        indptr=path.indptr[: last + 1],
        indices=path.indices[: path.indptr[last]],
        values=values,
        events=path.events[path.events["breakpoint"] < last],
        residuals=path.residuals[: last + 1],
    )


def rescaled_path(path: PathSolution, factor: float) -> PathSolution:
    """Return the same coefficients at levels divided by ``factor``: α(factor · θ) over θ.

    Breakpoints next to each other that round to one number are kept apart by a unit in the last
    place.
    """
    if factor == 1.0:
        return path
    nodes = path.breakpoints / factor
    end = np.inf if path.breakpoints[-1] > path.breakpoints[0] else -np.inf
    for j in np.flatnonzero(np.diff(nodes) == 0.0) + 1:
        while j < nodes.size and (nodes[j] - nodes[j - 1]) * end <= 0.0:
            nodes[j] = np.nextafter(nodes[j - 1], end)
            j += 1
    return path._replace(breakpoints=nodes, upper_slope=path.upper_slope * factor)
