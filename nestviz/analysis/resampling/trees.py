"""Cluster trees of resamples, and how often each branch of a tree is found again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from nestviz.analysis.resampling.draws import Resampling
from nestviz.analysis.resampling.refits import fit_whole, refit
from nestviz.analysis.tree.cluster_tree import cluster_tree
from nestviz.analysis.tree.tree import Tree
from nestviz.arrays import FloatArray, IndexArray, IntArray
from nestviz.families import SetFamily
from nestviz.solvers.records import Callback

JACCARD = 0.5
"""Overlap from which on a branch counts as found again."""


class SampleTree(NamedTuple):
    """What is kept of the tree of a resample: its rows, their nodes, and the ends of subtrees."""

    rows: IndexArray
    node_of: IntArray
    run_ends: IntArray


@dataclass(frozen=True, eq=False)
class ResampledTrees:
    """Cluster trees of resamples, for the support of branches.

    Attributes
    ----------
    trees : sequence of SampleTree
        One for each finished resample.
    complete : bool
        False when a callback stopped before all resamples were finished.
    """

    trees: Sequence[SampleTree]
    complete: bool

    def overlap(self, tree: Tree) -> FloatArray:
        """Return how well each branch of a tree is found again in each resample.

        Parameters
        ----------
        tree : Tree
            A tree of the same points, pruned or not.

        Returns
        -------
        ndarray of shape (n_resamples, n_nodes)
            The largest Jaccard index |A ∩ B| / |A ∪ B| between the members A of the branch that
            were drawn and the members B of a branch of the resample; NaN where none was drawn.
        """
        if not self.trees:
            return np.zeros((0, len(tree)))
        return np.stack([_best_overlap(tree, sample) for sample in self.trees])

    def support(self, tree: Tree, jaccard: float = JACCARD) -> FloatArray:
        """Return the share of the resamples in which each branch of a tree is found again.

        Parameters
        ----------
        tree : Tree
            A tree of the same points, pruned or not.
        jaccard : float
            The least overlap of a branch that counts as found again, in (0, 1].

        Returns
        -------
        ndarray of shape (n_nodes,)
            Shares of the resamples in which a member of the branch was drawn.
        """
        if not 0 < jaccard <= 1:
            raise ValueError(f"jaccard must be above 0 and at most 1, not {jaccard!r}.")
        best = self.overlap(tree)
        drawn = ~np.isnan(best)
        found = (np.nan_to_num(best) >= jaccard).sum(axis=0)
        return np.asarray(found / np.maximum(drawn.sum(axis=0), 1))


def resample_trees(
    estimator: Any,
    X: ArrayLike,
    *,
    bends: int = 0,
    stands_for: ArrayLike | None = None,
    resampling: Resampling | None = None,
    n_jobs: int | None = None,
    callback: Callback | None = None,
) -> ResampledTrees:
    """Build the cluster tree of each resample.

    Parameters
    ----------
    estimator : estimator
        One of one class with a ``family_``; it is cloned. A rule for its width is applied once, to
        all points.
    X : array-like of shape (n_points, n_features)
        The data.
    bends : int
        As in `cluster_tree`. Straight routes take a quarter of the time and find nearly the same
        branches.
    stands_for : array-like of shape (n_points,), optional
        How many rows each point stands for, such as the weights of centres; by default one.
    resampling : Resampling, optional
        How samples are drawn; by default 200 bootstrap samples.
    n_jobs : int, optional
        Number of threads, as in joblib. The result does not depend on it.
    callback : callable, optional
        Called with a `Progress` after each resample. When it returns a true value, the trees of the
        resamples that are finished are returned.

    Returns
    -------
    ResampledTrees
        The trees.

    Examples
    --------
    >>> import numpy as np
    >>> from nestviz import ParzenLevelSets
    >>> from nestviz.analysis import cluster_tree
    >>> X = np.r_[np.linspace(0, 1, 20), np.linspace(5, 6, 20)][:, None]
    >>> tree = cluster_tree(ParzenLevelSets(0.3).fit(X).family_, X).prune(min_mass=0.2)
    >>> resample_trees(ParzenLevelSets(0.3), X, resampling=Resampling(40)).support(tree)
    array([1., 1., 1.])
    """
    plan, whole = resampling or Resampling(), fit_whole(estimator, X, None, stands_for)
    points = whole.points

    def built(family: SetFamily, drawn: IntArray) -> SampleTree:
        rows = np.flatnonzero(drawn)
        tree = cluster_tree(family, points[rows], bends=bends)
        return SampleTree(rows, tree.node_of, tree.run_ends)

    found, counts = refit(whole, plan, built, n_jobs, callback)
    return ResampledTrees(found, len(counts) == plan.resamples)


def _best_overlap(tree: Tree, sample: SampleTree) -> FloatArray:
    """Return the best Jaccard index of each branch; NaN for one without a point in the sample."""
    if sample.rows.size and sample.rows[-1] >= len(tree.node_of):
        raise ValueError("The tree and the resamples are not of the same points.")
    mine, theirs = tree.node_of[sample.rows], sample.node_of
    first, second = len(tree), len(sample.run_ends)
    # Points of no node are in the last row or column.
    both = np.zeros((first + 1, second + 1), dtype=np.int64)
    np.add.at(both, (mine, theirs), 1)
    ends = np.append(tree.run_ends, first + 1), np.append(sample.run_ends, second + 1)
    shared = _over_runs(_over_runs(both, ends[0]).T, ends[1]).T[:first, :second]
    own = _over_runs(np.bincount(mine[mine >= 0], minlength=first)[:, None], tree.run_ends)
    other = _over_runs(np.bincount(theirs[theirs >= 0], minlength=second)[:, None], sample.run_ends)
    joined = own + other.T - shared
    best = np.max(shared / np.maximum(joined, 1), axis=1, initial=0.0)
    return np.where(own[:, 0] > 0, best, np.nan)


def _over_runs(table: IntArray, ends: IntArray) -> IntArray:
    """Return for each row the sum of the rows from it to the end of its run."""
    below = np.concatenate([np.zeros((1, table.shape[1]), np.int64), np.cumsum(table, axis=0)])
    return np.asarray(below[ends] - below[np.arange(len(table))])
