"""Profiles along a line, against sums of kernels computed one by one."""

import math

import numpy as np
import pytest

from nestviz import NestedOneClassSVM, OneClassPath
from nestviz.analysis.profiles import profile

SIGMA = 0.5


@pytest.fixture
def points():
    return np.random.default_rng(2).normal(size=(14, 2))


@pytest.mark.parametrize("model", [OneClassPath(SIGMA), NestedOneClassSVM(SIGMA, 7)])
def test_sums_are_those_of_the_coefficients(points, model):
    model.fit(points)
    levels = np.array([0.9, 0.4, 0.1]) * model.family_.levels[-1]
    start, end = np.array([-2.0, -1.0]), np.array([2.0, 1.5])
    found = profile(model.family_, start, end, levels, count=23)
    alpha = model.coefficients(levels)
    for m, level in enumerate(levels):
        for k in range(23):
            x = start + k / 22 * (end - start)
            total = math.fsum(
                a * math.exp(-((x - p) @ (x - p)) / (2 * SIGMA**2))
                for a, p in zip(alpha[m], points, strict=True)
            )
            assert found.sums[m, k] == pytest.approx(total, abs=1e-12)
            if abs(total - level) > 1e-9:
                assert found.inside[m, k] == (total > level)
    assert found.at[-1] == pytest.approx(math.dist(start, end))
    np.testing.assert_allclose(found.thresholds, levels)


def test_lost_locations_are_those_that_some_higher_level_contained():
    X = np.array([-1.37, -0.68, -0.51, -0.47, -0.37, 0.05, 0.39, 0.45, 0.65, 0.89])[:, None]
    path = OneClassPath(0.45).fit(X)
    levels = np.linspace(1.05, 0.05, 15) * path.breakpoints_[0]
    found = profile(path.family_, [-2.4], [2.0], levels, count=45)
    fine = np.linspace(1.1, 0.0002, 6000)[:-1] * path.breakpoints_[0]
    inside = path.family_.values(found.points, fine) >= 0
    for m, level in enumerate(levels):
        before = inside[fine >= level].any(axis=0)
        np.testing.assert_array_equal(found.left[m], before & ~found.inside[m])
    assert found.left.any()


def test_nested_sets_lose_nothing(points):
    family = NestedOneClassSVM(SIGMA, 5).fit(points).family_
    found = profile(family, [-2.0, 0.0], [2.0, 0.0], np.linspace(0.9, 0.01, 20) * family.levels[-1])
    assert not found.left.any()
    assert (found.inside[1:] >= found.inside[:-1]).all()
