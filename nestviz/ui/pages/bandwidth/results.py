"""What a search over the width gives: figures, a table, and the code that does the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nestviz.ui.compute.width_search import COUNTED, METHODS, WidthSearch
from nestviz.volume.reference import MARGIN

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Choice:
    """What is searched: sets of which method, how many widths, on how many folds, in which box."""

    method: str
    widths: int
    folds: int
    margin: float = MARGIN


def volume_figure(found: WidthSearch) -> Any:
    """IV(σ) with the standard error over folds, its least, and the other rules."""
    from nestviz.figures.bandwidth import integrated_volume_figure

    figure = integrated_volume_figure(found.selection, found.rules, standard_error=True)
    # The axis names the line already, and on a narrow page every entry costs a row.
    figure.update_traces(showlegend=False, selector={"name": "integrated volume"})
    return figure.update_yaxes(title_text="integrated volume, share of the box")


def mass_volume(found: WidthSearch, place: int) -> Any:
    """Mass-volume curves of all widths, one of them chosen."""
    from nestviz.figures.bandwidth import mass_volume_grid_figure

    figure = mass_volume_grid_figure(found.selection, place)
    return figure.update_yaxes(title_text="volume, share of the box")


def table(found: WidthSearch) -> pd.DataFrame:
    """The search as numbers, a row for each width."""
    import pandas as pd

    selection = found.selection
    folds = selection.fold_values.shape[1]
    return pd.DataFrame(
        {
            "sigma": selection.sigmas,
            "integrated_volume": selection.values,
            "standard_error_over_folds": selection.spreads / np.sqrt(folds),
            "standard_error_of_volume": selection.errors,
            "least": np.arange(selection.sigmas.size) == selection.best,
            "at_end": [
                (selection.at_end or "") if place == selection.best else ""
                for place in range(selection.sigmas.size)
            ],
            "extrapolated": selection.extrapolated_shares,
        }
    )


def margins_table(found: WidthSearch) -> pd.DataFrame:
    """What the width would be with other boxes, a row for each margin."""
    import pandas as pd

    return pd.DataFrame(found.margins.to_table())


def margins_in_words(found: WidthSearch) -> str:
    """What the width would be with other boxes, in one line."""
    effect = found.margins
    margins = ", ".join(f"{margin:g}" for margin in effect.margins)
    widths = ", ".join(
        f"{sigma:.3g}" + (f" ({end} end)" if end else "")
        for sigma, end in zip(effect.sigmas, effect.at_end, strict=True)
    )
    matters = (
        "The box does not matter here."
        if effect.ratio == 1.0
        else "Points in no set are charged the whole box, so a larger box may want wider kernels."
    )
    return f"With margins {margins} the width of least volume would be {widths}. {matters}"


def lines(choice: Choice) -> tuple[str, ...]:
    """The lines of a script that search as the page does and draw its curve."""
    estimator = METHODS[choice.method]
    before: tuple[str, ...] = ()
    counted: tuple[str, ...] = ()
    if choice.method in COUNTED:
        before = (
            "from nestviz.volume import default_sigmas, support_vector_rule",
            f"sigmas = default_sigmas(data.X, {choice.widths})",
        )
        counted = (
            f'    "support vectors": support_vector_rule(data.X, {estimator}(), sigmas).sigma,',
        )
    return (
        f"from nestviz import {estimator}",
        "from nestviz.analysis import select_bandwidth, uniform_reference",
        f"box = uniform_reference(data.X, seed=0, margin={choice.margin!r}, relative=True)",
        "selection = select_bandwidth(",
        f"    data.X, {estimator}(), widths={choice.widths}, folds={choice.folds}, reference=box",
        ")",
        'print(f"least integrated volume at sigma = {selection.sigma:.4g}")',
        "",
        "from nestviz.figures import integrated_volume_figure",
        "from nestviz.kernels import average_distance, median_distance",
        *before,
        "rules = {",
        '    "median distance": median_distance(data.X),',
        '    "average distance": average_distance(data.X),',
        *counted,
        "}",
        "figure = integrated_volume_figure(selection, rules, standard_error=True)",
        'figure.write_html("bandwidth.html")',
    )
