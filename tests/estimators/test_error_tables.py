"""Tables of cross-validated error rates: against separate fits, in any order, stopped, resumed."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from nestviz import DualNuSVM, make_sample
from nestviz.estimators import ErrorOracle, error_table

NU_PLUS = np.array([0.15, 0.4, 0.9])
NU_MINUS = np.array([0.6, 0.2])
SIGMAS = np.array([0.4, 1.1])


@pytest.fixture(scope="module")
def data():
    return make_sample("banana", random_state=1, n=120)


@pytest.fixture(scope="module")
def table(data):
    return error_table(data.X, data.y, NU_PLUS, NU_MINUS, SIGMAS, cv=4, random_state=3)


def test_every_cell_is_what_separate_fits_give(data, table):
    parts = list(StratifiedKFold(4, shuffle=True, random_state=3).split(data.X, data.y))
    for s, sigma in enumerate(SIGMAS):
        for a, plus in enumerate(NU_PLUS):
            for b, minus in enumerate(NU_MINUS):
                called = np.empty(len(data.y))
                for train, test in parts:
                    svm = DualNuSVM(nu_plus=plus, nu_minus=minus, sigma=sigma, tol=1e-9)
                    called[test] = svm.fit(data.X[train], data.y[train]).predict(data.X[test])
                cell = table.false_alarm[s, a, b], table.miss[s, a, b]
                assert cell[0] == pytest.approx((called[data.y == -1] == 1).mean())
                assert cell[1] == pytest.approx((called[data.y == 1] == -1).mean())


def test_a_linear_table_is_what_separate_fits_give(data):
    nu = np.array([0.7, 0.9])
    table = error_table(data.X, data.y, nu, nu, [1.0], cv=3, random_state=3, kernel="linear")
    called = np.empty(len(data.y))
    for train, test in StratifiedKFold(3, shuffle=True, random_state=3).split(data.X, data.y):
        svm = DualNuSVM(nu_plus=0.7, nu_minus=0.9, kernel="polynomial", degree=1, tol=1e-9)
        called[test] = svm.fit(data.X[train], data.y[train]).predict(data.X[test])
    assert table.false_alarm[0, 0, 1] == pytest.approx((called[data.y == -1] == 1).mean())
    assert table.miss[0, 0, 1] == pytest.approx((called[data.y == 1] == -1).mean())
    with pytest.raises(ValueError, match="kernel must be"):
        error_table(data.X, data.y, nu, nu, [1.0], kernel="cubic")


def test_the_table_says_what_it_is(data, table):
    assert table.complete
    assert table.false_alarm.shape == table.miss.shape == (2, 3, 2)
    assert (table.folds, table.seed, table.solves, table.unsettled) == (4, 3, 48, 0)
    assert table.n_plus == (data.y == 1).sum()
    assert table.n_minus == (data.y == -1).sum()


def test_threads_and_the_order_of_values_do_not_matter(data, table):
    plus, minus = np.array([2, 0, 1]), np.array([1, 0])
    other = error_table(
        data.X, data.y, NU_PLUS[plus], NU_MINUS[minus], SIGMAS[::-1], cv=4, random_state=3, n_jobs=2
    )
    expected = table.false_alarm[::-1][:, plus][:, :, minus]
    np.testing.assert_array_equal(other.false_alarm, expected)
    np.testing.assert_array_equal(other.miss, table.miss[::-1][:, plus][:, :, minus])


def test_another_seed_is_another_estimate_and_the_same_seed_the_same(data, table):
    again = error_table(data.X, data.y, NU_PLUS, NU_MINUS, SIGMAS, cv=4, random_state=3)
    np.testing.assert_array_equal(again.miss, table.miss)
    other = error_table(data.X, data.y, NU_PLUS, NU_MINUS, SIGMAS, cv=4, random_state=4)
    assert not np.array_equal(other.miss, table.miss)


def test_infeasible_values_are_left_open(data):
    table = error_table(data.X, data.y, [0.0, 0.5, 1.2], [0.5, 1.0], [1.0], cv=3)
    known = np.isfinite(table.miss[0])
    np.testing.assert_array_equal(known, [[False, False], [True, True], [False, False]])
    np.testing.assert_array_equal(np.isfinite(table.false_alarm[0]), known)
    assert table.complete
    assert table.solves == 6
    nothing = error_table(data.X, data.y, [0.0], [0.5], [1.0], cv=3)
    assert nothing.solves == 0
    assert np.isnan(nothing.miss).all()


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_progress_is_told_and_a_stop_leaves_a_partial_table(data, table, n_jobs):
    shares = []

    def half(progress):
        shares.append(progress.share)
        return progress.share >= 0.5

    part = error_table(
        data.X, data.y, NU_PLUS, NU_MINUS, SIGMAS,
        cv=4, random_state=3, n_jobs=n_jobs, callback=half,
    )  # fmt: skip
    assert shares == sorted(shares)
    assert shares[-1] == 0.5
    assert not part.complete
    assert 0 < part.solves < table.solves
    known = np.isfinite(part.miss)
    assert not known.all()
    np.testing.assert_array_equal(part.miss[known], table.miss[known])
    if n_jobs is None:
        # One width after the other: half of the work is half of the table.
        np.testing.assert_array_equal(known[0], True)


def test_a_whole_run_ends_at_one(data):
    seen = []
    error_table(data.X, data.y, [0.5, 0.8], [0.5], [1.0, 2.0], cv=2, callback=seen.append)
    assert [(p.done, p.total, p.share) for p in seen] == [(k, 8, k / 8) for k in range(1, 9)]


def test_the_oracle_computes_what_it_is_asked_once(data, table):
    oracle = ErrorOracle(data.X, data.y, NU_PLUS, NU_MINUS, SIGMAS, cv=4, random_state=3)
    rng = np.random.default_rng(0)
    for s, a, b in rng.integers([2, 3, 2], size=(10, 3)):
        assert oracle.at(s, a, b) == (table.false_alarm[s, a, b], table.miss[s, a, b])
    solves = oracle.solves
    known = np.isfinite(oracle.table().miss)
    assert solves == 4 * known.sum() == oracle.table().solves
    assert oracle.table().complete == known.all()
    place = np.argwhere(known)[0]
    oracle.at(*place)
    assert oracle.solves == solves
    np.testing.assert_array_equal(oracle.table().miss[known], table.miss[known])


@pytest.mark.parametrize("seed", [1, 2, 4])
@pytest.mark.parametrize("kind", [("imbalanced", {"n": 70, "ratio": 3}), ("banana", {"n": 60})])
def test_table_and_oracle_agree_where_no_point_is_free(kind, seed):
    """Shares of a class that are whole points: the bounds fill the sums, the offset has room."""
    name, options = kind
    data = make_sample(name, seed, **options)
    grid = np.array([0.25, 0.5, 0.75, 1.0]), np.array([0.25, 0.5, 0.75, 1.0]), [0.3, 0.8, 2.0]
    table = error_table(data.X, data.y, *grid, cv=3, random_state=0)
    # Upwards, so that solves begin from solutions that must be repaired.
    oracle = ErrorOracle(data.X, data.y, *grid, cv=3, random_state=0)
    for cell in np.ndindex(table.miss.shape):
        oracle.at(*cell)
    np.testing.assert_array_equal(oracle.table().false_alarm, table.false_alarm)
    np.testing.assert_array_equal(oracle.table().miss, table.miss)


def test_the_oracle_knows_what_is_infeasible(data):
    oracle = ErrorOracle(data.X, data.y, [0.0, 0.5], [0.5], [1.0], cv=3)
    assert not oracle.is_feasible(0, 0)
    assert np.isnan(oracle.at(0, 0, 0)).all()
    assert oracle.solves == 0
    assert np.isfinite(oracle.at(0, 1, 0)).all()


def test_the_oracle_forgets_kernels_beyond_its_budget_but_not_cells(data, monkeypatch):
    from nestviz.estimators.error_control import rate_tables

    monkeypatch.setattr(rate_tables, "MATRIX_BUDGET", 1)
    oracle = ErrorOracle(data.X, data.y, [0.5], [0.3, 0.5], SIGMAS, cv=3)
    first = oracle.at(0, 0, 0)
    oracle.at(1, 0, 0)
    assert oracle.at(0, 0, 1) == ErrorOracle(data.X, data.y, [0.5], [0.3, 0.5], SIGMAS, cv=3).at(
        0, 0, 1
    )
    assert oracle.at(0, 0, 0) == first


def test_a_trivial_cell_calls_everything_negative():
    X = np.tile([[0.0], [1.0]], (20, 1))
    y = np.repeat([0, 1], 20)
    table = error_table(X, y, [0.9], [0.9], [1.0])
    assert (table.false_alarm[0, 0, 0], table.miss[0, 0, 0]) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"y": np.zeros(120)}, "two classes, and y has 1"),
        ({"y": np.arange(120) % 3}, "two classes, and y has 3"),
        ({"cv": 1}, "1 folds do not work"),
        ({"cv": 100}, "100 folds do not work"),
        ({"sigmas": [0.0]}, "sigmas must be positive"),
        ({"nu_plus": []}, "nu_plus must be a list"),
        ({"nu_minus": [np.nan]}, "nu_minus must be a list"),
    ],
)
def test_what_cannot_be_done_is_said(data, change, words):
    asked = {"X": data.X, "y": data.y, "nu_plus": [0.5], "nu_minus": [0.5], "sigmas": [1.0]}
    with pytest.raises(ValueError, match=words):
        error_table(**{**asked, **change})
