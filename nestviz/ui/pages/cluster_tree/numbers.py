"""Numbers, table and downloads of the Cluster tree page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from nestviz.analysis.tree.layout import inherited_labels
from nestviz.analysis.tree.tree import Tree
from nestviz.ui.data_choice import Current
from nestviz.ui.export import panel, scripts
from nestviz.ui.pages.cluster_tree import pictures
from nestviz.ui.pages.cluster_tree.page import AT_CUT, TABLE, Choice, Shown, pick
from nestviz.ui.results import fits
from nestviz.ui.session.selection import selection
from nestviz.ui.widgets import inputs

if TYPE_CHECKING:
    import pandas as pd


def show(current: Current, choice: Choice, shown: Shown) -> None:
    """What can be counted at the cut, in a line; and a sentence where it means nothing."""
    tree, labels = shown.tree, shown.labels
    inside = shown.inside.mean()
    cells = st.columns(5)
    cells[0].metric(
        "Clusters",
        f"{len(shown.nodes):,}",
        help="Connected parts of the set at the cut that hold enough points; or, where the most "
        "stable ones are asked for, their number.",
    )
    cells[1].metric(
        "Points in clusters",
        f"{np.mean(labels >= 0):.0%}",
        help="The others are outside the set, or in branches that are pruned.",
    )
    cells[2].metric(
        "Points inside the set",
        f"{inside:.0%}",
        help=f"Share of the points in the set at the cut, {tree.level_name} = {shown.level:.4g}.",
    )
    cells[3].metric(
        "Branches",
        f"{len(tree)} of {len(shown.grown.tree)}",
        help="Branches that are left after pruning, of all there are.",
    )
    cells[4].metric(
        "Roots",
        f"{len(tree.roots):,}",
        help="Parts of the largest set. Where an SVM's levels end, parts that are still apart are "
        "separate trees.",
    )
    if told := _extrapolated(tree):
        st.caption(told)
    sentence = _nonsense(choice, shown)
    if sentence:
        st.info(sentence, icon=":material/lightbulb:")


def _extrapolated(tree: Tree) -> str:
    """What is seen of the tree below the smallest level that was solved for."""
    if tree.hold_level is None:
        return ""
    told = []
    if len(tree.roots) > 1:
        told.append(
            f"{pictures.counted_roots(tree)}: parts that are apart in the largest solved set "
            f"(λ_M = {tree.hold_level:.2g})."
        )
    if tree.extrapolated.any():
        told.append("Dashed joins below are extrapolated, not estimated.")
    if late := int(np.count_nonzero(tree.extrapolated_points)):
        told.append(
            f"{late:,} of the points ({late / len(tree.entry):.1%}) come in by extrapolation only."
        )
    return " ".join(told)


def _nonsense(choice: Choice, shown: Shown) -> str:
    """Why there is nothing to see, and what to do about it."""
    tree = shown.tree
    if not len(tree):
        return (
            f"No branch holds {choice.least:.1%} of the points: every point is an island of its "
            "own. Prune less, or choose a larger width σ."
        )
    parts = (tree.parent >= 0) & ~tree.extrapolated[tree.parent]
    splits = tree.birth[parts]
    if not splits.size and len(tree.roots) > 1:
        return (
            "No root splits. This method estimates a support: what is apart in its largest solved "
            "set never joins. Parzen level sets and the ν one-class SVM show at which level "
            "clusters join."
            if choice.clusters != AT_CUT or len(shown.nodes)
            else "At this cut no cluster is left: the level is too high. Move the cut down."
        )
    if not splits.size:
        return (
            "The tree does not split: at every level the set is in one piece, or its smaller "
            "pieces are pruned. A smaller width σ, or less pruning, shows more."
        )
    if choice.clusters != AT_CUT or len(shown.nodes) > 1:
        return ""
    if not len(shown.nodes):
        return "At this cut no cluster is left: the level is too high. Move the cut down."
    share = splits.min() / shown.grown.top
    return (
        f"At this cut the set is in one piece. It first splits at {share:.3f} of the highest "
        "level: move the cut there."
        if shown.level < splits.min()
        else "At this cut only one cluster is left; lower cuts show more."
    )


def table(current: Current, shown: Shown) -> None:
    """All branches; a row that is chosen selects the points of its branch."""
    tree = shown.tree
    if not len(tree):
        return
    node = pictures.chosen_branch(tree, selection(current.fitted))
    # The table follows what was clicked elsewhere.
    rows = [] if node is None else [node]
    key = inputs.key_of_rows(TABLE, tree.entry, tree.size, tree.parent)
    st.session_state[key] = {"selection": {"rows": rows, "columns": [], "cells": []}}
    st.dataframe(
        branch_table(shown),
        hide_index=True,
        key=key,
        on_select=lambda: _choose_row(current, tree, key),
        selection_mode="single-row",
        column_config=_columns(tree.level_name),
    )


def _choose_row(current: Current, tree: Tree, key: str) -> None:
    rows = st.session_state[key]["selection"]["rows"]
    pick(current, tree, int(rows[0]) if rows else None)


def branch_table(shown: Shown) -> pd.DataFrame:
    """One row per branch."""
    import pandas as pd

    tree = shown.tree
    columns = tree.to_table()
    clusters = inherited_labels(tree, shown.nodes)
    columns = {"branch": columns.pop("node"), "cluster": clusters} | columns
    frame = pd.DataFrame(columns)
    for name in ("cluster", "parent"):
        frame[name] = frame[name].astype("Int64").mask(frame[name] < 0)
    return frame


def _columns(level: str) -> dict[str, Any]:
    number = st.column_config.NumberColumn
    return {
        "branch": number("branch", help="Its number in the tree."),
        "cluster": number("cluster", help="The cluster that it is, or grows from."),
        "parent": number("parent", help="The branch that it comes from; none for a root."),
        "birth": number("birth", format="%.4g", help=f"The {level} at which its parent splits."),
        "death": number("death", format="%.4g", help="Where it splits itself, or vanishes."),
        "lifetime": number("lifetime", format="%.4g", help="From birth to death."),
        "size": number("points", help="Points inside it at its birth."),
        "mass": number("mass", format="percent", help="Their share of all points."),
        "stability": number(
            "stability", format="%.4g", help="Mass, added up over its life: its area in the tree."
        ),
        "leaf": st.column_config.CheckboxColumn("leaf", help="Never splits."),
        "root": st.column_config.CheckboxColumn("root", help="A part of the largest solved set."),
        "extrapolated": st.column_config.CheckboxColumn(
            "extrapolated", help="Lives below the smallest solved level only."
        ),
    }


def cluster_table(current: Current, shown: Shown) -> pd.DataFrame:
    """One row per point: its features, its cluster, and where it ends in the tree."""
    import pandas as pd

    source, tree = current.source, shown.tree
    frame = pd.DataFrame(source.X, columns=list(source.feature_names))
    frame.insert(0, "row", np.arange(source.n))
    taken = set(frame.columns)
    for name, values in (
        ("cluster", shown.labels),
        ("branch", tree.node_of),
        ("entry_level", tree.entry),
        ("extrapolated", tree.extrapolated_points),
    ):
        frame[name if name not in taken else f"{name}_"] = values
    return frame


def take(current: Current, choice: Choice, shown: Shown) -> None:
    """Downloads, and the code that makes the same."""
    model = fits.fit(current.fitted, choice.spec).estimator
    panel.show(
        current,
        name="cluster-tree",
        code=code(current, choice, shown.level),
        figures={
            "Tree": lambda: _tree_figure(shown),
            "Clusters": lambda: _clusters_figure(current, shown),
            "Number of clusters": lambda: _counts_figure(shown),
        },
        tables={
            "clusters": lambda: cluster_table(current, shown),
            "branches": lambda: branch_table(shown),
        },
        models={choice.spec.title: lambda: model},
    )
    with st.popover("The tree for other programs", icon=":material/account_tree:"):
        st.download_button(
            "Newick",
            lambda: shown.tree.to_newick(),
            "tree.nwk",
            "text/plain",
            on_click="ignore",
            help="Nested brackets with lifetimes as branch lengths, for tools that draw trees. "
            "Extrapolated branches are marked by a comment.",
        )
        st.download_button(
            "JSON",
            lambda: tree_json(shown),
            "tree.json",
            "application/json",
            on_click="ignore",
            help="All branches with birth, death, mass and the rows of their points.",
        )


def tree_json(shown: Shown) -> str:
    """The branches, each with the rows of its points; infinite numbers as null."""
    tree = shown.tree
    table = tree.to_table()
    names = ("parent", "birth", "death", "mass", "stability", "root", "extrapolated")
    nodes = [
        {"branch": k}
        | {name: _plain(table[name][k]) for name in names}
        | {"points": tree.members(k).tolist()}
        for k in range(len(tree))
    ]
    told = {"level": tree.level_name, "cut": shown.level, "smallest_solved_level": tree.hold_level}
    return json.dumps(told | {"branches": nodes}, indent=1)


def _plain(value: Any) -> float | int | bool | None:
    number = value.item()
    return number if np.isfinite(number) else None


def _tree_figure(shown: Shown) -> Any:
    from nestviz.figures.cluster_tree import tree_figure

    return tree_figure(shown.tree, shown.layout, shown.nodes, shown.level)


def _clusters_figure(current: Current, shown: Shown) -> Any:
    from nestviz.figures.cluster_tree import clusters_figure

    points = shown.grown.places.grid.plane.coordinates(current.fitted.X)
    return clusters_figure(points, shown.labels, pictures.axis_names(current))


def _counts_figure(shown: Shown) -> Any:
    from nestviz.figures.cluster_tree import counts_figure

    return counts_figure(shown.tree, shown.level)


def code(current: Current, choice: Choice, level: float) -> str:
    """The script that makes the same tree, clusters and figure."""
    chosen = "tree.nodes_at(level)" if choice.clusters == AT_CUT else "tree.select()"
    labels = "tree.cut(level)" if choice.clusters == AT_CUT else "tree.labels(nodes)"
    return scripts.script(
        current,
        *scripts.fit_lines(current, "model", choice.spec),
        f"family = {scripts.family_of('model', choice.spec)}",
        "",
        "from nestviz.analysis import cluster_tree",
        f"tree = cluster_tree(family, data.X).prune(min_mass={choice.least!r})",
        f"level = {float(level)!r}",
        f"nodes = {chosen}",
        f"labels = {labels}",
        "",
        "from nestviz.analysis import tree_layout",
        "from nestviz.figures import tree_figure",
        f"figure = tree_figure(tree, tree_layout(tree, {choice.heights!r}), nodes, level)",
        'figure.write_html("cluster-tree.html")',
    )
