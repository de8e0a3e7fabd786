"""SetFamily: sets indexed by a level, with everything piecewise linear in that level.

A level θ picks the set ``G_θ = {x : g_θ(x) ≥ 0}`` with ``g_θ(x) = Σ_i c_i(θ) k(x_i, x) − r(θ)``.
Between breakpoints c and r are linear in θ, so for a fixed x so is g. The levels at which x is
inside are a finite union of intervals, found from roots and not from a grid of levels.

Sets are closed: a training point on the margin is inside. Where g is zero only because all terms
are zero (no coefficients, or underflow of the kernel) there is no boundary and the location is
outside; see `nestviz.boundary`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import BoolArray, FloatArray
from nestviz.boundary import VOID, near_zero
from nestviz.coefficients import PathRows
from nestviz.decision_sets import DecisionSet, blocks
from nestviz.grids import Grid
from nestviz.level_fields import NO_SIZES, LevelField, checked_points
from nestviz.path_scan import PathScan, kernel_values
from nestviz.scan_results import Intervals, Scan
from nestviz.scanning import LevelScan, intervals_chunk, scan_chunk

# Numbers in memory while a field is computed: 4 million doubles are 32 MB.
CHUNK = 1 << 22


@dataclass(frozen=True, eq=False)
class SetFamily(LevelField):
    """A family of sets whose coefficients and offset are piecewise linear in the level.

    Parameters
    ----------
    levels : ndarray of shape (n_levels,)
        Breakpoints, ascending. A level given twice is a jump: its first entry is the limit from
        below, its last one the value at the level and just above. Entries that no level can take
        (the middle of three equal ones) are dropped.
    coefficients : ndarray of shape (n_levels, n_centres) or PathRows
        c at each breakpoint: a table, or the changes along a solution path.
    offsets : ndarray of shape (n_levels,)
        r at each breakpoint.
    centres : ndarray of shape (n_centres, n_features)
        The points x_i.
    kernel : Kernel
        k.
    orientation : {+1, -1}
        +1 if the sets grow with the level, −1 if they shrink.
    domain : (low, high)
        The valid levels; both may be infinite. Default: first to last breakpoint.
    tail : float
        Slope of the offset beyond the breakpoints, where the coefficients stay constant.
    open_below : bool
        Whether the lower end of the domain itself is excluded (one class: λ > 0).
    is_nested : bool
        Whether nesting holds by construction.
    hold_level : float, optional
        The smallest level that was solved for, λ_M. Below it the coefficients stay constant while
        the threshold decreases, and sets are extrapolated. None if no set is.
    tolerance : float
        Field values at breakpoints up to this size count as zero: the point is on the boundary,
        and so inside. Estimators set it to rounding.
    level_name : str
        Name of the level in messages.

    Examples
    --------
    >>> import numpy as np
    >>> from nestviz.kernels import GaussianKernel
    >>> family = SetFamily([0.0, 1.0], [[1.0], [1.0]], [0.0, 1.0], [[0.0]], GaussianKernel(1.0), -1)
    >>> family.first_level([[0.0]])
    array([1.])
    """

    def at(self, level: float) -> DecisionSet:
        """Return the set at one level, interpolated between breakpoints.

        Parameters
        ----------
        level : float
            Level within the domain.

        Returns
        -------
        DecisionSet
        """
        return DecisionSet(self, float(self._checked_levels(level)[0]))

    def contains(self, X: ArrayLike | Grid, level: float) -> BoolArray:
        """Return whether each point is in the set at ``level``, its boundary included.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features) or Grid
            Points.
        level : float
            Level within the domain.

        Returns
        -------
        ndarray of shape (n_points,)
        """
        return self.values(X, level) >= 0

    def intervals(self, X: ArrayLike | Grid) -> Intervals:
        """Return the intervals of levels at which each point is inside, ascending.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features) or Grid
            Points.

        Returns
        -------
        Intervals
            One array of intervals for each point.
        """
        return self.scan_with_intervals(X)[1]

    def scan_with_intervals(self, X: ArrayLike | Grid) -> tuple[Scan, Intervals]:
        """Return `scan` and `intervals` of the points, from one evaluation of the field.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features) or Grid
            Points.

        Returns
        -------
        tuple of Scan and Intervals
        """
        if self.is_nested:
            scan = self.scan(X)
            return scan, self._single_intervals(scan.first)
        levels, (points, back), rows = self._level_scan, self._distinct(X), self.coefficients
        if isinstance(rows, PathRows):
            along = PathScan.of(self, rows, levels, points)
            chunks = [along.intervals(G) for G in kernel_values(self, points)]
        else:
            chunks = [intervals_chunk(levels, *chunk) for chunk in self._chunks(points)]
        scan = Scan.joined([scan for scan, _ in chunks])
        found = Intervals.joined([intervals for _, intervals in chunks])
        return (scan, found) if back is None else (scan.take(back), found.take(back))

    def scan(self, X: ArrayLike | Grid) -> Scan:
        """Return first and last level, violation and number of intervals, in one pass.

        For a family that is nested by construction only the first levels are computed; see
        `violations` for a check.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features) or Grid
            Points.

        Returns
        -------
        Scan
        """
        scan = self._plain_scan(X)
        return scan.united() if self.is_nested else scan

    def _plain_scan(self, X: ArrayLike | Grid) -> Scan:
        """Scan without trusting ``is_nested``."""
        levels, (points, back), rows = self._level_scan, self._distinct(X), self.coefficients
        if isinstance(rows, PathRows):
            along = PathScan.of(self, rows, levels, points)
            found = Scan.joined([along.scan(G) for G in kernel_values(self, points)])
        else:
            found = Scan.joined([scan_chunk(levels, *chunk) for chunk in self._chunks(points)])
        return found if back is None else found.take(back)

    def first_level(self, X: ArrayLike | Grid) -> FloatArray:
        """Return s+, the level at which each point first enters as the sets grow.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features) or Grid
            Points.

        Returns
        -------
        ndarray of shape (n_points,)
            For a point in no set −inf if sets shrink with the level, +inf if they grow; for a point
            in every set the end of the domain where sets are smallest.
        """
        return self.scan(X).first

    def last_level(self, X: ArrayLike | Grid) -> FloatArray:
        """Return s−, the level from which on each point stays inside as the sets grow.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features) or Grid
            Points.

        Returns
        -------
        ndarray of shape (n_points,)
            Equal to `first_level` exactly where membership is monotone in the level.
        """
        return self.scan(X).last

    def violations(self, X: ArrayLike | Grid, *, check: bool = False) -> BoolArray:
        """Return whether membership of each point is not monotone in the level.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features) or Grid
            Points.
        check : bool
            Whether to scan the field of a family that is nested by construction, too.

        Returns
        -------
        ndarray of shape (n_points,)
        """
        return self._plain_scan(X).violated if check else self.scan(X).violated

    def union(self) -> SetFamily:
        """Return the successive union of Lee & Scott (2007, section 3.4): once in, always in.

        Returns
        -------
        SetFamily
            The family itself if it is nested.
        """
        if self.is_nested:
            return self
        return UnionFamily(**self._parts)

    @property
    def _parts(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(SetFamily)}

    @property
    def _level_scan(self) -> LevelScan:
        low, high = self.domain or (0.0, 0.0)
        return LevelScan(
            self.levels, self.offsets, low, high,
            float(self.tail), bool(self.open_below), float(self.tolerance), int(self.orientation),
            self._limits,
        )  # fmt: skip

    def _single_intervals(self, first: FloatArray) -> Intervals:
        """Return one interval per point of nested sets, from its entry to the largest set."""
        low, high = self.domain or (0.0, 0.0)
        ends = np.full(first.shape, high if self.orientation == 1 else low)
        present = first != self.orientation * np.inf
        if self.orientation == 1:
            return Intervals.single(first, ends, present)
        return Intervals.single(ends, first, present)

    def _chunks(self, X: ArrayLike | Grid) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Yield kernel sums at all breakpoints for some points at a time, and sizes of their terms.

        Sizes are needed only where terms of different signs may have cancelled.
        """
        c, chunk = self.coefficients, max(1, CHUNK // (len(self.levels) + len(self.centres)))
        for block in blocks(X, chunk, self.centres.shape[1]):
            sums = self._kernel_sums(block, c)
            near = self._signed and near_zero(sums, self.offsets, float(self.tolerance)).any()
            yield sums, self._kernel_sums(block, c, sized=True) if near else NO_SIZES


@dataclass(frozen=True, eq=False)
class DerivedFamily(SetFamily):
    """A family of sets made nested by a rule; its fields are those of the family before."""

    _result = "A derived set"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "is_nested", True)

    @property
    def base(self) -> SetFamily:
        """Return the family that this one was made from."""
        return SetFamily(**{**self._parts, "is_nested": False})

    def coefficients_at(self, levels: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Raise TypeError: the set of a level has no single coefficient vector."""
        raise TypeError(
            f"{self._result} of sets has no single coefficient vector; ask its .base for the "
            "coefficients of the family it was made from."
        )


@dataclass(frozen=True, eq=False)
class UnionFamily(DerivedFamily):
    """The successive union of a family: ``G'_θ`` joins all sets on the small side of θ.

    Nested by definition, for any kernel. Membership, intervals and entry levels are exact. The
    field is the running maximum of the base family's field, also between breakpoints, where it
    has a kink if the level's own field exceeds that maximum.
    """

    _result = "A union"

    def field(self, X: ArrayLike | Grid) -> FloatArray:
        """Return the largest g over all sets that the union joins, at every breakpoint."""
        field = super().field(X)
        # A limit on the boundary counts only if the field next to it is not negative.
        if self._limits.any():
            negative = (field < 0.0) & (field != VOID)
            unreached = self._limits[:, None] & (field == 0.0)
            unreached[0] &= not self._constant_below
            if len(field) > 1 and self.levels[1] > self.levels[0]:
                unreached[0] &= negative[1]
            unreached[1:] &= negative[:-1]
            field[unreached] = VOID
        step = self.orientation
        return np.maximum.accumulate(field[::step], axis=0)[::step]

    @property
    def _constant_below(self) -> bool:
        """Whether all sets between the lower end and the first breakpoint are the same."""
        return self.tail == 0.0 and self.domain is not None and self.domain[0] < self.levels[0]

    def _plain_scan(self, X: ArrayLike | Grid) -> Scan:
        return super()._plain_scan(X).united()

    def _values(self, X: ArrayLike | Grid, wanted: FloatArray) -> FloatArray:
        """Return the largest g over each wanted level and all levels on its small side.

        A linear function is largest at one of its ends, so it is enough to compare breakpoints on
        the small side, the end of the domain and the level's own field.
        """
        ends = self._small_end(X)
        field = np.concatenate([self.field(X), ends[None]])
        after = np.searchsorted(self.levels, wanted, side="right")
        if self.orientation == 1:
            index = after - 1
        else:
            # at a jump the limit from below is on the large side: start from the last entry
            index = after - (self.levels[np.maximum(after - 1, 0)] == wanted)
            index = np.where(index == len(self.levels), -1, index)
        return np.maximum(np.maximum(self.base._values(X, wanted), field[index]), ends)

    def _small_end(self, X: ArrayLike | Grid) -> FloatArray:
        """Return g at the end of the domain on the small side; −inf if that is infinite."""
        low, high = self.domain or (0.0, 0.0)
        end = low if self.orientation == 1 else high
        if np.isinf(end):
            n = X.size if isinstance(X, Grid) else len(checked_points(X, self.centres.shape[1]))
            return np.full(n, -np.inf)
        at_end = self.base._values(X, np.array([end]))[0]
        # No level takes an open end: a boundary there belongs to no set.
        is_open = self.open_below and self.orientation == 1 and not self._constant_below
        return np.where(at_end == 0.0, VOID, at_end) if is_open else at_end
