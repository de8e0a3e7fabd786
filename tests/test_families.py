"""SetFamily against brute force: a dense grid of levels instead of roots."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nestviz.families import SetFamily, UnionFamily
from nestviz.grids import Grid, Plane
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


@given(families())
@settings(max_examples=400, deadline=None)
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
@settings(max_examples=400, deadline=None)
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
@settings(max_examples=300, deadline=None)
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


@pytest.mark.parametrize("seed", range(5))
def test_chunks_do_not_change_the_answer(seed, monkeypatch):
    family = gaussian_family(seed)
    grid = Grid.around(family.centres, resolution=17)
    whole = family.intervals(grid)
    scan = family.scan(grid)
    monkeypatch.setattr("nestviz.families.CHUNK", 200)
    pieces = family.intervals(grid)
    np.testing.assert_array_equal(whole.indptr, pieces.indptr)
    np.testing.assert_allclose(whole.lower, pieces.lower, rtol=1e-12)
    np.testing.assert_allclose(scan.first, family.first_level(grid), rtol=1e-12)
    np.testing.assert_array_equal(whole.counts, scan.counts)


@pytest.mark.parametrize("seed", range(5))
def test_fields_on_a_grid_equal_fields_at_its_points(seed):
    rng = np.random.default_rng(seed)
    family = gaussian_family(seed, dimension=5)
    directions = np.linalg.qr(rng.normal(size=(5, 2)))[0].T
    grid = Grid.around(family.centres, resolution=11, plane=Plane(rng.normal(size=5), directions))
    np.testing.assert_allclose(family.field(grid), family.field(grid.points()), atol=1e-12)
    level = float(family.levels.mean())
    np.testing.assert_allclose(
        family.values(grid, level), family.at(level).field(grid.points()), atol=1e-12
    )


def test_a_level_is_the_blend_of_its_neighbours():
    family = gaussian_family(3)
    middle = (family.levels[2] + family.levels[3]) / 2
    c, r = family.at(middle)
    np.testing.assert_allclose(c, (family.coefficients[2] + family.coefficients[3]) / 2)
    assert r == pytest.approx((family.offsets[2] + family.offsets[3]) / 2)


def test_a_union_has_no_coefficients_but_says_where_they_are():
    union = gaussian_family(1).union()
    assert isinstance(union, UnionFamily)
    with pytest.raises(TypeError, match=r"\.base"):
        _ = union.at(float(union.levels[0])).coefficients


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"levels": [1.0, 0.0]}, "ascending"),
        ({"levels": []}, "one or more"),
        ({"coefficients": [[1.0, 2.0]]}, "coefficients of shape"),
        ({"offsets": [0.0, np.nan]}, "offsets of a family must be finite"),
        ({"orientation": 0}, "orientation"),
        ({"domain": (0.5, 1.0)}, "within the domain"),
        ({"domain": (-np.inf, np.inf), "tail": 1.0, "orientation": 1}, "without bound"),
    ],
)
def test_a_malformed_family_is_refused_in_words(change, message):
    given_values = {
        "levels": [0.0, 1.0],
        "coefficients": [[1.0], [1.0]],
        "offsets": [0.0, 0.0],
        "centres": [[0.0]],
        "kernel": GaussianKernel(1.0),
        "orientation": -1,
    }
    with pytest.raises(ValueError, match=message):
        SetFamily(**{**given_values, **change})


def test_levels_outside_the_range_and_points_of_the_wrong_shape_are_refused():
    family, X = plain_family([0.0, 1.0], [[1], [1]], 1)
    with pytest.raises(ValueError, match="outside this family's range"):
        family.contains(X, 1.5)
    with pytest.raises(ValueError, match=r"shape \(n, 1\)"):
        family.field(np.zeros((3, 2)))
    open_family, X = plain_family([0.0, 1.0], [[1], [1]], -1, open_below=True)
    with pytest.raises(ValueError, match="above 0"):
        open_family.at(0.0)


def test_numbers_that_are_none_are_refused_in_words():
    family, X = plain_family([0.0, 1.0], [[1], [1]], 1, domain=(-np.inf, np.inf))
    for level in (np.nan, np.inf, -np.inf):
        with pytest.raises(ValueError, match="must be a finite number"):
            family.contains(X, level)
    for answer in (family.field, family.scan, family.intervals, family.violations):
        with pytest.raises(ValueError, match="NaN or an infinity"):
            answer(np.array([[np.nan]]))


@pytest.mark.parametrize("seed", range(4))
def test_equal_points_have_equal_answers_to_the_last_bit(seed):
    family = gaussian_family(seed, dimension=3)
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(37, 3))
    row = rng.integers(0, 37, size=500)
    many = X[row] * np.where(X[row] == 0, -1.0, 1.0)
    level = float(family.levels.mean())
    for answer in (
        family.values(many, level),
        family.field(many)[3],
        family.first_level(many),
        family.last_level(many),
        family.intervals(many).counts,
    ):
        for k in range(37):
            assert np.unique(answer[row == k]).size <= 1


def test_families_are_read_only():
    family = gaussian_family(0)
    with pytest.raises(ValueError, match="read-only"):
        family.coefficients[0, 0] = 1.0
