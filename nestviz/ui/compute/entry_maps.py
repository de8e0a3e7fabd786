"""What the Cluster tree and Outliers pages compute. Knows nothing of Streamlit: workers run it."""

from __future__ import annotations

from dataclasses import dataclass

from nestviz.analysis.level_sweep import Rings, outline
from nestviz.analysis.outliers import OutlierRanking, outlier_ranking
from nestviz.analysis.ranking import RankingScores, ranking_scores
from nestviz.analysis.tree.pixel_outlines import entry_field, labelled_outlines
from nestviz.analysis.tree.tree import Tree
from nestviz.arrays import FloatArray, IntArray
from nestviz.families import SetFamily
from nestviz.grids import Grid, Plane
from nestviz.ui.compute.methods import Fitted, top_level
from nestviz.ui.compute.tasks import Report

FINE, COARSE = 150, 64
"""Pixels along a side; coarse where every pixel is looked at in hundreds of breakpoints."""
MANY_BREAKPOINTS = 100
SAME_LEVEL = 1e-6
"""Levels that differ by no more than this share of the highest one count as the same."""


@dataclass(frozen=True, eq=False)
class Places:
    """When each pixel enters as the sets grow: all sets of a family in one map."""

    grid: Grid
    entry: FloatArray

    @property
    def view(self) -> tuple[float, float, float, float]:
        """The part of the plane that is shown."""
        return self.grid.inner_box

    def outline(self, level: float) -> Rings:
        """Rings around the set at a level."""
        return outline(entry_field(self.entry, level), self.grid)

    def parts(self, X: FloatArray, labels: IntArray, level: float) -> tuple[tuple[int, Rings], ...]:
        """The connected parts of the set at a level, by the label that most of their points have.

        Parts without a point of any label have a negative one.
        """
        from nestviz.analysis.tree.pixel_tree import label_parts

        field = entry_field(self.entry, level)
        pixels = label_parts(field >= 0, self.grid, X, labels)
        return labelled_outlines(field, pixels, self.grid)


@dataclass(frozen=True, eq=False)
class Grown:
    """A cluster tree with the map of its sets; ``top`` is the level that shares refer to."""

    tree: Tree
    places: Places
    top: float


@dataclass(frozen=True, eq=False)
class Ranked:
    """Points ranked by a family, their two scores, and the map of its sets."""

    ranking: OutlierRanking
    scores: RankingScores
    places: Places
    top: float


def grow(fitted: Fitted, X: FloatArray, plane: Plane, report: Report) -> Grown | None:
    """The cluster tree of a one-class solution; None where it was stopped."""
    from nestviz.analysis.tree.cluster_tree import cluster_tree

    if report(0.05, "looking at what is connected"):
        return None
    tree = cluster_tree(fitted.family, X)
    if report(0.6, "drawing the sets"):
        return None
    return Grown(tree, places(fitted, X, plane), top_level(X, fitted.spec.sigma))


def rank(fitted: Fitted, X: FloatArray, plane: Plane, report: Report) -> Ranked | None:
    """The outlier ranking of a one-class solution; None where it was stopped."""
    if report(0.05, "computing when each point enters"):
        return None
    top = top_level(X, fitted.spec.sigma)
    ranking = ranking_of(fitted.family, X, top)
    scores = ranking_scores(fitted.family, X)
    if report(0.6, "drawing the sets"):
        return None
    return Ranked(ranking, scores, places(fitted, X, plane), top)


def ranking_of(family: SetFamily, X: FloatArray, top: float) -> OutlierRanking:
    """Rank points by the level at which they enter; levels too close to tell apart are ties."""
    return outlier_ranking(family, X, resolution=SAME_LEVEL * top)


def places(fitted: Fitted, X: FloatArray, plane: Plane) -> Places:
    """The map of a family's sets in the plane."""
    many = fitted.breakpoints > MANY_BREAKPOINTS
    grid = Grid.around(X, resolution=COARSE if many else FINE, plane=plane)
    return Places(grid, fitted.family.first_level(grid).reshape(grid.shape))
