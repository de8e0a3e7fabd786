"""The exports of the Outliers page."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from nestviz.ui.compute.entry_maps import SAME_LEVEL
from nestviz.ui.compute.methods import Fitted
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.export import panel, scripts
from nestviz.ui.pages.outliers.results import OutliersResult, OutliersSettings
from nestviz.ui.pages.outliers.tables import score_table
from nestviz.ui.panels.exports import given
from nestviz.ui.session.selection import selection


def ranking_button(current: Current, shown: OutliersResult) -> None:
    """Show a button that saves the ranking as CSV, beside the table itself."""
    st.download_button(
        "Ranking as CSV",
        lambda: panel.csv_of(lambda: score_table(current, shown.found, shown.flags)),
        f"outliers-{panel.file_words(current.source.name)}.csv",
        "text/csv",
        key="ranking.csv",
        on_click="ignore",
        icon=":material/download:",
        help="All points, the most abnormal first: rank, row of the file, identifiers, anomaly "
        "score, flag, most unusual feature, and all columns in their own units",
    )


def exports(current: Current, fitted: Fitted, shown: OutliersResult) -> None:
    """Show the downloads, and the code that gives the same result."""
    row = selection(current.fitted).point
    panel.show(
        current,
        name="outliers",
        code=_code(current, shown.settings),
        figures={"Outliers": lambda: _figure(current, shown, row)},
        tables={"scores": lambda: score_table(current, shown.found, shown.flags)},
        models=given({fitted.spec.title: fitted.estimator}),
    )


def _figure(current: Current, shown: OutliersResult, row: int | None) -> Any:
    from nestviz.figures.outliers import outliers_figure

    ranking, level = shown.found.ranking, shown.flags.threshold
    return outliers_figure(
        ranking,
        current.plane.coordinates(current.fitted.X),
        axis_names(current.fitted),
        row=row,
        contributions=None if row is None else ranking.contributions(row),
        flagged=shown.flags.flagged,
        boundary=shown.found.entry_map.outline(level) if np.isfinite(level) else (),
    )


def _code(current: Current, settings: OutliersSettings) -> str:
    spec = settings.spec
    return scripts.script(
        current,
        *scripts.fit_lines(current, "model", spec),
        f"family = {scripts.family_of('model', spec)}",
        "",
        "from nestviz import ParzenLevelSets",
        "from nestviz.analysis import outlier_ranking",
        "from nestviz.analysis import flag_outliers",
        f"top = ParzenLevelSets({spec.sigma!r}).fit(data.X).family_.first_level(data.X).max()",
        f"ranking = outlier_ranking(family, data.X, resolution={SAME_LEVEL!r} * top)",
        f"flags = flag_outliers(ranking, contamination={settings.contamination!r})",
        "",
        *scripts.grid_lines(current),
        "from nestviz.figures import outliers_figure",
        "points = grid.plane.coordinates(data.X)",
        'names = data.feature_names if data.d == 2 else ("direction 1", "direction 2")',
        "figure = outliers_figure(ranking, points, names, flagged=flags.flagged)",
        'figure.write_html("outliers.html")',
    )
