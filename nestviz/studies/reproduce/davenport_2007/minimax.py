"""Tables 3.7 and 3.8, with 3.2 to 3.6 and 3.9: minimax classification."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from nestviz.studies.engine.cells import Cell, Result
from nestviz.studies.engine.drive import Plan
from nestviz.studies.findings import Claim, Findings, Plot, Row
from nestviz.studies.published import published
from nestviz.studies.reproduce.davenport_2007.held_out import error_cells
from nestviz.studies.reproduce.davenport_2007.methods import (
    BALANCED,
    ERROR,
    NU,
    TWO_NU,
    Method,
    finalists,
    line_methods,
    of_name,
)
from nestviz.studies.reproduce.davenport_2007.protocol import PUBLISHED, RARE, SOURCE, Protocol
from nestviz.studies.reproduce.davenport_2007.rates import rate_cells
from nestviz.studies.reproduce.davenport_2007.scores import (
    SLIP,
    RankTable,
    Scores,
    rank_table,
    score_values,
    scores_of,
    shift_claim,
    shift_rows,
)
from nestviz.studies.reproduce.target import Target

FIVE = finalists(ERROR)
TWO_NU_FINALISTS = ("3D-GS", "2D-CD", "3D-CD")
TABLES = {True: "thesis_t37_minimax_balanced", False: "thesis_t38_minimax_unbalanced"}


def minimax_plan(protocol: Protocol, balanced: bool) -> Plan:
    """Plan the minimax rates of all methods, on balanced or on unbalanced sets."""
    tables = rate_cells(protocol, 1.0 if balanced else RARE)
    rates = yield tables
    cells = error_cells(protocol, tables, rates, ())
    results = yield cells
    return _findings(cells, results, balanced, protocol.nu_values < PUBLISHED.nu_values)


def _findings(
    cells: Sequence[Cell], results: Sequence[Result], balanced: bool, coarse: bool
) -> Findings:
    column = "balanced" if balanced else "unbalanced"
    scores = scores_of(cells, results, 0, max)
    printed = {row["dataset"]: row for row in published(TABLES[balanced])}
    view = {"page": "error-control", "aim": "minimax", "smoothing": "3-D", "standardise": "true",
            "rare": str(not balanced).lower()}  # fmt: skip
    ranks = _rank_tables(scores, column)
    p_values = {row["method"]: float(row[column]) for row in published("thesis_t32_bias_shift")}
    shifts = shift_rows(scores, p_values, column)
    values = score_values(scores, FIVE, printed, view)
    value_rows = [
        {"set": v.item, "method": v.quantity, "source": source, "rate": y, "low": y - sd,
         "high": y + sd}
        for v in values
        for source, y, sd in (("published", v.published, 0.0), ("ours", v.ours, v.sd))
    ]  # fmt: skip
    return Findings(
        values=(*values, *(value for table in ranks for value in table.values())),
        claims=_claims(ranks, shifts, balanced, coarse),
        tables={
            "rates": value_rows,
            "permutations": permutation_rows(cells, results, [None]),
            "bias shift, table 3.2": shifts,
            **{f"ranks {table.title}": table.rows() for table in ranks},
        },
        plots=(
            Plot("rates", "dots", f"max(P_F, P_M) on test points, {column} sets", x="set",
                 y="rate", group="source", panel="method", low="low", high="high"),
            *(table.plot() for table in ranks),
        ),
        notes=NOTES,
    )  # fmt: skip


def _rank_tables(scores: Scores, column: str) -> list[RankTable]:
    def printed(number: str) -> dict[str, float]:
        rows = published("thesis_t33_t39_ranks")
        return {row["method"]: float(row[column]) for row in rows if row["table"] == number}

    candidates: dict[str, dict[str, Method]] = {
        "3.3": {k: m for k, m in TWO_NU.items() if m.strategy == "grid"},
        "3.4": {k: m for k, m in TWO_NU.items() if m.strategy != "grid"},
        "3.5": line_methods(NU),
        "3.6": line_methods(BALANCED),
        "3.9": FIVE,
    }
    tables = []
    for number, methods in candidates.items():
        known = printed(number)
        listed = {name: methods[name] for name in known}
        tables.append(rank_table(f"table {number}", scores, listed, known))
    return tables


def _claims(
    tables: Sequence[RankTable], shifts: Sequence[Row], balanced: bool, coarse: bool
) -> list[Claim]:
    smoothing, descent, nu, equal, five = tables
    return [
        _five_differ(five, balanced),
        _two_nu_lead(five),
        _smoothing_helps(smoothing, coarse),
        _descent_suffices(five),
        _smooth_descent(descent, coarse),
        _best_of_line(nu, "ν-SVM", "by errors, shifted"),
        _best_of_line(equal, "balanced ν-SVM", "by the aim, not shifted"),
        shift_claim(shifts),
    ]


COARSE = (
    "Undecided by a grid coarser than the published one: its windows span 0.3 of the range of ν "
    "and a factor of 4 in σ, instead of 0.06 and 2."
)
BY_CHANCE = "Ranks closer than the critical difference change places by chance."


def _five_differ(five: RankTable, balanced: bool) -> Claim:
    differ = five.p_value < 0.05
    if balanced:
        sentence = "On balanced sets the five methods do not differ significantly."
        return Claim(sentence, "Friedman p = 0.502", f"Friedman p = {five.p_value:.3g}", not differ)
    return Claim(
        "On unbalanced sets the five methods differ significantly.",
        "Friedman p = 0.0003",
        f"Friedman p = {five.p_value:.3g}",
        differ,
    )


def _two_nu_lead(five: RankTable) -> Claim:
    best_line = min(five.ranks["nu"], five.ranks["balanced-nu"])
    lead = max(five.ranks[name] for name in TWO_NU_FINALISTS) < best_line
    return Claim(
        "The three 2ν-SVM methods rank before the ν-SVM and the balanced ν-SVM.",
        five.published_words(),
        five.words(),
        lead,
        "" if lead else BY_CHANCE,
    )


def _smoothing_helps(table: RankTable, coarse: bool) -> Claim:
    none, two, three = (table.ranks[name] for name in table.ranks)
    helps = none > max(two, three)
    sure = none - min(two, three) >= table.critical_difference
    return Claim(
        "Smoothing the estimated rates over the whole grid lowers the error on new points.",
        table.published_words(),
        f"{table.words()}; critical difference {table.critical_difference:.2f}, "
        f"{'reached' if sure else 'not reached'}",
        helps or (None if coarse else False),
        "" if helps else COARSE if coarse else BY_CHANCE,
    )


def _descent_suffices(five: RankTable) -> Claim:
    gap = max(abs(five.ranks[name] - five.ranks["3D-GS"]) for name in ("2D-CD", "3D-CD"))
    return Claim(
        "Coordinate descent with 3-D smoothing does about as well as the whole grid.",
        "ranks differ by 0.64 or less",
        f"ranks differ by {gap:.2f}; critical difference {five.critical_difference:.2f}",
        gap < five.critical_difference,
    )


def _smooth_descent(table: RankTable, coarse: bool) -> Claim:
    smooth = [rank for name, rank in table.ranks.items() if name.startswith("3-D")]
    rough = [rank for name, rank in table.ranks.items() if name.startswith("no")]
    held = max(smooth) < min(rough)
    return Claim(
        "Descents that see 3-D smoothed rates rank before descents that see raw ones.",
        table.published_words(),
        table.words(),
        held or (None if coarse else False),
        "" if held else COARSE if coarse else BY_CHANCE,
    )


def _best_of_line(table: RankTable, name: str, way: str) -> Claim:
    best = min(table.ranks, key=lambda key: table.ranks[key])
    held = best.startswith(way)
    return Claim(
        f"Of the ways to choose a {name}, the best is: {way}.",
        table.published_words(),
        f"{table.words()}; best: {best}",
        held,
        "" if held else BY_CHANCE,
    )


def permutation_rows(
    cells: Sequence[Cell],
    results: Sequence[Result],
    alphas: Sequence[float | None],
    methods: Collection[str] | None = None,
) -> list[Row]:
    """Return both rates and the choice of every method, or some, on every permutation."""
    rows = []
    for cell, result in zip(cells, results, strict=True):
        at = cell.parameters
        for aim, alpha in enumerate(alphas):
            for k, name in enumerate(at["methods"]):
                if methods is not None and name not in methods:
                    continue
                method = of_name(name)
                (alarms, misses), chosen = result["errors"][aim][k], result["chosen"][aim][k]
                rows.append(
                    {
                        "set": at["data"], "kept_negatives": at["keep_negative"],
                        "permutation": at["permutation"], "alpha": alpha,
                        "strategy": method.strategy, "smoothing": method.smoothing,
                        "chosen_by": method.select_by, "shifted": method.shift,
                        "false_alarm": alarms / result["n_minus"],
                        "miss": misses / result["n_plus"],
                        "sigma": chosen[0], "nu_plus": chosen[1], "nu_minus": chosen[2],
                    }
                )  # fmt: skip
    return rows


NOTES = (
    SLIP,
    "The balanced ν-SVM is much better on unbalanced sets here than in table 3.8: diabetes 0.31 "
    "against 0.455, heart 0.30 against 0.413. The grid is not the reason: with the published one, "
    "four permutations give 0.33 and 0.29. The printed values fit none of its variants here.",
    "Where the least published error is below 0.05 (ringnorm, image), the smallest ν of a coarse "
    "grid, 0.1, forbids what the published grid allows.",
    "The rows ν-SVM and balanced ν-SVM of table 3.9 fit the columns of tables 3.7 and 3.8. Ranks "
    "computed from the printed three digits differ from table 3.9 by up to 0.14, because of ties.",
    "The thesis prints no standard deviations, so a distance in them cannot be stated; those of "
    "the permutations here are given.",
    "Permutations, folds and the solver differ from the thesis; ringnorm and waveform are drawn "
    "anew by their recipe.",
)


def target(balanced: bool) -> Target:
    """Return the target of one of the two tables."""
    number = "3.7" if balanced else "3.8"
    kind = "balanced" if balanced else "unbalanced"
    return Target(
        name=f"thesis-{number}",
        title=f"Minimax classification on {kind} sets",
        source=f"{SOURCE}, table {number} (and 3.2–3.6, 3.9)",
        plan=partial(minimax_plan, balanced=balanced),
        quick=Protocol(),
        full=PUBLISHED,
        cpu_minutes=(5.5, 2700.0) if balanced else (2.0, 900.0),
        page="error-control",
    )
