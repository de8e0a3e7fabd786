"""Table 8.1: shares of outliers and support vectors over ν."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nestviz.studies.engine.cells import Cell, Result
from nestviz.studies.engine.drive import Plan
from nestviz.studies.findings import Claim, Findings, Plot, Row, Value
from nestviz.studies.published import published
from nestviz.studies.reproduce.schoelkopf_smola_2002.digits import (
    CODES,
    SOURCE,
    checked_digits,
    fingerprint,
    width,
    with_labels,
)
from nestviz.studies.reproduce.target import Target

NUS = tuple(float(row["nu"]) for row in published("chapter8_t81_usps"))
MAIN = "labels −1 and 1"


@dataclass(frozen=True)
class Protocol:
    """Values of ν, and how many digits are used (0 for all)."""

    nus: tuple[float, ...] = NUS
    rows: int = 0

    def describe(self) -> list[str]:
        """Return what is done, in sentences."""
        count = f"{self.rows}" if self.rows else "All 1,797"
        return [
            f"{count} digits of scikit-learn, eight by eight pixels scaled to [−1, 1], stand for "
            f"the 2,007 test digits of USPS with 16 by 16 pixels.",
            f"ν = {', '.join(f'{nu:g}' for nu in self.nus)}.",
            "The kernel is exp(−‖x − x'‖²/c) with c half the number of pixels, as in the chapter: "
            f"σ = {width(64):g}.",
            "Labels are appended as ten features of −1 and 1, as the pixels have; two other codes, "
            "and no labels at all, are shown beside.",
        ]


def fractions(fingerprint: str, rows: int, code: str, nu: float) -> Result:
    """Fit one ν-SVM, and count outliers and support vectors."""
    from nestviz.analysis.nu.fractions import nu_property
    from nestviz.estimators import NuOneClassSVM

    data = checked_digits(fingerprint)
    X = with_labels(data, code)[: rows or None]
    model = NuOneClassSVM(width(data.X.shape[1]), nu).fit(X)
    found = nu_property(model, X)
    return {
        "outliers": found.outliers,
        "support_vectors": found.support_vectors,
        "holds": found.holds,
        "converged": bool(model.converged_),
    }


def plan(protocol: Protocol) -> Plan:
    """Plan all values of ν with all codes of the labels."""
    known = {"fingerprint": fingerprint(), "rows": protocol.rows}
    runs = [(code, nu) for code in CODES for nu in protocol.nus]
    results = yield [
        Cell(f"{__name__}:fractions", known | {"code": code, "nu": nu}) for code, nu in runs
    ]
    found = dict(zip(runs, results, strict=True))
    rows = [row for (code, nu), result in found.items() for row in _rows(code, nu, result)]
    main = {nu: found[MAIN, nu] for nu in protocol.nus}
    return Findings(
        values=[value for nu in protocol.nus for value in _values(nu, main[nu])],
        claims=_claims(main, results),
        tables={"fractions": rows},
        plots=(
            Plot("fractions", "lines", "Shares of outliers and support vectors over ν", x="nu",
                 y="share", group="of", panel="code", log_x=True),
        ),
        notes=NOTES,
    )  # fmt: skip


def _printed(nu: float) -> dict[str, float]:
    rows = {float(row["nu"]): row for row in published("chapter8_t81_usps")}
    row = rows.get(nu, {})
    return {key: float(row.get(key, "nan")) for key in ("outliers", "support_vectors")}


def _values(nu: float, result: Result) -> list[Value]:
    view = {"page": "theory", "chapter": "ν"}
    return [
        Value(f"ν = {nu:g}", key.replace("_", " "), result[key], published=printed, view=view)
        for key, printed in _printed(nu).items()
    ]


def _rows(code: str, nu: float, result: Result) -> list[Row]:
    rows: list[Row] = [
        {"code": code, "of": key.replace("_", " "), "nu": nu, "share": result[key]}
        for key in ("outliers", "support_vectors")
    ]
    printed = [
        {"code": code, "of": f"published {key.replace('_', ' ')}", "nu": nu, "share": share}
        for key, share in _printed(nu).items()
    ]
    return rows + printed if code == MAIN else rows


def _claims(main: dict[float, Result], everything: Sequence[Result]) -> list[Claim]:
    holds = sum(result["holds"] for result in everything)
    outliers = [main[nu]["outliers"] for nu in main]
    slack = max(nu - main[nu]["outliers"] for nu in main)
    printed = max(nu - _printed(nu)["outliers"] for nu in main)
    return [
        Claim(
            "ν is an upper bound on the share of outliers and a lower bound on the share of "
            "support vectors.",
            f"in all {len(main)} rows",
            f"in {holds} of {len(everything)} fits",
            holds == len(everything),
        ),
        Claim(
            "There is some slack in the bounds, but ν controls the shares.",
            f"the share of outliers is at most {printed:.3f} below ν",
            f"at most {slack:.3f} below ν, and rises with ν",
            bool(slack < 0.1 and np.all(np.diff(outliers) >= 0)),
        ),
        Claim(
            "With small ν the support vectors are several times as many as ν asks for.",
            f"{_printed(0.01)['support_vectors']:.3f} at ν = 0.01",
            f"{main[min(main)]['support_vectors']:.3f} at ν = {min(main):g}",
            bool(main[min(main)]["support_vectors"] > 2 * min(main)),
        ),
    ]


NOTES = (
    "The digits are others than those of the chapter: smaller pictures and fewer pixels, so the "
    "number of free support vectors differs; the bounds do not depend on it.",
    "The chapter does not say how labels are coded as features. With −1 and 1 a wrong label moves "
    "a digit as far as two pixels that change from black to white.",
    "Training times of 1999 are not compared.",
)

TARGET = Target(
    name="chapter8-table8.1",
    title="Shares of outliers and support vectors over ν",
    source=f"{SOURCE}, table 8.1",
    plan=plan,
    quick=Protocol(),
    full=Protocol(),
    cpu_minutes=(0.2, 0.2),
    page="theory",
)
