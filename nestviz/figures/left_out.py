"""Points that are left out, and the set of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from nestviz import escaping
from nestviz.analysis.nu.left_out import LeftOut
from nestviz.arrays import FloatArray
from nestviz.figures.theme import BLUE, CLEAR, NEUTRAL, VERMILION
from nestviz.figures.traces import add_row, frame_points, marks, outline


def left_out_figure(
    points: FloatArray,
    choices: Mapping[str, LeftOut],
    rings: Mapping[str, Sequence[FloatArray]],
) -> go.Figure:
    """Draw several choices of points to leave out side by side, each with its set.

    Parameters
    ----------
    points : ndarray of shape (n_points, 2)
        The points.
    choices : mapping of str to LeftOut
        The choices by their titles.
    rings : mapping of str to sequence of ndarray
        Outlines of the sets, by the same titles.

    Returns
    -------
    Figure
    """
    titles = [
        f"{escaping.plotly(title)}<br>½‖w‖² = {found.objective:.4f}"
        for title, found in choices.items()
    ]
    figure = make_subplots(cols=len(choices), subplot_titles=titles, shared_yaxes=True)
    for column, (title, found) in enumerate(choices.items(), start=1):
        kept, more = np.delete(points, found.rows, axis=0), {"showlegend": column == 1}
        add_row(
            figure,
            column,
            outline(rings[title], "the set", BLUE, legendgroup="set", **more),
            marks(kept, "kept", NEUTRAL, "circle", 8, legendgroup="kept", **more),
            marks(points[found.rows], "left out", VERMILION, "x", 9, legendgroup="out", **more),
        )
    frame_points(figure, points, 0.2)
    figure.update_annotations(font_size=12)
    return figure.update_layout(
        paper_bgcolor=CLEAR,
        margin={"l": 40, "r": 10, "t": 55, "b": 60},
        legend={"orientation": "h", "y": -0.12, "yanchor": "top", "x": 0},
    )
