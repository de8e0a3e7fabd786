"""Compile the numba kernels that most tests need, once.

Otherwise both workers, the server and its own workers compile the same kernels at the same time.
What is missing here is compiled when a test first needs it.
"""

import inspect
import warnings

import numpy as np

import nestviz
from nestviz.analysis.level_sweep import sweep
from nestviz.analysis.nesting import nesting_report
from nestviz.analysis.tree.cluster_tree import cluster_tree
from nestviz.analysis.tree.pixel_tree import pixel_tree

POINTS = 24


def main() -> None:
    warnings.simplefilter("ignore")
    X = np.random.default_rng(0).normal(size=(POINTS, 2))
    y = np.where(X[:, 0] > 0, 1, -1)
    grid = nestviz.Grid.around(X, resolution=8)
    for name in nestviz.__all__:
        kind = getattr(nestviz, name)
        if inspect.isclass(kind) and hasattr(kind, "fit"):
            family = getattr(kind().fit(X, y), "family_", None)
            if family is not None:
                family.first_level(X)
                sweep(family, grid, X)
    family = nestviz.OneClassPath(0.5).fit(X).family_
    cluster_tree(family, X)
    pixel_tree(family, grid, X)
    nesting_report(family, grid)


if __name__ == "__main__":
    main()
