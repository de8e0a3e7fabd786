"""Benchmark rows: waiting times in the app, measured in a real Chromium.

The app runs as its own server; the browser records when a key went down, when the picture changed,
and the messages in between. Server time is from the browser's message to the server's last.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from nestviz.studies.bench.browser_session import AppServer, Visit, browser_page, why_no_browser
from nestviz.studies.bench.report import Row, Target, at_most

GROUP = "interaction"
PLAYING_SECONDS = 3.0
SMALL, LARGE = "data=banana", "data=bench-banana&most=2000"
PAGES = ("one-class", "two-classes", "solution-path", "compare", "cluster-tree", "outliers")
"""Pages with a width to change."""


@dataclass(frozen=True)
class Change:
    """One key press: milliseconds to the new picture, of the server alone, and what came back."""

    picture: float
    server: float
    kilobytes: float


def rows(quick: bool) -> Iterator[Row]:
    """Yield rows of first pictures, changed parameters, payload and frames per second."""
    reason = why_no_browser()
    if reason:
        print(f"The group {GROUP!r} is left out: {reason}", file=sys.stderr)
        return
    with AppServer() as server, browser_page() as page:
        yield _row("server answers", "new process", server.seconds * 1e3, "ms", None)
        visit = Visit(page, server.url)
        yield from _first_pictures(visit)
        yield from _changes(visit, 2 if quick else 5)
        if not quick:
            yield _large(visit, 3)
            yield from _other_pages(visit)
        yield from _playing(visit, 1.0 if quick else PLAYING_SECONDS)


def _row(
    what: str, size: str, value: float, unit: str, target: Target | None, note: str = ""
) -> Row:
    seconds = value / 1e3 if unit == "ms" else 1.0 / max(value, 1e-9)
    return Row(GROUP, what, size, "", seconds, value=value, unit=unit, target=target, note=note)


def _first_pictures(visit: Visit) -> Iterator[Row]:
    for name, path in (("start page", ""), ("one-class page", "one-class")):
        taken = visit.open(f"{path}?{SMALL}")
        yield _row(f"{name}, first picture", "400 points", taken, "ms", None)


def _changes(visit: Visit, repeats: int) -> Iterator[Row]:
    """Yield a width never seen, then one seen before: medians, as one slow frame says little."""
    visit.open(f"one-class?{SMALL}")
    new = [_changed(visit, "ArrowRight") for _ in range(repeats)]
    seen = [_changed(visit, "ArrowLeft") for _ in range(repeats - 1)]
    size = "400 points, two families, 60 frames"
    yield _row("width changed, picture", size, _median(new, "picture"), "ms", at_most(300, "ms"))
    yield _row("width changed, server", size, _median(new, "server"), "ms", None)
    if seen:
        yield _row("cached, picture", size, _median(seen, "picture"), "ms", at_most(300, "ms"))
        yield _row("cached, server", size, _median(seen, "server"), "ms", at_most(100, "ms"))
    yield _row("payload", size, _median(new, "kilobytes"), "kB", at_most(2000, "kB"))


def _large(visit: Visit, repeats: int) -> Row:
    visit.open(f"one-class?{LARGE}")
    taken = [_changed(visit, "ArrowRight") for _ in range(repeats)]
    value = _median(taken, "picture")
    return _row("width changed, picture", "2,000 points", value, "ms", at_most(1000, "ms"))


def _other_pages(visit: Visit) -> Iterator[Row]:
    for page in PAGES:
        visit.open(f"{page}?{SMALL}")
        visit.press_width("ArrowRight")  # what this page loads only once
        taken = [visit.press_width("ArrowRight") for _ in range(3)]
        server = statistics.median(change["server"] for change in taken)
        note = f"{statistics.median(change['kilobytes'] for change in taken):,.0f} kB"
        yield _row(
            f"{page}: width changed, server", "400 points", server, "ms", at_most(300, "ms"), note
        )


def _playing(visit: Visit, seconds: float) -> Iterator[Row]:
    visit.open(f"one-class?{SMALL}")
    rate, gap = visit.play(seconds)
    yield _row("playing", "two panels", rate, "fps", Target("≥ 30 fps", least=30))
    yield _row("longest gap between frames", "two panels", gap, "ms", None)


def _changed(visit: Visit, key: str) -> Change:
    return Change(**visit.press_width(key, picture=True))


def _median(changes: list[Change], name: str) -> float:
    return float(statistics.median(getattr(change, name) for change in changes))
