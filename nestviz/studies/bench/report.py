"""What `nestviz bench` measures: rows, targets, the printed table and the kept file."""

from __future__ import annotations

import json
import math
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from nestviz.studies.surroundings import version_of

PACKAGES = (
    "nestviz", "numpy", "scipy", "scikit-learn", "numba", "qpsolvers", "piqp", "clarabel", "osqp",
)  # fmt: skip
LEGEND = (
    "Shortest of several runs, one core for each side. Times: the peer's seconds over ours.\n"
    "Gap: between primal and dual objective, relative; for a path, its largest KKT residual.\n"
    "Apart: how far the results differ. − and ± after a set: the classes used."
)


@dataclass(frozen=True)
class Target:
    """A limit to reach, in words and as a number."""

    text: str
    least: float = float("-inf")
    most: float = float("inf")

    def is_met(self, value: float) -> bool:
        """Return whether a measured value is within the limit."""
        return self.least <= value <= self.most


def faster(times: float) -> Target:
    """Require at least so many times the peer's speed."""
    return Target(f"≥ {times:,g}×", least=times)


def slower_by_at_most(times: float) -> Target:
    """Require at most so many times the peer's seconds."""
    return Target(f"≥ 1/{times:g}×", least=1.0 / times)


def at_most(value: float, unit: str = "") -> Target:
    """Require a value up to a limit."""
    return Target(f"≤ {value:g} {unit}".rstrip(), most=value)


@dataclass(frozen=True)
class Row:
    """One measurement: what, on which data, against which peer, and the shortest times of both.

    Gaps are relative, between primal and dual objective. ``difference`` is how far the two results
    are apart. ``value`` and ``unit`` show what is not a ratio: gigabytes, an exponent, seconds
    more. ``target`` is the limit of ``value``, or of the ratio without one.
    """

    group: str
    what: str
    size: str
    peer: str
    ours_seconds: float
    peer_seconds: float | None = None
    our_gap: float | None = None
    peer_gap: float | None = None
    difference: float | None = None
    value: float | None = None
    unit: str = ""
    target: Target | None = None
    note: str = ""

    @property
    def times_faster(self) -> float | None:
        """Return how many times longer the peer takes."""
        return None if self.peer_seconds is None else self.peer_seconds / self.ours_seconds

    @property
    def met(self) -> bool | None:
        """Return whether the target is met; None without a target or a measurement."""
        measured = self.times_faster if self.value is None else self.value
        if self.target is None or measured is None:
            return None
        return self.target.is_met(measured)

    def plain(self) -> dict[str, object]:
        """Return numbers and words only, for a JSON file."""
        kept = {**asdict(self), "times_faster": self.times_faster, "met": self.met}
        kept["target"] = None if self.target is None else self.target.text
        # JSON has no infinity: such a gap becomes null.
        return {
            name: None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in kept.items()
        }


def header() -> str:
    """Return names of the columns."""
    return (
        f"{'what':44} {'size':42} {'ours':>9} {'peer':>9} {'times':>10} {'target':>9} {'met':>4} "
        f"{'our gap':>8} {'its gap':>8} {'apart':>8}  peer"
    )


def line(row: Row) -> str:
    """Return one row of the table."""
    met = "" if row.met is None else ("yes" if row.met else "no")
    target = "" if row.target is None else row.target.text
    return (
        f"{row.what:44} {row.size:42} {seconds(row.ours_seconds):>9} "
        f"{'' if row.peer_seconds is None else seconds(row.peer_seconds):>9} {_result(row):>10} "
        f"{target:>9} {met:>4} {_small(row.our_gap):>8} {_small(row.peer_gap):>8} "
        f"{_small(row.difference):>8}  {row.peer}{f' ({row.note})' if row.note else ''}"
    )


def summary(rows: Sequence[Row]) -> str:
    """Return how many targets were met, and which were not."""
    judged = [row for row in rows if row.met is not None]
    missed = [row for row in judged if not row.met]
    lines = [f"{len(judged) - len(missed)} of {len(judged)} targets met.", *map(_miss, missed)]
    return "\n".join([LEGEND, *lines])


def write(rows: Sequence[Row], file: Path) -> None:
    """Keep the rows, with what they were measured on."""
    kept = {"machine": machine(), "rows": [row.plain() for row in rows]}
    file.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def machine() -> dict[str, object]:
    """Return versions, cores, and how busy the machine was."""
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "load_average": os.getloadavg() if hasattr(os, "getloadavg") else None,
        **{name: version_of(name) for name in PACKAGES},
    }


def seconds(value: float) -> str:
    """Return a duration with the unit that suits it."""
    if value < 1:
        return f"{value * 1e3:.2f} ms"
    return f"{value:.2f} s" if value < 100 else f"{value:.0f} s"


def _miss(row: Row) -> str:
    target = "" if row.target is None else row.target.text
    return f"  missed: {row.what}, {row.size}: {_result(row)}, target {target}, peer {row.peer}"


def _result(row: Row) -> str:
    if row.value is not None:
        return f"{row.value:.2f} {row.unit}".rstrip()
    times = row.times_faster
    if times is None:
        return ""
    return f"{times:,.0f}×" if times >= 100 else f"{times:.3g}×"


def _small(value: float | None) -> str:
    return "" if value is None else f"{value:.0e}"
