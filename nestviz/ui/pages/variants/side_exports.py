"""The exports of two estimators side by side."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from nestviz.ui.compute import variants
from nestviz.ui.compute.variants import AtRest, Variant
from nestviz.ui.data_choice import Current
from nestviz.ui.export import panel, scripts
from nestviz.ui.panels.exports import given, points_columns
from nestviz.ui.scene.scene import Scene

if TYPE_CHECKING:
    import pandas as pd


def show(current: Current, variant: Variant, nu: float, found: AtRest, still: Scene) -> None:
    """Show pictures, table, models and code."""
    titles = [side.title for side in variants.sides(variant, current.fitted.X)]
    panel.show(
        current,
        name="variants",
        code=scripts.script(current, *_lines(current, variant, nu)),
        tables={"points": partial(_points_table, current, variant, found)},
        models=given(dict(zip(titles, found.models, strict=True))),
        sweep=lambda: still,
    )


def _points_table(current: Current, variant: Variant, found: AtRest) -> pd.DataFrame:
    """Return one row per point: its features, its role, and its decision value on each side."""
    import pandas as pd

    columns, data = points_columns(current), current.fitted
    if variant.kind != "ball":
        columns["other"] = np.isin(columns["point"], variant.rows).astype(int)
    for side, model in zip(variants.sides(variant, data.X), found.models, strict=True):
        columns[f"{side.title}: decision value"] = model.decision_function(data.X)
        columns[f"{side.title}: inside"] = (model.predict(data.X) > 0).astype(int)
    return pd.DataFrame(columns)


def _lines(current: Current, variant: Variant, nu: float) -> scripts.Lines:
    """Return the lines of a script that makes the same sets at this ν."""
    left, right = variants.sides(variant, current.fitted.X)
    parameters = "".join(f", {name}={value!r}" for name, value in variant.parameters.items())
    made = f"(nu=nu{parameters})"
    argument = "".join(f", {name}=others" for name in right.given)
    return (
        *_points(current, variant),
        f"nu = {nu!r}",
        f"from nestviz import {left.estimator}, {right.estimator}",
        f"left = {left.estimator}{made}.fit({'data.X' if variant.before else 'X'})",
        f"right = {right.estimator}{made}.fit(X{argument})",
        'families = {"' + left.title + '": left, "' + right.title + '": right}',
        "",
        "from nestviz.analysis import sweep",
        *scripts.grid_lines(current),
        "panels = [",
        "    (title, sweep(model.family_, grid, data.X, [model.level_]))",
        "    for title, model in families.items()",
        "]",
        "",
        "from nestviz.figures import outlines_figure",
        "points = grid.plane.coordinates(data.X)",
        'figure = outlines_figure(panels, points, data.y, "ν")',
        'figure.write_html("variants.html")',
    )


def _points(current: Current, variant: Variant) -> scripts.Lines:
    """Return lines that make X, and the other points where there are any."""
    if variant.uniform:
        return (
            "import numpy as np",
            "X = data.X",
            "rng = np.random.default_rng(0)",
            f"size = ({variants.UNIFORM}, X.shape[1])",
            "others = rng.uniform(X.min(axis=0), X.max(axis=0), size)",
        )
    if not variant.rows:
        return ("X = data.X",)
    y = current.fitted.y
    rows = f"rows = {list(variant.rows)!r}"
    if y is not None and tuple(np.flatnonzero(y < 0).tolist()) == variant.rows:
        rows = "rows = np.flatnonzero(data.y < 0)"
    return (
        "import numpy as np",
        rows,
        "others = data.X[rows]",
        "X = np.delete(data.X, rows, axis=0)",
    )
