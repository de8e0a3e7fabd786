"""Measures of how far the sets of a family are from being nested.

As the level moves to larger sets, a point of a nested family enters once and stays. In general a
point is inside on a finite union of intervals of levels. Every *gap* after the first interval is a
violation; all measures here count such gaps over the locations of a region.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from nestviz.analysis.crossings import Spans, depth, violated_points, worst_crossing
from nestviz.arrays import BoolArray, FloatArray, IntArray
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.volume.reference import Reference, as_reference


@dataclass(frozen=True, eq=False)
class WorstPair:
    """Two sets that should be nested and cross: the smaller one is not contained in the larger one.

    Attributes
    ----------
    small, large : float
        Levels of the set that should be contained, and of the one that should contain it.
    area : float
        Volume of the locations in the first set that are not in the second.
    """

    small: float
    large: float
    area: float


@dataclass(frozen=True, eq=False)
class NestingReport:
    """Where, how much and between which levels the sets of a family fail to be nested.

    Exact in the level. Areas are counted on the locations of the region: exact up to the pixels on
    a boundary, or up to the sampling error of uniform points.

    Attributes
    ----------
    by_construction : bool
        Whether nesting is guaranteed. It is checked all the same, location by location: measures
        other than zero then show a defect.
    region_volume : float
        Volume of the whole region.
    area : float
        Volume of the locations whose membership is not monotone in the level.
    mass : float or None
        Share of the given points for which it is not; None without points.
    worst : WorstPair or None
        The two sets that cross most; None where no two sets cross.
    levels : ndarray of shape (k,)
        Edges of the ranges in which `violation` is constant, ascending.
    violation : ndarray of shape (k - 1,)
        Between two edges, the volume of the locations outside the set at that level but inside some
        smaller one: what the successive union adds.
    interval_counts : ndarray of shape (c,)
        How many locations have 0, 1, 2, … intervals of levels.
    violated : ndarray of shape (n_locations,)
        Which locations of the region are violated.
    """

    by_construction: bool
    region_volume: float
    area: float
    mass: float | None
    worst: WorstPair | None
    levels: FloatArray
    violation: FloatArray
    interval_counts: IntArray
    violated: BoolArray

    @property
    def share(self) -> float:
        """Return the violated area as a share of the region."""
        return self.area / self.region_volume

    def violation_at(self, levels: ArrayLike) -> FloatArray:
        """Return the violation at given levels; at an edge, that of the range above it.

        Beyond the domain the nearest range counts.
        """
        wanted = np.asarray(levels, dtype=np.float64)
        if not self.violation.size:
            return np.zeros(wanted.shape)
        stretch = np.searchsorted(self.levels, wanted, side="right") - 1
        return self.violation[np.clip(stretch, 0, self.violation.size - 1)]


def nesting_report(
    family: SetFamily, region: Reference | Grid, X: ArrayLike | None = None
) -> NestingReport:
    """Measure the violation of nesting over a region of feature space.

    One pass over all breakpoints gives the intervals of levels of every location; the rest follows
    from their ends. The worst pair maximises the volume of G_a \\ G_b over *all* pairs of levels:
    an interval followed by a gap is a rectangle in the plane of the two levels, and the point
    covered by most rectangles is found by one sweep, in O(R log R) for R rectangles. The reported
    levels lie in the middle of the cell of the maximum. Single levels at which a location only
    touches the boundary count as violations, but not for the worst pair and the violation by level.

    Parameters
    ----------
    family : SetFamily
        Any family.
    region : Grid or Reference
        Pixels, or uniform points of a box in any dimension. On a plane through more than two
        dimensions, pixels measure area within that plane.
    X : array-like of shape (n_points, n_features), optional
        A sample of the data, preferably held out: the training points of an exact path stay on the
        boundary over whole ranges of levels.

    Returns
    -------
    NestingReport

    Examples
    --------
    >>> from nestviz import Grid, ParzenLevelSets
    >>> X = [[0.0, 0.0], [1.0, 1.0]]
    >>> family = ParzenLevelSets(sigma=0.5).fit(X).family_
    >>> report = nesting_report(family, Grid.around(X, resolution=20), X)
    >>> report.by_construction, report.area, report.mass
    (True, 0.0, 0.0)
    """
    where = _locations(region)
    cell = where.volume / where.size
    by_construction = family.is_nested
    if by_construction:
        if not family.violations(where.points, check=True).any():
            return _nothing_crosses(family, where, X)
        family = replace(family, is_nested=False)
    intervals = family.intervals(where.points)
    spans = Spans.of(family, intervals)
    edges, counts = depth(spans.upper, spans.gap_end, spans.low, spans.high)
    violated = violated_points(family, where.points, intervals)
    # Spans run in the direction of growth; the levels of a shrinking family are turned back.
    turn = family.orientation
    return NestingReport(
        by_construction=by_construction,
        region_volume=where.volume,
        area=cell * int(violated.sum()),
        mass=None if X is None else _share(family.violations(X)),
        worst=_worst_pair(spans, turn, cell),
        levels=turn * edges[::turn],
        violation=cell * counts[::turn].astype(np.float64),
        interval_counts=np.bincount(intervals.counts),
        violated=violated,
    )


def _locations(region: Reference | Grid) -> Reference:
    """Return the locations; unlike a volume, an area may be measured on a plane."""
    if isinstance(region, Grid) and min(region.shape) > 1:
        return Reference(region, region.cell_area * region.size)
    return as_reference(region)


def _worst_pair(spans: Spans, turn: int, cell: float) -> WorstPair | None:
    found = worst_crossing(spans)
    if found is None:
        return None
    count, small, large = found
    return WorstPair(turn * small, turn * large, cell * count)


def _nothing_crosses(family: SetFamily, where: Reference, X: ArrayLike | None) -> NestingReport:
    """Return the report of a nested family: only entry has to be computed."""
    low, high = family.domain or (-np.inf, np.inf)
    return NestingReport(
        by_construction=True,
        region_volume=where.volume,
        area=0.0,
        mass=None if X is None else _share(family.violations(X, check=True)),
        worst=None,
        levels=np.array([low, high]),
        violation=np.zeros(1),
        interval_counts=np.bincount(family.scan(where.points).counts),
        violated=np.zeros(where.size, dtype=np.bool_),
    )


def _share(violated: BoolArray) -> float:
    if not violated.size:
        raise ValueError("There are no points in X to take the mass from.")
    return float(violated.mean())
