"""Splits, packed tables, averages, and the tables printed in the sources."""

import math

import numpy as np
import pytest

from nestviz.studies.published import published
from nestviz.studies.reproduce.common.averages import averaged
from nestviz.studies.reproduce.common.benchmarks import (
    benchmark,
    fingerprint,
    split,
    training_sizes,
)
from nestviz.studies.reproduce.common.packing import packed, unpacked


@pytest.mark.parametrize("name", ["heart", "thyroid", "flare-solar"])
def test_a_split_has_every_point_once(name):
    train, test = split(name, fingerprint(name), 3)
    assert len(train.X) == training_sizes()[name]
    both = np.concatenate([train.X, test.X])
    assert len(both) == benchmark(name).n
    np.testing.assert_array_equal(np.sort(both, axis=0), np.sort(benchmark(name).X, axis=0))
    np.testing.assert_allclose(both.mean(axis=0), 0.0, atol=1e-12)
    other = split(name, fingerprint(name), 4).train
    assert not np.array_equal(train.X, other.X)


def test_negative_points_are_made_rare_in_training_only():
    whole, rare = (split("heart", fingerprint("heart"), 0, keep) for keep in (1.0, 0.1))
    assert rare.train.positive.sum() == whole.train.positive.sum()
    assert (~rare.train.positive).sum() == round(0.1 * (~whole.train.positive).sum())
    np.testing.assert_array_equal(rare.test.X, whole.test.X)


def test_another_set_than_planned_is_refused():
    with pytest.raises(ValueError, match="heart differs"):
        split("heart", fingerprint("thyroid"), 0)


def test_packed_counts_come_back():
    counts = np.random.default_rng(0).integers(0, 2**16, (2, 3, 4))
    text = packed(counts)
    assert text.isascii()
    np.testing.assert_array_equal(unpacked(text, (2, 3, 4)), counts)
    with pytest.raises(ValueError, match="whole numbers"):
        packed([-1])
    with pytest.raises(ValueError, match="whole numbers"):
        packed([2**16])


def test_averages():
    assert averaged([1.0, 3.0]) == {"ours": 2.0, "sd": pytest.approx(2**0.5), "n": 2}
    assert math.isnan(averaged([1.0])["sd"])


@pytest.mark.parametrize(
    ("table", "sums"),
    [
        ("thesis_t33_t39_ranks", {"3.3": 6, "3.4": 15, "3.5": 10, "3.6": 10, "3.9": 15}),
        ("thesis_t42_t46_ranks", {"4.2": 6, "4.3": 15, "4.4": 21, "4.5": 21, "4.6": 15}),
    ],
)
def test_published_average_ranks_add_up(table, sums):
    """Ranks of k methods add up to k(k + 1)/2, so a number copied wrongly shows."""
    rows = published(table)
    for number, total in sums.items():
        for column in list(rows[0])[2:]:
            ranks = [float(row[column]) for row in rows if row["table"] == number]
            assert sum(ranks) == pytest.approx(total, abs=0.011)


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("thesis_t32_bias_shift", 8),
        ("thesis_t41_bias_shift", 8),
        ("thesis_t55_np", 7),
        ("glazer_coverage", 2),
        ("chapter8_fig87_usps", 2),
    ],
)
def test_published_shares_are_shares(table, rows):
    found = published(table)
    assert len(found) == rows
    for row in found:
        for number in list(row.values())[1:]:
            assert 0.0 <= float(number) <= 1.0


def test_targets_have_names_of_their_own_and_pages_of_the_app():
    from nestviz.studies.reproduce import davenport_2007, glazer_2013, lee_scott_2007
    from nestviz.studies.reproduce import schoelkopf_smola_2002 as chapter_8
    from nestviz.ui.menu import PAGES

    sources = (lee_scott_2007, davenport_2007, glazer_2013, chapter_8)
    targets = [target for source in sources for target in source.TARGETS]
    pages = {address for rows in PAGES.values() for _, _, address, _ in rows}
    assert len({target.name for target in targets}) == len(targets) == 11
    assert {target.page for target in targets} <= pages
    assert all(quick <= full for quick, full in (target.cpu_minutes for target in targets))
