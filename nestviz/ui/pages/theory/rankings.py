"""Chapter 6: two rankings from one family, as lines between two orders."""

from __future__ import annotations

import streamlit as st

from nestviz.number_words import in_words
from nestviz.ui.pages.theory import examples as mini
from nestviz.ui.widgets.charts import chart

AMBIGUOUS = 38
"""A point that enters, leaves, and enters again."""
METHODS = ("one-class SVM", "nested one-class SVM")


def show() -> None:
    """Show the order of the points by either score."""
    from nestviz.analysis.ranking import ranking_scores
    from nestviz.figures.theory import slopes_figure

    small = mini.tiny()
    families = dict(zip(METHODS, (small.path.family_, small.nested.family_), strict=True))
    left, right = st.columns(2)
    name = left.segmented_control(
        "Method", METHODS, default=METHODS[0], required=True, key="theory_method",
        help="The method whose sets rank the points.",
    )  # fmt: skip
    scores = ranking_scores(families[name], small.fresh)
    most = len(small.fresh) - 1
    row = right.slider("Point", 0, most, AMBIGUOUS, key="theory_point", help="Which of the points.")
    share = f"{scores.disagreement:.0%}"
    alt = (
        f"Sixty points ranked by s₊ on the left and by s₋ on the right, {name}: the lines of "
        f"{share} of them cross another one"
    )
    chart(slopes_figure(scores, row), "theory_ranking", 440, alt)
    count = len(families[name].intervals(small.fresh[[row]])[0])
    times = "once" if count == 1 else f"{count} times"
    st.caption(
        f"Sixty new points; {share} are ranked ambiguously. "
        + (
            f"Point {row} enters {times}: s₊ = {in_words(scores.s_plus[row], 3)}, "
            f"s₋ = {in_words(scores.s_minus[row], 3)}."
            if count
            else f"Point {row} is in none of the sets: both of its scores are −∞."
        )
    )
