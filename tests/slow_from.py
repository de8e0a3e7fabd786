"""Examples of which the first are tried in every run, and the others in `make test-all`."""

from collections.abc import Iterable
from typing import Any

import pytest


def slow_from(count: int, examples: Iterable[Any]) -> list[Any]:
    """Return all examples, marked as slow from the ``count``-th on."""
    return [
        one if k < count else pytest.param(one, marks=pytest.mark.slow)
        for k, one in enumerate(examples)
    ]
