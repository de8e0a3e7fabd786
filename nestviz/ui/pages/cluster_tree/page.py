"""The Cluster tree page: a tree and the plane, with one selection for both."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nestviz.analysis.tree.tree import Tree
from nestviz.ui import data_warnings
from nestviz.ui.components.branches import branches
from nestviz.ui.components.plane import plane
from nestviz.ui.compute import entry_maps
from nestviz.ui.compute.methods import ONE_CLASS, Spec
from nestviz.ui.data_choice import Current
from nestviz.ui.page_frame import page
from nestviz.ui.pages.cluster_tree import numbers, pictures, results
from nestviz.ui.pages.cluster_tree.results import (
    AT_CUT,
    STABLE,
    ClusterTreeResult,
    ClusterTreeSettings,
    prepare,
)
from nestviz.ui.panels import fit_controls
from nestviz.ui.results import fits
from nestviz.ui.session.selection import follow_level, keep_level_share, select, selection
from nestviz.ui.session.view import change
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.inputs import NONE
from nestviz.ui.widgets.tables import columns, selectable_table

BRANCH = "tree_branch"
TABLE = "tree_table"
STEP = 0.005
"""Step of the cut, as a share of the highest level."""
BY_LEVEL, BY_MASS = "level", "share outside"


@page("Cluster tree")
def render(current: Current) -> None:
    """Render the page."""
    settings = _controls(current)
    data = current.fitted
    fitted = fits.fit(data, settings.spec)
    title = f"Growing the tree of {data.n:,} points"
    found = fits.analyse(data, current.plane, fitted, entry_maps.grow, title)
    shown = prepare(found, settings)
    _pictures(current, shown)
    _selected(current, shown)
    numbers.show(shown)
    data_warnings.show(current, settings.spec.sigma)
    with st.expander("All branches", icon=":material/table_rows:"):
        _table(current, shown)
    results.exports(current, fitted, shown)


def _controls(current: Current) -> ClusterTreeSettings:
    left, middle, right = st.columns(3, gap="medium")
    with left:
        method = fit_controls.method("method", ONE_CLASS, "Parzen", page="tree")
    with middle:
        sigma = fit_controls.width(current)
        more = fit_controls.of_method(method)
    with right:
        cut = _cut()
        with st.popover("Pruning, heights, clusters", icon=":material/tune:"):
            least = inputs.slider("prune", 2.0)
            heights = inputs.segments("heights", [BY_LEVEL, BY_MASS])
            clusters = inputs.segments("clusters", [AT_CUT, STABLE])
            levels = inputs.slider("depth", 21)
    spec = Spec(method, sigma, levels, spacing="geometric", **more)
    by_mass = heights == BY_MASS
    return ClusterTreeSettings(spec, cut, least / 100, "mass" if by_mass else "level", clusters)


def _cut() -> float:
    """Show the level of the cut as a share; at first that last seen on another page."""
    follow_level("cut", "one class", _on_scale)
    share = inputs.slider("cut", 0.3)
    keep_level_share("one class", share, shown_by="cut")
    return share


def _on_scale(share: float) -> float:
    return float(np.clip(round(share / STEP) * STEP, STEP, 1.0).round(6))


def _pictures(current: Current, shown: ClusterTreeResult) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        branches(
            pictures.tree_content(current, shown),
            key="tree",
            on_branch=lambda node: _pick(current, shown.tree, node),
            on_cut=lambda height: _move_cut(shown, height),
        )
    with right:
        plane(
            pictures.plane_content(current, shown),
            key="tree-plane",
            on_rows=lambda rows: select(current.fitted, rows),
        )
    st.caption(
        "Click a branch to see its points, or points to see their branches: drag around several, "
        "Shift adds. Drag the dashed line to move the cut."
    )


def _pick(current: Current, tree: Tree, node: int | None) -> None:
    """Select the points of a branch, or nothing."""
    rows = [] if node is None else tree.members(node).tolist()
    select(current.fitted, rows, branch=node)


def _pick_listed(current: Current, tree: Tree) -> None:
    node = st.session_state[BRANCH]
    # An entry that the list no longer has comes back as text, which no user chose.
    if isinstance(node, int):
        _pick(current, tree, None if node == NONE else node)


def _move_cut(shown: ClusterTreeResult, height: float) -> None:
    share = shown.layout.scale.level_of(height) / shown.whole.top
    change(cut=_on_scale(share))


def _selected(current: Current, shown: ClusterTreeResult) -> None:
    """Show the selection in words, and a list to select a branch without a mouse."""
    tree, chosen = shown.tree, selection(current.fitted)
    node = pictures.chosen_branch(tree, chosen)
    # The list follows clicks, here and on other pages.
    st.session_state[BRANCH] = NONE if node is None else node
    left, right = st.columns([1, 2], gap="medium", vertical_alignment="center")
    left.selectbox(
        "Selected branch",
        [NONE, *range(len(tree))],
        format_func=lambda k: "none" if k == NONE else f"{k} · {tree.size[k]:,} points",
        key=BRANCH,
        on_change=lambda: _pick_listed(current, tree),
        help="Selects the points of a branch, as a click on it does.",
    )
    with right:
        st.markdown(pictures.words(shown, chosen))
        if chosen.points:
            st.button(
                "Clear the selection",
                on_click=select,
                args=(current.fitted, ()),
                icon=":material/close:",
                help="Select nothing, on all pages.",
            )


def _table(current: Current, shown: ClusterTreeResult) -> None:
    """Show all branches; selecting a row selects the points of its branch."""
    tree = shown.tree
    if not len(tree):
        return
    node = pictures.chosen_branch(tree, selection(current.fitted))
    selectable_table(
        results.branch_table(shown),
        TABLE,
        (tree.entry, tree.size, tree.parent),
        [] if node is None else [node],
        lambda rows: _pick(current, tree, int(rows[0]) if rows else None),
        selection_mode="single-row",
        column_config=columns("cluster_tree", "branches", level=tree.level_name),
    )
