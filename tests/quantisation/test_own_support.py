"""Training rows in the sets of weighted centres."""

import numpy as np
import pytest

from nestviz import OneClassPath, ParzenLevelSets, families, level_fields, make_sample, path_scan
from nestviz.methods import ONE_CLASS, Spec
from nestviz.quantisation import own_support
from nestviz.quantisation.own_support import OwnSupport, own_levels
from nestviz.quantisation.row_centres import row_centres
from nestviz.quantisation.sources import Part


def test_a_row_supports_itself_as_a_training_point_does():
    """Two centres of two rows each: fields with the own kernel moved to the row, by hand."""
    X = np.array([[0.0, 0.0], [0.4, 0.0], [3.0, 0.0], [3.0, 0.6]])
    found = row_centres(X, None, 2, 0)
    family = ParzenLevelSets(0.5).fit(found.centres, sample_weight=found.weights).family_
    values = OwnSupport.of(family, found.centres, found.weights).values(X, found.cell)
    for row, at in enumerate(found.cell):
        moved = family.kernel.gram(found.centres, X[[row]])[:, 0]
        moved[at] = (moved[at] + 1.0) / 2.0
        np.testing.assert_allclose(values[row], moved)


@pytest.mark.parametrize("join", [False, True])
def test_coincident_rows_enter_as_in_the_full_solution(join):
    """Rows at few locations are their centres: nothing is approximated."""
    places = make_sample("ring", n=30, random_state=0).X
    X = places[np.random.default_rng(0).integers(0, 30, 400)]
    found = row_centres(X, None, 30, 0)
    few = OneClassPath(sigma=0.6).fit(found.centres, sample_weight=found.weights).family_
    full = OneClassPath(sigma=0.6).fit(X).family_
    few, full = (family.union() if join else family for family in (few, full))
    support = OwnSupport.of(few, found.centres, found.weights)
    part = Part(X, None, np.ones(len(X)))
    np.testing.assert_allclose(
        own_levels(part, support, found.cells), full.first_level(X), rtol=1e-6
    )


def _support(method):
    """Return rows, some of them twice, their centres, and the sets of these."""
    X = make_sample("banana", n=400, random_state=0).X
    X = np.concatenate([X, X[:50]])
    found = row_centres(X, None, 40, 0)
    spec = Spec(method, 0.4, 9)
    weights = found.weights / found.weights.mean()
    model = spec.solved.unfitted(found.centres, weights)
    model.fit(found.centres, sample_weight=weights)
    return X, found, OwnSupport.of(spec.row.family(model), found.centres, found.weights)


@pytest.mark.parametrize("method", ONE_CLASS)
def test_rows_are_scanned_as_kernel_values_are(method, monkeypatch):
    """The twin is the family of kernel values itself; blocks change no digit."""
    X, found, support = _support(method)
    twin = support.by_values.scan(support.values(X, found.cell))
    monkeypatch.setattr(own_support, "CHUNK", 1_000)
    scan = support.scan(X, found.cell)
    for name in ("first", "last", "violated", "counts"):
        np.testing.assert_array_equal(getattr(scan, name), getattr(twin, name))
    np.testing.assert_array_equal(scan.first[:50], scan.first[-50:])


@pytest.mark.parametrize("method", ONE_CLASS)
def test_work_beside_the_kernel_values_does_not_grow_with_the_centres(method, monkeypatch):
    """Equal rows are looked for among the rows, and a path is summarised once."""
    X, found, support = _support(method)
    compared, summarised = [], []

    def seen(calls, function):
        return lambda *given: (calls.append(given), function(*given))[1]

    for module in (level_fields, own_support):
        monkeypatch.setattr(module, "distinct_rows", seen(compared, module.distinct_rows))
    monkeypatch.setattr(path_scan, "chord_tree", seen(summarised, path_scan.chord_tree))
    for start in range(0, len(X), 100):
        support.scan(X[start : start + 100], found.cell[start : start + 100])
    assert {points.shape[1] for (points,) in compared} == {3}
    is_path = isinstance(support.by_values.coefficients, families.PathRows)
    assert len(summarised) == is_path
