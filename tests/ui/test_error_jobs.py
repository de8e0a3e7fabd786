"""What worker processes do for the Error control page, and choices from what they found."""

import warnings

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from nestviz.data import make_sample
from nestviz.estimators import DualNuSVM, MinimumVolumeSet, NeymanPearsonClassifier, error_table
from nestviz.estimators.error_control.search import equal_costs
from nestviz.ui.compute import rates
from nestviz.ui.compute.rates import RateGrid
from nestviz.ui.pages.error_control import minimum_volume, settings
from nestviz.ui.pages.error_control.settings import ErrorControlSettings, GridSettings

GRID = RateGrid(np.array([0.25, 0.5, 1.0]), np.array([0.3, 0.6, 1.2, 2.4, 4.8]), 3, 0)


class Reports:
    """Hears what work tells; asks it to stop once it has told enough."""

    def __init__(self, stop_at=np.inf):
        self.stop_at, self.told, self.partial = stop_at, [], []

    def __call__(self, done, text="", partial=None):
        self.told.append(done)
        if partial is not None:
            self.partial.append(partial)
        return done >= self.stop_at


@pytest.fixture(scope="module")
def sample():
    return make_sample("banana", 0, n=60)


def test_the_table_is_that_of_the_library(sample):
    heard = Reports()
    found = rates.table(sample.X, sample.y, GRID, heard)
    expected = error_table(sample.X, sample.y, GRID.nu, GRID.nu, GRID.sigmas, cv=3)
    np.testing.assert_array_equal(found.false_alarm, expected.false_alarm)
    np.testing.assert_array_equal(found.miss, expected.miss)
    assert (found.solves, found.unsettled) == (expected.solves, expected.unsettled)
    assert found.complete
    assert heard.told == sorted(heard.told)
    assert heard.told[-1] == 1.0
    assert not any(part.known.complete for part in heard.partial[:-1] if part.known)


def test_rates_come_in_while_a_table_is_computed(sample):
    heard = Reports()
    found = rates.table(sample.X, sample.y, GRID, heard)
    counts = [int(np.isfinite(part.shown.miss).sum()) for part in heard.partial]
    assert counts == sorted(counts)
    assert len(set(counts)) > len(GRID.sigmas)  # also within a width
    for part in heard.partial:
        # What may be chosen from has widths that are done only, and the rates of the end.
        known = np.zeros(found.miss.shape) if part.known is None else part.known.miss
        done = np.isfinite(known).all(axis=(1, 2)) & (part.known is not None)
        np.testing.assert_array_equal(known[done], found.miss[done])
        assert np.isfinite(part.shown.miss[part.place]).any()
    assert heard.partial[-1].shown.complete


def test_a_rate_so_far_is_that_of_the_folds_so_far(sample):
    """Of the first fold alone: one width, one thread, stopped nowhere."""
    tables = []

    def listen(progress):
        tables.append(progress.so_far())

    whole = error_table(sample.X, sample.y, GRID.nu, GRID.nu, [0.6], cv=3, callback=listen)
    (train, test), *_ = StratifiedKFold(3, shuffle=True, random_state=0).split(sample.X, sample.y)
    svm = DualNuSVM(sigma=0.6, nu_plus=1.0, nu_minus=0.5).fit(sample.X[train], sample.y[train])
    alarm, miss = svm.error_rates(sample.X[test], sample.y[test])
    first = tables[0]
    assert first.false_alarm[0, 2, 1] == pytest.approx(alarm)
    assert first.miss[0, 2, 1] == pytest.approx(miss)
    assert np.isnan(first.miss[0, :2]).all()
    np.testing.assert_array_equal(tables[-1].miss, whole.miss)


def test_a_table_that_is_stopped_has_seen_both_ends(sample):
    found = rates.table(sample.X, sample.y, GRID, Reports(stop_at=0.5))
    known = np.isfinite(found.miss).all(axis=(1, 2))
    assert not found.complete
    assert known[0]
    assert known[4]
    assert not known.all()


def test_a_table_that_is_stopped_at_once_is_none(sample):
    assert rates.table(sample.X, sample.y, GRID, Reports(stop_at=0.0)) is None


def test_the_nu_svm_has_equal_costs(sample):
    found = rates.nu_svm_table(sample.X, sample.y, GRID, Reports())
    plus, minus = equal_costs(GRID.nu, sample.y.astype(float))
    expected = error_table(sample.X, sample.y, plus, minus, GRID.sigmas, cv=3)
    for k in range(3):
        np.testing.assert_array_equal(found.miss[:, k, k], expected.miss[:, k, k])
    assert np.isnan(found.miss[:, 0, 1]).all()
    assert found.complete
    assert not rates.nu_svm_table(sample.X, sample.y, GRID, Reports(0.3)).complete


@pytest.mark.parametrize("shift", [False, True])
@pytest.mark.parametrize("strategy", ["grid", "coordinate-3d"])
def test_the_choice_is_that_of_the_estimator(sample, strategy, shift):
    choice = ErrorControlSettings(0.2, strategy, "2d", shift)
    table = rates.table(sample.X, sample.y, GRID, Reports())
    search = choice.classifier().choose(table)
    model = choice.classifier().fit_chosen(sample.X, sample.y, search)
    expected = NeymanPearsonClassifier(
        0.2,
        strategy=strategy,
        smoothing="2d",
        shift=shift,
        nu_grid=GRID.nu,
        sigmas=GRID.sigmas,
        cv=3,
    ).fit(sample.X, sample.y)
    assert search.cell == expected.search_.cell
    np.testing.assert_allclose(
        model.decision_function(sample.X), expected.decision_function(sample.X), atol=1e-12
    )


def test_a_trivial_classifier_is_left_to_the_page_to_tell():
    X, y = np.array([[0.0], [0.0], [1.0], [1.0]]), np.array([-1, 1, -1, 1])
    table = error_table(X, y, [0.5], [0.5], [1.0], cv=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = ErrorControlSettings(0.1, "grid", "none", False).classifier()
        model.fit_chosen(X, y, model.choose(table))
    assert model.is_trivial_


def test_negatives_are_made_rare_among_points_to_learn_from_only():
    data = make_sample("banana", 0, n=200)
    usual = settings.parts_of(data, GridSettings("quick", 5, 0.5, rare=False))
    rare = settings.parts_of(data, GridSettings("quick", 5, 0.5, rare=True))
    np.testing.assert_array_equal(usual.aside, rare.aside)
    assert set(rare.learn) < set(usual.learn)
    assert np.count_nonzero(data.y[rare.learn] == 1) == np.count_nonzero(data.y[usual.learn] == 1)
    few = np.count_nonzero(data.y[usual.learn] == -1)
    assert np.count_nonzero(data.y[rare.learn] == -1) == round(0.1 * few)


@pytest.fixture(scope="module")
def ways():
    X = make_sample("banana", 0, n=40).X
    nu = np.arange(1, minimum_volume.NU + 1) / minimum_volume.NU
    grid = RateGrid(nu, np.array([0.5, 1.0]), minimum_volume.FOLDS, 0)
    return (
        X,
        grid,
        rates.reference_tables(X, tuple(minimum_volume.REFERENCES), grid, None, Reports()),
    )


@pytest.mark.parametrize("beta", [0.7, 0.9])
@pytest.mark.parametrize("way", list(minimum_volume.REFERENCES))
def test_sets_are_those_of_the_estimator(ways, way, beta):
    X, grid, found = ways
    model = MinimumVolumeSet(beta, way).fit_chosen(X, found[way].reference, found[way].table)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        expected = MinimumVolumeSet(
            beta, way, nu_grid=len(grid.nu), sigmas=grid.sigmas, cv=grid.folds
        ).fit(X)
    np.testing.assert_array_equal(found[way].reference, expected.reference_points_)
    assert model.search_.cell == expected.search_.cell
    assert (model.mass_, model.volume_) == (expected.mass_, expected.volume_)
    places = np.random.default_rng(0).uniform(-3, 3, (200, 2))
    np.testing.assert_array_equal(model.predict(places), expected.predict(places))


@pytest.mark.parametrize(("stop_at", "kept"), [(0.0, 0), (0.6, 2), (0.76, 3)])
def test_ways_that_are_stopped_are_left_out(ways, stop_at, kept):
    X, grid, whole = ways
    found = rates.reference_tables(X, tuple(whole), grid, None, Reports(stop_at))
    assert list(found) == list(whole)[:kept]
