"""Weighted centres of many rows, and data with weights."""

import numpy as np
import pytest

from nestviz import Dataset, ParzenLevelSets, make_sample
from nestviz.data import DataError, weighted_centres
from nestviz.data.centres import typical_distance
from nestviz.kernels import GaussianKernel, median_distance
from nestviz.methods import Spec, largest_regularisation, level_grid, top_level
from nestviz.quantisation import row_centres as module
from nestviz.quantisation.row_centres import row_centres

ROWS = make_sample("banana", n=3000, random_state=0)


@pytest.fixture(scope="module")
def found():
    return row_centres(ROWS.X, ROWS.y, 80, 0)


def test_centres_are_the_means_of_their_rows(found):
    """Against a plain loop over all rows and seeds of the same class."""
    seeds, signs = found.cells.seeds, found.cells.y
    away = np.square(ROWS.X[:, None] - seeds[None]).sum(axis=2)
    away[ROWS.y[:, None] != signs[None]] = np.inf
    assert np.array_equal(found.cell, away.argmin(axis=1))
    for c in range(len(found)):
        mine = ROWS.X[found.cell == c]
        assert len(mine) == found.weights[c]
        np.testing.assert_allclose(found.centres[c], mine.mean(axis=0), atol=1e-12)
        spread = np.square(mine - mine.mean(axis=0)).sum()
        assert found.spread[c] == pytest.approx(spread, abs=1e-9)
        assert found.first[c] == np.flatnonzero(found.cell == c)[0]
    np.testing.assert_allclose(found.means(ROWS.X), found.centres, atol=1e-12)


def test_centres_do_not_depend_on_how_rows_are_read(found, monkeypatch):
    monkeypatch.setattr(module, "BLOCK", 100)
    other = row_centres(ROWS.X, ROWS.y, 80, 0)
    assert np.array_equal(other.cell, found.cell)
    np.testing.assert_allclose(other.centres, found.centres, atol=1e-13)


def test_rows_are_looked_at_in_blocks(monkeypatch):
    """No step needs more memory than a block of rows times the centres."""
    monkeypatch.setattr(module, "BLOCK", 64)
    seen = []
    of = module.Cells.of
    monkeypatch.setattr(
        module.Cells, "of", lambda cells, part: (seen.append(len(part.X)), of(cells, part))[1]
    )
    row_centres(ROWS.X, ROWS.y, 80, 0)
    assert max(seen) == 64
    assert sum(seen) == ROWS.n


def test_choosing_centres_can_be_ended(monkeypatch):
    monkeypatch.setattr(module, "BLOCK", 64)
    assert row_centres(ROWS.X, ROWS.y, 80, 0, lambda done: done > 0.2) is None


@pytest.mark.parametrize("sigma", [0.1, 0.4, 2.0])
def test_the_parzen_average_is_within_its_bound(found, sigma):
    """At many locations, near the rows and far from them."""
    kernel = GaussianKernel(sigma)
    places = np.random.default_rng(0).uniform(-3, 3, (400, 2)) + ROWS.X.mean(axis=0)
    places = np.concatenate([places, ROWS.X[::20], found.centres])
    exact = kernel.gram(ROWS.X, places).mean(axis=0)
    weights = found.weights / found.weights.sum()
    apart = np.abs(exact - weights @ kernel.gram(found.centres, places))
    bound = found.field_error(sigma)
    assert apart.max() <= bound + 1e-12
    assert sigma < 1 or bound < 10 * apart.max()


def test_weighted_points_count_as_often_as_they_weigh():
    few = Dataset(ROWS.X[:40], ROWS.y[:40], weights=np.arange(1.0, 41.0))
    many = np.repeat(np.arange(40), np.arange(1, 41))
    assert few.stands_for == many.size
    X, w = few.X, few.weights
    assert top_level(X, 0.4, w) == pytest.approx(top_level(X[many], 0.4), rel=1e-12)
    spec = Spec("nested one-class SVM", 0.4, 7, spacing="geometric")
    np.testing.assert_allclose(level_grid(spec, X, w), level_grid(spec, X[many]))
    largest = largest_regularisation(X, few.y, 0.4, w)
    assert largest == pytest.approx(largest_regularisation(X[many], few.y[many], 0.4), rel=1e-9)
    weighted = ParzenLevelSets(0.4).fit(X, sample_weight=w)
    repeated = ParzenLevelSets(0.4).fit(X[many])
    np.testing.assert_allclose(weighted.score_samples(X), repeated.score_samples(X))
    assert weighted.level_ == pytest.approx(repeated.level_, rel=1e-9)
    np.testing.assert_allclose(weighted.coefficients([0.1])[0], w / w.sum())


def test_lengths_of_weighted_data_are_those_of_all_rows():
    few = weighted_centres(ROWS, 300)
    assert typical_distance(few) == pytest.approx(median_distance(ROWS.X), rel=0.03)


def test_weights_are_part_of_the_data():
    few = weighted_centres(ROWS, 50)
    assert few.fingerprint != Dataset(few.X, few.y, few.feature_names).fingerprint
    assert few == weighted_centres(ROWS, 50)
    assert few.take([0, 3], "Two.").weights.tolist() == few.weights[[0, 3]].tolist()
    assert few.point_name(0) == f"{few.weights[0]:,.0f} rows"
    assert weighted_centres(ROWS, ROWS.n) is ROWS


@pytest.mark.parametrize("weights", [[1.0], [1.0, 0.0], [1.0, -1.0], [1.0, np.nan]])
def test_bad_weights_are_refused(weights):
    with pytest.raises(DataError, match="weight"):
        Dataset([[0.0], [1.0]], weights=weights)


def test_centres_of_centres_are_refused():
    with pytest.raises(DataError, match="weights already"):
        weighted_centres(weighted_centres(ROWS, 50), 10)
    with pytest.raises(DataError, match="stand for nothing"):
        weighted_centres(ROWS, 0)
