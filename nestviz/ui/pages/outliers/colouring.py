"""Colour and shape of the points of the plane: by score, or by a column of the data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nestviz.analysis.flags import Flags
from nestviz.analysis.outliers import OutlierRanking
from nestviz.arrays import BoolArray, FloatArray, IntArray
from nestviz.data import Dataset
from nestviz.escaping import LONGEST_NAME, plain
from nestviz.palette import SHAPES
from nestviz.ui.components.plane import Kind
from nestviz.ui.pages.outliers.results import shades

SCORE = "score"
CATEGORIES = 6
"""Number of values with a mark of their own; the others share one."""
FEW_NUMBERS = 2
"""Numbers with at most so many different values are marked as categories."""
FOURTH_ROOT = 0.25
"""The picture raises shades to the fourth power, for scores; this undoes it."""


@dataclass(frozen=True, eq=False)
class Colouring:
    """Kinds of points, the kind of each, shades if they count, and what it means."""

    kinds: Sequence[Kind]
    kind_of: IntArray
    shades: FloatArray | None
    title: str


def choices(source: Dataset) -> list[str]:
    """Return the score, and the columns that points can be coloured by."""
    notes = source.annotations
    others = [] if notes is None else list(notes.columns)
    classes = [] if source.y is None else ["class"]
    names = [*classes, *source.feature_names, *others]
    return list(dict.fromkeys([SCORE, *(name for name in names if name != SCORE)]))


def colouring(
    source: Dataset, ranking: OutlierRanking, flags: Flags, name: str, kept: BoolArray | None
) -> Colouring:
    """Return the look of all points; ``name`` is one of the `choices`.

    Points that are not ``kept`` by a filter are small crosses.
    """
    look = _of_all(source, ranking, flags, name)
    if kept is None or kept.all():
        return look
    kinds = [*look.kinds, Kind("not listed", -1, "cross")]
    pale = None if look.shades is None else np.where(kept, look.shades, 0.0)
    kind_of = np.where(kept, look.kind_of, len(look.kinds))
    return replace(look, kinds=kinds, kind_of=kind_of, shades=pale)


def _of_all(source: Dataset, ranking: OutlierRanking, flags: Flags, name: str) -> Colouring:
    marks = [Kind("not flagged", -1, "circle"), Kind("flagged", 1, "triangle")]
    flagged = flags.flagged.astype(int)
    if name == SCORE or name not in choices(source):
        return Colouring(marks, flagged, shades(ranking), "Larger and more vivid: more abnormal")
    values = column_of(source, name)
    shown = plain(name, LONGEST_NAME)
    if is_numeric(values):
        low, high = np.nanmin(values), np.nanmax(values)
        share = np.where(np.isnan(values), 0.0, (values - low) / (high - low))
        title = f"Larger and more vivid: higher {shown} ({low:.4g} to {high:.4g})"
        return Colouring(marks, flagged, share**FOURTH_ROOT, title)
    return _by_category(values, f"By {shown}; numbers are ranks of flagged points")


def is_numeric(values: Any) -> bool:
    """Return whether a column has numbers of more than a few different values."""
    return values.dtype != object and len(np.unique(values[~np.isnan(values)])) > FEW_NUMBERS


def texts_of(values: Any) -> list[str]:
    """Return the values of a column as texts."""
    if values.dtype == object:
        return [text or "(empty)" for text in values]
    return ["(empty)" if np.isnan(value) else f"{value:g}" for value in values]


def column_of(source: Dataset, name: str) -> Any:
    """Return a column in its own units; ``name`` is one of the `choices` but the score."""
    if name == "class" and source.y is not None:
        return source.y.astype(np.float64)
    if name in source.feature_names:
        return source.own_units[:, source.feature_names.index(name)]
    assert source.annotations is not None
    return source.annotations.columns[name]


def _by_category(values: Any, title: str) -> Colouring:
    """Return a mark for each of the most frequent values."""
    texts = texts_of(values)
    # Most frequent first; equal ones in the order of the alphabet.
    counts = sorted(Counter(texts).items(), key=lambda item: (-item[1], item[0]))
    named = [text for text, _ in counts[:CATEGORIES]]
    kinds = [Kind(plain(text, LONGEST_NAME), k, SHAPES[k]) for k, text in enumerate(named)]
    if len(counts) > CATEGORIES:
        kinds.append(Kind(f"{len(counts) - CATEGORIES} other values", -1, "circle"))
    number = {text: k for k, text in enumerate(named)}
    kind_of = np.array([number.get(text, len(named)) for text in texts], dtype=np.int64)
    return Colouring(kinds, kind_of, None, title)
