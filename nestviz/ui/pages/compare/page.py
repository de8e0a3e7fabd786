"""The Compare page: several methods on the same data, at the same level, and their measures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from nestviz.ui import data_warnings
from nestviz.ui.compute import measures
from nestviz.ui.compute.measures import HeldOut
from nestviz.ui.compute.methods import METHODS, Kind, Spec
from nestviz.ui.data_choice import Current
from nestviz.ui.export import panel, scripts
from nestviz.ui.page_frame import page
from nestviz.ui.panels import fit_controls, labels, nesting_metrics, roc, sweep
from nestviz.ui.panels.sweep import SweepResult
from nestviz.ui.results import jobs
from nestviz.ui.scene.scene import Knob
from nestviz.ui.widgets import inputs, tables
from nestviz.ui.widgets.charts import chart

MOST = 6
"""Largest number of methods."""
HEIGHTS = {1: 410, 2: 410, 3: 380, 4: 330, 5: 300, 6: 300}
"""Height of a panel by the number of panels."""


@page("Compare")
def render(current: Current) -> None:
    """Render the page."""
    left, right = st.columns([2, 5], gap="medium")
    with left:
        problem = inputs.segments("problem", ["One class", "Two classes"])
    two_classes = problem == "Two classes"
    kind: Kind = "two classes" if two_classes else "one class"
    if two_classes:
        current = labels.labelled(current)
    with right:
        names = fit_controls.methods("methods2" if two_classes else "methods", METHODS[kind], MOST)
    with left, st.popover("Levels", icon=":material/tune:"):
        levels = fit_controls.levels(kind)
    width = fit_controls.width_knob(current)
    knobs = [width, *_more_knobs(current, width, kind, names)]
    given: dict[str, Any] = {knob.key: fit_controls.shown_value(knob) for knob in knobs}
    sigma, lam = given.pop("width"), given.pop("loglam", 1.0)
    specs = [Spec(name, sigma, levels, lam, kind=kind, **given) for name in names]
    key = "compare2" if two_classes else "compare"
    shown = sweep.show(current, specs, key=key, knobs=knobs, height=HEIGHTS[len(specs)])
    fit_controls.data_note(current)
    data_warnings.show(current, sigma, two_classes=two_classes, inside=shown.inside)
    frame = _measured(current, shown)
    level = f"{'γ' if two_classes else 'λ'} = {shown.level:.3g}"
    columns = tables.columns("compare", "measures", level=level)
    st.dataframe(
        frame,
        key="measures",
        hide_index=True,
        height="content",
        column_config=columns,
        # Its sentences are too long for a column.
        column_order=[name for name in frame.columns if name != "certificate"],
    )
    given_by = zip(frame["method"], frame["certificate"], strict=True)
    st.caption(
        f"Certificates: {'; '.join(f'{method}: {words}' for method, words in given_by)}.",
        help="A bound on how far each solution can be from the optimum.",
    )
    _cross_validation(current, specs)
    panel.show(
        current,
        name="compare",
        code=scripts.sets_at(current, specs, shown.level),
        tables={"measures": lambda: frame},
        sweep=shown.still,
    )


def _more_knobs(current: Current, width: Knob, kind: Kind, names: Sequence[str]) -> list[Knob]:
    if kind == "two classes":
        sigma = fit_controls.shown_value(width)
        return [fit_controls.regularisation_knob(current, sigma)]
    return fit_controls.knobs_of_methods(*names)


def _measured(current: Current, shown: SweepResult) -> pd.DataFrame:
    """Return the measures, one row per method."""
    data, rows = current.fitted, []
    for fitted in shown.fits:
        found = nesting_metrics.kept_measures(
            data, current.measured, current.plane, fitted.spec, fitted.family
        )
        row: dict[str, Any] = {
            "method": fitted.spec.title,
            "nested": found.nested,
            "violated area": 100 * found.violated,
            "ranking disagreement": 100 * found.disagreement,
            "points inside": 100 * float(fitted.family.contains(data.X, shown.level).mean()),
            "support vectors": fitted.support(shown.level),
            "breakpoints": fitted.breakpoints,
        }
        if shown.two_classes:
            row["AUC"] = roc.measured(data, fitted.spec, fitted.family)[0].area
        else:
            row["extrapolated"] = 100 * found.extrapolated
        rows.append(row | {"fit": 1000 * fitted.seconds, "certificate": fitted.certificate})
    return pd.DataFrame(rows)


def _cross_validation(current: Current, specs: Sequence[Spec]) -> None:
    """Evaluate the methods on held-out points, if the user asks for it."""
    data, two_classes = current.fitted, specs[0].two_classes
    y = data.y if two_classes else None
    name = "AUC" if two_classes else "integrated volume"
    label = f"Cross-validate: {name} on held-out points"
    if not inputs.toggle("heldout", label=label):
        return
    if measures.fold_count(y, data.n) < 2:
        st.info("Too few points to hold any out: two of each class are needed.")
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
    _show_held_out({s.title: one for s, one in zip(specs, found, strict=False)}, name)


def _show_held_out(found: dict[str, HeldOut], name: str) -> None:
    from nestviz.figures.bandwidth import mass_volume_figure

    rows = [
        {"method": title, name: result.value, "spread": result.spread}
        | ({} if result.volume is None else {"extrapolated": 100 * result.extrapolated})
        for title, result in found.items()
    ]
    left, right = st.columns([4, 3], gap="medium")
    left.dataframe(
        pd.DataFrame(rows),
        key="heldout_table",
        hide_index=True,
        height="content",
        column_config=tables.columns("compare", "held_out"),
    )
    curves = {title: one.volume.curve for title, one in found.items() if one.volume is not None}
    if not curves:
        return
    with right:
        areas = (f"{title} {found[title].value:.3g}" for title in curves)
        alt = (
            "Volume of the sets of each method over the mass of held-out points in them. "
            f"Integrated: {'; '.join(areas)}."
        )
        chart(mass_volume_figure(curves), "compare_curves", 340, alt)
        st.caption(
            "For each mass of held-out points, the share of the box that the set fills. The lower "
            "curve holds the same mass in less volume."
        )
