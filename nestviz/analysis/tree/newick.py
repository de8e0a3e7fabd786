"""Trees in Newick's notation, which tools for phylogenies and dendrograms read."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def newick(
    parent: NDArray[np.int64], lengths: NDArray[np.float64], extrapolated: NDArray[np.bool_]
) -> str:
    """Nested brackets of node numbers, each with its branch length; parents come first.

    Several trees hang together under a nameless one; a comment marks extrapolated nodes.
    """
    below: list[list[str]] = [[] for _ in range(len(parent) + 1)]
    for k in range(len(parent) - 1, -1, -1):
        inner = f"({','.join(reversed(below[k]))})" if below[k] else ""
        mark = "[&extrapolated=1]" if extrapolated[k] else ""
        below[parent[k]].append(f"{inner}{k}:{lengths[k]:.12g}{mark}")
    roots = list(reversed(below[-1]))
    return f"({','.join(roots)});" if len(roots) > 1 else f"{''.join(roots)};"
