"""The exports of the Outliers page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from nestviz.ui.compute.entry_maps import SAME_LEVEL
from nestviz.ui.compute.methods import Fitted
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.export import panel, scripts
from nestviz.ui.pages.outliers import cards, colouring
from nestviz.ui.pages.outliers.explanation import Explanation
from nestviz.ui.pages.outliers.results import WRITTEN, OutliersResult, OutliersSettings
from nestviz.ui.pages.outliers.tables import score_table
from nestviz.ui.panels.exports import given
from nestviz.ui.session.selection import selection
from nestviz.ui.session.view import view
from nestviz.ui.widgets import inputs


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


def exports(
    current: Current, fitted: Fitted, shown: OutliersResult, why: Explanation | None
) -> None:
    """Show the downloads, and the code that gives the same result."""
    # Downloads run outside the page, without the session.
    chosen = selection(current.fitted).points
    by = inputs.setting("colour", colouring.SCORE)
    way = view().show or "pca"
    counts = {f"Cards of the first {min(cards.FIRST, current.fitted.n)}": cards.FIRST}
    if cards.FIRST < shown.flags.count <= cards.MOST:
        counts[f"Cards of all {shown.flags.count} flagged"] = shown.flags.count
    panel.show(
        current,
        name="outliers",
        code=_code(current, shown.settings),
        figures={"Outliers": lambda: picture(current, shown, why, by, chosen)},
        tables={"scores": lambda: score_table(current, shown.found, shown.flags)},
        prints={
            title: partial(cards.page, current, shown, way, count)
            for title, count in counts.items()
        },
        models=given({fitted.spec.title: fitted.estimator}),
    )


def picture(
    current: Current,
    shown: OutliersResult,
    why: Explanation | None,
    by: str,
    chosen: Sequence[int],
) -> Any:
    """Return the picture of the page as a figure: the same marks, colours, rings and labels."""
    from nestviz.figures.outliers import outliers_figure
    from nestviz.figures.point_looks import PointLooks

    ranking, flags, source = shown.found.ranking, shown.flags, current.source
    look = colouring.colouring(source, ranking, flags, by)
    kinds = [(kind.name, kind.colour, kind.shape) for kind in look.kinds]
    return outliers_figure(
        ranking,
        current.plane.coordinates(current.fitted.X),
        axis_names(current.fitted),
        top=WRITTEN,
        row=None if why is None or why.row < 0 else why.row,
        contributions=None if why is None else why.contributions,
        flagged=flags.flagged,
        boundary=shown.boundary,
        looks=PointLooks(kinds, look.kind_of, look.shades, look.title),
        point_names=[source.point_name(row) for row in range(source.n)],
        selected=chosen,
        location=None if why is None else why.location,
        view=shown.found.entry_map.grid.inner_box,
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
