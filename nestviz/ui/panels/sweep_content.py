"""The content of the players that show sweeps, made once and cached."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nestviz.analysis.level_sweep import Sweep
from nestviz.arrays import FloatArray
from nestviz.data import Dataset
from nestviz.grids import Grid, Plane
from nestviz.scanning import Scan
from nestviz.ui.compute.frames import NAMES, Frames, nu_of
from nestviz.ui.compute.methods import Fitted, Spec
from nestviz.ui.data_choice import axis_names
from nestviz.ui.player.data import Layer, Panel, SweepData
from nestviz.ui.results import cache, fits

SCANNED = 700
"""Up to this many points, hovering over a point shows its levels; the exact scan of a long path
over more points would delay the picture."""


class Options(NamedTuple):
    """The initial state of the player."""

    start: int
    autoplay: bool
    shown: tuple[Layer, ...]


@cache.kept()
def content(
    data: Dataset,
    plane: Plane,
    specs: tuple[Spec, ...],
    frames: Frames,
    options: Options,
    _fits: tuple[Fitted, ...],
    _sweeps: tuple[Sweep, ...],
) -> SweepData:
    """Return families over the level λ, or over the cost asymmetry γ for two classes."""
    grid = fits.grid(data, plane)
    panels = [_panel(data, grid, swept, one) for swept, one in zip(_sweeps, _fits, strict=True)]
    level_name, units = "cost asymmetry γ", [""] * len(frames.levels)
    if not specs[0].two_classes:
        level_name, nus = NAMES[frames.over], nu_of(_fits, frames.levels)
        units = [_units(frames, nus, k) for k in range(len(frames.levels))]
    titles = [panel.title for panel in panels]
    return SweepData(
        panels=panels,
        levels=frames.levels,
        labels=frames.labels,
        captions=[units[k] + _caption(titles, _sweeps, k) for k in range(len(frames.levels))],
        level_name=level_name,
        view=grid.inner_box,
        axis_names=axis_names(data),
        class_names=("class +1", "class −1") if data.y is not None else ("points",),
        set_name="inside",
        overlay_name="was inside, now outside",
        flag_name="violates nesting: enters and leaves again",
        shown=options.shown,
        alt=f"{' and '.join(titles)} of {data.n} points over the {level_name}, one set per frame.",
        start=options.start,
        autoplay=options.autoplay,
        ghost_every=6,
    )


def _panel(data: Dataset, grid: Grid, swept: Sweep, fitted: Fitted) -> Panel:
    """Return the panel of a method; with two classes, points that leave again are hollow."""
    family, two_classes = fitted.family, fitted.spec.two_classes
    classes = np.zeros(data.n, np.uint8) if data.y is None else np.where(data.y < 0, 1, 0)
    scan = family.scan(data.X) if data.n <= SCANNED or family.is_nested else None
    letter = "γ" if two_classes else "λ"
    return Panel(
        fitted.spec.title,
        grid.plane.coordinates(data.X),
        classes,
        swept.outlines,
        overlay=swept.broken,
        marker_sizes=fitted.shares_of_bound(swept.levels),
        texts=None if scan is None else _texts(scan, letter, family.orientation),
        flags=scan.violated if two_classes and scan is not None else None,
    )


def _texts(scan: Scan, letter: str, orientation: int) -> list[str]:
    """Describe the first level of each point, and whether it leaves again."""
    words = "from {} = {:.3g} up" if orientation == 1 else "below {} = {:.3g}"
    found = []
    for first, violated, count in zip(scan.first, scan.violated, scan.counts, strict=True):
        if not np.isfinite(first):
            found.append("on the boundary, or outside, at every level")
        elif violated:
            times = f"{count} separate intervals" if count > 1 else "one interval that ends again"
            found.append(f"inside {words.format(letter, first)}, in {times}")
        else:
            found.append(f"inside {words.format(letter, first)}")
    return found


def _units(frames: Frames, nus: FloatArray | None, k: int) -> str:
    """Return the level of a frame in the units that the slider does not show."""
    parts = [] if frames.over == "level" else [f"λ = {frames.levels[k]:.3g}"]
    if nus is not None and frames.over != "nu":
        parts.append(f"ν = {nus[k]:.2f} (one-class SVM)")
    return f"{', '.join(parts)}; " if parts else ""


def _caption(titles: Sequence[str], sweeps: Sequence[Sweep], frame: int) -> str:
    """Describe a frame in words."""
    parts = []
    for title, swept in zip(titles, sweeps, strict=True):
        broken = swept.broken_share[frame]
        left = f", {broken:.1%} of the picture violated" if broken > 0 else ""
        parts.append(f"{title}: {swept.inside[frame]:.0%} of the points inside{left}")
    return "; ".join(parts)
