"""Scores of minimum volume sets (5.1 and 5.2), over sets, methods and β."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.studies.engine.cells import Cell, Result
from nestviz.studies.findings import Row

METHODS = {"one-class": "oc", "thinned": "thin", "manifold": "manifold"}
"""Kinds of reference points and their short names in the published tables."""
Key = tuple[str, str, float]
"""Set, method, β."""


def score(mass: float, error: float, beta: float) -> float:
    """Return max(β − P(G), 0)/(1 − β) plus a volume or an error on anomalies."""
    return max(beta - mass, 0.0) / (1.0 - beta) + error


@dataclass(frozen=True)
class Measured:
    """Mass, volume and share of anomalies of every set that was fitted.

    Attributes
    ----------
    sets : sequence of str
        Benchmark sets.
    betas : sequence of float
        Nominal masses.
    found : mapping of Key to sequence of Result
        One result for each permutation.
    """

    sets: Sequence[str]
    betas: Sequence[float]
    found: Mapping[Key, Sequence[Result]]

    @classmethod
    def of(
        cls, cells: Sequence[Cell], results: Sequence[Result], betas: Sequence[float]
    ) -> Measured:
        """Sort the results of cells."""
        found: dict[Key, list[Result]] = {}
        for cell, result in zip(cells, results, strict=True):
            at = cell.parameters
            for beta, one in zip(betas, result["sets"], strict=True):
                measured = {**one, "permutation": at["permutation"]}
                found.setdefault((at["data"], at["reference"], beta), []).append(measured)
        names = list(dict.fromkeys(cell.parameters["data"] for cell in cells))
        return cls(names, betas, found)

    def of_set(self, name: str, method: str, beta: float) -> Sequence[Result]:
        """Return the results of all permutations."""
        return self.found[name, method, beta]

    def scores(self, name: str, method: str, beta: float, of: str = "volume") -> list[float]:
        """Return scores by volume, by positives, or by the volume outside."""
        return [
            score(one["mass"], 1.0 - one["volume"] if of == "outside" else one[of], beta)
            for one in self.of_set(name, method, beta)
        ]

    def means(self, beta: float, of: str = "volume") -> FloatArray:
        """Return mean scores, (sets, methods)."""
        return np.array([[np.mean(self.scores(name, method, beta, of)) for method in METHODS]
                         for name in self.sets])  # fmt: skip

    def shortfall(self, method: str, beta: float) -> float:
        """Return by how much the mass is below β, on average over sets, as a share of 1 − β."""
        return float(np.mean([np.mean([score(one["mass"], 0.0, beta) for one in
                                       self.of_set(name, method, beta)])
                              for name in self.sets]))  # fmt: skip

    def rows(self) -> Iterator[Row]:
        """Yield one row for each set that was fitted."""
        for (name, method, beta), results in self.found.items():
            for one in results:
                sigma, plus, minus = one["chosen"]
                yield {
                    "set": name, "method": METHODS[method], "beta": beta,
                    "permutation": one["permutation"], "mass": one["mass"],
                    "volume": one["volume"], "positives_inside": one["positives"],
                    "e_mu": score(one["mass"], one["volume"], beta),
                    "e_plus": score(one["mass"], one["positives"], beta),
                    "sigma": sigma, "nu_plus": plus, "nu_minus": minus,
                }  # fmt: skip
