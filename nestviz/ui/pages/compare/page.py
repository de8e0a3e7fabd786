"""The Compare page: any methods on the same data, at the same level, and their measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from nestviz.ui.compute import measures
from nestviz.ui.compute.measures import HeldOut
from nestviz.ui.compute.methods import METHODS, Kind, Spec
from nestviz.ui.data_choice import Current
from nestviz.ui.panels import nesting_metrics, roc
from nestviz.ui.panels.sweep import Shown
from nestviz.ui.results import jobs
from nestviz.ui.session.view import stop_page
from nestviz.ui.widgets import inputs

if TYPE_CHECKING:
    import pandas as pd

MOST, AT_FIRST = 6, 4
"""How many methods may be chosen, and how many are at first."""
HEIGHTS = {1: 430, 2: 430, 3: 380, 4: 245, 5: 245, 6: 245}
"""Height of a panel by the number of panels; more of them share the screen."""
SHARE = "%.1f %%"


def choose(kind: Kind) -> list[str]:
    """The methods to compare, in the order chosen."""
    registry = METHODS[kind]
    chosen = inputs.several(
        "methods2" if kind == "two classes" else "methods",
        "Methods",
        list(registry),
        list(registry)[:AT_FIRST],
        max_selections=MOST,
        help=f"One picture for each, up to {MOST}. "
        + " ".join(f"**{method.title}**: {method.sentence}" for method in registry.values()),
    )
    if not chosen:
        st.info("Choose at least one method above.", icon=":material/arrow_upward:")
        stop_page()
    return chosen


def table(current: Current, shown: Shown) -> pd.DataFrame:
    """The measures of all methods, shown as a table that can be sorted; returns it."""
    frame = measured(current, shown)
    st.dataframe(
        frame,
        key="measures",
        hide_index=True,
        width="stretch",
        height="content",
        column_config=_columns(f"{'γ' if shown.two_classes else 'λ'} = {shown.level:.3g}"),
    )
    return frame


def measured(current: Current, shown: Shown) -> pd.DataFrame:
    """One row per method."""
    import pandas as pd

    data, rows = current.fitted, []
    for fitted, walk in zip(shown.fits, shown.sweeps, strict=True):
        found = nesting_metrics.kept_measures(data, current.plane, fitted.spec, fitted.family)
        row: dict[str, Any] = {
            "method": fitted.spec.title,
            "nested": found.nested,
            "violated area": 100 * found.violated,
            "ranking disagreement": 100 * found.disagreement,
            "points inside": 100 * float(walk.inside[shown.frame]),
            "support vectors": fitted.support(shown.level),
            "breakpoints": fitted.breakpoints,
        }
        if shown.two_classes:
            row["AUC"] = roc.measured(data, fitted.spec, fitted.family)[0].area
        else:
            row["extrapolated"] = 100 * found.extrapolated
        rows.append(row | {"fit": 1000 * fitted.seconds, "certificate": fitted.certificate})
    return pd.DataFrame(rows)


def on_points_held_out(current: Current, specs: Sequence[Spec]) -> None:
    """What the methods are worth on new points, where the user wants to wait for it."""
    data, two_classes = current.fitted, specs[0].two_classes
    y = data.y if two_classes else None
    name = "AUC" if two_classes else "integrated volume"
    wanted = inputs.toggle(
        "heldout",
        f"Cross-validate: {name} on points held out",
        help="Fits every method five times, each time without a fifth of the points, and judges "
        "it by those. " + HELD_OUT_HELP[name],
    )
    if not wanted:
        return
    if measures.fewest(y, data.n) < 2:
        st.info("Too few points to hold any of them out: two of each class are needed.")
        return
    found: tuple[HeldOut, ...] = jobs.run(
        (data, tuple(specs)),
        measures.held_out,
        tuple(specs),
        data.X,
        y,
        title=f"Cross-validating {len(specs)} methods",
        partial=True,
    )
    if len(found) < len(specs):
        st.caption(f"Only {len(found)} of {len(specs)} methods were finished.")
    _held_out_results(specs, found, name)


HELD_OUT_HELP = {
    "integrated volume": "Integrated volume is the volume of the sets, as a share of the "
    "box around the points, averaged over the mass that they hold: less is better.",
    "AUC": "The AUC is the chance that a point of class +1 is ranked above one of class −1: more "
    "is better.",
}


def _held_out_results(specs: Sequence[Spec], found: Sequence[HeldOut], name: str) -> None:
    import pandas as pd

    titles = [spec.title for spec in specs]
    rows = [
        {"method": title, name: result.value, "spread": result.spread}
        | ({} if result.volume is None else {"extrapolated": 100 * result.extrapolated})
        for title, result in zip(titles, found, strict=False)
    ]
    left, right = st.columns(2, gap="medium")
    with left:
        st.dataframe(
            pd.DataFrame(rows),
            key="heldout_table",
            hide_index=True,
            height="content",
            column_config=_held_out_columns(name),
        )
    with right:
        curves = {
            title: result.volume.curve
            for title, result in zip(titles, found, strict=False)
            if result.volume is not None
        }
        if curves:
            _mass_volume(curves)


def _held_out_columns(name: str) -> dict[str, Any]:
    number = st.column_config.NumberColumn
    return {
        "method": st.column_config.TextColumn("Method"),
        name: number("AUC" if name == "AUC" else "Volume", format="%.4f", help=HELD_OUT_HELP[name]),
        "spread": number("±", format="%.4f", help="Standard deviation over the folds."),
        "extrapolated": number(
            "Extrapolated",
            format=SHARE,
            help="Share of the held-out points that enter below the smallest solved level, or "
            "never.",
        ),
    }


def _mass_volume(curves: Mapping[str, Any]) -> None:
    from nestviz.figures.bandwidth import mass_volume_figure

    st.plotly_chart(
        mass_volume_figure(curves),
        key="compare_curves",
        height=340,
        alt="Volume of the sets of each method over the mass of held-out points in them",
        config={"displaylogo": False},
    )
    st.caption(
        "For each mass of held-out points, the share of the box that the set fills. The lower "
        "curve holds the same points in less volume."
    )


def _columns(level: str) -> dict[str, Any]:
    """Heading and meaning of each column; narrow ones, so that most are in view."""
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    return {
        "method": text("Method", pinned=True),
        "nested": text(
            "Nested?",
            help="Whether every set lies inside the next larger one: guaranteed by how the method "
            "works, or checked at every level on the pixels of a grid.",
        ),
        "violated area": number(
            "Violated",
            help="Share of the picture that is inside at some level and outside at a later one.",
            format=SHARE,
        ),
        "ranking disagreement": number(
            "Disagreement",
            help="Ranking disagreement: share of the points ranked ambiguously. The first set that "
            "contains them (s+) and the last one that does not (s−) order such a point differently "
            "against at least one other point.",
            format=SHARE,
        ),
        "points inside": number(
            "Inside",
            help=f"Share of the points inside or on the boundary at {level}, where the player "
            "rests.",
            format=SHARE,
        ),
        "support vectors": number(
            "Support",
            help=f"Support vectors: points with a coefficient other than zero at {level}.",
        ),
        "extrapolated": number(
            "Extrapolated",
            help="Share of the points that are ranked by extrapolation: they enter below the "
            "smallest solved level.",
            format=SHARE,
        ),
        "AUC": number(
            "AUC",
            format="%.4f",
            help="Area under the ROC on the training points: too optimistic for new ones.",
        ),
        "breakpoints": number("Breakpoints", help="Levels between which everything is linear."),
        "fit": number(
            "Fit",
            format="%.0f ms",
            help="Time that this fit took on the server. The first fit after a start also loads "
            "the solver.",
        ),
        "certificate": text(
            "Certificate", help="A bound on how far the solution can be from the best one."
        ),
    }
