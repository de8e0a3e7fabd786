"""Sets of labels on the Two classes page: +, −, both, or none of these."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from nestviz.ui.compute import label_sets as work
from nestviz.ui.compute.coverage import MOST_FITS, WAYS
from nestviz.ui.compute.label_sets import LabelSetsResult
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.export import scripts
from nestviz.ui.results import jobs
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.charts import chart
from nestviz.ui.widgets.tables import columns

RISK = 10
"""Per cent of each class whose label may be missing, at first."""
KINDS = ("one label", "both labels", "none of these")


class LabelExports(NamedTuple):
    """What the section adds to the exports: figures by name, and lines of code."""

    figures: Mapping[str, Any] = MappingProxyType({})
    lines: scripts.Lines = ()


def show(current: Current, sigma: float) -> LabelExports:
    """Offer sets of labels; show their regions and what they hold of held-out points."""
    if not inputs.toggle("labelsets"):
        return LabelExports()
    left, right = st.columns(2, gap="medium")
    with left:
        risk = inputs.slider("risk", RISK) / 100
    with right:
        way = inputs.segments("calibrate", list(WAYS))
    found = _find(current, sigma, way)
    if found is None:
        return LabelExports()
    st.markdown(sentence(found, risk))
    left, right = st.columns([3, 2], gap="medium")
    figure = _figure(current, found, risk)
    with left:
        chart(figure, "label_sets", 470, _alt(found, risk))
    with right:
        st.dataframe(
            table(found, risk),
            key="label_coverage",
            hide_index=True,
            column_config=columns("two_classes", "label_sets"),
        )
        st.caption(
            "A family of nested sets for each class, calibrated on points of the class that it was "
            "not fitted to. Where the hatchings cross, a point may be of either class; blank "
            "locations are like neither. The band is where 95% of splits lie if the promise holds."
        )
    lines = _lines(sigma, way, risk) if current.rows is None else ()
    return LabelExports({"Sets of labels": figure}, lines)


def _lines(sigma: float, way: str, risk: float) -> scripts.Lines:
    """Return the lines of a script that makes the same sets of labels."""
    return (
        "",
        "from nestviz import ConformalLabels, NestedOneClassSVM",
        "from nestviz.data import hold_out",
        f"train, aside = hold_out(data, {work.ASIDE!r}, {work.SEED})",
        "labels = ConformalLabels(",
        f"    NestedOneClassSVM({sigma!r}), {1 - risk!r}, method={_quoted(way)}, "
        f"random_state={work.SEED}",
        ").fit(data.X[train], data.y[train])",
        "sets = labels.label_sets(data.X[aside])  # columns: class −1, class +1",
        "kept = data.y[aside]",
        "print(sets[kept == -1, 0].mean(), sets[kept == 1, 1].mean())",
    )


def _quoted(word: str) -> str:
    return f'"{word}"'


def _find(current: Current, sigma: float, way: str) -> LabelSetsResult | None:
    data = current.measured
    signs = np.asarray(data.y)
    fewest = min(int(np.sum(signs == sign)) for sign in (-1, 1))
    if fewest < work.FEWEST:
        st.info(
            f"The smaller class has {fewest} points: {work.FEWEST} or more are needed to fit to "
            "some, calibrate on others and check on the rest."
        )
        return None
    if way == "jackknife+" and data.n * (1 - work.ASIDE) > MOST_FITS:
        st.info(
            f"Each training point would be left out once, of {MOST_FITS} at most: choose *split* "
            "or *cross*."
        )
        return None
    key = (data, current.plane, sigma, way)
    return jobs.run(
        key, work.find, data, sigma, way, current.plane, title="Calibrating both classes"
    )


def _shares(found: LabelSetsResult, risk: float) -> dict[str, float]:
    """Return the shares of held-out points by the number of their labels."""
    counts = found.labels(risk).sum(axis=1)
    return {kind: float(np.mean(counts == k)) for kind, k in zip(KINDS, (1, 2, 0), strict=True)}


def sentence(found: LabelSetsResult, risk: float) -> str:
    """Say what the sets of labels are worth."""
    one, both, none = _shares(found, risk).values()
    (minus, _, _), (plus, _, _) = found.coverage(risk)
    bounds = [sets.coverage_bound(1.0 - risk) for sets in found.model.sets_]
    return (
        f"**The set of labels should have the right one for {1 - risk:.0%} of each class.** Of "
        f"{len(found.rows):,} held-out points it has, for {plus:.1%} of class +1 and {minus:.1%} "
        f"of class −1. {one:.0%} have one label, {both:.0%} both, {none:.0%} none of these. "
        f"Proved: {min(bounds):.0%} or more of each class, on average over data sets."
    )


def table(found: LabelSetsResult, risk: float) -> pd.DataFrame:
    """Return a row for each class."""
    rows = []
    for (share, band, size), n, name in zip(
        found.coverage(risk), found.n_calibration, ("−1", "+1"), strict=True
    ):
        rows.append(
            {
                "class": name,
                "held": f"{share:.1%}",
                "band": f"{100 * band[0]:.0f}–{100 * band[1]:.0f}%",
                "points": size,
                "calibrating": n,
            }
        )
    return pd.DataFrame(rows[::-1])


def _figure(current: Current, found: LabelSetsResult, risk: float) -> Any:
    from nestviz.figures.label_sets import label_sets_figure

    data = current.measured
    return label_sets_figure(
        found.outlines(risk),
        current.plane.coordinates(data.X[found.rows]),
        found.signs,
        axis_names(data),
        found.grid.inner_box,
    )


def _alt(found: LabelSetsResult, risk: float) -> str:
    minus, plus = found.regions(risk)
    parts = {
        "only +1": plus & ~minus,
        "only −1": minus & ~plus,
        "both": minus & plus,
        "none of these": ~minus & ~plus,
    }
    shares = ", ".join(f"{name} on {pixels.mean():.0%}" for name, pixels in parts.items())
    return (
        f"Map of the plane by the set of labels at an error rate of {risk:.0%}: {shares}; "
        f"{len(found.rows)} held-out points"
    )
