"""A simulated browser: it speaks Streamlit's websocket protocol, without drawing anything."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

PATIENCE = 120.0
"""Seconds after which an action that has not ended counts as an error."""
PLAYER = "nestviz_player"
_EVENTS = "$$STREAMLIT_INTERNAL_KEY"
_LIVE = re.compile(
    rb'"live": \{"url": "([^"]+)", "token": "([^"]+)", "player": "([^"]+)"(?:, [^}]*)?\}'
)


class LoadError(RuntimeError):
    """An action that a user would call failed."""


class Visitor:
    """One browser tab on a page with a player.

    Parameters
    ----------
    url : str
        Address of the server, such as ``"http://127.0.0.1:8501"``.
    page : str
        Address of the page, relative to the server.
    query : str
        Parameters of the address.
    """

    def __init__(self, url: str, page: str = "one-class", query: str = "data=banana") -> None:
        self.url = url
        self.page = page
        self.query = query
        self.received = 0
        self.full = False
        """Whether the last page said that the server is full."""
        self.session = ""
        self._hash = ""
        self._states: dict[str, str] = {}
        self._player = ""
        self._live: tuple[str, str, str] | None = None
        self._faults: list[str] = []
        self._socket: Any = None

    async def open(self, session: str = "") -> float:
        """Open the page; return the seconds until its script has ended.

        Parameters
        ----------
        session : str, optional
            A session to come back to, as a browser does after a short interruption.
        """
        from websockets.asyncio.client import connect

        start = time.perf_counter()
        address = urlsplit(self.url)
        names = ["streamlit", "none", *([session] if session else [])]
        self._socket = await asyncio.wait_for(
            connect(
                f"ws://{address.netloc}/_stcore/stream",
                subprotocols=names,  # type: ignore[arg-type]
                max_size=None,
                compression=None,
                ping_interval=None,
                proxy=None,
            ),
            PATIENCE,
        )
        await self._run()
        return time.perf_counter() - start

    async def turn(self, **knobs: float) -> float:
        """Release knobs of the player at some values; return the seconds until the page is new."""
        if not self._player:
            raise LoadError("The page has no player.")
        start = time.perf_counter()
        self._states[self._player] = json.dumps({"knobs": {**knobs, "time": time.time()}})
        await self._run()
        return time.perf_counter() - start

    async def turn_again(self) -> float:
        """Run the page once more, as the button of a full server does."""
        start = time.perf_counter()
        await self._run()
        return time.perf_counter() - start

    async def edit(self, points: Sequence[tuple[float, float]]) -> float:
        """Edit the points in the picture, which makes them own data; return the seconds taken."""
        start = time.perf_counter()
        value = {"points": [list(point) for point in points], "classes": [0] * len(points)}
        await self._run(
            {f"{_EVENTS}_{self._player}__events": [{"event": "edited", "value": value}]}
        )
        return time.perf_counter() - start

    async def ask(self, **knobs: float) -> float:
        """Ask the route of the player, as while a knob moves; return the seconds taken."""
        if self._live is None:
            raise LoadError("The player has no route to ask.")
        route, token, player = self._live
        start = time.perf_counter()
        body = json.dumps({"token": token, "player": player, "knobs": knobs}).encode()
        status = await asyncio.wait_for(_post(f"{self.url}/{route}", body), PATIENCE)
        if status != 200:
            raise LoadError(f"The route of the player answered {status}.")
        return time.perf_counter() - start

    async def close(self) -> None:
        """Close the tab."""
        if self._socket is not None:
            await self._socket.close()
            self._socket = None

    async def _run(self, triggers: Mapping[str, Any] | None = None) -> None:
        """Ask for a run of the script, and read until it has ended."""
        from streamlit.proto.BackMsg_pb2 import BackMsg

        message = BackMsg()
        run = message.rerun_script
        run.query_string, run.page_script_hash = self.query, self._hash
        run.page_name = "" if self._hash else self.page
        for name, value in self._states.items():
            run.widget_states.widgets.add(id=name, json_value=value)
        for name, value in (triggers or {}).items():
            run.widget_states.widgets.add(id=name, json_trigger_value=json.dumps(value))
        self._faults, self.full = [], False
        await self._socket.send(message.SerializeToString())
        await asyncio.wait_for(self._until(self._is_finished), PATIENCE)
        if self._faults:
            raise LoadError(self._faults[0])

    async def _until(self, done: Callable[[Any], bool]) -> None:
        from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

        while True:
            raw = await self._socket.recv()
            self.received += len(raw)
            message = ForwardMsg()
            message.ParseFromString(raw)
            if done(message):
                return

    def _is_finished(self, message: Any) -> bool:
        """Take note of a message; return whether it ends the run."""
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.session = message.new_session.initialize.session_id
        elif kind == "navigation":
            self._hash = message.navigation.page_script_hash
        elif kind == "delta":
            self._take(message.delta.new_element)
        elif kind == "script_finished":
            if message.script_finished == message.FINISHED_WITH_COMPILE_ERROR:
                self._faults.append("The script could not be compiled.")
            return bool(message.script_finished != message.FINISHED_EARLY_FOR_RERUN)
        return False

    def _take(self, element: Any) -> None:
        kind = element.WhichOneof("type")
        if kind == "exception":
            self._faults.append(element.exception.message)
        elif kind == "alert" and element.alert.format == element.alert.ERROR:
            self._faults.append(element.alert.body)
        elif kind == "alert" and "server is full" in element.alert.body:
            self.full = True
        elif kind == "bidi_component" and element.bidi_component.component_name == PLAYER:
            self._player = element.bidi_component.id
            found = _LIVE.search(element.bidi_component.bytes)
            if found is not None:
                url, token, player = (part.decode() for part in found.groups())
                self._live = url, token, player


async def _post(url: str, body: bytes) -> int:
    """Return the status of a request, after reading the whole answer."""
    address = urlsplit(url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    head = (
        f"POST {address.path} HTTP/1.1\r\nHost: {address.netloc}\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    try:
        writer.write(head.encode() + body)
        await writer.drain()
        answer = await reader.read()
    finally:
        writer.close()
    return int(answer.split(b" ", 2)[1])
