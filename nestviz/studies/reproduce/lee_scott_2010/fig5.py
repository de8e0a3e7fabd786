"""Fig. 5: how much the number of solved sets matters to nested SVMs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nestviz.estimators.nested_cost_sensitive import NestedCostSensitiveSVM
from nestviz.estimators.nested_one_class import NestedOneClassSVM
from nestviz.grids import Grid
from nestviz.studies.engine.cells import Result
from nestviz.studies.engine.drive import Plan
from nestviz.studies.findings import Claim, Findings, Plot, Row, Value
from nestviz.studies.reproduce.lee_scott_2010.data import check_fingerprint, split, standardised
from nestviz.studies.reproduce.lee_scott_2010.experiments import cell

SET = "banana"
METHODS = {"ncs": (5, 11), "noc": (11, 16)}
"""The two numbers of sets that the paper compares, by method."""
ALIKE = 0.02
"""Sets that differ on no more than this share of the picture look alike."""


@dataclass(frozen=True)
class Protocol:
    """Numbers of sets to compare.

    Attributes
    ----------
    permutations : int
        Training sets.
    counts : tuple of int
        Numbers of solved sets, each compared with ``most``.
    most : int
        The largest number, which stands for all levels.
    sigma, lam : float
        Width, and regularisation of two classes.
    """

    permutations: int = 10
    counts: tuple[int, ...] = (3, 5, 11, 16, 21, 41)
    most: int = 81
    sigma: float = 0.5
    lam: float = 1.0

    def describe(self) -> list[str]:
        """Say what is done."""
        counts = ", ".join(map(str, self.counts))
        return [
            f"Standardised {SET} set, 400 training points of {self.permutations} permutations (one "
            f"class: the negative ones), σ = {self.sigma:g}, λ = {self.lam:g}.",
            f"Nested SVMs with {counts} evenly spaced asymmetries or levels, each against "
            f"{self.most}; and the two pairs of the paper, 5 against 11 and 11 against 16.",
            "Share of the picture on which two families differ, exact in the level: the mean over "
            "pixels of the distance between entry levels, as a share of the range of levels.",
            "Coefficients of the paper's pairs at the levels of the larger family, interpolated in "
            "the smaller one; differences as a share of the largest coefficient.",
        ]


def compare(
    *, data: str, fingerprint: str, permutation: int, method: str, few: int, many: int,
    sigma: float, lam: float,
) -> Result:  # fmt: skip
    """Return the symmetric difference of two families, and quartiles of their coefficients."""
    check_fingerprint(data, fingerprint)
    points, (rows, _) = standardised(data), split(data, permutation)
    X, y = points.X[rows], points.y[rows]
    grid = Grid.around(points.X)
    if method == "ncs":
        pair: list[Any] = [NestedCostSensitiveSVM(sigma, lam, m).fit(X, y) for m in (few, many)]
        levels, span = pair[1].asymmetries_, 1.0
    else:
        pair = [NestedOneClassSVM(sigma, m).fit(X[y == -1]) for m in (few, many)]
        levels, span = pair[1].levels_, float(pair[1].levels_[0])
    entry = [np.clip(one.family_.first_level(grid), 0.0, span) for one in pair]
    change = pair[0].coefficients(levels) - pair[1].coefficients(levels)
    change /= np.abs(pair[1].coefficients(levels)).max()
    return {
        "difference": float(np.mean(np.abs(entry[0] - entry[1])) / span),
        "levels": levels.tolist(),
        "quartiles": np.percentile(change, [25, 75], axis=1).T.tolist(),
        "largest": float(np.abs(change).max()),
    }


def plan(protocol: Protocol) -> Plan:
    """Compare the numbers of sets."""
    wanted = [
        (method, few, many, p)
        for method, (small, large) in METHODS.items()
        for few, many in (*((m, protocol.most) for m in protocol.counts), (small, large))
        for p in range(protocol.permutations)
    ]
    results = yield [
        cell("fig5:compare", SET, p, method=method, few=few, many=many, sigma=protocol.sigma,
             lam=protocol.lam)
        for method, few, many, p in wanted
    ]  # fmt: skip
    table: list[Row] = [
        {"method": method, "sets": few, "against": many, "permutation": p,
         "difference": one["difference"], "largest change": one["largest"]}
        for (method, few, many, p), one in zip(wanted, results, strict=True)
    ]  # fmt: skip
    quartiles = [
        {"method": method, "permutation": p, "level": level, "lower": low, "upper": high}
        for (method, few, many, p), one in zip(wanted, results, strict=True)
        if (few, many) == METHODS[method]
        for level, (low, high) in zip(one["levels"], one["quartiles"], strict=True)
    ]
    values = _values(table)
    return Findings(
        values=values,
        claims=[_alike(table, quartiles, method) for method in METHODS],
        tables={"differences": table, "quartiles of coefficients": quartiles},
        plots=[
            Plot("differences", "lines", "Share of the picture that differs from 81 sets",
                 x="sets", y="difference", group="method", log_x=True),
        ],
        notes=["The paper shows pictures and box plots of this comparison, and prints no numbers."],
    )  # fmt: skip


def _values(table: list[Row]) -> list[Value]:
    values = []
    for method, few, many in dict.fromkeys((r["method"], r["sets"], r["against"]) for r in table):
        found = [
            row["difference"] for row in table
            if (row["method"], row["sets"], row["against"]) == (method, few, many)
        ]  # fmt: skip
        sd = float(np.std(found, ddof=1)) if len(found) > 1 else float("nan")
        values.append(
            Value(
                f"{few} against {many}", f"difference {method}", float(np.mean(found)), sd,
                len(found), view={"page": PAGES[method], "data": "bench-banana", "levels": str(few)},
            )
        )  # fmt: skip
    return values


PAGES = {"ncs": "two-classes", "noc": "one-class"}


def _alike(table: list[Row], quartiles: list[Row], method: str) -> Claim:
    few, many = METHODS[method]
    share = np.mean(
        [
            r["difference"]
            for r in table
            if (r["method"], r["sets"], r["against"]) == (method, few, many)
        ]
    )
    widest = [max(abs(r["lower"]), abs(r["upper"])) for r in quartiles if r["method"] == method]
    small = float(np.mean(np.array(widest) < 0.01))
    return Claim(
        f"{few} and {many} solved sets give almost the same family ({method}).",
        "pictures; quartiles of most differences of coefficients cannot be told from zero",
        f"they differ on {100 * share:.2f} % of the picture; at {100 * small:.0f} % of the levels "
        "the quartiles are within 1 % of the largest coefficient",
        bool(share <= ALIKE and small > 0.5),
    )
