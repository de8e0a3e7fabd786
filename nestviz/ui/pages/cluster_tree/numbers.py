"""The numbers, hints and branch table of the Cluster tree page."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nestviz.analysis.tree.tree import Tree
from nestviz.ui.pages.cluster_tree import pictures
from nestviz.ui.pages.cluster_tree.comparison import Compared
from nestviz.ui.pages.cluster_tree.results import AT_CUT, ClusterTreeResult
from nestviz.ui.widgets.metrics import metrics

LEVEL_TOO_HIGH = "At this cut no cluster is left: the level is too high. Move the cut down."


def show(shown: ClusterTreeResult, compared: Compared | None = None) -> None:
    """Show the numbers at the cut, and a hint where there is little to see."""
    tree = shown.tree
    values = {
        "clusters": f"{len(shown.nodes):,}",
        "clustered": f"{np.mean(shown.labels >= 0):.0%}",
        "inside": f"{shown.inside.mean():.0%}",
        "branches": f"{len(tree)} of {len(shown.whole.tree)}",
        "roots": f"{len(tree.roots):,}",
    }
    if compared is not None:
        values["agreement"] = f"{compared.agreement.all_points:.2f}"
    metrics("pages/cluster_tree", values, level=f"{tree.level_name} = {shown.level:.4g}")
    if compared is not None:
        st.caption(_agreement(compared))
    if words := _extrapolated(tree):
        st.caption(words)
    if hint := _hint(shown):
        st.info(hint, icon=":material/lightbulb:")


def _agreement(compared: Compared) -> str:
    """Describe how far the clusters agree with those of HDBSCAN."""
    found = compared.agreement
    count = len(compared.nodes)
    noise = int(np.count_nonzero(compared.labels < 0))
    inner = "" if np.isnan(found.in_both) else f", {found.in_both:.2f} over the {found.shared:,} "
    inner += "points that are in a cluster of both kinds" if inner else ""
    return (
        f"HDBSCAN finds {count:,} cluster{'s' if count != 1 else ''} and leaves {noise:,} points "
        f"out. Agreement, as adjusted Rand index: {found.all_points:.2f} over all points{inner}."
    )


def _extrapolated(tree: Tree) -> str:
    """Describe the tree below the smallest solved level."""
    if tree.hold_level is None:
        return ""
    found = []
    if len(tree.roots) > 1:
        found.append(
            f"{pictures.counted_roots(tree)}: parts that are separate in the largest solved set "
            f"(λ_M = {tree.hold_level:.2g})."
        )
    if tree.extrapolated.any():
        found.append("Dashed joins below are extrapolated, not estimated.")
    if late := int(np.count_nonzero(tree.extrapolated_points)):
        found.append(
            f"{late:,} of the points ({late / len(tree.entry):.1%}) enter by extrapolation only."
        )
    return " ".join(found)


def _hint(shown: ClusterTreeResult) -> str:
    """Explain why there is little to see, and what to do about it."""
    tree, settings = shown.tree, shown.settings
    at_cut = settings.clusters == AT_CUT
    if not len(tree) and settings.support and shown.support is not None:
        return (
            f"No branch is found again in {settings.support:.0%} of the resamples. Ask for less, "
            "or choose a larger width σ."
        )
    if not len(tree):
        return (
            f"No branch holds {settings.least:.1%} of the points: every point is isolated. Prune "
            "less, or choose a larger width σ."
        )
    parts = (tree.parent >= 0) & ~tree.extrapolated[tree.parent]
    splits = tree.birth[parts]
    if not splits.size and len(tree.roots) > 1:
        if at_cut and not len(shown.nodes):
            return LEVEL_TOO_HIGH
        return (
            "No root splits. This method estimates a support: parts that are separate in its "
            "largest solved set never join. Parzen level sets and the ν one-class SVM show at "
            "which level clusters join."
        )
    if not splits.size:
        return (
            "The tree does not split: at every level the set is connected, or its smaller parts "
            "are pruned. A smaller width σ, or less pruning, shows more."
        )
    if not at_cut or len(shown.nodes) > 1:
        return ""
    if not len(shown.nodes):
        return LEVEL_TOO_HIGH
    share = splits.min() / shown.whole.top
    return (
        f"At this cut the set is connected. It first splits at {share:.3f} of the highest level: "
        "move the cut there."
        if shown.level < splits.min()
        else "At this cut only one cluster is left; lower cuts show more."
    )
