"""What a page of the app may load, and who may show it. Other tests fail on any violation."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, expect
from servers import own_server, start_app
from test_take_home_flow import open_expander
from visits import PATIENCE, settled

pytestmark = pytest.mark.browser

TRY = """(elsewhere) => new Promise((resolve) => {
  const blocked = [];
  document.addEventListener("securitypolicyviolation", (event) => {
    blocked.push(event.effectiveDirective);
    if (new Set(blocked).size === 5) resolve(blocked);
  });
  window.ran = [];
  const script = document.createElement("script");
  script.textContent = "window.ran.push('inline')";
  const foreign = document.createElement("script");
  foreign.src = elsewhere;
  const frame = document.createElement("iframe");
  frame.src = elsewhere;
  const button = document.createElement("button");
  button.setAttribute("onclick", "window.ran.push('attribute')");
  document.body.append(script, foreign, frame, button);
  button.click();
  new Image().src = elsewhere;
  fetch(elsewhere, { mode: "no-cors" }).catch(() => {});
})"""


class Other:
    """Another site: a page that frames the app, and a count of what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.page = ""
        other = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                other.asked.append(self.path)
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(other.page.encode())

            def log_message(self, *_) -> None:
                """Keep quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://localhost:{self.server.server_port}"


@pytest.fixture
def other() -> Iterator[Other]:
    site = Other()
    thread = threading.Thread(target=site.server.serve_forever, daemon=True)
    thread.start()
    yield site
    site.server.shutdown()


@pytest.fixture
def tab(browser: Browser):
    """A page whose violations are no faults."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def test_nothing_is_loaded_from_elsewhere_and_no_inline_script_runs(app_url, tab, other):
    tab.goto(f"{app_url}/theory")
    settled(tab)
    blocked = set(tab.evaluate(TRY, f"{other.url}/beacon"))
    assert blocked >= {"script-src-elem", "script-src-attr", "frame-src", "img-src", "connect-src"}
    assert tab.evaluate("window.ran") == []
    assert other.asked == []


def test_other_sites_cannot_frame_the_app(app_url, tab, other):
    other.page = f'<iframe src="{app_url}/theory" width="900" height="600"></iframe>'
    refused = []
    tab.on("console", lambda message: refused.append(message.text))
    with tab.expect_console_message(lambda message: "frame" in message.text):
        tab.goto(other.url)
    assert any("frame-ancestors" in text or "X-Frame-Options" in text for text in refused)
    assert tab.frame_locator("iframe").get_by_role("heading").count() == 0


@pytest.mark.slow
def test_a_named_site_frames_the_app(tab, other):
    with own_server(lambda port: start_app(port, "--embed-in", other.url)) as url:
        other.page = f'<iframe src="{url}/theory" width="900" height="600"></iframe>'
        tab.goto(other.url)
        title = tab.frame_locator("iframe").get_by_role("heading", level=1)
        expect(title).to_have_text("Theory")


def test_exported_files_are_served_without_the_right_to_run(app_url, open_page):
    page = open_page(f"{app_url}/one-class?banana.n=60")
    panel = open_expander(page, "Moving picture")
    with page.expect_download() as started:
        panel.get_by_role("button", name="HTML player").click()
    # Asked for once more: the browser need not report the answer that became a download.
    answer = page.request.get(started.value.url)
    assert answer.ok
    assert "<html" in answer.text()
    assert "attachment" in answer.headers["content-disposition"]
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "sandbox" in answer.headers["content-security-policy"]
