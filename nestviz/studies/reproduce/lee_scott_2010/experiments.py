"""The plan that figs. 7, 9 and 10–12 share: choose σ and λ, then measure on test points."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nestviz.analysis.cost_selection import best_cells, within_one_error
from nestviz.arrays import FloatArray
from nestviz.studies.engine.cells import Cell, Result
from nestviz.studies.reproduce.lee_scott_2010.choice import (
    Chosen,
    average,
    chosen,
)
from nestviz.studies.reproduce.lee_scott_2010.data import fingerprint
from nestviz.studies.reproduce.lee_scott_2010.protocol import SIZES, Protocol

HERE = "nestviz.studies.reproduce.lee_scott_2010"
TWO_CLASS, ONE_CLASS = ("cs", "ncs"), ("oc", "noc")
Cells = Generator[Sequence[Cell], list[Result], Any]


@dataclass(frozen=True)
class Parameters:
    """What one method uses on one set: σ, and λ for two classes."""

    sigma: Chosen
    lam: Chosen | None = None


@dataclass(frozen=True)
class Experiment:
    """All results on one set.

    Attributes
    ----------
    parameters : mapping of str to Parameters
        By method.
    two_class, one_class : sequence of Result
        Measures on test points, one for each permutation.
    two_class_scores, one_class_scores : sequence of Result
        Cross-validated scores on the first permutation: one for each σ; a single one.
    """

    parameters: Mapping[str, Parameters]
    two_class: Sequence[Result]
    one_class: Sequence[Result]
    two_class_scores: Sequence[Result]
    one_class_scores: Result


def by_size(sets: Sequence[str]) -> list[str]:
    """Return the sets with the most training points first, so that long cells begin early."""
    return sorted(sets, key=lambda name: -SIZES[name][0])


def cell(task: str, name: str, permutation: int, **parameters: Any) -> Cell:
    """Return a cell of one permutation of one set."""
    given = {"data": name, "fingerprint": fingerprint(name), "permutation": permutation}
    return Cell(f"{HERE}.{task}", given | parameters)


def chosen_parameters(protocol: Protocol) -> Cells:
    """Choose σ and λ of all methods; return for each set parameters and the first scores."""
    sets = by_size(protocol.sets)
    two = {
        name: [
            [_two_class_scores(protocol, name, p, k) for k in range(protocol.sigmas)]
            for p in protocol.chosen_splits(name)
        ]
        for name in sets
    }
    one = {
        name: [_one_class_scores(protocol, name, p) for p in protocol.chosen_splits(name)]
        for name in sets
    }
    asked = [c for name in sets for row in two[name] for c in row]
    asked += [c for name in sets for c in one[name]]
    results = dict(zip((c.key for c in asked), (yield asked), strict=True))
    found = {}
    for name in protocol.sets:
        splits = [[results[c.key] for c in row] for row in two[name]]
        single = [results[c.key] for c in one[name]]
        parameters = {method: _two_class_choice(splits, method) for method in TWO_CLASS}
        parameters |= {method: _one_class_choice(single, method) for method in ONE_CLASS}
        found[name] = (parameters, splits[0], single[0])
    return found


def experiments(protocol: Protocol) -> Cells:
    """Run the experiments; return an `Experiment` for each set."""
    selected = yield from chosen_parameters(protocol)
    sets = by_size(protocol.sets)
    asked = [
        make(protocol, name, p, selected[name][0])
        for name in sets
        for p in protocol.splits(name)
        for make in (_two_class_test, _one_class_test)
    ]
    results = dict(zip((c.key for c in asked), (yield asked), strict=True))
    found = {}
    for name in protocol.sets:
        parameters, two_scores, one_scores = selected[name]
        two, one = (
            [results[make(protocol, name, p, parameters).key] for p in protocol.splits(name)]
            for make in (_two_class_test, _one_class_test)
        )
        found[name] = Experiment(parameters, two, one, two_scores, one_scores)
    return found


def fold_scores(results: Sequence[Result], method: str) -> FloatArray:
    """Return two-class scores of one permutation as folds × σ × λ."""
    return np.array([result[method] for result in results]).transpose(1, 0, 2)


def near_best_cells(protocol: Protocol, found: Mapping[str, Experiment]) -> Cells:
    """Return for each set d and AUC of the path over all near-optimal cells of the grid.

    Two classes: those of the first permutation's own folds; one class: those widths.
    """
    asked, two = [], {}
    for name in by_size(protocol.sets):
        close = within_one_error(fold_scores(found[name].two_class_scores, "cs"))
        two[name] = [
            cell(
                "two_class:near_best", name, 0, width=int(k), sigmas=protocol.sigmas,
                lambdas=protocol.lambdas, chosen=np.flatnonzero(close[k]).tolist(),
            )
            for k in np.flatnonzero(close.any(axis=1))
        ]  # fmt: skip
        asked += two[name]
    one = {name: widths_cell(protocol, name, 0) for name in by_size(protocol.sets)}
    asked += one.values()
    results = dict(zip((c.key for c in asked), (yield asked), strict=True))
    ranges = {}
    for name in protocol.sets:
        pairs = [results[c.key] for c in two[name]]
        scores = np.array(found[name].one_class_scores["oc"]).T
        close = within_one_error(scores)
        curve = results[one[name].key]["oc"]
        ranges[name] = {
            "two-class": [d for pair in pairs for d in pair["d"]],
            **{
                kind: [curve[k][kind]["d"] for k in np.flatnonzero(close)]
                for kind in ("positive", "uniform")
            },
        }
    return ranges


def widths_cell(protocol: Protocol, name: str, permutation: int) -> Cell:
    """Return the cell of the AUC over all σ on the test points of one permutation."""
    return cell(
        "one_class:over_widths", name, permutation, sigmas=protocol.sigmas, levels=protocol.levels
    )


def _two_class_scores(protocol: Protocol, name: str, permutation: int, width: int) -> Cell:
    return cell(
        "two_class:cross_validated", name, permutation, width=width, sigmas=protocol.sigmas,
        lambdas=protocol.lambdas, fold_count=protocol.folds, asymmetries=protocol.asymmetries,
    )  # fmt: skip


def _one_class_scores(protocol: Protocol, name: str, permutation: int) -> Cell:
    return cell(
        "one_class:cross_validated", name, permutation, sigmas=protocol.sigmas,
        fold_count=protocol.folds, levels=protocol.levels,
    )  # fmt: skip


def _two_class_test(
    protocol: Protocol, name: str, permutation: int, parameters: Mapping[str, Parameters]
) -> Cell:
    used = {m: [p.sigma.value, p.lam.value] for m in TWO_CLASS if (p := parameters[m]).lam}
    return cell(
        "two_class:on_test_points", name, permutation, asymmetries=protocol.asymmetries, **used
    )


def _one_class_test(
    protocol: Protocol, name: str, permutation: int, parameters: Mapping[str, Parameters]
) -> Cell:
    used = {method: parameters[method].sigma.value for method in ONE_CLASS}
    return cell("one_class:on_test_points", name, permutation, levels=protocol.levels, **used)


def _two_class_choice(splits: Sequence[Sequence[Result]], method: str) -> Parameters:
    sigmas, lams = [], []
    for results in splits:
        best = best_cells(fold_scores(results, method).mean(axis=0))
        sigmas.append(chosen(np.array([[result["sigma"]] for result in results]), best))
        lams.append(chosen(np.array([result["lambdas"] for result in results]), best))
    return Parameters(average(sigmas), average(lams))


def _one_class_choice(results: Sequence[Result], method: str) -> Parameters:
    return Parameters(
        average(
            [
                chosen(np.array(one["sigmas"]), best_cells(np.array(one[method]).mean(axis=1)))
                for one in results
            ]
        )
    )
