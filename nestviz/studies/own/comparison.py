"""Methods compared over data sets: Wilcoxon for two, Friedman and Nemenyi for more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nestviz.analysis.method_comparison import compare_methods, wilcoxon
from nestviz.arrays import FloatArray
from nestviz.studies.findings import Plot, Row

LEVEL = 0.05
"""Level of the tests."""


@dataclass(frozen=True)
class Compared:
    """The tests of one measure: their rows, average ranks, a plot, and a sentence."""

    tests: Sequence[Row]
    ranks: Sequence[Row]
    plots: Sequence[Plot]
    sentence: str


def compared(
    measure: str, methods: Sequence[str], means: FloatArray, lower_is_better: bool, table: str
) -> Compared:
    """Compare methods by their means on the data sets.

    Parameters
    ----------
    measure : str
        What was measured.
    methods : sequence of str
        Their titles.
    means : ndarray of shape (n_datasets, n_methods)
        Unrounded means over the permutations.
    lower_is_better : bool
        Whether smaller means are better.
    table : str
        Name of the table of ranks.

    Returns
    -------
    Compared
    """
    if min(means.shape) < 2:
        return Compared((), (), (), f"{measure}: tests need two methods and two data sets.")
    if not np.isfinite(means).all():
        return Compared((), (), (), f"{measure}: not every mean is a number, so nothing is tested.")
    if len(methods) == 2:
        return _two(measure, methods, means, lower_is_better)
    return _more(measure, methods, means, lower_is_better, table)


def _two(
    measure: str, methods: Sequence[str], means: FloatArray, lower_is_better: bool
) -> Compared:
    found = wilcoxon(means[:, 0], means[:, 1], lower_is_better=lower_is_better)
    row = {"measure": measure, "test": "Wilcoxon", "datasets": len(means)}
    row |= {"statistic": found.statistic, "p_value": found.p_value}
    evidence = f"Wilcoxon's signed ranks on {len(means)} data sets, p = {found.p_value:.2g}"
    if found.p_value < LEVEL and found.better >= 0:
        other = methods[1 - found.better]
        sentence = f"{measure}: {methods[found.better]} is better than {other} ({evidence})."
    else:
        sentence = f"{measure}: no difference between the two methods is shown ({evidence})."
    return Compared([row], (), (), sentence)


def _more(
    measure: str, methods: Sequence[str], means: FloatArray, lower_is_better: bool, table: str
) -> Compared:
    found = compare_methods(means, lower_is_better=lower_is_better, level=LEVEL)
    common = {"measure": measure, "datasets": len(means)}
    tests: list[Row] = [
        common
        | {"test": "Friedman", "statistic": found.statistic, "p_value": found.p_value}
        | {"first": "", "second": ""}
    ]
    tests += [
        common
        | {"test": "Nemenyi", "statistic": abs(found.ranks[i] - found.ranks[j])}
        | {"p_value": found.pair_p_values[i, j], "first": methods[i], "second": methods[j]}
        for j in range(len(methods))
        for i in range(j)
    ]
    difference = found.critical_difference
    ranks = [
        {"method": method, "rank": float(rank), "critical_difference": difference}
        for method, rank in zip(methods, found.ranks, strict=True)
    ]
    title = f"Average ranks by {measure}, and the critical difference at level {LEVEL:g}"
    plots = [Plot(table, "ranks", title, x="method", y="rank")]
    best = methods[int(np.argmin(found.ranks))]
    differ = "differ" if found.p_value < LEVEL else "are not shown to differ"
    sentence = (
        f"{measure}: the methods {differ} (Friedman on {len(means)} data sets, p = "
        f"{found.p_value:.2g}); {best} has the best average rank, and two ranks differ from "
        f"{difference:.2f} on (Nemenyi)."
    )
    return Compared(tests, ranks, plots, sentence)
