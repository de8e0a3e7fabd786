"""The exports of the pages One class and Two classes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from nestviz.data import Dataset
from nestviz.ui.compute import resamples
from nestviz.ui.compute.entry_maps import ranking_of
from nestviz.ui.compute.methods import Fitted, top_level
from nestviz.ui.data_choice import Current
from nestviz.ui.export import panel, scripts
from nestviz.ui.panels import bands
from nestviz.ui.panels.sweep import SweepResult

if TYPE_CHECKING:
    import pandas as pd


def show(
    current: Current,
    shown: SweepResult,
    figures: Mapping[str, Any] = panel.NOTHING,
    lines: scripts.Lines = (),
) -> None:
    """Show the exports: sweep, figures, table and models; ``lines`` are the last ones of code."""
    panel.show(
        current,
        name="two-classes" if shown.two_classes else "one-class",
        code=scripts.sets_at(
            current, shown.specs, shown.level, (*_band_lines(current, shown), *lines)
        ),
        figures=given(figures),
        tables={"points": partial(points_table, current, shown.fits, shown.level)},
        models=given({fitted.spec.title: fitted.estimator for fitted in shown.fits}),
        sweep=shown.still,
    )


def _band_lines(current: Current, shown: SweepResult) -> scripts.Lines:
    """Return lines that compute the bands of the layer, if it is shown."""
    if "band" not in shown.state.shown or shown.scene.panels[0].band is None:
        return ()
    drawn = f"Resampling({resamples.RESAMPLES}, {bands.chosen_method()!r})"
    given = ", y=data.y" if shown.two_classes else ""
    given += "" if current.fitted.weights is None else ", stands_for=data.weights"
    lines = ["", "from nestviz.analysis import Resampling, boundary_bands"]
    for k, spec in enumerate(shown.specs):
        more = f"{given}, union=True" if spec.row.joins else given
        title = json.dumps(spec.title, ensure_ascii=False)
        lines += [
            f"band = boundary_bands(\n    model_{k + 1}, data.X, grid, [level]{more},\n"
            f"    resampling={drawn}, n_jobs=-1\n)",
            f'print({title}, "band:", band.area[0], "of the picture")',
        ]
    return tuple(lines)


def given(made: Mapping[str, Any]) -> dict[str, Callable[[], Any]]:
    """Return callables for objects that exist already, as the export panel expects them."""
    return {name: partial(_same, value) for name, value in made.items()}


def _same(value: Any) -> Any:
    return value


def points_columns(current: Current) -> dict[str, Any]:
    """Return the first columns of a table of points: row, features and class."""
    source = current.source
    columns: dict[str, Any] = {"point": np.arange(source.n)}
    if source.weights is not None:
        columns["rows"] = source.weights.astype(np.int64)
    columns |= {name: source.X[:, j] for j, name in enumerate(source.feature_names)}
    return columns if source.y is None else columns | {"class": source.y}


def points_table(current: Current, fits: Sequence[Fitted], level: float) -> pd.DataFrame:
    """Return one row per point: its features, its levels and whether it is inside at a level.

    Methods of one class also give its anomaly score and rank (1 is the most abnormal).
    """
    import pandas as pd

    frame = pd.DataFrame(points_columns(current))
    data = current.fitted
    return pd.concat([frame, *(_family_columns(f, data, level) for f in fits)], axis=1)


def _family_columns(fitted: Fitted, data: Dataset, level: float) -> pd.DataFrame:
    import pandas as pd

    X = data.X
    title, family = fitted.spec.title, fitted.family
    columns: dict[str, Any] = {
        f"{title}: first level": family.first_level(X),
        f"{title}: last level": family.last_level(X),
        f"{title}: inside at {level:.6g}": family.contains(X, level).astype(int),
    }
    if not fitted.spec.two_classes and data.weights is None:
        ranking = ranking_of(family, X, top_level(X, fitted.spec.sigma))
        columns |= {f"{title}: score": ranking.score, f"{title}: rank": ranking.rank}
    return pd.DataFrame(columns)
