"""How sure is the width? The search repeated on samples drawn from the data."""

from __future__ import annotations

import streamlit as st

from nestviz.figures.bandwidth import resampled_widths_figure
from nestviz.ui.compute import width_search
from nestviz.ui.compute.width_search import WidthSearch
from nestviz.ui.data_choice import Current
from nestviz.ui.pages.bandwidth.results import BandwidthSettings
from nestviz.ui.results import cache, jobs
from nestviz.ui.session.view import view
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.charts import chart
from nestviz.ui.widgets.metrics import metrics
from nestviz.volume import BandwidthBootstrap

RESAMPLES = 20
SHARE = 0.9
"""Part of the resamples that the band and the interval hold."""


def known(
    current: Current, settings: BandwidthSettings, found: WidthSearch
) -> BandwidthBootstrap | None:
    """Return the resamples of a search if they have been computed, for the band of its curve."""
    if not found.selection.complete:
        return None
    key = jobs.full_key(
        width_search.bootstrap, _key(current, settings, view().resamples or RESAMPLES)
    )
    kept: BandwidthBootstrap | None = cache.STORE.get(cache.owner(), key)
    return kept


def show(current: Current, settings: BandwidthSettings, found: WidthSearch) -> None:
    """Show the number of resamples, and σ* of each."""
    resamples = inputs.slider("resamples", RESAMPLES)
    new = known(current, settings, found) is None
    resampled = jobs.run(
        _key(current, settings, resamples),
        width_search.bootstrap,
        settings.method,
        current.fitted.X,
        tuple(found.selection.sigmas.tolist()),
        resamples,
        settings.margin,
        title="Repeating the search on resamples",
        partial=True,
    )
    if resampled is None:
        st.info("It was stopped before the first resample was finished.")
        return
    if new and resampled.complete:
        st.rerun()  # The curve above has a band now
    low, high = resampled.interval(SHARE)
    metrics("pages/bandwidth", {"interval": f"{low:.3g} – {high:.3g}"}, compact=True, share=SHARE)
    alt = f"How often each width is the best of {len(resampled.values)} resamples"
    chart(resampled_widths_figure(resampled, found.selection.sigma), "resampled", 260, alt)
    st.caption(words(found, resampled))


def words(found: WidthSearch, resampled: BandwidthBootstrap) -> str:
    """Describe the resamples."""
    low, high = resampled.interval(SHARE)
    count, widths = len(resampled.values), resampled.sigmas.size
    incomplete = "" if resampled.complete else " The search was stopped early."
    return (
        f"{count} samples, each as large as the data, were drawn from them with replacement, and "
        f"the search was repeated on each with {widths} widths. In {SHARE:.0%} of them σ* is "
        f"between {low:.3g} and {high:.3g}; on the data themselves it is "
        f"{found.selection.sigma:.3g}. The pale band around the curve holds {SHARE:.0%} of the "
        "resampled curves. A resample has about 63% of the points, some of them several times, so "
        f"its σ* tends to be a little wider.{incomplete}"
    )


def _key(current: Current, settings: BandwidthSettings, resamples: int) -> tuple[object, ...]:
    return current.fitted, settings, resamples
