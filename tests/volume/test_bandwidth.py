"""Choosing the bandwidth: what is returned, progress, cancellation, the paper's example."""

import threading

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from nestviz.data import make_sample
from nestviz.estimators import (
    CostSensitivePath,
    NestedOneClassSVM,
    OneClassPath,
    OneClassSVM,
    ParzenLevelSets,
)
from nestviz.kernels import auto_sigma, average_distance, median_distance
from nestviz.volume import (
    bandwidth_rules,
    default_sigmas,
    integrated_volume,
    select_bandwidth,
    support_vector_rule,
    uniform_reference,
)
from nestviz.volume.bandwidth import BandwidthSelection
from nestviz.volume.parallel import ONE_BLAS_THREAD, run_all

X = make_sample("multi", n=80).X


def test_every_bandwidth_is_what_integrated_volume_says():
    reference = uniform_reference(X, n=256)
    options = {"cv": 3, "reference": reference, "random_state": 4}
    selection = select_bandwidth(X, NestedOneClassSVM(), [1.0, 0.3, 3.0, 0.3], **options)
    np.testing.assert_array_equal(selection.sigmas, [0.3, 1.0, 3.0])
    assert selection.complete
    assert selection.fold_values.shape == (3, 3)
    for k, sigma in enumerate(selection.sigmas):
        alone = integrated_volume(X, NestedOneClassSVM(sigma=sigma), **options)
        assert selection.values[k] == alone.value
        assert selection.spreads[k] == alone.spread
        assert selection.errors[k] == alone.error
        np.testing.assert_array_equal(selection.curves[k].volume, alone.curve.volume)
    assert selection.sigma == selection.sigmas[np.argmin(selection.values)]


@pytest.mark.parametrize("estimator", [OneClassPath(), NestedOneClassSVM(), ParzenLevelSets()])
def test_same_bits_for_any_number_of_threads(estimator):
    sigmas = [0.2, 0.6, 2.0]
    one, many, again = (select_bandwidth(X, estimator, sigmas, n_jobs=k) for k in (1, 3, 3))
    for other in (many, again):
        np.testing.assert_array_equal(one.fold_values, other.fold_values)
        for a, b in zip(one.curves, other.curves, strict=True):
            np.testing.assert_array_equal(a.levels, b.levels)
            np.testing.assert_array_equal(a.volume, b.volume)


def test_the_estimator_given_is_left_alone():
    estimator = ParzenLevelSets(sigma="miv")
    select_bandwidth(X, estimator, [0.5])
    assert estimator.sigma == "miv"
    assert not hasattr(estimator, "family_")


def test_progress_comes_in_order_and_in_the_callers_thread():
    seen, threads = [], set()

    def callback(progress):
        seen.append((progress.done, progress.total))
        threads.add(threading.get_ident())

    select_bandwidth(X, ParzenLevelSets(), [0.2, 0.5], cv=3, callback=callback, n_jobs=2)
    assert seen == [(k, 6) for k in range(1, 7)]
    assert threads == {threading.get_ident()}


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_cancelling_returns_what_is_finished(n_jobs):
    calls = []

    def callback(progress):
        calls.append(progress.done)
        return progress.done == 7

    sigmas = np.geomspace(0.1, 10, 12)
    stopped = select_bandwidth(X, ParzenLevelSets(), sigmas, cv=3, callback=callback, n_jobs=n_jobs)
    assert calls == list(range(1, 8))
    assert not stopped.complete
    assert 2 <= len(stopped.results) < 12
    full = select_bandwidth(X, ParzenLevelSets(), sigmas, cv=3)
    tried = np.isin(full.sigmas, stopped.sigmas)
    np.testing.assert_array_equal(stopped.sigmas, full.sigmas[tried])
    np.testing.assert_array_equal(stopped.values, full.values[tried])
    assert np.ptp(np.flatnonzero(tried)) >= 4  # from coarse to fine: spread over the grid


def test_cancelling_at_once_leaves_no_answer():
    stopped = select_bandwidth(X, ParzenLevelSets(), [0.5], callback=lambda *_: True, n_jobs=1)
    assert not stopped.complete
    assert stopped.sigmas.size == 0
    with pytest.raises(ValueError, match="before any bandwidth"):
        _ = stopped.sigma


def test_of_equal_volumes_the_smoothest_sets_win():
    same = select_bandwidth(np.ones((6, 2)), ParzenLevelSets(), [0.5, 1.0, 2.0], cv=2)
    assert np.ptp(same.values) == 0
    assert same.sigma == 2.0


def test_errors_of_a_fit_come_through():
    with pytest.raises(ValueError, match="contamination"):
        select_bandwidth(X, ParzenLevelSets(contamination=3.0), [0.5])


def test_the_papers_example_has_its_minimum_near_one():
    """Lee & Scott (2007), figs. 1 and 2: *multi*, 200 points, 30 widths from 0.3 to 3."""
    sample = make_sample("multi", n=200).X
    path = OneClassPath(hold_below=None)
    selection = select_bandwidth(sample, path, np.geomspace(0.3, 3.0, 30))
    assert 0.8 < selection.sigma < 1.3
    # Both ends are clearly worse, in every fold on the wide side.
    best = selection.best
    assert selection.values[0] > 1.5 * selection.values[best]
    assert selection.values[-1] > 1.5 * selection.values[best]
    assert np.all(selection.fold_values[-1] > selection.fold_values[best])
    assert np.all(selection.errors < 0.02 * selection.values)


def test_default_bandwidths_are_the_papers_range():
    sigmas = default_sigmas(X)
    scale = average_distance(X)
    assert sigmas.size == 30
    np.testing.assert_allclose(sigmas[[0, -1]], [scale / 15, 10 * scale])
    np.testing.assert_allclose(np.diff(np.log(sigmas)), np.log(150) / 29)


@pytest.mark.parametrize(
    ("estimator", "sigmas", "error", "words"),
    [
        (CostSensitivePath(), [1.0], ValueError, "one class"),
        (OneClassPath(kernel="polynomial"), [1.0], ValueError, "Only a Gaussian kernel"),
        (object(), [1.0], TypeError, "with a sigma"),
        (ParzenLevelSets(), [], ValueError, "one or more finite positive"),
        (ParzenLevelSets(), [0.0, 1.0], ValueError, "one or more finite positive"),
    ],
)
def test_what_has_no_bandwidth_is_refused(estimator, sigmas, error, words):
    with pytest.raises(error, match=words):
        select_bandwidth(X, estimator, sigmas)


def test_support_vectors_are_counted_until_they_stop_falling():
    rule = support_vector_rule(X, OneClassPath(nu=0.2), [0.02, 0.05, 0.1, 0.5, 1.0, 4.0, 8.0])
    assert rule.counts[0] == 80
    fitted = OneClassPath(nu=0.2, sigma=0.5).fit(X)
    assert rule.counts[3] == (fitted.coefficients([fitted.level_])[0] > 1e-12).sum()
    chosen = int(np.searchsorted(rule.sigmas, rule.sigma))
    assert rule.counts[chosen] < rule.counts[0]
    assert chosen == 6 or rule.counts[chosen + 1] >= rule.counts[chosen]
    assert np.all(np.diff(rule.counts[: chosen + 1]) <= 0)


def test_parzen_windows_never_lose_a_support_vector():
    rule = support_vector_rule(X, ParzenLevelSets(), [0.1, 1.0])
    assert rule.sigma == 0.1
    np.testing.assert_array_equal(rule.counts, 80)


def test_rules_side_by_side():
    rules = bandwidth_rules(X, OneClassSVM(lam=0.05))
    assert (
        rules["0.2 × median distance"] == auto_sigma(X) == pytest.approx(0.2 * median_distance(X))
    )
    assert rules["median distance"] == median_distance(X)
    assert rules["average distance"] == average_distance(X)
    assert rules["support vectors"] in default_sigmas(X)


def test_tasks_run_in_order_and_blas_gets_its_threads_back():
    def threads():
        return [info["num_threads"] for info in threadpool_info() if info["user_api"] == "blas"]

    before = threads()
    results = run_all([lambda k=k: (k, threads()) for k in range(5)], 2, None)
    assert [k for k, _ in results] == list(range(5))
    assert all(set(inside) == {1} for _, inside in results)
    with ONE_BLAS_THREAD.held():
        with ONE_BLAS_THREAD.held():
            pass
        assert set(threads()) == {1}
    assert threads() == before


def test_an_empty_selection_has_no_arrays_of_results():
    empty = BandwidthSelection(np.empty(0), (), False)
    assert empty.values.size == empty.errors.size == len(empty.curves) == 0
