"""The Cluster tree page: a tree and the plane, each telling the other what is selected."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nestviz.analysis.tree.layout import Heights, TreeLayout, tree_layout
from nestviz.analysis.tree.tree import Tree
from nestviz.arrays import IntArray
from nestviz.ui.components.branches import branches
from nestviz.ui.components.plane import plane
from nestviz.ui.compute import entry_maps
from nestviz.ui.compute.entry_maps import Grown
from nestviz.ui.compute.methods import ONE_CLASS, Fitted, Spec
from nestviz.ui.data_choice import AT_ONCE, Current
from nestviz.ui.pages.cluster_tree import pictures
from nestviz.ui.panels import fit_controls
from nestviz.ui.results import fits, jobs
from nestviz.ui.session.selection import follow_level, keep_level_share, select, selection
from nestviz.ui.session.view import change, stop_page
from nestviz.ui.widgets import inputs

BRANCH = "tree_branch"
TABLE = "tree_table"
NONE = -1
"""Of the lists that name what is selected."""
STEP = 0.005
"""Step of the cut, as a share of the highest level."""
AT_CUT, STABLE = "at the cut", "most stable"
BY_LEVEL, BY_MASS = "level", "share outside"


@dataclass(frozen=True)
class Choice:
    """What the controls of the page say."""

    spec: Spec
    cut: float
    least: float
    heights: Heights
    clusters: str


@dataclass(frozen=True, eq=False)
class Shown:
    """A tree as it is shown: pruned, laid out, and cut at a level."""

    grown: Grown
    tree: Tree
    layout: TreeLayout
    level: float
    nodes: IntArray
    labels: IntArray

    @property
    def inside(self) -> NDArray[np.bool_]:
        """Which points are in the set at the cut."""
        return np.asarray(self.tree.entry >= self.level)


def controls(current: Current) -> Choice:
    """The controls above the pictures."""
    left, middle, right = st.columns(3, gap="medium")
    with left:
        method = fit_controls.method("Method", ONE_CLASS, "Parzen", key="method", page="tree")
        with st.popover("Heights and clusters", icon=":material/tune:"):
            heights, clusters = _ways()
            levels = level_count()
    with middle:
        sigma = fit_controls.width(current)
        nu = fit_controls.nu(method)
    with right:
        cut = _cut()
        least = inputs.slider(
            "prune",
            "Prune branches below",
            2.0,
            step=0.5,
            format="%g %% of the points",
            help="A branch that holds fewer points than this is no branch of its own. 0 keeps "
            "every small peak.",
        )
    spec = Spec(method, sigma, levels, spacing="geometric", nu=nu)
    return Choice(spec, cut, least / 100, "mass" if heights == BY_MASS else "level", clusters)


def _ways() -> tuple[str, str]:
    """What is drawn upwards, and which clusters are shown."""
    heights = inputs.segments(
        "heights",
        "Heights",
        [BY_LEVEL, BY_MASS],
        BY_LEVEL,
        help="Draw branches as high as their level λ, or as the share of the points that are "
        "left outside: low levels, where most points are, then get more space.",
    )
    clusters = inputs.segments(
        "clusters",
        "Clusters",
        [AT_CUT, STABLE],
        AT_CUT,
        help="The connected parts of the set at the cut; or the branches with the most mass over "
        "the longest range of levels, each at its own level, as HDBSCAN chooses them.",
    )
    return heights, clusters


def level_count() -> int:
    """How many levels the nested SVM has where its lowest ones matter most."""
    return inputs.slider(
        "depth",
        "Levels of the nested SVM",
        21,
        help="The nested SVM solves this many levels together, each the same part of the one "
        "before: low ones, where outliers enter, are close together. The last one is a "
        "millionth of the highest, as in all methods.",
    )


def _cut() -> float:
    """The level of the cut, as a share; a level looked at on another page is taken over."""
    follow_level("cut", "one class", _on_scale)
    share = inputs.slider(
        "cut",
        "Cut, as a share of the highest level",
        0.3,
        step=STEP,
        format="%.3f",
        help="The level at which clusters are looked at. The dashed line in the tree can be "
        "dragged as well.",
    )
    keep_level_share("one class", share, shown_by="cut")
    return share


def _on_scale(share: float) -> float:
    return float(np.clip(round(share / STEP) * STEP, STEP, 1.0).round(6))


def grown(current: Current, fitted: Fitted) -> Grown:
    """The whole tree of the current data; in a worker where there are many points."""
    data = current.fitted
    found = jobs.run(
        (data, current.plane, fitted.spec),
        entry_maps.grow,
        fitted,
        data.X,
        current.plane,
        title=f"Growing the tree of {data.n:,} points",
        long=data.n > AT_ONCE,
        spinner="Growing the tree …",
    )
    if found is None:
        stop_page()
    return found


def prepare(found: Grown, choice: Choice) -> Shown:
    """Prune the tree, lay it out and cut it."""
    tree = found.tree.prune(min_mass=choice.least)
    level = choice.cut * found.top
    at_cut = choice.clusters == AT_CUT
    nodes = tree.nodes_at(level) if at_cut else tree.select()
    labels = tree.cut(level) if at_cut else tree.labels(nodes)
    layout = tree_layout(tree, choice.heights)
    return Shown(found, tree, layout, level, nodes, labels)


def show(current: Current, choice: Choice) -> Shown:
    """Tree and plane side by side, then what is selected."""
    shown = prepare(grown(current, fits.fit(current.fitted, choice.spec)), choice)
    left, right = st.columns(2, gap="medium")
    with left:
        branches(
            pictures.tree_content(current, shown),
            key="tree",
            on_branch=lambda node: pick(current, shown.tree, node),
            on_cut=lambda height: _move_cut(shown, height),
        )
    with right:
        plane(
            pictures.plane_content(current, shown, areas=choice.clusters == AT_CUT),
            key="tree-plane",
            on_rows=lambda rows: select(current.fitted, rows),
        )
    st.caption(
        "Click a branch to see its points, or points to see their branches: drag around several, "
        "Shift adds. Drag the dashed line to cut elsewhere."
    )
    _picked(current, shown)
    return shown


def pick(current: Current, tree: Tree, node: int | None) -> None:
    """Select the points of a branch, or nothing."""
    rows = [] if node is None else tree.members(node).tolist()
    select(current.fitted, rows, branch=node)


def _pick_listed(current: Current, tree: Tree) -> None:
    node = st.session_state[BRANCH]
    # The text of an entry that the list no longer has is nothing that a user chose.
    if isinstance(node, int):
        pick(current, tree, None if node == NONE else node)


def _move_cut(shown: Shown, height: float) -> None:
    share = shown.layout.scale.level_of(height) / shown.grown.top
    change(cut=_on_scale(share))


def _picked(current: Current, shown: Shown) -> None:
    """The selection in words, and a way to make one without a mouse."""
    tree, chosen = shown.tree, selection(current.fitted)
    node = pictures.chosen_branch(tree, chosen)
    # The list follows what was clicked, here and on other pages.
    st.session_state[BRANCH] = NONE if node is None else node
    left, right = st.columns([1, 2], gap="medium", vertical_alignment="center")
    with left:
        st.selectbox(
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
