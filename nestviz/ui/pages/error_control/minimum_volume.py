"""Minimum volume sets: ways to draw reference points, and the set of mass β that each one gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from nestviz.analysis.level_sweep import outline
from nestviz.data import Dataset, subsample
from nestviz.grids import Plane
from nestviz.ui.compute import rates
from nestviz.ui.compute.rates import Ask, WayTable
from nestviz.ui.data_choice import Current
from nestviz.ui.pages.cluster_tree.pictures import axis_names
from nestviz.ui.pages.error_control.minimum_volume_choice import (
    FEWEST,
    FOLDS,
    MOST,
    NU,
    SEED,
    SHOWN,
    WAYS,
    WIDTHS,
    WaySet,
    Wish,
    table_of,
)
from nestviz.ui.pages.error_control.settings import widths_of
from nestviz.ui.results import fits, jobs
from nestviz.ui.results.cache import kept
from nestviz.ui.session.selection import selection
from nestviz.ui.session.view import stop_page
from nestviz.ui.widgets import inputs


def controls(current: Current) -> Wish:
    """The mass to hold, and whose."""
    left, right = st.columns(2, gap="medium")
    with left:
        beta = inputs.slider(
            "beta",
            "Mass β to hold",
            0.9,
            step=0.01,
            help="The set should hold this share of the data in as little volume as possible. "
            "Moving it chooses again from the same tables.",
        )
    part = "all points"
    if current.fitted.labelled:
        with right:
            part = inputs.segments(
                "of",
                "Data",
                ["all points", "class +1", "class −1"],
                "all points",
                help="Whose minimum volume set is looked for; labels play no other part here.",
            )
    return Wish(beta, part)


def data_of(current: Current, wish: Wish) -> Dataset:
    """The points in use, no more than can be searched while one waits."""
    data = current.fitted
    if data.y is not None and wish.part != "all points":
        data = data.take(data.y == (1 if wish.part == "class +1" else -1), f"Only {wish.part}.")
    if data.n < FEWEST or len(np.unique(data.X, axis=0)) < FEWEST:
        st.info(
            f"There are too few different points: a set of given mass is judged by points held "
            f"out, and that takes {FEWEST} or more. Choose other data in the sidebar.",
            icon=":material/group_add:",
        )
        stop_page()
    return subsample(data, MOST, SEED)


def find(current: Current, wish: Wish) -> tuple[Dataset, dict[str, WayTable]]:
    """Tables of mass and volume, one for each way; after Cancel those that were finished."""
    from nestviz.estimators.error_control.axes import nu_axis

    data = data_of(current, wish)
    ask = Ask(nu_axis(NU), widths_of(data.X, WIDTHS), FOLDS, SEED)
    found = jobs.run(
        (data, "ways"),
        rates.way_tables,
        data.X,
        tuple(WAYS),
        ask,
        title="Searching sets for four kinds of reference points",
        partial=True,
    )
    if not found:
        st.info("It was stopped before the sets of any kind were known.")
        stop_page()
    return data, found


@kept("Drawing the sets …")
def _way_set(
    fitted: Dataset, data: Dataset, plane: Plane, way: str, beta: float, _table: WayTable
) -> WaySet:
    from nestviz.estimators import MinimumVolumeSet

    grid = fits.grid(fitted, plane)
    model = MinimumVolumeSet(beta, way, nu_grid=NU, cv=FOLDS, random_state=SEED)
    model.fit_chosen(data.X, _table.reference, _table.table)
    field = model.family_.values(grid, model.level_).reshape(grid.shape)
    return WaySet(model, outline(field, grid), float((field >= 0).mean()))


def show(
    current: Current, wish: Wish, data: Dataset, found: Mapping[str, WayTable]
) -> dict[str, WaySet]:
    """The sets side by side, and their numbers."""
    if len(found) < len(WAYS):
        st.warning(
            f"Only {len(found)} of {len(WAYS)} kinds of reference points were finished.",
            icon=":material/hourglass_bottom:",
        )
    sets = {
        way: _way_set(current.fitted, data, current.plane, way, wish.beta, table)
        for way, table in found.items()
    }
    for pair in (list(WAYS)[:2], list(WAYS)[2:]):
        for column, way in zip(st.columns(2, gap="medium"), pair, strict=True):
            if way in sets:
                with column:
                    _picture(current, data, way, found[way], sets[way])
    st.dataframe(
        table_of(wish, sets),
        key="volumes_table",
        hide_index=True,
        height="content",
        column_config=_columns(),
    )
    _say(wish, data, current, sets)
    return sets


def _picture(current: Current, data: Dataset, way: str, found: WayTable, entry: WaySet) -> None:
    st.markdown(f"**{way}**: {WAYS[way]}")
    st.plotly_chart(
        figure_of(current, data, found, entry),
        key=f"volume_{way}",
        height=340,
        alt=f"Data, reference points and the minimum volume set: {way}",
        config={"displaylogo": False},
    )


def figure_of(current: Current, data: Dataset, found: WayTable, entry: WaySet) -> Any:
    """One set; selected points are ringed where they are among those in use."""
    from nestviz.figures.minimum_volume import minimum_volume_figure

    plane = current.plane
    grid = fits.grid(current.fitted, plane)
    chosen = current.fitted.X[list(selection(current.fitted).points)]
    ringed = [k for k, x in enumerate(data.X) if any(np.array_equal(x, c) for c in chosen)]
    shown = found.reference[:SHOWN]
    return minimum_volume_figure(
        entry.rings,
        plane.coordinates(data.X),
        plane.coordinates(shown),
        grid.box,
        axis_names(current),
        selected=ringed,
    )


def _columns() -> dict[str, Any]:
    number = st.column_config.NumberColumn
    return {
        "reference": st.column_config.TextColumn("Reference", pinned=True),
        "mass": number("Mass", format="percent", help="P(G) by cross-validation, smoothed."),
        "enough": st.column_config.CheckboxColumn(
            "≥ β", help="Whether the estimated mass reaches β."
        ),
        "reference_inside": number(
            "Reference inside",
            format="percent",
            help="μ(G) by cross-validation: each way measures by its own reference points.",
        ),
        "area": number(
            "Area", format="percent", help="Share of the picture inside: one measure for all ways."
        ),
        "sigma": number("σ", format="%.3g", help="The width that was chosen."),
    }


def _say(wish: Wish, data: Dataset, current: Current, sets: Mapping[str, WaySet]) -> None:
    short = [way for way, entry in sets.items() if not entry.holds(wish.beta)]
    if short:
        st.warning(
            f"No setting that was searched holds {wish.beta:.0%} of the data by its estimate: "
            f"{', '.join(short)}. The one that holds the most was taken; ask for less mass.",
            icon=":material/report:",
        )
    few = "" if data.n == current.fitted.n else f"{data.n} of {current.fitted.n:,} points are used."
    st.info(
        f"**An estimate is no guarantee.** That a set holds {wish.beta:.0%} was estimated from "
        f"{data.n} points and chosen for it; new points may leave it more often. {few}",
        icon=":material/balance:",
    )
