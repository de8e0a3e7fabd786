"""The reasons for the rank of a point: its levels, and the points that support it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from nestviz.analysis.contributions import Contributions
from nestviz.analysis.flags import Flags
from nestviz.analysis.ranking import RankingScores, ranking_scores
from nestviz.escaping import LONGEST_NAME, markdown, plain
from nestviz.grids import Plane
from nestviz.ui.compute.entry_maps import RankingResult
from nestviz.ui.data_choice import Current
from nestviz.ui.pages.outliers.results import point_name, score_text
from nestviz.ui.widgets.metrics import metrics
from nestviz.ui.widgets.tables import columns
from nestviz.volume.extrapolation import entered_by_extrapolation

SHOWN = 5
"""Number of supporting points shown."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """The rank of one point, and what it follows from."""

    ranked: RankingResult
    row: int  # The point; −1 for a new one
    rank: int  # One more than the number of more abnormal points
    # Its score, and the level at which it leaves the family
    score: float
    level: float
    # The first level at which it enters as the sets grow, and the one from which it stays in
    s_plus: float
    s_minus: float
    ambiguous: bool  # Whether the two rank it differently against some other point
    contributions: Contributions
    whole: Current  # The points that are ranked
    location: tuple[float, float] | None = None  # Of a new point

    @classmethod
    def of_row(cls, ranked: RankingResult, row: int, whole: Current) -> Explanation:
        """Explain the rank of a point of the data."""
        ranking, scores = ranked.ranking, ranked.scores
        return cls(
            ranked,
            row,
            int(ranking.rank[row]),
            float(ranking.score[row]),
            float(ranking.level[row]),
            float(scores.s_plus[row]),
            float(scores.s_minus[row]),
            bool(scores.ambiguous[row]),
            ranking.contributions(row, SHOWN),
            whole,
        )

    @classmethod
    def at(
        cls, ranked: RankingResult, plane: Plane, location: tuple[float, float], whole: Current
    ) -> Explanation:
        """Score a location in the plane as a new point."""
        x, ranking = plane.lift([location]), ranked.ranking
        scores = ranking_scores(ranking.family, x)
        same = np.flatnonzero((ranking.points == x).all(axis=1))
        level = ranking.level[same] if same.size else ranking.family.first_level(x)
        return cls(
            ranked,
            int(same[0]) if same.size else -1,
            int(ranking.rank_of(x)[0]),
            float(ranking.score_of(x)[0]),
            float(level[0]),
            float(scores.s_plus[0]),
            float(scores.s_minus[0]),
            _is_ambiguous(ranked.scores, scores),
            ranking.contributions_of(x[0], SHOWN),
            whole,
            location,
        )

    @property
    def name(self) -> str:
        """The point in words."""
        if self.row < 0:
            return "the new point"
        return markdown(point_name(self.whole, self.row), LONGEST_NAME)

    def show_numbers(self, flags: Flags) -> None:
        """Show the rank and the numbers that it follows from."""
        n = len(self.ranked.ranking) + (self.row < 0)
        if self.location is not None:
            self._show_new(*self.location, flagged=self.level <= flags.threshold)
        named = "" if self.row < 0 else f" {self.name[0].upper()}{self.name[1:]}"
        st.header(f"Why rank {self.rank}?{named}", anchor=False)
        values = {
            "rank": f"{self.rank:,}",
            "score": score_text(self.ranked.ranking, self.score),
            "exit": _number(self.level),
            "interval": f"λ = {_number(self.s_minus)}",
        }
        metrics("pages/outliers", values, n=n)

    def show_levels(self) -> None:
        """Show at which levels the point enters, and the points that support it."""
        left, right = st.columns([3, 2], gap="large")
        with left:
            st.markdown("**Levels**")
            st.markdown(self._story())
        with right:
            self._supporting()

    def _show_new(self, x: float, y: float, *, flagged: bool) -> None:
        side = "beyond" if flagged else "inside"
        verdict = "**would be flagged**" if flagged else "would **not** be flagged"
        st.info(
            f"A new point at ({x:.4g}, {y:.4g}) would have rank {self.rank} among the "
            f"{len(self.ranked.ranking):,} points, with anomaly score "
            f"{score_text(self.ranked.ranking, self.score)}. It is {side} the threshold: it "
            f"{verdict}. Its own kernel does not support it, as that of a training point does.",
            icon=":material/add_location:",
        )

    def _story(self) -> str:
        n = len(self.ranked.ranking)
        if not np.isfinite(self.level):
            name = self.name[0].upper() + self.name[1:]
            return f"{name} is outside every set: nothing is more abnormal."
        before, tie = self._tied()
        later = self.rank - 1 - before
        share = f"{later:,} of {n:,} points ({later / n:.1%})" if later else "No point"
        story = (
            f"As the level falls and the sets grow, {self.name} enters at "
            f"λ = {_number(self.level)}, {self.level / self.ranked.top:.1%} of the highest level. "
            f"{share} enter{'' if later > 1 else 's'} later."
        )
        parts = (story, tie, self._extrapolated(), self._interval())
        return " ".join(part for part in parts if part)

    def _tied(self) -> tuple[int, str]:
        """Return the number of tied points that rank before this one, and a description."""
        ranking = self.ranked.ranking
        if self.row < 0 or ranking.tied[self.row] < 2:
            return 0, ""
        others = int(ranking.tied[self.row]) - 1
        before = self.rank - int(ranking.level_rank[self.row])
        points = "another point enters" if others == 1 else f"{others} other points enter"
        return before, (
            f"It ties: {points} at the same level. By the kernel sum, and then by the distance to "
            f"the nearest point, {f'{before:,}' if before else 'none'} of them "
            f"{'come' if before > 1 else 'comes'} before it."
        )

    def _extrapolated(self) -> str:
        if not entered_by_extrapolation(self.ranked.ranking.family, [self.level])[0]:
            return ""
        return "That is below the smallest solved level: its rank is by extrapolation."

    def _interval(self) -> str:
        """Describe s+ and s−."""
        if self.s_plus == self.s_minus and self.ambiguous:
            return (
                "Once inside, it stays inside (s+ = s−). But other points enter and leave as sets "
                "cross, so against some of them its rank is **ambiguous**."
            )
        if self.s_plus == self.s_minus:
            return "Once inside, it stays inside: s+ = s−, and its rank is the only one."
        if not np.isfinite(self.s_plus):
            return "It only ever reaches the boundary, where it is a support vector."
        other = " The two rank it differently against other points: its rank is **ambiguous**."
        return (
            f"But the sets cross: it first enters at s+ = {_number(self.s_plus)} and only stays "
            f"inside from s− = {_number(self.s_minus)} down.{other if self.ambiguous else ''}"
        )

    def _supporting(self) -> None:
        found = self.contributions
        named = self.ranked.supports or self.whole.source
        itself = self.row if self.ranked.supports is None else -1
        points = [
            "itself"
            if itself in rows
            else "; ".join(plain(named.point_name(row), LONGEST_NAME) for row in rows[:3])
            or "not among the data"
            for rows in found.rows
        ]
        shares = found.values / found.total if found.total > 0 else np.zeros(len(points))
        st.markdown("**Supported by**")
        st.dataframe(
            pd.DataFrame({"point": points, "share": shares}),
            hide_index=True,
            column_config=columns("outliers", "supporting"),
        )


def _is_ambiguous(known: RankingScores, new: RankingScores) -> bool:
    """Return whether the scores rank a new point differently against some point of the data."""
    above = (known.s_plus > new.s_plus) & (known.s_minus < new.s_minus)
    below = (known.s_plus < new.s_plus) & (known.s_minus > new.s_minus)
    return bool(np.any(above | below))


def _number(level: float) -> str:
    return f"{level:.3g}" if np.isfinite(level) else "none"
