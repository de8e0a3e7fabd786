"""What is inside where fields touch zero, jump, or have no terms at all."""

import numpy as np
from family_twins import plain_family

from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel


def test_one_breakpoint_with_a_tail_is_a_thresholded_density():
    family, X = plain_family(
        [0.0], [[0.25, 0.75]], -1, offsets=0.0, domain=(0.0, np.inf), tail=1.0, is_nested=True
    )
    np.testing.assert_allclose(family.first_level(X), [0.25, 0.75])
    np.testing.assert_allclose(family.values(X, 0.5), [-0.25, 0.25])
    np.testing.assert_allclose(family.intervals(X)[1], [[0.0, 0.75]])
    assert family.union() is family


def test_points_never_and_always_inside():
    shrinking, X = plain_family([1.0, 2.0], [[-1, 1], [-1, 1]], -1)
    np.testing.assert_array_equal(shrinking.first_level(X), [-np.inf, 2.0])
    np.testing.assert_array_equal(shrinking.last_level(X), [-np.inf, 2.0])
    growing, X = plain_family([1.0, 2.0], [[-1, 1], [-1, 1]], 1)
    np.testing.assert_array_equal(growing.first_level(X), [np.inf, 1.0])
    np.testing.assert_array_equal(growing.last_level(X), [np.inf, 1.0])


def test_touching_zero_from_inside_is_no_violation():
    family, X = plain_family([0.0, 1.0, 2.0], [[1], [0], [1]], 1)
    assert not family.violations(X)[0]
    np.testing.assert_allclose(family.intervals(X)[0], [[0, 2]])


def test_touching_zero_from_outside_is_an_interval_of_one_level():
    family, X = plain_family([0.0, 1.0, 2.0], [[-1], [0], [-1]], 1)
    assert family.violations(X)[0]
    assert family.contains(X, 1.0)[0]
    np.testing.assert_allclose(family.intervals(X)[0], [[1, 1]])
    assert family.first_level(X)[0] == 1.0


def test_a_point_on_the_margin_enters_at_the_level_at_which_it_reaches_it():
    family, X = plain_family(
        [0.0, 1.0, 2.0, 3.0], [[1e-14], [-1e-14], [0], [-1]], -1, tolerance=1e-12
    )
    assert family.first_level(X)[0] == family.last_level(X)[0] == 2.0
    assert family.contains(X, 0.5)[0]
    assert family.contains(X, 1.5)[0]
    assert not family.contains(X, 2.5)[0]


def test_where_nothing_adds_to_the_field_there_is_no_boundary():
    centres, far = [[-1.0], [1.0]], [[1e6]]
    family = SetFamily([0, 1], [[-1, 0], [0, 1]], [0, 0], centres, GaussianKernel(1.0), 1)
    assert family.first_level(far)[0] == np.inf
    for level in (0.0, 0.3, 0.5, 1.0):
        assert not family.contains(far, level)[0]
        assert not family.at(level).contains(far)[0]
    assert len(family.intervals(far)[0]) == 0
    assert family.field(far).max() < 0
    # Halfway between the two centres the terms cancel: that is a boundary, and it is inside.
    assert family.contains([[0.0]], 0.5)[0]


def test_small_fields_far_away_keep_their_sign():
    """A tolerance is for terms that cancel, not for terms that are small."""
    centres, away = [[-1.0], [1.0]], [[-9.0], [9.0]]
    family = SetFamily(
        [0, 1], [[-1, 1], [-1, 1]], [0, 0], centres, GaussianKernel(1.0), 1, tolerance=1e-9
    )
    assert np.abs(family.field(away)).max() < 1e-9
    np.testing.assert_array_equal(family.contains(away, 0.5), [False, True])
    np.testing.assert_array_equal(family.first_level(away), [np.inf, 0.0])


def test_entry_below_the_last_breakpoint_is_exact_however_small():
    kernel = GaussianKernel(1.0)
    family = SetFamily(
        [1e-6], [[1.0]], [1e-6], [[0.0]], kernel, -1, domain=(0, np.inf), tail=1.0, open_below=True
    )
    X = np.array([[6.0], [9.0], [12.0], [37.0], [60.0]])
    sums = kernel.gram(np.zeros((1, 1)), X)[0]
    np.testing.assert_allclose(family.first_level(X)[:4], sums[:4], rtol=1e-12)
    assert family.first_level(X)[4] == -np.inf
    for k in range(4):
        assert family.contains(X, sums[k] * (1 - 1e-9))[k]
        assert not family.contains(X, sums[k] * (1 + 1e-9))[k]


def test_a_jump_takes_its_last_value():
    family, X = plain_family([0.0, 1.0, 1.0, 2.0], [[-1], [-1], [1], [1]], 1)
    assert not family.contains(X, 0.999)[0]
    assert family.contains(X, 1.0)[0]
    np.testing.assert_allclose(family.intervals(X)[0], [[1, 2]])


def test_values_within_tolerance_lie_on_the_boundary():
    wobble = 1e-13
    exact, X = plain_family([0.0, 1.0, 2.0], [[-1], [wobble], [-wobble]], 1)
    assert exact.violations(X)[0]
    snapped, X = plain_family([0.0, 1.0, 2.0], [[-1], [wobble], [-wobble]], 1, tolerance=1e-12)
    assert not snapped.violations(X)[0]
    assert snapped.contains(X, 1.0)[0]
    np.testing.assert_allclose(snapped.intervals(X)[0], [[1, 2]])


def test_a_family_that_claims_to_be_nested_can_be_checked():
    claim, X = plain_family([0.0, 1.0, 2.0], [[1], [-1], [1]], 1, is_nested=True)
    assert not claim.violations(X)[0]
    assert claim.violations(X, check=True)[0]
    assert not claim.union().violations(X).any()
    crossing, _ = plain_family([0.0, 1.0, 2.0], [[1], [-1], [1]], 1)
    assert not crossing.union().violations(X, check=True)[0]
