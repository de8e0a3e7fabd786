"""The vertical axis of a tree: levels, their logarithms or inverses, or the mass outside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from nestviz.analysis.tree.tree import Tree
from nestviz.arrays import FloatArray

Heights = Literal["level", "log", "inverse", "mass"]
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, eq=False)
class HeightScale:
    """The vertical axis of a tree.

    Attributes
    ----------
    name : str
        Name of the axis.
    kind : {"level", "log", "inverse", "mass"}
        Heights are levels λ, log₁₀ λ, −1/λ, or the share of the points outside. All but the first
        give more height to low levels, where most points are.
    floor : float
        Smallest level that has a logarithm or an inverse here; lower ones are at its height.
    known, heights : ndarray, optional
        Levels and their shares, between which a share is interpolated.
    """

    name: str
    kind: Heights = "level"
    floor: float = 0.0
    known: FloatArray | None = None
    heights: FloatArray | None = None

    def height_of(self, levels: ArrayLike) -> FloatArray:
        """Return the heights of levels."""
        given = np.asarray(levels, dtype=np.float64)
        if self.known is not None and self.heights is not None:
            return np.asarray(np.interp(given, self.known, self.heights))
        if self.kind == "log":
            return np.asarray(np.log10(np.maximum(given, self.floor)))
        return -1.0 / np.maximum(given, self.floor) if self.kind == "inverse" else given

    def level_of(self, height: float) -> float:
        """Return the level at a height; the lowest where there are several."""
        if self.known is None or self.heights is None:
            if self.kind == "log":
                return float(10.0**height)
            return float(-1.0 / height if self.kind == "inverse" else height)
        rising = self.heights[-1] >= self.heights[0]
        turn = slice(None) if rising else slice(None, None, -1)
        at, first = np.unique(self.heights[turn], return_index=True)
        return float(np.interp(height, at, self.known[turn][first]))

    def rises(self, tree: Tree) -> bool:
        """Return whether smaller sets are at greater heights."""
        return tree.orientation == -1 or self.kind == "mass"

    def ticks(self, low: float, high: float, count: int = 6) -> list[tuple[float, str]]:
        """Return heights between two others, with the numbers to write beside them."""
        if self.kind == "log" and high - low >= 1.0:
            every = max(1, int(np.ceil((high - low) / count)))
            powers = np.arange(np.ceil(low - 1e-9), high + 1e-9, every)
            return [(float(at), _power(int(at))) for at in powers]
        turn = -1.0 if self.kind == "inverse" else 1.0
        first, last = (
            (10.0**low, 10.0**high) if self.kind == "log" else sorted((turn * low, turn * high))
        )
        values = _round_numbers(first, last, count)
        heights = np.log10(values) if self.kind == "log" else turn * values
        return [(float(at), f"{value:.6g}") for at, value in zip(heights, values, strict=True)]


def height_scale(tree: Tree, heights: Heights = "level") -> HeightScale:
    """Return the scale of a tree."""
    if heights not in get_args(Heights):
        raise ValueError(f"heights must be one of {get_args(Heights)}, not {heights!r}.")
    if heights == "level":
        return HeightScale(tree.level_name)
    if heights == "mass":
        return _share_scale(tree)
    # A root may start at level 0: it is drawn from the lowest level at which something happens.
    ends = np.concatenate(solved_levels(tree))
    positive = ends[ends > 0]
    if ends.size and not positive.size:
        raise ValueError(f"The tree has no positive {tree.level_name}: use heights='level'.")
    floor = float(positive.min(initial=np.inf)) if ends.size else 1.0
    if heights == "log":
        return HeightScale(f"{tree.level_name}, log scale", "log", floor)
    symbol = tree.level_name.split()[-1]
    name = symbol.removeprefix("1/") if symbol.startswith("1/") else f"1/{symbol}"
    return HeightScale(name, "inverse", floor)


def solved_levels(tree: Tree) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return finite births, deaths and exits, clipped to the solved levels."""
    birth, death, exits = tree.finite_levels()
    if tree.hold_level is None:
        return birth, death, exits
    least = np.minimum if tree.orientation == 1 else np.maximum
    birth, death, exits = (least(part, tree.hold_level) for part in (birth, death, exits))
    return birth, death, exits


def _share_scale(tree: Tree) -> HeightScale:
    turn = -tree.orientation
    birth = tree.finite_levels()[0]
    entry = tree.entry[np.isfinite(tree.entry)]
    # The share right above a level: a point is inside at its entry level itself.
    levels, count = np.unique(turn * entry, return_counts=True)
    never = len(tree.entry) - len(entry)
    outside = (never + np.cumsum(count)) / max(1, len(tree.entry))
    lowest = min([*(turn * birth), *levels[:1]], default=0.0)
    if lowest < min(levels, default=np.inf):
        levels, outside = np.append(lowest, levels), np.append(never / len(tree.entry), outside)
    order = slice(None) if turn == 1 else slice(None, None, -1)
    known, shares = turn * levels[order], outside[order]
    return HeightScale("share of the points outside", "mass", known=known, heights=shares)


def _round_numbers(first: float, last: float, count: int) -> FloatArray:
    """Return about so many multiples of 1, 2 or 5 times a power of ten, from first to last."""
    rough = (last - first) / count or abs(first) or 1.0
    power = 10.0 ** np.floor(np.log10(rough))
    step = power * next(factor for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)
    whole = np.arange(np.ceil(first / step - 1e-3), last / step + 1e-3)
    return np.asarray(step * whole + 0.0)


def _power(exponent: int) -> str:
    if -4 < exponent < 5:
        return f"{10.0**exponent:g}"
    return f"10{str(exponent).translate(SUPERSCRIPTS)}"
