"""A cache of results, bounded in entries and bytes.

Each result has an owner: a session, or None if all sessions share it. The owner is part of the key,
so no session can read the results of another.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

import numpy as np

MEGABYTE = 2**20
CLOSED_KEPT = 10_000
"""Dropped owners that are remembered; work does not outlast so many sessions."""
Value = TypeVar("Value")
Key = tuple[str | None, Hashable]


class TooLargeError(MemoryError):
    """A result that is larger than a single result may be."""


class Store:
    """Thread-safe LRU cache bounded in entries and bytes.

    Parameters
    ----------
    max_entries : int
        Largest number of results.
    max_bytes : int
        Largest total size, as measured by `size_of`.
    max_entry_bytes : int, optional
        Largest size of one result; by default a third of the total, so that the few results that a
        page needs fit together.
    """

    def __init__(
        self, max_entries: int, max_bytes: int, max_entry_bytes: int | None = None
    ) -> None:
        self.max_entries = max_entries
        self.max_bytes = max_bytes
        self.max_entry_bytes = max_entry_bytes or max_bytes // 3
        self._kept: OrderedDict[Key, tuple[Any, int]] = OrderedDict()
        self._making: dict[Key, threading.RLock] = {}
        self._lock = threading.RLock()
        self._bytes = 0
        self._closed: OrderedDict[str, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def bytes(self) -> int:
        """Total size of the results."""
        return self._bytes

    @property
    def owners(self) -> Counter[str | None]:
        """Number of results of each owner; None for shared ones."""
        with self._lock:
            return Counter(owner for owner, _ in self._kept)

    def get(self, owner: str | None, key: Hashable, default: Any = None) -> Any:
        """Return the result of a key, or the default."""
        with self._lock:
            if (owner, key) not in self._kept:
                return default
            self._kept.move_to_end((owner, key))
            return self._kept[owner, key][0]

    def put(self, owner: str | None, key: Hashable, value: Any) -> None:
        """Store a result, and drop the least recently used ones while there are too many.

        Results of an owner that was dropped are ignored: its last work may end later than it.
        """
        size = size_of(value)
        if size > self.max_entry_bytes:
            raise TooLargeError(
                f"The result takes {size / MEGABYTE:,.0f} MB; the limit is "
                f"{self.max_entry_bytes / MEGABYTE:,.0f} MB."
            )
        with self._lock:
            if owner in self._closed:
                return
            self._drop((owner, key))
            self._kept[owner, key] = value, size
            self._bytes += size
            while len(self._kept) > self.max_entries or self._bytes > self.max_bytes:
                self._drop(next(iter(self._kept)))

    def get_or_make(self, owner: str | None, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the result of a key; compute it in one thread only where there is none."""
        missing = object()
        found = self.get(owner, key, missing)
        if found is not missing:
            return found
        with self._lock:
            turn = self._making.setdefault((owner, key), threading.RLock())
        try:
            with turn:
                found = self.get(owner, key, missing)
                if found is missing:
                    found = make()
                    self.put(owner, key, found)
                return found
        finally:
            with self._lock:
                self._making.pop((owner, key), None)

    def drop_owner(self, owner: str) -> None:
        """Drop all results of an owner, and ignore those to come."""
        with self._lock:
            self._closed[owner] = None
            while len(self._closed) > CLOSED_KEPT:
                self._closed.popitem(last=False)
            for key in [key for key in self._kept if key[0] == owner]:
                self._drop(key)

    def clear(self) -> None:
        """Drop all results."""
        with self._lock:
            self._kept.clear()
            self._bytes = 0

    def _drop(self, key: Key) -> None:
        _, size = self._kept.pop(key, (None, 0))
        self._bytes -= size


# A sweep consists mostly of arrays and strings: inspecting each took longer than drawing it.
_WHOLE = (str, bytes, int, float, complex, type(None))


def size_of(value: Any) -> int:
    """Return the size of a value in bytes, with all arrays inside it, each counted once."""
    seen: set[int] = set()
    waiting: list[Any] = [value]
    total = 0
    while waiting:
        part = waiting.pop()
        if id(part) in seen or isinstance(part, type):
            continue
        seen.add(id(part))
        if isinstance(part, np.ndarray):
            # A view keeps its whole base array alive.
            owner = part.base if isinstance(part.base, np.ndarray) else part
            total += owner.nbytes if owner is part or id(owner) not in seen else 0
            seen.add(id(owner))
            continue
        total += sys.getsizeof(part)
        if not isinstance(part, _WHOLE):
            waiting.extend(_parts(part))
    return total


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    if isinstance(value, (list, tuple, set, frozenset)):
        return value
    names = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    slots = [getattr(value, name) for name in names if hasattr(value, name)]
    return [*slots, *getattr(value, "__dict__", {}).values()]
