"""Why a point ranks where it does: its levels, and the points that hold it in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from nestviz.analysis.contributions import Contributions
from nestviz.analysis.flags import Flags
from nestviz.analysis.ranking import RankingScores, ranking_scores
from nestviz.grids import Plane
from nestviz.ui.compute.entry_maps import Ranked
from nestviz.volume.extrapolation import entered_by_extrapolation

MOST_CONTRIBUTIONS = 5
"""Points that are named as holding another one in."""


@dataclass(frozen=True, eq=False)
class Why:
    """What is known about the rank of one point.

    Attributes
    ----------
    row : int
        The point; −1 for a new one.
    rank : int
        One more than the number of points that are more abnormal.
    score, level : float
        Its score, and the level at which it leaves the family.
    s_plus, s_minus : float
        The first level at which it enters as the sets grow, and the one from which it stays in.
    ambiguous : bool
        Whether the two rank it differently against some other point.
    """

    ranked: Ranked
    row: int
    rank: int
    score: float
    level: float
    s_plus: float
    s_minus: float
    ambiguous: bool
    contributions: Contributions

    @classmethod
    def of_row(cls, ranked: Ranked, row: int) -> Why:
        """For a ranked point."""
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
            ranking.contributions(row, MOST_CONTRIBUTIONS),
        )

    @property
    def name(self) -> str:
        """What the point is called."""
        return "The new point" if self.row < 0 else f"Point {self.row}"

    def show(self) -> None:
        """Show numbers, sentences, and the points that support it."""
        n = len(self.ranked.ranking) + (self.row < 0)
        st.markdown(f"#### Why rank {self.rank}?")
        cells = st.columns(4)
        cells[0].metric(
            f"Rank of {n:,}",
            f"{self.rank:,}",
            help="1 is the most abnormal; points at the same level are ordered by the field there.",
        )
        cells[1].metric(
            "Score",
            f"{self.score:.3f}",
            help="The share of the points that the smallest set around this one contains. "
            "Higher is more abnormal.",
        )
        cells[2].metric(
            "Leaves at λ",
            _number(self.level),
            help="The level of exit: no set at a higher level contains the point.",
        )
        cells[3].metric(
            "s− to s+",
            "one level" if self.s_plus == self.s_minus else f"{_number(self.s_minus)} …",
            help="From the level below which the point is always inside to the highest level at "
            "which it is. One level where membership is monotone, as in nested sets.",
        )
        left, right = st.columns([3, 2], gap="large")
        with left:
            st.markdown(self._story())
        with right:
            self._held()

    def _story(self) -> str:
        n = len(self.ranked.ranking)
        if not np.isfinite(self.level):
            return f"{self.name} is outside every set of this family: nothing is more abnormal."
        tied = self._tied()
        later = self.rank - 1 - tied[0]
        share = f"{later:,} of {n:,} points ({later / n:.1%})" if later else "No point"
        story = (
            f"As the level falls and the sets grow, {_inside(self.name)} enters at "
            f"λ = {_number(self.level)}, {self.level / self.ranked.top:.1%} of the highest level. "
            f"{share} enter{'' if later > 1 else 's'} later."
        )
        parts = (story, tied[1], self._extrapolated(), self._interval())
        return " ".join(part for part in parts if part)

    def _tied(self) -> tuple[int, str]:
        """How many points tied with a ranked one rank before it, and the tie in words."""
        ranking = self.ranked.ranking
        if self.row < 0 or ranking.tied[self.row] < 2:
            return 0, ""
        others = int(ranking.tied[self.row]) - 1
        before = self.rank - int(ranking.level_rank[self.row])
        points = "another point comes" if others == 1 else f"{others} other points come"
        return before, (
            f"It ties: {points} in at the same level. The field there, or just before it, puts "
            f"{before or 'none'} of them first."
        )

    def _extrapolated(self) -> str:
        if not entered_by_extrapolation(self.ranked.ranking.family, [self.level])[0]:
            return ""
        return "That is below the smallest solved level: its rank is by extrapolation."

    def _interval(self) -> str:
        """What s+ and s− say of it."""
        if self.s_plus == self.s_minus and self.ambiguous:
            return (
                "Once inside, it stays inside (s+ = s−). But other points enter and leave as sets "
                "cross, so against some of them its rank is **ambiguous**."
            )
        if self.s_plus == self.s_minus:
            return "Once inside, it stays inside: s+ = s−, and its rank is the only one."
        if not np.isfinite(self.s_plus):
            return "It only ever reaches the boundary, where it is a support vector."
        other = (
            " The two rank it differently against other points: its rank is **ambiguous**."
            if self.ambiguous
            else ""
        )
        return (
            f"But the sets cross: it first enters at s+ = {_number(self.s_plus)} and only stays "
            f"inside from s− = {_number(self.s_minus)} down.{other}"
        )

    def _held(self) -> None:
        import pandas as pd

        parts, total = self.contributions, self.contributions.total
        points = [
            "itself" if self.row in rows else ", ".join(map(str, rows[:3])) or "not among the data"
            for rows in parts.rows
        ]
        shares = parts.values / total if total > 0 else np.zeros(len(points))
        st.markdown("**Supported by**")
        st.dataframe(
            pd.DataFrame({"point": points, "share": shares}),
            hide_index=True,
            column_config={
                "point": st.column_config.TextColumn(
                    "point", help="Row of the point whose kernel reaches here."
                ),
                "share": st.column_config.ProgressColumn(
                    "share of the sum",
                    format="percent",
                    min_value=0.0,
                    max_value=1.0,
                    help="Its part of the sum of all kernels at the level of exit. Lines lead "
                    "there in the picture; dotted where it pushes the point out.",
                ),
            },
        )


@dataclass(frozen=True, eq=False)
class NewPoint:
    """A location in the plane that is scored as if it were a point."""

    place: tuple[float, float]
    why: Why

    @classmethod
    def at(cls, ranked: Ranked, plane: Plane, place: tuple[float, float]) -> NewPoint:
        """Score a location."""
        x = plane.lift([place])
        ranking = ranked.ranking
        scores = ranking_scores(ranking.family, x)
        level = float(ranking.family.first_level(x)[0])
        same = np.flatnonzero((ranking.points == x).all(axis=1))
        why = Why(
            ranked,
            int(same[0]) if same.size else -1,
            int(ranking.rank_of(x)[0]),
            float(ranking.score_of(x)[0]),
            float(ranking.level[same[0]]) if same.size else level,
            float(scores.s_plus[0]),
            float(scores.s_minus[0]),
            _turned_round(ranked.scores, scores),
            ranking.contributions_of(x[0], MOST_CONTRIBUTIONS),
        )
        return cls(place, why)

    def show(self, flags: Flags) -> None:
        """One sentence."""
        n, rank = len(self.why.ranked.ranking), self.why.rank
        flagged = self.why.level <= flags.threshold
        verdict = (
            "beyond the threshold: it **would be flagged**"
            if flagged
            else "inside the threshold: it would **not** be flagged"
        )
        st.info(
            f"A new point at ({self.place[0]:.4g}, {self.place[1]:.4g}) would have rank {rank} "
            f"among the {n:,} points, with score {self.why.score:.3f}. It is {verdict}. Points "
            "that were fitted help to hold themselves in; a new one does not.",
            icon=":material/add_location:",
        )


def _turned_round(known: RankingScores, new: RankingScores) -> bool:
    """Whether the two scores rank a new point differently against some known one."""
    above = (known.s_plus > new.s_plus) & (known.s_minus < new.s_minus)
    below = (known.s_plus < new.s_plus) & (known.s_minus > new.s_minus)
    return bool(np.any(above | below))


def _number(level: float) -> str:
    return f"{level:.3g}" if np.isfinite(level) else "none"


def _inside(name: str) -> str:
    """A name within a sentence."""
    return name[0].lower() + name[1:]
