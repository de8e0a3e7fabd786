"""Pictures of what a study found: dots with intervals, lines, and average ranks."""

from __future__ import annotations

from matplotlib.figure import Figure

from nestviz.drawing import canvas
from nestviz.drawing.dot_plot import dot_figure
from nestviz.drawing.line_plot import line_figure
from nestviz.drawing.rank_plot import rank_figure
from nestviz.drawing.study_looks import WIDTH
from nestviz.drawing.study_series import panels_of
from nestviz.palette import LIGHT, Theme
from nestviz.studies.findings import Findings, Plot


def study_figure(plot: Plot, findings: Findings, theme: Theme = LIGHT) -> Figure | None:
    """Draw a plot of a study; None where its table has no number.

    Parameters
    ----------
    plot : Plot
        What to draw. Of ``"ranks"``, ``group``, or else ``x``, is the column of the methods and
        ``y`` that of their ranks, which are averaged. The critical difference is ``high − low``,
        or the column ``critical_difference``, or that of Nemenyi's test for single ranks.
    findings : Findings
        Where its table is.
    theme : Theme
        The colours.

    Returns
    -------
    matplotlib.figure.Figure or None
    """
    with canvas.settings():
        if plot.kind == "ranks":
            return rank_figure(plot, findings, WIDTH, theme)
        panels = panels_of(plot, findings)
        if not panels:
            return None
        return (
            line_figure(plot, panels, theme) if plot.kind == "lines" else dot_figure(panels, theme)
        )


def study_svg(plot: Plot, findings: Findings, theme: Theme = LIGHT) -> str:
    """Return a plot of a study as SVG, the same text for the same findings; empty without numbers.

    Parameters
    ----------
    plot, findings, theme
        As in `study_figure`.

    Returns
    -------
    str
    """
    figure = study_figure(plot, findings, theme)
    return "" if figure is None else canvas.svg(figure, plot.title)
