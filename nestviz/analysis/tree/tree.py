"""`Tree`: clusters that split as the sets shrink."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.analysis.tree.exports import Edge, edge_list, newick, node_table
from nestviz.analysis.tree.pruning import Pruned, prune, supported_nodes, worthy_nodes
from nestviz.analysis.tree.selection import excess_of_mass, most_stable, summed_up
from nestviz.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Tree:
    """Connected components of a family's sets, from the largest set to the smallest.

    A node is a component over the range of levels in which it does not split. It is born where its
    parent splits (roots: at the end of the domain where the sets are largest) and dies where it
    splits itself or vanishes. Levels are the family's own: with shrinking sets death lies above
    birth, with growing ones below. Sets are closed: at the level of its death a node still exists,
    at that of its birth its parent does.

    A family with a smallest solved level (`SetFamily.hold_level`) has a *forest*: parts that are
    separate in its largest solved set are roots. Joins beyond that level are extrapolated and kept
    as nodes marked `extrapolated`.

    Attributes
    ----------
    parent : ndarray of shape (n_nodes,)
        Parent of each node, −1 where there is none; that of a root may be extrapolated. Parents
        precede their children, each subtree is a run of consecutive nodes, and siblings are in
        order of decreasing size.
    birth, death : ndarray of shape (n_nodes,)
        Levels between which the node exists. A birth may be infinite, and that of a root lies
        beyond ``hold_level``.
    node_of : ndarray of shape (n_points,)
        The last node each point belongs to as the sets shrink; −1 for noise, the points that are in
        no set, or only in pruned roots.
    exit : ndarray of shape (n_points,)
        The level at which the point leaves that node; infinite, on the far side, for noise. It is
        the entry level, or in a pruned tree the level at which the point's branch split off.
    entry : ndarray of shape (n_points,)
        The level at which the point enters as the sets grow.
    orientation : {+1, -1}
        Whether sets grow or shrink with the level.
    domain : tuple of float
        The range of levels.
    level_name : str
        What the level is called.
    hold_level : float, optional
        The level of the largest solved set; None where nothing is extrapolated.
    """

    parent: IntArray
    birth: FloatArray
    death: FloatArray
    node_of: IntArray
    exit: FloatArray
    entry: FloatArray
    orientation: int
    domain: tuple[float, float]
    level_name: str = "level"
    hold_level: float | None = None

    def __post_init__(self) -> None:
        for name in ("parent", "node_of", "birth", "death", "exit", "entry"):
            kind = np.int64 if name in ("parent", "node_of") else np.float64
            object.__setattr__(self, name, _frozen(np.array(getattr(self, name), dtype=kind)))
        if not len(self.parent) == len(self.birth) == len(self.death):
            raise ValueError("A tree needs one parent, one birth and one death for each node.")
        if np.any(self.parent >= np.arange(len(self.parent))):
            raise ValueError("In a tree parents must come before their children.")

    def __len__(self) -> int:
        return len(self.parent)

    @property
    def roots(self) -> IntArray:
        """Return the components of the largest solved set."""
        solved = ~self.extrapolated
        return np.flatnonzero(solved & ((self.parent < 0) | ~solved[self.parent]))

    @cached_property
    def extrapolated(self) -> NDArray[np.bool_]:
        """Return which nodes exist beyond ``hold_level`` only."""
        return _frozen(self._up(self.death) < self._hold)

    @cached_property
    def extrapolated_points(self) -> NDArray[np.bool_]:
        """Return which points enter beyond ``hold_level`` only: neither noise nor estimated."""
        return _frozen(np.isfinite(self.entry) & (self._up(self.entry) < self._hold))

    @property
    def leaves(self) -> IntArray:
        """Return the nodes that never split."""
        return np.setdiff1d(np.arange(len(self)), self.parent)

    def children(self, node: int) -> IntArray:
        """Return the nodes that ``node`` splits into."""
        return np.flatnonzero(self.parent == self._checked(node))

    def members(self, node: int) -> IntArray:
        """Return rows of the points inside ``node`` where it is largest: at its birth."""
        k = self._checked(node)
        return np.flatnonzero((self.node_of >= k) & (self.node_of < k + self._subtree[k]))

    @property
    def run_ends(self) -> IntArray:
        """Return for each node the end of the run of nodes that are itself or its descendants."""
        return np.arange(len(self)) + self._subtree

    @cached_property
    def size(self) -> IntArray:
        """Return the number of members of each node."""
        own = np.bincount(self.node_of[self.node_of >= 0], minlength=len(self))
        return _frozen(summed_up(self.parent, own))

    @property
    def mass(self) -> FloatArray:
        """Return the share of all points, noise included, that are members."""
        return self.size / max(1, len(self.node_of))

    @property
    def lifetime(self) -> FloatArray:
        """Return the width of the range of levels from birth to death."""
        return np.abs(self.death - self.birth)

    @cached_property
    def stability(self) -> FloatArray:
        """Return the excess of mass: the mass of each node, integrated over the levels of its life.

        HDBSCAN's stability of a cluster, with the family's level instead of an inverse distance. A
        root without end counts from the level at which all points are inside. Only solved levels
        count, so extrapolated nodes have none.
        """
        heights = (np.maximum(self._up(level), self._hold) for level in self.finite_levels())
        birth, death, exits = heights
        return _frozen(excess_of_mass(self.parent, self.node_of, birth, death, exits))

    def finite_levels(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return births, deaths and exits, infinite ones replaced by the nearest finite level."""
        parts = (self.birth, self.death, self.exit)
        every = np.concatenate(parts)
        every = every[np.isfinite(every)]
        low, high = (every.min(), every.max()) if every.size else (0.0, 0.0)
        birth, death, exits = (np.clip(part, low, high) for part in parts)
        return birth, death, exits

    def nodes_at(self, level: float) -> IntArray:
        """Return the clusters of the set at one level; beyond ``hold_level`` by extrapolation."""
        t = self._checked_height(level)
        born = (self._up(self.birth) < t) | (self.parent < 0)
        return np.flatnonzero(born & (t <= self._up(self.death)))

    def cut(self, level: float) -> IntArray:
        """Return flat clusters at one level: the position in `nodes_at` for each point.

        −1 outside the set, and in a pruned tree for points of pruned branches.
        """
        labels = self.labels(self.nodes_at(level))
        return np.where(self._up(self.exit) >= self._checked_height(level), labels, -1)

    def labels(self, nodes: ArrayLike) -> IntArray:
        """Return flat clusters from nodes, none of which may be the ancestor of another.

        The label is the position in ``nodes`` of the node a point is a member of, −1 where none.
        """
        chosen = np.asarray(nodes, dtype=np.int64).ravel()
        label_of = np.full(len(self) + 1, -1, dtype=np.int64)
        for label, k in enumerate(chosen):
            run = slice(self._checked(k), k + self._subtree[k])
            if np.any(label_of[run] >= 0):
                raise ValueError(f"Node {k} and another of the chosen nodes have the same points.")
            label_of[run] = label
        return label_of[self.node_of]

    def leaf_labels(self) -> IntArray:
        """Return the leaf each point is in, by position in `leaves`; −1 for none."""
        return self.labels(self.leaves)

    def select(self, *, allow_single_cluster: bool = False) -> IntArray:
        """Select the clusters of greatest total stability, none inside another.

        A node is kept where it is at least as stable as the best choice among its descendants.
        Extrapolated nodes are never selected.

        Parameters
        ----------
        allow_single_cluster : bool
            Whether a single root that splits may be selected.

        Returns
        -------
        ndarray of int
            Nodes, ascending; `labels` turns them into flat clusters.
        """
        roots, barred = self.roots, self.extrapolated.copy()
        if len(roots) == 1 < np.count_nonzero(~barred) and not allow_single_cluster:
            barred[roots] = True
        return most_stable(self.parent, self.stability, barred)

    def merge_level(self, a: int, b: int) -> float:
        """Return the level at which two points join as the sets grow; infinite if never.

        Beyond ``hold_level`` it is extrapolated. In a pruned tree it is the level at which their
        clusters join, or at which the later point leaves its branch.
        """
        never = self.orientation * np.inf
        k, m = int(self.node_of[a]), int(self.node_of[b])
        met = min(self._up(self.exit[a]), self._up(self.exit[b]))
        while k != m and min(k, m) >= 0:
            # Parents have smaller numbers: climb from the larger one.
            k, m = max(k, m), min(k, m)
            k = int(self.parent[k])
            met = min(met, self._up(self.death[k])) if k >= 0 else met
        return float(self._up(met)) if k == m >= 0 else never

    def prune(
        self,
        min_mass: float = 0.0,
        min_lifetime: float = 0.0,
        *,
        support: ArrayLike | None = None,
        min_support: float = 0.0,
    ) -> Tree:
        """Remove branches that are too small, too short, or too seldom found in resamples.

        Where a node splits and fewer than two parts are worth keeping, it does not split: it
        continues as the part worth keeping, or else as the longest-lived one. The points of the
        other parts leave the tree where these split off. Roots below the limits become noise,
        whether or not an extrapolated join connects them to others.

        Parameters
        ----------
        min_mass : float
            Least share of all points in a branch at its birth.
        min_lifetime : float
            Least range of levels from a branch's birth to the death of its longest-lived part; only
            solved levels count.
        support : array-like of shape (n_nodes,), optional
            Share of the resamples in which each branch is found again (`ResampledTrees.support`).
        min_support : float
            Least support of a branch. A branch with less is kept where one within it has enough.

        Returns
        -------
        Tree
        """
        if not (0 <= min_mass <= 1 and min_lifetime >= 0):
            raise ValueError(
                f"min_mass must be a share from 0 to 1 and min_lifetime 0 or more; "
                f"got {min_mass!r} and {min_lifetime!r}."
            )
        up = Pruned(
            self.parent, self._up(self.birth), self._up(self.death), self.node_of,
            self._up(self.exit),
        )  # fmt: skip
        # Shares are counted in points: 0.3 of ten points are three, whatever the rounding.
        least = min_mass * len(self.node_of) - 1e-9
        worthy = worthy_nodes(up, self._hold, least, min_lifetime)
        if min_support > 0:
            worthy = supported_nodes(self.parent, worthy, support, min_support)
        left = prune(up, worthy, self._hold)
        return replace(
            self, parent=left.parent, birth=self._up(left.birth), death=self._up(left.death),
            node_of=left.node_of, exit=self._up(left.exit),
        )  # fmt: skip

    def to_table(self) -> dict[str, NDArray[Any]]:
        """Return the nodes as columns of equal length, ready for a data frame."""
        return node_table(self)

    def edges(self) -> list[Edge]:
        """Return (parent, child, attributes) as ``networkx.DiGraph(tree.edges())`` takes them.

        ``extrapolated`` of an edge says whether its parent, and so the join, is.
        """
        return edge_list(self)

    def to_newick(self) -> str:
        """Return the tree in Newick notation: nodes by number, lifetimes as branch lengths.

        Several trees share a nameless root. A root without end counts from the level at which all
        points are inside. Extrapolated nodes have the comment ``[&extrapolated=1]``.
        """
        return newick(self)

    def _up(self, level: Any) -> Any:
        return -self.orientation * level  # to heights and back: higher means a smaller set

    @property
    def _hold(self) -> float:
        return -np.inf if self.hold_level is None else float(self._up(self.hold_level))

    @cached_property
    def _subtree(self) -> IntArray:
        return summed_up(self.parent, np.ones(len(self), dtype=np.int64))

    def _checked(self, node: int | np.integer) -> int:
        if not 0 <= node < len(self):
            raise IndexError(f"The tree has {len(self)} nodes, from 0 up; there is no node {node}.")
        return int(node)

    def _checked_height(self, level: float) -> float:
        low, high = self.domain
        if not low <= level <= high:
            raise ValueError(
                f"The {self.level_name} {level:g} is outside this tree's range: choose one from "
                f"{low:g} to {high:g}."
            )
        return float(self._up(level))


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array
