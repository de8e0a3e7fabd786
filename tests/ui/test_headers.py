"""The headers of every answer."""

import re

import pytest
from event_loops import run_in_loop
from live_client import Call
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from nestviz.cli import main
from nestviz.ui.live import headers
from nestviz.ui.live.headers import SafeHeaders, origins_of_environment, read_origin

LMS = "https://lms.example.edu"


def fail(request):
    raise ZeroDivisionError


async def answer(request):
    return PlainTextResponse("here", headers={"X-Frame-Options": "ALLOWALL"})


APP = Starlette(
    routes=[Route("/fail", fail), Route("/{path:path}", answer, methods=["GET", "POST"])]
)


def sent(path="/", method="GET", **options):
    """Return the status and the headers of an answer."""

    async def run():
        call = Call(SafeHeaders(APP, **options), b"", path, {"host": "here"}, method)
        try:
            status, found, _ = await call.done
        except ZeroDivisionError:  # after its answer
            start = call.sent[0]
            status = start["status"]
            found = {name.decode(): value.decode() for name, value in start["headers"]}
        return status, found

    return run_in_loop(run())


def policy(found):
    """Return the directives of a policy with their sources."""
    parts = [part.split() for part in found["content-security-policy"].split(";")]
    return {name: sources for name, *sources in parts}


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [("/", "GET", 200), ("/outliers", "GET", 200), ("/fail", "GET", 500),
     ("/nestviz/live", "POST", 200), ("/", "DELETE", 405)],
)  # fmt: skip
def test_every_answer_carries_them(path, method, status):
    found_status, found = sent(path, method)
    assert found_status == status
    assert found["x-content-type-options"] == "nosniff"
    assert found["referrer-policy"] == "same-origin"
    assert found["x-frame-options"] == "SAMEORIGIN"
    assert "camera=()" in found["permissions-policy"]
    rules = policy(found)
    assert rules["default-src"] == ["'self'"]
    assert rules["object-src"] == rules["frame-src"] == ["'none'"]
    assert rules["base-uri"] == rules["form-action"] == rules["frame-ancestors"] == ["'self'"]
    assert "'unsafe-inline'" not in rules["script-src"]


def test_nothing_may_come_from_other_hosts():
    known = re.compile(r"'(self|none|unsafe-inline|unsafe-eval|sha256-[\w+/]+=*)'|blob:|data:")
    for sources in policy(sent()[1]).values():
        assert all(known.fullmatch(source) for source in sources)


@pytest.mark.parametrize("path", ["/media/abc.html", "/some/base/media/abc.svg"])
def test_files_of_users_run_no_scripts(path):
    rules = policy(sent(path)[1])
    assert rules["default-src"] == ["'none'"]
    assert rules["sandbox"] == []
    assert "script-src" not in rules


def test_a_site_may_be_allowed_to_frame_the_app():
    found = sent(embed_in=[LMS, "http://localhost:8080"])[1]
    assert policy(found)["frame-ancestors"] == ["'self'", LMS, "http://localhost:8080"]
    assert policy(sent("/media/x", embed_in=[LMS])[1])["frame-ancestors"] == ["'self'", LMS]


def test_a_refused_websocket_carries_them():
    async def refuse(scope, receive, send):
        await send({"type": "websocket.http.response.start", "status": 403, "headers": []})

    async def run():
        told = []

        async def send(message):
            told.append(message)

        await SafeHeaders(refuse)({"type": "websocket", "path": "/_stcore/stream"}, None, send)
        return dict(told[0]["headers"])

    assert run_in_loop(run())[b"x-content-type-options"] == b"nosniff"


@pytest.mark.parametrize(
    "text", [LMS, "http://127.0.0.1:8501", "https://[::1]:8443", "https://LMS.example.edu"]
)
def test_origins(text):
    assert read_origin(text) == text.lower()


@pytest.mark.parametrize(
    "text",
    ["", "*", "lms.example.edu", "https://", "https://lms.example.edu/", "https://lms.example.edu/x",
     "https://a b", "https://a;script-src *", "https://a\r\nX: y", "https://a\n", "javascript:1",
     "https://a:99999", "https://a:", "https://*.example.edu", "https://a'", "https://ä.de",
     "https://user@a", "data:", "https://" + "a" * 1000],
)  # fmt: skip
def test_what_is_not_an_origin_is_refused(text, capsys, monkeypatch):
    with pytest.raises(ValueError, match="is not the origin of a site") as refused:
        read_origin(text)
    assert len(str(refused.value)) < 300
    with pytest.raises(ValueError, match="is not the origin"):
        SafeHeaders(APP, embed_in=[text])
    assert main(["app", "--embed-in", text]) == 2
    assert "is not the origin of a site" in capsys.readouterr().err
    if text.strip():
        monkeypatch.setenv(headers.EMBED_VARIABLE, f"{LMS} {text!r}")
        assert main(["app"]) == 2


def test_origins_of_the_environment(monkeypatch):
    monkeypatch.setenv(headers.EMBED_VARIABLE, f"{LMS}  http://localhost:1 ")
    assert origins_of_environment() == (LMS, "http://localhost:1")
