"""How a command ends: its exit status, and one sentence instead of a traceback."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from nestviz.commands.console import Console
from nestviz.extras import MissingPackageError

DONE, FAILED, WRONG, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses: done; a file or package is missing, or writing failed; wrong usage or data;
stopped by Ctrl-C."""


class UsageError(ValueError):
    """Options that do not fit each other or the data; the message is a sentence."""


class FailedError(RuntimeError):
    """Something outside went wrong, such as a file that cannot be written."""


def run_command(run: Callable[[argparse.Namespace], int], options: argparse.Namespace) -> int:
    """Run a command and return its exit status, whatever happens.

    Parameters
    ----------
    run : callable
        The command.
    options : Namespace
        Its options, ``command`` among them.

    Returns
    -------
    int
    """
    try:
        with _warnings_in_words(Console.of(options)):
            status = run(options)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # The reader has seen enough, as `head` does: no error.
        _forget_output()
        return DONE
    except KeyboardInterrupt:
        return _said(options, "stopped.", INTERRUPTED)
    except MissingPackageError as missing:
        return _said(options, str(missing), FAILED)
    except MemoryError:
        return _said(options, "There is not enough memory; take fewer rows (--most).", FAILED)
    # Errors about data and parameters are sentences everywhere in nestviz.
    except ValueError as wrong:
        return _said(options, str(wrong), WRONG)
    except FailedError as failed:
        return _said(options, str(failed), FAILED)
    except OSError as failed:
        named = f"'{failed.filename}': " if failed.filename else ""
        return _said(options, f"{named}{failed.strerror or failed}.", FAILED)


def _said(options: argparse.Namespace, sentence: str, status: int) -> int:
    with suppress(BrokenPipeError):
        Console.of(options).error(f"nestviz {options.command}: {sentence}")
    return status


def _forget_output() -> None:
    """Keep the interpreter from writing the rest to a closed pipe when it ends."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@contextmanager
def _warnings_in_words(console: Console) -> Iterator[None]:
    """Show warnings for users as sentences; others are for developers."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        console.warn(str(message))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show
        yield
