"""Mass against volume, excess mass, and integrated volume by bandwidth."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from nestviz import escaping
from nestviz.arrays import FloatArray
from nestviz.figures.theme import BLUE, NEUTRAL, VERMILION, log_axis, quiet_axes
from nestviz.figures.traces import band, line, marks, numbered_line
from nestviz.palette import LINE_STYLES
from nestviz.volume.bandwidth import BandwidthSelection, MarginEffect
from nestviz.volume.bootstrap import BandwidthBootstrap
from nestviz.volume.curves import MassVolumeCurve
from nestviz.volume.excess import ExcessMass
from nestviz.volume.rules import SupportVectorRule

MASS_HOVER = "mass %{x:.3f}<br>volume %{y:.4g}"


def mass_volume_figure(curves: Mapping[str, MassVolumeCurve]) -> go.Figure:
    """Draw volume over mass.

    Parameters
    ----------
    curves : mapping of str to MassVolumeCurve
        One line per name.

    Returns
    -------
    Figure
    """
    figure = go.Figure()
    for number, (name, curve) in enumerate(curves.items()):
        figure.add_trace(numbered_line(*curve.polyline(), name, number, MASS_HOVER))
    figure.update_xaxes(range=[0, 1])
    figure.update_yaxes(rangemode="tozero")
    return quiet_axes(figure, "mass", "volume")


def excess_mass_figure(curves: Mapping[str, ExcessMass]) -> go.Figure:
    """Draw excess mass over the density t.

    Parameters
    ----------
    curves : mapping of str to ExcessMass
        One line per name.

    Returns
    -------
    Figure
    """
    figure = go.Figure()
    hover = "t = %{x:.4g}<br>excess mass %{y:.3f}"
    for number, (name, curve) in enumerate(curves.items()):
        figure.add_trace(numbered_line(curve.thresholds, curve.excess, name, number, hover))
    figure.update_yaxes(range=[0, 1.02])
    figure.update_xaxes(rangemode="tozero")
    return quiet_axes(figure, "density t", "excess mass")


def integrated_volume_figure(
    selection: BandwidthSelection,
    rules: Mapping[str, float] | None = None,
    *,
    standard_error: bool = False,
) -> go.Figure:
    """Draw the integrated volume over the bandwidth, with a band over folds.

    Parameters
    ----------
    selection : BandwidthSelection
        From `select_bandwidth`; its σ* is marked. ``customdata`` of the line are the indices of the
        bandwidths.
    rules : mapping of str to float, optional
        Bandwidths of other rules, as vertical lines.
    standard_error : bool
        Whether the band is the standard error of the mean instead of the standard deviation.

    Returns
    -------
    Figure
    """
    sigmas, values, spreads = selection.sigmas, selection.values, selection.spreads
    if standard_error:
        spreads = spreads / np.sqrt(selection.fold_values.shape[1])
    name = f"± standard {'error' if standard_error else 'deviation'} over folds"
    figure = go.Figure(band(sigmas, values - spreads, values + spreads, name, BLUE))
    figure.add_trace(
        line(
            sigmas, values, "integrated volume", mode="lines+markers", marker={"size": 8},
            customdata=np.arange(sigmas.size),
            # A click must not fade the rest of the curve.
            unselected={"marker": {"opacity": 1}},
            error_y={"array": selection.errors, "thickness": 1, "width": 2},
            hover="σ = %{x:.4g}<br>integrated volume %{y:.4g}<extra></extra>",
        )
    )  # fmt: skip
    best = selection.best
    star = np.array([[sigmas[best], values[best]]])
    hover = "σ* = %{x:.4g}<extra></extra>"
    name = f"least: σ = {sigmas[best]:.3g}"
    figure.add_trace(marks(star, name, VERMILION, "star", 15, hover=hover))
    ends = [float((values - spreads).min()), float((values + spreads).max())]
    for number, (name, sigma) in enumerate((rules or {}).items()):
        figure.add_trace(_upright(sigma, ends, f"{name}: {sigma:.3g}", number))
    figure.update_xaxes(**log_axis(sigmas))
    return quiet_axes(figure, "bandwidth σ", "integrated volume")


def mass_volume_grid_figure(selection: BandwidthSelection, chosen: int) -> go.Figure:
    """Draw the mass-volume curves of all bandwidths.

    Parameters
    ----------
    selection : BandwidthSelection
        From `select_bandwidth`. Thin lines run from light (narrow) to dark (wide); the curve of σ*
        is thick.
    chosen : int
        Index of another bandwidth whose curve is thick.

    Returns
    -------
    Figure
    """
    figure = go.Figure()
    count = selection.sigmas.size
    for k, (sigma, curve) in enumerate(zip(selection.sigmas, selection.curves, strict=True)):
        figure.add_trace(
            line(
                *_thinned(*curve.polyline()), "all bandwidths, narrow to wide", NEUTRAL, width=1,
                legendgroup="all", showlegend=k == 0, opacity=0.3 + 0.6 * k / max(count - 1, 1),
                hover=f"σ = {sigma:.3g}<br>mass %{{x:.2f}}<br>volume %{{y:.3g}}<extra></extra>",
            )
        )  # fmt: skip
    strong = {f"chosen: σ = {selection.sigmas[chosen]:.3g}": (chosen, 1)}
    if chosen != selection.best:
        strong = {f"least: σ = {selection.sigma:.3g}": (selection.best, 0), **strong}
    for name, (k, number) in strong.items():
        curve = selection.curves[k]
        figure.add_trace(numbered_line(*_thinned(*curve.polyline()), name, number, MASS_HOVER))
    figure.update_xaxes(range=[0, 1])
    figure.update_yaxes(rangemode="tozero")
    return quiet_axes(figure, "mass: share of held-out points inside", "volume")


def area_by_width_figure(sigmas: FloatArray, areas: Mapping[str, FloatArray]) -> go.Figure:
    """Draw AUC over the bandwidth, with a band over folds.

    Parameters
    ----------
    sigmas : ndarray of shape (n_sigmas,)
        Bandwidths.
    areas : mapping of str to ndarray of shape (n_sigmas, n_folds)
        AUC of each named method.

    Returns
    -------
    Figure
    """
    figure = go.Figure()
    for number, (name, table) in enumerate(areas.items()):
        middle, spread = table.mean(axis=1), table.std(axis=1)
        colour = LINE_STYLES[number % len(LINE_STYLES)][0]
        label = f"{name}: ± standard deviation over folds"
        area = band(sigmas, middle - spread, middle + spread, label, colour, showlegend=False)
        hover = "σ = %{x:.4g}<br>AUC %{y:.3f}"
        figure.add_traces([area, numbered_line(sigmas, middle, name, number, hover)])
    figure.update_xaxes(**log_axis(sigmas))
    return quiet_axes(figure, "bandwidth σ", "AUC on held-out points")


def margin_effect_figure(effect: MarginEffect, chosen: float | None = None) -> go.Figure:
    """Draw the integrated volume over the bandwidth in boxes of several margins.

    Parameters
    ----------
    effect : MarginEffect
        From `margin_effect`. Each line is divided by its least value, whose bandwidth is marked:
        volumes are shares of different boxes.
    chosen : float, optional
        The margin whose line is thick.

    Returns
    -------
    Figure
    """
    figure = go.Figure()
    for number, (margin, row) in enumerate(zip(effect.margins, effect.values, strict=True)):
        colour, dash, _ = LINE_STYLES[number % len(LINE_STYLES)]
        name = f"margin {margin:g}: σ* = {effect.sigmas[number]:.3g}"
        hover = f"σ = %{{x:.3g}}<br>%{{y:.3f}} times the least<extra>margin {margin:g}</extra>"
        width = 3.5 if margin == chosen else 1.6
        figure.add_trace(
            line(effect.widths, row / row.min(), name, colour, dash=dash, width=width, hover=hover)
        )
        star = np.array([[effect.sigmas[number], 1.0]])
        figure.add_trace(marks(star, None, colour, "star", 13, showlegend=False))
    figure.update_xaxes(**log_axis(effect.widths))
    return quiet_axes(figure, "bandwidth σ", "integrated volume / least")


def resampled_widths_figure(found: BandwidthBootstrap, sigma: float | None = None) -> go.Figure:
    """Draw how many resamples choose each bandwidth.

    Parameters
    ----------
    found : BandwidthBootstrap
        From `bootstrap_bandwidth`.
    sigma : float, optional
        The bandwidth that the data themselves choose, marked by a line.

    Returns
    -------
    Figure
    """
    counts = (found.chosen[:, None] == found.sigmas[None]).sum(axis=0)
    hover = "σ* = %{x:.3g}<br>%{y} resamples<extra></extra>"
    figure = go.Figure()
    for width, count in zip(found.sigmas, counts, strict=True):
        if count:
            stick = line([width, width], [0, count], None, BLUE, width=7, showlegend=False)
            figure.add_trace(stick)
    chosen = np.column_stack([found.sigmas, counts])[counts > 0]
    figure.add_trace(marks(chosen, "σ* of the resamples", BLUE, "circle", 11, hover=hover))
    if sigma is not None:
        ends = [0.0, float(counts.max())]
        figure.add_trace(_upright(sigma, ends, f"σ* of the data: {sigma:.3g}", 0))
    reach = np.log10(found.sigmas[[0, -1]])
    figure.update_xaxes(**log_axis(found.sigmas), range=reach.tolist())
    figure.update_yaxes(rangemode="tozero", tickformat="d")
    return quiet_axes(figure, "bandwidth σ", "resamples")


def support_vectors_figure(rule: SupportVectorRule) -> go.Figure:
    """Draw the number of support vectors by bandwidth, with the chosen one marked.

    Parameters
    ----------
    rule : SupportVectorRule
        From `support_vector_rule`.

    Returns
    -------
    Figure
    """
    hover = "σ = %{x:.4g}<br>%{y} support vectors"
    figure = go.Figure(numbered_line(rule.sigmas, rule.counts, "support vectors", 0, hover))
    ends = [0.0, float(rule.counts.max())]
    figure.add_trace(_upright(rule.sigma, ends, f"chosen: σ = {rule.sigma:.3g}", 0))
    figure.update_xaxes(**log_axis(rule.sigmas))
    figure.update_yaxes(rangemode="tozero")
    return quiet_axes(figure, "bandwidth σ", "support vectors")


def _thinned(x: FloatArray, y: FloatArray, most: int = 300) -> tuple[FloatArray, FloatArray]:
    """Return a line with no more points than a screen shows."""
    if x.size <= most:
        return x, y
    rows = np.unique(np.linspace(0, x.size - 1, most).round().astype(np.intp))
    return x[rows], y[rows]


def _upright(x: float, ends: list[float], name: str, number: int) -> go.Scatter:
    """Return a named vertical line; a trace, because shapes have no entry in the legend."""
    _, dash, symbol = LINE_STYLES[(number + 1) % len(LINE_STYLES)]
    marker = {"color": NEUTRAL, "symbol": symbol, "size": 8}
    hover = f"σ = %{{x:.4g}}<extra>{escaping.plotly(name)}</extra>"
    more = {"mode": "lines+markers", "marker": marker}
    return line([x, x], ends, name, NEUTRAL, dash=dash, hover=hover, **more)
