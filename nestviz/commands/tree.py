"""``nestviz tree``: which points of a file are connected at which level."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nestviz.analysis.resampling.trees import resample_trees
from nestviz.analysis.tree.agreement import cluster_agreement
from nestviz.analysis.tree.cluster_tree import cluster_tree
from nestviz.analysis.tree.hdbscan import hdbscan_tree, smallest_cluster
from nestviz.analysis.tree.layout import cluster_counts, inherited_labels
from nestviz.analysis.tree.tree import Tree
from nestviz.arrays import FloatArray, IntArray
from nestviz.commands import console, methods, numbers, outputs, sources, tables
from nestviz.commands.console import Console
from nestviz.commands.ending import UsageError
from nestviz.commands.sources import Points
from nestviz.ui.compute.methods import top_level

DESCRIPTION = """\
Build the tree of connected parts of the sets over all levels, as the page Cluster tree does, and
cut it into flat clusters. A cluster has the number of its branch; -1 is none.

CSV has one line for each point (--table points: row of the file, identifiers, cluster, last branch,
level of entry, features), for each branch (branches) or for each edge of the tree (edges). JSON has
the branches with parent, birth, death, size, stability and rows; Newick is for other programs.

--min-support fits to samples drawn from the data, and prunes branches that are not found again in
that share of them, by half of their points or more; branches then have their support.

--hdbscan also finds the clusters of HDBSCAN, none smaller than --min-mass: another column of the
points, by HDBSCAN's own branches, and in JSON the adjusted Rand index of both."""
EXAMPLES = """\
examples:
  nestviz tree data.csv --clusters 3 > clusters.csv
  nestviz tree data.csv --stable --sigma miv --output tree.json
  nestviz tree data.csv --output tree.nwk
  nestviz tree data.csv --table branches --min-mass 0.05
  nestviz tree data.csv --stable --hdbscan > clusters.csv
"""
ENDINGS = {"csv": (".csv",), "json": (".json",), "newick": (".nwk", ".newick")}
LEVELS, SPACING, CUT, LEAST = 21, "geometric", 0.3, 0.02
"""The settings of the page."""


@dataclass(frozen=True, eq=False)
class Clusters:
    """A pruned tree, its clusters, and the level of the cut; None for the most stable ones."""

    tree: Tree
    nodes: IntArray
    labels: IntArray
    level: float | None
    other: Clusters | None = None
    """HDBSCAN's, to compare with."""
    support: FloatArray | None = None
    """The share of the resamples in which each branch is found again, where that is known."""

    @property
    def numbers(self) -> IntArray:
        """The cluster of each point by the number of its branch; −1 for none."""
        return np.append(self.nodes, -1)[self.labels]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options to the parser of the command."""
    parser.description, parser.epilog = DESCRIPTION, EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    sources.add_options(parser)
    group = parser.add_argument_group("tree")
    methods.add_method(group, methods.choices("one class"), "parzen")
    methods.add_settings(group)
    group.add_argument(
        "--min-mass", type=numbers.share, default=LEAST, metavar="SHARE",
        help=f"prune branches with a smaller share of the points ({LEAST:g})",
    )  # fmt: skip
    group.add_argument(
        "--min-support", type=numbers.share, default=0.0, metavar="SHARE",
        help="prune branches that are found again in a smaller share of 200 bootstrap samples (0)",
    )  # fmt: skip
    cut = group.add_mutually_exclusive_group()
    cut.add_argument(
        "--cut", type=numbers.number, metavar="SHARE",
        help=f"cut at a level, as a share of the highest ({CUT:g})",
    )  # fmt: skip
    cut.add_argument("--at-level", type=numbers.number, metavar="LEVEL", help="cut at a level")
    cut.add_argument(
        "--clusters", type=numbers.positive, metavar="N",
        help="cut into N clusters, in the middle of the longest range of levels with that many",
    )  # fmt: skip
    cut.add_argument("--stable", action="store_true", help="take the most stable branches")
    group.add_argument(
        "--hdbscan", action="store_true", help="compare with the clusters of HDBSCAN"
    )
    outputs.add_options(parser, ENDINGS)
    parser.add_argument(
        "--table", choices=("points", "branches", "edges"), default="points",
        help="what a CSV has lines for (default: points)",
    )  # fmt: skip
    console.add_options(parser)


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit status."""
    said, target = Console.of(options), outputs.target_of(options, ENDINGS)
    points = sources.read_points(options, said)
    fitted = methods.solve(options, points, said, levels=LEVELS, spacing=SPACING)
    X = points.fitted.X
    with said.progress("Growing the tree"):
        whole = cluster_tree(fitted.family, X)
    top = top_level(X, fitted.spec.sigma)
    tree, support = whole.prune(min_mass=options.min_mass), None
    if options.min_support > 0:
        with said.progress("Growing the trees of resamples"):
            trees = resample_trees(fitted.estimator, X, n_jobs=-1)
        tree = tree.prune(support=trees.support(tree), min_support=options.min_support)
        support = trees.support(tree)
    found = replace(_cut(tree, top, options), support=support)
    if options.hdbscan:
        found = _compared(found, X, options.min_mass, said)
    if target.form == "newick":
        target.write(found.tree.to_newick() + "\n")
    elif target.form == "csv":
        target.write(tables.to_csv(_table(options.table, found, points)))
    else:
        head = {"method": options.method.name, "sigma": fitted.spec.sigma, "highest_level": top}
        target.write(tables.to_json(head | _description(found, points)))
    return 0


def _cut(tree: Tree, top: float, options: argparse.Namespace) -> Clusters:
    if options.stable:
        nodes = tree.select()
        return Clusters(tree, nodes, tree.labels(nodes), None)
    if options.clusters is not None:
        level = _level_with(tree, options.clusters)
    elif options.at_level is not None:
        level = options.at_level
    else:
        level = (CUT if options.cut is None else options.cut) * top
    return Clusters(tree, tree.nodes_at(level), tree.cut(level), level)


def _compared(found: Clusters, X: FloatArray, min_mass: float, said: Console) -> Clusters:
    """Return the clusters with those of HDBSCAN beside them, and say how far both agree."""
    if len(X) < 2:
        raise UsageError("HDBSCAN needs two or more points.")
    tree = hdbscan_tree(X, smallest_cluster(len(X), min_mass))
    nodes = tree.select()
    other = Clusters(tree, nodes, tree.labels(nodes), None)
    agreement = cluster_agreement(found.labels, other.labels).all_points
    said.say(f"HDBSCAN: {len(nodes)} clusters, adjusted Rand index {agreement:.4f}.")
    return replace(found, other=other)


def _level_with(tree: Tree, count: int) -> float:
    """Return the middle of the longest range of levels at which there are so many clusters."""
    levels, counts = cluster_counts(tree)
    at = np.flatnonzero(counts[:-1] == count)
    if not at.size:
        known = ", ".join(str(n) for n in np.unique(counts[counts > 0])) or "none"
        raise UsageError(f"No level has {count} clusters. Possible numbers: {known}.")
    longest = at[np.argmax(np.abs(levels[at + 1] - levels[at]))]
    return float((levels[longest] + levels[longest + 1]) / 2.0)


def _table(which: str, found: Clusters, points: Points) -> dict[str, Any]:
    tree = found.tree
    if which == "branches":
        return _branches(found)
    if which == "edges":
        rows = [{"parent": a, "child": b, **more} for a, b, more in tree.edges()]
        names = ("parent", "child", "birth", "death", "mass", "stability", "extrapolated")
        return {name: [row[name] for row in rows] for name in names}
    own = {
        "cluster": found.numbers,
        "branch": tree.node_of,
        "entry_level": tree.entry,
        "extrapolated": tree.extrapolated_points,
    }
    if found.other is not None:
        own["hdbscan_cluster"] = found.other.numbers
    return tables.arranged(points, own)


def _branches(found: Clusters) -> dict[str, Any]:
    """Return one row per branch, with the cluster that it belongs to."""
    columns = dict(found.tree.to_table())
    clusters = np.append(found.nodes, -1)[inherited_labels(found.tree, found.nodes)]
    named = {"branch": columns.pop("node"), "cluster": clusters}
    return named | columns | ({} if found.support is None else {"support": found.support})


def _description(found: Clusters, points: Points) -> dict[str, Any]:
    tree = found.tree
    rows = [points.rows[tree.members(k)] for k in range(len(tree))]
    branches = tables.records(_branches(found) | {"rows": rows})
    for branch in branches:
        for name in ("cluster", "parent"):
            branch[name] = None if branch[name] < 0 else branch[name]
    compared = {}
    if found.other is not None:
        agreement = cluster_agreement(found.labels, found.other.labels)
        compared = {"hdbscan": {"clusters": found.other.nodes} | agreement._asdict()}
    return compared | {
        "level_name": tree.level_name,
        "cut": found.level,
        "smallest_solved_level": tree.hold_level,
        "clusters": found.nodes,
        "branches": branches,
    }
