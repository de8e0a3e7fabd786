"""Why a point is unusual in terms of its features, and what would bring it inside."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from nestviz.data import Dataset
from nestviz.escaping import LONGEST_NAME, html, markdown, plain
from nestviz.families import SetFamily
from nestviz.ui.compute.methods import Spec
from nestviz.ui.compute.outlier_reasons import UNUSUAL, FeatureChanges, Reasons, reasons_of
from nestviz.ui.data_choice import Current
from nestviz.ui.pages.outliers.results import OutliersResult, SomeRows, point_name
from nestviz.ui.pages.outliers.tables import identity
from nestviz.ui.results import cache
from nestviz.ui.session.view import view
from nestviz.ui.widgets.charts import chart
from nestviz.ui.widgets.tables import EMPTY, columns

BARS = 12
"""Number of features that are drawn."""


def found(current: Current, shown: OutliersResult, row: int) -> Reasons:
    """Return the reasons for the rank of a point."""
    return _reasons(
        current.source,
        current.fitted,
        view().show or "pca",
        shown.settings.spec,
        row,
        shown.flags.threshold,
        shown.found.ranking.family,
    )


@cache.kept("Looking for the smallest change …")
def _reasons(
    source: Dataset,
    fitted: Dataset,
    way: str,
    spec: Spec,
    row: int,
    level: float,
    _family: SetFamily,
) -> Reasons:
    return reasons_of(source, fitted, way, _family, row, level)


def show(current: Current, shown: OutliersResult, row: int) -> None:
    """Show bars by feature, changes that would end inside, and the nearest points."""
    reasons = found(current, shown, row)
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.markdown("**Features, the most unusual first**")
        _bars(current, reasons, row)
    with right:
        st.markdown("**What would put it inside?**")
        st.markdown(in_words(current, shown, reasons, row))
        st.markdown("**Nearest points**")
        _neighbours(current, shown, reasons)
    with st.expander("All features as numbers", icon=":material/table_rows:"):
        _table(reasons)


def _bars(current: Current, reasons: Reasons, row: int) -> None:
    from nestviz.figures.feature_bars import feature_bars_figure

    profile = reasons.profile
    count = min(BARS, len(profile.names))
    first = profile.order[0]
    point = plain(point_name(current, row), LONGEST_NAME)
    alt = (
        f"Robust z-scores of {count} features of {point}; the largest is "
        f"{profile.robust_z[first]:.2g}, of {plain(profile.names[first], LONGEST_NAME)}"
    )
    chart(feature_bars_figure(profile, BARS), "feature-bars", 90 + 30 * count, alt)
    more = (
        f" The first {BARS} of {len(profile.names)} features." if len(profile.names) > BARS else ""
    )
    st.caption(
        f"Values are in the units of the data. Robust z is the distance from the median in scaled "
        f"median absolute deviations; beyond {UNUSUAL:g} (dashed, striped bars) a value by itself "
        f"is an outlier. Where no bar is long, the combination of values is unusual.{more}"
    )


class Words(NamedTuple):
    """How names are escaped and what is emphasised, in one markup."""

    name: Callable[[str, int], str]
    strong: str


MARKDOWN = Words(markdown, "**{}**")
HTML = Words(html, "<strong>{}</strong>")


def in_words(current: Current, shown: OutliersResult, reasons: Reasons, row: int) -> str:
    """Return what change would bring a point into the set at the threshold, as Markdown."""
    lines, note = ways_inside(current.source, shown, reasons, row)
    return "\n".join([*(f"- {line}" for line in lines), f"\n{note}"])


def ways_inside(
    source: Dataset, shown: OutliersResult, reasons: Reasons, row: int, words: Words = MARKDOWN
) -> tuple[list[str], str]:
    """Return the changes that would bring a point inside, and a note on their units."""
    if not shown.flags.flagged[row] and np.isfinite(shown.flags.threshold):
        return [], "It is not flagged: it is inside the set at the threshold."
    changes = reasons.changes
    if changes is None:
        return [], (
            "There is no answer in terms of features: the sets live in the plane of a map that is "
            "not linear, or no set leaves out just the flagged points."
        )
    names = reasons.profile.names
    order = np.argsort(np.abs(changes.change.single), kind="stable")
    alone = [j for j in order if np.isfinite(changes.inside_at[j])][:3]
    lines = [
        f"{words.name(names[j], LONGEST_NAME)} alone: {reasons.profile.values[j]:.4g} → "
        f"{words.strong.format(f'{changes.inside_at[j]:.4g}')} ({changes.change.single[j]:+.2g})"
        for j in alone
    ] or ["No change of one feature alone does."]
    return [*lines, _nearest_in_words(changes, reasons, words)], _units(source)


def _nearest_in_words(changes: FeatureChanges, reasons: Reasons, words: Words) -> str:
    change, target = changes.change, changes.target
    if target is None or not np.isfinite(change.distance):
        return "The set at this level is empty."
    largest = np.argsort(-np.abs(changes.moves), kind="stable")[:3]
    parts = ", ".join(
        f"{words.name(reasons.profile.names[j], LONGEST_NAME)} {target[j]:.4g}"
        for j in largest
        if changes.moves[j] != 0
    )
    least = f"at least {change.at_least:.2g}, at most {change.distance:.2g}"
    return f"All features together: a distance of {least}, for example {parts}"


def _units(source: Dataset) -> str:
    scaled = source.annotations is not None and source.annotations.units is not None
    unit = "standard deviations of the features" if scaled else "units of the data"
    return (
        f"In brackets, and for the distance: {unit}. Changes of one feature are exact; the "
        "nearest location is the nearest that was found, hence two bounds."
    )


def _neighbours(current: Current, shown: OutliersResult, reasons: Reasons) -> None:
    near, ranking = reasons.neighbours, shown.found.ranking
    index = current.index if isinstance(current, SomeRows) else None
    columns_of = identity(current.source, index=index)
    named = {name: values[near.rows] for name, values in columns_of.items()}
    frame = pd.DataFrame(
        {
            **named,
            "distance": near.distances,
            "rank": ranking.rank[near.rows],
            "flagged": shown.flags.flagged[near.rows],
        }
    )
    st.dataframe(frame, hide_index=True, column_config=columns("outliers", "neighbours"))


def _table(reasons: Reasons) -> None:
    profile, order = reasons.profile, reasons.profile.order
    frame = {
        "feature": np.array(profile.names, dtype=object)[order],
        "value": profile.values[order],
        "median": profile.medians[order],
        "robust z": profile.robust_z[order],
        "percentile": profile.percentiles[order],
    }
    if reasons.changes is not None:
        frame["inside at"] = reasons.changes.inside_at[order]
        frame["change"] = reasons.changes.change.single[order]
    st.dataframe(
        pd.DataFrame(frame),
        hide_index=True,
        column_config=columns("outliers", "features"),
        placeholder=EMPTY,
    )
