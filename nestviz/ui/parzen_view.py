"""The home page's picture: the Parzen level sets of the current data, played level by level."""

from __future__ import annotations

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nestviz.analysis.sweeps import Sweep
from nestviz.data import Dataset
from nestviz.grids import Grid
from nestviz.ui import cache
from nestviz.ui.components.player import sweep_player
from nestviz.ui.components.sweep import Panel, SweepData
from nestviz.ui.current import Current

FRAME_KEY = "frame"
START = 19
"""A frame with something to see, for those who do not press play."""


def show_parzen_sweep(current: Current, controls: DeltaGenerator) -> None:
    """Player for the Parzen level sets of the current data, with its controls where told."""
    width = controls.slider(
        "Width σ, as a share of the median distance",
        min_value=0.05,
        max_value=2.0,
        value=0.25,
        step=0.05,
        key="width",
        bind="query-params",
        help="How far each point makes itself felt.",
    )
    data = current.fitted
    sweep, grid, sigma = cache.parzen_sweep(
        data.fingerprint, data, current.plane_key, current.plane, width
    )
    controls.caption(
        " ".join([f"σ = {sigma:.3g}; {data.n:,} points of “{data.name}”.", *current.notes])
    )
    state = sweep_player(_sweep_data(sweep, grid, data, start=_asked_frame()), key="parzen")
    _remember_frame(state.frame)


def _sweep_data(sweep: Sweep, grid: Grid, data: Dataset, start: int) -> SweepData:
    y = data.y
    panel = Panel(
        title="Parzen level sets",
        points=grid.plane.coordinates(data.X),
        classes=np.zeros(data.n, np.uint8) if y is None else np.where(y < 0, 1, 0),
        sets=sweep.outlines,
    )
    names = data.feature_names if data.d == 2 else ("direction 1", "direction 2")
    return SweepData(
        panels=[panel],
        levels=sweep.levels.tolist(),
        labels=[f"{level:.3g}" for level in sweep.levels],
        captions=[f"{share:.0%} of the points inside" for share in sweep.inside],
        level_name="density level",
        view=_view(grid),
        axis_names=(names[0], names[1]),
        class_names=("class +1", "class −1") if y is not None else ("points",),
        set_name="inside the set",
        alt=f"Level sets of a kernel density estimate of {data.n} points, growing as the level "
        f"falls from {sweep.levels[0]:.3g} to {sweep.levels[-1]:.3g}.",
        start=start,
        autoplay=False,
        ghost_every=6,
    )


def _view(grid: Grid) -> tuple[float, float, float, float]:
    """The grid's box less one pixel, so that outlines along its edge stay out of sight."""
    return float(grid.u[1]), float(grid.u[-2]), float(grid.v[1]), float(grid.v[-2])


def _asked_frame() -> int:
    """The frame that the link asks for; read once, later changes come from the player."""
    if FRAME_KEY not in st.session_state:
        asked = st.query_params.get(FRAME_KEY, "")
        st.session_state[FRAME_KEY] = int(asked) % 60 if asked.isdecimal() else START
    return int(st.session_state[FRAME_KEY])


def _remember_frame(frame: int) -> None:
    st.query_params[FRAME_KEY] = str(frame)
