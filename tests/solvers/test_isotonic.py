import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nestviz.solvers.nested.isotonic import bounded_isotonic


def cost(a, z, q):
    return float(np.sum(q * (a - z) ** 2))


def brute_force(z, q, h):
    """Best over every way of cutting the levels into blocks: 2^(M−1) of them."""
    M, best = len(z), None
    for cuts in range(2 ** (M - 1)):
        starts = [0, *(m for m in range(1, M) if cuts >> (m - 1) & 1)]
        a = np.empty(M)
        for begin, end in zip(starts, [*starts[1:], M], strict=True):
            mean = np.dot(q[begin:end], z[begin:end]) / q[begin:end].sum()
            a[begin:end] = min(max(mean, 0.0), h[begin])
        if np.all(np.diff(a) >= 0) and (best is None or cost(a, z, q) < cost(best, z, q)):
            best = a
    return best


@st.composite
def problems(draw):
    M = draw(st.integers(1, 7))
    z = draw(st.lists(st.floats(-5, 5), min_size=M, max_size=M))
    q = draw(st.lists(st.floats(0.01, 10), min_size=M, max_size=M))
    h = draw(st.lists(st.floats(0, 4), min_size=M, max_size=M))
    return np.array(z), np.array(q), np.sort(h)


@given(problems())
def test_no_partition_into_blocks_does_better(problem):
    z, q, h = problem
    a = bounded_isotonic(z, q, h)
    best = brute_force(z, q, h)
    # Costs of order 1 separate sequences only down to the root of the rounding unit.
    np.testing.assert_allclose(a, best, atol=1e-6)
    assert cost(a, z, q) <= cost(best, z, q) * (1 + 1e-12) + 1e-12


@given(problems())
def test_the_constraints_hold_exactly(problem):
    z, q, h = problem
    a = bounded_isotonic(z, q, h)
    assert np.all(a >= 0)
    assert np.all(a <= h)
    assert np.all(a[:-1] <= a[1:])


@given(problems())
def test_a_feasible_sequence_is_its_own_answer(problem):
    z, q, h = problem
    a = bounded_isotonic(z, q, h)
    np.testing.assert_allclose(bounded_isotonic(a, q, h), a, rtol=1e-14, atol=0)


@pytest.mark.parametrize(
    ("targets", "weights", "bounds", "expected"),
    [
        # Clipping the unbounded answer (2.5, 2.5) afterwards would give (1, 2.5).
        ([5, 0], [1, 1], [1, 10], [1, 1]),
        ([3, 1], [1, 1], [9, 9], [2, 2]),
        ([3, 1], [3, 1], [9, 9], [2.5, 2.5]),
        ([-1, 2], [1, 1], [9, 9], [0, 2]),
        ([1, 2, 3], [1, 1, 1], [0, 1.5, 9], [0, 1.5, 3]),
        ([4, 2, 3], [1, 1, 1], [9, 9, 9], [3, 3, 3]),
        ([7], [2], [5], [5]),
    ],
)
def test_cases_solved_by_hand(targets, weights, bounds, expected):
    np.testing.assert_allclose(bounded_isotonic(targets, weights, bounds), expected, atol=1e-15)


@pytest.mark.parametrize(
    ("targets", "weights", "bounds", "message"),
    [
        ([1, 2], [1, 1], [2, 1], "not decreasing"),
        ([1, 2], [1, 0], [1, 2], "positive"),
        ([1, 2], [1, 1], [1], "equal length"),
    ],
)
def test_what_is_not_a_problem_is_refused(targets, weights, bounds, message):
    with pytest.raises(ValueError, match=message):
        bounded_isotonic(targets, weights, bounds)
