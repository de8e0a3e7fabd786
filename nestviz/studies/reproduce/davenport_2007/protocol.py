"""How the experiments of the thesis are run: sets, permutations, grids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from nestviz.studies.reproduce.common.benchmarks import SLOW_SETS

SETS = (
    "banana", "breast-cancer", "diabetes", "flare-solar", "heart", "ringnorm", "thyroid",
    "twonorm", "waveform", "image", "splice",
)  # fmt: skip
SOURCE = "Davenport, Error Control for Support Vector Machines, master's thesis, Rice 2007"
WIDTHS = tuple(float(width) for width in np.geomspace(1e-4, 1e4, 50))
"""The published grid of σ."""
RARE = 0.1
"""Share of the negative training points that unbalanced sets keep."""


@dataclass(frozen=True)
class Protocol:
    """Sets, permutations and grids of a search over (σ, ν₊, ν₋).

    Attributes
    ----------
    sets : tuple of str
        Benchmark sets.
    permutations, permutations_of_slow : int
        Number of permutations; of *image* and *splice*, which have the most training points.
    nu_values : int
        Values k/nu_values of ν₊ and of ν₋, for k from 1.
    sigmas : tuple of float
        Widths.
    widths_per_cell : int
        Number of widths that are computed together.
    folds, seed : int
        Folds of the cross-validation, and the seed of its shuffling.
    """

    sets: tuple[str, ...] = SETS
    permutations: int = 10
    permutations_of_slow: int = 2
    nu_values: int = 10
    sigmas: tuple[float, ...] = WIDTHS[18:38:2]
    widths_per_cell: int = 5
    folds: int = 5
    seed: int = 0

    def describe(self) -> list[str]:
        """Return what is done, in sentences."""
        low, high = min(self.sigmas), max(self.sigmas)
        return [
            f"Benchmark sets: {', '.join(self.sets)}.",
            "Each set is standardised as a whole and then split into as many training and test "
            "points as in the thesis.",
            f"{self.permutations} permutations of each set; {self.permutations_of_slow} of "
            f"{' and '.join(SLOW_SETS)}. Permutation k is split with seed k.",
            f"Grid: {self.nu_values} values of ν₊ and of ν₋, k/{self.nu_values}, and "
            f"{len(self.sigmas)} widths from {low:.3g} to {high:.3g}, evenly by ratio.",
            f"Rates are estimated by {self.folds}-fold cross-validation, stratified, seed "
            f"{self.seed}.",
        ]

    def runs(self) -> Iterator[tuple[str, int]]:
        """Yield every set with every permutation."""
        for name in self.sets:
            slow = name in SLOW_SETS
            for permutation in range(self.permutations_of_slow if slow else self.permutations):
                yield name, permutation

    def blocks(self) -> list[Sequence[float]]:
        """Return the widths of each cell."""
        step = self.widths_per_cell
        return [self.sigmas[k : k + step] for k in range(0, len(self.sigmas), step)]


PUBLISHED = Protocol(
    permutations=100, permutations_of_slow=20, nu_values=50, sigmas=WIDTHS, widths_per_cell=1
)
"""The protocol of the thesis."""
