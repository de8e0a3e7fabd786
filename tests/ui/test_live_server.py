"""The app as `nestviz app` starts it."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from nestviz.resources import app_dir
from nestviz.ui.launch import launch

LONG = 300.0
HERE = Path(__file__).resolve().parents[2]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def running(arguments, **environment):
    """A process whose output can be read."""
    command = [sys.executable, "-m", *map(str, arguments)]
    paths = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))
    started = subprocess.Popen(
        command, cwd=HERE.anchor, env=os.environ | {"PYTHONPATH": paths} | environment,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        yield started
    finally:
        started.kill()
        started.communicate()


@pytest.fixture
def served(base, address):
    """A running app: its address, its process, and what it said before it was ready."""
    port = free_port()
    command = ["nestviz", "app", "--port", port, "--address", address, "--headless"]
    with running(command, STREAMLIT_SERVER_BASE_URL_PATH=base) as app:
        said = []
        while not (said and "Ctrl+C" in said[-1]):
            said.append(app.stdout.readline())
            assert said[-1], said
        assert said[-1].rstrip().endswith(f"http://{address}:{port} (Ctrl+C stops it)")
        yield f"http://127.0.0.1:{port}{base}", app, "".join(said[:-1])


def read(address, body=None):
    """Return status and text; the port is bound before the app is ready."""
    deadline = time.monotonic() + LONG
    while True:
        try:
            with urllib.request.urlopen(address, body, timeout=LONG) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except (urllib.error.URLError, ConnectionError):
            assert time.monotonic() < deadline
            time.sleep(0.1)


def headers_of(address, body=None):
    """Return the headers of an answer, of an error too."""
    try:
        with urllib.request.urlopen(address, body, timeout=LONG) as answer:
            return answer.headers
    except urllib.error.HTTPError as error:
        return error.headers


def listening(url):
    """Return the addresses on which something listens at the port of a URL, as Linux lists them."""
    port, found = urlsplit(url).port, set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in Path(table).read_text().splitlines()[1:]:
            _, local, _, state, *_ = line.split()
            if state == "0A" and int(local.partition(":")[2], 16) == port:
                found.add(local.partition(":")[0])
    return found


THIS_MACHINE, EVERYWHERE = {"0100007F"}, {"00000000"}
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="reads a table of Linux")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize(
    ("base", "name", "address"),
    [
        ("", "SIGINT", "127.0.0.1"),
        pytest.param("/some/base", "SIGTERM", "0.0.0.0", marks=pytest.mark.slow),
    ],
)
def test_the_app_is_served_with_the_route_and_ends_quietly(served, name, address):
    url, app, said = served
    is_open = address == "0.0.0.0"
    if sys.platform == "linux":
        assert listening(url) == (EVERYWHERE if is_open else THIS_MACHINE)
    assert ("no passwords and no encryption" in said) == is_open
    assert read(f"{url}/_stcore/health") == (200, "ok")
    status, page = read(f"{url}/outliers")
    assert status == 200
    assert "<title>Streamlit</title>" in page
    question = json.dumps({"token": "wrong", "player": "one_class", "knobs": {}}).encode()
    assert read(f"{url}/nestviz/live", question) == (
        404,
        "This picture is no longer connected to its session. Reload the page to go on.",
    )
    for path in ("", "/outliers", "/_stcore/health", "/media/none.html", "/no/such/file.js"):
        assert_safe(headers_of(f"{url}{path}"))
    assert_safe(headers_of(f"{url}/nestviz/live", question))
    app.send_signal(getattr(signal, name))
    assert app.wait(LONG) == 0
    assert app.stdout.read() == ""


def assert_safe(found):
    assert found["X-Content-Type-Options"] == "nosniff"
    assert found["Referrer-Policy"] == "same-origin"
    assert found["X-Frame-Options"] == "SAMEORIGIN"
    policy = found["Content-Security-Policy"]
    assert re.match("default-src '(self|none)'; ", policy)
    assert "frame-ancestors 'self'" in policy


@on_linux
def test_streamlit_run_listens_on_this_machine_only():
    url = f"http://127.0.0.1:{free_port()}"
    options = [f"--server.port={urlsplit(url).port}", "--server.headless=true"]
    lms = "https://lms.example.edu"
    with running(["streamlit", "run", app_dir() / "app.py", *options], NESTVIZ_EMBED_IN=lms):
        assert read(f"{url}/_stcore/health") == (200, "ok")
        assert listening(url) == THIS_MACHINE
        found = headers_of(url)
    assert found["X-Content-Type-Options"] == "nosniff"
    assert found["Content-Security-Policy"].endswith(f"frame-ancestors 'self' {lms}")
    assert found["X-Frame-Options"] is None


def test_a_port_in_use_is_said(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert launch(port=port, headless=True) == 1
    assert capsys.readouterr().err.startswith(f"Port {port} of 127.0.0.1 is in use.")
