"""What a study of one's own compares: data, methods, grids, measures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from nestviz.data import (
    DataError,
    Dataset,
    Roles,
    Table,
    label_values,
    make_sample,
    read_table,
    standardise,
    to_dataset,
)
from nestviz.data.errors import listed, quoted
from nestviz.methods import ETA, METHODS, NU, Kind


class Measure(NamedTuple):
    """A number by which methods are compared on test points."""

    words: str
    lower_is_better: bool
    kinds: tuple[Kind, ...]
    needs_labels: bool = False


MEASURES = {
    "auc": Measure("area under the ROC", False, ("one class", "two classes"), needs_labels=True),
    "ranking disagreement": Measure(
        "share of the test points that the two rankings order differently from others",
        True,
        ("one class", "two classes"),
    ),
    "integrated volume": Measure(
        "area under the mass-volume curve, as a share of the box", True, ("one class",)
    ),
    "coverage error": Measure(
        "mean of |1 − share of the test points / share of the training points| over ten sets",
        True,
        ("one class",),
    ),
}
"""All measures by name."""


@dataclass(frozen=True)
class Source:
    """Where the points of one data set come from.

    Attributes
    ----------
    name : str
        Name in tables.
    file, sample : str
        A file, or a sample of nestviz; one of the two.
    label : str or None
        Column of classes.
    positive : tuple of str
        Values of the label that count as +1.
    drop : tuple of str
        Columns that are no features.
    missing : {"drop", "mean"}
        What is done to a missing feature.
    standardise : bool
        Whether features get mean 0 and standard deviation 1, before points are split.
    """

    name: str
    file: str = ""
    sample: str = ""
    label: str | None = None
    positive: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    missing: Literal["drop", "mean"] = "drop"
    standardise: bool = True

    def load(self) -> Dataset:
        """Read or draw the points.

        Raises
        ------
        DataError
            If they cannot be used.
        OSError
            If the file cannot be read.
        """
        if self.sample:
            drawn = make_sample(self.sample)
            return standardise(drawn) if self.standardise else drawn
        file = Path(self.file)
        table = read_table(file.read_bytes(), file.name)
        self._check_columns(table)
        features = tuple(c for c in table.columns if c != self.label and c not in self.drop)
        return to_dataset(
            table, Roles(features, self.label, self.positive, self.missing, self.standardise)
        )

    def _check_columns(self, table: Table) -> None:
        """Name columns that are not there, and the values of a label without positive ones."""
        for key, names in (("label", (self.label,)), ("drop", self.drop)):
            for name in names:
                if name is not None and name not in table.columns:
                    raise DataError(
                        f"{key}: there is no column '{quoted(name)}'.",
                        hint=f"The columns are {listed(table.columns)}.",
                    )
        if self.label is not None:
            known = [value for value, _ in label_values(table, self.label)]
            if not self.positive or not set(self.positive) <= set(known):
                raise DataError(
                    "positive must name values of the label that count as +1.",
                    hint=f"The column '{quoted(self.label)}' has {listed(known)}.",
                )

    def plain(self) -> dict[str, Any]:
        """Return all but name and location, for the parameters of a cell."""
        return {
            "sample": self.sample,
            "label": self.label,
            "positive": list(self.positive),
            "drop": list(self.drop),
            "missing": self.missing,
            "standardise": self.standardise,
        }


@dataclass(frozen=True)
class Settings:
    """A study: every method on every permutation of every data set.

    Attributes
    ----------
    name, title : str
        Name of the folder of results, and title of the report.
    problem : {"one class", "two classes"}
        The problem that all methods solve.
    methods, measures : tuple of str
        Keys of `METHODS` and of `MEASURES`.
    data : tuple of Source
        The data sets.
    permutations, train : int, float
        How often the points are split, and the share of training points.
    folds : int
        Folds of the cross-validation that chooses among the grid.
    sigma, sigma_factors : tuple of float
        Widths of the kernel; or the same in average distances between the training points.
    lam : tuple of float
        Regularisation of the two-class methods.
    levels, spacing, nu, eta
        Settings of the methods that have them; see `nestviz.methods.Spec`.
    seed : int
        Seed of splits, folds and reference points.
    """

    name: str
    title: str
    problem: Kind
    methods: tuple[str, ...]
    measures: tuple[str, ...]
    data: tuple[Source, ...]
    permutations: int = 10
    train: float = 0.5
    folds: int = 5
    sigma: tuple[float, ...] = ()
    sigma_factors: tuple[float, ...] = (0.1, 0.2, 0.4, 0.8)
    lam: tuple[float, ...] = (0.1, 1.0, 10.0)
    levels: int = 11
    spacing: str = "even"
    nu: float = NU
    eta: float = ETA
    seed: int = 0

    @property
    def two_classes(self) -> bool:
        """Whether labels are fitted."""
        return self.problem == "two classes"

    def title_of(self, method: str) -> str:
        """Return the title of a method."""
        return METHODS[self.problem][method].title

    def describe(self) -> list[str]:
        """Return the protocol in sentences."""
        said = [
            f"{len(self.data)} data sets, each split {self.permutations} times into "
            f"{self.train:.0%} training points and test points, class by class.",
            f"Widths: {self._widths()}.",
        ]
        if self.two_classes:
            said.append(f"Regularisation λ: {_listed(self.lam)}.")
            said.append(f"Chosen by the AUC of {self.folds} folds of the training points.")
        else:
            said.append(
                "Fitted to the training points of class +1 alone, where there are classes. Chosen "
                f"by the integrated volume of {self.folds} folds of these points."
            )
        said.append("Of equal scores, the middle one is taken.")
        return said + [f"{name}: {MEASURES[name].words}." for name in self.measures]

    def _widths(self) -> str:
        if self.sigma:
            return _listed(self.sigma)
        return f"{_listed(self.sigma_factors)} average distances between the training points"


def _listed(numbers: tuple[float, ...]) -> str:
    return ", ".join(f"{number:g}" for number in numbers)
