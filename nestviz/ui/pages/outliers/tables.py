"""Numbers, tables and downloads of the Outliers page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from nestviz.analysis.flags import Flags, detection_auc
from nestviz.analysis.outliers import OutlierRanking
from nestviz.data import Dataset
from nestviz.ui.compute.entry_maps import Ranked
from nestviz.ui.data_choice import Current
from nestviz.ui.export import panel, scripts
from nestviz.ui.results import fits
from nestviz.ui.session.selection import selection
from nestviz.volume import extrapolation

if TYPE_CHECKING:
    import pandas as pd

    from nestviz.ui.pages.outliers.page import Choice, Shown

RARE = 0.3
"""A class with a larger share of the points is no minority that a ranking should find."""


def ranked_table(current: Current, ranked: Ranked, flags: Flags) -> pd.DataFrame:
    """The most abnormal point first; what the table on the page shows."""
    import pandas as pd

    ranking, source = ranked.ranking, current.source
    order = ranking.order
    columns: dict[str, Any] = {
        "rank": ranking.rank[order],
        "tied": ranking.tied[order],
        "point": order,
        "score": ranking.score[order],
        "flagged": flags.flagged[order],
        "level": ranking.level[order],
        "extrapolated": ranking.below_solved[order],
        "ambiguous": ranked.scores.ambiguous[order],
    }
    if source.y is not None:
        columns["class"] = source.y[order]
    for name, values in zip(source.feature_names, source.X.T, strict=True):
        columns[free_name(name, columns)] = values[order]
    return pd.DataFrame(columns)


def columns(level: str) -> dict[str, Any]:
    """What the columns are."""
    number = st.column_config.NumberColumn
    return {
        "rank": number(
            "rank",
            help="1 is the most abnormal. Points that tie at a level are ordered by the value of "
            "the field there; points at the same place share a rank.",
        ),
        "tied": number(
            "tied",
            help="How many points enter at this level, the point itself included. More than one: "
            "the level does not tell them apart.",
        ),
        "point": number("point", help="Row of the data."),
        "score": number("score", format="%.3f", help="Higher is more abnormal; at most 1."),
        "flagged": st.column_config.CheckboxColumn(
            "flagged", help="Among the share that the contamination asks for."
        ),
        "level": number(
            "level", format="%.4g", help=f"The {level} at which the point leaves the sets."
        ),
        "extrapolated": st.column_config.CheckboxColumn(
            "extrapolated",
            help="Enters below the smallest solved level, where the sets are extrapolated.",
        ),
        "ambiguous": st.column_config.CheckboxColumn(
            "ambiguous",
            help="s+ and s− order this point differently against at least one other point.",
        ),
        "class": number("class", help="The label, which the ranking has not seen."),
    }


def score_table(current: Current, ranked: Ranked, flags: Flags) -> pd.DataFrame:
    """One row per point in the order of the data, with everything that is known; for download."""
    import pandas as pd

    columns: dict[str, Any] = dict(ranked.ranking.to_table())
    columns |= {
        "s_plus": ranked.scores.s_plus,
        "s_minus": ranked.scores.s_minus,
        "ambiguous": ranked.scores.ambiguous,
        "flagged": flags.flagged,
    }
    source = current.source
    if source.y is not None:
        columns["class"] = source.y
    for name, values in zip(source.feature_names, source.X.T, strict=True):
        columns[free_name(name, columns)] = values
    return pd.DataFrame(columns)


def free_name(name: str, taken: dict[str, Any]) -> str:
    """A feature's name, or where a column of ours has it, the same with a line behind it."""
    while name in taken:
        name += "_"
    return name


def numbers(current: Current, choice: Choice, shown: Shown) -> None:
    """What is flagged, and with labels how well the ranking finds the rare class."""
    ranking, flags = shown.ranked.ranking, shown.flags
    asked = choice.contamination * len(ranking)
    cells = st.columns(4)
    cells[0].metric(
        "Flagged",
        f"{flags.count} of {len(ranking):,}",
        help="The most abnormal points, as many as the contamination allows; points that tie are "
        "flagged together or not at all.",
    )
    cells[1].metric(
        "Threshold λ",
        f"{flags.threshold:.3g}" if np.isfinite(flags.threshold) else "none",
        help="The level whose set holds all points but the flagged ones: the dashed line.",
    )
    cells[2].metric(
        "Ranked ambiguously",
        f"{shown.ranked.scores.disagreement:.1%}",
        help="Share of the points that s+ and s− order differently against some other point. None "
        "where sets are nested.",
    )
    with cells[3]:
        _detection(current.fitted, shown)
    _notes(ranking, asked, flags.count)


def _notes(ranking: OutlierRanking, asked: float, flagged: int) -> None:
    """What to know about the first ranks: ties, and levels that were not solved."""
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


def _detection(data: Dataset, shown: Shown) -> None:
    if data.y is None or len(np.unique(data.y)) < 2:
        st.caption("No labels to check the ranking against.")
        return
    rare = -1 if np.count_nonzero(data.y == -1) <= data.n / 2 else 1
    known = data.y == rare
    area = detection_auc(shown.ranked.ranking, known)
    hit = np.count_nonzero(known & shown.flags.flagged)
    st.metric(
        f"AUC for class {'−1' if rare < 0 else '+1'}",
        f"{area:.3f}",
        help=f"The probability that a point of the rarer class ({known.mean():.0%} of the points) "
        "ranks before one of the other; 0.5 is chance. The ranking has not seen the labels.",
    )
    if known.mean() > RARE:
        st.caption("No class is rare here, so a low value says nothing against the ranking.")
    else:
        st.caption(f"{hit} of its {known.sum()} points are flagged.")


def take(current: Current, choice: Choice, shown: Shown) -> None:
    """Downloads, and the code that makes the same."""
    model = fits.fit(current.fitted, choice.spec).estimator
    row = selection(current.fitted).point
    panel.show(
        current,
        name="outliers",
        code=code(current, choice),
        figures={"Outliers": lambda: _figure(current, shown, row)},
        tables={"scores": lambda: score_table(current, shown.ranked, shown.flags)},
        models={choice.spec.title: lambda: model},
    )


def _figure(current: Current, shown: Shown, row: int | None) -> Any:
    from nestviz.figures.outliers import outliers_figure
    from nestviz.ui.pages.cluster_tree.pictures import axis_names

    ranking, places, level = shown.ranked.ranking, shown.ranked.places, shown.flags.threshold
    return outliers_figure(
        ranking,
        places.grid.plane.coordinates(current.fitted.X),
        axis_names(current),
        row=row,
        contributions=None if row is None else ranking.contributions(row),
        flagged=shown.flags.flagged,
        boundary=places.outline(level) if np.isfinite(level) else (),
    )


def code(current: Current, choice: Choice) -> str:
    """The script that makes the same ranking and figure."""
    from nestviz.ui.compute.entry_maps import SAME_LEVEL

    return scripts.script(
        current,
        *scripts.fit_lines(current, "model", choice.spec),
        f"family = {scripts.family_of('model', choice.spec)}",
        "",
        "from nestviz import ParzenLevelSets",
        "from nestviz.analysis import outlier_ranking",
        "from nestviz.analysis import flag_outliers",
        f"top = ParzenLevelSets({choice.spec.sigma!r}).fit(data.X).family_"
        ".first_level(data.X).max()",
        f"ranking = outlier_ranking(family, data.X, resolution={SAME_LEVEL!r} * top)",
        f"flags = flag_outliers(ranking, contamination={choice.contamination!r})",
        "",
        *scripts.grid_lines(current),
        "from nestviz.figures import outliers_figure",
        "points = grid.plane.coordinates(data.X)",
        'names = data.feature_names if data.d == 2 else ("direction 1", "direction 2")',
        "figure = outliers_figure(ranking, points, names, flagged=flags.flagged)",
        'figure.write_html("outliers.html")',
    )
