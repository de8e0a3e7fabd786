"""Minimum volume sets by classification: known discs, all references, the flipped family."""

import numpy as np
import pytest

from nestviz import MinimumVolumeSet, NeymanPearsonClassifier
from nestviz.estimators import NuOneClassSVM
from nestviz.volume import draw_reference, uniform_reference

REFERENCES = ["uniform", "thinned", "manifold", "one-class"]
SMALL = {"nu_grid": 5, "sigmas": [0.7, 1.4, 2.8], "cv": 3}


@pytest.fixture(scope="module")
def points():
    return np.random.default_rng(0).normal(size=(120, 2))


@pytest.mark.parametrize("reference", REFERENCES)
def test_a_gaussian_has_a_disc_of_known_area(points, reference):
    """80 % of a Gaussian lie in a disc of area 2π ln 5; no smaller set holds as much."""
    sets = MinimumVolumeSet(0.8, reference, **SMALL).fit(points)
    new = np.random.default_rng(1).normal(size=(5000, 2))
    mass = (sets.predict(new) == 1).mean()
    assert mass == pytest.approx(0.8, abs=0.09)
    places = uniform_reference(points, 8192, margin=0.5)
    area, error = places.measure(sets.predict(places.points) == 1)
    least = -2 * np.pi * np.log(1 - mass)
    assert least - 5 * error - 0.2 <= area <= 1.3 * least
    assert sets.mass_ >= 0.8
    assert sets.converged_


@pytest.mark.parametrize("reference", REFERENCES[:3])
def test_the_set_is_the_other_side_of_a_neyman_pearson_classifier(points, reference):
    sets = MinimumVolumeSet(0.8, reference, random_state=3, n_reference=90, **SMALL).fit(points)
    drawn = draw_reference(points, 90, reference, random_state=3)
    np.testing.assert_array_equal(sets.reference_points_, drawn)
    model = NeymanPearsonClassifier(1 - 0.8, random_state=3, **SMALL)
    model.fit(np.concatenate((points, drawn)), np.repeat([0, 1], [120, 90]))
    field = model.decision_function(points)
    np.testing.assert_allclose(sets.decision_function(points), -field, atol=1e-12)
    assert sets.search_.cell == model.search_.cell
    assert sets.mass_ == pytest.approx(1 - model.estimated_.false_alarm)
    assert sets.volume_ == model.estimated_.miss
    inside = sets.family_.contains(points, sets.level_)
    np.testing.assert_array_equal(inside, sets.predict(points) == 1)
    more = sets.family_.contains(points, sets.level_ + 0.1)
    assert np.all(more[inside])


def test_the_one_class_route_is_a_choice_among_one_class_svms(points):
    sets = MinimumVolumeSet(0.8, "one-class", smoothing="none", **SMALL).fit(points)
    found = sets.search_
    assert found.table.miss.shape == (3, 5, 1)
    assert found.solves == 3 * 3 * 5
    allowed = np.where(found.false_alarm <= 0.2, found.miss, np.inf)
    assert found.miss[found.cell] == allowed.min()
    svm = NuOneClassSVM(found.sigma, found.nu_plus).fit(points)
    np.testing.assert_allclose(sets.decision_function(points), svm.decision_function(points))
    np.testing.assert_allclose(
        sets.score_samples(points) - sets.offset_, sets.decision_function(points)
    )


def test_cells_of_the_one_class_route_are_what_separate_fits_give(points):
    from sklearn.model_selection import KFold

    sets = MinimumVolumeSet(0.8, "one-class", **SMALL).fit(points)
    table = sets.search_.table
    outside, inside = 0, 0
    for train, test in KFold(3, shuffle=True, random_state=0).split(points):
        svm = NuOneClassSVM(table.sigmas[1], table.nu_plus[2]).fit(points[train])
        outside += (svm.predict(points[test]) == -1).sum()
        inside += (svm.predict(sets.reference_points_) == 1).mean() / 3
    assert table.false_alarm[1, 2, 0] == pytest.approx(outside / 120)
    assert table.miss[1, 2, 0] == pytest.approx(inside)


@pytest.mark.parametrize("reference", ["thinned", "one-class"])
def test_the_same_seed_gives_the_same_set(points, reference):
    first, second = (
        MinimumVolumeSet(0.7, reference, random_state=2, **SMALL).fit(points) for _ in range(2)
    )
    np.testing.assert_array_equal(first.decision_function(points), second.decision_function(points))


def test_a_stop_is_passed_on(points):
    shares = []
    sets = MinimumVolumeSet(0.7, "thinned", strategy="coordinate-3d", **SMALL)
    sets.fit(points, callback=lambda share: shares.append(share) or len(shares) == 2)
    assert len(shares) == 2
    assert not sets.search_.complete
    with pytest.raises(ValueError, match="before a single setting"):
        MinimumVolumeSet(0.7, "one-class", **SMALL).fit(points, callback=lambda share: True)


@pytest.mark.parametrize("reference", ["thinned", "one-class"])
def test_too_little_mass_is_said(points, reference):
    sets = MinimumVolumeSet(0.95, reference, nu_grid=[0.9], sigmas=[0.2], cv=3)
    with pytest.warns(UserWarning, match="No set of the search has"):
        sets.fit(points)
    assert sets.mass_ < 0.95


def test_wrong_parameters_are_sentences(points):
    for options, message in (
        ({"beta": 0.0}, "beta must be"),
        ({"beta": 1.0}, "no set is sure of all"),
        ({"reference": "sphere"}, "reference must be"),
        ({"reference": "one-class", "cv": 1}, "cv must be"),
    ):
        with pytest.raises(ValueError, match=message):
            MinimumVolumeSet(**{"sigmas": [1.0], "nu_grid": 2, **options}).fit(points)
