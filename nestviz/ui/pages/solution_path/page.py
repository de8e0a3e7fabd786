"""The Solution path page: coefficients along the level, and the margin at one level."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from nestviz.analysis.level_sweep import outline
from nestviz.arrays import FloatArray
from nestviz.data import Dataset
from nestviz.figures.solution_path import path_figure, sets_figure
from nestviz.ui import data_warnings
from nestviz.ui.compute.methods import METHODS, Fitted, Kind, Spec
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.export import panel, scripts
from nestviz.ui.page_frame import page
from nestviz.ui.panels import fit_controls, point_card
from nestviz.ui.panels.exports import given
from nestviz.ui.results import cache, fits
from nestviz.ui.session.selection import follow_level, keep_level_share, selection
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.charts import chart, selects

if TYPE_CHECKING:
    import pandas as pd

SAMPLES = 300
"""Levels at which the lines of a path are drawn; it has more breakpoints than pixels."""


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
    data = current.fitted
    left, middle, right = st.columns(3, gap="medium")
    with left:
        kinds = ["One class"] if data_warnings.of_labels(data) else ["One class", "Two classes"]
        problem = inputs.segments("kind_path", kinds)
        kind: Kind = "two classes" if problem == "Two classes" else "one class"
        share = _level_control(kind)
    with middle:
        sigma = fit_controls.width(current)
    with right:
        levels = fit_controls.levels()
        lam = fit_controls.regularisation() if kind == "two classes" else 1.0
    # The path and the nested SVM are the first two methods of each problem.
    specs = [Spec(name, sigma, levels, lam, kind=kind) for name in list(METHODS[kind])[:2]]
    pair = PathPair(*(fits.fit(data, spec) for spec in specs))
    # Never quite zero: one-class sets are unbounded there.
    level = max(share, 1e-6) * pair.top
    left, right = st.columns([3, 2], gap="large")
    with left:
        _coefficients(current, pair, level)
    with right:
        _plane(current, pair, level)
    data_warnings.show(current, sigma, two_classes=kind == "two classes")
    point_card.show(current, (pair.path, pair.nested), level, pair.top)
    _exports(current, pair, level)


def _level_control(kind: Kind) -> float:
    """Show the level as a share of the largest; at first the one last seen on another page."""
    follow_level("at", kind, lambda share: round(share, 2), tolerance=0.005)
    share = inputs.slider("at", 0.3)
    keep_level_share(kind, share, shown_by="at")
    return share


@cache.kept()
def _panels(
    data: Dataset, path: Spec, nested: Spec, _pair: PathPair
) -> list[tuple[str, FloatArray, FloatArray]]:
    return _pair.panels()


def _coefficients(current: Current, pair: PathPair, level: float) -> None:
    data, breakpoints = current.fitted, pair.path.estimator.breakpoints_
    panels = _panels(data, pair.path.spec, pair.nested.spec, pair)
    chosen = selection(data).points
    figure = path_figure(panels, pair.level_name, level, breakpoints, chosen, clickable=True)
    alt = (
        f"Coefficients of all points along the {pair.level_name}: many short pieces above, few "
        "long ones below"
    )
    chart(figure, "path", 520, alt, selects(data, "path"))


def _plane(current: Current, pair: PathPair, level: float) -> None:
    data, path = current.fitted, pair.path.estimator
    grid = fits.grid(data, current.plane)
    rings = outline(path.family_.values(grid, level).reshape(grid.shape), grid)
    codes, points = path.sets(level), grid.plane.coordinates(data.X)
    one_class = not pair.path.spec.two_classes
    figure = sets_figure(
        points, codes, rings, axis_names(data), selection(data).points, one_class=one_class
    )
    alt = "Points by the set they are in at this level, and the boundary"
    chart(figure, "margin", 520, alt, selects(data, "margin"))
    inside, margin, beyond = (int(np.count_nonzero(codes == code)) for code in (0, 1, 2))
    st.caption(
        f"{pair.level_name} = {level:.3g}: {margin} points on the margin, {beyond} beyond it"
        + (" (inside the set)" if one_class else "")
        + f", {inside} inside it"
        + (" (outside the set)" if one_class else "")
        + ", with their coefficient at its bound. Click a line or a point to select it."
    )


def _exports(current: Current, pair: PathPair, level: float) -> None:
    axis = pair.level_name, level, pair.path.estimator.breakpoints_
    panel.show(
        current,
        name="solution-path",
        code=scripts.solution_path(current, pair.path.spec, pair.nested.spec, level),
        figures={"Coefficients": lambda: path_figure(pair.panels(), *axis)},
        tables={"coefficients at the levels": partial(_table, pair, level)},
        models=given({"Solution path": pair.path.estimator, "Nested SVM": pair.nested.estimator}),
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
