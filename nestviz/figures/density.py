"""The set of a given mass among all levels, and density ranks over the plane."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from nestviz import escaping
from nestviz.analysis.density import DensityRank
from nestviz.analysis.minimum_volume import MassLevel
from nestviz.arrays import FloatArray
from nestviz.figures.theme import BLUE, VERMILION, plane_axes, quiet_axes
from nestviz.figures.traces import line, marks
from nestviz.grids import Grid


def mass_level_figure(chosen: MassLevel) -> go.Figure:
    """Draw the estimated mass over the level, and where it first reaches the nominal mass.

    Parameters
    ----------
    chosen : MassLevel
        From `minimum_volume_set`.

    Returns
    -------
    Figure
    """
    hover = "level %{x:.4g}<br>mass %{y:.3f}<extra>"
    # Each value holds from its level on, in the direction of growth.
    steps = {"color": BLUE, "shape": "hv", "width": 2}
    curve = line(
        chosen.levels, chosen.masses, "estimated mass", line=steps, hover=hover + "</extra>"
    )
    point, name = np.array([[chosen.level, chosen.mass]]), f"level {chosen.level:.4g}"
    star = marks(point, name, VERMILION, "star", 15, hover=hover + "chosen</extra>")
    figure = go.Figure([curve, star])
    dashed = {"color": VERMILION, "dash": "dash", "width": 1}
    figure.add_hline(y=chosen.beta, line=dashed, annotation_text=f"mass {chosen.beta:g}")
    figure.update_yaxes(range=[0, 1.02])
    return quiet_axes(figure, chosen.family.level_name, "mass")


def density_rank_figure(rank: DensityRank, grid: Grid, names: tuple[str, str]) -> go.Figure:
    """Draw a map of density ranks over a plane, with outlines of equal rank.

    Parameters
    ----------
    rank : DensityRank
        Of the pixels of ``grid``.
    grid : Grid
        The pixels.
    names : tuple of str
        Names of the axes.

    Returns
    -------
    Figure
    """
    figure = go.Figure(
        go.Contour(
            x=grid.u,
            y=grid.v,
            z=rank.rank.reshape(grid.shape),
            colorscale="Cividis",
            contours={"start": 0.1, "end": 0.9, "size": 0.1, "showlabels": True},
            line={"width": 1, "color": "rgba(255, 255, 255, 0.6)"},
            colorbar={"title": {"text": "density rank"}},
            hovertemplate="%{x:.4g}, %{y:.4g}<br>rank %{z:.3f}<extra></extra>",
        )
    )
    figure.update_xaxes(range=[grid.u[0], grid.u[-1]])
    figure.update_yaxes(range=[grid.v[0], grid.v[-1]])
    return plane_axes(figure, *names)


def density_maps_figure(
    maps: Mapping[str, FloatArray], grid: Grid, names: tuple[str, str], unit: str = "density"
) -> go.Figure:
    """Draw densities over a plane side by side, in the same colours.

    Parameters
    ----------
    maps : mapping of str to ndarray of shape (n_rows, n_columns)
        Densities at the pixels of ``grid``, by name.
    grid : Grid
        The pixels.
    names : tuple of str
        Names of the axes.
    unit : str
        What the colours stand for.

    Returns
    -------
    Figure
    """
    titles = [escaping.plotly(name) for name in maps]
    figure = make_subplots(1, len(maps), subplot_titles=titles, horizontal_spacing=0.06)
    largest = max(float(values.max()) for values in maps.values())
    for number, values in enumerate(maps.values(), start=1):
        heat = go.Heatmap(
            x=grid.u,
            y=grid.v,
            z=values.astype(np.float32),
            zmin=0.0,
            zmax=largest,
            colorscale="Cividis",
            colorbar={"title": {"text": escaping.plotly(unit), "side": "right"}},
            showscale=number == len(maps),
            hovertemplate="%{x:.4g}, %{y:.4g}<br>%{z:.3g}<extra></extra>",
        )
        figure.add_trace(heat, 1, number)
        figure.update_xaxes(range=[grid.u[0], grid.u[-1]], col=number)
        figure.update_yaxes(range=[grid.v[0], grid.v[-1]], col=number)
    plane_axes(figure, *names)
    if len(maps) > 1:
        figure.update_yaxes(title_text="", col=2)
    return figure.update_layout(margin_t=44)
