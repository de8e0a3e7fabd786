"""``nestviz bench``: ours and the peers in one run, as ratios.

A shared machine is noisy, so nothing here is compared with a number from another day: every row
times both sides on the same data, best of several, and prints how many times faster ours is and
how far the two results are apart.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from nestviz.studies import bench_families

Work = Callable[[], object]


@dataclass(frozen=True)
class Row:
    """One measurement: seconds of ours and of a peer, and how far their results are apart."""

    group: str
    what: str
    size: str
    peer: str
    ours_seconds: float
    peer_seconds: float
    difference: float

    @property
    def times_faster(self) -> float:
        """How many times longer the peer takes."""
        return self.peer_seconds / self.ours_seconds


GROUPS: dict[str, Callable[[bool], Iterator[bench_families.Case]]] = {
    "families": bench_families.cases,
}


def run(groups: Sequence[str], *, quick: bool, json_file: Path | None) -> int:
    """Measure, print a table and optionally keep the rows; return an exit status."""
    unknown = [name for name in groups if name not in GROUPS]
    if unknown:
        known = ", ".join(GROUPS)
        print(f"There is no benchmark group {unknown[0]!r}; there is {known}.", file=sys.stderr)
        return 2
    rows = []
    print(f"{'what':44} {'size':>18} {'ours':>10} {'peer':>10} {'times':>8} {'apart':>9}  peer")
    for name in groups or GROUPS:
        for case in GROUPS[name](quick):
            rows.append(_measure(name, case, repeats=3 if quick else 7))
            print(_line(rows[-1]), flush=True)
    if json_file is not None:
        json_file.write_text(json.dumps({"machine": _machine(), "rows": _plain(rows)}, indent=1))
    return 0


def best_time(work: Work, repeats: int) -> tuple[float, object]:
    """Shortest of several runs after one to warm up, and the result."""
    result = work()
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - start)
    return min(seconds), result


def _measure(group: str, case: bench_families.Case, repeats: int) -> Row:
    ours, result = best_time(case.ours, repeats)
    theirs, expected = best_time(case.theirs, repeats)
    apart = case.difference(result, expected)
    return Row(group, case.what, case.size, case.peer, ours, theirs, apart)


def _line(row: Row) -> str:
    return (
        f"{row.what:44} {row.size:>18} {_seconds(row.ours_seconds):>10} "
        f"{_seconds(row.peer_seconds):>10} {row.times_faster:>7.1f}× {row.difference:>9.1e}  "
        f"{row.peer}"
    )


def _seconds(seconds: float) -> str:
    return f"{seconds * 1e3:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"


def _plain(rows: Sequence[Row]) -> list[dict[str, object]]:
    return [{**asdict(row), "times_faster": row.times_faster} for row in rows]


def _machine() -> dict[str, str]:
    packages = ("nestviz", "numpy", "scipy", "scikit-learn", "numba")
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        **{name: version(name) for name in packages},
    }
