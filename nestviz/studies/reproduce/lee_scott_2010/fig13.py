"""Fig. 13: training times with the chosen parameters."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nestviz.estimators.cost_sensitive_path import CostSensitivePath
from nestviz.estimators.nested_cost_sensitive import NestedCostSensitiveSVM
from nestviz.estimators.nested_one_class import NestedOneClassSVM
from nestviz.estimators.one_class_path import OneClassPath
from nestviz.studies.engine.cells import Result
from nestviz.studies.engine.drive import Plan
from nestviz.studies.findings import Claim, Findings, Plot, Row
from nestviz.studies.reproduce.lee_scott_2010.data import check_fingerprint, split, standardised
from nestviz.studies.reproduce.lee_scott_2010.experiments import (
    Parameters,
    by_size,
    cell,
    chosen_parameters,
)
from nestviz.studies.reproduce.lee_scott_2010.protocol import Protocol
from nestviz.studies.reproduce.lee_scott_2010.summaries import compared, published_rows, view_of

METHODS = ("cs", "ncs", "oc", "noc")


@dataclass(frozen=True)
class TimedProtocol(Protocol):
    """Choose parameters as in the other figures, and time the training.

    Attributes
    ----------
    repeated : int
        Number of the first permutations whose training is timed.
    """

    repeated: int = 3

    def describe(self) -> list[str]:
        """Say what is done."""
        return [
            *super().describe()[:5],
            f"Processor time of one training with the chosen parameters, certificate included, of "
            f"the first {self.repeated} permutations; the second of two calls in a process.",
        ]


def seconds(
    *, data: str, fingerprint: str, permutation: int, cs: list[float], ncs: list[float],
    oc: float, noc: float, asymmetries: int, levels: int,
) -> Result:  # fmt: skip
    """Return the processor time of one training of each method. Times differ between runs."""
    check_fingerprint(data, fingerprint)
    points, (rows, _) = standardised(data), split(data, permutation)
    X, y = points.X[rows], points.y[rows]
    negative = X[y == -1]
    fits: dict[str, Callable[[], Any]] = {
        "cs": lambda: CostSensitivePath(cs[0], cs[1]).fit(X, y),
        "ncs": lambda: NestedCostSensitiveSVM(ncs[0], ncs[1], asymmetries).fit(X, y),
        "oc": lambda: OneClassPath(oc).fit(negative),
        "noc": lambda: NestedOneClassSVM(noc, levels).fit(negative),
    }
    found = {}
    for method, fit in fits.items():
        # The first call loads compiled code.
        fit()
        begin = time.process_time()
        fit()
        found[method] = time.process_time() - begin
    return found


def plan(protocol: TimedProtocol) -> Plan:
    """Choose parameters as for fig. 7, and time the training."""
    selected = yield from chosen_parameters(protocol)
    wanted = [(name, p) for name in by_size(protocol.sets) for p in range(protocol.repeated)]
    results = yield [_cell(protocol, name, p, selected[name][0]) for name, p in wanted]
    found = dict(zip(wanted, results, strict=True))
    table, values = published_rows("fig13_training_seconds"), []
    for name in protocol.sets:
        for method in METHODS:
            times = [found[name, p][method] for p in range(protocol.repeated)]
            view = view_of(name, selected[name][0][method])
            values.append(
                compared(name, f"seconds {method}", times, view, float(table[name][method]))
            )
    rows: list[Row] = [
        {"dataset": v.item, "method": v.quantity.split()[1], "seconds": v.ours,
         "published seconds": v.published, "ratio": v.published / v.ours}
        for v in values
    ]  # fmt: skip
    return Findings(
        values=values,
        claims=[_slower(rows, protocol)],
        tables={"times": rows},
        plots=[Plot("times", "dots", "Seconds of one training", x="seconds", y="dataset",
                    panel="method", log_x=True)],
        notes=[
            "Times depend on the machine and on what else it does; no two runs agree in all "
            "digits. The published ones are of Matlab programs of 2010, the nested ones with a "
            "general quadratic solver for every step."
        ],
    )  # fmt: skip


def _cell(protocol: Protocol, name: str, permutation: int, chosen: dict[str, Parameters]) -> Any:
    two = {m: [chosen[m].sigma.value, p.value] for m in ("cs", "ncs") if (p := chosen[m].lam)}
    one = {m: chosen[m].sigma.value for m in ("oc", "noc")}
    return cell(
        "fig13:seconds", name, permutation, asymmetries=protocol.asymmetries,
        levels=protocol.levels, **two, **one,
    )  # fmt: skip


def _slower(rows: list[Row], protocol: Protocol) -> Claim:
    ours, there = ({(r["dataset"], r["method"]): r[key] for r in rows}
                   for key in ("seconds", "published seconds"))  # fmt: skip
    pairs = [(name, *pair) for name in protocol.sets for pair in (("cs", "ncs"), ("oc", "noc"))]
    counts = [
        sum(times[name, nested] > times[name, plain] for name, plain, nested in pairs)
        for times in (there, ours)
    ]
    return Claim(
        "Training a nested SVM takes longer than following the plain path.",
        f"on {counts[0]} of {len(pairs)} problems",
        f"on {counts[1]} of {len(pairs)} problems",
        counts[1] > len(pairs) / 2,
        ""
        if counts[1] > len(pairs) / 2
        else "The decomposition here does not call a general "
        "quadratic solver, and solves for few sets; the path follows every breakpoint.",
    )
