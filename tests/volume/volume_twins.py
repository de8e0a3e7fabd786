"""Slow, direct versions of what nestviz.volume computes, and families with known answers."""

import numpy as np

from nestviz.families import SetFamily
from nestviz.kernels import PolynomialKernel

# With unit vectors as centres and as points, a linear kernel makes the field of point i the
# coefficient column i: any piecewise-linear function can be written down directly.
LINEAR = PolynomialKernel(degree=1, offset=0.0)


def column_family(levels, columns, orientation, **options):
    """A family and as many points as columns; column i is the field of point i."""
    columns = np.asarray(columns, dtype=float)
    centres = np.eye(columns.shape[1])
    offsets = np.zeros(len(levels))
    return SetFamily(levels, columns, offsets, centres, LINEAR, orientation, **options), centres


def random_family(rng, points, orientation, breakpoints=5):
    """Fields that go up and down at random: not nested."""
    levels = np.sort(rng.choice(40, size=breakpoints, replace=False)).astype(float)
    columns = rng.integers(-3, 4, size=(breakpoints, points)).astype(float)
    return column_family(levels, columns, orientation)


def inside_between(family, points, levels):
    """Evaluate which points are inside at some level between each two successive ones.

    Not half way: whole numbers would often put a point that only touches the boundary there.
    """
    ordered = np.sort(levels)
    between = ordered[:-1] + 0.381966 * np.diff(ordered)
    return between, family.values(points, between) > 0


def pairwise_auc(scores, others):
    """P(score > other) + P(score = other)/2 by comparing all pairs."""
    wins = (scores[:, None] > others[None, :]).mean()
    return wins + (scores[:, None] == others[None, :]).mean() / 2
