"""The tree: branches that can be clicked, a cut that can be dragged, and cluster counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from nestviz.analysis.tree.heights import HeightScale
from nestviz.arrays import FloatArray, IntArray
from nestviz.ui.components.assets import bundle, read_assets
from nestviz.ui.components.reports import reported
from nestviz.ui.decoding import number, whole

VERTICES = 1_200
"""Most vertices of an outline: branches of many points narrow in steps finer than a pixel."""
KNOWN = 500
"""Most levels whose heights are sent."""

# Registered once, when the module is first imported, not at every run of a page.
_mount = st.components.v2.component(
    "nestviz_branches",
    html=read_assets("components/branches.html"),
    css=read_assets("components/common.css", "components/pointing.css"),
    js=bundle("components/js/branches.js"),
)


@dataclass(frozen=True, eq=False)
class Branch:
    """One branch of the picture.

    Parameters
    ----------
    outline : ndarray of shape (n_vertices, 2)
        Positions from 0 to 1, and heights.
    centre : float
        Position of its axis.
    colour : int
        Index in the palette; −1 is the colour of text, faded.
    label : str
        Text above it.
    text : str
        Description, shown while the pointer is on it.
    extrapolated : bool
        Whether the outline consists of dashed lines, each ended by a row of NaN.
    shade : float
        Strength of its colour, from 0 to 1.
    bold : bool
        Whether its label is always shown; others are where they have space.
    parent : int
        The branch it grows from, or −1.
    end : int, optional
        End of the run of branches that grow from it; by default there are none.
    """

    outline: FloatArray
    centre: float
    colour: int
    label: str
    text: str
    extrapolated: bool = False
    shade: float = 0.7
    bold: bool = True
    parent: int = -1
    end: int | None = None


@dataclass(frozen=True, eq=False)
class BranchesData:
    """What the tree shows.

    Parameters
    ----------
    branches : sequence of Branch
        Parents before their children.
    heights : tuple of float
        Lowest and highest height that is drawn.
    height_name : str
        Name of their axis.
    counts : sequence of (low, high, count)
        Number of clusters between two heights, from below.
    cut : float or None
        Height of the marked line.
    chosen : sequence of int
        Highlighted branches.
    base : float, optional
        Height below which branches are extrapolated and not to scale.
    note : str
        Text in that strip.
    scale : HeightScale, optional
        From heights to levels, for the numbers on the axis; by default heights are levels.
    level_name : str
        Name of the level where the pointer is.
    splits : sequence of float
        Heights at which branches split.
    most_stable : float, optional
        What a shade of 1 stands for in the legend.
    node_of, exits : ndarray of shape (n_points,), optional
        The last branch of each point, and the height at which it leaves that branch.
    link : str
        Name of the pictures that light the points of the branch under the pointer.
    sets : bool
        Whether a level has a set that they can draw.
    name, alt, title : str
        As in `PlaneData`.
    """

    branches: Sequence[Branch]
    heights: tuple[float, float]
    height_name: str
    counts: Sequence[tuple[float, float, int]]
    cut: float | None
    name: str
    alt: str
    title: str = ""
    chosen: Sequence[int] = ()
    base: float | None = None
    note: str = ""
    scale: HeightScale | None = None
    level_name: str = "level"
    splits: Sequence[float] = ()
    most_stable: float | None = None
    node_of: IntArray | None = None
    exits: FloatArray | None = None
    link: str = ""
    sets: bool = False


def branches(
    content: BranchesData,
    *,
    key: str,
    on_branch: Callable[[int | None], None],
    on_cut: Callable[[float], None] | None = None,
    height: int = 430,
) -> None:
    """Show a tree and report which branch is clicked and where the cut is dragged.

    Heights can be zoomed. The points of the branch under the pointer are lit in all pictures with
    the same ``link``, without a run of the page.

    Parameters
    ----------
    content : BranchesData
        What is shown.
    key : str
        Name of this tree, unique in the app.
    on_branch : callable
        Called with the index of the clicked branch, or None for a click beside all.
    on_cut : callable, optional
        Called with the new height of the cut.
    height : int
        Height in pixels; less on narrow screens.
    """

    def picked() -> None:
        node = reported(key, "node", whole(-1, len(content.branches) - 1))
        if node is not None:
            on_branch(None if node < 0 else node)

    def moved() -> None:
        cut = reported(key, "cut", number(*content.heights))
        if cut is not None and on_cut is not None:
            on_cut(cut)

    message = encode(content) | {"height": height}
    _mount(key=key, data=message, on_node_change=picked, on_cut_change=moved)


def encode(content: BranchesData) -> dict[str, Any]:
    """Return the message to the browser."""
    return {
        "name": content.name,
        "alt": content.alt,
        "title": content.title,
        "heights": [float(end) for end in content.heights],
        "height_name": content.height_name,
        "counts": [[float(a), float(b), int(count)] for a, b, count in content.counts],
        "cut": None if content.cut is None else float(content.cut),
        "base": None if content.base is None else float(content.base),
        "note": content.note,
        "chosen": [int(node) for node in content.chosen],
        "nodes": [_branch(k, branch) for k, branch in enumerate(content.branches)],
        "scale": _scale(content.scale),
        "level_name": content.level_name,
        "splits": [float(height) for height in content.splits],
        "stability": "" if content.most_stable is None else f"{content.most_stable:.3g}",
        "points": _points(content),
        "link": content.link,
        "sets": content.sets,
    }


def _points(content: BranchesData) -> dict[str, Any]:
    if content.node_of is None or content.exits is None:
        return {"node_of": [], "exits": []}
    exits = np.where(content.node_of >= 0, content.exits, 0.0)
    return {"node_of": content.node_of.tolist(), "exits": _rounded(exits)}


def _scale(scale: HeightScale | None) -> dict[str, Any]:
    if scale is None or scale.known is None or scale.heights is None:
        return {"kind": "level" if scale is None else scale.kind, "levels": [], "heights": []}
    order = np.argsort(scale.heights, kind="stable")
    some = order[np.unique(np.linspace(0, len(order) - 1, KNOWN).astype(int))]
    return {
        "kind": scale.kind,
        "levels": _rounded(scale.known[some]),
        "heights": _rounded(scale.heights[some]),
    }


def _branch(k: int, branch: Branch) -> dict[str, Any]:
    outline = branch.outline if branch.extrapolated else _thinned(branch.outline)
    ended = np.flatnonzero(np.isnan(outline[:, 0]))
    pieces = np.split(outline, ended + 1)[:-1] if branch.extrapolated else [outline]
    outline = outline[~np.isnan(outline[:, 0])]
    return {
        "outline": [] if branch.extrapolated else _rounded(outline),
        "lines": [_rounded(piece[:-1]) for piece in pieces] if branch.extrapolated else [],
        "centre": float(branch.centre),
        "bottom": float(outline[:, 1].min()),
        "top": float(outline[:, 1].max()),
        "colour": branch.colour,
        "label": branch.label,
        "text": branch.text,
        "shade": round(float(branch.shade), 4),
        "bold": branch.bold,
        "parent": int(branch.parent),
        "end": k + 1 if branch.end is None else int(branch.end),
    }


def _rounded(vertices: FloatArray) -> list[float]:
    return [float(f"{value:.6g}") for value in vertices.ravel()]


def _thinned(outline: FloatArray) -> FloatArray:
    """Return at most `VERTICES` vertices, the same ones on the left and the right side."""
    if len(outline) <= VERTICES:
        return outline
    side = len(outline) // 2
    up = np.unique(np.linspace(0, side - 1, VERTICES // 2).astype(int))
    return outline[np.concatenate([up, 2 * side - 1 - up[::-1], up[:1]])]
