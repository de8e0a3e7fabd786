"""The exports of the Quantiles page: figures, tables, models and code."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd

from nestviz.figures import quantile_sets_figure
from nestviz.ui.compute.coverage import TAIL, promises
from nestviz.ui.compute.quantiles import (
    METHODS,
    Method,
    QuantileResult,
    QuantileSettings,
    held_out_count,
)
from nestviz.ui.data_choice import Current
from nestviz.ui.export import panel, scripts
from nestviz.ui.pages.quantiles import calibrated
from nestviz.ui.pages.quantiles.calibrated import Calibration
from nestviz.ui.pages.quantiles.tables import coverage_figure
from nestviz.ui.panels.exports import given, points_columns
from nestviz.ui.scene.scene import Scene


def show(
    current: Current,
    settings: QuantileSettings,
    found: Sequence[QuantileResult],
    bars: bool,
    still: Scene,
    calibration: Calibration | None,
) -> None:
    """Show figures, tables, models and code."""
    lines, figures, tables = _lines(current, settings, found, bars), {}, {}
    if calibration is not None:
        lines += _calibration_lines(settings, calibration)
        figures = {"Coverage": partial(calibrated.coverage_figure, calibration, found, bars)}
        tables = {"coverage": partial(calibrated.table, calibration, found)}
    points = current.plane.coordinates(current.fitted.X)
    panel.show(
        current,
        name="quantiles",
        code=scripts.script(current, *lines),
        figures={
            "Coverage ratio": partial(coverage_figure, found, bars),
            "Sets of all quantiles": partial(
                quantile_sets_figure, [one.sets for one in found], points
            ),
            **figures,
        },
        tables={
            "methods": partial(_methods_table, found),
            "quantiles": partial(_quantiles_table, settings, found),
            "points": partial(_points_table, current, settings, found),
            **tables,
        },
        models=given({one.title: one.estimator for one in found}),
        sweep=lambda: still,
    )


def _quantiles_table(settings: QuantileSettings, found: Sequence[QuantileResult]) -> pd.DataFrame:
    """Return one row per method and quantile."""
    parts = []
    for one in found:
        ratio, (low, high) = one.coverage, one.coverage.intervals.T
        frames = [int(np.abs(settings.frames - alpha).argmin()) for alpha in ratio.quantiles]
        columns = {
            "method": one.title,
            "quantile": ratio.quantiles,
            "mass of training points": one.training_share[frames],
            "mass of held-out points": ratio.masses,
            "coverage ratio": ratio.ratios,
            "ratio, 95 % from": low,
            "ratio, 95 % to": high,
            "area": one.sets.areas,
        }
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


def _methods_table(found: Sequence[QuantileResult]) -> pd.DataFrame:
    """Return one row per method."""
    return pd.DataFrame(
        {
            "method": one.title,
            "nested by construction": one.family.is_nested,
            "crossing area": one.sets.crossing_area,
            "coverage error": one.coverage.mean_error,
            "objective": one.objective,
            "certificate": one.certificate,
            "seconds": one.seconds,
        }
        for one in found
    )


def _points_table(
    current: Current, settings: QuantileSettings, found: Sequence[QuantileResult]
) -> pd.DataFrame:
    """Return one row per point: its features, whether it was held out, and its quantiles."""
    columns, held = points_columns(current), settings.parts(current.fitted.n)[1]
    columns["held out"] = np.isin(columns["point"], held).astype(int)
    for one in found:
        columns[f"{one.title}: first quantile"] = one.scan.first
        columns[f"{one.title}: last quantile"] = one.scan.last
    return pd.DataFrame(columns)


def _lines(
    current: Current, settings: QuantileSettings, found: Sequence[QuantileResult], bars: bool
) -> scripts.Lines:
    """Return the lines of a script that gives the same sets, figures and numbers."""
    held = held_out_count(settings.share, current.fitted.n)
    families = [line for one in found for line in _family(METHODS[one.name], settings.levels)]
    return (
        "import numpy as np",
        f"order = np.random.default_rng({settings.seed}).permutation(data.n)",
        f"held_out = data.X[np.sort(order[:{held}])]",
        f"training = data.X[np.sort(order[{held}:])]",
        "",
        f"sigma = {settings.sigma!r}",
        f"quantiles = np.array({settings.quantiles.tolist()!r})",
        "families = {",
        *families,
        "}",
        "",
        "from nestviz.analysis import quantile_sets",
        *scripts.grid_lines(current),
        "methods = quantile_sets(families, grid, data.X, quantiles, held_out)",
        "for method in methods:",
        "    print(method.name, method.crossing_area, method.coverage.mean_error)",
        "",
        "from nestviz.figures import coverage_ratio_figure, quantile_sets_figure",
        "figure = quantile_sets_figure(methods, grid.plane.coordinates(data.X))",
        'figure.write_html("quantile-sets.html")',
        "coverages = {method.name: method.coverage for method in methods}",
        f"coverage = coverage_ratio_figure(coverages, intervals={bars})",
        'coverage.write_html("coverage-ratio.html")',
    )


def _family(method: Method, levels: int) -> Sequence[str]:
    """Return the lines of one entry of the mapping ``families``, with its imports."""
    imports = [f"from nestviz import {method.estimator}"]
    if not method.by_mass:
        fit = f"{method.estimator}(sigma, quantiles).fit(training).family_"
        return [*imports, f'    "{method.title}": {fit},']
    given = f"sigma, levels={levels}" if method.estimator == "NestedOneClassSVM" else "sigma"
    return [
        *imports,
        "from nestviz.analysis import at_masses",
        f'    "{method.title}": at_masses(',
        f"        {method.estimator}({given}).fit(training).family_, training, quantiles",
        "    ),",
    ]


def _calibration_lines(settings: QuantileSettings, calibration: Calibration) -> scripts.Lines:
    """Return the lines of a script that calibrates the same sets."""
    methods, masses = [METHODS[new.name] for new in calibration.found], promises(settings).tolist()
    names = ", ".join(sorted({"ConformalSets", *(method.estimator for method in methods)}))
    entries = [
        line
        for method in methods
        for line in (
            f'    "{method.title}": ConformalSets(',
            f"        {_inner(method, settings.levels)},",
            f'        method="{calibration.way}", random_state={settings.seed},',
            "    ).fit(training),",
        )
    ]
    return (
        "",
        f"from nestviz import {names}",
        f"more = np.union1d(quantiles, {list(TAIL)!r})",
        "calibrated = {",
        *entries,
        "}",
        "for name, sets in calibrated.items():",
        f"    shares = [sets.contains(held_out, mass).mean() for mass in {masses!r}]",
        "    print(name, shares)",
    )


def _inner(method: Method, levels: int) -> str:
    """Return the call of the estimator that is calibrated."""
    if not method.by_mass:
        return f"{method.estimator}(sigma, more)"
    more = f", levels={levels}" if method.estimator == "NestedOneClassSVM" else ""
    return f"{method.estimator}(sigma{more})"
