"""Coefficients of the points as the user gave them, read off a family."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nestviz.coefficients import PathRows
from nestviz.data import Dataset
from nestviz.families import SetFamily, UnionFamily
from nestviz.ui.methods import Spec

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


def solved(family: SetFamily) -> SetFamily:
    """The family that has coefficients: a union has those of the sets it joins."""
    return family.base if isinstance(family, UnionFamily) else family


def shares_of_bound(
    family: SetFamily, data: Dataset, spec: Spec, levels: FloatArray, *, two_classes: bool
) -> FloatArray:
    """α of every point at each level, (levels, n), from 0 to 1.

    One class: as a share of the upper bound 1/n, which is the same for all points and levels. Two
    classes: α itself, whose bound is γ for points of class +1 and 1 − γ for the others.
    """
    c = solved(family).coefficients_at(levels)[0]
    column, share = _columns(family, data, two_classes)
    alpha = np.abs(c[:, column]) * share
    scaled = alpha * (spec.lam if two_classes else data.n)
    return np.clip(scaled, 0.0, 1.0)


def breakpoints_of(family: SetFamily, data: Dataset, row: int, *, two_classes: bool) -> FloatArray:
    """Levels at which one point's coefficient changes course, ascending.

    Of a path, the levels at which the point itself reaches the margin or leaves it; of a family
    solved at a few levels, those levels.
    """
    coefficients = solved(family).coefficients
    if not isinstance(coefficients, PathRows):
        return family.levels
    column = _columns(family, data, two_classes)[0][row]
    events = coefficients.path.events
    mine = events["breakpoint"][events["point"] == column]
    return np.unique(coefficients.path.breakpoints[mine])


def _columns(family: SetFamily, data: Dataset, two_classes: bool) -> tuple[IntArray, FloatArray]:
    """For each point the column of its coefficient, and the point's share of it.

    Solvers merge points that coincide, within their class, and keep the order of first occurrence.
    """
    if len(family.centres) == data.n:
        return np.arange(data.n), np.ones(data.n)
    rows = np.column_stack([data.X, np.asarray(data.y)]) if two_classes else data.X
    _, first, inverse, counts = np.unique(
        rows, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    place = np.argsort(np.argsort(first))
    inverse = inverse.reshape(-1)
    return place[inverse], 1.0 / counts[inverse]
