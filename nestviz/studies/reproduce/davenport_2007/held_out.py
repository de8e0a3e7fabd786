"""Cells that choose by every method from tables of rates, fit, and count errors on test points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.studies.engine.cells import Cell, Result
from nestviz.studies.reproduce.common.benchmarks import Split, split
from nestviz.studies.reproduce.davenport_2007.methods import NU, Method, all_methods, of_name
from nestviz.studies.reproduce.davenport_2007.protocol import Protocol
from nestviz.studies.reproduce.davenport_2007.rates import joined

TABLE = ("grid", "line", "n_plus", "n_minus")


def error_cells(
    protocol: Protocol,
    rate_cells: Sequence[Cell],
    rates: Sequence[Result],
    alphas: Sequence[float],
    methods: Sequence[Method] | None = None,
) -> list[Cell]:
    """Return the cells that choose, fit and test; none of ``alphas`` means minimax."""
    step = len(protocol.blocks())
    names = [method.name for method in (all_methods() if methods is None else methods)]
    cells = []
    for begin in range(0, len(rate_cells), step):
        of = rate_cells[begin].parameters
        known = {
            key: of[key] for key in ("data", "fingerprint", "permutation", "keep_negative")
        } | {key: of[key] for key in ("nu_values", "folds", "seed")}
        tables = [{key: part[key] for key in TABLE} for part in rates[begin : begin + step]]
        widths = [list(block) for block in protocol.blocks()]
        extra = {"sigmas": widths, "tables": tables, "alphas": list(alphas), "methods": names}
        cells.append(Cell(f"{__name__}:errors", known | extra))
    return cells


def errors(
    data: str,
    fingerprint: str,
    permutation: int,
    keep_negative: float,
    nu_values: int,
    sigmas: Sequence[Sequence[float]],
    folds: int,
    seed: int,
    tables: Sequence[Mapping[str, Any]],
    alphas: Sequence[float],
    methods: Sequence[str],
) -> Result:
    """Count false alarms and misses on test points, (aims, methods, 2)."""
    grid, line = joined(tables, nu_values, sigmas, folds, seed)
    machines = _Machines(split(data, fingerprint, permutation, keep_negative))
    aims: list[float | None] = list(alphas) or [None]
    counts, chosen = [], []
    for alpha in aims:
        of_aim, where = [], []
        for method in map(of_name, methods):
            found = method.classifier(alpha).choose(line if method.strategy == NU else grid)
            of_aim.append(machines.errors(method, alpha, found))
            where.append([found.sigma, found.nu_plus, found.nu_minus])
        counts.append(of_aim)
        chosen.append(where)
    positive = machines.test.positive
    return {
        "errors": counts,
        "chosen": chosen,
        "n_plus": int(positive.sum()),
        "n_minus": int((~positive).sum()),
    }


class _Fit(NamedTuple):
    """Values of one normal vector on training and test points, and its own intercept."""

    train: FloatArray
    test: FloatArray
    intercept: float
    is_trivial: bool


class _Machines:
    """2ν-SVMs of the training points, each fitted once."""

    def __init__(self, parts: Split) -> None:
        self.train, self.test = parts
        self._fits: dict[tuple[float, float, float], _Fit] = {}

    def errors(self, method: Method, alpha: float | None, search: Any) -> list[int]:
        """Return false alarms and misses on the test points."""
        from nestviz.estimators.bias_shift import shifted_offset
        from nestviz.estimators.error_control.criteria import Minimax, NeymanPearson

        fit = self._fit(method, alpha, search)
        intercept = fit.intercept
        if method.shift:
            aim = Minimax() if alpha is None else NeymanPearson(alpha)
            intercept = shifted_offset(fit.train, self.train.positive, intercept, aim)
        called = (fit.test + intercept >= 0) & (not fit.is_trivial)
        positive = self.test.positive
        return [int((called & ~positive).sum()), int((~called & positive).sum())]

    def _fit(self, method: Method, alpha: float | None, search: Any) -> _Fit:
        key = (search.sigma, search.nu_plus, search.nu_minus)
        if key not in self._fits:
            model = method.classifier(alpha).fit_chosen(self.train.X, self.train.y, search)
            values = [model.family_.values(part.X, 0.0) for part in (self.train, self.test)]
            train, test = (np.asarray(part, dtype=np.float64).ravel() for part in values)
            self._fits[key] = _Fit(train, test, model.intercept_, model.is_trivial_)
        return self._fits[key]
