"""Fig. 9: disagreement of the two rankings of the plain SVMs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nestviz.studies.engine.drive import Plan
from nestviz.studies.findings import Claim, Findings, Plot, Row, Value
from nestviz.studies.reproduce.lee_scott_2010.experiments import (
    Experiment,
    experiments,
    near_best_cells,
)
from nestviz.studies.reproduce.lee_scott_2010.protocol import Protocol
from nestviz.studies.reproduce.lee_scott_2010.summaries import (
    compared,
    deviation,
    mean,
    measured,
    parameter_table,
    published_rows,
    series,
    view_of,
)

KINDS = {
    "d two-class": ("cs", "d_two_class", "two-class"),
    "d positive": ("oc positive", "d_positive", "positive"),
    "d uniform": ("oc uniform", "d_uniform", "uniform"),
}
"""Columns of fig. 9: quantity of fig. 7, published column, near-optimal range."""
SEVERE = 0.25
"""A disagreement that no one would overlook: a quarter of the points."""


def plan(protocol: Protocol) -> Plan:
    """Compute the table."""
    found = yield from experiments(protocol)
    ranges = yield from near_best_cells(protocol, found)
    values = disagreement_values(found)
    return Findings(
        values=values,
        claims=[_severe(values)],
        tables={
            "near-optimal cells": near_optimal(found, ranges),
            "second ways of counting": second_ways(found),
            "parameters": parameter_table(found),
        },
        plots=[
            Plot("values", "dots", "Ranking disagreement d, ours and published", x="ours",
                 y="item", panel="quantity"),
            Plot("near-optimal cells", "dots", "d over the cells within one standard error",
                 x="d", y="dataset", panel="quantity", low="smallest d", high="largest d"),
        ],
        notes=[*_correlations(values), _undetermined(ranges), EQUATION_22],
    )  # fmt: skip


def disagreement_values(found: Mapping[str, Experiment]) -> list[Value]:
    """Return all disagreements beside those of fig. 9."""
    table = published_rows("fig09_ranking_disagreement")
    return [
        compared(
            name, kind, series(experiment, quantity, "d"),
            view_of(name, experiment.parameters[quantity.split()[0]]), float(table[name][column]),
        )
        for name, experiment in found.items()
        for kind, (quantity, column, _) in KINDS.items()
    ]  # fmt: skip


def near_optimal(
    found: Mapping[str, Experiment], ranges: Mapping[str, Mapping[str, Sequence[float]]]
) -> list[Row]:
    """Return the range of d over all cells that cross-validation cannot tell from the best."""
    table = published_rows("fig09_ranking_disagreement")
    return [
        {
            "dataset": name,
            "quantity": kind,
            "cells": len(ranges[name][near]),
            "smallest d": min(ranges[name][near]),
            "largest d": max(ranges[name][near]),
            "d": mean(series(found[name], quantity, "d")),
            "published": float(table[name][column]),
        }
        for name in found
        for kind, (quantity, column, near) in KINDS.items()
    ]


def second_ways(found: Mapping[str, Experiment]) -> list[Row]:
    """Return d of the path alone, and against the lattice."""
    rows = []
    for name, experiment in found.items():
        for way, method, kind in (
            ("path alone, positive", "pure", "positive"),
            ("path alone, uniform", "pure", "uniform"),
            ("lattice", "oc", "lattice"),
        ):
            values = measured(experiment, "one_class", method, kind, "d")
            if values:
                row = {"dataset": name, "counted": way, "d": mean(values)}
                rows.append(row | {"sd": deviation(values)})
    return rows


def spearman(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the rank correlation; NaN where one side is constant."""
    from scipy.stats import rankdata

    a, b = rankdata(first), rankdata(second)
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return float("nan")
    return float(np.corrcoef(a, b)[0, 1])


def _correlations(values: Sequence[Value]) -> list[str]:
    notes = []
    for kind in KINDS:
        mine = [value for value in values if value.quantity == kind]
        if len(mine) > 2:
            rho = spearman([v.ours for v in mine], [v.published for v in mine])
            notes.append(
                f"{kind}: Spearman's rank correlation between ours and the published values over "
                f"{len(mine)} sets is {rho:.2f}."
            )
    return notes


def _undetermined(ranges: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    wide = [
        f"{name} ({len(near['two-class'])} cells, d from {min(near['two-class']):.2f} to "
        f"{max(near['two-class']):.2f})"
        for name, near in ranges.items()
        if max(near["two-class"]) - min(near["two-class"]) > 0.1
    ]
    if not wide:
        return "Over the near-optimal cells d of two classes moves by less than 0.1 on every set."
    return (
        "Cross-validation hardly constrains the size of d: over the near-optimal cells d of two "
        f"classes moves by more than 0.1 on {len(wide)} of {len(ranges)} sets: {', '.join(wide)}."
    )


EQUATION_22 = (
    "Eq. 22 is printed with both scores over the sets that contain x; s− is read in parallel to "
    "eq. 21, as the level from which on x stays inside."
)


def _severe(values: Sequence[Value]) -> Claim:
    found = {
        kind: [v.item for v in values if v.quantity == kind and v.ours >= SEVERE] for kind in KINDS
    }
    table = {
        kind: [v.item for v in values if v.quantity == kind and v.published >= SEVERE]
        for kind in KINDS
    }
    return Claim(
        "On some data sets the sets of plain SVMs cross so much that the two rankings disagree on "
        "a quarter of the points or more, with two classes and with one.",
        "; ".join(f"{kind}: {', '.join(names) or 'none'}" for kind, names in table.items()),
        "; ".join(f"{kind}: {', '.join(names) or 'none'}" for kind, names in found.items()),
        bool(found["d two-class"]) and bool(found["d positive"] or found["d uniform"]),
    )
