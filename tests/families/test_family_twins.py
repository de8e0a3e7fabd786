"""SetFamily against brute force: a dense grid of levels instead of roots."""

import numpy as np
from family_twins import families, near, plain_family, twins
from hypothesis import example, given


@given(families())
def test_membership_agrees_with_the_twin_at_every_level(case):
    levels, columns, orientation, options = case
    family, X = plain_family(levels, columns, orientation, **options)
    for column, twin in enumerate(twins(levels, columns, options)):
        got = family.values(X, twin.grid)[:, column]
        np.testing.assert_allclose(got, twin.field, atol=1e-12)
        spans = family.intervals(X)[column]
        clear = ~twin.passing
        np.testing.assert_array_equal((got >= 0)[clear], twin.inside[clear])
        covered, ends = np.zeros(twin.grid.size, dtype=bool), np.isin(twin.grid, spans)
        for low, high in spans:
            covered |= (twin.grid >= low) & (twin.grid <= high)
        # Ends belong to the interval, except where there is no boundary: at a jump, an open end,
        # or where nothing adds to the field.
        np.testing.assert_array_equal(covered[~ends], twin.inside[~ends])
        assert np.all(covered[twin.inside & clear])
        assert np.all(spans[:, 0] <= spans[:, 1])
        assert np.all(spans[1:, 0] >= spans[:-1, 1])


@given(families())
def test_scores_and_violations_agree_with_the_twin(case):
    levels, columns, orientation, options = case
    family, X = plain_family(levels, columns, orientation, **options)
    first, last, violated = family.first_level(X), family.last_level(X), family.violations(X)
    assert not np.isnan(first).any()
    assert not np.isnan(last).any()
    for i, twin in enumerate(twins(levels, columns, options)):
        assert violated[i] == twin.violated(orientation)
        assert near(first[i], twin.first(orientation))
        assert near(last[i], twin.last(orientation))
    assert np.all(last * orientation >= first * orientation)
    np.testing.assert_array_equal(first[~violated], last[~violated])


LATE_VOID = ([0, 1, 1, 1, 1], np.zeros((5, 1)), 1, {
    "offsets": [1, 0, 0, 0, 0], "domain": (0, 1), "tail": 0.0, "open_below": True
})  # fmt: skip
"""On the boundary up to a level at which nothing is left, from an end that no level takes."""


EARLY_LIMIT = ([0, 0], np.zeros((2, 1)), 1, {
    "offsets": [1, 0], "domain": (-2.0, 3.0), "tail": -1.0, "open_below": False
})  # fmt: skip
"""Towards the boundary from outside, and nothing left at the level that would reach it."""


@given(families())
@example(LATE_VOID)
@example(EARLY_LIMIT)
def test_the_union_keeps_every_point_that_came_in(case):
    levels, columns, orientation, options = case
    family, X = plain_family(levels, columns, orientation, **options)
    union = family.union()
    assert union.is_nested
    assert not union.violations(X).any()
    np.testing.assert_array_equal(union.first_level(X), family.first_level(X))
    np.testing.assert_array_equal(union.last_level(X), union.first_level(X))
    for i, twin in enumerate(twins(levels, columns, options)):
        ascending = twin.inside if orientation == 1 else twin.inside[::-1]
        expected = np.logical_or.accumulate(ascending)
        expected = expected if orientation == 1 else expected[::-1]
        clear = ~twin.passing
        np.testing.assert_array_equal(
            (union.values(X, twin.grid)[:, i] >= 0)[clear], expected[clear]
        )
        assert len(union.intervals(X)[i]) == int(twin.inside.any())
