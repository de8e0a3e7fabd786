"""The route that answers the player's questions."""

from __future__ import annotations

import asyncio
import logging
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from nestviz.data import DataError
from nestviz.ui.live.question import (
    MAX_BYTES,
    TOO_LARGE,
    Asked,
    Build,
    LiveQuestion,
    RefusalError,
    Remembers,
    read_question,
)
from nestviz.ui.live.registry import LiveSession, Registry
from nestviz.ui.live.turns import take
from nestviz.ui.results.turns import Turns

URL = "nestviz/live"
"""Relative to the app's own address."""

FORBIDDEN, UNPROCESSABLE, CLOSED, FAULT = 403, 422, 499, 500
_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
# Coefficients hardly shrink, and compressing them takes longer than solving.
_UNCOMPRESSED = {"Content-Encoding": "identity"}

_log = logging.getLogger("nestviz")


class Answers:
    """Answers the questions of all sessions.

    Parameters
    ----------
    registry : Registry
        The sessions that can be asked.
    turns : Turns or int
        The turns at solving, which pages share; or the largest number of answers computed at once.
    """

    def __init__(self, registry: Registry, turns: Turns | int) -> None:
        self._registry = registry
        self._turns = Turns(turns) if isinstance(turns, int) else turns
        self._pool = ThreadPoolExecutor(self._turns.count, thread_name_prefix="live")
        self._open: set[threading.Event] = set()

    @property
    def route(self) -> Route:
        """The route of the questions; it matches below any base path."""
        return Route("/{base:path}" + URL, self.answer, methods=["POST"])

    def stop(self) -> None:
        """Stop the builds under way."""
        for stopped in self._open:
            stopped.set()

    async def answer(self, request: Request) -> Response:
        """Answer a request: the bytes of a build, or a sentence."""
        try:
            _check_origin(request)
            asked = read_question(await _body(request))
            session, build = self._registry.find(asked.token, asked.player)
            with session.question():
                content = await self._content(request, session, build, asked)
        except RefusalError as refusal:
            return PlainTextResponse(refusal.sentence, refusal.status, _HEADERS)
        return Response(
            content, headers=_HEADERS | _UNCOMPRESSED, media_type="application/octet-stream"
        )

    async def _content(
        self, request: Request, session: LiveSession, build: Build, asked: Asked
    ) -> bytes:
        """Return the answer; stop computing it when the request is closed."""
        stopped = threading.Event()
        self._open.add(stopped)
        question = asked.question(stopped.is_set)
        closed = asyncio.create_task(_closed(request))
        work = asyncio.create_task(self._in_turn(session, build, question))
        try:
            await asyncio.wait((closed, work), return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                return work.result()
            raise RefusalError(CLOSED, "The question was withdrawn.")
        finally:
            stopped.set()
            self._open.remove(stopped)
            closed.cancel()
            work.cancel()

    async def _in_turn(self, session: LiveSession, build: Build, question: LiveQuestion) -> bytes:
        # What is cached does not wait for solves.
        known = build.known(question) if isinstance(build, Remembers) else None
        if known is not None:
            return known
        ticket = await take(self._turns, session)
        loop = asyncio.get_running_loop()
        made = loop.run_in_executor(self._pool, _outcome, build, question)
        # A build that is no longer needed keeps its turn until it ends.
        made.add_done_callback(lambda _: ticket.leave())
        outcome = await asyncio.shield(made)
        if isinstance(outcome, RefusalError):
            raise outcome
        return outcome


def _outcome(build: Build, question: LiveQuestion) -> bytes | RefusalError:
    """Call a build; errors are returned, since nobody may wait for them."""
    try:
        return build(question)
    except DataError as error:
        return RefusalError(UNPROCESSABLE, str(error))
    except Exception:
        number = uuid.uuid4().hex[:8]
        _log.exception("fault %s", number)
        return RefusalError(
            FAULT,
            f"An unexpected error occurred (fault {number}). Details are in the server's log.",
        )


def _check_origin(request: Request) -> None:
    """Refuse the scripts of other sites; programs that are not browsers send no origin."""
    origin = request.headers.get("origin")
    if origin is not None and origin.partition("://")[2] != request.headers.get("host"):
        raise RefusalError(FORBIDDEN, "Only the pages of this server may ask.")


async def _body(request: Request) -> bytes:
    """Return the body; stop reading where it is too large."""
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_BYTES:
                raise RefusalError(
                    TOO_LARGE, f"The question is larger than {MAX_BYTES // 1024} kB."
                )
    except ClientDisconnect as error:
        raise RefusalError(CLOSED, "The question was withdrawn.") from error
    return bytes(body)


async def _closed(request: Request) -> None:
    """Wait until the browser has closed the request."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
