"""Streamlit servers that the workers of a run share."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import FileLock

ROOT = Path(__file__).resolve().parents[2]
START_LIMIT = 300.0
"""Seconds that no busy machine needs to start a server."""

Process = subprocess.Popen[bytes]


@contextmanager
def shared_server(folder: Path, name: str, start: Callable[[int], Process]) -> Iterator[str]:
    """The address of a server: the first worker that asks starts it, the last one stops it."""
    note, lock = folder / f"{name}.json", FileLock(folder / f"{name}.lock")
    with lock:
        known = json.loads(note.read_text()) if note.exists() else _started(start)
        note.write_text(json.dumps(known | {"users": known["users"] + 1}))
    yield known["url"]
    with lock:
        known = json.loads(note.read_text())
        note.write_text(json.dumps(known | {"users": known["users"] - 1}))
        if known["users"] == 1:
            note.unlink()
            os.kill(known["pid"], signal.SIGTERM)


@contextmanager
def own_server(start: Callable[[int], Process]) -> Iterator[str]:
    """The address of a server that nobody else visits."""
    known = _started(start)
    yield known["url"]
    os.kill(known["pid"], signal.SIGTERM)


def _started(start: Callable[[int], Process]) -> dict:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server, url = start(port), f"http://127.0.0.1:{port}"
    _wait_until_healthy(server, url)
    return {"url": url, "pid": server.pid, "users": 0}


def _wait_until_healthy(server: Process, url: str) -> None:
    deadline = time.monotonic() + START_LIMIT
    while time.monotonic() < deadline:
        if server.poll() is not None:
            pytest.fail(f"The server ended with code {server.returncode} before it answered.")
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=START_LIMIT):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
    server.kill()
    pytest.fail(f"The server at {url} did not answer within {START_LIMIT:.0f} seconds.")


def start_app(port: int, *options: str) -> Process:
    """Start the app by its own launcher, from a folder that is not the project's."""
    command = [sys.executable, "-m", "nestviz", "app", "--port", str(port), "--headless", *options]
    return _in_background(command, Path(ROOT.anchor))


def start_script(script: Path) -> Callable[[int], Process]:
    """Return a function that starts a small app around single components on a port."""
    options = {
        "server.address": "127.0.0.1",
        "server.headless": "true",
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
    }

    def start(port: int) -> Process:
        flags = [f"--{name}={value}" for name, value in (options | {"server.port": port}).items()]
        return _in_background([sys.executable, "-m", "streamlit", "run", str(script), *flags], ROOT)

    return start


def _in_background(command: list[str], folder: Path) -> Process:
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=quiet, stderr=quiet)
