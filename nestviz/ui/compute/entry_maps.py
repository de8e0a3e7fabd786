"""Compute cluster trees and outlier rankings, with maps of their sets."""

from __future__ import annotations

from dataclasses import dataclass

from nestviz.analysis.level_sweep import Rings, outline
from nestviz.analysis.outliers import OutlierRanking, outlier_ranking
from nestviz.analysis.ranking import RankingScores, ranking_scores
from nestviz.analysis.set_volumes import SetVolumes
from nestviz.analysis.tree.pixel_outlines import entry_field, labelled_outlines
from nestviz.analysis.tree.tree import Tree
from nestviz.arrays import FloatArray, IntArray
from nestviz.data import Dataset
from nestviz.families import SetFamily
from nestviz.grids import Grid, Plane
from nestviz.ui.compute.methods import Fitted, top_level
from nestviz.ui.compute.tasks import Report
from nestviz.volume.reference import Reference, uniform_reference

FINE, COARSE = 150, 64
"""Pixels along a side; coarse where each pixel is scanned over hundreds of breakpoints."""
MANY_BREAKPOINTS = 100
ENOUGH, FEW = 2_048, 512
"""Locations by which volumes are counted in more than two dimensions; few as with pixels."""
SAME_LEVEL = 1e-6
"""Levels that differ by no more than this share of the highest one count as equal."""


@dataclass(frozen=True, eq=False)
class EntryMap:
    """The entry level of each pixel: all sets of a family in one map."""

    grid: Grid
    entry: FloatArray

    def outline(self, level: float) -> Rings:
        """Return rings around the set at a level."""
        return outline(entry_field(self.entry, level), self.grid)

    def parts(self, X: FloatArray, labels: IntArray, level: float) -> tuple[tuple[int, Rings], ...]:
        """Return the connected parts of the set at a level, each with the label of most points.

        Parts without a labelled point have a negative label.
        """
        from nestviz.analysis.tree.pixel_tree import label_parts

        field = entry_field(self.entry, level)
        pixels = label_parts(field >= 0, self.grid, X, labels)
        return labelled_outlines(field, pixels, self.grid)


@dataclass(frozen=True, eq=False)
class TreeResult:
    """A cluster tree and its entry map; ``top`` is the level that shares refer to."""

    tree: Tree
    entry_map: EntryMap
    top: float


@dataclass(frozen=True, eq=False)
class RankingResult:
    """An outlier ranking, the scores s+ and s−, and the entry map."""

    ranking: OutlierRanking
    scores: RankingScores
    entry_map: EntryMap
    top: float
    supports: Dataset | None = None  # The training points, where they are not those ranked


def grow(fitted: Fitted, X: FloatArray, plane: Plane, report: Report) -> TreeResult | None:
    """Return the cluster tree of a one-class solution; None where it was stopped."""
    from nestviz.analysis.tree.cluster_tree import cluster_tree

    if report(0.05, "finding connected parts"):
        return None
    tree = cluster_tree(fitted.family, X)
    if report(0.6, "drawing the sets"):
        return None
    top = top_level(X, fitted.spec.sigma, fitted.weights)
    return TreeResult(tree, entry_map(fitted, X, plane), top)


def grow_hdbscan(X: FloatArray, min_cluster_size: int, report: Report) -> Tree | None:
    """Return the condensed tree of HDBSCAN; None where it was stopped."""
    from nestviz.analysis.tree.hdbscan import hdbscan_tree

    if report(0.05, "connecting near points"):
        return None
    return hdbscan_tree(X, min_cluster_size)


def rank(fitted: Fitted, X: FloatArray, plane: Plane, report: Report) -> RankingResult | None:
    """Return the outlier ranking of a one-class solution; None where it was stopped."""
    if report(0.05, "drawing the sets"):
        return None
    family, top = fitted.family, top_level(X, fitted.spec.sigma, fitted.weights)
    drawn = entry_map(fitted, X, plane)
    if report(0.4, "computing volumes"):
        return None
    volumes = volumes_of(family, X, drawn)
    if report(0.6, "computing entry levels"):
        return None
    return RankingResult(ranking_of(family, X, top, volumes), ranking_scores(family, X), drawn, top)


def ranking_of(
    family: SetFamily, X: FloatArray, top: float, volumes: SetVolumes | None = None
) -> OutlierRanking:
    """Rank points by their entry level; levels that differ by rounding only are ties."""
    return outlier_ranking(family, X, volumes, resolution=SAME_LEVEL * top)


def volumes_of(family: SetFamily, X: FloatArray, drawn: EntryMap | None = None) -> SetVolumes:
    """Return volumes of sets as shares of a box around the data: of pixels in the plane.

    ``drawn`` is the entry map of data with two features, if there is one already.
    """
    many = family.levels.size > MANY_BREAKPOINTS
    if X.shape[1] != 2:
        return SetVolumes.of(family, uniform_reference(X, FEW if many else ENOUGH, relative=True))
    grid = Grid.around(X, resolution=COARSE if many else FINE) if drawn is None else drawn.grid
    entry = None if drawn is None else drawn.entry.ravel()
    return SetVolumes.of(family, Reference(grid, 1.0), entry)


def entry_map(fitted: Fitted, X: FloatArray, plane: Plane) -> EntryMap:
    """Return the entry map of a family in the plane."""
    many = fitted.family.levels.size > MANY_BREAKPOINTS
    grid = Grid.around(X, resolution=COARSE if many else FINE, plane=plane)
    return EntryMap(grid, fitted.family.first_level(grid).reshape(grid.shape))
