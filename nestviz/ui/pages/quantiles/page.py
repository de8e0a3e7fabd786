"""The Quantiles page: sets of given mass by several methods, in one player over the quantile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from nestviz.grids import Grid
from nestviz.ui import data_warnings
from nestviz.ui.compute import quantiles
from nestviz.ui.compute.quantiles import METHODS, QuantileResult, QuantileSettings
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.page_frame import page
from nestviz.ui.pages.quantiles import calibrated, exports, tables
from nestviz.ui.panels import fit_controls, other_data, sweep
from nestviz.ui.results import fits, jobs
from nestviz.ui.results.cache import keep
from nestviz.ui.scene.point_names import point_names
from nestviz.ui.scene.scene import Knob, Layer, Panel, Scale, Scene
from nestviz.ui.session.view import arrival
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.number_lists import NumberList, number_list

KEY = "quantiles"
AT = "quantiles:at"
"""Where the session keeps the quantile last shown, after the number of the visit."""
START = 0.8
"""The first quantile shown; the methods differ most at large ones."""
FEWEST_HELD_OUT = 30
"""With fewer held-out points, coverage is mostly chance."""
HEIGHTS = {1: 410, 2: 410, 3: 360}
LOW = 330
SLOW, FAST = 3.0, 12.0
"""Frames per second: of a few sets, or of a smooth sweep."""

QUANTILES = NumberList("masses", 0.0, 1.0)


@page("Quantiles")
def render(current: Current) -> None:
    """Render the page."""
    names, settings, knob = _controls(current)
    grid = fits.grid(current.fitted, current.plane)
    found = tuple(_solve(current, name, settings, grid) for name in names)
    still = _play(current, settings, found, knob)
    fit_controls.data_note(current)
    data_warnings.show(current, settings.sigma, inside=[one.training_share for one in found])
    for sentence in _warnings(current, settings):
        st.warning(sentence, icon=":material/report:")
    tables.numbers(found)
    bars = tables.coverage(found)
    calibration = calibrated.show(current, settings, found, bars)
    tables.point(current, settings, found)
    exports.show(current, settings, found, bars, still, calibration)


def _controls(current: Current) -> tuple[list[str], QuantileSettings, Knob]:
    """Show the controls; return the methods and their settings."""
    if current.fitted.n < 2:
        other_data.ask("There is a single point, which cannot be both trained on and held out.")
    names = fit_controls.methods("qmethods", METHODS)
    width = fit_controls.width_knob(current)
    sigma = fit_controls.shown_value(width)
    left, middle, right = st.columns(3, gap="medium")
    with left:
        count = inputs.slider("qcount", 10)
    with middle:
        low, high = inputs.slider("qrange", (5, 95))
    with right:
        share, seed = _held_out(current)
        with st.popover("Quantiles, frames and levels", icon=":material/tune:"):
            frames = inputs.segments("qframes", ["smooth", "quantiles"])
            levels = fit_controls.levels()
            dense, ends = frames == "smooth", (low / 100, high / 100)
            usual = QuantileSettings(sigma, count, *ends, share, seed, levels, dense)
            own = number_list(QUANTILES, usual.quantiles.tolist())
    return names, replace(usual, own=own), width


def _held_out(current: Current) -> tuple[float, int]:
    n = current.fitted.n
    left, right = st.columns([3, 2], gap="small")
    with left:
        percent = inputs.slider("held", 50)
    with right:
        seed = inputs.number("split", 0)
    held = quantiles.held_out_count(percent / 100, n)
    st.caption(f"{n - held:,} training points, {held:,} held out.")
    return percent / 100, int(seed)


def _solve(current: Current, name: str, settings: QuantileSettings, grid: Grid) -> QuantileResult:
    """Solve and measure a method; in a worker process for many points."""
    data, method = current.fitted, METHODS[name]
    long = data.n > fits.LONG_ANALYSIS
    fitted = jobs.run(
        (data, name, settings.problem(method)),
        quantiles.fit,
        name,
        settings,
        data.X,
        title=f"Solving: {method.title}",
        long=long,
    )
    return jobs.run(
        (data, current.plane, name, settings),
        quantiles.measure,
        fitted,
        name,
        settings,
        data.X,
        grid,
        title=f"Measuring: {method.title}",
        long=long,
    )


def _play(
    current: Current, settings: QuantileSettings, found: tuple[QuantileResult, ...], knob: Knob
) -> Scene:
    """Show all methods in one player; return its content at rest."""
    # Axes of different lengths have players of their own: positions differ in meaning.
    name = f"{KEY}-{settings.frames.size}"
    start, layers = _start(settings, name), sweep.asked_layers()
    names = tuple(one.name for one in found)
    key = ("quantile player", current.fitted, current.plane, names, settings, start, layers, knob)
    scene = keep(key, lambda: _scene(current, settings, found, start, layers, knob))
    state = sweep.play(current, scene, name, HEIGHTS.get(len(found), LOW))
    st.session_state[AT] = arrival().number, state.level
    return sweep.still(scene, state)


def _start(settings: QuantileSettings, name: str) -> float:
    """Return the first position of a player: that of the link, or of the quantile last shown."""
    memory, frames = f"{name}:start", settings.frames
    asked = sweep.asked_position(frames.size)
    visit, at = st.session_state.get(AT, (None, None))
    if asked is not None and visit != arrival().number:
        st.session_state[memory] = asked
    elif memory not in st.session_state:
        nearest = settings.quantiles[np.abs(settings.quantiles - START).argmin()]
        wanted = nearest if at is None else at
        st.session_state[memory] = round(Scale("", frames, frames).position(wanted), 2)
    start: float = st.session_state[memory]
    return start


def _scene(
    current: Current,
    settings: QuantileSettings,
    found: Sequence[QuantileResult],
    start: float,
    layers: tuple[Layer, ...],
    knob: Knob,
) -> Scene:
    data, frames = current.fitted, settings.frames
    held = np.zeros(data.n, dtype=np.uint8)
    held[settings.parts(data.n)[1]] = 1
    titles = ", ".join(one.title for one in found)
    return Scene(
        panels=[_panel(one, current, held) for one in found],
        scale=Scale("quantile α", frames, frames, "3f"),
        view=fits.grid(data, current.plane).inner_box,
        axis_names=axis_names(data),
        class_names=("training", "held-out"),
        point_names=point_names(current.source),
        overlay_name="in a smaller set, not in this one",
        flag_name="where sets cross",
        shown=layers,
        alt=f"{titles} of {data.n} points over the quantile.",
        start=start,
        ghosts=min(frames.size, 10),
        stops_per_second=FAST if settings.dense else SLOW,
        stepwise=not settings.dense,
        by_class=True,
        knobs=[knob],
    )


def _panel(one: QuantileResult, current: Current, held: np.ndarray) -> Panel:
    data = current.fitted
    return Panel(
        one.title,
        current.plane.coordinates(data.X),
        held,
        one.family,
        current.plane,
        intervals=one.family.intervals(data.X),
        inside=one.inside,
        hollow=None if one.family.is_nested else one.sets.crossing_points,
    )


def _warnings(current: Current, settings: QuantileSettings) -> list[str]:
    """Return reasons why coverage may mean little here, each with a remedy."""
    training, held_out = settings.parts(current.fitted.n)
    found = []
    if held_out.size < FEWEST_HELD_OUT:
        points = "1 point is" if held_out.size == 1 else f"{held_out.size} points are"
        found.append(
            f"Only {points} held out: how many of them a set holds is mostly "
            "chance, as the sampling error shows. Hold out a larger share, or choose more data."
        )
    spread = np.diff(settings.quantiles)
    if training.size * spread.min(initial=1.0) < 1.0:
        found.append(
            f"The quantiles are closer to each other than one training point of {training.size}: "
            "neighbouring sets cannot differ by a point. Choose fewer quantiles or a wider range."
        )
    return found
