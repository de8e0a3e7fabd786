"""What the Quantiles page computes, without the page."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import nestviz
from nestviz.analysis import at_masses, coverage_ratio
from nestviz.data import make_sample
from nestviz.estimators.model_files import load_model, save_model
from nestviz.grids import Grid
from nestviz.ui.compute.quantiles import METHODS, QuantileSettings, fit, held_out_count, measure
from nestviz.ui.compute.tasks import never_stop

DATA = make_sample("banana", random_state=0, n=120)
PLAN = QuantileSettings(0.4, 5, 0.1, 0.9, share=0.4, seed=3, levels=7, dense=True)


def fitted(name, plan, training):
    """The library's own estimator."""
    method = METHODS[name]
    return getattr(nestviz, method.estimator)(**plan.parameters(method)).fit(training)


def solved(name, X=DATA.X, plan=PLAN):
    made = fit(name, plan, X, never_stop)
    return measure(made, name, plan, X, Grid.around(X, resolution=40), never_stop)


def test_points_are_learned_from_or_held_out_but_never_both():
    training, held_out = PLAN.parts(120)
    assert held_out.size == 48
    assert sorted([*training, *held_out]) == list(range(120))
    again, other = PLAN.parts(120), QuantileSettings(0.4, 5, 0.1, 0.9, 0.4, 4, 7, True).parts(120)
    np.testing.assert_array_equal(again[1], held_out)
    assert set(other[1]) != set(held_out)


@pytest.mark.parametrize(("share", "n", "count"), [(0.1, 2, 1), (0.9, 2, 1), (0.5, 7, 4)])
def test_one_point_is_left_for_either_part(share, n, count):
    assert held_out_count(share, n) == count


@pytest.mark.parametrize("count", [2, 5, 10, 39])
def test_every_quantile_has_its_frame(count):
    plan = QuantileSettings(0.4, count, 0.05, 0.95, 0.5, 0, 7, True)
    assert 39 <= plan.frames.size <= 77
    assert np.all(np.diff(plan.frames) > 0)
    for alpha in plan.quantiles:
        assert np.abs(plan.frames - alpha).min() < 1e-12
    few = QuantileSettings(0.4, count, 0.05, 0.95, 0.5, 0, 7, False)
    np.testing.assert_array_equal(few.frames, few.quantiles)


def test_a_range_without_width_is_one_quantile():
    plan = QuantileSettings(0.4, 10, 0.5, 0.5, 0.5, 0, 7, True)
    assert plan.frames.tolist() == [0.5]
    assert solved("independent", plan=plan).family.is_nested


@pytest.mark.parametrize("name", METHODS)
def test_every_method_is_measured(name):
    found = solved(name)
    assert found.inside.shape == (PLAN.frames.size, 120)
    assert found.scan.first.size == 120
    training, held_out = (DATA.X[rows] for rows in PLAN.parts(120))
    family = fitted(name, PLAN, training).family_
    if METHODS[name].by_mass:
        family = at_masses(family, training, PLAN.quantiles)
    wanted = coverage_ratio(family, held_out, PLAN.quantiles)
    np.testing.assert_array_equal(found.coverage.masses, wanted.masses)
    # The frames of the quantiles tell the same mass as the coverage does.
    frames = [int(np.abs(PLAN.frames - alpha).argmin()) for alpha in PLAN.quantiles]
    held = found.inside[np.ix_(frames, PLAN.parts(120)[1])].mean(axis=1)
    np.testing.assert_allclose(held, wanted.masses, atol=1e-12)
    assert found.training_share.shape == PLAN.frames.shape
    assert (found.objective is None) == (name == "Parzen")


def test_only_independent_sets_cross():
    plan = QuantileSettings(0.2, 9, 0.1, 0.9, 0.4, 3, 7, False)
    areas = {name: solved(name, plan=plan).sets.crossing_area for name in METHODS}
    assert areas.pop("independent") > 0
    assert set(areas.values()) == {0.0}


def test_progress_is_told_and_a_stop_is_heard():
    told = []

    def report(done, text="", partial=None):
        told.append(done)
        return True

    with pytest.warns(ConvergenceWarning, match="stopped"):
        fit("q-OCSVM", PLAN, DATA.X, report)
    assert told
    assert all(0 <= done <= 1 for done in told)


def test_only_what_a_method_reads_is_a_problem_of_its_own():
    drawn, ranged = replace(PLAN, dense=False), replace(PLAN, low=0.2)
    for method in METHODS.values():
        assert PLAN.problem(method) == drawn.problem(method)
        assert (PLAN.problem(method) == ranged.problem(method)) == method.by_mass
        assert PLAN.problem(method) != replace(PLAN, seed=4).problem(method)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("X", [np.zeros((5, 2)), np.array([[0.0, 0.0], [1.0, 1.0]])])
def test_points_without_a_shape_do_no_harm(name, X):
    found = solved(name, X)
    assert np.isfinite(found.coverage.ratios).all()


@pytest.mark.parametrize("name", ["q-OCSVM", "independent", "greedy"])
def test_models_with_a_list_of_quantiles_can_be_saved(name, tmp_path):
    model = fitted(name, PLAN, DATA.X)
    save_model(model, tmp_path / "model.zip")
    loaded = load_model(tmp_path / "model.zip")
    np.testing.assert_array_equal(loaded.decision_function(DATA.X), model.decision_function(DATA.X))
    np.testing.assert_array_equal(loaded.quantiles_, PLAN.quantiles)
