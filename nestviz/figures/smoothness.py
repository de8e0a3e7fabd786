"""Smoothness: the function behind a set along a line, and its norm over ν."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from nestviz.analysis.nu.smoothness import SmoothnessCurve
from nestviz.arrays import FloatArray
from nestviz.figures.theme import BLUE, NEUTRAL, VERMILION, quiet_axes
from nestviz.figures.traces import line, marks


def smooth_profile_figure(
    at: FloatArray, f: FloatArray, rho: float, parzen: FloatArray, name: str = "x"
) -> go.Figure:
    """Draw f and ρ along a line, where it is in the set, and the Parzen estimate for comparison.

    Parameters
    ----------
    at : ndarray of shape (k,)
        Locations along the line.
    f : ndarray of shape (k,)
        Σ_i α_i k(x_i, x) at these locations.
    rho : float
        The offset.
    parzen : ndarray of shape (k,)
        The same with equal coefficients, ν = 1.
    name : str
        Name of the axis.

    Returns
    -------
    Figure
    """
    most = 1.08 * max(float(f.max()), float(parzen.max()), rho)
    low = np.where(f >= rho, -0.04 * most, np.nan)
    hover = "%{x:.3g}<br>f = %{y:.4f}<extra></extra>"
    figure = go.Figure(
        [
            line(at, parzen, "ν = 1, Parzen", NEUTRAL, dash="dot", width=1.5),
            line(at, f, "f", BLUE, width=3, hover=hover),
            line(at[[0, -1]], [rho, rho], "ρ", VERMILION, dash="dash"),
            line(at, low, "in the set", BLUE, width=7),
        ]
    )
    quiet_axes(figure, name, "f(x) = Σ αᵢ k(xᵢ, x)")
    return figure.update_yaxes(range=[-0.08 * most, most])


def smoothness_figure(curve: SmoothnessCurve, nu: float | None = None) -> go.Figure:
    """Draw ‖Υf‖² over ν.

    Parameters
    ----------
    curve : SmoothnessCurve
        From `smoothness_curve`.
    nu : float, optional
        A ν to mark.

    Returns
    -------
    Figure
    """
    hover = "ν = %{x:.3f}<br>‖Υf‖² = %{y:.5f}<extra></extra>"
    figure = go.Figure(line(curve.nus, curve.norms, "‖Υf‖²", BLUE, hover=hover, showlegend=False))
    if nu is not None:
        here = np.array([[nu, float(np.interp(nu, curve.nus, curve.norms))]])
        figure.add_trace(marks(here, "this ν", VERMILION, "diamond", 11, showlegend=False))
    quiet_axes(figure, "ν", "‖Υf‖²")
    figure.update_xaxes(range=[0, 1])
    return figure.update_yaxes(rangemode="tozero")
