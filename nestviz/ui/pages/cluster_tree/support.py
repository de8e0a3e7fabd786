"""How often branches are found again in samples drawn from the data, for pruning by that."""

from __future__ import annotations

from typing import Any

import streamlit as st

from nestviz.analysis.resampling.trees import ResampledTrees
from nestviz.ui.compute import resamples
from nestviz.ui.compute.methods import Spec
from nestviz.ui.data_choice import Current
from nestviz.ui.pages.cluster_tree.results import ClusterTreeResult
from nestviz.ui.panels import bands
from nestviz.ui.results import cache, jobs
from nestviz.ui.widgets import inputs

MOST = 6
"""Number of clusters that are named in the sentence."""


def control() -> float:
    """Show the least support of a branch and how samples are drawn; return it as a share."""
    least = inputs.slider("support", 0)
    if least:
        bands.method_control()
    return least / 100


def known(current: Current, spec: Spec) -> ResampledTrees | None:
    """Return the trees of the resamples if they have been computed."""
    key = jobs.full_key(resamples.trees, _key(current, spec))
    found: ResampledTrees | None = cache.STORE.get(cache.owner(), key)
    return found


def show(shown: ClusterTreeResult) -> None:
    """Say how often the clusters are found again, where that is known."""
    if shown.support is not None and shown.nodes.size:
        st.markdown(sentence(shown))


def sentence(shown: ClusterTreeResult) -> str:
    """Return how many clusters there are, and in how many resamples each is found again."""
    tree, count = shown.tree, len(shown.nodes)
    assert shown.support is not None  # the caller knows
    each = "; ".join(
        f"branch {k} ({tree.size[k]:,} points) in {shown.support[k]:.0%}"
        for k in shown.nodes[:MOST]
    )
    more = f"; and {count - MOST:,} more, listed under *All branches*" if count > MOST else ""
    return (
        f"**{count:,} cluster{'s' if count > 1 else ''}.** Of {resamples.RESAMPLES} samples drawn "
        f"from the data, they are found again: {each}{more}."
    )


def complete(current: Current, spec: Spec, slot: Any) -> None:
    """Build the trees of the resamples, then run the page again; the last call of the page."""
    if few := resamples.too_few(current.fitted.n, bands.chosen_method()):
        slot.info(few)
        return
    with slot:
        jobs.run(
            _key(current, spec),
            resamples.trees,
            spec,
            current.fitted.X,
            current.fitted.weights,
            bands.chosen_method(),
            title=f"Growing the trees of {resamples.RESAMPLES} samples drawn from the data",
        )
    st.rerun()


def _key(current: Current, spec: Spec) -> tuple[Any, ...]:
    return current.fitted, spec, bands.chosen_method()
