"""The Cluster tree page: a tree and the plane, with one selection for both."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nestviz.analysis.tree.heights import Heights
from nestviz.analysis.tree.tree import Tree
from nestviz.ui import data_warnings
from nestviz.ui.components.branches import branches
from nestviz.ui.components.plane import plane
from nestviz.ui.compute import entry_maps
from nestviz.ui.compute.entry_maps import TreeResult
from nestviz.ui.compute.methods import ONE_CLASS, Fitted, Spec
from nestviz.ui.data_choice import Current
from nestviz.ui.page_frame import page
from nestviz.ui.pages.cluster_tree import comparison, exports, many_rows, numbers, pictures, support
from nestviz.ui.pages.cluster_tree.comparison import Compared
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
STEP = 0.001
"""Step of the cut, as a share of the highest level."""
HEIGHTS: dict[str, Heights] = {
    "level": "level",
    "log level": "log",
    "1/level": "inverse",
    "share outside": "mass",
}
ONE_TREE, TWO_TREES = 430, 320
"""Height of the tree in pixels, alone and above another one."""


@page("Cluster tree")
def render(current: Current) -> None:
    """Render the page."""
    settings = _controls(current)
    fitted = fits.fit(current.fitted, settings.spec)
    found = _grown(current, fitted)
    whole, current = current, current.as_sample
    resampled = support.known(current, settings.spec) if settings.resampled else None
    slot = st.container()
    shown = prepare(found, settings, resampled)
    with slot:
        support.show(shown)
    compared = comparison.compare(current, shown) if settings.hdbscan else None
    _pictures(current, shown, compared)
    _selected(current, shown)
    numbers.show(shown, compared)
    many_rows.show(whole, fitted)
    data_warnings.show(whole, settings.spec.sigma)
    with st.expander("All branches", icon=":material/table_rows:"):
        _table(current, shown)
    exports.show(current, fitted, shown, compared, whole)
    if settings.resampled and resampled is None:
        support.complete(current, settings.spec, slot)


def _grown(current: Current, fitted: Fitted) -> TreeResult:
    """Return the tree of the points; of many rows that of a sample, in the sets of all."""
    if current.rows is not None:
        return many_rows.grown(current, fitted)
    data = current.fitted
    title = f"Growing the tree of {data.n:,} points"
    return fits.analyse(data, current.plane, fitted, entry_maps.grow, title)


def _controls(current: Current) -> ClusterTreeSettings:
    left, middle, right = st.columns(3, gap="medium")
    with left:
        method = fit_controls.method("method", ONE_CLASS, "Parzen", page="tree")
        sure = current.rows is None and inputs.toggle("stable")
    with middle:
        sigma = fit_controls.width(current)
        more = fit_controls.of_method(method)
    with right:
        cut = _cut()
        with st.popover("Pruning, heights, clusters", icon=":material/tune:"):
            least = inputs.slider("prune", 2.0)
            seen = support.control() if current.rows is None else 0.0
            heights = inputs.segments("heights", list(HEIGHTS))
            clusters = inputs.segments("clusters", [AT_CUT, STABLE])
            levels = inputs.slider("depth", 21)
        compare = inputs.toggle("hdbscan")
    spec = Spec(method, sigma, levels, spacing="geometric", **more)
    return ClusterTreeSettings(
        spec, cut, least / 100, HEIGHTS[heights], clusters, compare, seen, sure
    )


def _cut() -> float:
    """Show the level of the cut as a share; at first that last seen on another page."""
    follow_level("cut", "one class", _on_scale)
    share = inputs.slider("cut", 0.3)
    keep_level_share("one class", share, shown_by="cut")
    return share


def _on_scale(share: float) -> float:
    return float(round(np.clip(share, STEP, 1.0) / STEP) * STEP)


def _pictures(current: Current, shown: ClusterTreeResult, compared: Compared | None) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        branches(
            pictures.tree_content(current, shown),
            key="tree",
            on_branch=lambda node: _pick(current, shown.tree, node),
            on_cut=lambda height: _move_cut(shown, height),
            height=ONE_TREE if compared is None else TWO_TREES,
        )
        if compared is not None:
            branches(
                comparison.content(current, compared),
                key="tree-hdbscan",
                on_branch=lambda node: _pick_points(current, compared.tree, node),
                height=TWO_TREES,
            )
    with right:
        plane(
            pictures.plane_content(current, shown),
            key="tree-plane",
            on_rows=lambda rows: select(current.fitted, rows),
        )
    st.caption(
        "Point at a branch, or move by the arrow keys: its points light up, with the set at that "
        "level. Click to select a branch, or points: drag around several, Shift adds. Drag the "
        "dashed line to move the cut; Ctrl and the wheel zoom."
    )


def _pick(current: Current, tree: Tree, node: int | None) -> None:
    """Select the points of a branch, or nothing."""
    rows = [] if node is None else tree.members(node).tolist()
    select(current.fitted, rows, branch=node)


def _pick_points(current: Current, tree: Tree, node: int | None) -> None:
    """Select the points of a branch of another tree."""
    select(current.fitted, [] if node is None else tree.members(node).tolist())


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
        format_func=lambda k: "none" if k == NONE else f"branch {k} · {tree.size[k]:,} points",
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
        exports.branch_table(tree, shown.nodes, shown.support),
        TABLE,
        (tree.entry, tree.size, tree.parent),
        [] if node is None else [node],
        lambda rows: _pick(current, tree, int(rows[0]) if rows else None),
        selection_mode="single-row",
        column_config=columns("cluster_tree", "branches", level=tree.level_name),
    )
