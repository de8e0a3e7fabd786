"""The app's server and a Chromium page, for measurements."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from types import TracebackType
from typing import Any

PATIENCE = 60.0


def why_no_browser() -> str:
    """Return what is missing, as a sentence; empty if nothing is."""
    if find_spec("playwright") is None:
        return "playwright is not installed (it comes with nestviz[dev])."
    if _chromium() is None:
        return "there is no chromium, chromium-browser or google-chrome on the PATH."
    return ""


def _chromium() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for path in map(shutil.which, names) if path), None)


class AppServer:
    """The app on a free port of this machine, for the length of a ``with`` block.

    Parameters
    ----------
    *options : str
        Further options of ``nestviz app``.
    """

    url: str
    seconds: float

    def __init__(self, *options: str) -> None:
        self._options = options

    def __enter__(self) -> AppServer:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "nestviz", "app", "--port", str(port), "--headless"]
        command += self._options
        start = time.perf_counter()
        self._process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while not self._answers():
            if time.perf_counter() - start > PATIENCE or self._process.poll() is not None:
                self._stop()
                raise RuntimeError(f"The app did not answer within {PATIENCE:.0f} seconds.")
            time.sleep(0.05)
        self.seconds = time.perf_counter() - start
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()

    @property
    def pid(self) -> int:
        """The process of the server."""
        return self._process.pid

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2):
                return True
        except OSError:  # refused, or too busy
            return False

    def _stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


@contextmanager
def browser_page() -> Iterator[Any]:
    """Open a page of a headless Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=_chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        # Reduced motion: nothing plays by itself, so a picture changes only on input.
        page = browser.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
        page.set_default_timeout(1000 * PATIENCE)
        yield page
        browser.close()
