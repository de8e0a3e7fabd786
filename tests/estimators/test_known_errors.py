"""Searches in a table that is known end where searches that make it do."""

import numpy as np
import pytest

from nestviz.data import make_sample
from nestviz.estimators import error_table
from nestviz.estimators.error_control.criteria import Minimax, NeymanPearson
from nestviz.estimators.error_control.known_rates import (
    KnownErrors,
    search_table,
    smoothed_everywhere,
)
from nestviz.estimators.error_control.search import Settings, equal_costs, search

NU = np.array([0.25, 0.5, 0.75, 1.0])
SIGMAS = np.array([0.3, 0.8, 2.0])


@pytest.fixture(scope="module", params=[1, 2])
def data(request):
    # With the first seed there are cells in which no support vector is free and the offset has
    # room: rates must not depend on where a solve began.
    sample = make_sample("imbalanced", request.param, n=70, ratio=3)
    return sample.X, sample.y.astype(float)


@pytest.fixture(scope="module")
def table(data):
    return error_table(*data, NU, NU, SIGMAS, cv=3, random_state=0)


def settings(strategy, smoothing="2d"):
    return Settings(strategy, smoothing, NU, SIGMAS, 3, 0, None)


@pytest.mark.parametrize("criterion", [Minimax(), NeymanPearson(0.1), NeymanPearson(0.001)])
@pytest.mark.parametrize("smoothing", ["none", "3d"])
@pytest.mark.parametrize("strategy", ["grid", "coordinate-2d", "coordinate-3d", "balanced-nu-svm"])
def test_the_search_is_the_same(data, table, strategy, smoothing, criterion):
    asked = settings(strategy, smoothing)
    made, known = search(*data, criterion, asked), search_table(table, criterion, asked)
    assert known.cell == made.cell
    assert known.solves == made.solves
    assert known.complete
    np.testing.assert_allclose(known.rates, made.rates, atol=1e-12)
    np.testing.assert_allclose(known.false_alarm, made.false_alarm, atol=1e-12)
    assert len(known.paths) == len(made.paths)
    for one, other in zip(known.paths, made.paths, strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_nu_svm_chooses_from_its_own_table(data):
    made = search(*data, Minimax(), settings("nu-svm"))
    plus, _ = equal_costs(NU, data[1])
    np.testing.assert_array_equal(made.table.nu_plus, plus)
    again = search_table(made.table, NeymanPearson(0.2), settings("nu-svm"))
    assert again.cell == search(*data, NeymanPearson(0.2), settings("nu-svm")).cell


def test_what_is_asked_is_remembered(table):
    oracle = KnownErrors(table)
    assert oracle.at(1, 2, 3) == (table.false_alarm[1, 2, 3], table.miss[1, 2, 3])
    oracle.at(1, 2, 3)
    assert oracle.solves == table.folds
    seen = oracle.table()
    assert np.argwhere(np.isfinite(seen.miss)).tolist() == [[1, 2, 3]]
    assert not seen.complete


def test_maps_show_what_a_descent_passed_by(table):
    search_3d = search_table(table, Minimax(), settings("coordinate-3d"))
    grid = search_table(table, Minimax(), settings("grid"))
    whole = smoothed_everywhere(search_3d, table)
    np.testing.assert_array_equal(whole.miss, grid.miss)
    assert whole.cell == search_3d.cell
    judged = np.isfinite(search_3d.miss)
    assert 0 < judged.sum() < judged.size
    np.testing.assert_allclose(whole.miss[judged], search_3d.miss[judged], atol=1e-12)
