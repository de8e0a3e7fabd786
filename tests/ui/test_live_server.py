"""The app as `nestviz app` starts it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from nestviz.ui.launch import launch

LONG = 300.0
HERE = Path(__file__).resolve().parents[2]


@pytest.fixture
def served(base):
    """A running app: its address and process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    app = subprocess.Popen(
        [sys.executable, "-m", "nestviz", "app", "--port", str(port), "--headless"],
        cwd=HERE,
        env=os.environ | {"STREAMLIT_SERVER_BASE_URL_PATH": base},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert app.stdout.readline().rstrip().endswith(f"127.0.0.1:{port} (Ctrl+C stops it)")
        yield f"http://127.0.0.1:{port}{base}", app
    finally:
        app.kill()
        app.communicate()


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


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize(("base", "name"), [("", "SIGINT"), ("/some/base", "SIGTERM")])
def test_the_app_is_served_with_the_route_and_ends_quietly(served, name):
    url, app = served
    assert read(f"{url}/_stcore/health") == (200, "ok")
    status, page = read(f"{url}/outliers")
    assert status == 200
    assert "<title>Streamlit</title>" in page
    question = json.dumps({"token": "wrong", "player": "one_class", "knobs": {}}).encode()
    assert read(f"{url}/nestviz/live", question) == (
        404,
        "This picture is no longer connected to its session. Reload the page to go on.",
    )
    app.send_signal(getattr(signal, name))
    assert app.wait(LONG) == 0
    assert app.stdout.read() == ""


def test_a_port_in_use_is_said(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert launch(port=port, headless=True) == 1
    assert capsys.readouterr().err.startswith(f"Port {port} of 127.0.0.1 is in use.")
