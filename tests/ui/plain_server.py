"""The server of ``streamlit run app.py`` in a process of its own; prints what was seen as JSON."""

import asyncio
import gc
import json
import os
import signal
import socket
import sys
import threading
import time
import traceback
import urllib.error
import urllib.request
from pathlib import Path

from streamlit.runtime import Runtime
from streamlit.web import cli

from nestviz.data import Dataset
from nestviz.resources import app_dir
from nestviz.ui.live import server
from nestviz.ui.load.visitor import Visitor
from nestviz.ui.panels.live_scenes import EDITED

POINTS = [(k * 0.7 % 1, k * 0.3 % 1) for k in range(40)]
PATHS = ("/", "/theory", "/_stcore/health", "/nestviz/live", "/media/nothing.html")
LONGEST = 120.0


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def own_data():
    return sum(type(one) is Dataset and EDITED in one.provenance for one in gc.get_objects())


def until(condition):
    end = time.monotonic() + LONGEST
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.1)


def is_up():
    try:
        urllib.request.urlopen(f"{URL}/_stcore/health", timeout=5).close()
    except OSError:
        return False
    return True


def headers_of(path):
    try:
        answer = urllib.request.urlopen(URL + path, timeout=30)
    except urllib.error.HTTPError as refused:
        answer = refused
    return {name.lower(): value for name, value in answer.headers.items()}


def listening():
    """Return the addresses, in hexadecimal, at which the port is open."""
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            address, port = line.split()[1].split(":")
            if int(port, 16) == PORT and line.split()[3] == "0A":
                found.add(address)
    return sorted(found)


async def visit():
    mine = Visitor(URL)
    await mine.open()
    await mine.edit(POINTS)
    seen = own_data()
    await mine.close()
    return seen


def browse():
    try:
        until(is_up)
        seen = {"headers": {path: headers_of(path) for path in PATHS}, "listening": listening()}
        seen["uploads"] = type(Runtime.instance().uploaded_file_mgr).__name__
        seen["open"] = asyncio.run(visit())
        until(lambda: not own_data())
        print(json.dumps(seen), flush=True)
    except BaseException:
        traceback.print_exc()
    finally:
        os.kill(os.getpid(), signal.SIGTERM)


PORT = free_port()
URL = f"http://127.0.0.1:{PORT}"
server.SWEEP_SECONDS = 0.2
os.environ["STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL"] = "1"
os.environ["STREAMLIT_SERVER_HEADLESS"] = "true"
threading.Thread(target=browse, daemon=True).start()
os.chdir(app_dir())
sys.exit(cli.main(["run", str(app_dir() / "app.py"), "--server.port", str(PORT)]))
