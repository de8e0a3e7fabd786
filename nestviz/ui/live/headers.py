"""Headers that limit what a page of the app may load, run and be framed by."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Iterable
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import file_util

EMBED_VARIABLE = "NESTVIZ_EMBED_IN"
"""Environment variable with the origins of sites that may show the app in a frame."""

_ORIGIN = re.compile(r"https?://(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")
_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_STARTS = ("http.response.start", "websocket.http.response.start")

FIXED = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), "
    "midi=(), payment=(), serial=(), usb=()",
}
"""What every answer carries, whatever the frame rules are."""


def read_origin(text: str) -> str:
    """Return an origin in lower case.

    Parameters
    ----------
    text : str
        For instance ``https://lms.example.edu``.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If the text is not an origin: scheme, host and at most a port.
    """
    origin = text.lower()
    port = origin.rpartition(":")[2]
    if len(origin) > 300 or not _ORIGIN.fullmatch(origin) or (port.isdigit() and int(port) > 65535):
        raise ValueError(
            f"{text[:80]!r} is not the origin of a site. Write it without a path, as in "
            f"https://lms.example.edu"
        )
    return origin


def origins_of_environment() -> tuple[str, ...]:
    """Return the origins in ``NESTVIZ_EMBED_IN``, which are separated by spaces.

    Returns
    -------
    tuple of str

    Raises
    ------
    ValueError
        If one of them is not an origin.
    """
    return tuple(read_origin(text) for text in os.environ.get(EMBED_VARIABLE, "").split())


class SafeHeaders:
    """ASGI middleware that adds the headers to every HTTP answer.

    Parameters
    ----------
    app : ASGIApp
        What answers.
    embed_in : iterable of str
        Origins of the sites that may show the app in a frame, besides its own.
    """

    def __init__(self, app: ASGIApp, embed_in: Iterable[str] = ()) -> None:
        self._app = app
        origins = [read_origin(origin) for origin in embed_in]
        ancestors = " ".join(["frame-ancestors", "'self'", *origins])
        # The older header cannot name other sites; where both are there, the policy counts.
        frames = {} if origins else {"X-Frame-Options": "SAMEORIGIN"}
        self._page = FIXED | frames | {"Content-Security-Policy": f"{_page_policy()}; {ancestors}"}
        self._file = self._page | {"Content-Security-Policy": f"{_FILE_POLICY}; {ancestors}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        # What users made, such as an exported page, is a file: none of its scripts may run here.
        added = self._file if "/media/" in scope.get("path", "") else self._page

        async def send_with_headers(message: Message) -> None:
            if message["type"] in _STARTS:
                MutableHeaders(raw=message.setdefault("headers", [])).update(added)
            await send(message)

        await self._app(scope, receive, send_with_headers)


_FILE_POLICY = "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; sandbox"


def _page_policy() -> str:
    """Return what Streamlit's pages need, and nothing from other hosts."""
    return "; ".join(
        [
            "default-src 'self'",
            # Streamlit imports components from a blob; Plotly compiles its functions for WebGL.
            f"script-src 'self' blob: 'unsafe-eval' {' '.join(_inline_scripts())}".rstrip(),
            "style-src 'self' 'unsafe-inline'",  # written by Streamlit's and Plotly's scripts
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "worker-src 'self' blob:",
            "frame-src 'none'",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
        ]
    )


def _inline_scripts() -> list[str]:
    """Return the hashes of the scripts inside Streamlit's own page."""
    page = Path(file_util.get_static_dir(), "index.html").read_text(encoding="utf-8")
    scripts = _INLINE_SCRIPT.findall(page)
    return [f"'sha256-{_digest(script)}'" for script in scripts]


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
