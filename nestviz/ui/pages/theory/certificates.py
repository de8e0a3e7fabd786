"""Chapter 16: the decomposition step by step, and the gap that certifies it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from nestviz.analysis.decomposition import Decomposition, decompose
from nestviz.arrays import FloatArray
from nestviz.kernels import GaussianKernel
from nestviz.number_words import in_words
from nestviz.ui.pages.theory import examples as mini
from nestviz.ui.results.cache import kept
from nestviz.ui.widgets.charts import chart

STEPS, LEVELS = 80, 5


@dataclass(frozen=True, eq=False)
class Solved:
    """The steps of a solver; gaps and true errors relative to the optimal objective."""

    steps: Decomposition
    gaps: FloatArray
    errors: FloatArray


@kept()
def solved() -> Solved:
    """Return the decomposition of forty points at five levels."""
    from nestviz.estimators import NestedOneClassSVM

    small = mini.tiny()
    levels = small.levels(LEVELS, lowest=0.1)
    found = decompose(GaussianKernel(small.sigma).gram(small.X, small.X), levels, STEPS)
    exact = NestedOneClassSVM(small.sigma, levels, tol=1e-12).fit(small.X).objective_
    gaps = np.array([step.gap for step in found.steps])
    errors = np.array([step.objective for step in found.steps]) - exact
    return Solved(found, gaps / abs(exact), errors / abs(exact))


def show() -> None:
    """Show one step, and the gap over all of them."""
    from nestviz.figures.theory import certificate_figure, step_figure

    number = st.slider("Step", 1, STEPS, 26, key="theory_step", help="One point in each step.")
    found = solved()
    step = found.steps.steps[number - 1]
    gap, apart = found.gaps[number - 1], found.errors[number - 1]
    pooled = not np.allclose(step.after, step.targets)
    left, right = st.columns(2)
    with left:
        alt = (
            f"Step {number}: α/λ of point {step.point} at five levels before the step, its "
            f"targets, and the feasible answer{', which differs from them' if pooled else ''}"
        )
        figure = step_figure(found.steps.levels, found.steps.bounds, step)
        chart(figure, "theory_step_", 380, alt)
    with right:
        count = np.arange(1, STEPS + 1)
        alt = (
            f"Duality gap and true error over the steps: {in_words(gap)} and {in_words(apart)} "
            f"at step {number}"
        )
        chart(certificate_figure(count, found.gaps, found.errors, number), "theory_gap", 380, alt)
    st.caption(
        f"Step {number}: point {step.point} violates the optimality conditions most. "
        + (
            "Its targets are not allowed and are pooled. "
            if pooled
            else "Its targets are allowed. "
        )
        + f"The certificate guarantees an error of at most {in_words(gap)} of the "
        f"objective; the true one is {in_words(apart)}."
    )
