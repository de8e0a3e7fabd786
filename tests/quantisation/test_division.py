"""Cells divided by the sides of boundaries, and what the points of a part have in common."""

import numpy as np
import pytest

from nestviz import NestedCostSensitiveSVM, NestedOneClassSVM, OneClassPath, make_sample
from nestviz.estimators.quantised_fit import fitted
from nestviz.quantisation.assignment import cells_of
from nestviz.quantisation.division import divided, keys_of
from nestviz.quantisation.lower_bound import largest_number
from nestviz.quantisation.sources import Part, array_source
from nestviz.solvers.nested.gap import point_gaps
from nestviz.solvers.records import Chains

DATA = make_sample("banana", n=900, random_state=2)
PLAIN = Part(DATA.X, None, np.ones(900))
SIGNED = Part(DATA.X, DATA.y.astype(np.float64), np.ones(900))


def solution(estimator, count=40, points=PLAIN):
    source = array_source(*points[:3])
    cells = cells_of(points, count, "farthest", estimator.sigma, 0)
    classes = None if points.y is None else np.array([-1, 1])
    return source, fitted(estimator, source, cells, classes).lifted


def best_responses(lifted, points):
    """The coefficients that are best for each point alone, by brute force over chains of bounds."""
    q, s, h = lifted.chains_of(points)
    field = lifted.b @ lifted.kernel.gram(lifted.centres, points.X)
    found = np.zeros_like(h)
    for i in range(len(s)):
        order = np.arange(len(q)) if s[i] > 0 else np.arange(len(q))[::-1]
        bound = h[order, i]
        gain = np.sign(s[i]) * (q * (s[i] - field[:, i]))[order]
        # A vertex of 0 ≤ a_1 ≤ … ≤ a_M, a ≤ bound: from some levels on, the bound of that level.
        best, path = {0: (0.0, [])}, None
        for m in range(len(q)):
            step = {}
            for k, (value, taken) in best.items():
                level = bound[k - 1] if k else 0.0
                stay = (value + gain[m] * level, [*taken, level])
                step[k] = max(step.get(k, (-np.inf, None)), stay, key=lambda x: x[0])
                rise = (value + gain[m] * bound[m], [*taken, bound[m]])
                step[m + 1] = max(step.get(m + 1, (-np.inf, None)), rise, key=lambda x: x[0])
            best = step
        path = max(best.values(), key=lambda x: x[0])[1]
        found[order, i] = np.sign(s[i]) * np.array(path)
    return found, field


@pytest.mark.parametrize(
    ("estimator", "points"),
    [(NestedOneClassSVM(0.5, levels=5), PLAIN), (NestedCostSensitiveSVM(0.5, 5.0), SIGNED)],
)
def test_points_of_a_key_have_the_same_best_coefficients(estimator, points):
    _, lifted = solution(estimator, points=points)
    best, field = best_responses(lifted, points)
    chains = lifted.chains_of(points)
    assert point_gaps(Chains(*chains), best, field).max() < 1e-12
    keys, _ = keys_of(points, lifted.cells, lifted, finer=False)
    for key in np.unique(keys):
        mine = best[:, keys == key]
        np.testing.assert_allclose(mine, mine[:, :1] * np.ones(mine.shape[1]), atol=1e-12)


@pytest.mark.parametrize("finer", [False, True])
@pytest.mark.parametrize("most", [10, 60, 100_000])
@pytest.mark.parametrize(
    ("estimator", "points"),
    [(NestedOneClassSVM(0.5), PLAIN), (OneClassPath(0.5), PLAIN),
     (NestedCostSensitiveSVM(0.5, 5.0), SIGNED)],
)  # fmt: skip
def test_parts_are_parts_of_cells(estimator, points, most, finer):
    source, lifted = solution(estimator, points=points)
    cells, sums = divided(source, lifted.cells, lifted, most, finer=finer)
    part, cell = cells.of(points), lifted.cells.of(points)
    assert len(sums.weights) <= max(most, len(lifted.centres))
    assert len(cells.seeds) == len(sums.weights)
    np.testing.assert_array_equal(cells.cell[part], cell)
    np.testing.assert_array_equal(sums.weights, np.bincount(part))
    centres = cells.seeds + sums.moments / sums.weights[:, None]
    np.testing.assert_allclose(centres[part[0]], points.X[part == part[0]].mean(axis=0))
    if points.y is not None:
        np.testing.assert_array_equal(cells.y[part], points.y)
    if most > 900:
        keys, _ = keys_of(points, lifted.cells, lifted, finer=finer)
        assert len(sums.weights) == len(np.unique(keys))


def test_points_that_are_new_go_to_a_part_of_their_cell():
    source, lifted = solution(NestedCostSensitiveSVM(0.5, 5.0), points=SIGNED)
    cells, _ = divided(source, lifted.cells, lifted, 100_000)
    rng = np.random.default_rng(0)
    new = Part(rng.uniform(-4, 4, (3000, 2)), rng.choice([-1.0, 1.0], 3000), np.ones(3000))
    np.testing.assert_array_equal(cells.cell[cells.of(new)], lifted.cells.of(new))
    np.testing.assert_array_equal(cells.y[cells.of(new)], new.y)


def test_points_of_a_cell_that_was_empty_go_to_a_part_of_their_class():
    """They were in the last part, whose class is another: coefficients there have a wrong sign."""
    _, lifted = solution(NestedCostSensitiveSVM(0.5, 5.0), points=SIGNED)
    mine = lifted.cells.of(SIGNED) != 0
    some = array_source(*SIGNED.rows(np.flatnonzero(mine))[:3])
    cells, _ = divided(some, lifted.cells, lifted, 100_000)
    lost = SIGNED.rows(np.flatnonzero(~mine))
    assert len(lost.X) > 0
    np.testing.assert_array_equal(cells.y[cells.of(lost)], lost.y)


def test_how_points_are_divided_into_parts_does_not_matter():
    source, lifted = solution(NestedOneClassSVM(0.5))
    _, whole = divided(source, lifted.cells, lifted, 80)
    order = np.random.default_rng(1).permutation(900)
    mixed_up = array_source(DATA.X[order], None, np.ones(900))
    _, mixed = divided(mixed_up, lifted.cells, lifted, 80)
    np.testing.assert_array_equal(whole.weights, mixed.weights)
    np.testing.assert_allclose(whole.moments, mixed.moments, atol=1e-12)


def test_the_largest_number_of_parts_is_that_of_a_kernel_matrix_in_memory():
    assert [largest_number(n) for n in (100, 1000, 3200, 4500, 6000)] == [
        400, 3000, 4000, 5000, 5000,
    ]  # fmt: skip
