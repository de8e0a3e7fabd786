"""The width of least integrated volume, a mark on the slider of the width.

Where the app is served with the player's route, it is searched in the background, one data set at a
time; the mark is there with the next run of a page. Elsewhere it is known after a search on the
Bandwidth page.
"""

from __future__ import annotations

import logging
import math
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from nestviz.data import Dataset
from nestviz.ui.live.registry import REGISTRY
from nestviz.ui.results import admission, cache
from nestviz.ui.results.turns import Ticket

_KEY = "least integrated volume"
MOST = 700
"""Up to this many points are searched in the background: about half a second of one core."""
WIDTHS, FOLDS, LEVELS = 14, 3, 7
"""Fewer widths, folds and levels than on the Bandwidth page: a mark is read to a few per cent."""
WAIT_SECONDS = 0.2
_searching: set[tuple[str | None, str]] = set()
_lock = Lock()
_pool = ThreadPoolExecutor(1, thread_name_prefix="least-volume")


def known(data: Dataset) -> float | None:
    """Return the width of least integrated volume of these data; search it if it is not known."""
    owner = cache.owner()
    found: float | None = cache.STORE.get(owner, (_KEY, data.fingerprint))
    if found is None and REGISTRY.url is not None and 4 <= data.n <= MOST:
        with _lock:
            new = (owner, data.fingerprint) not in _searching
            _searching.add((owner, data.fingerprint))
        if new:
            _pool.submit(_search_if_shown, owner, data.fingerprint, weakref.ref(data))
    return None if found is None or math.isnan(found) else found


def keep(data: Dataset, sigma: float) -> None:
    """Remember the width that a search has found."""
    cache.STORE.put(cache.owner(), (_KEY, data.fingerprint), sigma)


def _search_if_shown(owner: str | None, fingerprint: str, shown: weakref.ref[Dataset]) -> None:
    """Search when no page waits, unless the data are gone by then, as with their session."""
    taken: list[Ticket] = []
    try:
        while shown() is not None and not taken:
            if not len(admission.RUNS):
                taken = admission.SOLVES.take_free("least volume", 1)
            if not taken:
                time.sleep(WAIT_SECONDS)
        data = shown()
        if data is not None:
            _search(owner, data)
    finally:
        for ticket in taken:
            ticket.leave()
        with _lock:
            _searching.discard((owner, fingerprint))


def _search(owner: str | None, data: Dataset) -> None:
    from nestviz.estimators import NestedOneClassSVM
    from nestviz.volume import default_sigmas, select_bandwidth

    sigma = math.nan
    try:
        estimator = NestedOneClassSVM(levels=LEVELS)
        sigmas = default_sigmas(data.X, WIDTHS)
        sigma = select_bandwidth(data.X, estimator, sigmas, cv=FOLDS, n_jobs=1).sigma
    except ValueError as error:
        # Points without a shape have no such width, and so no mark; pages say what is wrong.
        logging.getLogger(__name__).info("No width of least volume: %s", error)
    finally:
        cache.STORE.put(owner, (_KEY, data.fingerprint), sigma)
