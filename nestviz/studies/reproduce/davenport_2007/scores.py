"""Scores of methods over sets: averages, ranks, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.studies.engine.cells import Cell, Result
from nestviz.studies.findings import Claim, Plot, Row, Value
from nestviz.studies.reproduce.common.averages import averaged
from nestviz.studies.reproduce.davenport_2007.methods import TWO_NU, Method

Score = Callable[[float, float], float]
"""(P_F, P_M) to a score; smaller is better."""
SLIP = (
    "The critical differences printed in the thesis (1.10, 1.50, 1.92, 2.35) are those of one "
    "method more than compared; right for 3, 4, 5 and 6 methods on 11 sets are 1.00, 1.41, 1.84 "
    "and 2.27, which are used here."
)


@dataclass(frozen=True)
class Scores:
    """Scores of every method on every permutation of every set.

    Attributes
    ----------
    runs : sequence of (str, int)
        Sets and permutations.
    values : mapping of Method to sequence of float
        Scores in the order of ``runs``.
    """

    runs: Sequence[tuple[str, int]]
    values: Mapping[Method, Sequence[float]]

    @property
    def sets(self) -> list[str]:
        """Return the sets."""
        return list(dict.fromkeys(name for name, _ in self.runs))

    def of(self, method: Method, name: str) -> list[float]:
        """Return the scores of one method on one set."""
        scores = zip(self.runs, self.values[method], strict=True)
        return [score for (other, _), score in scores if other == name]

    def means(self, methods: Sequence[Method]) -> FloatArray:
        """Return mean scores, (sets, methods)."""
        return np.array([[np.mean(self.of(m, name)) for m in methods] for name in self.sets])


def scores_of(cells: Sequence[Cell], results: Sequence[Result], aim: int, score: Score) -> Scores:
    """Return the scores of one aim, a position in the ``alphas`` of the cells."""
    from nestviz.studies.reproduce.davenport_2007.methods import of_name

    runs = [(cell.parameters["data"], cell.parameters["permutation"]) for cell in cells]
    methods = [of_name(name) for name in cells[0].parameters["methods"]]
    return Scores(
        runs,
        {
            method: [score(*_rates(result, aim, k)) for result in results]
            for k, method in enumerate(methods)
        },
    )


def _rates(result: Result, aim: int, method: int) -> tuple[float, float]:
    alarms, misses = result["errors"][aim][method]
    return alarms / result["n_minus"], misses / result["n_plus"]


def score_values(
    scores: Scores,
    methods: Mapping[str, Method],
    published: Mapping[str, Mapping[str, str]],
    view: Mapping[str, str],
) -> list[Value]:
    """Return mean scores of sets and methods beside the published ones."""
    values = []
    for name in scores.sets:
        for words, method in methods.items():
            printed = float(published[name][words]) if name in published else float("nan")
            link = dict(view) | {"data": f"bench-{name}", "search": SEARCHES[method.strategy]}
            found = averaged(scores.of(method, name))
            values.append(Value(name, words, **found, published=printed, view=link))
    return values


SEARCHES = {
    "grid": "whole grid",
    "coordinate-2d": "descent at each σ",
    "coordinate-3d": "descent over all three",
    "nu-svm": "ν-SVM",
    "balanced-nu-svm": "balanced ν-SVM",
}
"""Strategies as the Error control page names them."""


@dataclass(frozen=True)
class RankTable:
    """Average ranks of methods over sets.

    Attributes
    ----------
    title : str
        The number of the published table.
    ranks : mapping of str to float
        Average ranks, 1 is best.
    published : mapping of str to float
        The published ones.
    critical_difference, p_value : float
        Of Nemenyi's test at 0.05, and of Friedman's test.
    """

    title: str
    ranks: Mapping[str, float]
    published: Mapping[str, float]
    critical_difference: float
    p_value: float

    def rows(self) -> list[Row]:
        """Return one row for each method."""
        return [
            {
                "table": self.title, "method": name, "rank": rank,
                "published_rank": self.published.get(name, float("nan")),
                "critical_difference": self.critical_difference, "friedman_p": self.p_value,
            }
            for name, rank in self.ranks.items()
        ]  # fmt: skip

    def values(self) -> list[Value]:
        """Return the ranks as values beside the published ones."""
        nothing = float("nan")
        return [
            Value(name, f"average rank, {self.title}", rank,
                  published=self.published.get(name, nothing))
            for name, rank in self.ranks.items()
        ]  # fmt: skip

    def words(self, names: Sequence[str] | None = None) -> str:
        """Return the ranks as text."""
        shown = self.ranks if names is None else {name: self.ranks[name] for name in names}
        return "; ".join(f"{name} {rank:.2f}" for name, rank in shown.items())

    def published_words(self) -> str:
        """Return the published ranks as text."""
        return "; ".join(f"{name} {self.published[name]:.2f}" for name in self.ranks)

    def plot(self) -> Plot:
        """Return a picture of the ranks, a table of the same title."""
        return Plot(f"ranks {self.title}", "ranks", f"Average ranks, {self.title}",
                    x="method", y="rank")  # fmt: skip


def rank_table(
    title: str, scores: Scores, methods: Mapping[str, Method], published: Mapping[str, float]
) -> RankTable:
    """Rank methods within each set by their mean scores."""
    from nestviz.analysis.method_comparison import compare_methods

    found = compare_methods(scores.means(list(methods.values())))
    ranks = dict(zip(methods, found.ranks.tolist(), strict=True))
    return RankTable(title, ranks, published, found.critical_difference, found.p_value)


def shift_rows(scores: Scores, printed: Mapping[str, float], where: str) -> list[Row]:
    """Return what moving the offset does to each 2ν-SVM method, as in tables 3.2 and 4.1."""
    from nestviz.analysis.method_comparison import wilcoxon

    rows = []
    for words, method in TWO_NU.items():
        plain, shifted = scores.means([method, method.shifted()]).T
        found = wilcoxon(plain, shifted)
        rows.append(
            {
                "case": where, "method": words, "worse_on": int((shifted > plain).sum()),
                "sets": len(plain), "p_value": found.p_value, "published_p": printed[words],
                "shift_is_worse": found.better == 0,
            }
        )  # fmt: skip
    return rows


def shift_claim(rows: Sequence[Row]) -> Claim:
    """Return the claim that moving the offset of a 2ν-SVM makes it worse."""
    worse = sum(row["shift_is_worse"] for row in rows)
    significant = sum(row["shift_is_worse"] and row["p_value"] < 0.05 for row in rows)
    printed = sum(row["published_p"] < 0.05 for row in rows)
    return Claim(
        "Moving the offset of a 2ν-SVM that was chosen by its aim makes it worse, for every way "
        "of searching and smoothing.",
        f"worse in all {len(rows)} cases, p < 0.05 in {printed}",
        f"worse in {worse} of {len(rows)} cases, p < 0.05 in {significant}",
        worse == len(rows),
        "" if worse == len(rows) else "With few sets or permutations the signs vary by chance.",
    )
