"""Trees in Newick's notation, which tools for phylogenies and dendrograms read."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def newick(parent: NDArray[np.int64], lengths: NDArray[np.float64]) -> str:
    """Nested brackets of node numbers, each with its branch length; parents come first.

    Several roots hang together under a nameless one.
    """
    below: list[list[str]] = [[] for _ in range(len(parent) + 1)]
    for k in range(len(parent) - 1, -1, -1):
        inner = f"({','.join(reversed(below[k]))})" if below[k] else ""
        below[parent[k]].append(f"{inner}{k}:{lengths[k]:.12g}")
    roots = list(reversed(below[-1]))
    return f"({','.join(roots)});" if len(roots) > 1 else f"{''.join(roots)};"
