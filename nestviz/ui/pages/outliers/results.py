"""The settings and the result of the Outliers page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from nestviz.analysis.flags import Flags
from nestviz.analysis.outliers import OutlierRanking, ScoreBy
from nestviz.arrays import FloatArray
from nestviz.ui.compute.entry_maps import RankingResult
from nestviz.ui.compute.methods import Spec

WRITTEN = 10
"""Ranks that are written in the plane."""


@dataclass(frozen=True)
class OutliersSettings:
    """The settings of the page."""

    spec: Spec
    contamination: float
    score: ScoreBy = "mass"


@dataclass(frozen=True, eq=False)
class OutliersResult:
    """A ranking, and the points that are flagged."""

    settings: OutliersSettings
    found: RankingResult
    flags: Flags

    @property
    def boundary(self) -> Sequence[FloatArray]:
        """Rings around the set that leaves the flagged points out; none where there is no set."""
        level = self.flags.threshold
        exists = np.isfinite(level) and level > 0
        return self.found.entry_map.outline(level) if exists else ()


def scored(found: RankingResult, score: ScoreBy) -> RankingResult:
    """Return a result with another score of the same ranking."""
    return replace(found, ranking=found.ranking.scored_by(score))


def score_text(ranking: OutlierRanking, score: float) -> str:
    """Return a score in words: a share of the points, or of the box around them."""
    if ranking.score_by == "mass":
        return f"{score:.3f}"
    return f"{score:.2%} of the box" if np.isfinite(score) else "no set"


def shades(ranking: OutlierRanking) -> FloatArray:
    """Return scores from 0 to 1; a point that no set contains has 1."""
    return np.clip(ranking.score, 0.0, 1.0)
