"""Many simulated browsers at once, and the times that they saw."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal

from nestviz.ui.load.visitor import Visitor

Kind = Literal["open", "cached", "uncached", "live"]
KINDS: tuple[Kind, ...] = ("open", "cached", "uncached", "live")
CACHED = tuple(round(0.2 + 0.05 * k, 2) for k in range(8))
"""Widths that somebody has seen before, as shares of the median distance."""
_NEW = 0.15, 0.9


@dataclass(frozen=True)
class Plan:
    """What each of the visitors does.

    Parameters
    ----------
    sessions : int
        Number of visitors at once.
    seconds : float
        Time for which they act.
    think : float
        Mean seconds between the end of an action and the next one; exponential.
    uncached : float
        Share of the actions with settings that nobody has seen.
    live : float
        Share of the actions that ask the route of the player.
    burst : int
        If not 0: so many actions, each begun by all visitors at the same moment.
    seed : int
        Seed of choices and pauses.
    """

    sessions: int
    seconds: float = 30.0
    think: float = 5.0
    uncached: float = 0.2
    live: float = 0.1
    burst: int = 0
    seed: int = 0


@dataclass
class Times:
    """Seconds of all actions by their kind, and what went wrong."""

    seconds: dict[Kind, list[float]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    errors: list[str] = field(default_factory=list)

    async def take(self, kind: Kind, action: Awaitable[float]) -> None:
        """Wait for an action, and keep its time or its error."""
        try:
            self.seconds[kind].append(await action)
        except Exception as error:  # whatever a browser would see as a failure
            self.errors.append(f"{kind}: {type(error).__name__}: {str(error)[:200]}")

    def at(self, kind: Kind, share: float) -> float:
        """Return a quantile of the times of a kind; NaN without any."""
        found = sorted(self.seconds[kind])
        return found[min(len(found) - 1, int(share * len(found)))] if found else float("nan")


async def prepare(url: str) -> None:
    """Let one visitor see all cached settings."""
    visitor = Visitor(url)
    await visitor.open()
    for width in CACHED:
        await visitor.turn(width=width)
    await visitor.close()


async def visit(url: str, plan: Plan) -> Times:
    """Let all visitors of a plan act, and return what they saw."""
    times = Times()
    choices = random.Random(plan.seed)
    visitors = [Visitor(url) for _ in range(plan.sessions)]
    chances = [random.Random(choices.random()) for _ in visitors]
    # They come over a moment, as when a lecturer shows the address.
    pause = 0.0 if plan.burst else min(0.1, 5.0 / plan.sessions)
    await asyncio.gather(*(_come(visitor, k * pause, times) for k, visitor in enumerate(visitors)))
    if plan.burst:
        for _ in range(plan.burst):
            pairs = zip(visitors, chances, strict=True)
            await asyncio.gather(*(_act(visitor, chance, plan, times) for visitor, chance in pairs))
    else:
        end = time.perf_counter() + plan.seconds
        pairs = zip(visitors, chances, strict=True)
        await asyncio.gather(
            *(_stay(visitor, chance, plan, end, times) for visitor, chance in pairs)
        )
    await asyncio.gather(*(visitor.close() for visitor in visitors))
    return times


async def come_and_go(
    url: str, visits: int, at_once: int, seen: Callable[[int], None], own_points: int = 400
) -> Times:
    """Open sessions that bring own data, act once and close; ``seen`` is called after each.

    Parameters
    ----------
    url : str
        Address of the server.
    visits : int
        Number of sessions.
    at_once : int
        How many are open at the same time.
    seen : callable
        Called with the number of sessions that have closed.
    own_points : int
        Number of points of each session's own data.
    """
    times, left = Times(), iter(range(visits))
    closed = 0

    async def one_after_another() -> None:
        nonlocal closed
        for number in left:
            visitor = Visitor(url)
            chance = random.Random(number)
            points = [(chance.gauss(0, 1), chance.gauss(0, 1)) for _ in range(own_points)]
            await times.take("open", visitor.open())
            await times.take("uncached", visitor.edit(points))
            await visitor.close()
            closed += 1
            seen(closed)

    await asyncio.gather(*(one_after_another() for _ in range(at_once)))
    return times


async def _come(visitor: Visitor, delay: float, times: Times) -> None:
    await asyncio.sleep(delay)
    await times.take("open", visitor.open())


async def _stay(
    visitor: Visitor, chance: random.Random, plan: Plan, end: float, times: Times
) -> None:
    while time.perf_counter() + (pause := chance.expovariate(1.0 / plan.think)) < end:
        await asyncio.sleep(pause)
        await _act(visitor, chance, plan, times)


async def _act(visitor: Visitor, chance: random.Random, plan: Plan, times: Times) -> None:
    new, drawn = chance.uniform(*_NEW), chance.random()
    if drawn < plan.live:
        await times.take("live", visitor.ask(width=new))
    elif drawn < plan.live + plan.uncached:
        await times.take("uncached", visitor.turn(width=new))
    else:
        await times.take("cached", visitor.turn(width=chance.choice(CACHED)))
