"""Cluster trees, and the plane coloured by selected clusters."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nestviz.analysis.tree.heights import solved_levels
from nestviz.analysis.tree.layout import (
    TreeLayout,
    cluster_counts,
    inherited_labels,
    stability_shares,
)
from nestviz.analysis.tree.tree import Tree
from nestviz.arrays import IntArray
from nestviz.figures.theme import (
    BLUE,
    GRID_LINES,
    NEUTRAL,
    SINGLE,
    VERMILION,
    plane_axes,
    quiet_axes,
)
from nestviz.figures.traces import line, marks, selection_rings
from nestviz.grids import Grid
from nestviz.number_words import in_words
from nestviz.palette import CLUSTER_SYMBOLS, CYCLE, STABILITY_OPACITY, rgba


def cluster_colour(label: int) -> str:
    """Return the colour of a cluster; colours repeat after seven, symbols after eight."""
    return CYCLE[label % len(CYCLE)]


def cluster_symbol(label: int) -> str:
    """Return the symbol of a cluster's points."""
    return CLUSTER_SYMBOLS[label % len(CLUSTER_SYMBOLS)]


def tree_figure(
    tree: Tree, layout: TreeLayout, selected: IntArray | None = None, level: float | None = None
) -> go.Figure:
    """Draw a tree with branches as wide as their mass; the smallest sets are at the top.

    The more stable a branch, the stronger its colour. A branch is called by its number, such as B3.
    Joins below the smallest solved level are dashed, in a strip of their own, not to scale.

    Parameters
    ----------
    tree : Tree
        The tree.
    layout : TreeLayout
        Its `tree_layout`.
    selected : ndarray of int, optional
        Nodes that are coloured with their descendants and numbered; the rest stays grey.
    level : float, optional
        A level to mark by a line.

    Returns
    -------
    Figure
    """
    chosen = np.empty(0, dtype=np.int64) if selected is None else np.asarray(selected)
    label_of, shades = inherited_labels(tree, chosen), stability_shares(tree)
    pale, strong = STABILITY_OPACITY
    figure = go.Figure()
    for k, outline in enumerate(layout.outlines):
        colour = NEUTRAL if label_of[k] < 0 else cluster_colour(int(label_of[k]))
        fill = rgba(colour, float(pale + (strong - pale) * shades[k]))
        edge = {"color": colour, "width": 1}
        look = {"fill": "toself", "fillcolor": fill, "hoveron": "fills", "line": edge}
        if tree.extrapolated[k]:
            look = {"line": {"color": NEUTRAL, "width": 1.6, "dash": "dash"}}
        look |= {"text": _description(tree, k), "hoverinfo": "text"}
        figure.add_trace(line(outline[:, 0], outline[:, 1], f"branch {k}", **look))
    tips = layout.scale.height_of(solved_levels(tree)[1])
    for k in chosen:
        at = {"x": layout.centres[k], "y": tips[k], "yshift": 9}
        figure.add_annotation(text=f"<b>B{k}</b>", showarrow=False, **at)
    if level is not None:
        cut = float(layout.scale.height_of(level))
        figure.add_hline(y=cut, line={"dash": "dash", "width": 2, "color": SINGLE})
    figure.update_layout(showlegend=False)
    quiet_axes(figure, "share of the points", layout.scale.name)
    figure.update_xaxes(range=[-0.02, 1.02], showgrid=False)
    figure.update_yaxes(range=_height_range(tree, layout))
    if layout.base is not None or layout.scale.kind in ("log", "inverse"):
        _number_heights(figure, layout)
    if layout.base is not None:
        _draw_base(figure, tree, layout.base)
    return figure


def _number_heights(figure: go.Figure, layout: TreeLayout) -> None:
    """Write numbers on the axis where it is to scale: from the base to the far end."""
    first, last = layout.levels
    if layout.base is not None:
        far = max(layout.levels, key=lambda end: abs(end - (layout.base or 0.0)))
        first, last = sorted((layout.base, far))
    ticks = layout.scale.ticks(first, last)
    at, text = ([tick[part] for tick in ticks] for part in (0, 1))
    figure.update_yaxes(tickmode="array", tickvals=at, ticktext=text)


def _draw_base(figure: go.Figure, tree: Tree, base: float) -> None:
    """Draw the largest solved set as a line, and name the strip below it."""
    figure.add_hline(y=base, line={"width": 1, "color": NEUTRAL})
    figure.add_annotation(
        text=f"dashed: extrapolated, below λ = {in_words(tree.hold_level or 0.0)}",
        xref="paper", x=0, xanchor="left", yref="paper", y=0, yanchor="bottom", showarrow=False,
        font={"size": 11},
    )  # fmt: skip


def counts_figure(tree: Tree, level: float | None = None) -> go.Figure:
    """Draw the number of clusters over the level, as a step curve.

    Parameters
    ----------
    tree : Tree
        Usually a pruned tree: every small peak counts.
    level : float, optional
        A level to mark, with its number of clusters.

    Returns
    -------
    Figure
    """
    levels, counts = cluster_counts(tree)
    steps = {"shape": "hv", "color": BLUE, "width": 2}
    hover = "from %{x:.4g}: %{y} clusters<extra></extra>"
    figure = go.Figure(line(levels, counts, "clusters", line=steps, hover=hover))
    if level is not None:
        here = len(tree.nodes_at(level))
        figure.add_vline(x=level, line={"dash": "dash", "width": 1.5, "color": NEUTRAL})
        figure.add_trace(
            go.Scatter(
                x=[level], y=[here], mode="markers+text", name="cut", text=[str(here)],
                textposition="top right", marker={"size": 10, "color": VERMILION},
                hovertemplate="%{x:.4g}: %{y} clusters<extra>cut</extra>",
            )
        )  # fmt: skip
    figure.update_layout(showlegend=False)
    quiet_axes(figure, tree.level_name, "clusters")
    return figure.update_yaxes(rangemode="tozero", dtick=max(1, int(counts.max(initial=1)) // 8))


def clusters_figure(
    points: NDArray[np.float64],
    labels: IntArray,
    names: tuple[str, str],
    grid: Grid | None = None,
    pixels: IntArray | None = None,
    selected: IntArray | None = None,
    *,
    numbers: IntArray | None = None,
) -> go.Figure:
    """Draw points of a plane by cluster, on the parts of the set they lie in.

    Parameters
    ----------
    points : ndarray of shape (n_points, 2)
        Plane coordinates.
    labels : ndarray of shape (n_points,)
        Flat clusters; −1 is drawn as a small grey cross.
    names : tuple of str
        Names of the axes.
    grid : Grid, optional
        The pixels.
    pixels : ndarray of shape (n_rows, n_columns), optional
        Labels of pixels, from `label_pixels`.
    selected : ndarray of int, optional
        Rows of points to circle.
    numbers : ndarray of int, optional
        The branches that clusters are called by; by default they are called by their labels.

    Returns
    -------
    Figure
    """
    figure = go.Figure()
    count = int(max(labels.max(initial=-1), -1 if pixels is None else pixels.max(initial=-1))) + 1
    if grid is not None and pixels is not None:
        figure.add_trace(_areas(grid, pixels, count))
    for label in range(-1, count):
        mine = labels == label
        if mine.any():
            name = f"cluster {label}" if numbers is None else f"branch {numbers[label]}"
            figure.add_trace(_marks(points[mine], np.flatnonzero(mine), label, name))
    if selected is not None and len(selected):
        figure.add_trace(selection_rings(points[selected]))
    figure.update_layout(showlegend=True)
    return plane_axes(figure, *names)


def _description(tree: Tree, k: int) -> str:
    life = f"born at {tree.birth[k]:.4g}, dies at {tree.death[k]:.4g}"
    if tree.extrapolated[k]:
        life = f"extrapolated: ends at {tree.death[k]:.4g}, below the smallest solved level"
    elif k in tree.roots:
        life = f"a root, dies at {tree.death[k]:.4g}"
    return (
        f"branch {k}<br>{life}<br>"
        f"{tree.size[k]} points, {tree.mass[k]:.1%} of all<br>stability {tree.stability[k]:.4g}"
    )


def _height_range(tree: Tree, layout: TreeLayout) -> list[float]:
    """Return the range with large sets below and a margin for the numbers on top."""
    low, high = layout.levels
    margin = 0.08 * (high - low or 1.0)
    return [low, high + margin] if layout.scale.rises(tree) else [high, low - margin]


def _areas(grid: Grid, pixels: IntArray, count: int) -> go.Heatmap:
    """Return one flat colour per cluster, grey for parts without points."""
    colours = [NEUTRAL, *(cluster_colour(label) for label in range(count))]
    steps = np.repeat(np.linspace(0.0, 1.0, len(colours) + 1), 2)[1:-1]
    scale = [[float(at), colours[k // 2]] for k, at in enumerate(steps)]
    shown = np.where(pixels == -1, np.nan, np.maximum(pixels, -1))
    return go.Heatmap(
        x=grid.u, y=grid.v, z=shown, zmin=-1.5, zmax=count - 0.5, colorscale=scale,
        showscale=False, opacity=0.3, hoverinfo="skip",
    )  # fmt: skip


def _marks(points: NDArray[np.float64], rows: IntArray, label: int, name: str) -> go.Scattergl:
    look = (cluster_colour(label), cluster_symbol(label), 8)
    edge = GRID_LINES
    if label < 0:
        name, look, edge = "outside", (NEUTRAL, "x-thin", 6), NEUTRAL
    hover = "point %{customdata}<br>%{x:.4g}, %{y:.4g}<extra>" + name + "</extra>"
    style = {"line": {"width": 1, "color": edge}}
    return marks(points, name, *look, kind=go.Scattergl, hover=hover, marker=style, customdata=rows)
