"""Rows of a study's table, sorted into panels and series for drawing."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nestviz.escaping import LONGEST_NAME, plain
from nestviz.studies.findings import Findings, Plot, Row


@dataclass
class Series:
    """Values of one name, each with the text of its x and an interval (NaN for none)."""

    name: str
    x: list[str] = field(default_factory=list)
    y: list[float] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)

    def add(self, x: str, y: float, low: float, high: float) -> None:
        """Add one value."""
        self.x.append(x)
        self.y.append(y)
        self.low.append(low)
        self.high.append(high)


@dataclass(frozen=True)
class Panel:
    """One picture of several."""

    title: str
    series: Sequence[Series]


def number_of(value: Any) -> float:
    """Return a value of a table as a number; NaN where it is none."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    return math.nan


def text_of(value: Any) -> str:
    """Return a value of a table as text."""
    return format(value, ".12g") if isinstance(value, float) else plain(str(value), LONGEST_NAME)


def rows_of(plot: Plot, findings: Findings) -> Sequence[Row]:
    """Return the rows that a plot shows; those of the values come twice, published and ours."""
    if plot.table != "values":
        return findings.tables.get(plot.table, ())
    return [
        {"item": v.item, "quantity": v.quantity, "source": source, "value": y, "low": y - sd,
         "high": y + sd}
        for v in findings.values
        for source, y, sd in (("published", v.published, v.published_sd), ("ours", v.ours, v.sd))
    ]  # fmt: skip


VALUES = Plot(
    "values", "dots", "", x="item", y="value", group="source", panel="quantity", low="low",
    high="high",
)  # fmt: skip
"""How the values of a study are drawn, where a plot names no columns."""


def panels_of(plot: Plot, findings: Findings) -> list[Panel]:
    """Return panels with at least one number, in the order of the table."""
    columns = VALUES if plot.table == "values" and plot.x in ("", "item", "ours") else plot
    found: dict[str, dict[str, Series]] = {}
    for row in rows_of(plot, findings):
        y = number_of(row.get(columns.y))
        if not math.isfinite(y):
            continue
        panel, name = _cell(row, columns.panel), _cell(row, columns.group)
        series = found.setdefault(panel, {}).setdefault(name, Series(name))
        low, high = (number_of(row.get(end)) if end else math.nan for end in _ends(columns))
        series.add(_cell(row, columns.x), y, low, high)
    return [Panel(title, tuple(series.values())) for title, series in found.items()]


def _ends(plot: Plot) -> tuple[str, str]:
    return plot.low, plot.high


def _cell(row: Mapping[str, Any], column: str) -> str:
    return text_of(row[column]) if column and column in row else ""


def averaged(
    rows: Sequence[Row], name: Callable[[Row], str], value: Callable[[Row], float]
) -> tuple[dict[str, float], int]:
    """Return the mean of the finite values of each name, and the number of values of a name."""
    found: dict[str, list[float]] = {}
    for row in rows:
        if math.isfinite(value(row)):
            found.setdefault(name(row), []).append(value(row))
    counts = {len(values) for values in found.values()}
    return {key: sum(v) / len(v) for key, v in found.items()}, min(counts, default=0)
