"""The tree: branches that can be clicked, a cut that can be moved, and clusters counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from nestviz.arrays import FloatArray
from nestviz.ui.components.assets import bundle, read_assets

VERTICES = 1_200
"""Of an outline; a branch of thousands of points narrows in steps finer than a pixel."""

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
    outline : (k, 2) array
        Positions from 0 to 1, and heights.
    centre : float
        Where its axis lies.
    colour : int
        Place in the palette; −1 is quiet.
    label : str
        Written above it.
    text : str
        What is known about it, shown when it is pointed at.
    extrapolated : bool
        Whether its outline is lines, drawn dashed, each ended by a row of NaN.
    """

    outline: FloatArray
    centre: float
    colour: int
    label: str
    text: str
    extrapolated: bool = False


@dataclass(frozen=True, eq=False)
class BranchesData:
    """What the tree shows.

    Parameters
    ----------
    branches : sequence of Branch
        Parents before their children.
    heights : (low, high)
        The heights that are drawn.
    height_name : str
        What they are.
    counts : sequence of (from, to, number)
        Number of clusters on each stretch of heights, from below.
    cut : float
        The height that is marked.
    chosen : sequence of int
        Branches to stand out.
    base : float, optional
        The height below which nothing is to scale: the strip of extrapolated branches.
    note : str
        What that strip is called.
    name, alt, title : str
        As in `PlaneData`.
    """

    branches: Sequence[Branch]
    heights: tuple[float, float]
    height_name: str
    counts: Sequence[tuple[float, float, int]]
    cut: float
    name: str
    alt: str
    title: str = ""
    chosen: Sequence[int] = ()
    base: float | None = None
    note: str = ""


def branches(
    content: BranchesData,
    *,
    key: str,
    on_branch: Callable[[int | None], None],
    on_cut: Callable[[float], None],
    height: int = 430,
) -> None:
    """Show a tree and tell which branch is picked and where the cut is put.

    Parameters
    ----------
    content : BranchesData
        What is shown.
    key : str
        Name of this tree, unique in the app.
    on_branch : callable
        Called with the branch that was clicked, or None beside all of them.
    on_cut : callable
        Called with the height that the cut was dragged to.
    height : int
        In pixels; less on narrow screens.
    """

    def picked() -> None:
        node = _told(key, "node")
        if node is not None:
            on_branch(None if node < 0 else int(node))

    def moved() -> None:
        cut = _told(key, "cut")
        if cut is not None:
            on_cut(float(cut))

    message = encode(content) | {"height": height}
    _mount(key=key, data=message, on_node_change=picked, on_cut_change=moved)


def encode(content: BranchesData) -> dict[str, Any]:
    """The message to the browser."""
    return {
        "name": content.name,
        "alt": content.alt,
        "title": content.title,
        "heights": [float(end) for end in content.heights],
        "height_name": content.height_name,
        "counts": [[float(a), float(b), int(count)] for a, b, count in content.counts],
        "cut": float(content.cut),
        "base": None if content.base is None else float(content.base),
        "note": content.note,
        "chosen": [int(node) for node in content.chosen],
        "nodes": [_branch(branch) for branch in content.branches],
    }


def _branch(branch: Branch) -> dict[str, Any]:
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
    }


def _rounded(places: FloatArray) -> list[float]:
    return [float(f"{value:.5g}") for value in places.ravel()]


def _thinned(outline: FloatArray) -> FloatArray:
    """At most so many vertices, the same ones up the left side and down the right."""
    if len(outline) <= VERTICES:
        return outline
    side = len(outline) // 2
    up = np.unique(np.linspace(0, side - 1, VERTICES // 2).astype(int))
    return outline[np.concatenate([up, 2 * side - 1 - up[::-1], up[:1]])]


def _told(key: str, name: str) -> Any:
    """What the browser has just said, if it said anything of that name."""
    return (st.session_state.get(key) or {}).get(name)
