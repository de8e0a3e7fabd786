"""Ranks of all of many rows: scored by a worker, while a sample of them is ranked already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from nestviz.analysis.flags import Flags
from nestviz.arrays import IndexArray
from nestviz.data import Dataset
from nestviz.data.dataset import subsample_rows
from nestviz.ui.compute import all_rows, entry_maps
from nestviz.ui.compute.all_rows import RankedRows, RowsRanking
from nestviz.ui.compute.entry_maps import SAME_LEVEL, RankingResult
from nestviz.ui.compute.methods import Fitted
from nestviz.ui.compute.tasks import never_stop
from nestviz.ui.data_choice import Current
from nestviz.ui.export import panel
from nestviz.ui.pages.outliers import tables
from nestviz.ui.pages.outliers.results import Filter, OutliersResult, SomeRows
from nestviz.ui.results import asides, cache, fits, jobs
from nestviz.ui.results.asides import Aside
from nestviz.ui.results.centres import MEASURED, SEED
from nestviz.ui.results.worker.job import Job
from nestviz.ui.session.selection import select, selection

FIRST, OTHERS = 500, 1_000
"""Rows that are drawn and listed: the most abnormal ones, and a sample of the others."""
FOR_A_SAMPLE = (
    "Intervals of ranks and p-values are computed for a sample of the rows: choose one under *Many "
    "rows* in the sidebar."
)
BLOCK = 20_000
"""Rows that are written to a file at once."""


def selected(current: Current) -> tuple[int, ...]:
    """Return the selected points of these data, by their position in them."""
    if not isinstance(current, SomeRows) or current.index is None or current.every is None:
        return selection(current.fitted).points
    chosen = np.array(selection(current.every).points, dtype=np.intp)
    at = np.searchsorted(current.index, chosen).clip(max=len(current.index) - 1)
    return tuple(at[current.index[at] == chosen].tolist())


def pick(current: Current, rows: Sequence[int]) -> None:
    """Select points of these data by their position in them; for callbacks."""
    if isinstance(current, SomeRows) and current.index is not None and current.every is not None:
        select(current.every, current.index[list(rows)].tolist())
    else:
        select(current.fitted, rows)


def named(current: Current) -> Dataset:
    """Return the data whose columns points are filtered and coloured by: all rows, if many."""
    return current.source if current.rows is None else current.rows.source


def ranked(
    current: Current, fitted: Fitted, listed: Filter
) -> tuple[Current, RankingResult, Filter]:
    """Return the rows that are ranked, their ranking, and which are listed.

    All rows, as soon as a worker has scored them; a sample until then. The data of ``current`` are
    their weighted centres.
    """
    rows, data = current.rows, current.fitted
    assert rows is not None
    title = f"Ranking {data.n:,} centres"
    drawn = fits.analyse(data, current.plane, fitted, entry_maps.rank, title)
    scored = asides.run(
        "ranks",
        (data, fitted.spec),
        all_rows.rank_rows,
        fitted.family,
        rows.fitted.X,
        rows.found.cell,
        rows.found,
        SAME_LEVEL * drawn.top,
        title=f"Scoring {rows.n:,} rows",
    )
    if scored.done:
        found = cache.keep(
            ("ranking of all rows", data, fitted.spec),
            lambda: _result(drawn, rows.fitted, scored.value, data),
        )
        return replace(current, source=rows.source, fitted=rows.fitted), found, listed
    _show_progress(scored)
    few = subsample_rows(rows.fitted, MEASURED, SEED)
    some = _some(current, few)
    known = all_rows.rank_rows(
        fitted.family,
        some.fitted.X,
        rows.found.cell[few],
        rows.found,
        SAME_LEVEL * drawn.top,
        never_stop,
    )
    assert known is not None  # nothing stops it
    return some, _result(drawn, some.fitted, known, data), _listed(listed, few)


def _result(
    drawn: RankingResult, points: Dataset, known: RankedRows, centres: Dataset
) -> RankingResult:
    volumes = drawn.ranking.volumes
    assert volumes is not None  # `entry_maps.rank` computes them
    family, resolution = drawn.ranking.family, drawn.ranking.resolution
    ranking, scores = all_rows.ranking_of(family, points.X, known, resolution, volumes, centres.X)
    return replace(drawn, ranking=ranking, scores=scores, supports=centres)


def _some(current: Current, index: IndexArray) -> SomeRows:
    rows = current.rows
    assert rows is not None
    given = {name: getattr(current, name) for name in Current.__dataclass_fields__}
    why = f"{len(index):,} of {rows.n:,} rows."
    given |= {"source": rows.source.take(index, why), "fitted": rows.fitted.take(index, why)}
    return SomeRows(**given, every=rows.fitted, index=index)


def _listed(listed: Filter, index: IndexArray) -> Filter:
    return listed if listed.kept is None else replace(listed, kept=listed.kept[index])


def narrowed(current: Current, shown: OutliersResult) -> tuple[Current, OutliersResult]:
    """Return the rows that are drawn and listed, with their ranks among all."""
    if current.rows is None or isinstance(current, SomeRows):
        return current, shown
    order = shown.listed.of(shown.found.ranking.order)
    first, others = order[:FIRST], np.sort(order[FIRST:])
    if len(others) > OTHERS:
        others = np.random.default_rng(SEED).choice(others, OTHERS, replace=False)
    chosen = np.array(selection(current.fitted).points, dtype=np.intp)
    index = np.unique(np.concatenate([first, others, chosen]))
    return _some(current, index), of_rows(shown, index)


def of_rows(shown: OutliersResult, index: IndexArray) -> OutliersResult:
    """Return the results of some rows."""
    found, flags = shown.found, shown.flags
    ranking, scores = found.ranking, found.scores
    assert isinstance(ranking, RowsRanking)
    some = replace(scores, s_plus=scores.s_plus[index], s_minus=scores.s_minus[index])
    # Ambiguous against any of all rows.
    vars(some)["ambiguous"] = scores.ambiguous[index]
    return replace(
        shown,
        found=replace(found, ranking=ranking.of(index), scores=some),
        flags=Flags(flags.flagged[index], flags.threshold),
        listed=_listed(shown.listed, index),
    )


def csv_parts(current: Current, shown: OutliersResult) -> Iterator[str]:
    """Yield the ranking of all listed rows as CSV, some rows at a time, by rank."""
    rows = current.rows
    assert rows is not None
    scale = tables.scale_of(rows.source)
    order = shown.listed.of(shown.found.ranking.order)
    for start in range(0, max(len(order), 1), BLOCK):
        index = order[start : start + BLOCK]
        some, few = _some(current, index), of_rows(shown, index)
        table = tables.score_table(some, few.found, few.flags, scale=scale)
        text = panel.csv_of(partial(_same, table))
        yield text if start == 0 else text.partition("\n")[2]


def _same(table: pd.DataFrame) -> pd.DataFrame:
    return table


def _show_progress(scored: Aside) -> None:
    if scored.job is None:
        words, button = st.columns([4, 1], vertical_alignment="center")
        words.markdown(
            ":material/stop_circle: **Scoring all rows: stopped.** Ranks below are those among a "
            "sample of the rows."
        )
        button.button(
            "Score all rows",
            key="ranks_again",
            icon=":material/refresh:",
            on_click=asides.again,
            args=(scored,),
        )
        return
    asides.follow(scored, lambda job: _bar(scored, job))


def _bar(scored: Aside, job: Job) -> None:
    with st.container(border=True):
        st.progress(job.done, text=jobs.words(job))
        words, button = st.columns([4, 1], vertical_alignment="center")
        words.caption("Until then, ranks are those among a sample of the rows.")
        if button.button(
            "Cancel",
            key="cancel_ranks",
            icon=":material/stop_circle:",
            help="Stops scoring all rows; the sample stays ranked.",
        ):
            asides.cancel(scored)
            st.rerun()


def show_sentence(current: Current, whole: Current) -> None:
    """Say beside the table which rows are listed, of how many."""
    if whole.rows is None or isinstance(whole, SomeRows):
        return
    st.caption(
        f"Ranks are among all {whole.rows.n:,} rows. The first {FIRST:,} are drawn and listed, and "
        f"{current.fitted.n - FIRST:,} of the others; the download has all."
    )
