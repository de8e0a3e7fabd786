"""A real Chromium for each worker, and Streamlit servers for all of them to visit.

Without a browser these tests are skipped with a reason; where ``CI=true`` a missing browser
is a failure, since nobody would read the reason.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    expect,
    sync_playwright,
)
from servers import own_server, shared_server, start_app, start_script
from visits import PATIENCE

expect.set_options(timeout=PATIENCE)

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


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory) -> Path:
    """A folder that all workers of this run have in common."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def components() -> list[str]:
    """Addresses of the small apps around single components, whose pictures may move."""
    return ["about:"]


@pytest.fixture(scope="session")
def serve(components: list[str], shared_folder: Path) -> Iterator[Serve]:
    """Start an app around single components, once per script, and return its address."""
    running: dict[Path, str] = {}
    with ExitStack() as servers:

        def start(script: Path) -> str:
            if script not in running:
                server = shared_server(shared_folder, script.stem, start_script(script))
                running[script] = servers.enter_context(server)
                components.append(running[script])
            return running[script]

        yield start


@pytest.fixture(scope="session")
def app_url(shared_folder: Path) -> Iterator[str]:
    """The address of the app, on a server that all workers share."""
    with shared_server(shared_folder, "app", start_app) as url:
        yield url


@pytest.fixture
def unvisited_app_url() -> Iterator[str]:
    """The address of an app that nobody has visited before."""
    with own_server(start_app) as url:
        yield url


class Tabs:
    """Tabs of one context that are used again.

    A page of the same site in a tab that has shown one before costs less than half of one in a new
    tab, which compiles all of Streamlit's scripts anew.
    """

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.faults: list[str] = []
        self._idle: list[Page] = []

    def take(self) -> Page:
        if self._idle:
            return self._idle.pop()
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", self._note_violation)
        return page

    def _note_violation(self, message: ConsoleMessage) -> None:
        """Count what the app's own policy blocks as a fault."""
        if "Content Security Policy" in message.text:
            self.faults.append(message.text)

    def put_back(self, page: Page) -> None:
        """Leave the app for an empty document of its site, and forget what the page has stored."""
        address = urlsplit(page.url)
        if address.scheme != "http":
            page.close()
            return
        page.mouse.move(0, 0)
        page.goto(f"http://{address.netloc}/_stcore/health")
        page.evaluate("sessionStorage.clear(); localStorage.clear()")
        self._idle.append(page)


def _tabs(browser: Browser, **options) -> Tabs:
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    return Tabs(context)


@pytest.fixture(scope="session")
def common_tabs(browser: Browser) -> Iterator[Tabs]:
    """The tabs of most pages."""
    tabs = _tabs(browser)
    yield tabs
    tabs.context.close()


@pytest.fixture
def open_page(browser, common_tabs, components: list[str]) -> Iterator[OpenPage]:
    """Open an address in a tab; a fault on the page fails the test.

    With ``alone=True``, or options that only a context has, it is a browser of its own that shares
    neither cookies nor storage. Nothing of the app moves by itself unless a test asks for it, by
    ``reduced_motion="no-preference"``: a picture that plays on a page nobody looks at keeps a
    processor busy.
    """
    used: list[tuple[Tabs, Page]] = []

    def visit(url: str, *, viewport=None, color_scheme=None, reduced_motion=None, alone=False,
              **options) -> Page:  # fmt: skip
        tabs = _tabs(browser, **options) if alone or options else common_tabs
        page = tabs.take()
        used.append((tabs, page))
        page.set_viewport_size(viewport or {"width": 1280, "height": 900})
        moves = url.startswith(tuple(components))
        motion = reduced_motion or ("no-preference" if moves else "reduce")
        page.emulate_media(color_scheme=color_scheme or "light", reduced_motion=motion)
        page.goto(url)
        return page

    yield visit
    faults: list[str] = []
    for tabs, page in used:
        faults.extend(page.get_by_test_id("stException").all_inner_texts())
        if tabs is common_tabs:
            tabs.put_back(page)
        else:
            tabs.context.close()
        faults.extend(tabs.faults)
        tabs.faults.clear()
    common_tabs.context.clear_cookies()
    assert not faults, faults


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A blank page."""
    return open_page("about:blank")
