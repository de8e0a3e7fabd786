from __future__ import annotations

import pickle

import numpy as np
import pytest
from path_reference import (
    classes,
    cloud,
    cost_residual,
    gaussian,
    inner_levels,
    one_class_residual,
    tied,
    upper_at,
)

from nestviz.solvers.path.cost_sensitive import cost_path
from nestviz.solvers.path.events import run
from nestviz.solvers.path.one_class import one_class_path
from nestviz.solvers.records import Progress


class StopAfter:
    """Record calls, and stop after a number of them."""

    def __init__(self, calls: int) -> None:
        self.calls = calls
        self.seen: list[Progress] = []

    def __call__(self, progress: Progress) -> bool:
        self.seen.append(progress)
        return len(self.seen) >= self.calls


def test_a_callback_ends_the_path_where_it_is() -> None:
    K = gaussian(cloud(0, N=300), 0.3)
    upper = np.full(300, 1 / 300)
    stop = StopAfter(1)
    path = one_class_path(K, upper, callback=stop)
    assert not path.converged
    assert 0 < path.breakpoints[-1] < path.breakpoints[0]
    assert path.breakpoints[-1] == pytest.approx(stop.seen[0].level)
    assert stop.seen[0].done >= 300
    assert one_class_residual(K, path, inner_levels(path, 20)) <= 1e-12
    beyond = path.coefficients(path.breakpoints[-1] / 3)
    assert np.all((beyond >= 0) & (beyond <= upper))


def test_a_stopped_cost_path_stays_within_the_bounds_beyond_its_end() -> None:
    X = cloud(1)
    y = classes(1, X)
    K = gaussian(X, 0.4)
    path = cost_path(K, y, 0.3, max_events=20)
    assert not path.converged
    assert path.breakpoints[-1] < 1
    assert cost_residual(K, y, 0.3, path, inner_levels(path, 20)) <= 1e-11
    for gamma in np.linspace(path.breakpoints[-1], 1, 7):
        alpha = path.coefficients(gamma)[0]
        assert np.all((alpha >= 0) & (alpha <= upper_at(path, gamma)))


def test_a_cost_path_stopped_before_its_start_is_solved() -> None:
    X = cloud(6, N=300)
    y = np.where(np.arange(300) < 3, 1.0, -1.0)
    stop = StopAfter(1)
    path = cost_path(gaussian(X, 0.1), y, 1e-6, callback=stop)
    assert not path.converged
    assert path.breakpoints.tolist() == [0.0]
    assert stop.seen[0].level == 0.0
    alpha = path.coefficients(0.0)[0]
    assert np.all((alpha >= 0) & (alpha <= upper_at(path, 0.0)))
    assert path.residuals[0] > 1e-3


def test_a_callback_that_lets_it_pass_changes_nothing() -> None:
    K = gaussian(cloud(2, N=60), 0.3)
    stop = StopAfter(10**9)
    watched = one_class_path(K, np.full(60, 1 / 60), callback=stop)
    alone = one_class_path(K, np.full(60, 1 / 60))
    np.testing.assert_array_equal(watched.values, alone.values)
    assert watched.converged
    shares = [step.share for step in stop.seen]
    assert shares == sorted(shares)
    assert 0 < shares[-1] <= 1


def test_any_kind_of_array_runs_the_same_compiled_code() -> None:
    X = cloud(7)
    K, y = gaussian(X, 0.5), classes(7, X)
    plain = cost_path(K, y, 0.5)
    compiled = len(getattr(run, "signatures", []))
    frozen, strided = K.copy(), np.column_stack([y, y])[:, 0]
    frozen.flags.writeable = strided.flags.writeable = False
    other = cost_path(frozen, strided, 0.5, np.ones(60)[::2])
    one_class_path(np.asfortranarray(K), np.ones(30, np.float32))
    np.testing.assert_array_equal(other.values, plain.values)
    assert len(getattr(run, "signatures", [])) == compiled


def test_levels_come_back_in_the_order_asked() -> None:
    path = one_class_path(gaussian(cloud(3), 0.5), np.full(30, 1 / 30))
    levels = np.random.default_rng(0).uniform(0, 1.2 * path.breakpoints[0], 40)
    together = path.coefficients(levels)
    apart = np.vstack([path.coefficients(level) for level in levels])
    np.testing.assert_array_equal(together, apart)


def test_no_levels_no_rows() -> None:
    path = one_class_path(np.eye(3), np.ones(3))
    assert path.coefficients([]).shape == (0, 3)


def test_levels_must_be_numbers() -> None:
    path = one_class_path(np.eye(3), np.ones(3))
    with pytest.raises(ValueError, match="without NaN"):
        path.coefficients([0.5, np.nan])


def test_a_path_survives_pickling() -> None:
    path = one_class_path(gaussian(tied(4), 0.7), np.full(40, 1 / 40))
    again = pickle.loads(pickle.dumps(path))
    np.testing.assert_array_equal(again.coefficients([0.1, 0.2]), path.coefficients([0.1, 0.2]))


def test_the_record_holds_margins_only() -> None:
    path = one_class_path(gaussian(cloud(5, N=200), 0.5), np.full(200, 1 / 200))
    steps = len(path.breakpoints) - 1
    assert path.indptr.shape == (steps + 1,)
    assert path.indptr[-1] == len(path.indices) == len(path.values)
    assert len(path.values) < steps * 200 / 4
    middles = (path.breakpoints[1:] + path.breakpoints[:-1]) / 2
    margins = (path.sets(middles) == 1).sum(axis=1)
    np.testing.assert_array_equal(margins, np.diff(path.indptr))


@pytest.mark.parametrize("seed", range(3))
def test_residuals_are_not_smaller_than_the_truth(seed) -> None:
    X = tied(seed, N=60, d=3)
    y = classes(seed, X)
    K = gaussian(X, 1.5)
    path = cost_path(K, y, 0.05)
    truth = [
        cost_residual(K, y, 0.05, path, path.breakpoints[[j]]) for j in range(len(path.breakpoints))
    ]
    assert np.all(truth <= path.residuals + 1e-11)
