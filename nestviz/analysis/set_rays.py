"""Where rays first enter a set of a family with Gaussian kernel, without stepping over it.

On a ray x + t v the field is a sum of Gaussians in t. With a bound M on its second derivative,
g(t + s) ≤ g(t) + g'(t) s + M s²/2: up to the root of this parabola the field stays negative, and
the search may step there. Near a root these steps are those of Newton's method.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.distances import product, squared_distances
from nestviz.families import SetFamily, UnionFamily
from nestviz.kernels import GaussianKernel

RESOLUTION = 1e-9
"""The shortest step, in widths σ: what is inside for less than this may be stepped over."""
MOST_STEPS = 20_000


@dataclass(frozen=True, eq=False)
class GaussianSet:
    """The set {x : max_k Σ_i c_ki k(x_i, x) − r_k ≥ 0}, with coefficients c ≥ 0."""

    coefficients: FloatArray
    offsets: FloatArray
    centres: FloatArray
    sigma: float

    @classmethod
    def of(cls, family: SetFamily, level: float) -> GaussianSet:
        """Return the set of a nested family at a level; raise ValueError for other families."""
        if not isinstance(family.kernel, GaussianKernel):
            raise ValueError("The smallest change is computed for Gaussian kernels only.")
        if type(family) is SetFamily:
            c, r = family.coefficients_at(level)
        elif isinstance(family, UnionFamily):
            # Between breakpoints the field is linear in the level: the largest is at an end.
            turn, base = family.orientation, family.base
            smaller = base.levels[turn * base.levels < turn * level]
            c, r = base.coefficients_at(np.append(smaller, level))
        else:
            raise ValueError("The smallest change is computed for families and their unions only.")
        if c.min(initial=0.0) < 0:
            raise ValueError("The smallest change needs coefficients that are not negative.")
        used = np.flatnonzero(c.any(axis=0))
        return cls(c[:, used], r, family.centres[used], family.kernel.sigma)

    def ball_outside(self, x: FloatArray) -> float:
        """Return a radius around x within which no location is in the set."""
        distances = np.sqrt(squared_distances(self.centres, x[None]))[:, 0] / self.sigma
        low, high = 0.0, float(distances.max(initial=0.0))
        for _ in range(60):
            middle = (low + high) / 2.0
            most = np.exp(-0.5 * np.maximum(distances - middle, 0.0) ** 2)
            outside = bool(np.all(product(self.coefficients, most[:, None])[:, 0] < self.offsets))
            low, high = (middle, high) if outside else (low, middle)
        return low * self.sigma

    def gradient(self, x: FloatArray) -> FloatArray:
        """Return the gradient at x of the largest of the fields."""
        k = np.exp(-0.5 * squared_distances(self.centres, x[None], self.sigma)[:, 0])
        largest = int(np.argmax(product(self.coefficients, k[:, None])[:, 0] - self.offsets))
        weights = self.coefficients[largest] * k
        gradient: FloatArray = (weights[:, None] * (self.centres - x)).sum(axis=0)
        return gradient

    def first_inside(self, x: FloatArray, directions: FloatArray, start: float = 0.0) -> FloatArray:
        """Return for each ray x + t v the smallest t ≥ 0 inside, infinite where there is none.

        ``start`` is a distance from x up to which no location is inside.
        """
        lengths = np.sqrt((directions**2).sum(axis=1))
        found = np.full(len(directions), np.inf)
        rays = np.flatnonzero(lengths > 0)
        if not len(self.centres) or not rays.size:
            return found
        v = directions[rays] / lengths[rays, None]
        away = self.centres - x
        # In units of σ, from x: where each centre is along the rays, and its distance from them.
        along = product(v, np.ascontiguousarray(away.T)) / self.sigma
        aside = np.maximum((away**2).sum(axis=1) / self.sigma**2 - along**2, 0.0)
        with np.errstate(under="ignore"):
            t = _march(
                self.coefficients, self.offsets, along, np.exp(-0.5 * aside), start / self.sigma
            )
        found[rays] = t * self.sigma / lengths[rays]
        return found


def _march(
    c: FloatArray, r: FloatArray, along: FloatArray, heights: FloatArray, start: float
) -> FloatArray:
    """Return where each ray first enters, in units of σ; each row of ``along`` is a ray."""
    t, window = np.full(len(along), start), np.full(len(along), 0.5)
    found, last = np.full(len(along), np.inf), along.max(axis=1)
    active = np.arange(len(along))
    transposed = np.ascontiguousarray(c.T)
    for _ in range(MOST_STEPS):
        u = t[active, None] - along[active]
        e = heights[active] * np.exp(-0.5 * u**2)
        g = product(e, transposed) - r
        inside = (g >= 0).any(axis=1)
        found[active[inside]] = t[active[inside]]
        # Beyond the last centre all terms fall.
        going = ~inside & (t[active] <= last[active])
        active, u, e, g = active[going], u[going], e[going], g[going]
        if not active.size:
            break
        slope = product(-u * e, transposed)
        bound = product(heights[active] * _steepest(u, window[active]), transposed)
        step = np.minimum(_safe_step(g, slope, bound).min(axis=1), window[active])
        capped = step >= window[active]
        window[active] = np.where(capped, 2.0 * window[active], np.maximum(2.0 * step, 0.25))
        t[active] += np.maximum(step, RESOLUTION)
    return found


def _steepest(u: FloatArray, window: FloatArray) -> FloatArray:
    """Return the largest |d²/du² exp(−u²/2)| from u to u + window."""
    nearest = np.where(u > 0, u, np.maximum(-u - window[:, None], 0.0))
    beyond = np.abs(nearest**2 - 1.0) * np.exp(-0.5 * nearest**2)
    # It falls from 1 to 0 at 1, rises to 2 exp(−3/2) at √3, and falls from there.
    return np.where(nearest >= np.sqrt(3.0), beyond, np.maximum(beyond, 2.0 * np.exp(-1.5)))


def _safe_step(g: FloatArray, slope: FloatArray, bound: FloatArray) -> FloatArray:
    """Return the positive root s of g + slope s + bound s²/2, where g < 0."""
    root = np.sqrt(slope**2 - 2.0 * bound * g)
    with np.errstate(divide="ignore", invalid="ignore"):
        rising, falling = -2.0 * g / (slope + root), (root - slope) / bound
    step = np.where(slope >= 0, rising, falling)
    return np.where(np.isnan(step), np.inf, step)
