"""Sets of several methods side by side: outlines, areas, and where they cross."""

import numpy as np
import pytest

from nestviz import (
    Grid,
    HierarchicalMVSets,
    IndependentOneClassSVM,
    ParzenLevelSets,
    QuantileOneClassSVM,
    make_sample,
)
from nestviz.analysis import at_masses
from nestviz.analysis.quantiles import quantile_sets

ALPHA = np.array([0.2, 0.4, 0.6, 0.8])


@pytest.fixture(scope="module")
def case():
    X = make_sample("banana", random_state=0, n=120).X
    estimators = (QuantileOneClassSVM, IndependentOneClassSVM, HierarchicalMVSets)
    families = {e.__name__: e(sigma=0.3, quantiles=ALPHA).fit(X).family_ for e in estimators}
    families["Parzen"] = at_masses(ParzenLevelSets(0.3).fit(X).family_, X, ALPHA)
    grid = Grid.around(X, resolution=80)
    held_out = make_sample("banana", random_state=1, n=200).X
    return X, grid, families, quantile_sets(families, grid, X, ALPHA, held_out)


def test_every_method_has_its_record(case):
    X, grid, families, records = case
    assert [record.name for record in records] == list(families)
    for record in records:
        np.testing.assert_array_equal(record.quantiles, ALPHA)
        inside = families[record.name].values(grid, ALPHA) > 0
        np.testing.assert_allclose(record.areas, inside.sum(axis=1) * grid.cell_area)
        assert len(record.sets.outlines) == 4
        assert all(record.sets.outlines)
        assert record.crossing_points.shape == (len(X),)
        assert record.coverage.size == 200


def test_crossings_against_all_pairs_of_sets(case):
    _, grid, families, records = case
    for record in records:
        inside = families[record.name].values(grid, ALPHA) > 0
        pairs = {(a, b): np.sum(inside[a] & ~inside[b]) for a in range(4) for b in range(a + 1, 4)}
        crossed = np.any([inside[a] & ~inside[b] for a, b in pairs], axis=0)
        assert record.crossing_area == pytest.approx(crossed.sum() * grid.cell_area)
        if record.name != "IndependentOneClassSVM":
            assert record.worst is None
            assert record.crossing == ()
            assert not record.crossing_points.any()
            continue
        worst = max(pairs, key=pairs.get)
        assert (record.worst.small, record.worst.large) == (ALPHA[worst[0]], ALPHA[worst[1]])
        assert record.worst.area == pytest.approx(pairs[worst] * grid.cell_area)
        assert record.crossing
        assert any(record.sets.broken)


def test_without_held_out_points_there_is_no_coverage(case):
    X, grid, families, _ = case
    (record,) = quantile_sets({"one": families["Parzen"]}, grid, X, [0.5])
    assert record.coverage is None
    assert record.areas.shape == (1,)
