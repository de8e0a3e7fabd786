"""Tables 4.1 to 4.6: Neyman–Pearson classification, ranks of methods by their scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from nestviz.studies.engine.cells import Cell, Result
from nestviz.studies.engine.drive import Plan
from nestviz.studies.findings import Claim, Findings, Plot, Row, Value
from nestviz.studies.published import published
from nestviz.studies.reproduce.common.averages import averaged
from nestviz.studies.reproduce.davenport_2007.held_out import error_cells
from nestviz.studies.reproduce.davenport_2007.methods import (
    AIM,
    BALANCED,
    NU,
    TWO_NU,
    Method,
    finalists,
    line_methods,
)
from nestviz.studies.reproduce.davenport_2007.minimax import (
    BY_CHANCE,
    TWO_NU_FINALISTS,
    permutation_rows,
)
from nestviz.studies.reproduce.davenport_2007.protocol import PUBLISHED, RARE, SOURCE, Protocol
from nestviz.studies.reproduce.davenport_2007.rates import rate_cells
from nestviz.studies.reproduce.davenport_2007.scores import (
    SLIP,
    RankTable,
    Scores,
    rank_table,
    scores_of,
    shift_claim,
    shift_rows,
)
from nestviz.studies.reproduce.target import Target

ALPHAS = (0.01, 0.05, 0.1, 0.2)
FIVE = finalists(AIM)
CANDIDATES: dict[str, dict[str, Method]] = {
    "4.2": {k: m for k, m in TWO_NU.items() if m.strategy == "grid"},
    "4.3": {k: m for k, m in TWO_NU.items() if m.strategy != "grid"},
    "4.4": line_methods(NU),
    "4.5": line_methods(BALANCED),
    "4.6": FIVE,
}
ROUGH, SMOOTH = "no smoothing, whole grid", "3-D smoothing, whole grid"
Case = tuple[str, float]
"""Balanced or unbalanced, and α."""


def neyman_pearson_score(false_alarm: float, miss: float, alpha: float) -> float:
    """Return max(P_F − α, 0)/α + P_M (4.1)."""
    return max(false_alarm - alpha, 0.0) / alpha + miss


def neyman_pearson_plan(protocol: Protocol) -> Plan:
    """Plan the scores of all methods, on balanced and on unbalanced sets."""
    tables = {"balanced": rate_cells(protocol, 1.0), "unbalanced": rate_cells(protocol, RARE)}
    count = len(tables["balanced"])
    rates = yield [*tables["balanced"], *tables["unbalanced"]]
    parts = {"balanced": rates[:count], "unbalanced": rates[count:]}
    cells = {kind: error_cells(protocol, tables[kind], parts[kind], ALPHAS) for kind in tables}
    count = len(cells["balanced"])
    results = yield [*cells["balanced"], *cells["unbalanced"]]
    found = {"balanced": results[:count], "unbalanced": results[count:]}
    return _findings(cells, found)


def _findings(
    cells: Mapping[str, Sequence[Cell]], results: Mapping[str, Sequence[Result]]
) -> Findings:
    scores = {
        (kind, alpha): scores_of(
            cells[kind], results[kind], k, partial(neyman_pearson_score, alpha=alpha)
        )
        for kind in cells
        for k, alpha in enumerate(ALPHAS)
    }
    ranks = {case: list(_rank_tables(case, scores[case])) for case in scores}
    shifts = [row for case in scores for row in shift_rows(scores[case], *_printed_p(case))]
    last = [found[-1] for found in ranks.values()]
    others = [row for found in ranks.values() for table in found[:-1] for row in table.rows()]
    rows = [row for case in scores for row in _score_rows(case, scores[case])]
    singles = [row for kind in cells for row in _finalist_rows(cells[kind], results[kind])]
    return Findings(
        values=[value for case in ranks for table in ranks[case] for value in _values(table)],
        claims=_claims(ranks, shifts),
        tables={
            "scores": rows, "permutations": singles, "bias shift, table 4.1": shifts,
            "ranks, tables 4.2 to 4.5": others,
            **{f"ranks {table.title}": table.rows() for table in last},
        },
        plots=(
            Plot("scores", "dots", "Neyman–Pearson score on test points", x="set", y="score",
                 group="method", panel="case", low="low", high="high"),
            *(table.plot() for table in last),
        ),
        notes=NOTES,
    )  # fmt: skip


def _finalist_rows(cells: Sequence[Cell], results: Sequence[Result]) -> list[Row]:
    """Return rates and choices of the five methods of table 4.6 only: all would be 21,000 rows."""
    wanted = {method.name for method in FIVE.values()}
    return permutation_rows(cells, results, list(ALPHAS), wanted)


def _values(table: RankTable) -> list[Value]:
    alpha = table.title.split("α = ")[1]
    view = {"page": "error-control", "aim": "Neyman–Pearson", "alpha": alpha,
            "standardise": "true", "rare": str("unbalanced" in table.title).lower()}  # fmt: skip
    return [
        Value(name, f"average rank, {table.title}", rank, published=table.published[name],
              view=view)
        for name, rank in table.ranks.items()
    ]  # fmt: skip


def _rank_tables(case: Case, scores: Scores) -> Iterator[RankTable]:
    kind, alpha = case
    for number, methods in CANDIDATES.items():
        known = {
            row["method"]: float(row[f"{kind}_{alpha:g}"])
            for row in published("thesis_t42_t46_ranks")
            if row["table"] == number
        }
        listed = {name: methods[name] for name in known}
        yield rank_table(f"table {number}, {kind}, α = {alpha:g}", scores, listed, known)


def _printed_p(case: Case) -> tuple[dict[str, float], str]:
    kind, alpha = case
    rows = published("thesis_t41_bias_shift")
    return {r["method"]: float(r[f"{kind}_{alpha:g}"]) for r in rows}, f"{kind}, α = {alpha:g}"


def _score_rows(case: Case, scores: Scores) -> Iterator[Row]:
    for name in scores.sets:
        for words, method in FIVE.items():
            found = averaged(scores.of(method, name))
            yield {
                "case": f"{case[0]}, α = {case[1]:g}", "set": name, "method": words,
                "score": found["ours"], "low": found["ours"] - found["sd"],
                "high": found["ours"] + found["sd"], "n": found["n"],
            }  # fmt: skip


def _claims(ranks: Mapping[Case, Sequence[RankTable]], shifts: Sequence[Row]) -> list[Claim]:
    five = [tables[4] for tables in ranks.values()]
    rare = [tables[4] for (kind, _), tables in ranks.items() if kind == "unbalanced"]
    differ = sum(table.p_value < 0.05 for table in five)
    return [
        Claim(
            "The five methods differ significantly in every case.",
            "Friedman p < 0.001 in all 8 cases",
            f"Friedman p < 0.05 in {differ} of {len(five)} cases",
            _held(differ, len(five)),
        ),
        _counted("The three 2ν-SVM methods rank before the ν-SVM.", five,
                 lambda ranks: _last_of_two_nu(ranks) < ranks["nu"]),
        _counted("The three 2ν-SVM methods rank before the balanced ν-SVM.", five,
                 lambda ranks: _last_of_two_nu(ranks) < ranks["balanced-nu"]),
        _counted("On unbalanced sets 3-D descent ranks before the whole grid.", rare,
                 lambda ranks: ranks["3D-CD"] < ranks["3D-GS"]),
        _counted("3-D smoothing of the whole grid ranks before no smoothing.",
                 [tables[0] for tables in ranks.values()],
                 lambda ranks: ranks[SMOOTH] < ranks[ROUGH]),
        _counted("Of the ways to choose a ν-SVM or a balanced ν-SVM, the best is not by errors "
                 "and then shifted.",
                 [table for tables in ranks.values() for table in tables[2:4]],
                 lambda ranks: not min(ranks, key=ranks.__getitem__).startswith("by errors")),
        shift_claim(shifts),
    ]  # fmt: skip


def _last_of_two_nu(ranks: Mapping[str, float]) -> float:
    return max(ranks[name] for name in TWO_NU_FINALISTS)


def _held(true: int, count: int) -> bool | None:
    """Return whether a claim over cases holds: undecided where in most but not in all of them."""
    if true == count:
        return True
    return None if 2 * true > count else False


def _counted(
    sentence: str, tables: Sequence[RankTable], test: Callable[[Mapping[str, float]], bool]
) -> Claim:
    """Return a claim on ranks in several cases, ours and published."""
    printed = sum(test(table.published) for table in tables)
    true = sum(test(table.ranks) for table in tables)
    against = [table.title for table in tables if not test(table.ranks)]
    return Claim(
        sentence,
        f"in {printed} of {len(tables)} cases",
        f"in {true} of {len(tables)} cases" + (f"; not: {'; '.join(against)}" if against else ""),
        _held(true, len(tables)),
        "" if not against else BY_CHANCE,
    )


NOTES = (
    SLIP,
    "The thesis prints average ranks only, no scores; those here are in the table of scores.",
    "At α = 0.01 a set with a hundred negative test points or fewer can show no false alarm rate "
    "between 0 and 0.01: there the score jumps by 1 for each false alarm.",
    "The rates of the cross-validation are the same as for minimax: both targets share them.",
)


def target() -> Target:
    """Return the target of chapter 4."""
    return Target(
        name="thesis-4",
        title="Neyman–Pearson classification: ranks of methods",
        source=f"{SOURCE}, tables 4.1–4.6",
        plan=neyman_pearson_plan,
        quick=Protocol(),
        full=PUBLISHED,
        cpu_minutes=(10.0, 4500.0),
        page="error-control",
    )
