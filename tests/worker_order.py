"""The order of the tests for several workers."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
BROWSERS = 3
"""Workers that begin with browser tests; where there are more, the others compute."""


def spread(browser: Sequence[T], others: Sequence[T], workers: int) -> list[T]:
    """Return all tests so that the parts of three workers begin with those of the browser."""
    beginning = min(BROWSERS, workers)
    share = -(-(len(browser) + len(others)) // workers)
    ordered: list[T] = []
    left = list(others)
    for k in range(workers):
        first = browser[k::beginning] if k < beginning else ()
        rest = max(share - len(first), 0)
        ordered += [*first, *left[:rest]]
        left = left[rest:]
    return ordered + left
