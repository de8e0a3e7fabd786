"""Smoothness: the function behind a set along a line, and its norm over ν."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from nestviz.analysis.level_sweep import Rings, outline
from nestviz.analysis.nu.smoothness import SmoothnessCurve, smoothness_curve
from nestviz.arrays import FloatArray
from nestviz.data import Dataset
from nestviz.estimators.nu_path import nu_family
from nestviz.grids import Plane
from nestviz.ui import data_warnings
from nestviz.ui.components.plane import Area, Kind, PlaneData, Thread, plane
from nestviz.ui.compute.methods import Fitted, Spec
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.export import panel, scripts
from nestviz.ui.pages.variants.numbers import FOLDER
from nestviz.ui.pages.variants.text import explain
from nestviz.ui.panels import fit_controls
from nestviz.ui.panels.exports import given
from nestviz.ui.results import fits
from nestviz.ui.results.cache import kept
from nestviz.ui.scene.view_box import shown_box
from nestviz.ui.session.selection import select, selection
from nestviz.ui.session.view import put
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.charts import chart
from nestviz.ui.widgets.metrics import metrics

NUS = np.linspace(0.01, 1.0, 100)
NU, MIDDLE = 0.2, 0.5
LOCATIONS = 301


@dataclass(frozen=True, eq=False)
class Cut:
    """The function behind the set at one ν, along a line across the picture."""

    nu: float
    at: FloatArray  # Along the horizontal axis
    height: float  # Of the line
    f: FloatArray
    parzen: FloatArray  # The same at ν = 1
    rho: float
    rings: Rings  # Outline of the set


@kept("Measuring smoothness …")
def curve_of(data: Dataset, spec: Spec, _fitted: Fitted) -> SmoothnessCurve:
    """Return ‖Υf‖² over ν."""
    return smoothness_curve(_fitted.estimator, NUS)


@kept()
def cut_of(
    data: Dataset, view_plane: Plane, spec: Spec, nu: float, share: float, _fitted: Fitted
) -> Cut:
    """Evaluate f along the line at a share of the height of the picture."""
    family, grid = nu_family(_fitted.estimator), fits.grid(data, view_plane)
    xmin, xmax, ymin, ymax = shown_box(grid.inner_box)
    at, height = np.linspace(xmin, xmax, LOCATIONS), ymin + share * (ymax - ymin)
    line = view_plane.lift(np.column_stack([at, np.full(LOCATIONS, height)]))
    values = family.kernel.gram(family.centres, line)
    coefficients, offsets = family.coefficients_at([nu, 1.0])
    f, parzen = (coefficients / np.array([[nu], [1.0]])) @ values
    field = family.values(grid, nu).reshape(grid.shape)
    return Cut(nu, at, height, f, parzen, float(offsets[0]) / nu, outline(field, grid))


def show(current: Current) -> None:
    """Show the set with a line across, f along it, and ‖Υf‖² over ν."""
    data, plane_of_view = current.fitted, current.plane
    left, middle, right = st.columns(3, gap="medium")
    with left:
        sigma = fit_controls.width(current)
    with middle:
        nu = inputs.slider("nu", NU)
    with right:
        share = inputs.slider("line", MIDDLE)
    spec = Spec("one-class SVM", sigma)
    fitted = fits.fit(data, spec)
    curve = curve_of(data, spec, fitted)
    cut = cut_of(data, plane_of_view, spec, nu, share, fitted)
    left, right = st.columns(2, gap="medium")
    with left:
        plane(
            _content(current, cut),
            key="smoothness-plane",
            on_rows=lambda rows: select(data, rows),
            on_place=lambda x, y: _move_line(current, y),
            height=380,
        )
    figures = {"f along the line": _profile(current, cut), "Smoothness over ν": _curve(curve, nu)}
    with right:
        alt = (
            f"f along the line at height {cut.height:.3g}, largest {cut.f.max():.3g}, and the "
            f"offset ρ = {cut.rho:.3g}"
        )
        chart(figures["f along the line"], "smooth_profile", 380, alt)
    norm = float(np.interp(nu, curve.nus, curve.norms))
    values = {
        "norm": f"{norm:.5f}",
        "offset": f"{cut.rho:.5f}",
        "parzen": f"{curve.norms[-1]:.5f}",
    }
    metrics(FOLDER, values, compact=True)
    alt = (
        f"‖Υf‖² grows with ν from {curve.norms[0]:.4f} to {curve.norms[-1]:.4f}; it is "
        f"{norm:.4f} at ν = {nu:.2f}"
    )
    chart(figures["Smoothness over ν"], "smoothness", 300, alt)
    data_warnings.show(current, sigma)
    explain("smoothness")
    panel.show(
        current,
        name="variants",
        code=scripts.script(current, *_lines(spec, nu)),
        figures=given(figures),
        tables={
            "smoothness": lambda: pd.DataFrame(
                {"nu": curve.nus, "norm": curve.norms, "rho": curve.offsets}
            ),
            "line": lambda: pd.DataFrame({"x": cut.at, "f": cut.f, "parzen": cut.parzen}),
        },
        models=given({"One-class path": fitted.estimator}),
    )


def _move_line(current: Current, y: float) -> None:
    """Move the line to a clicked location."""
    *_, ymin, ymax = shown_box(fits.grid(current.fitted, current.plane).inner_box)
    share = round(min(max((y - ymin) / (ymax - ymin), 0.0), 1.0), 2)
    put({"line": None if share == MIDDLE else share})


def _content(current: Current, cut: Cut) -> PlaneData:
    data = current.fitted
    ends = [(float(x), cut.height) for x in cut.at[[0, -1]]]
    return PlaneData(
        points=current.plane.coordinates(data.X),
        view=shown_box(fits.grid(data, current.plane).inner_box),
        kinds=[Kind("points", -1, "circle")],
        kind_of=np.zeros(data.n, dtype=np.int64),
        areas=[Area(cut.rings, 0)] if len(cut.rings) else [],
        threads=[Thread(ends[0], ends[1], 0.4)],
        chosen=selection(data).points,
        axis_names=axis_names(data),
        title="The set and the line",
        name="Set and line",
        alt=f"The set at ν = {cut.nu:.2f} of {data.n} points, and a horizontal line across it at "
        f"height {cut.height:.3g}.",
    )


def _profile(current: Current, cut: Cut) -> Any:
    from nestviz.figures.smoothness import smooth_profile_figure

    name = axis_names(current.fitted)[0]
    return smooth_profile_figure(cut.at, cut.f, cut.rho, cut.parzen, name)


def _curve(curve: SmoothnessCurve, nu: float) -> Any:
    from nestviz.figures.smoothness import smoothness_figure

    return smoothness_figure(curve, nu)


def _lines(spec: Spec, nu: float) -> scripts.Lines:
    return (
        "import numpy as np",
        "from nestviz import OneClassPath",
        f"path = OneClassPath(sigma={spec.sigma!r}).fit(data.X)",
        "",
        "from nestviz.analysis import smoothness_curve",
        f"curve = smoothness_curve(path, np.linspace(0.01, 1.0, {len(NUS)}))",
        f"print(smoothness_curve(path, [{nu!r}]).norms[0])",
        "",
        "from nestviz.figures import smoothness_figure",
        f"figure = smoothness_figure(curve, {nu!r})",
        'figure.write_html("smoothness.html")',
    )
