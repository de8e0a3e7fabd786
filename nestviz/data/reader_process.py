"""Read files in a child process with limits on memory, computing time and the size of the answer.

What a file costs is then paid by the child. This process holds the file, the table that comes out
and a small buffer, and its other threads run meanwhile.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import IO

from nestviz.data import reader_worker
from nestviz.data.errors import DataError
from nestviz.data.limits import MEGABYTE, Limits
from nestviz.data.reader_answer import DamagedAnswerError, read_answer
from nestviz.data.tables import ReadChoices, Table

_WORKER = Path(reader_worker.__file__)
# Memory of the interpreter and its libraries, and of a table while it is read.
_BASE_MEMORY, _MEMORY_FACTOR = 512 * MEGABYTE, 8
# A small file takes less, unless it is made to take as much memory as possible.
_SMALL_MEMORY, _EXPANSION = 1_000 * MEGABYTE, 100
# Seconds of computing, which do not pass while the machine does something else.
SECONDS, SECONDS_PER_MEGABYTE = 60, 2
# A child that has used no computing time for a minute is stopped or stuck. Where its computing
# time is unknown, no file may take longer than ten minutes.
TICK, QUIET_TICKS, ALL_TICKS = 1.0, 60, 600
_BUFFER = 1 << 16
_TEXT_PIECE = 1 << 20
# One thread, and no memory set aside: address space counts. A Rust trace would only cost time.
_SETTINGS = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "RUST_BACKTRACE": "0",
}
# Files read at the same time; the others wait, so that the memory of all is bounded, too.
_SLOTS = threading.BoundedSemaphore(max(2, os.cpu_count() or 2))


def read_in_child(
    content: bytes | str, filename: str | None, choices: ReadChoices, limits: Limits
) -> Table:
    """Read the bytes of a file, or pasted text (``filename`` is None), in a child process."""
    seconds = SECONDS + SECONDS_PER_MEGABYTE * len(content) // MEGABYTE
    request = {
        "filename": filename,
        "choices": asdict(choices),
        "limits": asdict(limits),
        "memory": min(
            _BASE_MEMORY + _MEMORY_FACTOR * limits.max_decompressed_bytes,
            _SMALL_MEMORY + _EXPANSION * len(content),
        ),
        "seconds": seconds,
        "root": str(_WORKER.parents[2]),
        "path": [entry for entry in sys.path if isinstance(entry, str)],
    }
    with _SLOTS, _started() as (child, stdin, stdout), _watched(child) as silent:
        # A child that ended early is noticed when its answer is read.
        with suppress(OSError):
            send(chain([json.dumps(request).encode()], _pieces(content)), stdin)
        try:
            return read_answer(stdout, limits)
        except DamagedAnswerError:
            child.kill()
            code = child.wait()
    raise _failure(code, seconds, silent.is_set())


@contextmanager
def _started() -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes], IO[bytes]]]:
    """Yield a child process and its pipes; it has ended when the context is left in any way."""
    command = [sys.executable, "-P", "-B", str(_WORKER)]
    try:
        child = subprocess.Popen(
            command,
            bufsize=_BUFFER,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **_SETTINGS},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError as fault:
        raise DataError(
            "The process that reads files could not be started.", hint="Try again later."
        ) from fault
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        yield child, child.stdin, child.stdout
    finally:
        child.kill()
        for pipe in (child.stdin, child.stdout):
            with suppress(OSError):
                pipe.close()
        child.wait()


@contextmanager
def _watched(child: subprocess.Popen[bytes]) -> Iterator[threading.Event]:
    """Kill the child if it is stopped or stuck; yield the event that says so."""
    done, silent = threading.Event(), threading.Event()

    def watch() -> None:
        last, quiet = None, 0
        # Ticks are counted, not time, which also passes while this process itself is stopped.
        while not done.wait(TICK):
            used = _computing_time(child.pid)
            quiet = quiet + 1 if used == last else 0
            last = used
            if quiet >= (ALL_TICKS if used is None else QUIET_TICKS):
                silent.set()
                child.kill()
                return

    thread = threading.Thread(target=watch, daemon=True, name="nestviz-reader-watch")
    thread.start()
    try:
        yield silent
    finally:
        done.set()


def _computing_time(pid: int) -> list[str] | None:
    """Return a value that changes while a process computes; None if there is no such value."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text("ascii", "replace")
    except OSError:
        return None
    # User and system time; the name of the program, in parentheses, may contain spaces.
    return status.rpartition(")")[2].split()[11:13]


def _pieces(content: bytes | str) -> Iterator[bytes]:
    if not isinstance(content, str):
        yield from [content] if content else []
        return
    for start in range(0, len(content), _TEXT_PIECE):
        yield content[start : start + _TEXT_PIECE].encode("utf-8", "surrogatepass")


def send(pieces: Iterable[bytes], target: IO[bytes]) -> None:
    """Send a request and a file, each piece after its length."""
    for piece in pieces:
        target.write(len(piece).to_bytes(reader_worker.LENGTH_BYTES, "little"))
        target.write(piece)
    target.write(bytes(reader_worker.LENGTH_BYTES))
    target.flush()


def _failure(code: int, seconds: int, silent: bool) -> DataError:
    """Return the error that says why there is no answer."""
    if silent:
        return DataError("The process that reads files stopped answering.", hint="Try again.")
    if code == -getattr(signal, "SIGXCPU", 0):
        return DataError(
            f"The file could not be read within {seconds} seconds of computing time.",
            hint="Save fewer rows or columns, or save it as CSV.",
        )
    return DataError(
        "The file cannot be read: it is damaged, or reading it takes too much memory.",
        hint="Save it again, with fewer rows or columns, or save it as CSV.",
    )
