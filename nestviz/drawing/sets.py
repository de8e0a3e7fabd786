"""Sets of families at chosen levels, as a matplotlib figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike

from nestviz.analysis.level_sweep import sweep, sweep_levels
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.palette import THEMES, marker_radius

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from nestviz.analysis.level_sweep import Sweep
    from nestviz.drawing.canvas import Dash
    from nestviz.palette import Theme

FOOT = 34
DASHES: tuple[Dash, ...] = ("solid", (0, (6, 2)), (0, (2, 1.5)), (0, (6, 2, 1.5, 2)), (0, (10, 4)))


def draw_sets(
    families: SetFamily | Mapping[str, SetFamily],
    X: ArrayLike,
    y: ArrayLike | None = None,
    *,
    levels: ArrayLike | None = None,
    grid: Grid | None = None,
    level_name: str = "level",
    selected: Sequence[int] = (),
    theme: Literal["light", "dark"] = "light",
    panel: tuple[float, float] = (460, 400),
) -> Figure:
    """Draw the sets of families at one level or more, one panel per family.

    Areas that an earlier set contains and the last one does not are hatched: there the family is
    not nested. The figure works in a notebook and with ``savefig``; it needs matplotlib.

    Parameters
    ----------
    families : SetFamily or mapping of str to SetFamily
        The family, or families by the titles of their panels.
    X : array-like of shape (n_points, n_features)
        The points to draw.
    y : array-like of shape (n_points,), optional
        Their classes, +1 or −1.
    levels : array-like of shape (n_levels,), optional
        From small sets to large ones; by default five levels of the first family.
    grid : Grid, optional
        Where the sets are evaluated; by default the box of two features.
    level_name : str
        What the level is called in the legend.
    selected : sequence of int
        Rows of ``X`` to draw rings around.
    theme : {"light", "dark"}
        The background of the figure.
    panel : tuple of float
        Width and largest height of a panel in pixels; one unit is as long across as along.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    try:
        from nestviz.drawing import canvas, legends
    except ImportError as error:
        raise ImportError("draw_sets needs matplotlib: pip install matplotlib") from error

    named = families if isinstance(families, Mapping) else {"": families}
    points, colours = np.asarray(X, dtype=np.float64), THEMES[theme]
    grid = grid or Grid.around(points)
    if levels is None:
        levels = sweep_levels(next(iter(named.values())), grid, points, frames=5)
    radius, drawn = 0.8 * marker_radius(len(points)), grid.plane.coordinates(points)
    with canvas.settings():
        samples: dict[str, Artist] = {}
        figure, boxes = canvas.panel_figure(len(named), panel, FOOT, colours, grid.inner_box)
        for box, (title, family) in zip(boxes, named.items(), strict=True):
            axes = canvas.add_panel(figure, box, grid.inner_box, colours, title)
            canvas.class_markers(axes, drawn, y, colours, radius)
            canvas.selection_rings(axes, drawn[list(selected)], colours.text, 2 * radius + 2)
            walk = sweep(family, grid, points, levels)
            samples |= _draw_levels(axes, walk, level_name, colours)
        legends.write_legend(figure, list(samples.items()), colours, 12)
    return figure


def _draw_levels(axes: Axes, walk: Sweep, name: str, theme: Theme) -> dict[str, Artist]:
    """Draw the sets of all levels and return the legend's samples."""
    from nestviz.drawing import canvas

    samples: dict[str, Artist] = {}
    for k, (level, rings) in enumerate(zip(walk.levels, walk.outlines, strict=True)):
        path, dash = canvas.ring_path(rings), DASHES[k % len(DASHES)]
        canvas.area(axes, path, theme.accent, theme.fill_opacity / np.sqrt(len(walk.levels)))
        canvas.outline(axes, path, theme.accent, theme, dash)
        label = f"{level:.3g}" if k else f"{name} = {level:.3g}"
        samples[label] = canvas.set_sample(theme.accent, dash)
    if walk.broken[-1]:
        canvas.hatched(axes, canvas.ring_path(walk.broken[-1]), theme.alarm)
        samples["not nested"] = canvas.hatched_sample(theme.alarm)
    return samples
