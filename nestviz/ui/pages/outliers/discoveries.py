"""p-values on the Outliers page: a selection with a limit on false discoveries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from nestviz.arrays import BoolArray
from nestviz.data import Dataset
from nestviz.escaping import LONGEST_NAME, markdown
from nestviz.figures.p_values import ordered_p_values_figure, two_p_values_figure
from nestviz.figures.promised_coverage import promised_coverage_figure
from nestviz.ui.compute import discoveries as work
from nestviz.ui.compute.coverage import MOST_FITS, WAYS
from nestviz.ui.compute.discoveries import HALF, MINUS, PLUS, DiscoveryResult
from nestviz.ui.compute.methods import Spec
from nestviz.ui.data_choice import Current
from nestviz.ui.export import scripts
from nestviz.ui.pages.outliers.results import NO_COLUMNS, Columns
from nestviz.ui.results import fits, jobs
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.charts import chart

USUAL = 10
"""Per cent of false discoveries, at first."""
RARE = 0.3
"""A class with a larger share is not taken for the unusual one."""


@dataclass(frozen=True, eq=False)
class Discoveries:
    """The p-values, and the rows that are selected at a rate of false discoveries."""

    found: DiscoveryResult
    rate: float
    ordinary: str
    spec: Spec

    @property
    def selected(self) -> BoolArray:
        """Which rows are selected."""
        return self.found.selected(self.rate)

    @property
    def conflict(self) -> BoolArray:
        """Rows that one of two p-values selects and the other does not."""
        return self.selected != self.found.selected(self.rate, "last")


def columns(shown: Discoveries | None) -> Columns:
    """Return the columns of the ranking and of its file; none where p-values are not asked for."""
    if shown is None:
        return NO_COLUMNS
    found = {"p-value": shown.found.first, "selected": shown.selected}
    if shown.found.crossing:
        found |= {"p-value, stays": shown.found.last, "conflict": shown.conflict}
    return found


def controls(current: Current, spec: Spec) -> Discoveries | None:
    """Offer p-values; return them where they are asked for."""
    st.header("Outliers with a limit on false discoveries", anchor=False)
    if not inputs.toggle("discover"):
        st.caption(
            "A p-value says how rare a row is among ordinary rows that it was not fitted with. "
            "Rows can then be selected so that few of them are ordinary, on average."
        )
        return None
    left, middle, right = st.columns(3, gap="medium")
    with left:
        percent = inputs.slider("fdr", USUAL)
    with middle:
        options = _choices(current.fitted)
        ordinary = inputs.segments("ordinary", options)
    with right:
        way = inputs.segments("calibrate", list(WAYS))
    found = _judged(current, spec, way, ordinary)
    return None if found is None else Discoveries(found, percent / 100, ordinary, spec)


def _choices(data: Dataset) -> list[str]:
    """Return which rows can be taken for ordinary; first the likely ones."""
    if data.y is None or len(np.unique(data.y)) < 2:
        return [HALF]
    plus = float(np.mean(data.y > 0))
    classes = [PLUS, MINUS] if plus >= 0.5 else [MINUS, PLUS]
    return [*classes, HALF] if min(plus, 1 - plus) <= RARE else [HALF, *classes]


def _judged(current: Current, spec: Spec, way: str, ordinary: str) -> DiscoveryResult | None:
    data = current.fitted
    n = len(work.divide(data.n, data.y, ordinary).reference)
    if n < work.FEWEST:
        rows = "1 reference row is" if n == 1 else f"{n} reference rows are"
        st.info(f"{rows} too few to fit to some and calibrate on others.")
        return None
    if way == "jackknife+" and n > MOST_FITS:
        st.info(
            f"Each of {n:,} reference rows would be left out once, of {MOST_FITS} at most: choose "
            "*split* or *cross*."
        )
        return None
    return jobs.run(
        (data, spec, way, ordinary),
        work.judge,
        spec,
        way,
        ordinary,
        data.X,
        data.y,
        title=f"p-values of {data.n - n:,} rows",
        long=way != "split" or data.n > fits.LONG_ANALYSIS,
    )


def show(current: Current, shown: Discoveries | None) -> None:
    """Show the outcome, what it is worth, and the pictures behind it."""
    if shown is None:
        return
    st.markdown(sentence(shown))
    for words in notes(shown):
        st.caption(words)
    left, right = st.columns(2, gap="medium")
    found, judged = shown.found, shown.found.parts.judged
    with left:
        figure = ordered_p_values_figure(found.first[judged], shown.selected[judged], shown.rate)
        chart(figure, "ordered_p_values", 380, _ordered_alt(shown))
    with right:
        _coverage(found)
    if found.crossing:
        _two(current, shown)


def sentence(shown: Discoveries) -> str:
    """Say how many rows are selected, and what that promises."""
    found, rate, count = shown.found, shown.rate, int(shown.selected.sum())
    if found.fewest(rate) > len(found.parts.judged):
        needed = int(np.ceil(1.0 / rate)) - 1
        return (
            f"**No selection is possible.** {found.n_calibration:,} rows calibrate, so that the "
            f"smallest p-value is {found.smallest:.3g}; at most {rate:.0%} false discoveries need "
            f"{needed:,} or more."
        )
    if not count:
        return (
            f"**No row is selected.** The smallest p-value that {found.n_calibration:,} "
            f"calibrating rows allow is {found.smallest:.3g}: a selection among "
            f"{len(found.parts.judged):,} judged rows has {found.fewest(rate):,} or more. For "
            "fewer outliers, allow more false discoveries, calibrate by *jackknife+* or *cross*, "
            "which use more rows, or use more data. The p-value of each judged row is in the table."
        )
    rows = "1 row is selected" if count == 1 else f"{count:,} rows are selected"
    if found.way != "split":
        return f"**{rows}** of {len(found.parts.judged):,}, aiming at {rate:.0%} ordinary ones."
    return f"**{rows}; on average at most {rate:.0%} of them are ordinary.**"


def notes(shown: Discoveries) -> list[str]:
    """Return what the reference is, what labels say, and what is not proved."""
    found, parts = shown.found, shown.found.parts
    words = [
        f"{len(parts.reference):,} reference rows ({shown.ordinary}), of which "
        f"{found.n_calibration:,} calibrate; {len(parts.judged):,} rows are judged. Reference rows "
        "have no p-value."
    ]
    if shown.ordinary == HALF:
        words.append(
            "The promise is proved for ordinary reference rows. A random half has its own share of "
            "outliers, which raises p-values: few selections, or none, rather than false ones. "
            "Data with a class of rows that are known to be ordinary select more."
        )
    else:
        false = int(shown.selected[parts.ordinary].sum())
        count = int(shown.selected.sum())
        part = f", {false / count:.1%} of those selected" if count else ""
        words.append(
            f"By the labels: {false:,} of {len(parts.ordinary):,} ordinary rows that were judged "
            f"are selected{part}."
        )
    if found.way != "split":
        words.append(f"For {found.way} no proof of the share of false discoveries is known.")
    return words


def _ordered_alt(shown: Discoveries) -> str:
    count, judged = int(shown.selected.sum()), len(shown.found.parts.judged)
    return (
        f"p-values of {judged} judged rows in order, the line of the limit {shown.rate:.0%}, and "
        f"{count} selected rows at its lower end"
    )


def _coverage(found: DiscoveryResult) -> None:
    """Show the coverage of ordinary rows against the promise."""
    ratio, band = found.coverage(), found.band()
    if not ratio.size:
        st.caption("There are no further ordinary rows to check the coverage on.")
        return
    outside = int(np.sum((ratio.masses < band[:, 0] - 1e-9) | (ratio.masses > band[:, 1] + 1e-9)))
    figure = promised_coverage_figure({}, {"sets": ratio}, band)
    alt = (
        f"Share of {ratio.size} ordinary judged rows in calibrated sets over the promised share; "
        f"{outside} of {len(band)} are outside the band"
    )
    chart(figure, "row_coverage", 380, alt)
    st.caption(
        f"Check: the share of {ratio.size:,} judged rows that are ordinary, or taken for it, in "
        f"calibrated sets. {len(band) - outside} of {len(band)} shares are within the band of 95% "
        "of splits."
    )


def _two(current: Current, shown: Discoveries) -> None:
    """Show both p-values of families whose sets cross."""
    found, judged = shown.found, shown.found.parts.judged
    first, last, conflict = found.first[judged], found.last[judged], shown.conflict[judged]
    differ, count = int((first != last).sum()), int(conflict.sum())
    apart = np.abs(first - last)
    worst = markdown(current.source.point_name(int(judged[apart.argmax()])), LONGEST_NAME)
    most = f", most in {worst} by {apart.max():.2f}" if differ else ""
    conflicts = (
        f"{'1 row is' if count == 1 else f'{count:,} rows are'} selected by one and not by the "
        "other: the column *conflict*."
        if count
        else "No row is selected by one and not by the other."
    )
    left, right = st.columns(2, gap="medium")
    with left:
        alt = (
            f"Two p-values of {len(judged)} rows against each other; {differ} are off the "
            f"diagonal, and {count} are in conflict"
        )
        chart(two_p_values_figure(first, last, conflict), "two_p_values", 380, alt)
    right.markdown(
        f"**Sets that cross give two p-values.** One is by the first set that contains a row, the "
        f"other by the set from which on it stays inside. Each is valid on its own, but they "
        f"differ in {differ:,} of {len(judged):,} rows{most}. {conflicts} Nested sets have one "
        "answer."
    )


def lines(current: Current, shown: Discoveries | None) -> scripts.Lines:
    """Return the lines of a script that computes the same p-values."""
    if shown is None:
        return ()
    sign = {PLUS: "1", MINUS: "-1"}.get(shown.ordinary)
    rows = "np.arange(data.n)" if sign is None else f"np.flatnonzero(data.y == {sign})"
    share = 0.5 if sign is None else work.ASIDE
    *imports, model = scripts.fit_lines(current, "inner", shown.spec.solved)
    return (
        "",
        "import numpy as np",
        "from nestviz import ConformalSets",
        *imports,
        model.removesuffix(".fit(data.X)"),
        f"order = np.random.default_rng({work.SEED}).permutation({rows})",
        f"aside = round({share!r} * len(order))",
        "reference = np.sort(order[aside:])",
        "judged = np.setdiff1d(np.arange(data.n), reference)",
        f'sets = ConformalSets(inner, method="{shown.found.way}", random_state={work.SEED})',
        "sets.fit(data.X[reference])",
        "p_values = sets.p_values(data.X[judged])",
        f"selected = judged[sets.select_outliers(data.X[judged], {shown.rate!r})]",
        'print("selected rows:", selected)',
    )
