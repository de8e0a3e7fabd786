"""Distances and Gaussian kernels keep their digits, however far away some of the points are."""

import numpy as np
import pytest

from nestviz import distances
from nestviz.grids import Grid, Plane
from nestviz.kernels import GaussianKernel, average_distance, median_distance


def exact(X, Y, sigma):
    """The Gram matrix by differences in extended precision."""
    far = np.longdouble(X)[:, None] - np.longdouble(Y)[None]
    with np.errstate(over="ignore"):
        return np.exp(-0.5 * ((far / np.longdouble(sigma)) ** 2).sum(axis=-1)).astype(float)


def layouts(d):
    X = np.random.default_rng(d).normal(size=(40, d))
    far = np.ones((1, d))
    return {
        "ordinary": X,
        "one point far away": np.concatenate([X, 1e9 * far]),
        "two points far away": np.concatenate([X, 1e9 * far, -4e12 * far]),
        "tight clusters far apart": np.concatenate([X, X + 1e9, X - 3e12]),
        "far from the origin": X + 1e7,
        "beyond the square root of the largest number": np.concatenate([X, 1e200 * far]),
        "both ends of the numbers": np.concatenate([X, 1.7e308 * far, -1.7e308 * far]),
    }


@pytest.mark.parametrize("d", [1, 2, 5, 16, 17, 30, 60])
@pytest.mark.parametrize("layout", list(layouts(2)))
@pytest.mark.parametrize("width", [0.05, 1.0, 20.0])
def test_no_kernel_value_is_blurred_by_points_elsewhere(d, layout, width):
    X, sigma = layouts(d)[layout], width * np.sqrt(d)
    kernel, right = GaussianKernel(sigma), exact(X, X, sigma)
    np.testing.assert_allclose(kernel.gram(X, X), right, rtol=0, atol=2e-13)
    np.testing.assert_allclose(kernel.gram(X[:3], X[::-1]), right[:3, ::-1], rtol=0, atol=2e-13)
    np.testing.assert_allclose(kernel.gram_by_differences(X, X), right, rtol=0, atol=1e-14)


def test_a_narrow_width_that_has_no_inverse():
    K = GaussianKernel(5e-324).gram(np.array([[0.0], [0.0], [1.0]]), np.array([[0.0]]))
    np.testing.assert_array_equal(K[:, 0], [1.0, 1.0, 0.0])


@pytest.mark.parametrize("layout", list(layouts(2))[:4])
def test_fields_on_a_grid_are_those_at_its_points(layout):
    X = layouts(2)[layout]
    grid = Grid(np.linspace(-2, 2, 9), np.linspace(-1, 2, 7), Plane.of_two_features())
    kernel = GaussianKernel(0.7)
    right = exact(X, grid.points(), 0.7)
    np.testing.assert_allclose(kernel.grid_gram(X, grid), right, atol=1e-13)
    c = np.random.default_rng(0).normal(size=(3, len(X)))
    np.testing.assert_allclose(kernel.grid_field(c, X, grid), c @ right, atol=1e-12)


def test_a_grid_far_from_the_origin_keeps_the_digits_of_its_points():
    X = np.random.default_rng(0).normal(size=(30, 2)) + 1e8
    grid = Grid.around(X, resolution=11)
    np.testing.assert_allclose(
        GaussianKernel(0.3).grid_gram(X, grid), exact(X, grid.points(), 0.3), atol=1e-13
    )


def test_points_beyond_all_numbers_have_a_distance_from_a_plane():
    plane = Plane(np.zeros(3), np.array([[1.0, 0.0, 0.0], [0.0, 0.6, 0.8]]))
    X = np.array([[1e308, 0.0, 0.0], [0.0, 1e308, 1e308], [0.0, 0.8, -0.6]])
    np.testing.assert_allclose(plane.distances_squared(X, unit=1e-3), [0.0, np.inf, 1e6])


@pytest.mark.parametrize("far", [1e9, 1e200, 1.7e308])
def test_the_median_distance_is_that_of_the_bulk(far):
    X = np.random.default_rng(0).normal(size=(60, 2))
    with_far = median_distance(np.concatenate([X, [[far, far]]]))
    assert with_far == pytest.approx(median_distance(X), rel=0.1)
    assert np.isfinite(average_distance(np.concatenate([X, [[far, far], [-far, far]]])))


@pytest.mark.parametrize(
    ("d", "kernel"), [(1, "_differences"), (2, "_differences"), (9, "_repair")]
)
def test_points_that_may_be_written_to_need_no_kernel_of_their_own(d, kernel):
    """The kernels compiled ahead serve all points: no page waits for the compiler."""
    used = getattr(distances, kernel)
    if not hasattr(used, "signatures"):
        pytest.skip("kernels are not compiled")
    points = layouts(d)["tight clusters far apart"]
    fixed = points.copy()
    fixed.setflags(write=False)
    for A in (points, fixed):
        for B in (points, fixed):
            distances.squared_distances(A, B)
    assert len(used.signatures) == 1
