"""`Findings`: what a study ends with, as records that can be compared, written and drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

Row = dict[str, Any]
"""One row of a tidy table: plain values under the names of their columns."""


@dataclass(frozen=True)
class Value:
    """One number of a table, ours beside the published one.

    Attributes
    ----------
    item : str
        The row it belongs to, such as a data set.
    quantity : str
        The column it belongs to, such as a method and a measure.
    ours, sd : float
        Mean over the repetitions, and their standard deviation (NaN where there is none).
    n : int
        Number of repetitions.
    published, published_sd : float
        What the source prints; NaN where it prints nothing.
    view : mapping of str to str
        Page and settings of the app that show this case: the key ``page``, and keys of a link.
    """

    item: str
    quantity: str
    ours: float
    sd: float = math.nan
    n: int = 1
    published: float = math.nan
    published_sd: float = math.nan
    view: Mapping[str, str] = field(default_factory=dict)

    @property
    def distance(self) -> float:
        """Return how far ours is from the published value, in published standard deviations.

        Published values are rounded: half a unit of the third digit counts as no distance. NaN
        without a published value or its standard deviation.
        """
        apart = max(abs(self.ours - self.published) - 0.0005, 0.0)
        if apart == 0.0:
            return 0.0
        return apart / self.published_sd if self.published_sd > 0 else math.nan


@dataclass(frozen=True)
class Claim:
    """A sentence of the source, and whether it holds here.

    Attributes
    ----------
    sentence : str
        The claim, in our words.
    published, ours : str
        The evidence there and here, such as a statistic and its limit.
    held : bool or None
        Whether ours agrees; None where it cannot be decided.
    why : str
        The likely reason where it does not.
    """

    sentence: str
    published: str
    ours: str
    held: bool | None
    why: str = ""


@dataclass(frozen=True)
class Plot:
    """A picture of one table: what goes on which axis.

    Attributes
    ----------
    table : str
        Name of the table in `Findings.tables`, or ``"values"``.
    kind : str
        ``"dots"`` (values with intervals beside the published ones), ``"lines"`` (curves) or
        ``"ranks"`` (average ranks with the critical difference).
    title, x, y : str
        Title, and columns of the axes.
    group, panel : str
        Columns that distinguish lines and split pictures; empty for none.
    low, high : str
        Columns of an interval around y; empty for none.
    log_x : bool
        Whether the x axis is logarithmic.
    """

    table: str
    kind: str
    title: str
    x: str = ""
    y: str = ""
    group: str = ""
    panel: str = ""
    low: str = ""
    high: str = ""
    log_x: bool = False


@dataclass(frozen=True)
class Findings:
    """What a study found.

    Attributes
    ----------
    values : sequence of Value
        Numbers to compare with the source.
    claims : sequence of Claim
        Claims of the source, and whether they hold.
    tables : mapping of str to sequence of Row
        Further tidy tables: single repetitions, curves, second ways of counting.
    plots : sequence of Plot
        Pictures of values and tables.
    notes : sequence of str
        What differs from the source, and slips of the source that matter here.
    """

    values: Sequence[Value] = ()
    claims: Sequence[Claim] = ()
    tables: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    plots: Sequence[Plot] = ()
    notes: Sequence[str] = ()

    def plain(self) -> dict[str, Any]:
        """Return the findings as plain values, for JSON."""
        return asdict(self)

    @classmethod
    def of_plain(cls, content: Mapping[str, Any]) -> Findings:
        """Return the findings that `plain` described."""
        return cls(
            values=tuple(Value(**value) for value in content["values"]),
            claims=tuple(Claim(**claim) for claim in content["claims"]),
            tables=content["tables"],
            plots=tuple(Plot(**plot) for plot in content["plots"]),
            notes=tuple(content["notes"]),
        )
