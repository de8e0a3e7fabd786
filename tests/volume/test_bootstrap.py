"""The search for the bandwidth repeated on resamples."""

import numpy as np
import pytest

from nestviz import NestedOneClassSVM, OneClassPath, ParzenLevelSets
from nestviz.volume import bootstrap_bandwidth, integrated_volume, uniform_reference

X = np.random.default_rng(3).normal(size=(40, 2)) + np.repeat([[-2.0], [2.0]], 20, axis=0)
SIGMAS = [0.1, 0.5, 4.0]


class Folds:
    """Folds by hand: all copies of a row are held out together."""

    def __init__(self, groups, parts):
        self.parts = [np.flatnonzero([g in part for g in groups]) for part in parts]

    def split(self, X):
        yield from ((None, part) for part in self.parts)


@pytest.mark.parametrize("kind", [ParzenLevelSets, NestedOneClassSVM, OneClassPath])
def test_a_resample_is_an_ordinary_search_with_copies_kept_together(kind):
    found = bootstrap_bandwidth(X, kind(), SIGMAS, resamples=2, cv=3, random_state=7)
    box = uniform_reference(X, random_state=7)
    for number, row in enumerate(found.values):
        rng = np.random.default_rng([7, number])
        drawn = np.sort(rng.integers(40, size=40))
        distinct = np.unique(drawn)
        parts = np.array_split(distinct[rng.permutation(distinct.size)], 3)
        folds = Folds(drawn, [set(part.tolist()) for part in parts])
        expected = [
            integrated_volume(X[drawn], kind(sigma=sigma), cv=folds, reference=box).value
            for sigma in SIGMAS
        ]
        np.testing.assert_allclose(row, expected, rtol=1e-9)
    assert found.complete
    assert found.chosen.tolist() == [SIGMAS[int(row.argmin())] for row in found.values]


def test_copies_in_other_folds_would_favour_narrow_kernels():
    """The reason for the folds: a copy among the training points gives the point away."""
    sigmas = [1e-3, 0.5]
    kept = bootstrap_bandwidth(X, ParzenLevelSets(), sigmas, resamples=3, cv=3)
    assert (kept.chosen == 0.5).all()
    drawn = np.random.default_rng([0, 0]).integers(40, size=40)
    apart = [
        integrated_volume(X[drawn], ParzenLevelSets(sigma=sigma), cv=3).value for sigma in sigmas
    ]
    narrow, wide = kept.values.mean(axis=0)
    assert apart[0] / apart[1] < narrow / wide


def test_the_same_seed_gives_the_same_bits_with_any_number_of_threads():
    one = bootstrap_bandwidth(X, NestedOneClassSVM(), SIGMAS, resamples=3, cv=2, n_jobs=1)
    two = bootstrap_bandwidth(X, NestedOneClassSVM(), SIGMAS, resamples=2, cv=2, n_jobs=2)
    np.testing.assert_array_equal(one.values[:2], two.values)
    other = bootstrap_bandwidth(X, NestedOneClassSVM(), SIGMAS, resamples=2, cv=2, random_state=1)
    assert not np.array_equal(other.values, two.values)


def test_intervals_and_bands():
    found = bootstrap_bandwidth(X, ParzenLevelSets(), resamples=9, widths=7, cv=2)
    low, high = found.interval(1.0)
    assert (low, high) == (found.chosen.min(), found.chosen.max())
    inner = found.interval(0.5)
    assert low <= inner[0] <= inner[1] <= high
    assert set(inner) <= set(found.sigmas.tolist())
    bottom, top = found.band(1.0)
    np.testing.assert_array_equal([bottom, top], [found.values.min(0), found.values.max(0)])
    table = found.to_table()
    assert table["sigma"] == found.chosen.tolist()
    assert len(table["resample"]) == 9
    with pytest.raises(ValueError, match="share must be above 0"):
        found.interval(0.0)


def test_a_callback_counts_all_fits_and_stops():
    heard = []
    found = bootstrap_bandwidth(
        X, ParzenLevelSets(), SIGMAS, resamples=4, cv=2,
        callback=lambda p: heard.append((p.done, p.total)) or p.done >= 8,
    )  # fmt: skip
    assert heard == [(k, 4 * 3 * 2) for k in range(1, 9)]
    assert not found.complete
    assert found.values.shape == (1, 3)
    nothing = bootstrap_bandwidth(
        X, ParzenLevelSets(), SIGMAS, resamples=2, cv=2, callback=lambda p: True
    )
    assert nothing.values.shape == (0, 3)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"resamples": 0}, "one resample or more"),
        ({"cv": 1}, "cv must be a whole number"),
        ({"sigmas": [-1.0]}, "positive numbers"),
    ],
)
def test_what_cannot_be_is_refused(given, words):
    with pytest.raises(ValueError, match=words):
        bootstrap_bandwidth(X, ParzenLevelSets(), **({"sigmas": SIGMAS} | given))
