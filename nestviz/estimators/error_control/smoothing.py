"""Gaussian windows over tables of error rates (Davenport 2007, section 3.1.1).

A cross-validated rate is noisy, so the best of many cells looks better than it is. Rates vary
smoothly over (ν₊, ν₋) and over log σ, so each is averaged with its neighbours: a window of three
cells along each axis, of standard deviation one cell. Neighbours that do not exist, or have no
rate, are left out of the average.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import exp

import numpy as np

from nestviz.arrays import FloatArray

Cell = tuple[int, int, int]
Window = list[tuple[Cell, float]]

SMOOTHINGS = ("none", "2d", "3d")


def window(smoothing: str, *, diagonal: bool = False) -> Window:
    """Return the steps (σ, ν₊, ν₋) of a window and their weights.

    Parameters
    ----------
    smoothing : {"none", "2d", "3d"}
        Over nothing, over (ν₊, ν₋) at each σ, or over all three.
    diagonal : bool
        The settings are a line on which ν₊ and ν₋ go together. Then both kinds of smoothing are
        over the position on the line and σ.

    Returns
    -------
    list
        Pairs of a step and its weight.
    """
    if smoothing not in SMOOTHINGS:
        raise ValueError(f"smoothing must be 'none', '2d' or '3d', not {smoothing!r}.")
    if smoothing == "none":
        return [((0, 0, 0), 1.0)]
    near = (-1, 0, 1)
    if diagonal:
        return [((s, k, k), exp(-0.5 * (s * s + k * k))) for s, k in product(near, near)]
    widths = near if smoothing == "3d" else (0,)
    return [
        ((s, a, b), exp(-0.5 * (s * s + a * a + b * b))) for s, a, b in product(widths, near, near)
    ]


def smoothed(rates: FloatArray, steps: Window) -> FloatArray:
    """Average a whole table (s, a, b) over a window; NaN stays where it was."""
    padded = np.pad(rates, 1, constant_values=np.nan)
    total, weight = np.zeros(rates.shape), np.zeros(rates.shape)
    for step, share in steps:
        here = tuple(
            slice(1 + d, 1 + d + length) for d, length in zip(step, rates.shape, strict=True)
        )
        moved = padded[here]
        known = np.isfinite(moved)
        total[known] += share * moved[known]
        weight[known] += share
    return np.where(np.isfinite(rates), total / np.maximum(weight, 1e-300), np.nan)


def smoothed_at(
    cell: Cell,
    steps: Window,
    shape: Cell,
    rates: Callable[[int, int, int], tuple[float, float]],
) -> tuple[float, float]:
    """Average (P_F, P_M) of one cell over a window, computing its neighbours as needed."""
    total, weight = np.zeros(2), 0.0
    for step, share in steps:
        near = (cell[0] + step[0], cell[1] + step[1], cell[2] + step[2])
        if not all(0 <= index < length for index, length in zip(near, shape, strict=True)):
            continue
        pair = np.array(rates(*near))
        if np.isfinite(pair).all():
            total += share * pair
            weight += share
    if not weight:
        return float("nan"), float("nan")
    return float(total[0] / weight), float(total[1] / weight)
