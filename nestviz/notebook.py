"""Play families of sets in a notebook, or in an HTML file of their own."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.analysis.level_sweep import points_inside, sweep_levels
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.ui.export.player_page import page
from nestviz.ui.scene.scene import Panel, Scale, Scene

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
    chosen = np.atleast_1d(np.asarray(chosen, dtype=np.float64))
    return Player(page(_scene(members, points, y, chosen), title), height)


def _family(value: Any) -> SetFamily:
    family = value if isinstance(value, SetFamily) else getattr(value, "family_", None)
    if not isinstance(family, SetFamily):
        kind = type(value).__name__
        raise TypeError(f"{kind} is neither a SetFamily nor an estimator that has been fitted.")
    return family


def _scene(
    families: Mapping[str, SetFamily], points: Any, y: ArrayLike | None, levels: Any
) -> Scene:
    classes = np.zeros(len(points), np.uint8)
    if y is not None:
        classes = np.where(np.asarray(y) < 0, 1, 0).astype(np.uint8)
    level_name = next(iter(families.values())).level_name
    return Scene(
        panels=[
            Panel(name, points, classes, family, inside=points_inside(family, points, levels))
            for name, family in families.items()
        ],
        scale=Scale(level_name, levels, levels),
        view=Grid.around(points).inner_box,
        alt=f"{' and '.join(families)}: {len(points)} points and their sets over the {level_name}.",
        class_names=("class +1", "class −1") if y is not None else ("points",),
        overlay_name="was inside, now outside",
        start=2 * levels.size // 3,
        ghosts=min(10, levels.size),
    )
