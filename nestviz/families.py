"""SetFamily: sets indexed by a level, with everything piecewise linear in that level.

A level θ picks the set ``G_θ = {x : g_θ(x) ≥ 0}`` with ``g_θ(x) = Σ_i c_i(θ) k(x_i, x) − r(θ)``.
Between breakpoints c and r are linear in θ, so for a fixed x so is g: where x is in and where it
is out is a finite union of intervals of θ, found from roots and not from a grid of levels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.coefficients import DenseRows, PathRows, Rows
from nestviz.grids import Grid
from nestviz.kernels import Kernel
from nestviz.scanning import Intervals, Scan, Walk, intervals_chunk, scan_chunk

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

# Numbers held at once while a field is computed: 4 million doubles are 32 MB.
CHUNK = 1 << 22


@dataclass(frozen=True, eq=False)
class SetFamily:
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
    tolerance : float
        Field values at breakpoints up to this size count as zero: the point lies *on* the
        boundary there. Solvers set it to what their certificate allows.
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

    levels: FloatArray
    coefficients: FloatArray | PathRows
    offsets: FloatArray
    centres: FloatArray
    kernel: Kernel
    orientation: int
    domain: tuple[float, float] | None = None
    tail: float = 0.0
    open_below: bool = False
    is_nested: bool = False
    tolerance: float = 0.0
    level_name: str = "level"

    def __post_init__(self) -> None:
        levels, offsets, centres = (
            np.array(values, dtype=np.float64)
            for values in (self.levels, self.offsets, self.centres)
        )
        low, high = self._checked_domain(levels)
        coefficients = self.coefficients
        if not isinstance(coefficients, PathRows):
            coefficients = np.array(coefficients, dtype=np.float64)
        _check_shapes(levels, coefficients, offsets, centres)
        if self.orientation not in (1, -1):
            raise ValueError(f"orientation must be +1 or -1, not {self.orientation!r}.")
        if not isinstance(coefficients, PathRows):
            reached = _reached(levels, low)
            levels, coefficients, offsets = levels[reached], coefficients[reached], offsets[reached]
            coefficients.setflags(write=False)
        for name, array in (("levels", levels), ("offsets", offsets), ("centres", centres)):
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        object.__setattr__(self, "coefficients", coefficients)
        object.__setattr__(self, "domain", (low, high))

    @property
    def _rows(self) -> Rows:
        c = self.coefficients
        return c if isinstance(c, PathRows) else DenseRows(c)

    def _checked_domain(self, levels: FloatArray) -> tuple[float, float]:
        if levels.ndim != 1 or not levels.size or not np.all(np.isfinite(levels)):
            raise ValueError("A family needs a list of one or more finite levels.")
        if np.any(np.diff(levels) < 0):
            raise ValueError("The levels of a family must be in ascending order.")
        low, high = self.domain or (float(levels[0]), float(levels[-1]))
        if not (low <= levels[0] and levels[-1] <= high):
            raise ValueError(f"The levels must lie within the domain [{low}, {high}].")
        # On the side of the small sets an endless tail must not let the sets grow again.
        endless = np.isinf(low) if self.orientation == 1 else np.isinf(high)
        if endless and self.tail * self.orientation > 0:
            raise ValueError("The offset's tail would let the smallest sets grow without bound.")
        return float(low), float(high)

    # ------------------------------------------------------------------ one level

    def at(self, level: float) -> DecisionSet:
        """The set at one level, interpolated between breakpoints."""
        return DecisionSet(self, self._checked_level(level))

    def coefficients_at(self, levels: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """c(θ) and r(θ) for an array of levels: (k, N) and (k,)."""
        lower, upper, weight, beyond = self._brackets(np.atleast_1d(levels))
        w = weight[:, None]
        c = (1.0 - w) * self._rows.take(lower) + w * self._rows.take(upper)
        r = (1.0 - weight) * self.offsets[lower] + weight * self.offsets[upper]
        return c, r + self.tail * beyond

    def values(self, X: ArrayLike | Grid, levels: ArrayLike) -> FloatArray:
        """g_θ(x) at given levels: (k, n) for an array of k levels, (n,) for a single one."""
        g = self._values(X, self._checked_levels(levels))
        return g[0] if np.ndim(levels) == 0 else g

    def _values(self, X: ArrayLike | Grid, wanted: FloatArray) -> FloatArray:
        lower, upper, weight, beyond = self._brackets(wanted)
        nodes, place = np.unique(np.concatenate([lower, upper]), return_inverse=True)
        if nodes.size > wanted.size and not self.tolerance > 0:
            return self._field(X, *self.coefficients_at(wanted))
        # Few breakpoints for many levels: blend their fields, not their coefficients.
        field = self._snap(self._field(X, self._rows.take(nodes), self.offsets[nodes]))
        below, above = field[place[: wanted.size]], field[place[wanted.size :]]
        w = weight[:, None]
        return (1.0 - w) * below + w * above - self.tail * beyond[:, None]

    def contains(self, X: ArrayLike | Grid, level: float) -> BoolArray:
        """Whether each point is in the set at ``level``."""
        return self.values(X, level) > 0

    # ------------------------------------------------------------------ all levels

    def field(self, X: ArrayLike | Grid) -> FloatArray:
        """g at every breakpoint, (M, n), in the order of ``levels``."""
        return self._snap(self._sums(X) - self.offsets[:, None])

    def intervals(self, X: ArrayLike | Grid) -> Intervals:
        """For each point the intervals of levels at which it is inside, ascending."""
        if self.is_nested:
            return self._single_intervals(X)
        return Intervals.joined([intervals_chunk(self._walk, field) for field in self._chunks(X)])

    def scan(self, X: ArrayLike | Grid) -> Scan:
        """First and last level, violation and number of intervals, in one pass.

        Of a family that is nested by construction only the first levels are looked for: where the
        boundary runs through a point, rounding is not taken for a violation.
        """
        scan = Scan.joined([scan_chunk(self._walk, field) for field in self._chunks(X)])
        return scan.united() if self.is_nested else scan

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

    def violations(self, X: ArrayLike | Grid) -> BoolArray:
        """True where membership is not monotone in the level: the point enters and leaves."""
        return self.scan(X).violated

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

    def _field(self, X: ArrayLike | Grid, c: FloatArray, r: FloatArray) -> FloatArray:
        return self._kernel_sums(X, c) - r[:, None]

    def _sums(self, X: ArrayLike | Grid) -> FloatArray:
        """Σ_i c_i k(x_i, x) at every breakpoint: the field before the offset is taken off."""
        c = self.coefficients
        if not isinstance(c, PathRows):
            return self._kernel_sums(X, c)
        if isinstance(X, Grid):
            return c.product(self.kernel.grid_gram(self.centres, X))
        return c.product(self.kernel.gram(self.centres, _points(X, self.centres.shape[1])))

    def _kernel_sums(self, X: ArrayLike | Grid, c: FloatArray) -> FloatArray:
        if isinstance(X, Grid):
            return self.kernel.grid_field(c, self.centres, X)
        return c @ self.kernel.gram(self.centres, _points(X, self.centres.shape[1]))

    def _snap(self, field: FloatArray) -> FloatArray:
        if self.tolerance > 0:
            field[np.abs(field) <= self.tolerance] = 0.0
        return field

    def _chunks(self, X: ArrayLike | Grid) -> Iterator[FloatArray]:
        """Kernel sums at all breakpoints, a bounded number of points at a time."""
        at_once = max(1, CHUNK // (len(self.levels) + len(self.centres)))
        for block in _blocks(X, at_once, self.centres.shape[1]):
            yield self._sums(block)

    def _checked_level(self, level: float) -> float:
        return float(self._checked_levels(level)[0])

    def _checked_levels(self, levels: ArrayLike) -> FloatArray:
        wanted = np.atleast_1d(np.asarray(levels, dtype=np.float64))
        low, high = self.domain or (0.0, 0.0)
        outside = ~((wanted >= low) & (wanted <= high))
        if self.open_below:
            outside |= wanted == low
        if np.any(outside):
            first = "above" if self.open_below else "from"
            raise ValueError(
                f"The {self.level_name} {wanted[outside][0]:g} is outside this family's range: "
                f"choose one {first} {low:g} to {high:g}."
            )
        return wanted

    def _brackets(
        self, wanted: FloatArray
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], FloatArray, FloatArray]:
        """Breakpoints around each level, the weight of the upper one, the way beyond the ends."""
        last = len(self.levels) - 1
        position = np.searchsorted(self.levels, wanted, side="right") - 1
        lower = np.clip(position, 0, last)
        upper = np.where(position < 0, 0, np.minimum(position + 1, last))
        gap = self.levels[upper] - self.levels[lower]
        weight = np.where(gap > 0, (wanted - self.levels[lower]) / np.where(gap > 0, gap, 1.0), 0.0)
        beyond = wanted - np.clip(wanted, self.levels[0], self.levels[-1])
        return lower, upper, weight, beyond


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
        return self._running_maximum(super().field(X))

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
            n = X.size if isinstance(X, Grid) else len(_points(X, self.centres.shape[1]))
            return np.full(n, -np.inf)
        return self.base._values(X, np.array([end]))[0]


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
        """g_θ(x), positive inside."""
        return self.family.values(X, self.level)

    def contains(self, X: ArrayLike | Grid) -> BoolArray:
        """Whether each point is inside."""
        return self.family.contains(X, self.level)


def _check_shapes(
    levels: FloatArray,
    coefficients: FloatArray | PathRows,
    offsets: FloatArray,
    centres: FloatArray,
) -> None:
    M = levels.size
    if centres.ndim != 2 or coefficients.shape != (M, len(centres)) or offsets.shape != (M,):
        raise ValueError(
            f"{M} levels need coefficients of shape ({M}, points), {M} offsets and one centre per "
            f"column; got {coefficients.shape}, {offsets.shape} and centres {centres.shape}."
        )
    table = np.empty(0) if isinstance(coefficients, PathRows) else coefficients
    for name, array in (("coefficients", table), ("offsets", offsets), ("centres", centres)):
        if not np.all(np.isfinite(array)):
            raise ValueError(f"The {name} of a family must be finite numbers.")


def _reached(levels: FloatArray, low: float) -> BoolArray:
    """Breakpoints that some level takes or tends to."""
    same_before = np.concatenate([[False], levels[1:] == levels[:-1]])
    same_after = np.concatenate([levels[1:] == levels[:-1], [False]])
    keep = ~(same_before & same_after)
    keep &= ~(same_after & (levels == low))
    return keep


def _points(X: ArrayLike | Grid, dimension: int) -> FloatArray:
    points = np.asarray(X, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != dimension:
        raise ValueError(
            f"Points must come as an array of shape (n, {dimension}), not {points.shape}."
        )
    return points


def _blocks(X: ArrayLike | Grid, at_once: int, dimension: int) -> Iterator[FloatArray | Grid]:
    if isinstance(X, Grid):
        rows = max(1, at_once // X.u.size)
        for start in range(0, X.v.size, rows):
            yield replace(X, v=X.v[start : start + rows])
        return
    points = _points(X, dimension)
    for start in range(0, max(len(points), 1), at_once):
        yield points[start : start + at_once]
