"""Bend routes between peaks until they cross the saddle between them.

Points rarely lie on the best route from one cluster to the next. The lowest point of a route is
therefore moved across the route to where it is highest, and becomes a corner; then the next lowest
point is moved. Each round gives a route again, so the result is always a true connection.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nestviz.analysis.tree.connectivity.routes import Field, Segments, lowest_on_segments
from nestviz.arrays import FloatArray

# Shares of Newton's step that are tried; offset for differences, as a share of the longest step.
SHARES = np.array([1.0, 0.5, 0.2])
OFFSET = 0.1
# Distances of the points tried nearby, in multiples of that step.
FEELERS = np.array([0.5, 1.0, 2.0])


class Route:
    """A route from corner to corner, with heights and the lowest point between each two.

    ``lows`` and ``shares`` are, for each segment, its lowest height and the share where it lies;
    ``target`` is the height that the route has to exceed to be of use.
    """

    def __init__(
        self,
        corners: list[FloatArray],
        heights: list[float],
        lows: list[float],
        shares: list[float],
        target: float,
    ) -> None:
        self.corners, self.heights = list(corners), list(heights)
        self.lows, self.shares = list(lows), list(shares)
        self.target = target
        self.best = self.height
        self.active = self.best < self.limit

    @property
    def height(self) -> float:
        """Return the lowest height on the route."""
        return float(min(self.lows))

    @property
    def limit(self) -> float:
        """Return the height that no route between these ends can exceed."""
        return float(min(self.heights[0], self.heights[-1]))

    def lowest_point(self) -> tuple[int, int, FloatArray]:
        """Return the corners before and after the lowest point, and that point."""
        k = int(np.argmin(self.lows))
        share = self.shares[k]
        if 0.0 < share < 1.0:
            return k, k + 1, self.corners[k] + share * (self.corners[k + 1] - self.corners[k])
        corner = k + int(share)
        return corner - 1, corner + 1, self.corners[corner]

    def turn_at(self, point: FloatArray, height: float, lows: FloatArray, ways: FloatArray) -> None:
        """Replace the lowest point by ``point``; ``lows`` are those before and after it."""
        before, after, _ = self.lowest_point()
        self.corners[before + 1 : after] = [point]
        self.heights[before + 1 : after] = [height]
        self.lows[before:after] = list(lows)
        self.shares[before:after] = list(ways)
        self.best = max(self.best, self.height)
        self.active = self.height < self.limit


def raise_routes(field: Field, routes: Sequence[Route], rounds: int) -> None:
    """Bend each route at its lowest point, up to ``rounds`` times; `Route.best` is the result.

    A route is given up where its lowest point cannot be raised above its target.
    """
    for _ in range(rounds):
        active = [route for route in routes if route.active]
        if not active:
            return
        _bend(field, active)


def _bend(field: Field, routes: Sequence[Route]) -> None:
    """Bend all routes once, with heights computed in large batches."""
    gaps = [route.lowest_point() for route in routes]
    start, end = (
        np.stack([route.corners[gap[side]] for route, gap in zip(routes, gaps, strict=True)])
        for side in (0, 1)
    )
    start_height, end_height = (
        np.array([route.heights[gap[side]] for route, gap in zip(routes, gaps, strict=True)])
        for side in (0, 1)
    )
    point = np.stack([gap[2] for gap in gaps])
    height = np.array([route.height for route in routes])
    across, reach = _across(field, start, end)
    corner, top = _climb(field, point, height, across, reach)
    stuck = top <= height + field.tolerance
    if stuck.any() and across.shape[1]:
        corner[stuck], top[stuck] = _probe_around(field, point[stuck], across[stuck], reach[stuck])
    lowest = lowest_on_segments(
        field,
        Segments(
            np.concatenate([start, corner]),
            np.concatenate([corner, end]),
            np.concatenate([start_height, top]),
            np.concatenate([top, end_height]),
        ),
    )
    lows, shares = (part.reshape(2, -1).T for part in lowest)
    # Uphill is always right; a nearby point only if the segments to it are higher, too.
    right = ~stuck | (lows.min(axis=1) > height + field.tolerance) | (height == -np.inf)
    right &= top > np.maximum(height + field.tolerance, [route.target for route in routes])
    for k, route in enumerate(routes):
        if right[k]:
            route.turn_at(corner[k], float(top[k]), lows[k], shares[k])
        else:
            route.active = False


def _climb(
    field: Field, point: FloatArray, height: FloatArray, across: FloatArray, reach: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Take one Newton step uphill within the given directions; return point and height.

    Derivatives come from differences, one curvature per direction, so any family will do; the step
    is taken only where it leads higher, and in no direction beyond ``reach``.
    """
    if not across.shape[1]:
        return point, height
    offset = OFFSET * reach
    probes = point[:, None] + offset[..., None] * np.stack([across, -across])
    ahead, behind = np.clip(_heights(field, probes), field.floor, field.ceiling)
    slope = (ahead - behind) / (2.0 * offset)
    here = np.clip(height, field.floor, field.ceiling)[:, None]
    curvature = (ahead + behind - 2.0 * here) / offset**2
    newton = slope / np.where(curvature < 0, -curvature, 1.0)
    move = np.where(curvature < 0, newton, np.copysign(reach, slope))
    way = np.einsum("nk,nkd->nd", np.clip(move, -reach, reach), across)
    trials = point + SHARES[:, None, None] * way
    values = _heights(field, trials)
    chosen = values.argmax(axis=0), np.arange(len(point))
    higher = values[chosen] > height
    best = np.where(higher[:, None], trials[chosen], point)
    return best, np.where(higher, values[chosen], height)


def _probe_around(
    field: Field, point: FloatArray, across: FloatArray, reach: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the highest of some nearby points, where slopes do not help.

    The sets of an SVM have cliffs: its margin runs through points for whole ranges of levels.
    """
    steps = np.multiply.outer(FEELERS, reach)[..., None]
    probes = (point[:, None] + np.concatenate([steps * across, -steps * across])).swapaxes(0, 1)
    probes = probes.reshape(len(point), -1, point.shape[1])
    values = _heights(field, probes)
    chosen = np.arange(len(point)), values.argmax(axis=1)
    return probes[chosen], values[chosen]


def _across(field: Field, start: FloatArray, end: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return directions perpendicular to each segment, and how far a step may go.

    The reflection that takes a unit vector u to ∓e_1 takes the other axes to directions across u.
    """
    along = end - start
    length = np.linalg.norm(along, axis=1, keepdims=True)
    length = np.where(length > 0, length, 1.0)
    reach = np.minimum(2.0 * field.step, length) if field.step > 0 else length / 4.0
    mirror = along / length
    mirror[:, 0] += np.where(mirror[:, 0] < 0, -1.0, 1.0)
    mirror /= np.linalg.norm(mirror, axis=1, keepdims=True)
    reflection = np.eye(along.shape[1]) - 2.0 * mirror[:, :, None] * mirror[:, None, :]
    return reflection[:, 1:, :], reach


def _heights(field: Field, points: FloatArray) -> FloatArray:
    return field.heights(points.reshape(-1, points.shape[-1])).reshape(points.shape[:-1])
