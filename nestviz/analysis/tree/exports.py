"""Trees as tables, as edges of a graph and in Newick notation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from nestviz.analysis.tree.tree import Tree

Edge = tuple[int, int, dict[str, float]]


def node_table(tree: Tree) -> dict[str, NDArray[Any]]:
    """Return columns of equal length, one row per node."""
    nodes = np.arange(len(tree))
    return {
        "node": nodes,
        "parent": tree.parent,
        "birth": tree.birth,
        "death": tree.death,
        "lifetime": tree.lifetime,
        "size": tree.size,
        "mass": tree.mass,
        "stability": tree.stability,
        "leaf": np.isin(nodes, tree.leaves),
        "root": np.isin(nodes, tree.roots),
        "extrapolated": tree.extrapolated,
    }


def edge_list(tree: Tree) -> list[Edge]:
    """Return parent, child and attributes of each edge; extrapolated where the parent is."""
    names = ("birth", "death", "mass", "stability")
    table, found = node_table(tree), []
    for k in np.flatnonzero(tree.parent >= 0).tolist():
        attributes = {name: float(table[name][k]) for name in names}
        attributes["extrapolated"] = bool(tree.extrapolated[tree.parent[k]])
        found.append((int(tree.parent[k]), k, attributes))
    return found


def newick(tree: Tree) -> str:
    """Return the nodes as nested brackets, lifetimes as branch lengths."""
    birth, death, _ = tree.finite_levels()
    lengths = np.abs(death - birth)
    below: list[list[str]] = [[] for _ in range(len(tree) + 1)]
    for k in range(len(tree) - 1, -1, -1):
        inner = f"({','.join(reversed(below[k]))})" if below[k] else ""
        mark = "[&extrapolated=1]" if tree.extrapolated[k] else ""
        below[tree.parent[k]].append(f"{inner}{k}:{lengths[k]:.12g}{mark}")
    roots = list(reversed(below[-1]))
    return f"({','.join(roots)});" if len(roots) > 1 else f"{''.join(roots)};"
