"""Evaluate fields g_θ(x) = Σ_i c_i(θ) k(x_i, x) − r(θ) that are piecewise linear in a level θ.

Values on a boundary are cleared of rounding (`boundary.settled`). Sets are in `nestviz.families`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.arrays import BoolArray, FloatArray, slices
from nestviz.boundary import VOID, near_zero, settle
from nestviz.coefficients import PathRows
from nestviz.distances import product
from nestviz.grids import Grid
from nestviz.kernels import GaussianGrams, Kernel
from nestviz.repeated_rows import distinct_rows

NO_SIZES = np.empty((0, 0))
# Operations that a kernel value counts for.
KERNEL_VALUE = 32


@dataclass(frozen=True, eq=False)
class KernelValues:
    """Distinct points given by their distances from a family's centres; ``inverse`` finds all."""

    grams: GaussianGrams
    sigma: float
    inverse: NDArray[np.intp] | None = None


@dataclass(frozen=True, eq=False)
class LevelField:
    """A field over levels; `nestviz.families.SetFamily` describes the parameters."""

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
    hold_level: float | None = None
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

    def _checked_domain(self, levels: FloatArray) -> tuple[float, float]:
        if levels.ndim != 1 or not levels.size or not np.all(np.isfinite(levels)):
            raise ValueError("A family needs a list of one or more finite levels.")
        if np.any(np.diff(levels) < 0):
            raise ValueError("The levels of a family must be in ascending order.")
        low, high = self.domain or (float(levels[0]), float(levels[-1]))
        if not (low <= levels[0] and levels[-1] <= high):
            raise ValueError(f"The levels must lie within the domain [{low}, {high}].")
        # On the side of the small sets an infinite tail must not let the sets grow again.
        endless = np.isinf(low) if self.orientation == 1 else np.isinf(high)
        if endless and self.tail * self.orientation > 0:
            raise ValueError("The offset's tail would let the smallest sets grow without bound.")
        return float(low), float(high)

    def coefficients_at(self, levels: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Return c(θ) and r(θ) at an array of levels.

        Returns
        -------
        coefficients : ndarray of shape (n_wanted, n_centres)
        offsets : ndarray of shape (n_wanted,)
        """
        lower, upper, weight, beyond = self._brackets(np.atleast_1d(levels))
        w, rows = weight[:, None], self.coefficients
        c = (1.0 - w) * rows.take(lower, axis=0) + w * rows.take(upper, axis=0)
        return c, self._offsets_at(np.atleast_1d(levels), lower, upper, weight, beyond)

    def values(self, X: ArrayLike | Grid, levels: ArrayLike) -> FloatArray:
        """Return g_θ(x) at given levels; a point is inside where the value is not negative.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features) or Grid
            Points.
        levels : float or ndarray of shape (n_wanted,)
            Levels within the domain.

        Returns
        -------
        ndarray of shape (n_wanted, n_points), or (n_points,) for a single level
            A field without any term has no boundary: its value is `nestviz.boundary.VOID`, negative
            and next to zero.
        """
        g = self._values(X, self._checked_levels(levels))
        return g[0] if np.ndim(levels) == 0 else g

    def _values(self, X: ArrayLike | Grid, wanted: FloatArray) -> FloatArray:
        lower, upper, weight, beyond = self._brackets(wanted)
        nodes, place = np.unique(np.concatenate([lower, upper]), return_inverse=True)
        if nodes.size > wanted.size and not self.tolerance > 0:
            c, r = self.coefficients_at(wanted)
            return self._settle(X, c, self._kernel_sums(X, c), r)
        # Few breakpoints for many levels: blend their fields, not their coefficients.
        c = self.coefficients.take(nodes, axis=0)
        sums = self._kernel_sums(X, c)
        field = self._settle(X, c, sums.copy(), self.offsets[nodes])
        below, above = place[: wanted.size], place[wanted.size :]
        g = _blend(field[below], field[above], weight[:, None])
        out = np.flatnonzero(beyond)
        if self.tail and out.size:
            # Beyond the breakpoints only the offset moves; next to it a sum may be tiny.
            offsets = self._offsets_at(wanted, lower, upper, weight, beyond)[out]
            g[out] = self._settle(X, c[below[out]], sums[below[out]], offsets)
        return g

    def field(self, X: ArrayLike | Grid) -> FloatArray:
        """Return g at every breakpoint, of shape (n_levels, n_points)."""
        c = self.coefficients
        return self._settle(X, c, self._kernel_sums(X, c), self.offsets)

    def _distinct(self, X: ArrayLike | Grid) -> tuple[Any, NDArray[np.intp] | None]:
        """Return distinct points and the way back, so that equal points get identical values."""
        if isinstance(X, Grid):
            return X, None
        if isinstance(X, KernelValues):
            return replace(X, inverse=None), X.inverse
        return distinct_rows(checked_points(X, self.centres.shape[1]))

    @property
    def _limits(self) -> BoolArray:
        """Mark breakpoints that no level takes: the first entry of a jump, an open lower end."""
        limits = np.append(self.levels[1:] == self.levels[:-1], False)
        if self.open_below and self.domain is not None and self.levels[0] == self.domain[0]:
            limits[0] = True
        return limits

    @property
    def _signed(self) -> bool:
        """Whether terms of different signs can cancel in the field."""
        c = self.coefficients
        smallest = c.scale if isinstance(c, PathRows) else c
        return not (self.kernel.nonnegative and smallest.min(initial=0.0) >= 0)

    def _kernel_sums(
        self, X: ArrayLike | Grid, c: FloatArray | PathRows, *, sized: bool = False
    ) -> FloatArray:
        """Return Σ_i c_i k(x_i, x) for every row of c; the sum of absolute terms if ``sized``."""
        signed = sized and not self.kernel.nonnegative
        rows: Any = abs(c) if sized else c
        if isinstance(X, Grid) and not isinstance(c, PathRows) and not signed:
            return self.kernel.grid_field(rows, self.centres, X)
        if isinstance(X, KernelValues) and not isinstance(c, PathRows):
            return X.grams.product(rows, X.sigma)
        points, back = self._distinct(X)
        if isinstance(points, np.ndarray):
            # Sums do not depend on the points beside them, so blocks of points change no digit.
            parts = slices(max(len(points), 1), KERNEL_VALUE * len(self.centres))
            sums = np.concatenate(
                [self._block_sums(points[part], rows, signed) for part in parts], axis=1
            )
        else:
            sums = self._block_sums(points, rows, signed)
        return sums if back is None else sums[:, back]

    def _block_sums(self, X: Any, rows: Any, signed: bool) -> FloatArray:
        G = np.abs(self._gram(X)) if signed else self._gram(X)
        return rows.product(G) if isinstance(rows, PathRows) else product(rows, G)

    def _gram(self, X: ArrayLike | Grid) -> FloatArray:
        if isinstance(X, Grid):
            return self.kernel.grid_gram(self.centres, X)
        if isinstance(X, KernelValues):
            return X.grams.at(X.sigma)
        return self.kernel.gram(self.centres, checked_points(X, self.centres.shape[1]))

    def _settle(
        self, X: ArrayLike | Grid, c: FloatArray | PathRows, sums: FloatArray, r: FloatArray
    ) -> FloatArray:
        """Subtract the offset from the sums, and clear rounding as `boundary.settled` does."""
        sizes, tolerance = NO_SIZES, float(self.tolerance)
        if self._signed and near_zero(sums, r, tolerance).any():
            sizes = self._kernel_sums(X, c, sized=True)
        settle(sums, r, sizes, tolerance)
        return sums

    def _checked_levels(self, levels: ArrayLike) -> FloatArray:
        wanted = np.atleast_1d(np.asarray(levels, dtype=np.float64))
        if not np.isfinite(wanted).all():
            raise ValueError(f"The {self.level_name} must be a finite number, not {levels!r}.")
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
        """Return breakpoints around each level, weight of the upper one, distance beyond both."""
        last = len(self.levels) - 1
        position = np.searchsorted(self.levels, wanted, side="right") - 1
        lower = np.clip(position, 0, last)
        upper = np.where(position < 0, 0, np.minimum(position + 1, last))
        gap = self.levels[upper] - self.levels[lower]
        weight = np.where(gap > 0, (wanted - self.levels[lower]) / np.where(gap > 0, gap, 1.0), 0.0)
        beyond = wanted - np.clip(wanted, self.levels[0], self.levels[-1])
        return lower, upper, weight, beyond

    def _offsets_at(
        self,
        wanted: FloatArray,
        lower: NDArray[np.intp],
        upper: NDArray[np.intp],
        weight: FloatArray,
        beyond: FloatArray,
    ) -> FloatArray:
        """Return r(θ); beyond the breakpoints written so that r = θ stays exact near zero."""
        inner = (1.0 - weight) * self.offsets[lower] + weight * self.offsets[upper]
        outer = (self.offsets[lower] - self.tail * self.levels[lower]) + self.tail * wanted
        return np.where(beyond != 0.0, outer, inner)


def _blend(below: FloatArray, above: FloatArray, weight: FloatArray) -> FloatArray:
    """Interpolate between two settled fields.

    Between a boundary and a void end the field is zero, and not void.
    """
    g = (1.0 - weight) * below + weight * above
    void_below, void_above = below == VOID, above == VOID
    if void_below.any() or void_above.any():
        inner = (weight > 0.0) & (weight < 1.0)
        g[inner & ((void_below & (above == 0.0)) | (void_above & (below == 0.0)))] = 0.0
    return g


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
    """Mark breakpoints that some level takes or tends to."""
    same_before = np.concatenate([[False], levels[1:] == levels[:-1]])
    same_after = np.concatenate([levels[1:] == levels[:-1], [False]])
    keep = ~(same_before & same_after)
    keep &= ~(same_after & (levels == low))
    return keep


def checked_points(X: ArrayLike | Grid, dimension: int) -> FloatArray:
    """Return points as an array of finite numbers with the right number of features."""
    points = np.ascontiguousarray(X, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != dimension:
        raise ValueError(
            f"Points must come as an array of shape (n, {dimension}), not {points.shape}."
        )
    if not np.isfinite(points).all():
        raise ValueError("Points must be finite numbers; there is a NaN or an infinity among them.")
    return points
