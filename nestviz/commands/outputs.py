"""Where results go: standard output, or a file that is complete or absent."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from nestviz.commands.ending import FailedError, UsageError

Endings = Mapping[str, tuple[str, ...]]
"""The endings of file names by format; the first format is the default."""
BINARY = ("skops",)
STANDARD = "-"


@dataclass(frozen=True)
class Target:
    """A format, and the file to write; None for standard output."""

    form: str
    path: Path | None = None

    def write(self, content: str | bytes) -> None:
        """Write a result."""
        self.write_parts((content,))

    def write_parts(self, parts: Iterable[str | bytes]) -> None:
        """Write a result part by part, as the parts are made."""
        data = (part.encode("utf-8") if isinstance(part, str) else part for part in parts)
        if self.path is None:
            sys.stdout.flush()
            sys.stdout.buffer.writelines(data)
            sys.stdout.buffer.flush()
            return
        try:
            _write(self.path, data)
        except OSError as error:
            raise FailedError(f"'{self.path}' cannot be written: {error.strerror}.") from error


def add_options(parser: argparse.ArgumentParser, endings: Endings) -> None:
    """Add the options of the output."""
    group = parser.add_argument_group("output")
    known = ", ".join(ending for found in endings.values() for ending in found)
    group.add_argument(
        "-o", "--output", metavar="FILE",
        help=f"write to FILE, in the format of its ending ({known}); - is standard output",
    )  # fmt: skip
    group.add_argument("--format", choices=tuple(endings), help="the format, whatever the ending")


def target_of(options: argparse.Namespace, endings: Endings) -> Target:
    """Return where and how to write; raise before any work where that is not possible."""
    form = options.format
    if options.output in (None, STANDARD):
        form = form or next(iter(endings))
        if form in BINARY and sys.stdout.isatty():
            raise UsageError("A model is no text for a terminal: give --output model.skops.")
        return Target(form)
    path = Path(options.output)
    for name, known in endings.items():
        if form is None and path.name.lower().endswith(known):
            form = name
    if form is None:
        known_endings = ", ".join(ending for found in endings.values() for ending in found)
        raise UsageError(
            f"The ending of '{path}' names no format: use one of {known_endings}, or --format."
        )
    folder = path.parent
    if path.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        reason = "it is a folder" if path.is_dir() else f"there is no folder '{folder}' to write to"
        raise FailedError(f"'{path}' cannot be written: {reason}.")
    return Target(form, path)


def _write(path: Path, parts: Iterable[bytes]) -> None:
    """Write a file under another name and rename it, so that it is never seen in part."""
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        # A pipe or a device cannot be replaced.
        with path.open("wb") as file:
            file.writelines(parts)
        return
    partial = path.with_name(f".nestviz-{os.getpid()}.partial")
    try:
        with partial.open("wb") as file:
            file.writelines(parts)
        if path.exists():
            shutil.copymode(path, partial)
        os.replace(partial, path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
