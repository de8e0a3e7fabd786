"""Points that enter a family at the same level, and how the field breaks the tie.

At the entry level a larger value of the field lies deeper inside. On the boundary the field is zero
for all tied points; there the previous breakpoint shows how far each of them was from the set.
Where no other kernel reaches them, as with a narrow width, these values are the same for all: then
the distance to the nearest other point decides, to which the order by the field tends as σ falls.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from nestviz.arrays import BoolArray, FloatArray, IntArray, slices
from nestviz.distances import ENTRY, squared_distances
from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel

NOISE = 1e-9
"""Values of the field closer than this share of the largest one are taken for equal."""


class Ties(NamedTuple):
    """Entries in order, cut into groups of ties; ``ends`` is where the group of each one ends."""

    ordered: FloatArray
    ends: IntArray
    resolution: float

    @classmethod
    def among(cls, entry: FloatArray, resolution: float) -> Ties:
        """Tie entries no further apart than the resolution, and chains of them."""
        ordered = np.sort(entry)
        # Compared by sums: the difference of two infinities is not a number.
        last = np.append(ordered[1:] > ordered[:-1] + resolution, True)
        stops = np.flatnonzero(last) + 1
        ends = np.repeat(stops, np.diff(stops, prepend=0))
        return cls(ordered, ends, resolution)

    def beyond(self, entry: FloatArray) -> IntArray:
        """Count the entries strictly beyond each given one, its ties excluded."""
        position = np.searchsorted(self.ordered, entry, side="right")
        return self.ordered.size - np.where(
            self._joins_next(entry, position), self._ends_at(position), position
        )

    def among_them(self, entry: FloatArray) -> BoolArray:
        """Return whether each given entry ties with one or more of the ordered ones."""
        position = np.searchsorted(self.ordered, entry, side="right")
        before = np.concatenate([[-np.inf], self.ordered])[position]
        joins_last = (position > 0) & (entry <= before + self.resolution)
        return joins_last | self._joins_next(entry, position)

    def _joins_next(self, entry: FloatArray, position: IntArray) -> BoolArray:
        following = np.append(self.ordered, np.inf)[position]
        return (position < self.ordered.size) & (following <= entry + self.resolution)

    def _ends_at(self, position: IntArray) -> IntArray:
        return np.append(self.ends, self.ordered.size)[position]


class _Deeper(NamedTuple):
    """Points in order of one value after the other; lower ones are more abnormal."""

    highs: FloatArray
    lows: FloatArray
    starts: IntArray
    inner: tuple[_Deeper | None, ...]
    size: int
    noise: float

    @classmethod
    def of(cls, values: FloatArray, noise: FloatArray) -> _Deeper:
        """Order (k, m) values by the first row; those it does not separate by the next.

        ``noise`` has for each row the difference up to which values count as equal.
        """
        order = np.argsort(values[0], kind="stable")
        ordered, least = values[:, order], float(noise[0])
        starts = np.flatnonzero(np.append(True, np.diff(ordered[0]) > least))
        ends = np.append(starts[1:], order.size)
        inner = tuple(
            cls.of(ordered[1:, a:b], noise[1:]) if b > a + 1 and len(values) > 1 else None
            for a, b in zip(starts, ends, strict=True)
        )
        return cls(ordered[0, ends - 1], ordered[0, starts], starts, inner, order.size, least)

    def below(self, values: FloatArray) -> int:
        """Return how many points come strictly before one with these values, (k,)."""
        position = int(np.searchsorted(self.highs, values[0] - self.noise))
        if position == self.starts.size:
            return self.size
        count, inner = int(self.starts[position]), self.inner[position]
        if self.lows[position] <= values[0] + self.noise and inner is not None:
            count += inner.below(values[1:])
        return count


@dataclass(frozen=True, eq=False)
class TieBreak:
    """The order among points with the same entry level: by the field, then by isolation.

    Points that neither separates, such as coincident ones, stay tied.
    """

    family: SetFamily
    points: FloatArray
    entry: FloatArray
    ties: Ties

    def beyond(self, points: FloatArray, entry: FloatArray) -> IntArray:
        """Count the ranked points that tie with each given one and are more abnormal."""
        more = np.zeros(len(points), dtype=np.int64)
        outside = np.where(self.ties.among_them(entry), self.ties.beyond(entry), -1)
        order = np.argsort(outside, kind="stable")
        groups, starts = np.unique(outside[order], return_index=True)
        for group, rows in zip(groups, np.split(order, starts[1:]), strict=True):
            # A ranked point by itself ties with no other: there is nothing to compute.
            if group < 0 or (rows.size == 1 and self._ranks_alone(points[rows[0]], group)):
                continue
            levels, deeper = self._group(int(group))
            values = self._values(points[rows], levels)
            more[rows] = [deeper.below(values[:, k]) for k in range(rows.size)]
        return more

    @cached_property
    def _members(self) -> dict[int, IntArray]:
        """Return rows of the ranked points by the number beyond their group."""
        outside = self.ties.beyond(self.entry)
        order = np.argsort(outside, kind="stable")
        groups, starts = np.unique(outside[order], return_index=True)
        rows = np.split(order, starts[1:])
        return {int(group): part for group, part in zip(groups, rows, strict=True)}

    def _ranks_alone(self, point: FloatArray, group: int) -> bool:
        members = self._members[int(group)]
        return members.size == 1 and bool(np.all(self.points[members[0]] == point))

    def _group(self, group: int) -> tuple[FloatArray, _Deeper]:
        """Return levels to look at, and the order of the ranked points of a group there."""
        rows = self._members[group]
        levels = self._levels(self.entry[rows])
        values = self._values(self.points[rows], levels)
        return levels, _Deeper.of(values, self._noise(values))

    def _noise(self, values: FloatArray) -> FloatArray:
        fields = values[:-1] if self._has_distances else values
        largest = max(np.abs(self.family.offsets).max(), np.abs(fields).max())
        noise = np.full(len(values), max(self.family.tolerance, NOISE * float(largest)))
        if self._has_distances:
            noise[-1] = NOISE * float(np.abs(values[-1]).max())
        return noise

    @property
    def _has_distances(self) -> bool:
        """Whether points are locations, and not rows of a kernel matrix, and there are several."""
        return isinstance(self.family.kernel, GaussianKernel) and len(self.points) > 1

    def _levels(self, entry: FloatArray) -> FloatArray:
        """Return the level at which the last of a group has entered, and the breakpoint before all.

        For points outside every set the first is the end of the domain where sets are largest.
        """
        family = self.family
        low, high = family.domain or (-np.inf, np.inf)
        if family.open_below:
            low = float(np.nextafter(low, np.inf))
        ends = np.clip(family.levels, low, high)
        turned = np.sort(family.orientation * ends)
        last = float(entry.max())
        # Beyond the breakpoints nothing but the offset changes, and that is the same for all.
        within = float(np.clip(last, turned[0], turned[-1]))
        before = turned[turned < min(float(entry.min()) - self.ties.resolution, within)]
        return family.orientation * np.append(within, before[-1:])

    def _values(self, points: FloatArray, levels: FloatArray) -> FloatArray:
        """Return the field at the levels, and how near the nearest other point is.

        Identical for coincident points.
        """
        fields = self.family.values(points, levels)
        if not self._has_distances:
            return fields
        return np.concatenate([fields, -self._isolation(points)[None]])

    def _isolation(self, points: FloatArray) -> FloatArray:
        """Return the distance to the nearest ranked point besides one at the location itself."""
        found = np.empty(len(points))
        for rows in slices(len(points), ENTRY * len(self.points)):
            away = squared_distances(self.points, points[rows])
            nearest = np.partition(away, 1, axis=0)[:2]
            found[rows] = np.where(nearest[0] == 0.0, nearest[1], nearest[0])
        return np.sqrt(found)
