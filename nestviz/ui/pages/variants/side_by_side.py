"""Two estimators side by side over ν: ball, known outliers, mean of other points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from nestviz.ui import data_warnings
from nestviz.ui.compute import variants
from nestviz.ui.compute.variants import AtRest, Variant
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.live.sessions import offer
from nestviz.ui.pages.variants import marks, numbers, side_exports
from nestviz.ui.pages.variants.live import VariantBuilder
from nestviz.ui.pages.variants.text import explain
from nestviz.ui.panels import fit_controls, other_data, sweep
from nestviz.ui.results import cache, fits, jobs
from nestviz.ui.scene.scene import Knob, Layer, Scale, Scene
from nestviz.ui.session.view import arrival
from nestviz.ui.widgets import inputs

GAUSSIAN = "Gaussian"
KERNELS = {GAUSSIAN: 0, "degree 1": 1, "degree 2": 2, "degree 3": 3}
"""Kernels by their names in links, with the degree of polynomial ones."""
START = 0.2
"""ν shown first."""
LONG = 600
"""With more points than this, a worker process solves: two times twenty-five problems."""
HEIGHT = 410
LAYERS: tuple[Layer, ...] = ("outline", "fill")
"""The layers switched on at first: two methods are compared here, not the levels of one."""
PARTS = tuple(part for part in sweep.USUAL if part not in ("truth", "sizes"))


@dataclass(frozen=True)
class Shown:
    """A variant in its player, at rest."""

    variant: Variant
    scene: Scene
    nu: float
    found: AtRest


def ball(current: Current) -> None:
    """Show half-space and ball of the same kernel."""
    kernel = inputs.segments("vkernel", list(KERNELS))
    width = fit_controls.width_knob(current)
    degree = KERNELS[kernel]
    variant = Variant("ball", fit_controls.shown_value(width), degree)
    _show(current, variant, "ball", [] if degree else [width], editable=True)


def outliers(current: Current) -> None:
    """Show the sets without and with known outliers."""
    _with_others(current, "outliers")


def mean(current: Current) -> None:
    """Show the sets away from the origin, and away from the mean of other points."""
    _with_others(current, "mean", marks.UNIFORM)


def _with_others(current: Current, kind: variants.Kind, *more: str) -> None:
    data = current.fitted
    source = marks.source(data, *more)
    rows = marks.rows(data, source)
    if source == marks.MARKED:
        marks.buttons(data)
    if data.n - len(rows) < 2:
        other_data.ask("Fewer than two points are left to train on. Unmark some, or add others.")
    width = fit_controls.width_knob(current)
    sigma = fit_controls.shown_value(width)
    # Marked points were points like all others before.
    before = kind == "outliers" and source == marks.MARKED
    uniform = source == marks.UNIFORM
    variant = Variant(kind, sigma, rows=rows, uniform=uniform, before=before)
    # Elsewhere the classes of the picture are not those of the data.
    _show(current, variant, kind, [width], editable=source == marks.CLASS)


def _show(
    current: Current, variant: Variant, text: str, knobs: list[Knob], *, editable: bool
) -> None:
    """Show player, numbers, texts and exports."""
    shown = _play(current, variant, knobs, editable)
    fit_controls.data_note(current)
    data_warnings.show(current, None if variant.degree else variant.sigma)
    numbers.show(current.fitted, shown.variant, shown.found)
    explain(text)
    side_exports.show(current, shown.variant, shown.nu, shown.found, shown.scene)


def _play(current: Current, variant: Variant, knobs: list[Knob], editable: bool) -> Shown:
    data, plane, long = current.fitted, current.plane, current.fitted.n > LONG
    found = jobs.run(
        (data, variant),
        variants.families,
        variant,
        data.X,
        variants.SOLVED,
        title="Solving both problems at many ν",
        long=long,
    )
    key = f"variants-{variant.kind}"
    start, layers, names = _start(key), sweep.asked_layers(LAYERS), axis_names(data)
    scene = cache.keep(
        ("variant scene", data, plane, variant, start, layers, tuple(knobs)),
        lambda: variants.scene_of(
            data, plane, variant, found, start=start, shown=layers, axis_names=names, knobs=knobs
        ),
    )
    unit, owner = fits.median_distance(data), cache.owner()
    build = VariantBuilder(data, plane, variant, start, layers, names, unit, owner)
    live = offer(key, build) or {}
    state = sweep.play(current, scene, key, HEIGHT, PARTS, LAYERS, live, editable=editable)
    nu = round(state.level, 4)
    st.session_state[f"{key}:start"] = arrival().number, start
    rest = jobs.run(
        (data, plane, variant, nu),
        variants.at_rest,
        variant,
        data.X,
        nu,
        plane,
        title="Solving both problems at this ν",
        long=long,
    )
    return Shown(variant, sweep.still(scene, state), nu, rest)


def _start(key: str) -> float:
    """Return the first position: that of the link, or of the usual ν."""
    asked = sweep.asked_position(variants.STOPS)
    visit, known = st.session_state.get(f"{key}:start", (None, None))
    if asked is not None and visit != arrival().number:
        return asked
    if known is not None:
        return float(known)
    levels = np.linspace(variants.HIGHEST, variants.LOWEST, variants.STOPS)
    return round(Scale("ν", levels, levels).position(START), 2)
