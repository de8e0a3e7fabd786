"""``nestviz reproduce``: compute published tables and figures anew, and compare."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from nestviz.commands.options import add_engine_options

if TYPE_CHECKING:
    from nestviz.commands.conduct import Study
    from nestviz.studies.reproduce.target import Target

OUTPUT = Path("nestviz-results")
ALL = "all"
EXAMPLES = """examples:
  nestviz reproduce                              what there is, and how long it takes here
  nestviz reproduce fig7 fig9                    a reduced protocol, in minutes
  nestviz reproduce all --full --jobs 2          the published protocols
  nestviz reproduce fig7 --full --scheduler tcp://10.0.0.1:8786

A command that was stopped goes on where it was when it is given again."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options to the parser of the command."""
    parser.description = (
        "Compute published tables and figures anew. Writes tables as CSV files, and a report that "
        "compares each number and each claim with the published one."
    )
    parser.epilog = EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "target", nargs="*", help=f"tables and figures, or {ALL} (default: list what there is)"
    )
    size = parser.add_mutually_exclusive_group()
    size.add_argument(
        "--quick", action="store_true", help="the reduced protocol, which takes minutes (default)"
    )
    size.add_argument("--full", action="store_true", help="the published protocol")
    add_engine_options(parser, str(OUTPUT))


def run(options: argparse.Namespace, known: Mapping[str, Target] | None = None) -> int:
    """Run the command, on the targets of the registry unless others are given."""
    from nestviz.commands.conduct import Means, conduct, report_writer

    if known is None:
        from nestviz.studies.reproduce.registry import targets

        known = targets()
    unknown = [name for name in options.target if name not in known and name != ALL]
    if unknown:
        there_are = ", ".join([*known, ALL])
        print(f"There is no target {unknown[0]!r}. There are: {there_are}.", file=sys.stderr)
        return 2
    if not options.target:
        print(listing(known, options.jobs))
        return 0
    names = known if ALL in options.target else dict.fromkeys(options.target)
    studies = [_study(known[name], options.full) for name in names]
    means = Means(options.output or OUTPUT, options.jobs, options.scheduler, options.quiet)
    return conduct(studies, means, report_writer())


def listing(known: Mapping[str, Target], n_jobs: int | None = None) -> str:
    """Return a table of targets, with estimates of the time that they take."""
    from joblib import cpu_count

    jobs = n_jobs or cpu_count()
    rows: list[tuple[str, ...]] = [("target", "quick", "full", "what it shows", "source")]
    rows += [
        (target.name, *(_time(minutes / jobs) for minutes in target.cpu_minutes),
         target.title, target.source)
        for target in known.values()
    ]  # fmt: skip
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    lines = [
        "  ".join([*(part.ljust(width) for part, width in zip(row, widths, strict=False)), row[4]])
        for row in rows
    ]
    processes = f"{jobs} process{'es' if jobs > 1 else ''}"
    return "\n".join(
        [*lines, "", f"Times are estimates for {processes}, from processor times measured once."]
    )


def _study(target: Target, full: bool) -> Study:
    from nestviz.commands.conduct import Study

    protocol = target.full if full else target.quick
    return Study(
        target.name,
        target.title,
        target.source,
        "full" if full else "quick",
        protocol.describe(),
        lambda: target.plan(protocol),
        seed=getattr(protocol, "seed", None),
        page=target.page,
    )


def _time(minutes: float) -> str:
    from nestviz.studies.engine.progress import duration

    return duration(60 * minutes)
