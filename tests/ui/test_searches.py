"""What worker processes do for pages, called here without one."""

from types import SimpleNamespace

import numpy as np
import pytest

from nestviz import NestedOneClassSVM, OneClassPath, ParzenLevelSets, make_sample
from nestviz.ui.methods import ONE_CLASS, Spec
from nestviz.ui.methods import fit as fit_here
from nestviz.ui.work import searches, tasks
from nestviz.volume import default_sigmas, margin_effect, select_bandwidth, uniform_reference

X = make_sample("multi", n=60).X


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
    found = searches.search("nested one-class SVM", X, widths.tolist(), 3, reports)
    reference = uniform_reference(X, seed=0, relative=True)
    expected = select_bandwidth(X, NestedOneClassSVM(), widths, folds=3, reference=reference)
    np.testing.assert_array_equal(found.selection.sigmas, expected.sigmas)
    np.testing.assert_array_equal(found.selection.values, expected.values)
    assert found.selection.complete
    assert set(found.rules) == {"median distance", "average distance", "support vectors"}
    shares = [done for done, _, _ in reports]
    assert shares == sorted(shares)
    assert 0 < shares[0] <= shares[-1] <= 1


def test_a_search_that_is_stopped_has_its_part():
    widths = default_sigmas(X, 8).tolist()
    found = searches.search("Parzen", X, widths, 3, Reports(stop_at=9))
    assert 0 < found.selection.sigmas.size < 8
    assert not found.selection.complete
    assert found.wanted == 8


def test_a_search_goes_beyond_a_narrow_end_as_the_library_does():
    tight = np.random.default_rng(0).normal(scale=0.01, size=(40, 2))
    tight[20:] += 10.0
    widths = default_sigmas(tight, 9)
    found = searches.search("Parzen", tight, widths.tolist(), 3, Reports())
    reference = uniform_reference(tight, seed=0, relative=True)
    expected = select_bandwidth(tight, ParzenLevelSets(), widths=9, folds=3, reference=reference)
    np.testing.assert_array_equal(found.selection.sigmas, expected.sigmas)
    np.testing.assert_array_equal(found.selection.values, expected.values)
    assert found.selection.complete
    assert found.wanted == expected.sigmas.size > 9


def test_a_search_says_what_other_boxes_would_choose():
    widths = default_sigmas(X, 8)
    found = searches.search("one-class SVM", X, widths.tolist(), 3, Reports(), margin=0.25)
    assert found.margins.margins.tolist() == [0.0, 0.1, 0.25, 0.5, 1.5]
    np.testing.assert_array_equal(found.margins.widths, found.selection.sigmas)
    np.testing.assert_allclose(found.margins.values[2], found.selection.values, rtol=1e-12)
    expected = margin_effect(X, OneClassPath(), widths, [0.0, 0.1, 0.5, 1.5], folds=3, n=512)
    np.testing.assert_allclose(found.margins.values[[0, 1, 3, 4]], expected.values, rtol=1e-9)


def test_before_anything_is_finished_there_is_nothing_to_show():
    assert searches._Volumes(NestedOneClassSVM(), X, 3, 8, {}).so_far() is None


@pytest.mark.parametrize("count", [1, 2, 3, 8, 21])
def test_every_width_is_visited_once_and_the_range_is_seen_early(count):
    order = searches.coarse_to_fine(count)
    assert sorted(order) == list(range(count))
    early = order[: -(-count // 4)]
    assert max(early) >= count - 4


def test_areas_of_both_methods():
    y = make_sample("banana", n=80).y
    points = make_sample("banana", n=80).X
    methods, widths = ("one-class SVM", "nested one-class SVM"), [0.3, 1.0, 5.0]
    reports = Reports()
    nominal, others = points[y == -1], points[y == 1]
    found = searches.compare_areas(methods, nominal, others, widths, 4, reports)
    assert found.sigmas.tolist() == widths
    assert {name: table.shape for name, table in found.areas.items()} == dict.fromkeys(
        methods, (3, 4)
    )
    assert reports[-1][0] == 1.0
    uniform = searches.compare_areas(methods, nominal, None, widths, 4, Reports())
    assert not np.array_equal(uniform.areas[methods[0]], found.areas[methods[0]])
    part = searches.compare_areas(methods, nominal, others, widths, 4, Reports(stop_at=5))
    assert part.sigmas.size < 3
    assert searches.compare_areas(methods, nominal, others, widths, 4, Reports(stop_at=1)) is None


@pytest.mark.parametrize("name", list(ONE_CLASS))
def test_a_fit_in_a_worker_is_the_fit_of_the_page(name):
    spec = Spec(name, 0.5)
    there, here = tasks.fit(spec, X, None, Reports()), fit_here(spec, X)
    np.testing.assert_array_equal(there.family.first_level(X), here.family.first_level(X))
    assert there.breakpoints == here.breakpoints


def test_solvers_tell_how_far_they_are():
    reports = Reports()
    heard = tasks.solver_progress(reports)
    heard(SimpleNamespace(travelled=0.4, events=1200))
    for gap in (1e-2, 1e-4, 1e-6):
        heard(SimpleNamespace(duality_gap=gap))
    assert reports[0] == (0.4, "1,200 breakpoints", None)
    np.testing.assert_allclose([done for done, _, _ in reports[1:]], [0.0, 0.5, 1.0])
    assert tasks.solver_progress(Reports(stop_at=1))(SimpleNamespace(travelled=0.1, events=1))
