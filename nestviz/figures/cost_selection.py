"""The cross-validated score over σ and λ."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from nestviz.analysis.cost_selection import CostSelection
from nestviz.arrays import FloatArray
from nestviz.figures.theme import quiet_axes
from nestviz.figures.traces import marks

WORST = 0.1
"""The colour scale reaches at least so far below the best score."""
INNER = 0.46
"""Half the width of the frame of a cell, in cells."""


def cost_selection_figure(
    found: CostSelection, used: tuple[float, float] | None = None
) -> go.Figure:
    """Draw the mean AUC of every cell, the best cell, and those as good within its error.

    The number of a cell is its mean over the folds; a dot marks cells within one standard error of
    the best, a frame the choice. ``customdata`` of a cell are its indices (σ, λ).

    Parameters
    ----------
    found : CostSelection
        The search; every width has the same values of λ.
    used : tuple of float, optional
        (σ, λ) in use, drawn as a cross.

    Returns
    -------
    Figure
    """
    means, lams = found.means, found.lams[0]
    best = float(np.nanmax(means))
    worst = min(float(np.nanmin(means)), best - WORST)
    good = np.where(found.as_good, " •", "")
    text = [
        [_written(means[i, j], good[i, j]) for i in range(len(found.sigmas))]
        for j in range(lams.size)
    ]
    cells = np.moveaxis(np.indices(means.shape), 0, -1)
    figure = go.Figure(
        go.Heatmap(
            x=np.arange(len(found.sigmas)), y=np.arange(lams.size), z=means.T, text=text,
            texttemplate="%{text}", textfont={"size": 11}, zmin=worst, zmax=best,
            colorscale="Cividis", colorbar={"thickness": 12, "title": "AUC"}, xgap=1, ygap=1,
            customdata=cells.transpose(1, 0, 2), hoverongaps=False, name="AUC",
            hovertemplate="AUC = %{z:.4f}<extra></extra>",
        )
    )  # fmt: skip
    # Cells have the same colours in both themes, and so have their marks.
    i, j = found.cell
    ends = {"x0": i - INNER, "x1": i + INNER, "y0": j - INNER, "y1": j + INNER}
    figure.add_shape(type="rect", name="best", line={"width": 3, "color": "black"}, **ends)
    if used is not None and (at := _position(found.sigmas, lams, used)) is not None:
        edge = {"line": {"width": 1.5, "color": "black"}}
        figure.add_trace(marks(at, "in use", "white", "x", 10, marker=edge, showlegend=False))
    quiet_axes(figure, "width σ", "regularisation λ")
    ticks = {"showgrid": False, "zeroline": False, "tickmode": "array"}
    figure.update_xaxes(tickvals=np.arange(len(found.sigmas)), ticktext=_labels(found.sigmas))
    figure.update_yaxes(tickvals=np.arange(lams.size), ticktext=_labels(lams))
    return figure.update_xaxes(**ticks).update_yaxes(**ticks)


def _written(mean: float, mark: str) -> str:
    # In the upper half of the cell: the cross of what is in use is drawn below it.
    return "" if np.isnan(mean) else f"{mean:.3f}{mark}<br> "


def _labels(values: FloatArray) -> list[str]:
    return [f"{value:.3g}" for value in values]


def _position(sigmas: FloatArray, lams: FloatArray, used: tuple[float, float]) -> FloatArray | None:
    """Return where σ and λ lie between the cells; None beyond the grid."""
    found = []
    for values, value in zip((sigmas, lams), used, strict=True):
        # Half a cell beyond the last ones is within the picture.
        place = np.interp(np.log(value), np.log(values), np.arange(values.size))
        ratio = float(np.exp(np.diff(np.log(values)).max(initial=0.0) / 2))
        if not values[0] / ratio <= value <= values[-1] * ratio:
            return None
        found.append(float(place))
    return np.array([found])
