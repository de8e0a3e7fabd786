"""The sections of a report: a summary of all claims, one for each target, and how it was run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nestviz.reports.document import Block, Bullets, Heading, Paragraph, Table
from nestviz.reports.numbers import distance, duration, with_spread
from nestviz.reports.pictures import pictures
from nestviz.studies.agreement import (
    MARKS,
    VERDICT_MARKS,
    agreement,
    count,
    verdict,
    verdicts,
)
from nestviz.studies.findings import Claim, Value
from nestviz.studies.run_record import Run

TITLE = "Published numbers, computed anew"
SHARED_ITEMS = 3
"""Values of at least this many items for each quantity get a table for each quantity."""
PROTOCOLS = {
    "quick": "Quick protocol: reduced, to be computed in minutes.",
    "full": "Full protocol: that of the source, as far as it is known.",
}


def blocks(runs: Sequence[Run]) -> list[Block]:
    """Return the whole report; only the last section differs between two runs of the same."""
    found: list[Block] = [Heading(1, _title(runs), "top"), *_summary(runs)]
    for run in runs:
        found += _target(run)
    return [*found, *_conditions(runs)]


def anchor(name: str) -> str:
    """Return the name of a target's section for links."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "target"


def _title(runs: Sequence[Run]) -> str:
    return runs[0].title if len(runs) == 1 and runs[0].protocol == "own" else TITLE


def _summary(runs: Sequence[Run]) -> Iterator[Block]:
    """Say how many claims hold and how many values agree, and list all claims."""
    yield Heading(2, "Summary", "summary")
    claims = [claim for run in runs for claim in run.findings.claims]
    values = count(value for run in runs for value in run.findings.values)
    if claims:
        parts = [f"{n} {word}" for word, n in verdicts(claims).items()]
        yield Paragraph(f"{', '.join(parts)}.", strong=_counted(len(claims), "claim") + ":")
    if words := values.in_words():
        yield Paragraph(words)
    rows = [[run.title, run.protocol, *_totals(run)] for run in runs]
    links = [anchor(run.name) for run in runs]
    names = ["Table or figure", "Protocol", "Within 1 sd", "Within 2 sd", "Claims held"]
    yield Table("What was computed", names, rows, (2, 3, 4), links)
    if claims:
        rows = [
            [run.name, claim.sentence, _marked(claim)]
            for run in runs
            for claim in run.findings.claims
        ]
        links = [anchor(run.name) for run in runs for _ in run.findings.claims]
        yield Table("All claims", ["Target", "Claim", "Here"], rows, links=links)


def _totals(run: Run) -> list[str]:
    found, claims = count(run.findings.values), run.findings.claims
    held = verdicts(claims)["held"]
    return [
        f"{found.one} of {found.compared}" if found.compared else "–",
        f"{found.two} of {found.compared}" if found.compared else "–",
        f"{held} of {len(claims)}" if claims else "–",
    ]


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def _marked(claim: Claim) -> str:
    word = verdict(claim)
    return f"{VERDICT_MARKS[word]} {word}"


def _target(run: Run) -> Iterator[Block]:
    name = anchor(run.name)
    yield Heading(2, run.title, name)
    if run.source:
        yield Paragraph(run.source, strong="Source:")
    yield Heading(3, "Protocol", f"{name}-protocol")
    if run.protocol in PROTOCOLS:
        yield Paragraph(PROTOCOLS[run.protocol])
    seeds = [] if run.seed is None else [f"The seed of all random numbers is {run.seed}."]
    yield Bullets([*run.describe, *seeds])
    if run.findings.claims:
        yield Heading(3, "Claims", f"{name}-claims")
        yield _claims(run.findings.claims)
    if run.findings.values:
        yield Heading(3, "Values", f"{name}-values")
        yield from _values(run.findings.values)
    drawn = pictures(run)
    if drawn:
        yield Heading(3, "Plots", f"{name}-plots")
        yield from drawn
    if run.findings.notes:
        yield Heading(3, "Notes", f"{name}-notes")
        yield Bullets(run.findings.notes)


def _claims(claims: Sequence[Claim]) -> Table:
    reasons = any(claim.why for claim in claims)
    names = ["Claim", "Published", "Here", "Verdict", *(["Why"] if reasons else [])]
    rows = [
        [c.sentence, c.published, c.ours, _marked(c), *([c.why] if reasons else [])] for c in claims
    ]
    return Table("Claims of the source", names, rows)


def _values(values: Sequence[Value]) -> Iterator[Block]:
    """List the values: a table for each quantity, or one of all."""
    if words := count(values).in_words():
        yield Paragraph(words)
        yield Paragraph(
            "Distances are in published standard deviations; a difference that rounding explains "
            f"counts as none. {_legend(values)}"
        )
    quantities = list(dict.fromkeys(value.quantity for value in values))
    if len(values) < SHARED_ITEMS * len(quantities):
        rows = [[value.item, value.quantity, *_cells(value)] for value in values]
        yield _table("All values", ["", "Quantity"], rows, values)
        return
    for quantity in quantities:
        of = [value for value in values if value.quantity == quantity]
        found = count(of)
        agree = f": {found.one} of {found.compared} within one sd" if found.compared else ""
        rows = [[value.item, *_cells(value)] for value in of]
        yield _table(f"{quantity}{agree}", [""], rows, of)


def _legend(values: Sequence[Value]) -> str:
    found = {agreement(value) for value in values}
    signs = [f"{sign} {words}" for words, sign in MARKS.items() if sign and words in found]
    return f"{', '.join(signs)}." if signs else ""


def _cells(value: Value) -> list[str]:
    words = agreement(value)
    return [
        with_spread(value.published, value.published_sd),
        with_spread(value.ours, value.sd),
        str(value.n),
        distance(value.distance),
        f"{MARKS[words]} {words}".strip(),
    ]


def _table(
    caption: str, first: Sequence[str], rows: Sequence[list[str]], values: Sequence[Value]
) -> Table:
    """Return a table of values, without columns that would be empty."""
    names = [*first, "Published", "Here", "Runs", "Distance", "Agreement"]
    start = len(first)
    hidden: set[int] = set()
    if all(value.n == 1 for value in values):
        hidden.add(start + 2)
    if not any(value.published == value.published for value in values):
        hidden |= {start, start + 3, start + 4}
    kept = [k for k in range(len(names)) if k not in hidden]
    numeric = [kept.index(k) for k in range(start, start + 4) if k in kept]
    return Table(
        caption, [names[k] for k in kept], [[row[k] for k in kept] for row in rows], numeric
    )


def _conditions(runs: Sequence[Run]) -> Iterator[Block]:
    """Say how long it took, and where: all that may differ the next time."""
    yield Heading(2, "How it was run", "how-it-was-run")
    rows = [
        [
            run.title,
            duration(run.cpu_seconds),
            duration(run.wall_seconds),
            f"{run.computed:,} of {run.cells:,}",
        ]
        for run in runs
    ]
    names = ["Target", "Processor time", "Last command", "Cells computed by it"]
    yield Table("Times", names, rows, (1, 2, 3))
    facts = list(dict.fromkeys((name, text) for run in runs for name, text in _facts(run).items()))
    if facts:
        yield Table("Versions and machine", ["Part", "Version"], [list(fact) for fact in facts])


def _facts(run: Run) -> dict[str, str]:
    return {**run.versions, **run.machine}
