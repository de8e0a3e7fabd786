"""What worker processes do for pages, called here without one."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from slow_from import slow_from

from nestviz import NestedOneClassSVM, OneClassPath, ParzenLevelSets, Progress, make_sample
from nestviz.grids import Plane
from nestviz.ui.compute import entry_maps, tasks, width_search
from nestviz.ui.compute.methods import ONE_CLASS, Spec
from nestviz.volume import (
    default_sigmas,
    distance_rules,
    margin_effect,
    select_bandwidth,
    uniform_reference,
)
from nestviz.volume.bandwidth import WIDTHS
from nestviz.volume.reference import MARGIN
from nestviz.volume.trials import coarse_to_fine

X = make_sample("multi", n=60).X
MANY = make_sample("banana", n=600).X


class Reports(list):
    """Keeps what was told; asks to stop from the n-th report on."""

    def __init__(self, stop_at=None):
        super().__init__()
        self.stop_at = stop_at

    def __call__(self, done, text="", partial=None):
        self.append((done, text, partial))
        return self.stop_at is not None and len(self) >= self.stop_at


def test_a_search_is_that_of_the_library():
    widths = default_sigmas(X, 8)
    reports = Reports()
    found = width_search.search("nested one-class SVM", X, 8, 3, MARGIN, reports)
    reference = uniform_reference(X, random_state=0, relative=True)
    expected = select_bandwidth(X, NestedOneClassSVM(), widths, cv=3, reference=reference)
    np.testing.assert_array_equal(found.selection.sigmas, expected.sigmas)
    np.testing.assert_array_equal(found.selection.values, expected.values)
    assert found.selection.complete
    assert set(found.rules) == {*distance_rules(X), "support vectors"}
    shares = [done for done, _, _ in reports]
    assert shares == sorted(shares)
    assert 0 < shares[0] <= shares[-1] <= 1


def test_a_search_that_is_stopped_has_its_part():
    found = width_search.search("Parzen", X, 8, 3, MARGIN, Reports(stop_at=9))
    assert 0 < found.selection.sigmas.size < 8
    assert not found.selection.complete
    assert found.wanted == 8


def test_a_search_goes_beyond_a_narrow_end_as_the_library_does():
    tight = np.random.default_rng(0).normal(scale=0.01, size=(40, 2))
    tight[20:] += 10.0
    found = width_search.search("Parzen", tight, 9, 3, MARGIN, Reports())
    reference = uniform_reference(tight, random_state=0, relative=True)
    expected = select_bandwidth(tight, ParzenLevelSets(), widths=9, cv=3, reference=reference)
    np.testing.assert_array_equal(found.selection.sigmas, expected.sigmas)
    np.testing.assert_array_equal(found.selection.values, expected.values)
    assert found.selection.complete
    assert found.wanted == expected.sigmas.size > 9


def test_a_search_says_what_other_boxes_would_choose():
    widths = default_sigmas(X, 8)
    found = width_search.search("one-class SVM", X, 8, 3, 0.25, Reports())
    assert found.margins.margins.tolist() == [0.0, 0.1, 0.25, 0.5, 1.5]
    np.testing.assert_array_equal(found.margins.widths, found.selection.sigmas)
    np.testing.assert_allclose(found.margins.values[2], found.selection.values, rtol=1e-12)
    expected = margin_effect(X, OneClassPath(), widths, [0.0, 0.1, 0.5, 1.5], cv=3, n=512)
    np.testing.assert_allclose(found.margins.values[[0, 1, 3, 4]], expected.values, rtol=1e-9)


def test_before_anything_is_finished_there_is_nothing_to_show():
    assert width_search.search("Parzen", X, 8, len(X), MARGIN, Reports(stop_at=1)) is None


@pytest.mark.parametrize("count", [1, 2, 3, 8, 21])
def test_every_width_is_visited_once_and_the_range_is_seen_early(count):
    order = coarse_to_fine(count)
    assert sorted(order) == list(range(count))
    early = order[: -(-count // 4)]
    assert max(early) >= count - 4


def test_areas_of_both_methods():
    y = make_sample("banana", n=80).y
    points = make_sample("banana", n=80).X
    methods, widths = ("one-class SVM", "nested one-class SVM"), [0.3, 1.0, 5.0]
    reports = Reports()
    nominal, others = points[y == -1], points[y == 1]
    found = width_search.compare_areas(methods, nominal, others, widths, 4, reports)
    assert found.sigmas.tolist() == widths
    assert {name: table.shape for name, table in found.areas.items()} == dict.fromkeys(
        methods, (3, 4)
    )
    assert reports[-1][0] == 1.0
    uniform = width_search.compare_areas(methods, nominal, None, widths, 4, Reports())
    assert not np.array_equal(uniform.areas[methods[0]], found.areas[methods[0]])
    seen = []

    def after_a_width(done, text="", partial=None):
        seen.extend([] if partial is None else [partial])
        return bool(seen)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        part = width_search.compare_areas(methods, nominal, others, widths, 4, after_a_width)
    assert part.sigmas.size == 1
    assert (
        width_search.compare_areas(methods, nominal, others, widths, 4, Reports(stop_at=1)) is None
    )


@pytest.mark.parametrize(
    "estimator", slow_from(2, [NestedOneClassSVM, ParzenLevelSets, OneClassPath])
)
def test_the_width_of_the_page_is_that_of_miv(estimator):
    """With the settings that the page begins with, which are those of the library."""
    method = next(name for name, one in width_search.METHODS.items() if one == estimator.__name__)
    found = width_search.search(method, X, WIDTHS, 5, MARGIN, Reports()).selection
    fitted = estimator(sigma="miv").fit(X)
    assert found.sigma == fitted.sigma_ == fitted.bandwidth_search_.sigma
    np.testing.assert_array_equal(found.sigmas, fitted.bandwidth_search_.sigmas)
    np.testing.assert_array_equal(found.values, fitted.bandwidth_search_.values)


@pytest.mark.parametrize("name", list(ONE_CLASS))
def test_a_fit_travels_from_a_worker_to_the_page(name):
    here = tasks.fit(Spec(name, 0.5), X)
    sent = pickle.dumps(tasks.fit(Spec(name, 0.5), X, None, None, Reports()))
    there = pickle.loads(sent)
    np.testing.assert_array_equal(there.family.first_level(X), here.family.first_level(X))
    np.testing.assert_array_equal(there.shares_of_bound([0.1]), here.shares_of_bound([0.1]))
    assert (there.spec, there.breakpoints) == (here.spec, here.breakpoints)


def test_a_path_does_not_carry_its_kernel_matrix_along():
    fitted = tasks.fit(Spec("one-class SVM", 0.5), MANY)
    assert len(pickle.dumps(fitted)) < len(MANY) ** 2 * 8


@pytest.mark.parametrize("name", ["one-class SVM", "nested one-class SVM"])
def test_a_fit_stops_when_told_to(name):
    with pytest.warns(ConvergenceWarning):
        stopped = tasks.fit(Spec(name, 0.1), MANY, None, None, Reports(stop_at=1))
    assert not stopped.estimator.converged_


@pytest.mark.parametrize("work", [entry_maps.grow, entry_maps.rank])
def test_trees_and_rankings_are_made_from_a_fit_and_solve_nothing(work, monkeypatch):
    fitted = tasks.fit(Spec("nested one-class SVM", 0.5), X)
    for name in {method.estimator for method in ONE_CLASS.values()}:
        monkeypatch.setattr(f"nestviz.{name}.fit", None)
    plane, reports = Plane.of_two_features(), Reports()
    assert work(fitted, X, plane, reports) is not None
    # From the first report on the page knows that this is no compilation.
    assert all(done > 0 and text for done, text, _ in reports)
    for stop_at in (1, 2):
        assert work(fitted, X, plane, Reports(stop_at)) is None


def test_solvers_tell_how_far_they_are():
    reports = Reports()
    heard = tasks.SolverProgress(reports)
    heard(Progress(1200, share=0.4))
    for gap in (1e-2, 1e-4, 1e-6):
        heard(Progress(1, duality_gap=gap))
    assert reports[0] == (0.4, "1,200 breakpoints", None)
    np.testing.assert_allclose([done for done, _, _ in reports[1:]], [0.0, 0.5, 1.0])
    assert tasks.SolverProgress(Reports(stop_at=1))(Progress(1, share=0.1))
