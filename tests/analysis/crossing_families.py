"""Hand-made families whose sets cross, and their membership level by level from the definition."""

import numpy as np
from hypothesis import strategies as st

from nestviz import PolynomialKernel, SetFamily

# With unit vectors as centres and as points, a linear kernel makes the field of point i the
# coefficient column i: any piecewise-linear function can be written down directly.
LINEAR = PolynomialKernel(degree=1, offset=0.0)
# Whole numbers up to 3 at whole levels have roots with denominators up to 6. All of those are
# multiples of 1/60, so levels at odd multiples of 1/120 meet every stretch between two roots, and
# never a root itself.
STEP = 1 / 60


def crossing_family(levels, columns, orientation, **options):
    """A family over the unit vectors, and those vectors."""
    columns = np.asarray(columns, dtype=float)
    centres = np.eye(columns.shape[1])
    offsets = options.pop("offsets", np.zeros(len(levels)))
    return SetFamily(levels, columns, offsets, centres, LINEAR, orientation, **options), centres


@st.composite
def crossing_families(draw):
    """Families of up to six breakpoints and five points, both ways round, jumps included."""
    size = draw(st.integers(2, 6))
    levels = sorted(draw(st.lists(st.integers(0, 5), min_size=size, max_size=size)))
    points = draw(st.integers(2, 5))
    column = st.lists(st.integers(-3, 3), min_size=size, max_size=size)
    columns = np.array([draw(column) for _ in range(points)], dtype=float).T
    orientation = draw(st.sampled_from([1, -1]))
    kind = draw(st.sampled_from(["tight", "wide", "endless"]))
    domain = {
        "tight": (levels[0], levels[-1]),
        "wide": (levels[0] - 2.0, levels[-1] + 3.0),
        "endless": (-np.inf, np.inf),
    }[kind]
    slope = draw(st.sampled_from([0.0, 1.0]))
    tail = 0.0 if kind == "tight" else -orientation * slope
    return crossing_family(levels, columns, orientation, domain=domain, tail=tail)


def between_roots(family):
    """Levels in the direction of growth that meet every stretch on which no point changes sides."""
    low, high = family.domain
    low = family.levels[0] - 4 if np.isinf(low) else low
    high = family.levels[-1] + 4 if np.isinf(high) else high
    levels = low + STEP * (np.arange(round((high - low) / STEP)) + 0.5)
    return levels[:: family.orientation]


def membership(family, X):
    """Inside or not, (levels, points), with the levels of `between_roots`."""
    levels = between_roots(family)
    return levels, family.values(X, levels) > 0 if levels.size else np.zeros((0, len(X)), bool)
