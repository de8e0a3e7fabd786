"""The numbers and tables of the Outliers page."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from nestviz.analysis.flags import Flags, detection_auc
from nestviz.analysis.outliers import OutlierRanking
from nestviz.arrays import IndexArray
from nestviz.data import Dataset
from nestviz.ui.compute.entry_maps import RankingResult
from nestviz.ui.compute.outlier_reasons import RobustScale, top_features
from nestviz.ui.data_choice import Current
from nestviz.ui.pages.outliers.results import (
    NO_COLUMNS,
    Columns,
    Filter,
    OutliersResult,
    SomeRows,
)
from nestviz.ui.widgets.metrics import metrics
from nestviz.volume import extrapolation

ALL = Filter()
RARE = 0.3
"""A class with a larger share of the points is no minority that a ranking should find."""


def ranked_table(
    current: Current,
    found: RankingResult,
    flags: Flags,
    listed: Filter = ALL,
    more: Columns = NO_COLUMNS,
) -> pd.DataFrame:
    """Return the table of the page: the listed points, the most abnormal first.

    ``more`` are further columns, such as p-values.
    """
    ranking = found.ranking
    results = {
        "score": ranking.score,
        "flagged": flags.flagged,
        **more,
    }
    # After the features, which say what a row is. A column without a tick says nothing.
    rare = {"extrapolated": ranking.below_solved, "ambiguous": found.scores.ambiguous}
    last: dict[str, Any] = {"level": ranking.level, "tied": ranking.tied}
    last |= {name: ticked for name, ticked in rare.items() if ticked.any()}
    frame = _arranged(current, found, results, last)
    return frame.loc[listed.of(found.ranking.order)].reset_index(drop=True)


def scale_of(source: Dataset) -> RobustScale:
    """Return medians and deviations of the features, in the units of the file."""
    return RobustScale.of(source.own_units)


def score_table(
    current: Current,
    found: RankingResult,
    flags: Flags,
    listed: Filter = ALL,
    more: Columns = NO_COLUMNS,
    scale: RobustScale | None = None,
) -> pd.DataFrame:
    """Return the table for download: all results of the listed points, by rank.

    Features are in the units of the file, and its other columns follow them. ``row`` is the row of
    the file, or the number of a point of a sample from 0. ``more`` are further columns. ``scale``
    says what is usual where the points are some of many rows.
    """
    scores, ranking, source = found.scores, found.ranking, current.source
    results = {
        "score": ranking.score,
        "flagged": flags.flagged,
        **more,
        **top_features(source.own_units, source.feature_names, scale),
        **{k: v for k, v in ranking.to_table().items() if k not in ("row", "rank", "score")},
        "s_plus": scores.s_plus,
        "s_minus": scores.s_minus,
        "ambiguous": scores.ambiguous,
    }
    frame = _arranged(current, found, results, every=True)
    return frame.loc[listed.of(ranking.order)].reset_index(drop=True)


def identity(
    source: Dataset, number: str = "point", index: IndexArray | None = None
) -> dict[str, Any]:
    """Return the columns that identify points: row and identifiers, or numbers from 0.

    ``index`` has these numbers where the points are some of many rows.
    """
    notes = source.annotations
    if notes is None or notes.rows is None:
        return {number: np.arange(source.n) if index is None else index}
    columns: dict[str, Any] = {"row": notes.rows}
    for name in notes.ids:
        columns[free_name(name, columns)] = whole_numbers(notes.columns[name])
    return columns


def whole_numbers(values: Any) -> Any:
    """Return a column of whole numbers as such; others as they are."""
    whole = values.dtype != object and bool(np.all(values == np.rint(values)))
    return values.astype(np.int64) if whole else values


def _arranged(
    current: Current,
    found: RankingResult,
    results: dict[str, Any],
    last: Columns = NO_COLUMNS,
    *,
    every: bool = False,
) -> pd.DataFrame:
    """Return rank, identifiers, results and features, in the order of the points; then ``last``.

    Results keep their names; a column of the file whose name is taken gets underscores. With
    ``every`` the columns of the file that are neither features nor identifiers are there, too.
    """
    source, ranking = current.source, found.ranking
    notes = source.annotations
    taken = {"rank", "row", "class", *results, *last}

    def free(name: str) -> str:
        while name in taken:
            name += "_"
        taken.add(name)
        return name

    index = current.index if isinstance(current, SomeRows) else None
    ids = identity(source, "row" if every else "point", index)
    number = next(iter(ids))
    columns = {"rank": ranking.rank, number: ids.pop(number)}
    columns |= {free(name): values for name, values in ids.items()}
    columns |= results
    if source.y is not None:
        columns["class"] = source.y
    columns |= {
        free(name): values
        for name, values in zip(source.feature_names, source.own_units.T, strict=True)
    }
    if every and notes is not None:
        others = {k: v for k, v in notes.columns.items() if k not in notes.ids}
        columns |= {free(name): whole_numbers(values) for name, values in others.items()}
    return pd.DataFrame(columns | dict(last))


def free_name(name: str, taken: dict[str, Any]) -> str:
    """Return the name of a column, with underscores appended while it is taken."""
    while name in taken:
        name += "_"
    return name


def numbers(current: Current, shown: OutliersResult) -> None:
    """Show what is flagged and, with labels, how well the ranking finds the rarer class."""
    ranking, flags = shown.found.ranking, shown.flags
    values = {
        "flagged": f"{flags.count:,} of {len(ranking):,}",
        "threshold": f"{flags.threshold:.3g}" if np.isfinite(flags.threshold) else "none",
        "ambiguous": f"{shown.found.scores.disagreement:.1%}",
    }
    cells = metrics("pages/outliers", values, cells=4)
    with cells[3]:
        _detection(current.fitted, shown)
    notes(ranking, shown.settings.contamination * len(ranking), flags.count)


def share_a_rank(ranking: OutlierRanking) -> bool:
    """Return whether nothing separates the points that tie at the top: they coincide, or are many.

    See `nestviz.ui.compute.all_rows.MOST_BROKEN`.
    """
    first = ranking.order[0]
    return int(np.count_nonzero(ranking.rank == ranking.rank[first])) == int(ranking.tied[first])


def notes(ranking: OutlierRanking, asked: float, flagged: int) -> None:
    """Show notes on ties and extrapolation among the first ranks."""
    tied = int(ranking.tied[ranking.order[0]])
    if asked >= 1 and not flagged and tied > 1:
        st.info(
            f"The {tied:,} most abnormal points tie, and are more than {asked:,.0f}, so none is "
            "flagged. More levels, another method or a higher contamination separates them.",
            icon=":material/lightbulb:",
        )
    words = [extrapolation.in_words(ranking.extrapolated)]
    if tied > 1:
        words.append(
            f"The {tied:,} most abnormal points tie: they enter at the same level. "
            + (
                "They share a rank."
                if share_a_rank(ranking)
                else "Among them the point with the smallest kernel sum comes first, and then the "
                "one farthest from its nearest point."
            )
        )
    if any(words):
        st.caption(" ".join(sentence for sentence in words if sentence))


def _detection(data: Dataset, shown: OutliersResult) -> None:
    if data.y is None or len(np.unique(data.y)) < 2:
        st.caption("No labels to check the ranking against.")
        return
    rare = -1 if np.count_nonzero(data.y == -1) <= data.n / 2 else 1
    known = data.y == rare
    st.metric(
        f"AUC for class {'−1' if rare < 0 else '+1'}",
        f"{detection_auc(shown.found.ranking, known):.3f}",
        help=f"The probability that a point of the rarer class ({known.mean():.0%} of the points) "
        "ranks before one of the other; 0.5 is chance. The ranking does not use the labels.",
    )
    if known.mean() > RARE:
        st.caption("No class is rare here, so a low value says nothing against the ranking.")
    else:
        hit = np.count_nonzero(known & shown.flags.flagged)
        st.caption(f"{hit} of its {known.sum()} points are flagged.")
