"""Chapter 11: the AUC of plain and nested SVMs on several data sets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from nestviz.arrays import FloatArray
from nestviz.resources import results_dir
from nestviz.studies.published import published
from nestviz.studies.run_record import read_run
from nestviz.ui.widgets.charts import chart

PROBLEMS = {
    "Two classes": ("cs", "ncs"),
    "One class": ("oc positive", "noc positive"),
}
"""The columns of the plain and of the nested SVM."""
ORIGINS = ("Our runs", "The paper")


@dataclass(frozen=True, eq=False)
class Areas:
    """AUC of the plain and of the nested SVM on each data set."""

    items: tuple[str, ...]
    plain: FloatArray
    nested: FloatArray

    @property
    def change(self) -> FloatArray:
        """What nesting adds to the AUC."""
        return self.nested - self.plain


def measured_areas(problem: str) -> Areas | None:
    """Return the AUC of the study that comes with nestviz, or None where it is not there."""
    try:
        values = read_run(results_dir() / "fig7").findings.values
    except ValueError:
        return None
    known = {(value.item, value.quantity): value.ours for value in values}
    plain, nested = PROBLEMS[problem]
    both = [item for item, quantity in known if quantity == plain and (item, nested) in known]
    return _areas([(item, known[item, plain], known[item, nested]) for item in both])


def published_areas(problem: str) -> Areas:
    """Return the AUC that figure 7 of Lee & Scott (2010) prints."""
    first, second = (f"{column.replace(' ', '_')}_mean" for column in PROBLEMS[problem])
    rows = published("fig07_auc")
    found = _areas([(row["dataset"], float(row[first]), float(row[second])) for row in rows])
    assert found is not None
    return found


def _areas(rows: list[tuple[str, float, float]]) -> Areas | None:
    if not rows:
        return None
    rows = sorted(rows, key=lambda row: row[2] - row[1])
    items, plain, nested = zip(*rows, strict=True)
    return Areas(tuple(items), np.array(plain), np.array(nested))


def show() -> None:
    """Show both areas for each data set."""
    left, right = st.columns(2)
    problem = left.segmented_control(
        "Problem", list(PROBLEMS), default="Two classes", required=True, key="theory_cost_problem",
        help="Cost-sensitive SVMs, or one-class SVMs tested against the other class.",
    )  # fmt: skip
    origin = right.segmented_control(
        "Numbers", ORIGINS, default=ORIGINS[0], required=True, key="theory_cost_origin",
        help="From the study of this project, or as printed in the paper.",
    )  # fmt: skip
    found = measured_areas(problem) if origin == ORIGINS[0] else None
    if origin == ORIGINS[0] and found is None:
        st.info(
            "The study of this comparison has not been run for this copy yet; the paper's numbers "
            "are shown.",
            icon=":material/info:",
        )
    _pairs(found or published_areas(problem), problem)


def _pairs(found: Areas, problem: str) -> None:
    from nestviz.figures.costs import pairs_figure

    higher, lower = int((found.change > 0).sum()), int((found.change < 0).sum())
    names = ("plain SVM", "nested SVM")
    alt = (
        f"AUC of the plain and the nested SVM on {len(found.items)} data sets, {problem.lower()}: "
        f"the nested one is higher on {higher} and lower on {lower}"
    )
    height = 120 + 26 * len(found.items)
    figure = pairs_figure(found.items, found.plain, found.nested, names, "AUC")
    chart(figure, "theory_cost", height, alt)
    worst = int(found.change.argmin())
    st.caption(
        f"The nested SVM has the higher AUC on {higher} of {len(found.items)} data sets and the "
        f"lower one on {lower}. It loses most on {found.items[worst]}: {found.plain[worst]:.3f} "
        f"against {found.nested[worst]:.3f}."
    )
