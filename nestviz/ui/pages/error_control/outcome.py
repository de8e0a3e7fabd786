"""The outcome of a search in plain sentences."""

from __future__ import annotations

import streamlit as st

from nestviz.analysis.rate_scores import Rate
from nestviz.ui.pages.error_control.pictures import ClassifierResult
from nestviz.ui.pages.error_control.rate_table import ErrorControlResult


def show(found: ErrorControlResult, shown: ClassifierResult, held: str = "") -> None:
    """Show the outcome and what it is worth; ``held`` says what is proved, if anything."""
    st.markdown(sentence(found, shown))
    if held:
        st.info(
            f"{held} An estimate is no guarantee: the rates above are those of the estimated "
            "threshold.",
            icon=":material/verified:",
        )
        return
    st.info(_caveat(found, shown), icon=":material/balance:")


def sentence(found: ErrorControlResult, shown: ClassifierResult) -> str:
    """Say the goal, and both error rates by cross-validation and on held-out points."""
    alpha, test = found.settings.alpha, shown.test
    alarm, miss = shown.rates
    words = "Both error rates should be small, the larger one as small as possible."
    if alpha is not None:
        words = f"At most {alpha:.0%} of class −1 should be called +1."
    if test is None:
        return f"**{words}** Estimated: false alarms {alarm:.1%}, misses {miss:.1%}."
    return (
        f"**{words}** False alarms: estimated {alarm:.1%}, on held-out points "
        f"{_interval(test.false_alarm, test.confidence)}. Misses: estimated {miss:.1%}, on "
        f"held-out points {_interval(test.miss, test.confidence)}."
    )


def _interval(rate: Rate, confidence: float) -> str:
    low, high = rate.interval
    return f"{rate.value:.1%} ({confidence:.0%} interval {100 * low:.1f} to {high:.1%})"


def _caveat(found: ErrorControlResult, shown: ClassifierResult) -> str:
    alpha, n_minus = found.settings.alpha, found.table.n_minus
    reason = "Both rates are noisy, and the best of many looks better than it is"
    if alpha is not None:
        kept = "within" if shown.rates[0] <= alpha else "above"
        reason = (
            f"That the false alarm rate is {kept} {alpha:.0%} is estimated from {n_minus} points "
            "of class −1"
        )
    words = f"**An estimate is no guarantee.** {reason}; new points may do worse."
    if shown.test is None:
        return words + " Hold out points to see by how much."
    return words
