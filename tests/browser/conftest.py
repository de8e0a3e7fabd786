"""A real Chromium, and Streamlit servers for it to visit.

Without a browser these tests are skipped with a reason; where ``CI=true`` a missing browser
is a failure, since nobody would read the reason.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

ROOT = Path(__file__).resolve().parents[2]
START_LIMIT = 30.0
# How long a person would wait on a busy machine before giving up; what comes sooner costs nothing.
expect.set_options(timeout=60_000)

MOVING = "no-preference"

Serve = Callable[[Path], str]
OpenPage = Callable[..., Page]


def _no_browser(reason: str) -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def _find_chromium(playwright: Playwright) -> str:
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    own = playwright.chromium.executable_path
    if not Path(own).exists():
        _no_browser("No Chromium on the PATH; `playwright install chromium` brings one.")
    return own


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        path = _find_chromium(playwright)
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _start_server(script: Path, port: int) -> subprocess.Popen[bytes]:
    options = {
        "server.address": "127.0.0.1",
        "server.port": port,
        "server.headless": "true",
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
    }
    flags = [f"--{name}={value}" for name, value in options.items()]
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
    command = [sys.executable, "-m", "streamlit", "run", str(script), *flags]
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def _start_app(port: int) -> subprocess.Popen[bytes]:
    """The app itself, by its own launcher, from a folder that is not the project's."""
    command = [sys.executable, "-m", "nestviz", "app", "--port", str(port), "--headless"]
    return subprocess.Popen(
        command, cwd=ROOT.anchor, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def _stop(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(timeout=10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait(timeout=10)


def _wait_until_healthy(server: subprocess.Popen[bytes], url: str) -> None:
    deadline = time.monotonic() + START_LIMIT
    while time.monotonic() < deadline:
        if server.poll() is not None:
            pytest.fail(f"The server ended with code {server.returncode} before it answered.")
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
    pytest.fail(f"The server at {url} did not answer within {START_LIMIT:.0f} seconds.")


@pytest.fixture(scope="session")
def components() -> list[str]:
    """Addresses of the small apps around single components, whose pictures may move."""
    return ["about:"]


@pytest.fixture(scope="session")
def serve(components: list[str]) -> Iterator[Serve]:
    """Start an app on a free loopback port, once per script, and return its address."""
    running: dict[Path, tuple[subprocess.Popen[bytes], str]] = {}

    def start(script: Path) -> str:
        if script not in running:
            port = _free_port()
            server, url = _start_server(script, port), f"http://127.0.0.1:{port}"
            running[script] = server, url
            components.append(url)
            _wait_until_healthy(server, url)
        return running[script][1]

    yield start
    for server, _ in running.values():
        _stop(server)


@pytest.fixture(scope="session")
def app_url() -> Iterator[str]:
    """The app's address; nobody has visited it before the first test that asks."""
    port = _free_port()
    server, url = _start_app(port), f"http://127.0.0.1:{port}"
    _wait_until_healthy(server, url)
    yield url
    _stop(server)


@pytest.fixture
def open_page(browser: Browser, components: list[str]) -> Iterator[OpenPage]:
    """Open an address in a context of its own; a fault on the page fails the test.

    Nothing of the app moves by itself unless a test asks for it, by
    ``reduced_motion="no-preference"``: a picture that plays on a page nobody looks at keeps a
    processor busy.
    """
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def visit(url: str, **options) -> Page:
        motion = MOVING if url.startswith(tuple(components)) else "reduce"
        defaults = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": motion}
        context = browser.new_context(**(defaults | options))
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(url)
        return page

    yield visit
    for context in contexts:
        for page in context.pages:
            shown = page.get_by_test_id("stException").all_inner_texts()
            faults.extend(shown)
        context.close()
    assert not faults, faults


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A blank page in a fresh context."""
    return open_page("about:blank")
