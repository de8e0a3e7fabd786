"""Return freed memory to the system.

glibc keeps what it frees in an arena for each thread. A server starts a thread for every run of a
page, so that hundreds of megabytes stay behind that nothing uses.
"""

from __future__ import annotations

import ctypes
import sys

_MMAP_THRESHOLD, _ARENA_MAX = -3, -8
ARENAS = 2
LARGE = 2**20
"""Blocks of this many bytes go back to the system when they are freed."""


def limit_arenas() -> None:
    """Let all threads share a few arenas; before most threads start."""
    library = _glibc()
    if library is not None:
        library.mallopt(_ARENA_MAX, ARENAS)
        library.mallopt(_MMAP_THRESHOLD, LARGE)


def trim() -> None:
    """Return what is free at present."""
    library = _glibc()
    if library is not None:
        library.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    """Return the C library where it has these functions, as with glibc."""
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "malloc_trim") and hasattr(library, "mallopt") else None
