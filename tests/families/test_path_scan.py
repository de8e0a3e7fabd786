"""Scans along a solution path, against the same family with a table of all its coefficients."""

from dataclasses import replace

import numpy as np
import pytest

import nestviz.path_scan
import nestviz.scanning
from nestviz import CostSensitivePath, Grid, OneClassPath, make_sample
from nestviz.estimators.nu_path import nu_family

LATTICE = np.indices((6, 7)).reshape(2, -1).T.astype(float)


def one_class(n=70, sigma=0.4, **options):
    X = make_sample("banana", random_state=1, n=n).X
    return OneClassPath(sigma, **options).fit(X).family_


def two_classes(sigma, lam, kernel="gaussian"):
    sample = make_sample("bench-banana", random_state=2, n=60)
    return CostSensitivePath(sigma, lam, kernel=kernel).fit(sample.X, sample.y).family_


FAMILIES = {
    "one class": one_class,
    "one step": lambda: OneClassPath(0.7).fit(LATTICE[:1]).family_,
    "to the end": lambda: one_class(sigma=0.15, hold_below=None),
    "wide": lambda: one_class(sigma=2.0),
    "polynomial": lambda: one_class(kernel="polynomial"),
    "ν": lambda: nu_family(OneClassPath(0.5).fit(make_sample("ring", random_state=0, n=50).X)),
    "ties": lambda: OneClassPath(0.7).fit(LATTICE).family_,
    "two classes": lambda: two_classes(0.5, 1.0),
    "two classes, narrow": lambda: two_classes(0.05, 0.01),
    "two classes, polynomial": lambda: two_classes(0.5, 1.0, "polynomial"),
}


@pytest.fixture(params=FAMILIES)
def family(request):
    return FAMILIES[request.param]()


def locations(family):
    """Centres, which may be on the boundary; points between and far beyond them."""
    X = family.centres
    grid = Grid.around(X, resolution=9, margin=1.5)
    return np.concatenate([X, (X + X[::-1]) / 2, grid.points()])


def table_of(family):
    return replace(family, coefficients=family.coefficients.take(np.arange(len(family.levels))))


def test_a_path_is_scanned_as_its_table_is(family, monkeypatch):
    X, table = locations(family), table_of(family)
    expected, spans = table.scan_with_intervals(X)
    close = {"rtol": 1e-9, "atol": 1e-12 * np.abs(family.levels).max()}
    answers = []
    for norms in (0, 10**9):
        monkeypatch.setattr(nestviz.path_scan, "NORMS", norms)
        scan, found = family.scan_with_intervals(X)
        np.testing.assert_array_equal(scan.violated, expected.violated)
        np.testing.assert_array_equal(scan.counts, expected.counts)
        np.testing.assert_allclose(scan.first, expected.first, **close)
        np.testing.assert_allclose(scan.last, expected.last, **close)
        np.testing.assert_allclose(found.lower, spans.lower, **close)
        np.testing.assert_allclose(found.upper, spans.upper, **close)
        np.testing.assert_array_equal(family.first_level(X), scan.first)
        answers.append(found)
    # What the scan skips, and how many points it takes at once, shows in no digit.
    np.testing.assert_array_equal(answers[0].lower, answers[1].lower)
    np.testing.assert_array_equal(answers[0].upper, answers[1].upper)
    np.testing.assert_array_equal(family.first_level(X[3:5]), family.first_level(X)[3:5])


def test_more_intervals_than_slots_are_all_written(monkeypatch):
    family = two_classes(0.5, 1.0, "polynomial")
    X = locations(family)
    whole = family.intervals(X)
    for module in (nestviz.scanning, nestviz.path_scan):
        monkeypatch.setattr(module, "SLOTS", 1)
    for other in (family, table_of(family)):
        again = other.intervals(X)
        np.testing.assert_array_equal(again.indptr, whole.indptr)
        np.testing.assert_allclose(again.lower, whole.lower, rtol=1e-9)
        np.testing.assert_allclose(again.upper, whole.upper, rtol=1e-9)
    assert whole.counts.max() > 1
