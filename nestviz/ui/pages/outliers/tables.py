"""The settings and the result of the Outliers page: numbers, tables and exports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from nestviz.analysis.flags import Flags, detection_auc
from nestviz.analysis.outliers import OutlierRanking
from nestviz.data import Dataset
from nestviz.ui.compute.entry_maps import SAME_LEVEL, RankingResult
from nestviz.ui.compute.methods import Fitted, Spec
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.export import panel, scripts
from nestviz.ui.panels.exports import given
from nestviz.ui.session.selection import selection
from nestviz.ui.widgets.metrics import metrics
from nestviz.volume import extrapolation

RARE = 0.3
"""A class with a larger share of the points is no minority that a ranking should find."""


@dataclass(frozen=True)
class OutliersSettings:
    """The settings of the page."""

    spec: Spec
    contamination: float


@dataclass(frozen=True, eq=False)
class OutliersResult:
    """A ranking, and the points that are flagged."""

    settings: OutliersSettings
    found: RankingResult
    flags: Flags


def ranked_table(current: Current, found: RankingResult, flags: Flags) -> pd.DataFrame:
    """Return the table of the page, the most abnormal point first."""
    ranking = found.ranking
    columns = {
        "rank": ranking.rank,
        "point": np.arange(len(ranking)),
        "score": ranking.score,
        "flagged": flags.flagged,
        "level": ranking.level,
        "tied": ranking.tied,
    }
    # Columns of which no box is ticked would only push the features out of sight.
    rare = {"extrapolated": ranking.below_solved, "ambiguous": found.scores.ambiguous}
    columns |= {name: ticked for name, ticked in rare.items() if ticked.any()}
    return _with_features(current, columns).iloc[ranking.order].reset_index(drop=True)


def score_table(current: Current, found: RankingResult, flags: Flags) -> pd.DataFrame:
    """Return the table for download: all results, in the order of the data."""
    scores = found.scores
    columns = dict(found.ranking.to_table()) | {
        "s_plus": scores.s_plus,
        "s_minus": scores.s_minus,
        "ambiguous": scores.ambiguous,
        "flagged": flags.flagged,
    }
    return _with_features(current, columns)


def _with_features(current: Current, columns: dict[str, Any]) -> pd.DataFrame:
    source = current.source
    if source.y is not None:
        columns["class"] = source.y
    for name, values in zip(source.feature_names, source.X.T, strict=True):
        columns[free_name(name, columns)] = values
    return pd.DataFrame(columns)


def free_name(name: str, taken: dict[str, Any]) -> str:
    """Return the name of a feature, with underscores appended while it is taken."""
    while name in taken:
        name += "_"
    return name


def numbers(current: Current, shown: OutliersResult) -> None:
    """Show what is flagged and, with labels, how well the ranking finds the rarer class."""
    ranking, flags = shown.found.ranking, shown.flags
    values = {
        "flagged": f"{flags.count} of {len(ranking):,}",
        "threshold": f"{flags.threshold:.3g}" if np.isfinite(flags.threshold) else "none",
        "ambiguous": f"{shown.found.scores.disagreement:.1%}",
    }
    cells = metrics("pages/outliers", values, cells=4)
    with cells[3]:
        _detection(current.fitted, shown)
    notes(ranking, shown.settings.contamination * len(ranking), flags.count)


def notes(ranking: OutlierRanking, asked: float, flagged: int) -> None:
    """Show notes on ties and extrapolation among the first ranks."""
    tied = int(ranking.tied[ranking.order[0]])
    if asked >= 1 and not flagged and tied > 1:
        st.info(
            f"The {tied} most abnormal points tie, and are more than {asked:.0f}, so none is "
            "flagged. More levels, another method or a higher contamination separates them.",
            icon=":material/lightbulb:",
        )
    words = [extrapolation.in_words(ranking.extrapolated)]
    if tied > 1:
        words.append(
            f"The {tied} most abnormal points tie: they enter at the same level. Their order is "
            "that of the field there, or just before it where they all lie on the boundary."
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


def exports(current: Current, fitted: Fitted, shown: OutliersResult) -> None:
    """Show the downloads, and the code that gives the same result."""
    row = selection(current.fitted).point
    panel.show(
        current,
        name="outliers",
        code=_code(current, shown.settings),
        figures={"Outliers": lambda: _figure(current, shown, row)},
        tables={"scores": lambda: score_table(current, shown.found, shown.flags)},
        models=given({fitted.spec.title: fitted.estimator}),
    )


def _figure(current: Current, shown: OutliersResult, row: int | None) -> Any:
    from nestviz.figures.outliers import outliers_figure

    ranking, level = shown.found.ranking, shown.flags.threshold
    return outliers_figure(
        ranking,
        current.plane.coordinates(current.fitted.X),
        axis_names(current.fitted),
        row=row,
        contributions=None if row is None else ranking.contributions(row),
        flagged=shown.flags.flagged,
        boundary=shown.found.entry_map.outline(level) if np.isfinite(level) else (),
    )


def _code(current: Current, settings: OutliersSettings) -> str:
    spec = settings.spec
    return scripts.script(
        current,
        *scripts.fit_lines(current, "model", spec),
        f"family = {scripts.family_of('model', spec)}",
        "",
        "from nestviz import ParzenLevelSets",
        "from nestviz.analysis import outlier_ranking",
        "from nestviz.analysis import flag_outliers",
        f"top = ParzenLevelSets({spec.sigma!r}).fit(data.X).family_.first_level(data.X).max()",
        f"ranking = outlier_ranking(family, data.X, resolution={SAME_LEVEL!r} * top)",
        f"flags = flag_outliers(ranking, contamination={settings.contamination!r})",
        "",
        *scripts.grid_lines(current),
        "from nestviz.figures import outliers_figure",
        "points = grid.plane.coordinates(data.X)",
        'names = data.feature_names if data.d == 2 else ("direction 1", "direction 2")',
        "figure = outliers_figure(ranking, points, names, flagged=flags.flagged)",
        'figure.write_html("outliers.html")',
    )
