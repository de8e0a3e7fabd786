"""``streamlit run app.py``: this machine only, the same headers, and no data of closed sessions."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from event_loops import run_in_loop
from starlette.formparsers import MultiPartParser
from starlette.requests import Request
from streamlit.runtime import memory_uploaded_file_manager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from nestviz.ui.live import uploads

DRIVER = Path(__file__).with_name("plain_server.py")
THIS_MACHINE = "0100007F"


@pytest.mark.skipif(sys.platform != "linux", reason="needs the system's table of sockets")
def test_what_streamlit_run_serves():
    done = subprocess.run(
        [sys.executable, str(DRIVER)],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith('{"headers"')]
    assert lines, done.stderr
    seen = json.loads(lines[0])
    assert seen["listening"] == [THIS_MACHINE]
    assert seen["open"] >= 1
    assert seen["uploads"] == "BoundedUploads"
    for path, found in seen["headers"].items():
        assert found["x-content-type-options"] == "nosniff", path
        assert found["referrer-policy"] == "same-origin", path
        assert found["x-frame-options"] == "SAMEORIGIN", path
        policy = found["content-security-policy"]
        assert "frame-ancestors 'self'" in policy, path
        assert "unsafe-inline" not in policy.partition("script-src")[2].partition(";")[0], path


def uploaded(size):
    """Return what a request with a file of this size gives to the app."""
    edge, head = b"edge", b'Content-Disposition: form-data; name="f"; filename="x.csv"'
    body = b"--%s\r\n%s\r\n\r\n%s\r\n--%s--\r\n" % (edge, head, b"1" * size, edge)
    kind = (b"content-type", b"multipart/form-data; boundary=edge")
    scope = {"type": "http", "method": "PUT", "headers": [kind]}

    async def read():
        async def receive():
            return {"type": "http.request", "body": body, "more_body": False}

        async with Request(scope, receive).form() as form:
            return await form["f"].read()

    return run_in_loop(read())


@pytest.fixture
def installed(monkeypatch):
    """The bounds on uploads, taken back afterwards."""
    kind = memory_uploaded_file_manager.MemoryUploadedFileManager
    monkeypatch.setattr(memory_uploaded_file_manager, "MemoryUploadedFileManager", kind)
    monkeypatch.setattr(MultiPartParser, "spool_max_size", MultiPartParser.spool_max_size)
    uploads.install()


@pytest.mark.usefixtures("installed")
def test_uploads_are_not_written_to_disk(monkeypatch):
    def refuse(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    assert len(uploaded(50_000_000)) == 50_000_000


def test_the_files_of_a_session_have_bounded_bytes(monkeypatch):
    monkeypatch.setattr(uploads, "MOST_BYTES", 100)
    kept = uploads.BoundedUploads("/upload")

    def add(session, name, size):
        kept.add_file(session, UploadedFileRec(name, f"{name}.csv", "text/csv", b"1" * size))
        return [file.file_id for file in kept.get_files(session, list("abcdefg"))]

    assert add("other", "a", 90) == ["a"]
    assert add("mine", "a", 40) == ["a"]
    assert add("mine", "b", 60) == ["a", "b"]
    assert add("mine", "c", 1) == ["b", "c"]
    assert add("mine", "d", 99) == ["c", "d"]
    assert add("mine", "e", 500) == ["e"]  # Streamlit refuses larger ones before
    assert add("mine", "f", 0) == ["f"]
    assert [file.file_id for file in kept.get_files("other", ["a"])] == ["a"]
