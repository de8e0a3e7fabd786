"""Means, links and tables that several figures share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from nestviz.kernels import median_distance
from nestviz.studies.findings import Row, Value
from nestviz.studies.published import published
from nestviz.studies.reproduce.lee_scott_2010.data import standardised
from nestviz.studies.reproduce.lee_scott_2010.experiments import Experiment, Parameters
from nestviz.studies.reproduce.lee_scott_2010.protocol import SIZES

SOURCE = "Lee & Scott, Nested support vector machines, IEEE Trans. Signal Processing, 2010"
QUANTITIES = {
    "cs": ("two_class", "cs", None),
    "ncs": ("two_class", "ncs", None),
    "oc positive": ("one_class", "oc", "positive"),
    "noc positive": ("one_class", "noc", "positive"),
    "oc uniform": ("one_class", "oc", "uniform"),
    "noc uniform": ("one_class", "noc", "uniform"),
}
"""Columns of fig. 7: part of the experiment, method, alternative."""
NARROWEST, WIDEST = 0.05, 2.0
"""Widths that links to the app can hold, in median distances."""
SMALLEST_POWER, LARGEST_POWER = -2.0, 2.0
"""Powers of ten of λ that links can hold."""


def series(experiment: Experiment, quantity: str, measure: str) -> list[float]:
    """Return a measure on all permutations."""
    part, method, alternative = QUANTITIES[quantity]
    return measured(experiment, part, method, alternative, measure)


def measured(
    experiment: Experiment, part: str, method: str, alternative: str | None, measure: str
) -> list[float]:
    """Return a measure of one method on all permutations; none where it was not taken."""
    results = [result[method] for result in getattr(experiment, part)]
    if alternative is not None:
        results = [result[alternative] for result in results if alternative in result]
    return [result[measure] for result in results if measure in result]


def mean(values: Sequence[float]) -> float:
    """Return the mean, NaN of nothing."""
    return float(np.mean(values)) if len(values) else float("nan")


def deviation(values: Sequence[float]) -> float:
    """Return the standard deviation, NaN of fewer than two values."""
    return float(np.std(values, ddof=1)) if len(values) > 1 else float("nan")


def published_rows(table: str) -> dict[str, dict[str, str]]:
    """Return the rows of a published table by data set."""
    return {row["dataset"]: row for row in published(table)}


def compared(
    name: str, quantity: str, values: Sequence[float], view: Mapping[str, str],
    there: float, there_sd: float = float("nan"),
) -> Value:  # fmt: skip
    """Return the mean of values beside the published one."""
    return Value(
        name, quantity, mean(values), deviation(values), len(values), there, there_sd, view
    )


def view_of(name: str, parameters: Parameters) -> dict[str, str]:
    """Return the page of the app and the link that show a set with the chosen parameters."""
    page = "one-class" if parameters.lam is None else "two-classes"
    share = parameters.sigma.value / _unit(name)
    link = {
        "page": page,
        "data": f"bench-{name}",
        f"bench-{name}.n": str(SIZES[name][0]),
        "standardise": "true",
        "width": f"{min(max(share, NARROWEST), WIDEST):.4g}",
    }
    if standardised(name).X.shape[1] > 2:
        link["show"] = "slice"
    if parameters.lam is not None:
        power = float(np.log10(parameters.lam.value))
        link["loglam"] = f"{min(max(power, SMALLEST_POWER), LARGEST_POWER):.4g}"
    return link


@lru_cache(maxsize=len(SIZES))
def _unit(name: str) -> float:
    return median_distance(standardised(name).X)


def parameter_table(found: Mapping[str, Experiment]) -> list[Row]:
    """Return chosen σ and λ with the smallest and largest of equal scores over permutations."""
    rows = []
    for name, experiment in found.items():
        for method, parameters in experiment.parameters.items():
            for letter, choice in (("sigma", parameters.sigma), ("lambda", parameters.lam)):
                if choice is not None:
                    rows.append(
                        {"dataset": name, "method": method, "parameter": letter,
                         "chosen": choice.value, "smallest": choice.smallest,
                         "largest": choice.largest}
                    )  # fmt: skip
    return rows


def permutation_table(found: Mapping[str, Experiment]) -> list[Row]:
    """Return all measures of all permutations, one row for each method and alternative."""
    rows: list[Row] = []
    for name, experiment in found.items():
        for p, result in enumerate(experiment.two_class):
            rows += [_row(name, p, method, "", one) for method, one in result.items()]
        for p, result in enumerate(experiment.one_class):
            rows += [
                _row(name, p, LABELS.get(method, method), kind, one)
                for method, kinds in result.items()
                for kind, one in kinds.items()
                if kind != "gap"
            ]
    return rows


def certificate_table(found: Mapping[str, Experiment]) -> list[Row]:
    """Return the largest duality gap of the fits behind the test measures."""
    return [
        {"dataset": name, "method": LABELS.get(method, method),
         "largest duality gap": max(result[method]["gap"] for result in results)}
        for name, experiment in found.items()
        for results in (experiment.two_class, experiment.one_class)
        for method in results[0]
    ]  # fmt: skip


LABELS = {"pure": "oc, path alone"}


def _row(name: str, permutation: int, method: str, kind: str, one: Mapping[str, Any]) -> Row:
    return {
        "dataset": name,
        "permutation": permutation,
        "method": method,
        "alternative": kind,
        "auc": one["auc"],
        "auc, ties as errors": one["strict"],
        "d": one.get("d", 0.0),
    }
