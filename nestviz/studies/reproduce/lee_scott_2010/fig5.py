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
SMALL = 0.01
"""Quartiles of changes, as a share of the largest coefficient, that a box plot does not show."""


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
    sigma : float
        Width.
    lams : tuple of float
        Regularisations of two classes.
    """

    permutations: int = 10
    counts: tuple[int, ...] = (3, 5, 11, 16, 21, 41)
    most: int = 81
    sigma: float = 0.5
    lams: tuple[float, ...] = (0.1, 1.0, 10.0)

    def describe(self) -> list[str]:
        """Say what is done."""
        counts = ", ".join(map(str, self.counts))
        lams = ", ".join(f"{lam:g}" for lam in self.lams)
        return [
            f"Standardised {SET} set, 400 training points of {self.permutations} permutations (one "
            f"class: the negative ones), σ = {self.sigma:g}, λ = {lams}.",
            f"Nested SVMs with {counts} evenly spaced asymmetries or levels, each against "
            f"{self.most}; and the two pairs of the paper, 5 against 11 and 11 against 16.",
            "Share of the picture on which two families differ, exact in the level: the mean over "
            "pixels of the distance between entry levels, as a share of the range of levels.",
            "Quartiles of the differences of coefficients at the levels of the larger family, "
            "interpolated in the smaller one, as a share of the largest coefficient.",
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
        (method, lam, few, many, p)
        for method, (small, large) in METHODS.items()
        for lam in (protocol.lams if method == "ncs" else protocol.lams[:1])
        for few, many in (*((m, protocol.most) for m in protocol.counts), (small, large))
        for p in range(protocol.permutations)
    ]
    results = yield [
        cell("fig5:compare", SET, p, method=method, few=few, many=many, sigma=protocol.sigma,
             lam=lam)
        for method, lam, few, many, p in wanted
    ]  # fmt: skip
    table: list[Row] = [
        {"method": _title(method, lam), "sets": few, "against": many, "permutation": p,
         "difference": one["difference"], "largest change": one["largest"],
         "levels with small quartiles": _small(one)}
        for (method, lam, few, many, p), one in zip(wanted, results, strict=True)
    ]  # fmt: skip
    return Findings(
        values=_values(table),
        claims=[
            _alike(table, method, METHODS[method], protocol)
            for method in METHODS
        ],
        tables={"differences": table},
        plots=[
            Plot("differences", "lines", f"Share of the picture that differs from {protocol.most} "
                 "sets", x="sets", y="difference", group="method", log_x=True),
        ],
        notes=["The paper shows pictures and box plots of this comparison; it prints no numbers, "
               "nor σ and λ."],
    )  # fmt: skip


def _title(method: str, lam: float) -> str:
    return f"ncs, λ = {lam:g}" if method == "ncs" else "noc"


def _small(result: Result) -> float:
    """Return the share of levels at which both quartiles of the changes are next to zero."""
    return float(np.mean(np.abs(result["quartiles"]).max(axis=1) < SMALL))


def _values(table: list[Row]) -> list[Value]:
    values = []
    for method, few, many in dict.fromkeys(map(_kind, table)):
        found = [row["difference"] for row in table if _kind(row) == (method, few, many)]
        sd = float(np.std(found, ddof=1)) if len(found) > 1 else float("nan")
        page = "one-class" if method == "noc" else "two-classes"
        view = {"page": page, "data": f"bench-{SET}", "standardise": "true", "levels": str(few)}
        item = f"{few} against {many}"
        values.append(Value(item, method, float(np.mean(found)), sd, len(found), view=view))
    return values


def _kind(row: Row) -> tuple[str, int, int]:
    return row["method"], row["sets"], row["against"]


def _alike(table: list[Row], method: str, pair: tuple[int, int], protocol: Protocol) -> Claim:
    """Compare the pair of the paper; undecided where it depends on λ, which is not printed."""
    lams = protocol.lams if method == "ncs" else protocol.lams[:1]
    found, held = [], []
    for lam in lams:
        rows = [row for row in table if _kind(row) == (_title(method, lam), *pair)]
        share = float(np.mean([row["difference"] for row in rows]))
        small = float(np.mean([row["levels with small quartiles"] for row in rows]))
        found.append(
            f"{_title(method, lam)}: {100 * share:.2f} % of the picture differs, quartiles within "
            f"{SMALL:.0%} of the largest coefficient at {small:.0%} of the levels"
        )
        held.append(share <= ALIKE)
    return Claim(
        f"{pair[0]} and {pair[1]} solved sets give almost the same family ({method}).",
        "pictures that look alike; box plots of coefficients with quartiles next to zero",
        "; ".join(found),
        held[0] if len(set(held)) == 1 else None,
        f"Sets count as almost the same where they differ on at most {ALIKE:.0%} of the picture, a "
        "limit of ours"
        + ("." if len(set(held)) == 1 else "; it depends on λ, which the paper does not print."),
    )
