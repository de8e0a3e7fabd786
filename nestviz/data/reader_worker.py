"""Read one file in a process of its own, with limits; run as a script by `reader_process`.

A file may be made to take any amount of memory or time, or to crash native code. Here that ends
only this process. The request comes on standard input: a JSON object, then the file in pieces,
each after its length, and an empty piece at the end. The answer goes to standard output, in the
form of `reader_answer`.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any

LENGTH_BYTES = 8
_NICE = 5
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_REFUSED = ("subprocess.", "socket.", "os.system", "os.exec", "os.posix_spawn", "os.fork")


def limit(memory: int, seconds: int) -> None:
    """Limit memory and computing time, and let no file be written."""
    sys.addaudithook(_refuse)
    try:
        import resource
    except ImportError:  # Windows has no such limits; those of the parent still hold.
        return
    os.nice(_NICE)
    wanted = {"AS": memory, "CPU": seconds, "CORE": 0, "FSIZE": 0}
    for name, size in wanted.items():
        which = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(which)[1]
        size = size if hard == resource.RLIM_INFINITY else min(size, hard)
        try:
            resource.setrlimit(which, (size, hard))
        except (ValueError, OSError):  # macOS refuses some limits on memory.
            continue


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITING:
        raise PermissionError("The process that reads files writes none.")
    if event.startswith(_REFUSED):
        raise PermissionError("The process that reads files only reads.")


def _end_with_parent() -> None:
    """End this process when the other end of standard input is closed."""
    os.read(0, 1)
    os._exit(1)


def _pieces() -> Iterator[bytes]:
    source = sys.stdin.buffer
    while size := int.from_bytes(source.read(LENGTH_BYTES), "little"):
        yield source.read(size)


def _answer(request: dict[str, Any], content: bytes) -> None:
    from nestviz.data.errors import DataError
    from nestviz.data.files import parse_table, parse_text
    from nestviz.data.limits import MEGABYTE, Limits
    from nestviz.data.reader_answer import write_error, write_table
    from nestviz.data.tables import ReadChoices

    limits, choices = Limits(**request["limits"]), ReadChoices(**request["choices"])
    target = sys.stdout.buffer
    error = None
    try:
        if request["filename"] is None:
            table = parse_text(content.decode("utf-8", "surrogatepass"), choices, limits)
        else:
            table = parse_table(content, request["filename"], choices, limits)
        write_table(table, limits, target)
    except DataError as fault:
        error = fault
    except MemoryError:
        error = DataError(
            f"Reading the file takes more than {request['memory'] // MEGABYTE:,} MB of memory.",
            hint="Save fewer rows or columns to a smaller file.",
        )
    if error is not None:
        write_error(error, target)
    target.flush()


def main() -> None:
    """Answer the request on standard input."""
    pieces = _pieces()
    request = json.loads(next(pieces))
    limit(request["memory"], request["seconds"])
    content = b"".join(pieces)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # The package of the parent is found first, whatever else is installed.
    sys.path[:] = [request["root"], *request["path"]]
    import nestviz  # noqa: F401

    del sys.path[0]
    _answer(request, content)
    # Freeing a large table takes time, and nothing may be written at exit.
    os._exit(0)


if __name__ == "__main__":
    main()
