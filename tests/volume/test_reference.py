"""Reference points: the box, the seed, and an error that means what it says."""

import numpy as np
import pytest

from nestviz.grids import Grid, Plane
from nestviz.volume import Reference, pixel_reference, uniform_reference
from nestviz.volume.reference import as_reference

BOX = np.array([[-1.0, -1.0], [1.0, 3.0]])


def in_disc(points, radius=0.8):
    return np.einsum("ij,ij->i", points, points) < radius**2


def test_points_fill_the_widened_box():
    reference = uniform_reference(BOX, n=1000, margin=0.25)
    assert reference.size == 1024
    assert reference.volume == pytest.approx(3.0 * 6.0)
    assert np.all(reference.points >= [-1.5, -2.0])
    assert np.all(reference.points <= [1.5, 4.0])
    np.testing.assert_allclose(reference.points.mean(axis=0), [0.0, 1.0], atol=0.02)


def test_same_seed_same_points():
    first, again = uniform_reference(BOX, random_state=3), uniform_reference(BOX, random_state=3)
    np.testing.assert_array_equal(first.points, again.points)
    assert not np.array_equal(first.points, uniform_reference(BOX, random_state=4).points)


def test_scramblings_differ():
    reference = uniform_reference(BOX, n=64, scramblings=4)
    blocks = reference.points.reshape(4, 16, 2)
    assert len({block.tobytes() for block in blocks}) == 4
    np.testing.assert_array_equal(np.bincount(reference.blocks), [16] * 4)


@pytest.mark.parametrize("scramblings", [1, 8])
def test_stated_error_covers_the_true_volume(scramblings):
    """Over many seeds the miss is about as large as stated, and never far beyond."""
    truth = np.pi * 0.8**2
    misses, errors = [], []
    for seed in range(60):
        reference = uniform_reference(
            BOX, n=512, random_state=seed, margin=0.0, scramblings=scramblings
        )
        volume, error = reference.measure(in_disc(reference.points))
        misses.append(volume - truth)
        errors.append(error)
    typical = np.sqrt(np.mean(np.square(misses)))
    assert np.abs(misses).max() < 5 * np.mean(errors)
    if scramblings > 1:
        assert 0.6 < typical / np.sqrt(np.mean(np.square(errors))) < 1.6
    else:
        # Sobol points do better than the binomial bound.
        assert typical < np.mean(errors)


def test_a_feature_without_spread_adds_no_volume():
    flat = np.column_stack([BOX, np.full(2, 7.0)])
    reference = uniform_reference(flat, margin=0.0)
    assert reference.volume == pytest.approx(8.0)
    assert set(reference.points[:, 2]) == {7.0}
    assert uniform_reference(np.ones((3, 2))).volume == 1.0


def test_volume_beyond_numbers_is_refused_but_shares_are_not():
    wide = np.vstack([np.zeros(200), np.full(200, 1e5)])
    with pytest.raises(ValueError, match="relative=True"):
        uniform_reference(wide)
    assert uniform_reference(wide, relative=True).volume == 1.0


def test_pixels_count_areas_without_chance():
    grid = Grid(np.linspace(-1, 1, 201), np.linspace(-1, 3, 401), Plane.of_two_features())
    reference = pixel_reference(grid)
    volume, error = reference.measure(in_disc(grid.points()))
    # Half a pixel along the boundary is the most that can be missed.
    assert volume == pytest.approx(np.pi * 0.8**2, abs=2 * np.pi * 0.8 * 0.01 / 2)
    assert error == 0.0
    assert as_reference(grid).volume == reference.volume


def test_bad_references_say_what_is_wrong():
    plane = Plane(np.zeros(3), np.eye(3)[:2])
    with pytest.raises(ValueError, match="3 features"):
        pixel_reference(Grid(np.arange(3.0), np.arange(3.0), plane))
    flat = Plane.of_two_features()
    with pytest.raises(ValueError, match="evenly spaced"):
        pixel_reference(Grid(np.array([0.0, 1.0, 3.0]), np.arange(3.0), flat))
    with pytest.raises(ValueError, match="two rows"):
        pixel_reference(Grid(np.zeros(1), np.arange(3.0), flat))
    with pytest.raises(ValueError, match="blocks of equal size"):
        Reference(np.zeros((5, 2)), 1.0, scramblings=2)
    with pytest.raises(ValueError, match="positive number"):
        Reference(np.zeros((5, 2)), 0.0)
    with pytest.raises(ValueError, match="margin"):
        uniform_reference(BOX, margin=-0.1)
    with pytest.raises(ValueError, match="finite numbers"):
        uniform_reference([[np.nan, 0.0]])
    with pytest.raises(TypeError, match="uniform_reference"):
        as_reference(BOX)
