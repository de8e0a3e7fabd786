"""The Solution path page: the margin at one level, and all coefficients along the level."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from nestviz.arrays import FloatArray
from nestviz.figures.solution_path import path_figure
from nestviz.ui import data_warnings
from nestviz.ui.compute.methods import METHODS, Fitted, Kind, Spec
from nestviz.ui.data_choice import Current
from nestviz.ui.export import panel, scripts
from nestviz.ui.page_frame import page
from nestviz.ui.panels import certificate, fit_controls, labels, point_card, sweep
from nestviz.ui.panels.exports import given
from nestviz.ui.panels.sweep import SweepResult
from nestviz.ui.scene.scene import USUAL, Layer
from nestviz.ui.session.view import arrival, change, name_in_address
from nestviz.ui.widgets import inputs

if TYPE_CHECKING:
    import pandas as pd

PARTS = (*USUAL, "paths", "roles")
SHOWN: tuple[Layer, ...] = ("outline", "fill", "overlay", "roles")
SAMPLES = 300
"""Levels at which the lines of an exported path are drawn; it has more breakpoints than pixels."""


@dataclass(frozen=True, eq=False)
class PathPair:
    """The un-nested path and the nested solution of the same problem."""

    path: Fitted
    nested: Fitted

    @property
    def level_name(self) -> str:
        """The name of the level."""
        return self.path.family.level_name

    @property
    def top(self) -> float:
        """The level that shares refer to."""
        return 1.0 if self.path.spec.two_classes else float(self.path.estimator.breakpoints_[0])

    @property
    def nodes(self) -> FloatArray:
        """Levels of the nested SVM, in the order of its coefficients."""
        return self.nested.family.levels[:: self.nested.family.orientation]

    def panels(self) -> list[tuple[str, FloatArray, FloatArray]]:
        """Return title, levels and coefficients of both solutions."""
        levels, path = np.linspace(1e-6 * self.top, self.top, SAMPLES), self.path.estimator
        plain = f"plain path, {path.breakpoints_.size:,} breakpoints"
        nested = f"nested, {self.nodes.size} levels"
        return [
            (plain, levels, path.coefficients(levels)),
            (nested, self.nodes, self.nested.estimator.alpha_),
        ]


@page("Solution path")
def render(current: Current) -> None:
    """Render the page."""
    left, right = st.columns([2, 3], gap="medium", vertical_alignment="bottom")
    with left:
        problem = inputs.segments("kind_path", ["One class", "Two classes"])
    kind: Kind = "two classes" if problem == "Two classes" else "one class"
    if kind == "two classes":
        current = labels.labelled(current)
    with right, st.popover("Levels", icon=":material/tune:"):
        levels = fit_controls.levels()
    knobs = [fit_controls.width_knob(current)]
    if kind == "two classes":
        knobs.append(fit_controls.regularisation_knob(current, fit_controls.shown_value(knobs[0])))
    sigma, *more = (fit_controls.shown_value(knob) for knob in knobs)
    lam = more[0] if more else 1.0
    # The path and the nested SVM are the first two methods of each problem.
    specs = [Spec(name, sigma, levels, lam, kind=kind) for name in list(METHODS[kind])[:2]]
    shown = sweep.show(
        current, specs, key=f"path-{kind}", knobs=knobs, height=350, parts=PARTS, shown=SHOWN,
        share=_asked_share(),
    )  # fmt: skip
    change(at=round(float(np.clip(shown.level / shown.top, 0.0, 1.0)), 4))
    pair = PathPair(*shown.fits)
    _counts(pair, shown.level)
    certificate.show(current, shown.fits)
    data_warnings.show(current, sigma, two_classes=kind == "two classes", inside=shown.inside)
    point_card.show(current, shown.fits, shown.level, shown.top)
    _exports(current, pair, shown)


def _asked_share() -> float | None:
    """Return the level that the link names, as a share of the largest."""
    name_in_address("at")
    return arrival().asked.at


def _counts(pair: PathPair, level: float) -> None:
    """Say how many points are on the margin of the plain path, and on its two sides."""
    codes, one_class = pair.path.estimator.sets(level), not pair.path.spec.two_classes
    inside, margin, beyond = (int(np.count_nonzero(codes == code)) for code in (0, 1, 2))
    st.caption(
        f"{pair.path.spec.title}, {pair.path.breakpoints:,} breakpoints; at {pair.level_name} = "
        f"{level:.3g}: {margin} points on the margin, {beyond} beyond it"
        + (" (inside the set)" if one_class else "")
        + f", {inside} inside it"
        + (" (outside the set)" if one_class else "")
        + ", with their coefficient at its bound. Click a line or a point to select it."
    )


def _exports(current: Current, pair: PathPair, shown: SweepResult) -> None:
    level = shown.level
    axis = pair.level_name, level, pair.path.estimator.breakpoints_
    panel.show(
        current,
        name="solution-path",
        code=scripts.solution_path(current, pair.path.spec, pair.nested.spec, level),
        figures={"Coefficients": lambda: path_figure(pair.panels(), *axis)},
        tables={"coefficients at the levels": partial(_table, pair, level)},
        models=given({"Solution path": pair.path.estimator, "Nested SVM": pair.nested.estimator}),
        sweep=shown.still,
    )


def _table(pair: PathPair, level: float) -> pd.DataFrame:
    """Return the coefficients of all points at the level shown and at those of the nested SVM."""
    import pandas as pd

    levels, name = np.append(level, pair.nodes), pair.level_name
    titles = [f"path: {name} = {node:.6g}" for node in levels]
    path = pd.DataFrame(pair.path.estimator.coefficients(levels).T, columns=titles)
    nodes = [f"nested: {name} = {node:.6g}" for node in pair.nodes]
    both = pd.concat([path, pd.DataFrame(pair.nested.estimator.alpha_.T, columns=nodes)], axis=1)
    both.insert(0, "point", np.arange(len(both)))
    return both
