"""Results kept within bounds, each for its owner."""

import threading

import numpy as np
import pytest

from nestviz.data import Dataset
from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel
from nestviz.ui.results import cache
from nestviz.ui.results.lru import Store, TooLargeError, size_of

KILOBYTES = np.zeros(1000, np.uint8)


def test_the_oldest_entry_makes_room():
    store = Store(max_entries=2, max_bytes=10**6)
    for name in "abc":
        store.put(None, name, name)
    assert [store.get(None, name) for name in "abc"] == [None, "b", "c"]


def test_what_was_used_last_stays():
    store = Store(max_entries=2, max_bytes=10**6)
    store.put(None, "a", 1)
    store.put(None, "b", 2)
    store.get(None, "a")
    store.put(None, "c", 3)
    assert [store.get(None, name) for name in "abc"] == [1, None, 3]


def test_bytes_are_bounded():
    store = Store(max_entries=100, max_bytes=3500)
    for number in range(10):
        store.put(None, number, KILOBYTES.copy())
        assert store.bytes <= 3500
    assert len(store) == 3
    assert store.get(None, 9) is not None


def test_putting_again_counts_once():
    store = Store(max_entries=100, max_bytes=3500)
    for _ in range(5):
        store.put(None, "same", KILOBYTES.copy())
    assert store.bytes == size_of(KILOBYTES)


def test_a_result_that_would_push_out_everything_is_refused():
    store = Store(max_entries=100, max_bytes=2500)
    store.put(None, "small", 1)
    with pytest.raises(TooLargeError, match="MB"):
        store.put(None, "large", KILOBYTES)
    assert store.get(None, "small") == 1


def test_nobody_finds_what_is_somebody_elses():
    store = Store(max_entries=10, max_bytes=10**6)
    store.put("anna", "key", "hers")
    store.put(None, "key", "everybody's")
    assert store.get("anna", "key") == "hers"
    assert store.get("bert", "key") is None
    assert store.get(None, "key") == "everybody's"
    assert store.get_or_make("bert", "key", lambda: "his") == "his"


def test_what_an_owner_leaves_behind_is_dropped():
    store = Store(max_entries=10, max_bytes=10**6)
    store.put("anna", 1, KILOBYTES)
    store.put(None, 1, KILOBYTES)
    store.drop_owner("anna")
    assert store.get("anna", 1) is None
    assert store.get(None, 1) is KILOBYTES
    assert store.bytes == size_of(KILOBYTES)


def test_two_who_ask_at_once_wait_for_one_result():
    store = Store(max_entries=10, max_bytes=10**6)
    calls, inside, go_on = [], threading.Event(), threading.Event()

    def make():
        calls.append(1)
        inside.set()
        go_on.wait(10)
        return "made"

    found = []
    threads = [
        threading.Thread(target=lambda: found.append(store.get_or_make(None, "k", make)))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    inside.wait(10)
    go_on.set()
    for thread in threads:
        thread.join(10)
    assert found == ["made"] * 3
    assert len(calls) == 1


def test_a_fault_is_not_kept():
    store = Store(max_entries=10, max_bytes=10**6)
    with pytest.raises(ZeroDivisionError):
        store.get_or_make(None, "k", lambda: 1 / 0)
    assert store.get_or_make(None, "k", lambda: "made") == "made"


def test_sizes_count_arrays_wherever_they_are_but_once():
    array = np.zeros((100, 10))
    assert size_of(array) == 8000
    assert 8000 <= size_of({"a": [array, (array,)], "b": array[:5]}) < 9000
    assert size_of(array[:1]) == 8000  # a view keeps all of it alive
    centres = np.zeros((50, 2))
    family = SetFamily([0.0, 1.0], np.ones((2, 50)), [0.0, 1.0], centres, GaussianKernel(1.0), -1)
    assert size_of(family) >= 2 * 50 * 8 + centres.nbytes


def test_keys_name_data_by_their_content():
    """Equal points make the same key, and what is kept does not keep the points alive."""
    data, again = (Dataset([[0.0, 1.0], [2.0, 3.0]], name=name) for name in ("one", "two"))
    other = Dataset([[0.0, 1.0], [2.0, 4.0]])
    assert cache.plain((data, 0.5)) == cache.plain((again, 0.5))
    assert cache.plain((data, 0.5)) != cache.plain((other, 0.5))
    assert not any(isinstance(part, Dataset) for part in cache.plain((data, 0.5)))
