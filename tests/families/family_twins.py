"""Families made by hand or by chance, and their sets level by level from the definition."""

import numpy as np
from hypothesis import strategies as st

from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel, PolynomialKernel

# With unit vectors as centres and as points, a linear kernel makes the field of point i the
# coefficient column i: any piecewise-linear function can be written down directly.
LINEAR = PolynomialKernel(degree=1, offset=0.0)
STEP = 1 / 32


def plain_family(levels, columns, orientation, offsets=1.0, **options):
    """A family with the given fields. Where the offset is 0, a field of 0 has no term at all."""
    columns = np.asarray(columns, dtype=float)
    centres = np.eye(columns.shape[1])
    r = np.broadcast_to(np.asarray(offsets, dtype=float), len(levels))
    return SetFamily(
        levels, columns + r[:, None], r, centres, LINEAR, orientation, **options
    ), centres


class Twin:
    """One point's field, evaluated level by level from the definition.

    Sets are closed. Where the coefficient and the offset are both zero there is no boundary, and
    the point is outside.
    """

    def __init__(self, levels, values, offsets, domain, tail=0.0, open_below=False):
        self.levels, self.values, self.offsets = list(levels), list(values), list(offsets)
        self.tail, self.domain = tail, domain
        low, high = domain
        low_end = low if np.isfinite(low) else levels[0] - 6
        high_end = high if np.isfinite(high) else levels[-1] + 6
        count = round((high_end - low_end) / STEP)
        grid = low_end + STEP * np.arange(count + 1)
        self.grid = np.unique(np.concatenate([grid, np.asarray(levels, dtype=float)]))
        if open_below:
            self.grid = self.grid[self.grid > low]
        self.field = np.array([self(level) for level in self.grid])
        void = np.array([self.void(level) for level in self.grid])
        # A void that is passed through between or beyond the breakpoints is one level wide.
        steps = np.isin(self.grid, self.levels)
        alone = ~np.append(void[1:], False) & ~np.append(False, void[:-1])
        self.passing = void & alone & ~steps
        self.inside = (self.field >= 0) & (~void | self.passing)

    def void(self, level):
        return self(level) == 0 and self.offset(level) == 0

    def offset(self, level):
        if level < self.levels[0]:
            return self.offsets[0] - self.tail * (self.levels[0] - level)
        if level >= self.levels[-1]:
            return self.offsets[-1] + self.tail * (level - self.levels[-1])
        j = max(k for k, t in enumerate(self.levels) if t <= level)
        share = (level - self.levels[j]) / (self.levels[j + 1] - self.levels[j])
        return (1 - share) * self.offsets[j] + share * self.offsets[j + 1]

    def __call__(self, level):
        if level < self.levels[0]:
            return self.values[0] + self.tail * (self.levels[0] - level)
        if level >= self.levels[-1]:
            return self.values[-1] - self.tail * (level - self.levels[-1])
        j = max(k for k, t in enumerate(self.levels) if t <= level)
        share = (level - self.levels[j]) / (self.levels[j + 1] - self.levels[j])
        return (1 - share) * self.values[j] + share * self.values[j + 1]

    def first(self, orientation):
        if not self.inside.any():
            return orientation * np.inf
        hits = self.ends(self.grid[self.inside])
        return hits[0] if orientation == 1 else hits[1]

    def last(self, orientation):
        if not self.inside.any():
            return orientation * np.inf
        if self.inside.all():
            return self.first(orientation)
        misses = self.ends(self.grid[~self.inside])
        return misses[1] if orientation == 1 else misses[0]

    def ends(self, some):
        """Smallest and largest of some levels; the grid's ends stand for endless stretches."""
        low, high = self.domain
        smallest = low if some.min() == self.grid[0] and np.isinf(low) else some.min()
        largest = high if some.max() == self.grid[-1] and np.isinf(high) else some.max()
        return smallest, largest

    def violated(self, orientation):
        steps = np.diff(self.inside.astype(int)) * orientation
        return bool((steps < 0).any())


@st.composite
def families(draw):
    """Small whole numbers: roots are fractions with small denominators, far wider than STEP."""
    size = draw(st.integers(1, 6))
    levels = sorted(draw(st.lists(st.integers(0, 5), min_size=size, max_size=size)))
    points = draw(st.integers(1, 4))
    column = st.lists(st.integers(-3, 3), min_size=size, max_size=size)
    columns = np.array([draw(column) for _ in range(points)], dtype=float).T
    orientation = draw(st.sampled_from([1, -1]))
    kind = draw(st.sampled_from(["tight", "wide", "endless"]))
    tail = 0.0 if kind == "tight" else draw(st.sampled_from([0.0, 1.0, -1.0]))
    if kind == "tight":
        domain = (levels[0], levels[-1])
    elif kind == "wide":
        domain = (levels[0] - 2.0, levels[-1] + 3.0)
    else:
        domain = (-np.inf, np.inf)
        tail = -abs(tail) * orientation  # sets may not grow without bound on the small side
    open_below = draw(st.booleans()) and np.isfinite(domain[0]) and domain[0] < domain[1]
    offsets = draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
    options = {"offsets": offsets, "domain": domain, "tail": tail, "open_below": open_below}
    return levels, columns, orientation, options


def twins(levels, columns, options):
    family, _ = plain_family(levels, columns, 1 if options["tail"] <= 0 else -1, **options)
    rest = {name: options[name] for name in ("domain", "tail", "open_below")}
    for column in family.coefficients.T:
        yield Twin(family.levels, column - family.offsets, family.offsets, **rest)


def near(value, brute):
    """Equal, or apart by no more than one step of the twin's grid; infinities are equal."""
    if np.isinf(value) or np.isinf(brute):
        return value == brute
    return abs(value - brute) <= STEP + 1e-12


def gaussian_family(seed, breakpoints=7, dimension=2):
    rng = np.random.default_rng(seed)
    return SetFamily(
        np.sort(rng.uniform(0, 1, breakpoints)),
        rng.normal(size=(breakpoints, 9)),
        rng.normal(scale=0.3, size=breakpoints),
        rng.normal(size=(9, dimension)),
        GaussianKernel(0.8),
        int(rng.choice([-1, 1])),
    )
