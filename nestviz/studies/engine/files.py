"""Files that are there as a whole or not at all."""

from __future__ import annotations

import os
import uuid
from pathlib import Path

PARTIAL = ".partial-"
"""How the names of unfinished files begin."""


def write_whole(path: Path, text: str) -> None:
    """Write a file under another name and rename it.

    A process that is killed leaves the file as it was, and at most an unfinished one that nothing
    reads. Two processes that write the same file do not disturb each other.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{PARTIAL}{uuid.uuid4().hex}")
    try:
        partial.write_text(text, "utf-8", newline="")
        os.replace(partial, path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
