"""How sure are the ranks? Each point ranked again in samples drawn from the data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from nestviz.analysis.resampling.ranks import RankIntervals
from nestviz.escaping import LONGEST_NAME, markdown, plain
from nestviz.ui.compute import resamples
from nestviz.ui.compute.entry_maps import SAME_LEVEL
from nestviz.ui.compute.methods import Spec
from nestviz.ui.data_choice import Current
from nestviz.ui.results import cache, jobs
from nestviz.ui.session.view import view
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.charts import chart

if TYPE_CHECKING:
    import pandas as pd

SHARE = resamples.SHARE
TOP, DRAWN = 10, 15
"""The first ranks that the sentence is about, and how many points are drawn."""
COLUMN = f"in {SHARE:.0%}"
"""The column of the page's table."""


def known(current: Current, spec: Spec) -> RankIntervals | None:
    """Return the intervals if they are switched on and have been computed."""
    if not view().sure:
        return None
    key = jobs.full_key(resamples.ranks, (current.fitted, spec))
    found: RankIntervals | None = cache.STORE.get(cache.owner(), key)
    return found


def show(current: Current, spec: Spec) -> Any:
    """Show the switch and, where intervals are known, what they say; else return where they go."""
    inputs.toggle("sure")
    slot = st.container()
    found = known(current, spec)
    if found is None:
        return slot if view().sure else None
    from nestviz.figures.rank_intervals import rank_intervals_figure

    source = current.source
    names = [plain(source.point_name(row), LONGEST_NAME) for row in range(source.n)]
    figure = rank_intervals_figure(found, most=DRAWN, top=TOP, share=SHARE, point_names=names)
    with slot:
        st.markdown(words(found, names))
        chart(figure, "rank_intervals", 30 * min(DRAWN, source.n) + 90, alt(found, names))
        st.caption(
            f"Half of the points were drawn, without replacement, {len(found.ranks)} times; each "
            "time the sets were fitted to them and they were ranked. Ranks are stated on the scale "
            "of all points. An interval says how far a rank depends on which other points there "
            f"are, and not how sure it is that a point is an outlier.{outside(found)}"
        )
    return None


def complete(current: Current, spec: Spec, slot: Any) -> None:
    """Compute the intervals, then run the page again with them; the last call of the page."""
    if slot is None:
        return
    if few := resamples.too_few(current.fitted.n, "subsample"):
        slot.info(few)
        return
    with slot:
        jobs.run(
            (current.fitted, spec),
            resamples.ranks,
            spec,
            current.fitted.X,
            current.fitted.weights,
            title=f"Ranking {resamples.RESAMPLES} samples drawn from the data",
        )
    st.rerun()


def lines(found: RankIntervals | None) -> tuple[str, ...]:
    """Return the lines of the page's script that compute the intervals."""
    if found is None:
        return ()
    return (
        "",
        "from nestviz.analysis import Resampling, rank_intervals",
        "intervals = rank_intervals(",
        f"    model, data.X, resolution={SAME_LEVEL!r} * top, n_jobs=-1,",
        f'    resampling=Resampling({resamples.RESAMPLES}, "subsample"),',
        ")",
        f"low, high = intervals.interval({SHARE!r})",
    )


def with_intervals(
    frame: pd.DataFrame, found: RankIntervals | None, order: Any, *, ends: bool
) -> pd.DataFrame:
    """Return a table in the order of the ranks with the intervals after the first column.

    ``ends`` gives both ends as columns of their own, for files.
    """
    if found is None:
        return frame
    low, high = (end[order] for end in found.interval(SHARE))
    if ends:
        frame.insert(1, f"rank_low_{SHARE:.0%}".rstrip("%"), low)
        frame.insert(2, f"rank_high_{SHARE:.0%}".rstrip("%"), high)
    else:
        frame.insert(1, COLUMN, [f"{a}\u2009–\u2009{b}" for a, b in zip(low, high, strict=True)])
    return frame


def words(found: RankIntervals, names: Sequence[str]) -> str:
    """Say which of the first ranks are sure to be among them."""
    first, stays = _first(found)
    count = len(first)
    if not stays.any():
        return (
            f"None of the {count} most abnormal points is among the {TOP} most abnormal in "
            f"{SHARE:.0%} of the resamples that drew it: where the list ends is chance here."
        )
    listed = ", ".join(markdown(names[row], 40) for row in first[stays])
    return (
        f"**{stays.sum()} of the {count} most abnormal points** stay among the {TOP} most abnormal "
        f"in {SHARE:.0%} of the resamples: {listed}."
    )


def outside(found: RankIntervals) -> str:
    """Say how many of the points drawn have a rank outside their own interval; "" if none has."""
    low, high = found.interval(SHARE)
    rows = np.argsort(found.rank, kind="stable")[:DRAWN]
    count = int(((found.rank < low) | (found.rank > high))[rows].sum())
    if not count:
        return ""
    some = "1 of them has a rank outside its" if count == 1 else f"{count} have ranks outside their"
    return (
        f" Of the {len(rows)} points above, {some} own interval: fitted to half of the points, the "
        "sets rank them differently on the whole, not only by chance."
    )


def alt(found: RankIntervals, names: Sequence[str]) -> str:
    """Describe the chart for screen readers."""
    low, high = found.interval(SHARE)
    rows = np.argsort(found.rank, kind="stable")[:DRAWN]
    parts = (f"{names[row]}: rank {found.rank[row]}, {low[row]} to {high[row]}" for row in rows)
    return f"Ranks, and where they lie in {SHARE:.0%} of the resamples. {'; '.join(parts)}."


def _first(found: RankIntervals) -> tuple[Any, Any]:
    """Return the first ranks of the data, and which of them stay among the first."""
    rows = np.argsort(found.rank, kind="stable")
    first = rows[found.rank[rows] <= TOP]
    return first, np.nan_to_num(found.in_top(TOP)[first]) >= SHARE
