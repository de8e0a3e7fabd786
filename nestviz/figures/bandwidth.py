"""Mass against volume, excess mass, and integrated volume by bandwidth."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.figures.theme import BLUE, NEUTRAL, VERMILION, quiet_axes
from nestviz.palette import LINE_STYLES, rgba
from nestviz.volume.bandwidth import BandwidthSelection
from nestviz.volume.curves import MassVolumeCurve
from nestviz.volume.excess import ExcessMass
from nestviz.volume.rules import SupportVectorRule


def mass_volume_figure(curves: Mapping[str, MassVolumeCurve]) -> go.Figure:
    """Volume over mass, one closed line per named curve."""
    figure = go.Figure()
    for number, (name, curve) in enumerate(curves.items()):
        mass, volume = curve.polyline()
        figure.add_trace(_line(mass, volume, name, number, "mass %{x:.3f}<br>volume %{y:.4g}"))
    figure.update_xaxes(range=[0, 1])
    figure.update_yaxes(rangemode="tozero")
    return quiet_axes(figure, "mass", "volume")


def excess_mass_figure(curves: Mapping[str, ExcessMass]) -> go.Figure:
    """Excess mass over the density t, one line per named curve."""
    figure = go.Figure()
    for number, (name, curve) in enumerate(curves.items()):
        hover = "t = %{x:.4g}<br>excess mass %{y:.3f}"
        figure.add_trace(_line(curve.thresholds, curve.excess, name, number, hover))
    figure.update_yaxes(range=[0, 1.02])
    figure.update_xaxes(rangemode="tozero")
    return quiet_axes(figure, "density t", "excess mass")


def integrated_volume_figure(
    selection: BandwidthSelection,
    rules: Mapping[str, float] | None = None,
    *,
    standard_error: bool = False,
) -> go.Figure:
    """IV(σ) with a band over folds, σ* marked, and other rules as named vertical lines.

    The band is the standard deviation over folds, or the standard error of their mean. The line
    carries the index of each bandwidth in ``customdata``.
    """
    sigmas, values, spreads = selection.sigmas, selection.values, selection.spreads
    if standard_error:
        spreads = spreads / np.sqrt(selection.fold_values.shape[1])
    figure = go.Figure()
    figure.add_trace(
        go.Scatter(
            x=np.concatenate([sigmas, sigmas[::-1]]),
            y=np.concatenate([values + spreads, (values - spreads)[::-1]]),
            mode="lines",
            fill="toself",
            fillcolor=rgba(BLUE, 0.15),
            line={"width": 0},
            name=f"± standard {'error' if standard_error else 'deviation'} over folds",
            hoverinfo="skip",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=sigmas,
            y=values,
            customdata=np.arange(sigmas.size),
            error_y={"array": selection.errors, "thickness": 1, "width": 2},
            mode="lines+markers",
            name="integrated volume",
            line={"color": BLUE, "width": 2},
            marker={"size": 8},
            hovertemplate="σ = %{x:.4g}<br>integrated volume %{y:.4g}<extra></extra>",
        )
    )
    best = selection.best
    figure.add_trace(
        go.Scatter(
            x=[sigmas[best]],
            y=[values[best]],
            mode="markers",
            name=f"least: σ = {sigmas[best]:.3g}",
            marker={"color": VERMILION, "symbol": "star", "size": 15},
            hovertemplate="σ* = %{x:.4g}<extra></extra>",
        )
    )
    ends = [float((values - spreads).min()), float((values + spreads).max())]
    for number, (name, sigma) in enumerate((rules or {}).items()):
        figure.add_trace(_upright(sigma, ends, f"{name}: {sigma:.3g}", number))
    figure.update_xaxes(type="log")
    return quiet_axes(figure, "bandwidth σ", "integrated volume")


def mass_volume_grid_figure(selection: BandwidthSelection, chosen: int) -> go.Figure:
    """The mass-volume curves of all bandwidths, thin; that of σ* and the chosen one, strong.

    Grey lines run from light (narrow) to dark (wide); hovering names them.
    """
    figure = go.Figure()
    count = selection.sigmas.size
    for place, (sigma, curve) in enumerate(zip(selection.sigmas, selection.curves, strict=True)):
        mass, volume = _thinned(*curve.polyline())
        figure.add_trace(
            go.Scatter(
                x=mass,
                y=volume,
                mode="lines",
                name="all bandwidths, narrow to wide",
                legendgroup="all",
                showlegend=place == 0,
                line={"color": NEUTRAL, "width": 1},
                opacity=0.3 + 0.6 * place / max(count - 1, 1),
                hovertemplate=f"σ = {sigma:.3g}<br>mass %{{x:.2f}}<br>volume %{{y:.3g}}"
                "<extra></extra>",
            )
        )
    hover = "mass %{x:.3f}<br>volume %{y:.4g}"
    strong = {f"chosen: σ = {selection.sigmas[chosen]:.3g}": (chosen, 1)}
    if chosen != selection.best:
        strong = {f"least: σ = {selection.sigma:.3g}": (selection.best, 0), **strong}
    for name, (place, number) in strong.items():
        mass, volume = _thinned(*selection.curves[place].polyline())
        figure.add_trace(_line(mass, volume, name, number, hover))
    figure.update_xaxes(range=[0, 1])
    figure.update_yaxes(rangemode="tozero")
    return quiet_axes(figure, "mass: share of held-out points inside", "volume")


def area_by_width_figure(sigmas: FloatArray, areas: Mapping[str, FloatArray]) -> go.Figure:
    """AUC over the bandwidth, a line with a band over folds for each named method.

    ``areas`` holds one row per bandwidth and one column per fold.
    """
    figure = go.Figure()
    for number, (name, table) in enumerate(areas.items()):
        middle, spread = table.mean(axis=1), table.std(axis=1)
        colour = LINE_STYLES[number % len(LINE_STYLES)][0]
        figure.add_trace(
            go.Scatter(
                x=np.concatenate([sigmas, sigmas[::-1]]),
                y=np.concatenate([middle + spread, (middle - spread)[::-1]]),
                mode="lines",
                fill="toself",
                fillcolor=rgba(colour, 0.15),
                line={"width": 0},
                name=f"{name}: ± standard deviation over folds",
                showlegend=False,
                hoverinfo="skip",
            )
        )
        figure.add_trace(_line(sigmas, middle, name, number, "σ = %{x:.4g}<br>AUC %{y:.3f}"))
    figure.update_xaxes(type="log")
    return quiet_axes(figure, "bandwidth σ", "AUC on held-out points")


def support_vectors_figure(rule: SupportVectorRule) -> go.Figure:
    """Number of support vectors by bandwidth, the one chosen marked."""
    figure = go.Figure()
    hover = "σ = %{x:.4g}<br>%{y} support vectors"
    figure.add_trace(_line(rule.sigmas, rule.counts, "support vectors", 0, hover))
    ends = [0.0, float(rule.counts.max())]
    figure.add_trace(_upright(rule.sigma, ends, f"chosen: σ = {rule.sigma:.3g}", 0))
    figure.update_xaxes(type="log")
    figure.update_yaxes(rangemode="tozero")
    return quiet_axes(figure, "bandwidth σ", "support vectors")


def _thinned(x: FloatArray, y: FloatArray, most: int = 300) -> tuple[FloatArray, FloatArray]:
    """A line with no more points than can be distinguished on a screen."""
    if x.size <= most:
        return x, y
    places = np.unique(np.linspace(0, x.size - 1, most).round().astype(np.intp))
    return x[places], y[places]


def _upright(x: float, ends: list[float], name: str, number: int) -> go.Scatter:
    """A named vertical line: a trace, because shapes have no entry in the legend."""
    _, dash, symbol = LINE_STYLES[(number + 1) % len(LINE_STYLES)]
    return go.Scatter(
        x=[x, x],
        y=ends,
        mode="lines+markers",
        name=name,
        line={"color": NEUTRAL, "dash": dash, "width": 2},
        marker={"color": NEUTRAL, "symbol": symbol, "size": 8},
        hovertemplate="σ = %{x:.4g}<extra>" + name + "</extra>",
    )


def _line(x: FloatArray, y: NDArray[np.generic], name: str, number: int, hover: str) -> go.Scatter:
    colour, dash, symbol = LINE_STYLES[number % len(LINE_STYLES)]
    return go.Scatter(
        x=x,
        y=y,
        mode="lines+markers",
        name=name,
        line={"color": colour, "dash": dash, "width": 2},
        # Marks now and then: enough to tell lines apart, few enough to see them.
        marker={"symbol": symbol, "size": 8, "color": colour, "maxdisplayed": 12},
        hovertemplate=hover + "<extra>" + name + "</extra>",
    )
