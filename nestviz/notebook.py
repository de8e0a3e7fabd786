"""Play families of sets in a notebook, or in an HTML file of their own."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.analysis.level_sweep import Sweep, sweep, sweep_levels
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.ui.export.player_page import page
from nestviz.ui.player.data import Panel, SweepData

__all__ = ["Player", "play"]

PANEL_HEIGHT = 680


@dataclass(frozen=True)
class Player:
    """A player that a notebook shows as the value of a cell.

    Parameters
    ----------
    text : str
        The HTML page, which needs no network and no server.
    height : int
        Height of the frame in a notebook, in pixels.
    """

    text: str
    height: int = PANEL_HEIGHT

    def save(self, file: str | Path) -> None:
        """Write the page to a file that any browser opens.

        Parameters
        ----------
        file : str or Path
            Where to write it, such as ``"families.html"``.
        """
        Path(file).write_text(self.text, encoding="utf-8")

    def _repr_html_(self) -> str:
        """Return a frame with the page inside, so that styles of the notebook stay apart."""
        content = html.escape(self.text, quote=True)
        return (
            f'<iframe srcdoc="{content}" title="nestviz player" '
            f'style="width: 100%; height: {self.height}px; border: 0"></iframe>'
        )


def play(
    families: Mapping[str, Any] | Any,
    X: ArrayLike,
    y: ArrayLike | None = None,
    *,
    levels: ArrayLike | None = None,
    frames: int = 60,
    title: str = "Families of sets",
    height: int = PANEL_HEIGHT,
) -> Player:
    """Play one family, or several side by side, level by level.

    Parameters
    ----------
    families : SetFamily, fitted estimator, or dict of str to either
        What to play. The names of a dict are the titles of the panels. All families must have the
        same kind of level.
    X : array-like of shape (n_points, 2)
        Points to draw.
    y : array-like of shape (n_points,), optional
        Classes of the points, +1 and −1.
    levels : array-like of shape (n_frames,), optional
        Levels of the frames, from small sets to large ones. By default they are chosen so that the
        sets of the first family change evenly.
    frames : int
        How many levels to choose if none are given.
    title : str
        Heading of the page.
    height : int
        Height in a notebook, in pixels.

    Returns
    -------
    Player
        Shown by a notebook as it is; `Player.save` writes it to a file.

    Examples
    --------
    >>> from nestviz import NestedOneClassSVM, make_sample
    >>> X = make_sample("banana", n=60).X
    >>> player = play(NestedOneClassSVM(sigma=0.5).fit(X), X)
    >>> player.text.startswith("<!doctype html>")
    True
    """
    named = families if isinstance(families, Mapping) else {"sets": families}
    if not named:
        raise ValueError("There is no family to play.")
    members = {str(name): _family(value) for name, value in named.items()}
    points = np.asarray(X, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(f"X must have shape (n_points, 2), not {points.shape}.")
    grid, first = Grid.around(points), next(iter(members.values()))
    if any(family.level_name != first.level_name for family in members.values()):
        names = ", ".join(sorted({family.level_name for family in members.values()}))
        raise ValueError(f"The families have different kinds of levels: {names}.")
    chosen = sweep_levels(first, grid, points, frames) if levels is None else np.asarray(levels)
    sweeps = {name: sweep(family, grid, points, chosen) for name, family in members.items()}
    return Player(page(_content(sweeps, points, y, grid, first.level_name), title), height)


def _family(value: Any) -> SetFamily:
    family = value if isinstance(value, SetFamily) else getattr(value, "family_", None)
    if not isinstance(family, SetFamily):
        kind = type(value).__name__
        raise TypeError(f"{kind} is neither a SetFamily nor an estimator that has been fitted.")
    return family


def _content(
    sweeps: Mapping[str, Sweep], points: Any, y: ArrayLike | None, grid: Grid, level_name: str
) -> SweepData:
    classes = np.zeros(len(points), np.uint8)
    if y is not None:
        classes = np.where(np.asarray(y) < 0, 1, 0).astype(np.uint8)
    levels = next(iter(sweeps.values())).levels
    return SweepData(
        panels=[
            Panel(name, points, classes, one.outlines, overlay=one.broken)
            for name, one in sweeps.items()
        ],
        levels=levels.tolist(),
        labels=[f"{level:.3g}" for level in levels],
        captions=[_caption(sweeps, k) for k in range(levels.size)],
        level_name=level_name,
        view=grid.inner_box,
        alt=f"{' and '.join(sweeps)}: {len(points)} points and one set per frame.",
        class_names=("class +1", "class −1") if y is not None else ("points",),
        overlay_name="was inside, now outside",
        start=2 * levels.size // 3,
        ghost_every=6,
        keep_aspect=True,
    )


def _caption(sweeps: Mapping[str, Sweep], frame: int) -> str:
    parts = []
    for name, one in sweeps.items():
        broken = one.broken_share[frame]
        left = f", {broken:.1%} of the picture violated" if broken > 0 else ""
        parts.append(f"{name}: {one.inside[frame]:.0%} of the points inside{left}")
    return "; ".join(parts)
