"""Figure 3: the last sets of the path, and unions of its sets, on three samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nestviz.studies.engine.cells import Result
from nestviz.studies.engine.drive import Plan
from nestviz.studies.findings import Claim, Findings, Plot, Row, Value
from nestviz.studies.reproduce.common.averages import averaged
from nestviz.studies.reproduce.lee_scott_2007.pictures import picture_cell
from nestviz.studies.reproduce.lee_scott_2007.protocol import SAMPLES, SOURCE, Protocol
from nestviz.studies.reproduce.lee_scott_2007.volumes import volume_cell
from nestviz.studies.reproduce.target import Target

Found = Mapping[float, Mapping[str, Sequence[Result]]]
"""Share of the width, sample, draws."""
Case = tuple[str, int, float, float]
"""Sample, seed, width, share of the width of least volume."""
SHARES = {1.0: "σ*", 0.5: "σ*/2"}
"""Widths at which sets are looked at, as shares of the width of least volume."""


def plan(protocol: Protocol) -> Plan:
    """Plan the width of each draw, and then its sets at that width and at half of it."""
    runs = [(name, seed) for name in SAMPLES for seed in range(protocol.draws)]
    searches = yield [
        volume_cell(protocol, name, seed, "path", protocol.widths, False) for name, seed in runs
    ]
    cases = [
        (name, seed, share * result["sigma"], share)
        for share in SHARES
        for (name, seed), result in zip(runs, searches, strict=True)
    ]
    sets = yield [
        picture_cell(protocol, name, seed, sigma, seed == 0) for name, seed, sigma, _ in cases
    ]
    found = {
        share: {name: _chosen(cases, sets, name, share) for name in SAMPLES} for share in SHARES
    }
    widths = {name: [r["sigma"] for (n, _), r in zip(runs, searches, strict=True) if n == name]
              for name in SAMPLES}  # fmt: skip
    rows = [_row(*case, result) for case, result in zip(cases, sets, strict=True)]
    outlines = [row for case, result in zip(cases, sets, strict=True)
                for row in _outline_rows(*case, result)]  # fmt: skip
    return Findings(
        values=[value for name in SAMPLES for value in _values(name, widths[name], found)],
        claims=_claims(found),
        tables={"draws": rows, "outlines": outlines},
        plots=(
            Plot("outlines", "lines", "Last sets of the path, and unions of its sets", x="x",
                 y="y", group="ring", panel="picture"),
        ),
        notes=NOTES,
    )  # fmt: skip


def _chosen(cases: Sequence[Case], sets: Sequence[Result], name: str, share: float) -> list[Result]:
    pairs = zip(cases, sets, strict=True)
    return [result for case, result in pairs if case[0] == name and case[3] == share]


def _values(name: str, widths: Sequence[float], found: Found) -> list[Value]:
    view = {"page": "solution-path", "data": name, "seed": "0", "left": "one-class SVM",
            "right": "union"}  # fmt: skip
    quantities = {"width of least volume": list(widths)}
    for share, words in SHARES.items():
        results = found[share][name]
        quantities |= {
            f"holes of the last set, {words}": [r["plain"]["holes"] for r in results],
            f"holes of the union, {words}": [r["union"]["holes"] for r in results],
            f"share of the picture not nested, {words}": [r["violated"] for r in results],
        }
    return [Value(name, key, **averaged(values), view=view) for key, values in quantities.items()]


def _row(name: str, seed: int, sigma: float, share: float, result: Result) -> Row:
    of_sets = {f"{kind} {key}": result[kind][key] for kind in ("plain", "union")
               for key in ("parts", "holes", "area", "hole_area")}  # fmt: skip
    holes = [stage["holes"] for stage in result["stages"]]
    return {"sample": name, "seed": seed, "width": SHARES[share], "sigma": sigma, **of_sets,
            "violated": result["violated"], "stage_holes": " ".join(map(str, holes))}  # fmt: skip


def _outline_rows(name: str, seed: int, sigma: float, share: float, result: Result) -> list[Row]:
    where = f"{SHARES[share]} = {sigma:.3g}"
    return [
        {"picture": f"{name}, {ring['panel']}, {where}", "ring": f"{ring['stage']}.{ring['ring']}",
         "stage": ring["stage"], "x": x, "y": y}
        for ring in result["outlines"]
        for x, y in ring["points"]
    ]  # fmt: skip


def _claims(found: Found) -> list[Claim]:
    at_best = [result for results in found[1.0].values() for result in results]
    violated = sum(result["violated"] > 0 for result in at_best)
    with_holes = {share: _extra_holes(found[share]) for share in SHARES}
    left = {name: averaged([r["union"]["holes"] for r in results])["ours"]
            for name, results in found[1.0].items()}  # fmt: skip
    count = len(at_best)
    return [
        Claim(
            "The sets of the path are not nested.",
            "seen on all three samples",
            f"some of the picture is violated in {violated} of {count} draws",
            violated == count,
        ),
        Claim(
            "At the width of least volume the last set of the path has holes that the union of "
            "all sets does not have.",
            "seen on all three samples",
            f"in {with_holes[1.0]} of {count} draws at σ*, in {with_holes[0.5]} at half of it",
            with_holes[1.0] == count,
            "" if with_holes[1.0] == count else
            "Such holes need a narrow kernel. The samples of the paper are not known in all "
            "details, and a narrower width relative to their scale would show them.",
        ),
        Claim(
            "With unions the holes are gone; only that of the ring is left.",
            "no holes on mixture and multi, one on ring",
            "holes of the union on average: "
            + ", ".join(f"{holes:.1f} on {name}" for name, holes in left.items()),
            left["multi"] == 0 and left["mixture"] == 0 and left["ring"] == 1,
            "" if left["multi"] + left["mixture"] == 0 else
            "Unions fill only what some earlier set contained.",
        ),
    ]  # fmt: skip


def _extra_holes(samples: Mapping[str, Sequence[Result]]) -> int:
    """Return in how many draws the last set has more holes than the union."""
    results = [result for draws in samples.values() for result in draws]
    return sum(result["plain"]["holes"] > result["union"]["holes"] for result in results)


NOTES = (
    "The paper prints pictures only; holes and parts are counted here on pixels. Holes of a pixel "
    "or two can be missed or joined.",
    "The sample ring has a hole in its middle by its making.",
    "The last set is that of the smallest breakpoint of the pure path, as in the paper; nothing "
    "is extrapolated below it.",
)

TARGET = Target(
    name="2007-fig3",
    title="Last sets of the path and unions of its sets",
    source=f"{SOURCE}, figure 3",
    plan=plan,
    quick=Protocol(),
    full=Protocol(draws=50),
    cpu_minutes=(0.8, 8.0),
    page="solution-path",
)
