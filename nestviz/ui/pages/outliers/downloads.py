"""The exports of the Outliers page."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from nestviz.ui.compute.entry_maps import SAME_LEVEL
from nestviz.ui.compute.methods import Fitted
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.export import panel, scripts
from nestviz.ui.pages.outliers import all_rows, cards, colouring
from nestviz.ui.pages.outliers.explanation import Explanation
from nestviz.ui.pages.outliers.rank_intervals import with_intervals
from nestviz.ui.pages.outliers.results import (
    WRITTEN,
    OutliersResult,
    OutliersSettings,
    SomeRows,
    point_name,
)
from nestviz.ui.pages.outliers.tables import scale_of, score_table
from nestviz.ui.panels.exports import given
from nestviz.ui.session.view import view
from nestviz.ui.widgets import inputs

if TYPE_CHECKING:
    import pandas as pd


def ranking_button(current: Current, shown: OutliersResult) -> None:
    """Show a button that saves the ranking as CSV, beside the table itself."""
    st.download_button(
        "Ranking as CSV",
        lambda: csv(current, shown),
        f"outliers-{panel.file_words(current.source.name)}{_part_in_name(current, shown)}.csv",
        "text/csv",
        key="ranking.csv",
        on_click="ignore",
        icon=":material/download:",
        help="The listed points, the most abnormal first: rank, row of the file, identifiers, "
        "anomaly score, flag, most unusual feature, and all columns in their own units",
    )


def csv(current: Current, shown: OutliersResult) -> bytes:
    """Return the ranking as CSV; of many rows some are made at a time.

    Until all of many rows are scored, ``current`` is the sample that is ranked. Millions of rows
    make hundreds of megabytes, which are kept once.
    """
    if current.rows is None or isinstance(current, SomeRows):
        return panel.csv_of(lambda: table(current, shown)).encode()
    file = io.BytesIO()
    for part in all_rows.csv_parts(current, shown):
        file.write(part.encode())
    return file.getvalue()


def table(current: Current, shown: OutliersResult) -> pd.DataFrame:
    """Return the table for download, with intervals of the ranks where they are known."""
    # What is usual is so among all rows, also where some of them are ranked or drawn.
    scale = None if current.rows is None else scale_of(current.rows.source)
    frame = score_table(current, shown.found, shown.flags, shown.listed, shown.more, scale)
    order = shown.listed.of(shown.found.ranking.order)
    return with_intervals(frame, shown.intervals, order, ends=True)


def _part_in_name(current: Current, shown: OutliersResult) -> str:
    """Return what makes a ranking one of some rows, as a part of a file's name: sample, filter."""
    sample = f"-sample-of-{current.source.n}-rows" if isinstance(current, SomeRows) else ""
    return f"{sample}{_filter_in_name(shown)}"


def _filter_in_name(shown: OutliersResult) -> str:
    """Return the filter as a part of a file's name; nothing without one."""
    words = shown.listed.words
    return f"-{panel.file_words(words)}" if words else ""


def exports(
    current: Current,
    whole: Current,
    fitted: Fitted,
    shown: OutliersResult,
    drawn: tuple[Current, OutliersResult],
    why: Explanation | None,
    more: scripts.Lines = (),
) -> None:
    """Show the downloads, and the code that gives the same result; ``more`` are its last lines.

    ``whole`` are the points that are ranked and ``drawn`` those in the picture: the same, unless
    weighted centres stand for many rows.
    """
    # Downloads run outside the page, without the session.
    chosen = all_rows.selected(drawn[0])
    by = inputs.setting("colour", colouring.SCORE)
    way = view().show or "pca"
    counts = {f"Cards of the first {min(cards.FIRST, whole.fitted.n)}": cards.FIRST}
    if cards.FIRST < shown.flags.count <= cards.MOST:
        counts[f"Cards of all {shown.flags.count} flagged"] = shown.flags.count
    panel.show(
        current,
        name="outliers",
        code=_code(current, shown.settings, more),
        figures={"Outliers": lambda: picture(*drawn, why, by, chosen)},
        tables={f"scores{_filter_in_name(shown)}": lambda: table(*drawn)},
        prints={
            title: partial(cards.page, whole, shown, way, count) for title, count in counts.items()
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
    # What supports a row is then a centre, which is not drawn.
    many = shown.found.supports is not None
    look = colouring.colouring(source, ranking, flags, by, shown.listed.kept)
    kinds = [(kind.name, kind.colour, kind.shape) for kind in look.kinds]
    return outliers_figure(
        ranking,
        current.plane.coordinates(current.fitted.X),
        axis_names(current.fitted),
        top=WRITTEN,
        row=chosen[0] if why is not None and why.row >= 0 and len(chosen) else None,
        contributions=None if why is None or many else why.contributions,
        flagged=flags.flagged,
        boundary=shown.boundary,
        looks=PointLooks(kinds, look.kind_of, look.shades, look.title),
        point_names=[point_name(current, row) for row in range(source.n)],
        selected=chosen,
        location=None if why is None else why.location,
        view=shown.found.entry_map.grid.inner_box,
    )


def _code(current: Current, settings: OutliersSettings, more: scripts.Lines) -> str:
    spec = settings.spec
    many = current.rows is not None
    ranked, fitted = ("rows.X", "data.X, sample_weight=data.weights") if many else ("data.X",) * 2
    lines = (
        *scripts.fit_lines(current, "model", spec),
        f"family = {scripts.family_of('model', spec)}",
        "",
        "from nestviz import ParzenLevelSets",
        "from nestviz.analysis import outlier_ranking",
        "from nestviz.analysis import flag_outliers",
        f"parzen = ParzenLevelSets({spec.sigma!r}).fit({fitted})",
        "top = parzen.family_.first_level(data.X).max()",
        f"ranking = outlier_ranking(family, {ranked}, resolution={SAME_LEVEL!r} * top)",
        f"flags = flag_outliers(ranking, contamination={settings.contamination!r})",
        "",
    )
    if many:
        return scripts.script(current, *lines, "print(rows.X[ranking.order[:20]])")
    return scripts.script(
        current,
        *lines,
        *scripts.grid_lines(current),
        "from nestviz.figures import outliers_figure",
        "points = grid.plane.coordinates(data.X)",
        'names = data.feature_names if data.d == 2 else ("direction 1", "direction 2")',
        "figure = outliers_figure(ranking, points, names, flagged=flags.flagged)",
        'figure.write_html("outliers.html")',
        *more,
    )
