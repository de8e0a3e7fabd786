"""One round of :mod:`nestviz.solvers.box_sum.nu_one_class`: who takes part, and what is done."""

from __future__ import annotations

import numpy as np

from nestviz.arrays import FloatArray, IndexArray
from nestviz.solvers.box_sum.nu_steps import newton_step, pair_steps
from nestviz.solvers.columns import Columns

#: Problems up to this size are worked on whole.
WHOLE = 500
#: Pairs crawl when as many steps as there are points leave more than this part of the violation.
CRAWL = 0.5
#: Times this is asked, and if they crawl a Newton step taken, within a working set.
CYCLES = 20
#: Up to so many margin points a solve ends with a Newton step.
MOST_POLISHED = 500
#: In larger problems at least so many points of either kind are looked for.
FEWEST_VIOLATORS = 200
#: Margin points that take part at most.
LARGEST_SET = 1500


def working_set(alpha: FloatArray, G: FloatArray, upper: FloatArray) -> IndexArray:
    """All margin points and the worst of the others, in order; of a small problem every point.

    As many that should give as that should take: one kind alone could not move.
    """
    if len(alpha) <= WHOLE:
        return np.arange(len(alpha))
    may_take, may_give = alpha < upper, alpha > 0
    free = np.flatnonzero(may_take & may_give)
    count = max(FEWEST_VIOLATORS, len(free))
    takers = _lowest(np.flatnonzero(may_take), G, count)
    givers = _lowest(np.flatnonzero(may_give), -G, count)
    takers = takers[G[takers] < G[givers].max(initial=-np.inf)]
    givers = givers[G[givers] > G[takers].min(initial=np.inf)]
    return np.unique(np.concatenate([free[:LARGEST_SET], takers, givers]))


def _lowest(points: IndexArray, values: FloatArray, count: int) -> IndexArray:
    """The ``count`` points of lowest value; among equal ones the first."""
    if len(points) <= count:
        return points
    return points[np.argsort(values[points], kind="stable")[:count]]


def improve(
    columns: Columns,
    alpha: FloatArray,
    F: FloatArray,
    q: FloatArray,
    upper: FloatArray,
    points: IndexArray,
    enough: float,
) -> None:
    """Decrease the objective over ``points`` alone, in place, until ``enough`` is left to gain."""
    K, mine, bounds = columns.block(points), alpha[points], upper[points]
    G = F[points] - q[points]
    refine(K, mine, G, bounds, enough)
    change = mine - alpha[points]
    alpha[points] = mine
    if len(points) == len(alpha):
        F[:] = G + q
        return
    moved = np.flatnonzero(change)
    F += columns.product_of(points[moved], np.ascontiguousarray(change[None, moved]))[0]


def refine(
    K: FloatArray, alpha: FloatArray, G: FloatArray, upper: FloatArray, enough: float
) -> None:
    """Pairs, and Newton steps where they crawl, in place."""
    left = np.inf
    for _ in range(CYCLES):
        before, left = left, pair_steps(K, alpha, G, upper, enough, len(alpha))
        if left <= enough:
            break
        if left > CRAWL * before:
            newton_step(K, alpha, G, upper)


def polish(columns: Columns, alpha: FloatArray, G: FloatArray, upper: FloatArray) -> None:
    """One Newton step on the margin points, in place.

    A tolerance on the objective leaves the margin points apart by about its square root. One step
    more, cheap against those before it, brings them together, and ρ to nearly full accuracy.
    """
    free = np.flatnonzero((alpha > 0) & (alpha < upper))
    if not 2 <= len(free) <= MOST_POLISHED:
        return
    mine, bounds = alpha[free], upper[free]
    newton_step(columns.block(free), mine, G[free], bounds)
    # A point that meets a bound would leave its place to others that are not looked at here.
    if np.all((mine > 0) & (mine < bounds)):
        alpha[free] = mine
