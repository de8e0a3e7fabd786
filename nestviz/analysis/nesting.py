"""How far the sets of a family are from being nested, measured.

As the level moves to larger sets, a point of a nested family enters once and stays. Here a point
has a finite union of intervals of levels at which it is inside; every *gap* after the first of
them, a range of larger sets without the point, is a violation. All measures below are counts of
such gaps over the locations of a region.
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
    """The two levels whose sets cross most: the meant-to-be smaller one sticks out furthest.

    Attributes
    ----------
    small, large : float
        Levels of the set that should be contained, and of the one that should contain it.
    area : float
        Volume of the locations in the first set that the second one leaves out.
    """

    small: float
    large: float
    area: float


@dataclass(frozen=True, eq=False)
class NestingReport:
    """Where, how much and between which levels the sets of a family fail to be nested.

    Exact in the level: no level is left out. Areas are counted on the locations of the region, so
    they are exact up to the pixels that a boundary cuts, or up to the sampling error of uniform
    points.

    Attributes
    ----------
    by_construction : bool
        Whether nesting is guaranteed. It is checked all the same, location by location: measures
        that are not zero show a defect.
    region_volume : float
        Volume of the whole region.
    area : float
        Volume of the locations whose membership is not monotone in the level.
    mass : float or None
        Share of the given points for which it is not; None without points.
    worst : WorstPair or None
        The two sets that cross most; None where no two of them do.
    levels : (k,) array
        Edges of the stretches on which `violation` is constant, ascending.
    violation : (k − 1,) array
        Between two edges, the volume of the locations outside the set at that level but inside some
        smaller one: what the successive union adds to it.
    interval_counts : (c,) array
        How many locations have 0, 1, 2, … intervals of levels.
    violated : (n,) array
        Which locations of the region are violated, in their order.
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
        """The violated area as a share of the region."""
        return self.area / self.region_volume

    def violation_at(self, levels: ArrayLike) -> FloatArray:
        """The violation at given levels; at an edge, that of the stretch above it.

        Beyond the domain, that of the nearest stretch.
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

    One pass over all breakpoints gives every location's intervals of levels; all else follows
    from their ends. The worst pair maximises the volume of G_a \\ G_b over *all* pairs of levels:
    a location with an interval followed by a gap is a rectangle in the plane of the two levels, and
    the point covered by most rectangles is found by one sweep, in O(R log R) for R rectangles.
    The reported levels lie in the middle of the cell in which that maximum is attained. Single
    levels, at which a location only touches the boundary, have no part in the worst pair and in the
    violation by level, though they count as violations.

    Parameters
    ----------
    family : SetFamily
        Any family.
    region : Grid or Reference
        Where to look: pixels, or uniform points of a box in any dimension. On a plane cut through
        more than two dimensions, pixels measure area within that plane.
    X : (n, d) array, optional
        Points that stand for the distribution of the data, best of all held-out ones: the
        training points of an exact path spend whole stretches of levels on the boundary.

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
    where = _places(region)
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


def _places(region: Reference | Grid) -> Reference:
    """The locations to look at; unlike a volume, an area may be asked for on a cut."""
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
    """The report of a nested family: only whether a location enters at all has to be looked up."""
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
