"""What can be taken home from the Error control page: code, tables, figures, the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nestviz.ui.export import scripts
from nestviz.ui.pages.error_control.pictures import Looked
from nestviz.ui.pages.error_control.rate_table import Found
from nestviz.ui.pages.error_control.settings import (
    NARROWEST,
    RARE,
    SEED,
    WIDEST,
    WIDTH_LINES,
    Choice,
    Grid,
)

if TYPE_CHECKING:
    import pandas as pd


def rates_table(choice: Choice, found: Found) -> pd.DataFrame:
    """One row for each cell whose rates are known."""
    import pandas as pd

    from nestviz.analysis.rate_scores import score_table

    table, search = found.table, found.search
    s, a, b = np.nonzero(np.isfinite(table.miss))
    cells = (s, a, b)
    looked = np.ravel_multi_index(cells, table.miss.shape)
    return pd.DataFrame(
        {
            "sigma": table.sigmas[s],
            "nu_plus": table.nu_plus[a],
            "nu_minus": table.nu_minus[b],
            "false_alarm": table.false_alarm[cells],
            "miss": table.miss[cells],
            "false_alarm_chosen_by": search.false_alarm[cells],
            "miss_chosen_by": search.miss[cells],
            "score_chosen_by": score_table(search, choice.alpha)[cells],
            "chosen": looked == np.ravel_multi_index(search.cell, table.miss.shape),
        }
    )


def lines(grid: Grid, choice: Choice, found: Found, looked: Looked) -> tuple[str, ...]:
    """The lines of a script that make the classifier in use, and judge it by points held out."""
    rare = (
        ("from nestviz.data import thin_class",
         f'learned = learned.take(thin_class(learned, -1, {RARE}, {SEED}), "Fewer negatives.")')
        if grid.rare
        else ()
    )  # fmt: skip
    return (
        "from nestviz.data import hold_out",
        f"learn, aside = hold_out(data, {grid.aside!r}, {SEED})",
        'learned = data.take(learn, "To learn from.")',
        *rare,
        *_model_lines(grid, choice, found, looked),
        "",
        *_judged(choice, looked),
    )


def _model_lines(grid: Grid, choice: Choice, found: Found, looked: Looked) -> tuple[str, ...]:
    if looked.cell != found.search.cell:
        model = looked.model
        given = f"{model.nu_plus_!r}, {model.nu_minus_!r}, {model.sigma_!r}"
        shift: tuple[str, ...] = ()
        if choice.shift:
            shift = (
                "# The offset is shifted to where it is best on the training points.",
                f"model.offset_ = model.level_ = {float(model.offset_)!r}",
            )
        return (
            "from nestviz import DualNuSVM",
            f"model = DualNuSVM({given}).fit(learned.X, learned.y)",
            *shift,
        )
    name = "MinimaxClassifier" if choice.alpha is None else "NeymanPearsonClassifier"
    first = "" if choice.alpha is None else f"{choice.alpha!r}, "
    return (
        *WIDTH_LINES,
        f"sigmas = median_distance(learned.X) * np.geomspace({NARROWEST}, {WIDEST}, {grid.widths})",
        f"from nestviz import {name}",
        f"model = {name}(",
        f'    {first}strategy="{choice.strategy}", smoothing="{choice.smoothing}", '
        f"shift={choice.shift},",
        f"    nu={grid.values}, sigmas=sigmas, folds={found.ask.folds}, seed={SEED},",
        ").fit(learned.X, learned.y)",
        "print(model.caveat_)",
        "",
        "from nestviz.figures import rate_maps_figure",
        f"maps = rate_maps_figure(model.search_, alpha={choice.alpha!r})",
        'maps.write_html("error-maps.html")',
    )


def _judged(choice: Choice, looked: Looked) -> tuple[str, ...]:
    points = "learned"
    scored: tuple[str, ...] = ()
    if looked.test is not None:
        points = "kept"
        function = "minimax_score" if choice.alpha is None else "neyman_pearson_score"
        alpha = "" if choice.alpha is None else f", {choice.alpha!r}"
        scored = (
            'kept = data.take(aside, "Held out.")',
            f"from nestviz.analysis import {function}",
            f"score = {function}(kept.y, model.predict(kept.X){alpha})",
            'print(f"P_F {score.false_alarm.value:.3f}, P_M {score.miss.value:.3f}")',
            'print(f"intervals {score.false_alarm.interval}, {score.miss.interval}")',
            "",
        )
    return (
        *scored,
        "from nestviz.analysis import roc_curve",
        "from nestviz.figures import roc_figure",
        f'figure = roc_figure({{"ROC": roc_curve(model.family_, {points}.X, {points}.y)}})',
        'figure.write_html("error-control.html")',
    )


def code(current: Any, grid: Grid, choice: Choice, found: Found, looked: Looked) -> str:
    """The whole script."""
    return scripts.script(current, *lines(grid, choice, found, looked))
