"""The numbers of the Quantiles page: crossing, coverage, and the selected point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.column_config import NumberColumn

from nestviz.figures.quantiles import coverage_ratio_figure
from nestviz.ui.compute.quantiles import QuantileResult, QuantileSettings
from nestviz.ui.data_choice import Current
from nestviz.ui.panels import point_card
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.charts import chart
from nestviz.ui.widgets.metrics import metrics

IN_A_ROW = 4
INVITATION = (
    "Click a point in the picture, or type its number, to see at which quantile it enters the sets "
    "of each method."
)


def numbers(found: Sequence[QuantileResult]) -> None:
    """Show a row of numbers for each method, in the order of the pictures."""
    for begin in range(0, len(found), IN_A_ROW):
        part = found[begin : begin + IN_A_ROW]
        for column, one in zip(st.columns(max(len(part), 2), gap="medium"), part, strict=False):
            with column:
                _row(one)


def _row(one: QuantileResult) -> None:
    worst = one.sets.worst
    detail = (
        "Nested by construction: there is none."
        if one.family.is_nested
        else "No two of the sets cross on the pixels of the picture."
        if worst is None
        else f"Most of all, the set of {worst.small:.3g} extends beyond the one of "
        f"{worst.large:.3g}, by an area of {worst.area:.3g}."
    )
    st.markdown(f"**{one.title}**")
    area = one.sets.crossing_area
    values = {
        "crossing": f"{area:.3g}" if area > 0 else "none",
        "coverage": f"{one.coverage.mean_error:.1%}",
    }
    metrics("pages/quantiles", values, compact=True, detail=detail, size=one.coverage.size)
    objective = "" if one.objective is None else f"Objective {one.objective:.4g}; "
    st.caption(
        f"{objective}certificate: {one.certificate}.",
        help="The objective is that of the method's own problem and not comparable between "
        "methods. The certificate is a measured bound on how far the solution can be from the "
        "optimum.",
    )


def coverage(found: Sequence[QuantileResult]) -> bool:
    """Show the coverage ratio as a chart and a table; return whether sampling error is on."""
    st.header("What the sets hold of the held-out points", anchor=False)
    left, right = st.columns(2, gap="medium")
    with left:
        bars = inputs.toggle("bars")
        ends = (
            f"{one.title}, from {one.coverage.ratios[0]:.2f} at {one.coverage.quantiles[0]:.3g} to "
            f"{one.coverage.ratios[-1]:.2f} at {one.coverage.quantiles[-1]:.3g}"
            for one in found
        )
        alt = f"Coverage ratio over the quantile; 1 is ideal. {'; '.join(ends)}."
        chart(coverage_figure(found, bars), "coverage", 340, alt)
    right.dataframe(
        _ratios(found), key="ratios", hide_index=True, height=400, column_config=_columns(found)
    )
    st.caption(
        f"α′ is the share of the {found[0].coverage.size:,} held-out points in the set of the "
        "quantile α. A ratio of 1 is ideal; below 1 the set is too small, as for sets that follow "
        "their own training points too closely."
    )
    return bars


def coverage_figure(found: Sequence[QuantileResult], bars: bool) -> Any:
    """Return the coverage ratio of each method over the quantile."""
    return coverage_ratio_figure({one.title: one.coverage for one in found}, intervals=bars)


def _ratios(found: Sequence[QuantileResult]) -> pd.DataFrame:
    """Return one row per quantile, with the ratio of each method."""
    columns = {one.title: one.coverage.ratios for one in found}
    return pd.DataFrame({"quantile": found[0].coverage.quantiles, **columns})


def _columns(found: Sequence[QuantileResult]) -> dict[str, Any]:
    """Return the columns of the ratios; narrow ones have the first word of the title."""
    quantile = NumberColumn("α", format="%.3g", help="The quantile.", pinned=True)
    return {"quantile": quantile} | {
        one.title: NumberColumn(
            one.title.split(" ")[0], format="%.3f", help=f"α′/α of: {one.title}. 1 is ideal."
        )
        for one in found
    }


def point(current: Current, settings: QuantileSettings, found: Sequence[QuantileResult]) -> None:
    """Show at which quantile the selected point enters the sets of each method."""
    row = point_card.pick(current, INVITATION)
    if row is None:
        return
    lines = (f"- **{one.title}**: {entry_words(one, row, held_out=False)}." for one in found)
    st.markdown("\n".join(lines))
    held_out = row in settings.parts(current.fitted.n)[1]
    st.caption("This point is held out." if held_out else "The methods were fitted to it.")


def entry_words(one: QuantileResult, row: int, held_out: bool) -> str:
    """Describe when a point enters."""
    first, count = float(one.scan.first[row]), int(one.scan.counts[row])
    part = "held out; " if held_out else ""
    if not np.isfinite(first):
        return f"{part}outside, or on the boundary, at every quantile"
    again = ""
    if one.scan.violated[row]:
        again = f", in {count} separate intervals" if count > 1 else ", but leaves again"
    return f"{part}inside from quantile {first:.3g} on{again}"
