"""The app's server and a Chromium page, for measurements."""

from __future__ import annotations

import base64
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from types import TracebackType
from typing import Any

PATIENCE = 60.0
PICTURES = "[data-frame], .js-plotly-plot, canvas[role=img]"
SETTLED = """() => {
  const app = document.querySelector('[data-testid="stApp"]');
  return app && app.dataset.testConnectionState === "CONNECTED"
    && app.dataset.testScriptState === "notRunning";
}"""
# Components are in shadow roots, which a plain query does not enter.
PLAYER = """
const findPlayer = (node) => {
  for (const element of node.querySelectorAll("*")) {
    if (element.dataset && element.dataset.frame !== undefined) return element;
    const found = element.shadowRoot && findPlayer(element.shadowRoot);
    if (found) return found;
  }
  return null;
};
"""
WATCH_PICTURE = (
    "() => {"
    + PLAYER
    + """
  const before = findPlayer(document).dataset.level;
  window.nestvizPicture = new Promise((done) => {
    document.addEventListener("keydown", () => { window.nestvizKey = performance.now(); },
      { once: true, capture: true });
    // Looked for anew in every frame: long work takes the player off the page for a while.
    const look = () => {
      const player = findPlayer(document);
      const changed = player && player.dataset.level !== before;
      if (changed) done(performance.now() - window.nestvizKey);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}"""
)
COUNT_FRAMES = """(seconds) => new Promise((done) => {
  const times = [];
  const step = (now) => {
    times.push(now);
    if (now - times[0] < 1000 * seconds) { requestAnimationFrame(step); return; }
    const gaps = times.slice(1).map((time, k) => time - times[k]);
    done([(1000 * gaps.length) / (now - times[0]), Math.max(...gaps)]);
  };
  requestAnimationFrame(step);
})"""


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
    """The app on a free port of this machine, for the length of a ``with`` block."""

    url: str
    seconds: float

    def __enter__(self) -> AppServer:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "nestviz", "app", "--port", str(port), "--headless"]
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

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2):
                return True
        except (urllib.error.URLError, ConnectionError):
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


class Visit:
    """A browser page at the app, with the messages sent and received."""

    def __init__(self, page: Any, url: str) -> None:
        self._page, self._url = page, url
        self._sent: list[float] = []
        self._received: list[tuple[float, int]] = []
        wire = page.context.new_cdp_session(page)
        wire.send("Network.enable")
        wire.on("Network.webSocketFrameSent", lambda event: self._sent.append(event["timestamp"]))
        wire.on("Network.webSocketFrameReceived", self._keep)

    def _keep(self, event: dict[str, Any]) -> None:
        response = event["response"]
        binary = response["opcode"] == 2
        payload = response["payloadData"]
        size = len(base64.b64decode(payload)) if binary else len(payload)
        self._received.append((event["timestamp"], size))

    def open(self, path: str) -> float:
        """Go to a page; milliseconds until it shows its picture, if it has one."""
        start = time.perf_counter()
        self._page.goto(f"{self._url}/{path}")
        pictures = self._page.get_by_test_id("stMain").locator(PICTURES)
        pictures.first.wait_for()
        taken = time.perf_counter() - start
        self._settle()
        return 1e3 * taken

    def press_width(self, key: str, *, picture: bool = False) -> dict[str, float]:
        """Press a key on the width slider; milliseconds and kilobytes of what follows."""
        self._page.get_by_role("slider", name="Width").first.focus()
        if picture:
            self._page.evaluate(WATCH_PICTURE)
        self._sent.clear()
        self._received.clear()
        self._page.keyboard.press(key)
        taken = self._page.evaluate("() => window.nestvizPicture") if picture else float("nan")
        while not (self._sent and self._received):
            self._page.wait_for_timeout(20)
        self._settle()
        last = max(moment for moment, _ in self._received)
        first = min(self._sent)
        kilobytes = sum(size for _, size in self._received) / 1e3
        return {"picture": taken, "server": 1e3 * (last - first), "kilobytes": kilobytes}

    def play(self, seconds: float) -> tuple[float, float]:
        """Play the sweep; frames a second, and the longest gap in milliseconds."""
        # The page's own loop draws in the same frames that are counted.
        self._page.emulate_media(reduced_motion="no-preference")
        self._page.get_by_role("button", name="Play", exact=True).click()
        rate, gap = self._page.evaluate(COUNT_FRAMES, seconds)
        self._page.get_by_role("button", name="Pause", exact=True).click()
        self._page.emulate_media(reduced_motion="reduce")
        return float(rate), float(gap)

    def _settle(self) -> None:
        """Wait until the page is idle and nothing has come for a while."""
        self._page.wait_for_function(SETTLED)
        count = -1
        while count != len(self._received):
            count = len(self._received)
            self._page.wait_for_timeout(200)
        self._page.wait_for_function(SETTLED)
