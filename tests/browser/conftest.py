"""A real Chromium for each worker, and Streamlit servers for all of them to visit.

Without a browser these tests are skipped with a reason; where ``CI=true`` a missing browser
is a failure, since nobody would read the reason.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
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


@pytest.fixture(scope="session")
def common_context(browser: Browser) -> Iterator[BrowserContext]:
    """The context of most pages: what it has loaded of the app once, it does not load again."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture
def open_page(browser, common_context, components: list[str]) -> Iterator[OpenPage]:
    """Open an address in a tab of its own; a fault on the page fails the test.

    With ``alone=True``, or options that only a context has, it is a browser of its own that shares
    neither cookies nor storage. Nothing of the app moves by itself unless a test asks for it, by
    ``reduced_motion="no-preference"``: a picture that plays on a page nobody looks at keeps a
    processor busy.
    """
    contexts: list[BrowserContext] = []
    pages: list[Page] = []
    faults: list[str] = []

    def visit(url: str, *, viewport=None, color_scheme=None, reduced_motion=None, alone=False,
              **options) -> Page:  # fmt: skip
        context = common_context
        if alone or options:
            context = browser.new_context(**options)
            context.set_default_timeout(PATIENCE)
            contexts.append(context)
        page = context.new_page()
        pages.append(page)
        page.set_viewport_size(viewport or {"width": 1280, "height": 900})
        moves = url.startswith(tuple(components))
        motion = reduced_motion or ("no-preference" if moves else "reduce")
        page.emulate_media(color_scheme=color_scheme or "light", reduced_motion=motion)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(url)
        return page

    yield visit
    for page in pages:
        faults.extend(page.get_by_test_id("stException").all_inner_texts())
        page.close()
    for context in contexts:
        context.close()
    common_context.clear_cookies()
    assert not faults, faults


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A blank page."""
    return open_page("about:blank")
