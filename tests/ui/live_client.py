"""Requests to the route of the player, without a network."""

import asyncio
import json

from event_loops import run_in_loop
from starlette.applications import Starlette

from nestviz.ui.live.registry import Registry
from nestviz.ui.live.route import Answers

HEADERS = {"host": "here:8501", "origin": "http://here:8501"}


class Call:
    """A request under way: ``await call.done`` for its status, headers and body."""

    def __init__(self, app, body, path, headers, method):
        self.messages = asyncio.Queue()
        self.sent = []
        for start in range(0, max(len(body), 1), 65536):
            part = {"type": "http.request", "body": body[start : start + 65536], "more_body": True}
            self.messages.put_nowait(part)
        self.messages.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        self.done = asyncio.ensure_future(self._run(app, scope))

    async def _run(self, app, scope):
        async def send(message):
            self.sent.append(message)

        await app(scope, self.messages.get, send)
        start, *rest = self.sent
        headers = {name.decode(): value.decode() for name, value in start["headers"]}
        return start["status"], headers, b"".join(part.get("body", b"") for part in rest)

    def close(self):
        """Close it, as a browser does that no longer needs the answer."""
        self.messages.put_nowait({"type": "http.disconnect"})


class Server:
    """The route with a registry of its own."""

    def __init__(self, threads=2, clock=lambda: 0.0):
        self.registry = Registry(clock)
        self.answers = Answers(self.registry, threads)
        self.app = Starlette(routes=[self.answers.route])

    def post(self, question, *, path="/nestviz/live", headers=HEADERS, method="POST"):
        """Start a request; a question that is no bytes is sent as JSON."""
        body = question if isinstance(question, bytes) else json.dumps(question).encode()
        return Call(self.app, body, path, headers, method)

    def ask(self, question, **options):
        """Return the status, headers and body of one request."""

        async def run():
            return await self.post(question, **options).done

        return run_in_loop(run())


def asking(token="ticket", player="one_class", knobs=None, **more):
    return {"token": token, "player": player, "knobs": knobs or {}, **more}
