"""Benchmark rows: how soon pictures follow the hand, measured in a real Chromium.

The app runs as its own server. The browser records when a key or a button went down, and the
animation frame in which a picture changed.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nestviz.studies.bench.browser_session import AppServer, browser_page, why_no_browser
from nestviz.studies.bench.browser_visit import Seen, Visit
from nestviz.studies.bench.report import Row, Target, at_most

GROUP = "interaction"
SMALL, LARGE = "data=banana", "data=bench-banana&most=2000"
SIZE, LARGE_SIZE = "400 points", "2,000 points"
PICTURE, WORST = at_most(120, "ms"), at_most(200, "ms")
FRAMES = Target("≥ 58 fps", least=58)
"""60, less a frame that falls between two counts."""
LARGE_FRAMES = Target("≥ 30 fps", least=30)
OTHER_PAGES = {
    "two-classes": 200, "compare": 250, "solution-path": 300, "cluster-tree": 150, "outliers": 150,
}  # fmt: skip
"""Pages with a width to change, and the milliseconds until a new picture that are aimed at."""
FAST_KEYS = 8
KEY_PERIOD = 30.0
"""Milliseconds between fast keys, about as while a key is held."""


@dataclass(frozen=True)
class Plan:
    """How often everything is done."""

    changes: int
    others: int
    seconds: float  # Of dragging and playing
    rounds: int  # Of fast keys


QUICK, FULL = Plan(3, 1, 1.0, 1), Plan(30, 8, 4.0, 6)


def rows(quick: bool) -> Iterator[Row]:
    """Yield rows of changed widths, of dragging, payload, playing and fast keys."""
    reason = why_no_browser()
    if reason:
        print(f"The group {GROUP!r} is left out: {reason}", file=sys.stderr)
        return
    plan = QUICK if quick else FULL
    if hasattr(os, "getloadavg"):
        print(f"Load average of the last minute: {os.getloadavg()[0]:.1f}.")
    with AppServer() as server, browser_page() as page:
        visit = Visit(page, server.url)
        yield _row("server answers", "new process", server.seconds * 1e3, "ms")
        yield from _first_pictures(visit)
        yield from _changes(visit, plan)
        yield from _dragging(visit, plan)
        yield from _large(visit, plan)
        for name, most in OTHER_PAGES.items():
            yield from _other(visit, name, most, plan)
        yield from _fast_keys(visit, plan)


def _row(what: str, size: str, value: float, unit: str, target: Target | None = None,
         note: str = "") -> Row:  # fmt: skip
    seconds = value / 1e3 if unit == "ms" else 1.0 / max(value, 1e-9)
    return Row(GROUP, what, size, "", seconds, value=value, unit=unit, target=target, note=note)


def _first_pictures(visit: Visit) -> Iterator[Row]:
    for name, path in (("start page", ""), ("one-class page", "one-class")):
        taken = visit.open(f"{path}?{SMALL}")
        yield _row(f"{name}, first picture", SIZE, taken, "ms")


def _changes(visit: Visit, plan: Plan) -> Iterator[Row]:
    """Yield widths never seen, by pointer and by key, then widths seen before."""
    visit.open(f"one-class?{SMALL}")
    rest = visit.press("ArrowRight").page_bytes / 1e3
    yield _row("payload at rest", SIZE, rest, "kB", at_most(600, "kB"))
    pointed = _pointed(visit, plan.changes)
    yield from times_of("new width by pointer, picture", SIZE, pointed, PICTURE, WORST)
    yield from _parts(pointed)
    visit.point(0.1)
    pressed = [visit.press("ArrowRight") for _ in range(plan.changes)]
    yield from times_of("new width by key, picture", SIZE, pressed, PICTURE, WORST)
    back = [visit.press("ArrowLeft") for _ in range(plan.changes)]
    yield from times_of("cached, picture", SIZE, back, at_most(60, "ms"))


def _pointed(visit: Visit, count: int) -> list[Seen]:
    """Point at new widths, to the left and right in turn: the handle itself would not move."""
    visit.point(0.8)  # What the page loads only once
    return [visit.point(0.26 + 0.004 * k + 0.2 * (k % 2)) for k in range(count)]


def times_of(what: str, size: str, seen: Sequence[Seen], median: Target,
           worst: Target | None = None) -> Iterator[Row]:  # fmt: skip
    """Yield the median and the 95th percentile of the times until all panels are new."""
    times = sorted(one.complete for one in seen)
    yield _row(f"{what}, median", size, statistics.median(times), "ms", median)
    late = times[min(len(times) - 1, round(0.95 * (len(times) - 1)))]
    yield _row(f"{what}, 95th percentile", size, late, "ms", worst)


def _parts(seen: Sequence[Seen]) -> Iterator[Row]:
    """Yield where the time until a picture goes."""
    firsts = [(one, one.answers[0]) for one in seen if one.answers]
    parts = {
        "until the browser asks": [answer.sent for _, answer in firsts],
        "until the answer is there": [answer.done - answer.sent for _, answer in firsts],
        "until it is drawn": [one.first - answer.done for one, answer in firsts],
    }
    for what, times in parts.items():
        if times:
            yield _row(f"  of which {what}", SIZE, statistics.median(times), "ms")


def _dragging(visit: Visit, plan: Plan) -> Iterator[Row]:
    visit.open(f"one-class?{SMALL}")
    seen = visit.drag(0.2, 0.6, plan.seconds)
    rate = len(seen.pictures) / plan.seconds
    least = Target("≥ 12 a second", least=12)
    note = f"{seen.busy / max(len(seen.pictures), 1):.0f} ms of the browser's CPU each"
    yield _row("pictures while the width is dragged", SIZE, rate, "a second", least, note)
    if seen.answers:
        size = statistics.median(answer.size for answer in seen.answers) / 1e3
        yield _row("payload while dragging", SIZE, size, "kB", at_most(200, "kB"))
    yield from _playing(visit, SIZE, plan, FRAMES)


def _playing(visit: Visit, size: str, plan: Plan, target: Target) -> Iterator[Row]:
    seen = visit.play(plan.seconds)
    gaps = seen.gaps
    note = f"longest gap {max(gaps):.0f} ms; {seen.busy / len(gaps):.1f} ms of CPU a frame"
    yield _row("playing two panels", size, 1e3 / statistics.fmean(gaps), "fps", target, note)


def _large(visit: Visit, plan: Plan) -> Iterator[Row]:
    visit.open(f"one-class?{LARGE}")
    seen = _pointed(visit, plan.others)
    first = statistics.median(one.first for one in seen)
    yield _row("new width, nested sets", LARGE_SIZE, first, "ms", at_most(400, "ms"))
    both = statistics.median(one.complete for one in seen)
    yield _row("new width, both", LARGE_SIZE, both, "ms", at_most(1200, "ms"))
    longest = max(max(one.gaps) for one in seen)
    yield _row("longest gap between frames meanwhile", LARGE_SIZE, longest, "ms")
    yield from _playing(visit, LARGE_SIZE, plan, LARGE_FRAMES)


def _other(visit: Visit, name: str, most: float, plan: Plan) -> Iterator[Row]:
    visit.open(f"{name}?{SMALL}")
    seen = _pointed(visit, plan.others)
    yield from times_of(f"{name}: new width, picture", SIZE, seen, at_most(most, "ms"))


def _fast_keys(visit: Visit, plan: Plan) -> Iterator[Row]:
    """Yield how late the last value of fast keys is shown, at worst, and the number of faults."""
    for name in ("one-class", *OTHER_PAGES):
        visit.open(f"{name}?{SMALL}")
        times = []
        for turn in range(plan.rounds):
            key = "ArrowLeft" if turn % 2 else "ArrowRight"
            times.append(visit.press(*[key] * FAST_KEYS, pause=KEY_PERIOD).complete)
        note = f"{visit.faults()} faults"
        what = f"{name}: last of {FAST_KEYS} fast keys shown"
        yield _row(what, SIZE, max(times), "ms", at_most(300, "ms"), note)
