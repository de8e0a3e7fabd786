"""`Protocol`: how the experiments of section VI are run, fixed before running."""

from __future__ import annotations

from dataclasses import dataclass

from nestviz.studies.published import published

SETS = tuple(row["dataset"] for row in published("fig06_datasets"))
"""The thirteen benchmark sets, in the order of the paper."""
SIZES = {
    row["dataset"]: (int(row["n_train"]), int(row["n_test"]), int(row["permutations"]))
    for row in published("fig06_datasets")
}
"""Training points, test points and permutations of each set."""


@dataclass(frozen=True)
class Protocol:
    """Grids and repetitions of the experiments.

    Attributes
    ----------
    sets : tuple of str
        Benchmark sets.
    permutations : int
        Random splits of each set; at most as many as in the paper.
    chosen_on : int
        Number of the first splits on which σ and λ are chosen.
    sigmas, lambdas : int
        Sizes of the grids.
    folds : int
        Parts of the cross-validation.
    asymmetries, levels : int
        Numbers of sets that the nested SVMs solve for, two classes and one.
    """

    sets: tuple[str, ...] = SETS
    permutations: int = 100
    chosen_on: int = 10
    sigmas: int = 20
    lambdas: int = 10
    folds: int = 5
    asymmetries: int = 5
    levels: int = 11

    def splits(self, name: str) -> range:
        """Return the permutations of one set."""
        return range(min(self.permutations, SIZES[name][2]))

    def chosen_splits(self, name: str) -> range:
        """Return the permutations of one set on which parameters are chosen."""
        return range(min(self.chosen_on, len(self.splits(name))))

    def describe(self) -> list[str]:
        """Say what is done."""
        most = max(len(self.splits(name)) for name in self.sets)
        few = [name for name in self.sets if len(self.splits(name)) < most]
        fewer = f" ({', '.join(few)}: {len(self.splits(few[0]))})" if few else ""
        which = "All 13 benchmark sets" if self.sets == SETS else f"Sets: {', '.join(self.sets)}"
        return [
            f"{which}, each standardised as a whole and then split at random into as many training "
            f"and test points as in fig. 6: {most} permutations{fewer}.",
            f"Gaussian kernel; {self.sigmas} widths σ, evenly spaced in logarithm from d/15 to "
            "10 d, where d is the average distance between distinct training points (one class: "
            "training points of the negative class) of the permutation.",
            f"Two classes: {self.lambdas} values of λ, evenly spaced in logarithm from 0.1 to "
            "λ_max of the kernel matrix of all training points at that σ; the same in every fold.",
            f"σ and λ have the highest AUC in {self.folds}-fold cross-validation, folds with equal "
            "shares of the classes, for each method on its own. Equal scores: the geometric middle "
            "of the smallest and the largest of them, for σ and for λ. The arithmetic means over "
            f"the first {self.chosen_on} permutations are used in all permutations.",
            f"Nested SVMs: {self.asymmetries} asymmetries from 0 to 1; {self.levels} levels from "
            "λ_1 to a millionth of it. Plain SVMs: whole exact solution paths, in the "
            "cross-validation too.",
            "One class: trained on the negative class. In the cross-validation its held-out points "
            "are compared with uniform points, in the test with the positive class and with new "
            "uniform points; of both as many as there are negative test points, from the box of "
            "all standardised data. Second column: columns with ten values or fewer drawn from "
            "these values.",
            "Sets are closed. Below λ_M the coefficients of both one-class SVMs are held; the path "
            "alone is printed beside. Ties count one half in the AUC; ties as errors are printed "
            "beside.",
            "Ranking disagreement d over all points of the comparison, with its standard deviation "
            "over permutations; its range over all cells of the grid within one standard error of "
            "the best (folds of the first permutation), on the test points of the first "
            "permutation.",
            "Wilcoxon's signed ranks over the sets: of unrounded means; ranks of zeros are split.",
        ]


FULL = Protocol()
QUICK = Protocol(permutations=10, chosen_on=2, sigmas=8, lambdas=5)
