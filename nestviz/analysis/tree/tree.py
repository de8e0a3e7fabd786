"""`Tree`: clusters that split as the sets shrink, and what can be asked of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.analysis.tree.exports import Edge, edge_list, node_table
from nestviz.analysis.tree.newick import newick
from nestviz.analysis.tree.pruning import Pruned, prune, worthy_nodes
from nestviz.analysis.tree.selection import excess_of_mass, most_stable, summed_up
from nestviz.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Tree:
    """Connected components of a family's sets, from the largest set to the smallest.

    A node is a component over the range of levels in which it stays in one piece. It is born where
    its parent splits (roots: at the end of the domain where the sets are largest) and dies where
    it splits itself or vanishes. Levels are the family's own: with shrinking sets death lies above
    birth, with growing ones below. Sets are closed: at the level of its death a node is still
    there, at that of its birth its parent is.

    A family with a smallest solved level (`SetFamily.hold_level`) has a *forest*: parts that are
    apart in its largest solved set are roots. What happens beyond that level is extrapolated; the
    joins found there are kept, as nodes marked `extrapolated`.

    Attributes
    ----------
    parent : (K,) array
        Parent of each node, −1 where there is none; that of a root may be extrapolated. Parents
        come before their children, each subtree is a run of consecutive nodes, and of siblings
        the one with more points comes first.
    birth, death : (K,) arrays
        Levels between which the node lives. A birth may be infinite, and that of a root lies
        beyond ``hold_level``.
    node_of : (n,) array
        The last node each point belongs to as the sets shrink; −1 for noise, the points that are
        in no set, or only in pruned roots.
    exit : (n,) array
        The level at which the point leaves that node; infinite, on the far side, for noise. It is
        the entry level, or in a pruned tree the level at which the point's branch parted.
    entry : (n,) array
        The level at which the point enters as the sets grow.
    orientation : {+1, -1}
        Whether sets grow or shrink with the level.
    domain : (low, high)
        Levels that have a meaning.
    level_name : str
        What the level is called in words.
    hold_level : float, optional
        The level of the largest set that was solved for; None where nothing is extrapolated.
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

    # ------------------------------------------------------------------ nodes

    @property
    def roots(self) -> IntArray:
        """Components of the largest set that was solved for."""
        solved = ~self.extrapolated
        return np.flatnonzero(solved & ((self.parent < 0) | ~solved[self.parent]))

    @cached_property
    def extrapolated(self) -> NDArray[np.bool_]:
        """Nodes that live beyond ``hold_level`` only: they split where nothing was solved."""
        return _frozen(self._up(self.death) < self._hold)

    @cached_property
    def extrapolated_points(self) -> NDArray[np.bool_]:
        """Points that come in beyond ``hold_level`` only: not noise, but not estimated either."""
        return _frozen(np.isfinite(self.entry) & (self._up(self.entry) < self._hold))

    @property
    def leaves(self) -> IntArray:
        """Nodes that never split."""
        return np.setdiff1d(np.arange(len(self)), self.parent)

    def children(self, node: int) -> IntArray:
        """The nodes that this one splits into."""
        return np.flatnonzero(self.parent == self._checked(node))

    def members(self, node: int) -> IntArray:
        """Rows of the points inside the node where it is largest: at its birth."""
        k = self._checked(node)
        return np.flatnonzero((self.node_of >= k) & (self.node_of < k + self._subtree[k]))

    @cached_property
    def size(self) -> IntArray:
        """Number of members of each node."""
        own = np.bincount(self.node_of[self.node_of >= 0], minlength=len(self))
        return _frozen(summed_up(self.parent, own))

    @property
    def mass(self) -> FloatArray:
        """Share of all points, noise included, that are members."""
        return self.size / max(1, len(self.node_of))

    @property
    def lifetime(self) -> FloatArray:
        """Width of the range of levels from birth to death."""
        return np.abs(self.death - self.birth)

    @cached_property
    def stability(self) -> FloatArray:
        """Excess of mass: the mass of a node, integrated over the levels of its life.

        HDBSCAN's stability of a cluster, with the family's level in place of an inverse distance.
        An endless root counts from the level at which all points are in. Only solved levels count,
        so extrapolated nodes have none.
        """
        heights = (np.maximum(self._up(level), self._hold) for level in self.finite_levels())
        birth, death, exits = heights
        return _frozen(excess_of_mass(self.parent, self.node_of, birth, death, exits))

    def finite_levels(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Births, deaths and exits with the infinite ones moved to the nearest finite level."""
        parts = (self.birth, self.death, self.exit)
        every = np.concatenate(parts)
        every = every[np.isfinite(every)]
        low, high = (every.min(), every.max()) if every.size else (0.0, 0.0)
        birth, death, exits = (np.clip(part, low, high) for part in parts)
        return birth, death, exits

    # ------------------------------------------------------------------ flat clusters

    def nodes_at(self, level: float) -> IntArray:
        """The clusters of the set at one level; beyond ``hold_level`` by extrapolation."""
        t = self._checked_height(level)
        born = (self._up(self.birth) < t) | (self.parent < 0)
        return np.flatnonzero(born & (t <= self._up(self.death)))

    def cut(self, level: float) -> IntArray:
        """Flat clusters at one level: a label per point by `nodes_at`, −1 outside the set.

        In a pruned tree the points of pruned branches are −1 as well.
        """
        labels = self.labels(self.nodes_at(level))
        return np.where(self._up(self.exit) >= self._checked_height(level), labels, -1)

    def labels(self, nodes: ArrayLike) -> IntArray:
        """The position in ``nodes`` of the node each point is a member of, −1 where none.

        None of the nodes may be the ancestor of another.
        """
        chosen = np.asarray(nodes, dtype=np.int64).ravel()
        label_of = np.full(len(self) + 1, -1, dtype=np.int64)
        for label, k in enumerate(chosen):
            run = slice(self._checked(k), k + self._subtree[k])
            if np.any(label_of[run] >= 0):
                raise ValueError(f"Node {k} and another of the chosen nodes hold the same points.")
            label_of[run] = label
        return label_of[self.node_of]

    def leaf_labels(self) -> IntArray:
        """The leaf each point is in, by position in `leaves`; −1 where it left before any."""
        return self.labels(self.leaves)

    def select(self, *, allow_single_cluster: bool = False) -> IntArray:
        """The clusters of greatest total stability, none inside another.

        A node is kept where it is at least as stable as the best choice among its descendants;
        extrapolated ones never are.

        Parameters
        ----------
        allow_single_cluster : bool
            Whether the root may be chosen where there is only one and it splits.

        Returns
        -------
        nodes, ascending; `labels` turns them into flat clusters
        """
        roots, barred = self.roots, self.extrapolated.copy()
        if len(roots) == 1 < np.count_nonzero(~barred) and not allow_single_cluster:
            barred[roots] = True
        return most_stable(self.parent, self.stability, barred)

    def merge_level(self, a: int, b: int) -> float:
        """The level at which two points come together as the sets grow; infinite if never.

        Beyond ``hold_level`` it is extrapolated: in the largest solved set they are apart.
        In a pruned tree: at which their clusters do, or the later of them leaves its branch.
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

    # ------------------------------------------------------------------ pruning

    def prune(self, min_mass: float = 0.0, min_lifetime: float = 0.0) -> Tree:
        """A tree without the branches that are too small or too short.

        Where a node splits and fewer than two parts are worth keeping, it does not split: it goes
        on as the part worth keeping, or else as the one that lives longest. The points of the
        other parts leave the tree where these part. Roots below the limits become noise, whether
        or not an extrapolated join ties them to others.

        Parameters
        ----------
        min_mass : float
            Least share of all points that a branch must hold at its birth.
        min_lifetime : float
            Least range of levels from a branch's birth to the death of its longest-lived part;
            only solved levels count.
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
        # Shares are counted in points: 0.3 of ten of them are three, whatever the rounding.
        least = min_mass * len(self.node_of) - 1e-9
        left = prune(up, worthy_nodes(up, self._hold, least, min_lifetime), self._hold)
        return replace(
            self, parent=left.parent, birth=self._up(left.birth), death=self._up(left.death),
            node_of=left.node_of, exit=self._up(left.exit),
        )  # fmt: skip

    # ------------------------------------------------------------------ export

    def to_table(self) -> dict[str, NDArray[Any]]:
        """Columns of equal length, one row per node; ready for a data frame."""
        return node_table(self)

    def edges(self) -> list[Edge]:
        """(parent, child, attributes), as ``networkx.DiGraph(tree.edges())`` takes them.

        ``extrapolated`` says of an edge whether its parent is: whether the join is.
        """
        return edge_list(self)

    def to_newick(self) -> str:
        """The tree in Newick's notation: nodes by number, lifetimes as branch lengths.

        Several trees hang together under a nameless one. An endless root counts from the level at
        which all points are in. Extrapolated nodes carry the comment ``[&extrapolated=1]``.
        """
        birth, death, _ = self.finite_levels()
        return newick(self.parent, np.abs(death - birth), self.extrapolated)

    # ------------------------------------------------------------------ inside

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
