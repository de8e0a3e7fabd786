"""Two families side by side, played level by level, with the places where nesting breaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from nestviz.analysis.sweeps import Sweep
from nestviz.data import Dataset
from nestviz.grids import Grid
from nestviz.ui import cache
from nestviz.ui.components.player import PlayerState, sweep_player
from nestviz.ui.components.sweep import Panel, SweepData
from nestviz.ui.current import Current
from nestviz.ui.methods import ONE_CLASS, TWO_CLASS, Spec

FRAMES = 60
START = 50
"""A frame with something to see, for those who do not press play."""
SMALLEST = 0.01
"""The last level of a one-class sweep, as a share of the first."""


@dataclass(frozen=True, eq=False)
class Shown:
    """What a player was given, for the numbers beside it."""

    sweeps: tuple[Sweep, ...]
    state: PlayerState

    @property
    def frame(self) -> int:
        """The frame at rest."""
        return self.state.frame


def show_one_class(
    current: Current, specs: Sequence[Spec], *, key: str, height: int = 430, autoplay: bool = False
) -> Shown:
    """One-class families of the current data over the same density levels."""
    data, grid = current.fitted, _grid(current)
    levels = _density_levels(data, specs[0])
    sweeps = tuple(
        cache.one_class_sweep(data.fingerprint, current.plane_key, spec, levels, data, grid)
        for spec in specs
    )
    titles = [ONE_CLASS[spec.method].title for spec in specs]
    labels = [f"{level:.3g}" for level in levels]
    return _show(current, grid, titles, sweeps, labels, "density level λ", key, height, autoplay)


def show_two_class(
    current: Current, specs: Sequence[Spec], *, key: str, height: int = 430
) -> Shown:
    """Two-class families of the current data over the same cost asymmetries."""
    data, grid = current.fitted, _grid(current)
    levels = tuple(np.linspace(0.0, 1.0, FRAMES).tolist())
    sweeps = tuple(
        cache.two_class_sweep(data.fingerprint, current.plane_key, spec, levels, data, grid)
        for spec in specs
    )
    titles = [TWO_CLASS[spec.method].title for spec in specs]
    labels = [f"{level:.2f}" for level in levels]
    return _show(current, grid, titles, sweeps, labels, "cost asymmetry γ", key, height, False)


def _grid(current: Current) -> Grid:
    data = current.fitted
    return cache.grid(data.fingerprint, current.plane_key, data, current.plane)


def _density_levels(data: Dataset, spec: Spec) -> tuple[float, ...]:
    """From the level above which no training point is inside, down towards zero."""
    parzen = Spec("Parzen", spec.sigma)
    top = float(
        cache.one_class_fit(data.fingerprint, data, parzen).family.first_level(data.X).max()
    )
    return tuple(np.linspace(0.98 * top, SMALLEST * top, FRAMES).tolist())


def _show(
    current: Current,
    grid: Grid,
    titles: Sequence[str],
    sweeps: tuple[Sweep, ...],
    labels: Sequence[str],
    level_name: str,
    key: str,
    height: int,
    autoplay: bool,
) -> Shown:
    data, asked = current.fitted, _asked_frame(key)
    points = grid.plane.coordinates(data.X)
    classes = np.zeros(data.n, np.uint8) if data.y is None else np.where(data.y < 0, 1, 0)
    panels = [
        Panel(title, points, classes, walk.outlines, overlay=walk.broken)
        for title, walk in zip(titles, sweeps, strict=True)
    ]
    names = data.feature_names if data.d == 2 else ("direction 1", "direction 2")
    content = SweepData(
        panels=panels,
        levels=sweeps[0].levels.tolist(),
        labels=labels,
        captions=[_caption(titles, sweeps, k) for k in range(len(labels))],
        level_name=level_name,
        view=_view(grid),
        axis_names=(names[0], names[1]),
        class_names=("class +1", "class −1") if data.y is not None else ("points",),
        set_name="inside",
        overlay_name="was inside, now outside",
        alt=f"{' and '.join(titles)} of {data.n} points over the {level_name}, one set per frame.",
        start=START if asked is None else asked,
        # A link to a frame shows that frame, and holds still.
        autoplay=autoplay and asked is None,
        ghost_every=6,
    )
    state = sweep_player(content, key=key, height=height)
    st.query_params["frame"] = str(state.frame)
    return Shown(sweeps, state)


def _caption(titles: Sequence[str], sweeps: Sequence[Sweep], frame: int) -> str:
    """What can be said of a frame in words."""
    parts = []
    for title, walk in zip(titles, sweeps, strict=True):
        broken = walk.broken_share[frame]
        left = f", {broken:.1%} of the picture left behind" if broken > 0 else ""
        parts.append(f"{title}: {walk.inside[frame]:.0%} of the points inside{left}")
    return "; ".join(parts)


def _view(grid: Grid) -> tuple[float, float, float, float]:
    """The grid's box less one pixel, so that outlines along its edge stay out of sight."""
    return float(grid.u[1]), float(grid.u[-2]), float(grid.v[1]), float(grid.v[-2])


def _asked_frame(key: str) -> int | None:
    """The frame that the link asks for, if it does; read once, later changes are the player's."""
    memory = f"{key}:asked"
    if memory not in st.session_state:
        asked = st.query_params.get("frame", "")
        st.session_state[memory] = int(asked) % FRAMES if asked.isdecimal() else None
    frame: int | None = st.session_state[memory]
    return frame
