"""The smallest change into a set, against fine grids."""

import numpy as np
import pytest

from nestviz import NestedOneClassSVM, OneClassPath, ParzenLevelSets, make_sample
from nestviz.analysis import flag_outliers, outlier_ranking, smallest_change
from nestviz.families import SetFamily
from nestviz.intersections import IntersectionFamily
from nestviz.kernels import GaussianKernel, PolynomialKernel

STEP = 0.002


@pytest.fixture(scope="module")
def fitted():
    X = make_sample("banana", random_state=3, n=80).X
    return X, {
        "parzen": ParzenLevelSets(sigma=0.5).fit(X).family_,
        "nested": NestedOneClassSVM(sigma=0.5).fit(X).family_,
        "path": OneClassPath(sigma=0.5).fit(X).family_,
    }


def flagged(family, X, count=4):
    ranking = outlier_ranking(family, X)
    threshold = flag_outliers(ranking, 0.15).threshold
    return ranking.order[:count], threshold


@pytest.mark.parametrize("name", ["parzen", "nested", "path"])
def test_single_features_enter_where_a_fine_line_does(fitted, name):
    X, families = fitted
    rows, level = flagged(families[name], X)
    union = families[name].union()
    line = np.arange(0.0, 12.0, STEP)
    for row in rows:
        found = smallest_change(families[name], X[row], level)
        for j in range(2):
            first = []
            for sign in (1.0, -1.0):
                along = np.tile(X[row], (line.size, 1))
                along[:, j] += sign * line
                inside = union.contains(along, level)
                first.append(line[np.argmax(inside)] if inside.any() else np.inf)
            least = min(first)
            if np.isinf(least):
                # A segment shorter than a step may be missed by the line, not by the search.
                assert np.isnan(found.single[j]) or union.contains(
                    [X[row] + (found.single[j] + 1e-7) * np.eye(2)[j]], level
                )
                continue
            assert -1e-6 <= least - abs(found.single[j]) <= STEP + 1e-6
            assert np.isclose(abs(found.single[j]), first[int(found.single[j] < 0)], atol=2 * STEP)


@pytest.mark.parametrize("name", ["parzen", "nested", "path"])
def test_the_nearest_location_is_inside_and_as_near_as_on_a_fine_grid(fitted, name):
    X, families = fitted
    rows, level = flagged(families[name], X)
    union = families[name].union()
    for row in rows:
        found = smallest_change(families[name], X[row], level)
        assert union.contains(found.target[None], level)[0]
        np.testing.assert_allclose(np.linalg.norm(found.target - X[row]), found.distance)
        reach = np.linspace(-1.0, 1.0, 161) * 1.05 * found.distance
        grid = X[row] + np.stack(np.meshgrid(reach, reach), axis=-1).reshape(-1, 2)
        distances = np.linalg.norm(grid - X[row], axis=1)
        nearest = distances[union.contains(grid, level)].min()
        assert found.at_least <= nearest
        assert found.distance <= nearest * (1 + 1e-6)
        assert found.at_least <= found.distance
        assert found.distance <= np.nanmin(np.abs(found.single), initial=np.inf) + 1e-6


def test_a_thin_set_is_not_stepped_over():
    # A faint and a strong Gaussian: the faint one is inside for a hair's breadth only.
    centres = np.array([[0.0], [4.0], [9.0]])
    family = SetFamily(
        [0.0, 1.0], np.tile([1e-9, 0.5 + 1e-9, 2.0], (2, 1)), [0.5, 0.5], centres,
        GaussianKernel(0.5), -1, is_nested=True,
    )  # fmt: skip
    found = smallest_change(family, [0.0], 0.5)
    assert abs(found.single[0] - 4.0) < 1e-4


def test_directions_of_a_projection():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    family = ParzenLevelSets(sigma=0.7).fit(X).family_
    ways = np.array([[0.6, 0.8], [0.0, 0.0], [3.0, 0.0]])
    point, level = np.array([-4.0, -4.0]), 0.03
    found = smallest_change(family, point, level, ways)
    assert np.isnan(found.single[1])
    plain = smallest_change(family, point, level)
    np.testing.assert_allclose(3.0 * found.single[2], plain.single[0], equal_nan=True)
    for way, change in zip(ways[[0]], found.single[[0]], strict=True):
        inside = point + (change + 1e-7) * way, point + (change - 1e-4) * way
        assert family.contains(np.array(inside), level).tolist() == [True, False]


def test_a_point_inside_needs_no_change(fitted):
    X, families = fitted
    found = smallest_change(families["parzen"], X[0], 1e-5)
    assert found.distance == found.at_least == 0.0
    assert not found.single.any()


def test_an_empty_set_has_no_location(fitted):
    X, families = fitted
    found = smallest_change(families["nested"], X[0], float(families["nested"].levels[-1]) * 0.9999)
    far = smallest_change(families["parzen"], X[0], 1.0)
    assert far.target is None
    assert far.distance == np.inf
    assert np.isnan(far.single).all()
    assert found.distance >= found.at_least


def test_far_away_points_need_few_steps(fitted):
    _, families = fitted
    found = smallest_change(families["parzen"], [1e6, 0.0], 0.01)
    assert 9.9e5 < found.distance < 1e6
    assert found.at_least <= found.distance


def test_what_is_not_covered_is_refused(fitted):
    _, families = fitted
    with pytest.raises(ValueError, match="shape"):
        smallest_change(families["parzen"], [0.0], 0.1)
    with pytest.raises(ValueError, match="Directions"):
        smallest_change(families["parzen"], [0.0, 0.0], 0.1, [[1.0]])
    plain = SetFamily([0.0, 1.0], [[1.0], [1.0]], [5.0, 5.0], [[0.0]], GaussianKernel(1.0), 1)
    with pytest.raises(ValueError, match="unions only"):
        smallest_change(IntersectionFamily.of(plain), [9.0], 0.5)
    for coefficients, kernel, words in (
        ([[-1.0], [-1.0]], GaussianKernel(1.0), "not negative"),
        ([[1.0], [1.0]], PolynomialKernel(2), "Gaussian"),
    ):
        family = SetFamily([0.0, 1.0], coefficients, [5.0, 5.0], [[0.5]], kernel, 1, is_nested=True)
        with pytest.raises(ValueError, match=words):
            smallest_change(family, [0.6], 0.5)
