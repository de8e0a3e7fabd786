"""The densities that samples are drawn from."""

import numpy as np
import pytest

from nestviz.data import SAMPLES, make_sample
from nestviz.data.densities import sample_density
from nestviz.estimators import ParzenLevelSets
from nestviz.ui.compute import scenes
from nestviz.ui.compute.methods import Spec

KNOWN = ("multi", "blobs", "mixture", "ring")


def lattice(reach: float, count: int):
    axis = np.linspace(-reach, reach, count)
    points = np.column_stack([side.ravel() for side in np.meshgrid(axis, axis)])
    return points, (axis[1] - axis[0]) ** 2


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize("seed", [0, 7])
def test_a_density_integrates_to_one(name, seed):
    points, area = lattice(12.0, 301)
    values = sample_density(name, seed)(points)
    assert values.min() >= 0
    assert values.sum() * area == pytest.approx(1.0, abs=2e-3)


@pytest.mark.parametrize("name", KNOWN)
def test_points_lie_where_the_density_says(name):
    """The share of points above a threshold is the mass of that set."""
    points, area = lattice(12.0, 201)
    density = sample_density(name, 3, n=1_000)
    drawn, values = density(make_sample(name, 3, n=1_000).X), density(points)
    for threshold in np.quantile(drawn, [0.2, 0.5, 0.8]):
        mass = values[values >= threshold].sum() * area
        assert np.mean(drawn >= threshold) == pytest.approx(mass, abs=0.05)


def test_options_count():
    wide, narrow = (sample_density("multi", spread=spread) for spread in (1.0, 0.3))
    assert narrow([[-1.5, -1.25]])[0] > wide([[-1.5, -1.25]])[0]


def test_other_samples_have_no_formula():
    assert all(sample_density(name) is None for name in SAMPLES if name not in KNOWN)


def test_a_level_of_many_points_is_a_threshold_of_the_density():
    """With many points and a narrow kernel a Parzen average is close to the density."""
    density, X = sample_density("blobs", n=1_500), make_sample("blobs", n=1_500).X
    family = ParzenLevelSets(0.35).fit(X).family_
    truth = scenes.truth_of(density, (-3.0, 3.0, -2.0, 2.0), Spec("Parzen", 0.35))
    near = np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, 0.5]])
    assert family.first_level(near) * truth.factor == pytest.approx(density(near), rel=0.2)
