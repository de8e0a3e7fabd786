"""The exports of the Error control page: the rate table and the code."""

from __future__ import annotations

import numpy as np
import pandas as pd

from nestviz.analysis.rate_scores import score_table
from nestviz.ui.data_choice import Current
from nestviz.ui.export import scripts
from nestviz.ui.pages.error_control.pictures import ClassifierResult
from nestviz.ui.pages.error_control.rate_table import ErrorControlResult
from nestviz.ui.pages.error_control.settings import (
    NARROWEST,
    RARE,
    SEED,
    SIZES,
    WIDEST,
    WIDTH_LINES,
    ErrorControlSettings,
)


def rates_table(found: ErrorControlResult) -> pd.DataFrame:
    """Return one row for each cell with known rates."""
    table, search = found.table, found.search
    s, a, b = np.nonzero(np.isfinite(table.miss))
    cells = (s, a, b)
    number = np.ravel_multi_index(cells, table.miss.shape)
    return pd.DataFrame(
        {
            "sigma": table.sigmas[s],
            "nu_plus": table.nu_plus[a],
            "nu_minus": table.nu_minus[b],
            "false_alarm": table.false_alarm[cells],
            "miss": table.miss[cells],
            "false_alarm_chosen_by": search.false_alarm[cells],
            "miss_chosen_by": search.miss[cells],
            "score_chosen_by": score_table(search, found.settings.alpha)[cells],
            "chosen": number == np.ravel_multi_index(search.cell, table.miss.shape),
        }
    )


def code(
    current: Current, found: ErrorControlResult, shown: ClassifierResult, more: scripts.Lines = ()
) -> str:
    """Return a script that makes the classifier shown, and evaluates it on held-out points.

    ``more`` are lines at its end.
    """
    grid = found.grid
    rare: tuple[str, ...] = ()
    if grid.rare:
        rare = (
            "from nestviz.data import thin_class",
            f'learned = learned.take(thin_class(learned, -1, {RARE}, {SEED}), "Fewer negatives.")',
        )
    return scripts.script(
        current,
        "from nestviz.data import hold_out",
        f"learn, aside = hold_out(data, {grid.aside!r}, {SEED})",
        'learned = data.take(learn, "Training points.")',
        *rare,
        *_model_lines(found, shown),
        "",
        *_evaluation_lines(found.settings, shown),
        *more,
    )


def _model_lines(found: ErrorControlResult, shown: ClassifierResult) -> tuple[str, ...]:
    settings, grid = found.settings, found.grid
    if shown.cell != found.search.cell:
        model = shown.model
        given = f"sigma={model.sigma_!r}, nu_plus={model.nu_plus_!r}, nu_minus={model.nu_minus_!r}"
        shift: tuple[str, ...] = ()
        if settings.shift:
            shift = (
                "# The intercept is shifted to where it is best on the training points.",
                f"model.intercept_ = model.level_ = {float(model.intercept_)!r}",
            )
        return (
            "from nestviz import DualNuSVM",
            f"model = DualNuSVM({given}).fit(learned.X, learned.y)",
            *shift,
        )
    values, widths = SIZES[grid.size]
    name = "MinimaxClassifier" if settings.alpha is None else "NeymanPearsonClassifier"
    first = "" if settings.alpha is None else f"{settings.alpha!r}, "
    return (
        *WIDTH_LINES,
        f"sigmas = median_distance(learned.X) * np.geomspace({NARROWEST}, {WIDEST}, {widths})",
        f"from nestviz import {name}",
        f"model = {name}(",
        f'    {first}strategy="{settings.strategy}", smoothing="{settings.smoothing}", '
        f"shift={settings.shift},",
        f"    nu_grid={values}, sigmas=sigmas, cv={grid.folds}, random_state={SEED},",
        ").fit(learned.X, learned.y)",
        "print(model.caveat_)",
        "",
        "from nestviz.figures import rate_maps_figure",
        f"maps = rate_maps_figure(model.search_, alpha={settings.alpha!r})",
        'maps.write_html("error-maps.html")',
    )


def _evaluation_lines(settings: ErrorControlSettings, shown: ClassifierResult) -> tuple[str, ...]:
    points = "learned"
    scored: tuple[str, ...] = ()
    if shown.test is not None:
        points = "kept"
        function = "minimax_score" if settings.alpha is None else "neyman_pearson_score"
        alpha = "" if settings.alpha is None else f", {settings.alpha!r}"
        scored = (
            'kept = data.take(aside, "Held out.")',
            f"from nestviz.analysis import {function}",
            f"score = {function}(kept.y, model.predict(kept.X){alpha})",
            'print(f"false alarms {score.false_alarm.value:.3f}, misses {score.miss.value:.3f}")',
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
