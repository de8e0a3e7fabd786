"""SetFamily: sets indexed by a level, with everything piecewise linear in that level.

A level θ picks the set ``G_θ = {x : g_θ(x) ≥ 0}`` with ``g_θ(x) = Σ_i c_i(θ) k(x_i, x) − r(θ)``.
Between breakpoints c and r are linear in θ, so for a fixed x so is g: where x is in and where it
is out is a finite union of intervals of θ, found from roots and not from a grid of levels.

Sets are closed: a training point on the margin is inside. Where g is zero only because there is
nothing to add up (every coefficient is zero, or every kernel value underflows) there is no
boundary, and the location is outside. `nestviz.boundary` decides that; for everything else
``values(X, level) >= 0`` is the rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import BoolArray, FloatArray
from nestviz.boundary import VOID, near_zero
from nestviz.coefficients import PathRows
from nestviz.grids import Grid
from nestviz.level_fields import NO_SIZES, KernelValues, LevelField, checked_points, without_signs
from nestviz.scanning import Intervals, Scan, Walk, intervals_chunk, scan_chunk

# Numbers held at once while a field is computed: 4 million doubles are 32 MB.
CHUNK = 1 << 22


@dataclass(frozen=True, eq=False)
class SetFamily(LevelField):
    """A family of sets whose coefficients and offset are piecewise linear in the level.

    Parameters
    ----------
    levels : (M,) array
        Breakpoints, ascending. A level given twice is a jump: its first entry is the limit from
        below, its last one the value at the level and just above. Entries that no level can take
        (the middle of three equal ones) are dropped.
    coefficients : (M, N) array or PathRows
        c at each breakpoint: a table, or what a solution path changes from one to the next.
    offsets : (M,) array
        r at each breakpoint.
    centres : (N, d) array
        The points x_i that the kernel is centred on.
    kernel : Kernel
        k.
    orientation : {+1, -1}
        +1 when the sets are meant to grow with the level, −1 when they are meant to shrink.
    domain : (low, high)
        The levels that have a meaning; both may be infinite. Default: first to last breakpoint.
    tail : float
        Slope of the offset beyond the breakpoints, where the coefficients stay constant.
    open_below : bool
        Whether the lower end of the domain itself is excluded (one class: λ > 0).
    is_nested : bool
        Whether nesting holds by construction.
    hold_level : float, optional
        The smallest level that was solved for, λ_M: below it the coefficients are held while the
        threshold goes on, and what happens there is extrapolated. None where nothing is.
    tolerance : float
        Field values at breakpoints up to this size count as zero: the point lies *on* the
        boundary there, inside. Estimators set it to rounding.
    level_name : str
        What the level is called in words.

    Examples
    --------
    >>> import numpy as np
    >>> from nestviz.kernels import GaussianKernel
    >>> family = SetFamily([0.0, 1.0], [[1.0], [1.0]], [0.0, 1.0], [[0.0]], GaussianKernel(1.0), -1)
    >>> family.first_level([[0.0]])
    array([1.])
    """

    # ------------------------------------------------------------------ one level

    def at(self, level: float) -> DecisionSet:
        """The set at one level, interpolated between breakpoints."""
        return DecisionSet(self, self._checked_level(level))

    def contains(self, X: ArrayLike | Grid, level: float) -> BoolArray:
        """Return whether each point is in the set at ``level``, its boundary included."""
        return self.values(X, level) >= 0

    # ------------------------------------------------------------------ all levels

    def intervals(self, X: ArrayLike | Grid) -> Intervals:
        """For each point the intervals of levels at which it is inside, ascending."""
        if self.is_nested:
            return self._single_intervals(X)
        walk, (places, back) = self._walk, self._distinct(X)
        found = Intervals.joined([intervals_chunk(walk, *chunk) for chunk in self._chunks(places)])
        return found if back is None else found.take(back)

    def scan(self, X: ArrayLike | Grid) -> Scan:
        """First and last level, violation and number of intervals, in one pass.

        Of a family that is nested by construction only the first levels are looked for; see
        `violations` for a check.
        """
        scan = self._plain_scan(X)
        return scan.united() if self.is_nested else scan

    def _plain_scan(self, X: ArrayLike | Grid) -> Scan:
        """Scan without trusting ``is_nested``."""
        walk, (places, back) = self._walk, self._distinct(X)
        found = Scan.joined([scan_chunk(walk, *chunk) for chunk in self._chunks(places)])
        return found if back is None else found.take(back)

    def first_level(self, X: ArrayLike | Grid) -> FloatArray:
        """s+: the level at which a point first enters as the sets grow.

        A point that no set contains gets −inf when sets shrink with the level and +inf when they
        grow; a point that every set contains gets the end of the domain where sets are smallest.
        """
        return self.scan(X).first

    def last_level(self, X: ArrayLike | Grid) -> FloatArray:
        """s−: the level from which on a point never leaves again as the sets grow.

        Equal to `first_level` exactly where membership is monotone in the level.
        """
        return self.scan(X).last

    def violations(self, X: ArrayLike | Grid, *, check: bool = False) -> BoolArray:
        """Return where membership is not monotone in the level: the point enters and leaves.

        A family that is nested by construction has none. With ``check`` its field is looked at
        all the same, from one breakpoint to the next.
        """
        return self._plain_scan(X).violated if check else self.scan(X).violated

    def union(self) -> SetFamily:
        """The successive union of Lee & Scott (2007, section 3.4): once in, a point stays in.

        A family that is nested already is its own union.
        """
        if self.is_nested:
            return self
        return UnionFamily(**{name: getattr(self, name) for name in self.__dataclass_fields__})

    # ------------------------------------------------------------------ inside

    @property
    def _walk(self) -> Walk:
        low, high = self.domain or (0.0, 0.0)
        return Walk(
            self.levels, self.offsets, low, high,
            float(self.tail), bool(self.open_below), float(self.tolerance), int(self.orientation),
            self._limits,
        )  # fmt: skip

    def _single_intervals(self, X: ArrayLike | Grid) -> Intervals:
        """Nested sets: one interval per point, from its entry to the end of the large sets."""
        low, high = self.domain or (0.0, 0.0)
        first = self.first_level(X)
        ends = np.full(first.shape, high if self.orientation == 1 else low)
        present = first != self.orientation * np.inf
        if self.orientation == 1:
            return Intervals.single(first, ends, present)
        return Intervals.single(ends, first, present)

    def _chunks(self, X: ArrayLike | Grid) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Kernel sums at all breakpoints and, if needed, the sizes of their terms.

        A bounded number of points at a time. Sizes are needed where terms of different signs may
        have cancelled, and only there.
        """
        c = self.coefficients
        at_once = max(1, CHUNK // (len(self.levels) + len(self.centres)))
        for block in _blocks(X, at_once, self.centres.shape[1]):
            if not isinstance(c, PathRows):
                sums = self._kernel_sums(block, c)
                near = self._signed and near_zero(sums, self.offsets, float(self.tolerance)).any()
                yield (
                    sums,
                    self._kernel_sums(block, without_signs(c), sized=True) if near else NO_SIZES,
                )
                continue
            G = self._gram(block)
            sums, sizes = c.product(G), NO_SIZES
            if self._signed:
                near = near_zero(sums, self.offsets, float(self.tolerance))
                if near.any():
                    sizes = np.zeros(sums.shape)
                    sizes[:, near] = without_signs(c).product(np.abs(G[:, near]))
            yield sums, sizes


@dataclass(frozen=True, eq=False)
class UnionFamily(SetFamily):
    """The successive union of a family: ``G'_θ`` joins every set on the small side of θ.

    Nested by definition, for any kernel. Membership, intervals and entry levels are exact. The
    field is the running maximum of the base family's field; between breakpoints it has a kink
    where the level's own field overtakes that maximum, which `values` respects.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "is_nested", True)

    @property
    def base(self) -> SetFamily:
        """The family before the union."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return SetFamily(**{**fields, "is_nested": False})

    def coefficients_at(self, levels: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Not defined: a union of sets has no single coefficient vector."""
        raise TypeError(
            "A union of sets has no single coefficient vector; ask its .base for the "
            "coefficients of the family it was made from."
        )

    def field(self, X: ArrayLike | Grid) -> FloatArray:
        """Largest g over all sets that the union joins, at every breakpoint."""
        field = super().field(X)
        # A boundary that is only a limit is reached if the stretch next to it is on it too.
        if self._limits.any():
            negative = (field < 0.0) & (field != VOID)
            unreached = self._limits[:, None] & (field == 0.0)
            unreached[0] &= not self._constant_below
            if len(field) > 1 and self.levels[1] > self.levels[0]:
                unreached[0] &= negative[1]
            unreached[1:] &= negative[:-1]
            field[unreached] = VOID
        return self._running_maximum(field)

    @property
    def _constant_below(self) -> bool:
        """Whether the sets between the lower end and the first breakpoint are all the same."""
        return self.tail == 0.0 and self.domain is not None and self.domain[0] < self.levels[0]

    def _plain_scan(self, X: ArrayLike | Grid) -> Scan:
        return super()._plain_scan(X).united()

    def _values(self, X: ArrayLike | Grid, wanted: FloatArray) -> FloatArray:
        """Largest g over all levels on the small side of each wanted level, and the level itself.

        A linear stretch is largest at one of its ends, so the breakpoints on the small side, the
        end of the domain and the level's own field are all there is to compare.
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

    def _running_maximum(self, field: FloatArray) -> FloatArray:
        step = self.orientation
        return np.maximum.accumulate(field[::step], axis=0)[::step]

    def _small_end(self, X: ArrayLike | Grid) -> FloatArray:
        """g at the end of the domain on the small side; −inf where the domain is endless."""
        low, high = self.domain or (0.0, 0.0)
        end = low if self.orientation == 1 else high
        if np.isinf(end):
            n = X.size if isinstance(X, Grid) else len(checked_points(X, self.centres.shape[1]))
            return np.full(n, -np.inf)
        at_end = self.base._values(X, np.array([end]))[0]
        # No level takes an open end: a boundary there belongs to no set.
        is_open = self.open_below and self.orientation == 1 and not self._constant_below
        return np.where(at_end == 0.0, VOID, at_end) if is_open else at_end


@dataclass(frozen=True, eq=False)
class DecisionSet:
    """One set of a family: the one at ``level``."""

    family: SetFamily
    level: float

    @property
    def coefficients(self) -> FloatArray:
        """c(θ), one number per centre."""
        return self.family.coefficients_at(self.level)[0][0]

    @property
    def offset(self) -> float:
        """r(θ)."""
        return float(self.family.coefficients_at(self.level)[1][0])

    def __iter__(self) -> Iterator[FloatArray | float]:
        """Unpack as ``c, r = family.at(level)``."""
        return iter((self.coefficients, self.offset))

    def field(self, X: ArrayLike | Grid) -> FloatArray:
        """g_θ(x), not negative inside."""
        return self.family.values(X, self.level)

    def contains(self, X: ArrayLike | Grid) -> BoolArray:
        """Return whether each point is inside, the boundary included."""
        return self.family.contains(X, self.level)


def _blocks(X: ArrayLike | Grid, at_once: int, dimension: int) -> Iterator[Any]:
    if isinstance(X, Grid):
        rows = max(1, at_once // X.u.size)
        for start in range(0, X.v.size, rows):
            yield replace(X, v=X.v[start : start + rows])
        return
    if isinstance(X, KernelValues):
        yield X
        return
    points = checked_points(X, dimension)
    for start in range(0, max(len(points), 1), at_once):
        yield points[start : start + at_once]
