"""What a process uses, from the system's table of processes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Usage:
    """Memory in megabytes and CPU seconds so far; NaN where the system does not say."""

    megabytes: float
    cpu_seconds: float


def usage(pid: int) -> Usage:
    """Return what a process uses now, without its children.

    Parameters
    ----------
    pid : int
        The process.

    Returns
    -------
    Usage
    """
    try:
        # The name, in brackets, may contain spaces.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return Usage(float("nan"), float("nan"))
    ticks = int(fields[11]) + int(fields[12])
    pages = int(fields[21])
    return Usage(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, ticks / os.sysconf("SC_CLK_TCK"))
