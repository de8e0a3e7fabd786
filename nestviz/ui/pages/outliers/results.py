"""The settings and the result of the Outliers page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from nestviz.analysis.flags import Flags
from nestviz.analysis.outliers import OutlierRanking, ScoreBy
from nestviz.analysis.resampling.ranks import RankIntervals
from nestviz.arrays import BoolArray, FloatArray, IndexArray
from nestviz.data import Dataset
from nestviz.ui.compute.entry_maps import RankingResult
from nestviz.ui.compute.methods import Spec
from nestviz.ui.data_choice import Current

Columns = Mapping[str, Any]
"""Values of all points by the names of their columns."""
NO_COLUMNS: Columns = MappingProxyType({})
WRITTEN = 10
"""Ranks that are written in the plane."""


@dataclass(frozen=True)
class OutliersSettings:
    """The settings of the page."""

    spec: Spec
    contamination: float
    score: ScoreBy = "mass"


@dataclass(frozen=True, eq=False)
class Filter:
    """The points that are listed, all of them by default, and why, in plain words."""

    kept: BoolArray | None = None
    words: str = ""

    def of(self, rows: IndexArray) -> IndexArray:
        """Return the rows that are listed, in their order."""
        return rows if self.kept is None else rows[self.kept[rows]]

    @property
    def sentence(self) -> str:
        """How many points are listed, of how many; empty without a filter."""
        if self.kept is None:
            return ""
        return f"{int(self.kept.sum()):,} of {self.kept.size:,} points: {self.words}."


@dataclass(frozen=True, eq=False)
class OutliersResult:
    """A ranking, the points that are flagged, and those that are listed."""

    settings: OutliersSettings
    found: RankingResult
    flags: Flags
    listed: Filter = Filter()
    more: Columns = field(
        default_factory=dict
    )  # Further columns of the ranking and of its file: p-values
    intervals: RankIntervals | None = None  # Of the ranks, where they are asked for and known

    @property
    def boundary(self) -> Sequence[FloatArray]:
        """Rings around the set that leaves the flagged points out; none where there is no set."""
        level = self.flags.threshold
        exists = np.isfinite(level) and level > 0
        return self.found.entry_map.outline(level) if exists else ()


@dataclass(frozen=True, eq=False)
class SomeRows(Current):
    """Some of many rows, which are drawn or ranked in the place of all."""

    every: Dataset | None = None  # All rows, in the space of the fit
    index: IndexArray | None = None  # Which of them these are, ascending


def point_name(current: Current, row: int) -> str:
    """Return what a point is called: among some of many rows by its number among all."""
    if isinstance(current, SomeRows) and current.index is not None:
        notes = current.source.annotations
        if notes is None or notes.rows is None:
            return f"point {current.index[row]}"
    return current.source.point_name(row)


def scored(found: RankingResult, score: ScoreBy) -> RankingResult:
    """Return a result with another score of the same ranking."""
    return replace(found, ranking=found.ranking.scored_by(score))


def score_text(ranking: OutlierRanking, score: float) -> str:
    """Return a score in words: a share of the points, or of the box around them."""
    if ranking.score_by == "mass":
        return f"{score:.{score_digits(ranking)}f}"
    return f"{score:.2%} of the box" if np.isfinite(score) else "no set"


def score_digits(ranking: OutlierRanking) -> int:
    """Return the decimals in which the scores of neighbouring ranks differ."""
    return max(3, len(str(len(ranking) - 1)))


def shades(ranking: OutlierRanking) -> FloatArray:
    """Return scores from 0 to 1; a point that no set contains has 1."""
    return np.clip(ranking.score, 0.0, 1.0)
