"""The exports of the Cluster tree page: tables, figures, the tree for other programs, code."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from nestviz.analysis.tree.layout import inherited_labels
from nestviz.analysis.tree.tree import Tree
from nestviz.arrays import FloatArray, IntArray
from nestviz.ui.compute import resamples
from nestviz.ui.compute.methods import Fitted
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.export import panel, scripts
from nestviz.ui.pages.cluster_tree.comparison import Compared
from nestviz.ui.pages.cluster_tree.results import AT_CUT, ClusterTreeResult
from nestviz.ui.panels import bands
from nestviz.ui.panels.exports import given
from nestviz.ui.results.centres import SEED


def branch_table(tree: Tree, nodes: IntArray, support: FloatArray | None = None) -> pd.DataFrame:
    """Return one row per branch, with its support in resamples where that is known."""
    columns = tree.to_table()
    clusters = np.append(nodes, -1)[inherited_labels(tree, nodes)]
    frame = pd.DataFrame({"branch": columns.pop("node"), "cluster": clusters} | columns)
    for name in ("cluster", "parent"):
        frame[name] = frame[name].astype("Int64").mask(frame[name] < 0)
    return frame if support is None else frame.assign(support=support)


def cluster_table(
    current: Current, shown: ClusterTreeResult, compared: Compared | None = None
) -> pd.DataFrame:
    """Return one row per point: its features, its cluster, and its location in the tree."""
    source, tree = current.source, shown.tree
    frame = pd.DataFrame(source.X, columns=list(source.feature_names))
    frame.insert(0, "row", np.arange(source.n))
    taken = set(frame.columns)
    columns = {
        "cluster": shown.clusters,
        "branch": tree.node_of,
        "entry_level": tree.entry,
        "extrapolated": tree.extrapolated_points,
    }
    if compared is not None:
        columns |= {"hdbscan_cluster": compared.clusters}
    for name, values in columns.items():
        frame[name if name not in taken else f"{name}_"] = values
    return frame


def show(
    current: Current,
    fitted: Fitted,
    shown: ClusterTreeResult,
    compared: Compared | None,
    whole: Current | None = None,
) -> None:
    """Show the downloads, and the code that gives the same result.

    ``whole`` are the data that were fitted, where the points of the tree are some of many rows.
    """
    figures = {
        "Tree": lambda: _tree_figure(shown),
        "Clusters": lambda: _clusters_figure(current, shown),
        "Number of clusters": lambda: _counts_figure(shown),
    }
    tables = {
        "clusters": lambda: cluster_table(current, shown, compared),
        "branches": lambda: branch_table(shown.tree, shown.nodes, shown.support),
    }
    if compared is not None:
        figures["HDBSCAN's tree"] = lambda: _other_figure(compared)
        tables["branches-hdbscan"] = lambda: branch_table(compared.tree, compared.nodes)
    panel.show(
        current,
        name="cluster-tree",
        code=_code(current if whole is None else whole, shown, compared),
        figures=figures,
        tables=tables,
        models=given({fitted.spec.title: fitted.estimator}),
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


def tree_json(shown: ClusterTreeResult) -> str:
    """Return the branches with the rows of their points as JSON; infinite numbers are null."""
    tree = shown.tree
    table = tree.to_table()
    names: tuple[str, ...] = (
        "parent", "birth", "death", "mass", "stability", "root", "extrapolated",
    )  # fmt: skip
    if shown.support is not None:
        table, names = table | {"support": shown.support}, (*names, "support")
    nodes = [
        {"branch": k}
        | {name: _plain(table[name][k]) for name in names}
        | {"points": tree.members(k).tolist()}
        for k in range(len(tree))
    ]
    head = {"level": tree.level_name, "cut": shown.level, "smallest_solved_level": tree.hold_level}
    return json.dumps(head | {"branches": nodes}, indent=1)


def _plain(value: Any) -> float | int | bool | None:
    number = value.item()
    return number if np.isfinite(number) else None


def _tree_figure(shown: ClusterTreeResult) -> Any:
    from nestviz.figures.cluster_tree import tree_figure

    return tree_figure(shown.tree, shown.layout, shown.nodes, shown.level)


def _other_figure(compared: Compared) -> Any:
    from nestviz.figures.cluster_tree import tree_figure

    return tree_figure(compared.tree, compared.layout, compared.nodes)


def _clusters_figure(current: Current, shown: ClusterTreeResult) -> Any:
    from nestviz.figures.cluster_tree import clusters_figure

    points = current.plane.coordinates(current.fitted.X)
    return clusters_figure(points, shown.labels, axis_names(current.fitted), numbers=shown.nodes)


def _counts_figure(shown: ClusterTreeResult) -> Any:
    from nestviz.figures.cluster_tree import counts_figure

    return counts_figure(shown.tree, shown.level)


def _code(current: Current, shown: ClusterTreeResult, compared: Compared | None) -> str:
    settings = shown.settings
    at_cut = settings.clusters == AT_CUT
    return scripts.script(
        current,
        *scripts.fit_lines(current, "model", settings.spec),
        f"family = {scripts.family_of('model', settings.spec)}",
        *(() if current.rows is None else _sample_lines(current)),
        "",
        "from nestviz.analysis import cluster_tree",
        f"tree = cluster_tree(family, data.X).prune(min_mass={settings.least!r})",
        *_support_lines(current, shown),
        f"level = {float(shown.level)!r}",
        f"nodes = {'tree.nodes_at(level)' if at_cut else 'tree.select()'}",
        f"labels = {'tree.cut(level)' if at_cut else 'tree.labels(nodes)'}",
        "",
        "from nestviz.analysis import tree_layout",
        "from nestviz.figures import tree_figure",
        f"figure = tree_figure(tree, tree_layout(tree, {settings.heights!r}), nodes, level)",
        'figure.write_html("cluster-tree.html")',
        *_comparison_lines(compared),
    )


def _sample_lines(current: Current) -> tuple[str, ...]:
    """Return lines that draw the rows of the tree from all of them."""
    return (
        "from nestviz.data import subsample",
        f"data = subsample(rows, {current.measured.n}, {SEED})",
    )


def _support_lines(current: Current, shown: ClusterTreeResult) -> tuple[str, ...]:
    if shown.support is None:
        return ()
    drawn = f"Resampling({resamples.RESAMPLES}, {bands.chosen_method()!r})"
    rows = "" if current.fitted.weights is None else "stands_for=data.weights, "
    return (
        "from nestviz.analysis import Resampling, resample_trees",
        f"resampled = resample_trees(model, data.X, {rows}resampling={drawn}, n_jobs=-1)",
        f"least = {shown.settings.support!r}",
        "tree = tree.prune(support=resampled.support(tree), min_support=least)",
    )


def _comparison_lines(compared: Compared | None) -> tuple[str, ...]:
    if compared is None:
        return ()
    return (
        "",
        "from nestviz.analysis import cluster_agreement, hdbscan_tree",
        f"other = hdbscan_tree(data.X, min_cluster_size={compared.min_cluster_size})",
        "print(cluster_agreement(labels, other.labels(other.select())))",
    )
