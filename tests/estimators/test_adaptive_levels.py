"""Estimators whose levels are inserted: certificate, history, settings, sentences."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from nestviz import (
    Grid,
    NestedCostSensitiveSVM,
    NestedOneClassSVM,
    Quantised,
    load_model,
    make_sample,
    save_model,
)

DATA = make_sample("banana", n=60, random_state=0)
SETTINGS = {"sigma": 0.5, "level_tol": 1e-2}
ESTIMATORS = [
    NestedOneClassSVM(levels="adaptive", **SETTINGS),
    NestedCostSensitiveSVM(asymmetries="adaptive", lam=0.5, **SETTINGS),
]
PARAMETER = {NestedOneClassSVM: "levels", NestedCostSensitiveSVM: "asymmetries"}


def name(estimator):
    return type(estimator).__name__


def levels_of(fitted):
    return getattr(fitted, f"{PARAMETER[type(fitted)]}_")


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
def test_the_certificate_is_of_the_levels_and_within_the_tolerance(estimator, tmp_path):
    fitted = estimator.fit(DATA.X, DATA.y)
    levels, found = levels_of(fitted), fitted.certificate_
    np.testing.assert_array_equal(found.levels, levels)
    assert fitted.converged_
    assert 0 < found.gap <= 1e-2
    assert found.gap == found.gaps.max()
    low, high = sorted(levels[[found.gaps.argmax(), found.gaps.argmax() + 1]])
    assert low <= found.worst_level <= high
    assert fitted.level_rounds_.shape == levels.shape
    assert fitted.level_rounds_.max() == len(fitted.round_gaps_) - 1
    assert fitted.round_gaps_[-1] == pytest.approx(found.gap, rel=1e-6)
    assert fitted.family_.is_nested
    save_model(fitted, tmp_path / "model.zip")
    loaded = load_model(tmp_path / "model.zip")
    assert loaded.certificate_.gap == found.gap
    np.testing.assert_array_equal(loaded.level_rounds_, fitted.level_rounds_)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
def test_sets_come_close_to_those_of_a_fine_grid_with_fewer_levels(estimator):
    kind, settings = type(estimator), {**estimator.get_params(), "level_tol": 1e-4}
    fitted = kind(**settings).fit(DATA.X, DATA.y)
    grids = {count: {PARAMETER[kind]: count} for count in (len(levels_of(fitted)) // 2, 321)}
    coarse, fine = (kind(**{**settings, **grid}).fit(DATA.X, DATA.y) for grid in grids.values())
    pixels = Grid.around(DATA.X, resolution=60)
    at = np.linspace(0.02, 0.98, 40) * levels_of(fine).max()
    inside = [
        np.array([model.family_.contains(pixels, level) for level in at])
        for model in (fitted, coarse, fine)
    ]
    errors = [(sets != inside[2]).mean() for sets in inside[:2]]
    assert errors[0] < 0.002
    assert errors[0] < errors[1]


@pytest.mark.parametrize("sigma", [0.3, 0.9])
def test_a_rough_solve_is_refined_before_levels_are_inserted(sigma):
    """Gaps of a rough solve are there at the levels themselves: no level in between closes them."""
    points = make_sample("banana", n=2500, random_state=0).X
    model = NestedOneClassSVM(sigma, levels="adaptive").fit(points)
    assert model.certificate_.gap <= 1e-3
    assert len(model.levels_) < 20


def test_a_fit_with_a_grid_forgets_the_certificate():
    fitted = NestedOneClassSVM(levels="adaptive", **SETTINGS).fit(DATA.X)
    fitted.set_params(levels=3).fit(DATA.X)
    assert not hasattr(fitted, "certificate_")
    assert not hasattr(fitted, "level_rounds_")


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
def test_too_few_levels_are_said(estimator):
    few = type(estimator)(**{**estimator.get_params(), "max_levels": 4, "level_tol": 1e-5})
    with pytest.warns(ConvergenceWarning, match="4 levels leave a duality gap of .* max_levels"):
        fitted = few.fit(DATA.X, DATA.y)
    assert len(levels_of(fitted)) == 4
    assert fitted.certificate_.gap > 1e-5


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"level_tol": 0.0}, "level_tol must be a finite number above 0"),
        ({"level_tol": None}, "level_tol must be"),
        ({"max_levels": 2}, "max_levels must be at least 3"),
        ({"max_levels": 3.5}, "max_levels must be a whole number"),
        ({"tol": -1.0}, "tol must be"),
    ],
)
def test_wrong_settings_are_refused(estimator, wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        type(estimator)(**{**estimator.get_params(), **wrong}).fit(DATA.X, DATA.y)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
def test_no_other_word_is_taken_for_levels(estimator):
    word = {PARAMETER[type(estimator)]: "automatic"}
    with pytest.raises(ValueError, match="'adaptive', not 'automatic'"):
        type(estimator)(**{**estimator.get_params(), **word}).fit(DATA.X, DATA.y)


def test_many_points_are_certified_with_the_weights_of_the_levels():
    X = make_sample("banana", n=400, random_state=0).X
    model = Quantised(NestedOneClassSVM(0.8, "adaptive"), tol=0.02, random_state=0).fit(X)
    assert model.certificate_.gap <= 0.02
    assert model.estimator_.certificate_.gap <= 1e-3


def test_widths_are_searched_with_inserted_levels():
    nested = NestedOneClassSVM(levels="adaptive", level_tol=1e-2)
    family = nested.families_by_width(DATA.X, 1.0)(0.5)
    alone = NestedOneClassSVM(levels="adaptive", **SETTINGS).fit(DATA.X)
    np.testing.assert_allclose(family.levels, alone.family_.levels, rtol=1e-9)
