"""Tables 5.1 to 5.5: minimum volume sets by classification against reference points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from nestviz.studies.engine.cells import Cell, Result
from nestviz.studies.engine.drive import Plan
from nestviz.studies.findings import Findings, Plot, Row, Value
from nestviz.studies.published import published
from nestviz.studies.reproduce.common.averages import averaged
from nestviz.studies.reproduce.common.benchmarks import fingerprint as fingerprint_of
from nestviz.studies.reproduce.davenport_2007.held_out import error_cells
from nestviz.studies.reproduce.davenport_2007.methods import Method
from nestviz.studies.reproduce.davenport_2007.protocol import PUBLISHED, SETS, SOURCE
from nestviz.studies.reproduce.davenport_2007.protocol import Protocol as SearchProtocol
from nestviz.studies.reproduce.davenport_2007.rates import rate_cells
from nestviz.studies.reproduce.davenport_2007.volume_claims import NOTES, claims
from nestviz.studies.reproduce.davenport_2007.volume_scores import METHODS, Measured
from nestviz.studies.reproduce.target import Target

CELLS = "nestviz.studies.reproduce.davenport_2007.volume_cells"
BETAS = (0.8, 0.9, 0.95, 0.99)
NEYMAN_PEARSON = Method("grid", "3d")
COMPARED = ("banana", "breast-cancer", "diabetes", "flare-solar", "waveform", "image", "splice")
"""Sets of table 5.5."""


@dataclass(frozen=True)
class Protocol:
    """The search of the two-class methods, and the grid of ν of one-class SVMs."""

    search: SearchProtocol
    one_class_nus: tuple[float, ...]
    betas: tuple[float, ...] = BETAS

    def describe(self) -> list[str]:
        """Return what is done, in sentences."""
        nus = self.one_class_nus
        return [
            *self.search.describe(),
            f"Only negative points are trained on. One-class SVMs search {len(nus)} values of ν "
            f"from {min(nus):g} to 1, evenly by ratio, with the same widths.",
            "Two-class methods classify them against as many reference points: uniform on the box "
            "and thinned, or from balls around the data and thinned. Columns with 20 values or "
            "fewer are discrete.",
            "Volume is measured by 10,000 other uniform points of the box around all negative "
            "points; error on anomalies by the positive test points.",
            f"β = {', '.join(f'{beta:g}' for beta in self.betas)}. Rates are smoothed in 3-D.",
        ]

    def nus(self, reference: str) -> list[float]:
        """Return the values of ν of a method."""
        if reference == "one-class":
            return list(self.one_class_nus)
        count = self.search.nu_values
        return [k / count for k in range(1, count + 1)]


def plan(protocol: Protocol) -> Plan:
    """Plan rates, then the sets of all β, and the classifiers that see both classes."""
    compared = _compared(protocol)
    rate = _rate_cells(protocol)
    two_class = rate_cells(compared, 1.0)
    results = yield [*rate, *two_class]
    rates = results[: len(rate)]
    sets = _set_cells(protocol, rate, rates)
    tested = error_cells(compared, two_class, results[len(rate) :], (0.1,), (NEYMAN_PEARSON,))
    found = yield [*sets, *tested]
    measured = Measured.of(sets, found[: len(sets)], protocol.betas)
    return _findings(protocol, measured, tested, found[len(sets) :])


def _compared(protocol: Protocol) -> SearchProtocol:
    names = tuple(name for name in protocol.search.sets if name in COMPARED)
    return replace(protocol.search, sets=names)


def _rate_cells(protocol: Protocol) -> list[Cell]:
    search = protocol.search
    return [
        Cell(
            f"{CELLS}:volume_rates",
            {
                "data": name, "fingerprint": fingerprint_of(name), "permutation": permutation,
                "reference": reference, "nus": protocol.nus(reference), "sigmas": list(widths),
                "folds": search.folds, "seed": search.seed,
            },
        )
        for name, permutation in search.runs()
        for reference in METHODS
        for widths in search.blocks()
    ]  # fmt: skip


def _set_cells(
    protocol: Protocol, rate: Sequence[Cell], rates: Sequence[Result]
) -> list[Cell]:  # fmt: skip
    step = len(protocol.search.blocks())
    cells = []
    for begin in range(0, len(rate), step):
        widths = [list(block) for block in protocol.search.blocks()]
        more = {
            "sigmas": widths, "betas": list(protocol.betas),
            "tables": [result["counts"] for result in rates[begin : begin + step]],
        }  # fmt: skip
        cells.append(Cell(f"{CELLS}:measured_sets", {**rate[begin].parameters, **more}))
    return cells


def _findings(
    protocol: Protocol, measured: Measured, tested: Sequence[Cell], results: Sequence[Result]
) -> Findings:
    rows = list(measured.rows())
    both = _both_classes(tested, results)
    values = [*_values(protocol, measured), *_values_of_table_5(measured, both)]
    return Findings(
        values=values,
        claims=claims(measured, protocol.betas),
        tables={"permutations": rows, "scores": list(_score_rows(values))},
        plots=(
            Plot("scores", "dots", "Scores of minimum volume sets", x="set", y="score",
                 group="source", panel="case", low="low", high="high"),
        ),
        notes=NOTES,
    )  # fmt: skip


def _values(protocol: Protocol, measured: Measured) -> Iterator[Value]:
    printed = {(float(r["beta"]), r["dataset"]): r for r in published("thesis_t5_mv_sets")}
    for beta in protocol.betas:
        for name in measured.sets:
            row = printed.get((beta, name), {})
            view = {"page": "error-control", "task": "Minimum volume sets", "beta": f"{beta:g}",
                    "data": f"bench-{name}", "standardise": "true", "of": "class −1"}  # fmt: skip
            for reference, short in METHODS.items():
                known = {kind: float(row.get(f"{kind}_{short}", "nan")) for kind in ("mu", "plus")}
                cases = {
                    f"E_μ, {short}": ("volume", known["mu"]),
                    f"E₊, {short}": ("positives", known["plus"]),
                }
                if short == "oc":
                    cases[f"E_μ with 1 − μ, {short}"] = ("outside", known["mu"])
                for words, (of, value) in cases.items():
                    scores = measured.scores(name, reference, beta, of)
                    yield Value(name, f"{words}, β = {beta:g}", **averaged(scores),
                                published=value, view=view)  # fmt: skip


def _both_classes(
    tested: Sequence[Cell], results: Sequence[Result]
) -> dict[str, list[tuple[float, float]]]:
    """Return (P_F, P_M) of Neyman–Pearson classifiers that see both classes."""
    found: dict[str, list[tuple[float, float]]] = {}
    for cell, result in zip(tested, results, strict=True):
        alarms, misses = result["errors"][0][0]
        rates = alarms / result["n_minus"], misses / result["n_plus"]
        found.setdefault(cell.parameters["data"], []).append(rates)
    return found


def _values_of_table_5(
    measured: Measured, both: Mapping[str, Sequence[tuple[float, float]]]
) -> Iterator[Value]:
    if 0.9 not in measured.betas:
        return
    for row in published("thesis_t55_np"):
        name = row["dataset"]
        if name not in both:
            continue
        rates = {"np": np.array(both[name])}
        for reference, short in METHODS.items():
            one = measured.of_set(name, reference, 0.9)
            rates[short] = np.array([(1.0 - r["mass"], r["positives"]) for r in one])
        for short, pairs in rates.items():
            for k, error in enumerate(("false_alarm", "miss")):
                words = f"{('P_F', 'P_M')[k]}, {short}, table 5.5"
                yield Value(name, words, **averaged(pairs[:, k]),
                            published=float(row[f"{short}_{error}"]))  # fmt: skip


def _score_rows(values: Sequence[Value]) -> Iterator[Row]:
    for v in values:
        if not v.quantity.startswith("E"):
            continue
        for source, y, sd in (("published", v.published, 0.0), ("ours", v.ours, v.sd)):
            yield {"set": v.item, "case": v.quantity, "source": source, "score": y,
                   "low": y - sd, "high": y + sd}  # fmt: skip


def one_class_nus(smallest: float, count: int) -> tuple[float, ...]:
    """Return values of ν up to 1, evenly by ratio."""
    return tuple(float(nu) for nu in np.geomspace(smallest, 1.0, count))


def target() -> Target:
    """Return the target of chapter 5."""
    return Target(
        name="thesis-5",
        title="Minimum volume sets by classification",
        source=f"{SOURCE}, tables 5.1–5.5",
        plan=plan,
        quick=Protocol(
            SearchProtocol(sets=SETS, permutations=2, permutations_of_slow=1),
            one_class_nus(0.01, 15),
        ),
        full=Protocol(PUBLISHED, one_class_nus(1e-4, 50)),
        cpu_minutes=(8.0, 7000.0),
        page="error-control",
    )
