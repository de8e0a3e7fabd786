"""Points of a reference measure: thinning and balls against brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nestviz.volume import draw_reference, thin
from nestviz.volume.draws import neighbour_radius


def thin_by_hand(points, n):
    """All distances, again for each removal."""
    left = list(range(len(points)))
    while len(left) > n:
        D = ((points[left][:, None] - points[left]) ** 2).sum(axis=2)
        np.fill_diagonal(D, np.inf)
        first, second = np.unravel_index(np.argmin(D), D.shape)
        rest = [k for k in range(len(left)) if k not in (first, second)]
        a, b = (D[k, rest].min(initial=np.inf) for k in (first, second))
        left.pop(max(first, second) if a == b else (first if a < b else second))
    return np.array(left)


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 3), st.integers(2, 40), st.integers(1, 40))
def test_thinning_is_what_brute_force_leaves(seed, d, m, n):
    points = np.random.default_rng(seed).normal(size=(m, d))
    np.testing.assert_array_equal(thin(points, n), thin_by_hand(points, n))


def test_thinning_of_a_lattice_and_of_equal_points():
    """All gaps equal, and many zero: ties go the same way as by hand."""
    points = np.array([[i % 4, i // 4] for i in range(16)] * 2, dtype=float)
    for n in (1, 5, 16, 20, 31):
        np.testing.assert_array_equal(thin(points, n), thin_by_hand(points, n))


def test_thinning_spreads_points_out():
    points = np.random.default_rng(0).uniform(size=(500, 2))

    def closest(rows):
        D = ((points[rows][:, None] - points[rows]) ** 2).sum(axis=2)
        np.fill_diagonal(D, np.inf)
        return D.min() ** 0.5

    assert closest(thin(points, 50)) > 5 * closest(np.arange(50))


def test_the_radius_is_the_mean_distance_of_the_kth_neighbour():
    X = np.random.default_rng(1).normal(size=(60, 3))
    D = np.sort(np.sqrt(((X[:, None] - X) ** 2).sum(axis=2)), axis=1)
    for k in (1, 10, 59):
        assert neighbour_radius(X, k) == pytest.approx(D[:, k].mean())
    with pytest.raises(ValueError, match="from 1 to 59"):
        neighbour_radius(X, 60)


@pytest.mark.parametrize("kind", ["uniform", "thinned", "manifold"])
def test_every_kind_draws_what_it_should(kind):
    X = np.random.default_rng(2).normal(size=(80, 3))
    X[:, 2] = np.random.default_rng(3).choice([0.0, 1.0, 5.0], size=80)
    drawn = draw_reference(X, 200, kind, random_state=4, discrete=[2])
    assert drawn.shape == (200, 3)
    assert set(drawn[:, 2]) == {0.0, 1.0, 5.0}
    np.testing.assert_array_equal(drawn, draw_reference(X, 200, kind, random_state=4, discrete=[2]))
    assert not np.array_equal(drawn, draw_reference(X, 200, kind, random_state=5, discrete=[2]))
    if kind == "manifold":
        gaps = np.sqrt(((drawn[:, None, :2] - X[:, :2]) ** 2).sum(axis=2)).min(axis=1)
        assert gaps.max() <= neighbour_radius(X, 10) * (1 + 1e-12)
    else:
        reach = 0.1 * np.ptp(X[:, :2], axis=0)
        assert np.all(drawn[:, :2] >= X[:, :2].min(axis=0) - reach)
        assert np.all(drawn[:, :2] <= X[:, :2].max(axis=0) + reach)


def test_thinned_points_are_the_thinned_ones_of_more():
    X = np.random.default_rng(5).normal(size=(30, 2))
    many = draw_reference(X, 120, random_state=6)
    few = draw_reference(X, 20, "thinned", random_state=6, oversampling=6)
    np.testing.assert_array_equal(few, many[thin_by_hand(many, 20)])


def test_points_fill_balls_evenly():
    """Half of the area of a disc is within 1/√2 of its radius."""
    X = np.zeros((12, 2))
    X[0, 0] = 1.0
    drawn = draw_reference(X, 20_000, "manifold", random_state=0, oversampling=1)
    radius = neighbour_radius(X, 10)
    assert radius == pytest.approx(1 / 12)
    gaps = np.sqrt(((drawn[:, None] - X) ** 2).sum(axis=2)).min(axis=1)
    assert (gaps < radius / np.sqrt(2)).mean() == pytest.approx(0.5, abs=0.02)


def test_wrong_arguments_are_sentences():
    X = np.zeros((4, 2))
    for options, message in (
        ({"kind": "sphere"}, "kind must be"),
        ({"n": 0}, "At least one"),
        ({"margin": -1.0}, "margin must be"),
        ({"discrete": [2]}, "columns 0 to 1"),
        ({"kind": "thinned", "oversampling": 0}, "oversampling must be"),
    ):
        with pytest.raises(ValueError, match=message):
            draw_reference(X, **{"n": 3, **options})
    with pytest.raises(ValueError, match="at least one point"):
        thin(X, 0)
    with pytest.raises(ValueError, match="table of finite"):
        thin([[np.nan]], 1)
