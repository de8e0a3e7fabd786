"""The plan of a study of one's own: all cells at once, then means, tests and plots."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.studies.engine.cells import Cell, Result
from nestviz.studies.engine.drive import Plan
from nestviz.studies.findings import Findings, Plot, Row, Value
from nestviz.studies.own.comparison import compared
from nestviz.studies.own.settings import MEASURES, Settings, Source

TASK = "nestviz.studies.own.task:compare"


def own_plan(settings: Settings, fingerprints: Mapping[str, str]) -> Plan:
    """Compare methods on data sets.

    Parameters
    ----------
    settings : Settings
        The study.
    fingerprints : mapping of str to str
        The fingerprint of each data set by its name.
    """
    cells = [
        _cell(settings, source, fingerprints[source.name], method, permutation)
        for source in settings.data
        for method in settings.methods
        for permutation in range(settings.permutations)
    ]
    results = yield cells
    shape = (len(settings.data), len(settings.methods), settings.permutations)
    order = np.arange(len(results)).reshape(shape)
    scores = {
        name: np.array([result[name] for result in results], dtype=np.float64).reshape(shape)
        for name in settings.measures
    }
    values, means = _means(settings, scores)
    tables: dict[str, Sequence[Row]] = {
        "means": means,
        "repetitions": _rows(settings, order, results),
    }
    plots = [
        Plot(
            "means", "dots", "Means and standard deviations over the permutations", x="dataset",
            y="mean", group="method", panel="measure", low="low", high="high",
        )
    ]  # fmt: skip
    tests: list[Row] = []
    notes = []
    for name in settings.measures:
        table = f"ranks-{name.replace(' ', '-')}"
        titles = [settings.title_of(method) for method in settings.methods]
        found = compared(
            name, titles, scores[name].mean(axis=2), MEASURES[name].lower_is_better, table
        )
        notes.append(found.sentence)
        tests += found.tests
        plots += found.plots
        tables |= {table: found.ranks} if found.ranks else {}
    tables |= {"tests": tests} if tests else {}
    return Findings(values, (), tables, plots, notes)


def _cell(
    settings: Settings, source: Source, fingerprint: str, method: str, permutation: int
) -> Cell:
    widths = {"sigma": settings.sigma} if settings.sigma else {
        "sigma_factors": settings.sigma_factors
    }  # fmt: skip
    fit = {"method": method, "kind": settings.problem, "levels": settings.levels}
    parameters = {
        "permutation": permutation,
        "fit": fit | {"spacing": settings.spacing, "nu": settings.nu, "eta": settings.eta},
        "data": source.plain(),
        "fingerprint": fingerprint,
        "grid": {"lam": settings.lam} | widths,
        "measures": settings.measures,
        "train": settings.train,
        "folds": settings.folds,
        "seed": settings.seed,
    }
    return Cell(TASK, parameters, locations={"file": source.file} if source.file else {})


def _means(settings: Settings, scores: Mapping[str, FloatArray]) -> tuple[list[Value], list[Row]]:
    values: list[Value] = []
    rows: list[Row] = []
    for name, table in scores.items():
        for j, method in enumerate(settings.methods):
            for i, source in enumerate(settings.data):
                mean, sd = float(table[i, j].mean()), _deviation(table[i, j])
                title = settings.title_of(method)
                values.append(Value(source.name, f"{name}, {title}", mean, sd, table.shape[2]))
                row = {"measure": name, "method": title, "dataset": source.name, "mean": mean}
                rows.append(row | {"sd": sd, "low": mean - sd, "high": mean + sd})
    return values, rows


def _deviation(scores: FloatArray) -> float:
    return float(scores.std(ddof=1)) if len(scores) > 1 else math.nan


def _rows(settings: Settings, order: np.ndarray, results: Sequence[Result]) -> list[Row]:
    return [
        {"dataset": source.name, "method": settings.title_of(method), "permutation": permutation}
        | results[order[i, j, permutation]]
        for i, source in enumerate(settings.data)
        for j, method in enumerate(settings.methods)
        for permutation in range(settings.permutations)
    ]
