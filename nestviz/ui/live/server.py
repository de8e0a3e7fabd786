"""The app's server: Streamlit's, with safe headers and the route of the player."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st
import uvicorn
from starlette.middleware import Middleware
from streamlit import cli_util, config
from streamlit.web import bootstrap, cli
from streamlit.web.server import server_util

from nestviz.ui.live import disconnected, uploads
from nestviz.ui.live.headers import SafeHeaders, origins_of_environment
from nestviz.ui.live.registry import REGISTRY
from nestviz.ui.live.route import URL, Answers
from nestviz.ui.results import admission

_log = logging.getLogger("nestviz")
SWEEP_SECONDS = 4.0
PING_SECONDS = 30


def serve(
    script: Path, listening: socket.socket, *, headless: bool, embed_in: Sequence[str] = ()
) -> None:
    """Serve a Streamlit script until Ctrl+C or the system's request to end.

    Parameters
    ----------
    script : Path
        The entry point; the settings are in ``.streamlit`` beside it.
    listening : socket.socket
        A bound socket.
    headless : bool
        Whether to leave the browser closed.
    embed_in : sequence of str
        Origins of the sites that may show the app in a frame.
    """
    address, port = listening.getsockname()[:2]
    admission.share_the_interpreter()
    disconnected.install()
    uploads.install()
    answers = Answers(REGISTRY, admission.SOLVES)
    app = st.App(
        script,
        routes=[answers.route],
        lifespan=_lifespan(lambda: None if headless else _open_browser(address)),
    )
    _load_settings(script, address, port, headless)  # after the app, which says where they are
    _leave_quietly()
    try:
        _Server(_server_settings(SafeHeaders(app, embed_in)), answers).run(sockets=[listening])
    except KeyboardInterrupt:
        return


def plain_options() -> dict[str, Any]:
    """Return what ``streamlit run app.py`` needs for its app: headers, and an end of its sessions.

    It has no route for the player.

    Returns
    -------
    dict
        Arguments of ``st.App``.
    """
    admission.share_the_interpreter()
    disconnected.install()
    uploads.install()
    headers = Middleware(SafeHeaders, embed_in=origins_of_environment())
    return {"lifespan": _sweeping, "middleware": [headers]}


class _Server(uvicorn.Server):
    """A server that ends without waiting for the answers under way."""

    def __init__(self, settings: uvicorn.Config, answers: Answers) -> None:
        super().__init__(settings)
        self._answers = answers

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._answers.stop()
        await super().shutdown(sockets)


def _load_settings(script: Path, address: str, port: int, headless: bool) -> None:
    """Read settings as ``streamlit run`` does: from files, then the environment, then ours."""
    ours = [
        f"--server.address={address}",
        f"--server.port={port}",
        f"--server.headless={'true' if headless else 'false'}",
        "--logger.hideWelcomeMessage=true",
    ]
    # Only this command reads the variables STREAMLIT_….
    read = cli.main_run.make_context("run", [*ours, str(script)]).params
    bootstrap.load_config_options(
        {name: value for name, value in read.items() if name not in ("target", "args")}
    )


def _server_settings(app: SafeHeaders) -> uvicorn.Config:
    """Return what ``streamlit run`` makes of its settings."""
    ping = st.get_option("server.websocketPingInterval") or PING_SECONDS
    return uvicorn.Config(
        app,
        ssl_certfile=st.get_option("server.sslCertFile"),
        ssl_keyfile=st.get_option("server.sslKeyFile"),
        ws="websockets-sansio",
        ws_max_size=int(st.get_option("server.maxMessageSize")) * 10**6,
        ws_ping_interval=ping,
        ws_ping_timeout=ping,
        ws_per_message_deflate=st.get_option("server.enableWebsocketCompression"),
        access_log=False,
        use_colors=False,
    )


def _lifespan(
    started: Callable[[], None],
) -> Callable[[st.App], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: st.App) -> AsyncIterator[None]:
        REGISTRY.url = URL
        asyncio.get_running_loop().call_soon(started)
        try:
            async with _sweeping(app):
                yield
        finally:
            REGISTRY.url = None

    return lifespan


@asynccontextmanager
async def _sweeping(app: st.App) -> AsyncIterator[None]:
    """Release the data of closed sessions while the app is served."""
    task = asyncio.create_task(_sweep())
    try:
        yield
    finally:
        task.cancel()


async def _sweep() -> None:
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        try:
            REGISTRY.sweep()
            disconnected.sweep()
        except Exception:  # the next look may be better; without any, no data would be released
            _log.exception("sweep")


def _leave_quietly() -> None:
    """Let the server end without notices, and with status 0 when the system asks for it.

    After its orderly end the server sends itself the signal again, whose default action would end
    this process before its worker processes are stopped.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    logging.getLogger("uvicorn.error").addFilter(lambda line: line.levelno >= logging.WARNING)


def _open_browser(address: str) -> None:
    if config.is_manually_set("browser.serverAddress"):
        host = str(st.get_option("browser.serverAddress"))
    else:
        host = server_util.get_display_address(address)
    cli_util.open_browser(server_util.get_url(f"[{host}]" if ":" in host else host))
