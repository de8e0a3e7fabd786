"""The results of a search over the width: figures, tables and code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nestviz.figures.bandwidth import integrated_volume_figure, mass_volume_grid_figure
from nestviz.ui.compute.width_search import COUNTED, METHODS, WidthSearch
from nestviz.volume.reference import MARGIN

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class BandwidthSettings:
    """The method, the widths and folds, and the margin of the box."""

    method: str
    widths: int | tuple[float, ...]  # Their number, or own ones in units of the data
    folds: int
    margin: float = MARGIN


def volume_figure(found: WidthSearch) -> Any:
    """Return IV(σ) with the standard error over folds, its minimum, and the other rules."""
    figure = integrated_volume_figure(found.selection, found.rules, standard_error=True)
    # The axis names the line already; on a narrow page every legend entry takes a row.
    figure.update_traces(showlegend=False, selector={"name": "integrated volume"})
    return figure.update_yaxes(title_text="integrated volume, share of the box")


def mass_volume(found: WidthSearch, place: int) -> Any:
    """Return the mass-volume curves of all widths, one of them highlighted."""
    figure = mass_volume_grid_figure(found.selection, place)
    return figure.update_yaxes(title_text="volume, share of the box")


def table(found: WidthSearch) -> pd.DataFrame:
    """Return the search as a table, one row per width."""
    import pandas as pd

    selection = found.selection
    best = np.arange(selection.sigmas.size) == selection.best
    return pd.DataFrame(
        {
            "sigma": selection.sigmas,
            "integrated_volume": selection.values,
            "standard_error_over_folds": selection.standard_errors,
            "standard_error_of_volume": selection.errors,
            "least": best,
            "at_end": np.where(best, selection.at_end or "", ""),
            "extrapolated": selection.extrapolated_shares,
        }
    )


def margins_table(found: WidthSearch) -> pd.DataFrame:
    """Return the width of least volume for each margin of the box."""
    import pandas as pd

    return pd.DataFrame(found.margins.to_table())


def margins_in_words(found: WidthSearch) -> str:
    """Describe the width of least volume for other boxes."""
    effect = found.margins
    margins = ", ".join(f"{margin:g}" for margin in effect.margins)
    widths = ", ".join(
        f"{sigma:.3g}" + (f" ({end} end)" if end else "")
        for sigma, end in zip(effect.sigmas, effect.at_end, strict=True)
    )
    matters = (
        "The box does not matter here."
        if effect.ratio == 1.0
        else "Points in no set count as the whole box, so a larger box may favour wider kernels."
    )
    return f"With margins {margins} the width of least volume would be {widths}. {matters}"


def lines(settings: BandwidthSettings) -> tuple[str, ...]:
    """Return the lines of a script that search as the page does and draw its curve."""
    estimator = METHODS[settings.method]
    counted: tuple[str, ...] = ()
    if settings.method in COUNTED:
        counted = (
            "from nestviz.volume import support_vector_rule",
            f"counted = support_vector_rule(data.X, {estimator}(), sigmas)",
            'rules["support vectors"] = counted.sigma',
        )
    widths: tuple[str, ...] = (
        "from nestviz.volume import default_sigmas",
        f"sigmas = default_sigmas(data.X, {settings.widths})",
    )
    given = f"widths={settings.widths}"
    if not isinstance(settings.widths, int):
        widths, given = (f"sigmas = {list(settings.widths)!r}",), "sigmas"
    return (
        *widths,
        f"from nestviz import {estimator}",
        "from nestviz.analysis import select_bandwidth, uniform_reference",
        f"box = uniform_reference(data.X, margin={settings.margin!r}, relative=True)",
        "selection = select_bandwidth(",
        f"    data.X, {estimator}(), {given}, cv={settings.folds}, reference=box",
        ")",
        'print(f"least integrated volume at sigma = {selection.sigma:.4g}")',
        "",
        "from nestviz.figures import integrated_volume_figure",
        "from nestviz.volume import distance_rules",
        "rules = distance_rules(data.X)",
        *counted,
        "figure = integrated_volume_figure(selection, rules, standard_error=True)",
        'figure.write_html("bandwidth.html")',
    )
