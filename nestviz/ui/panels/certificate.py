"""How close a solution on weighted centres is to that of all rows, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nestviz.estimators.quantised_fit import has_certificate
from nestviz.quantisation.certificate import percent
from nestviz.ui import error_boundary
from nestviz.ui.compute import all_rows
from nestviz.ui.compute.methods import Fitted
from nestviz.ui.data_choice import Current
from nestviz.ui.results import asides, fits
from nestviz.ui.results.asides import Aside
from nestviz.ui.results.worker.job import Job

COARSE = 0.05
"""From this gap on, the sentence says what brings it down."""
HELP = (
    "A solution on weighted centres has a value in the problem of all rows, and its coefficients, "
    "divided among the rows, bound the optimum of that problem from below. The solution is at most "
    "this share above the optimum: a theorem, computed over all rows, and not an estimate. For "
    "Parzen level sets nothing is solved: the bound is on the density, everywhere."
)


def show(current: Current, solved: Sequence[Fitted]) -> None:
    """Show how many rows the centres stand for, and the certificate of each method."""
    rows = current.rows
    if rows is None:
        return
    words = f"{rows.n:,} rows as {len(rows.found):,} weighted centres"
    with error_boundary.in_words():
        problems = [fitted.under(fitted.spec.solved) for fitted in solved]
        found = {fitted.spec.title: _certified(current, fitted) for fitted in problems}
        running = next((gap for gap in found.values() if isinstance(gap, Aside)), None)
        if running is not None:
            asides.follow(running, lambda job: _computing(words, job))
            return
        gaps = {title: gap for title, gap in found.items() if isinstance(gap, float)}
        st.markdown(_sentence(words, gaps, list(found)), help=HELP)


def _certified(current: Current, fitted: Fitted) -> float | Aside | None:
    """Return the certified gap of a solution, or the work that computes it, or None."""
    rows, spec = current.rows, fitted.spec
    assert rows is not None
    if spec.method == "Parzen":
        top = fits.top_level(current.fitted, spec.sigma)
        return rows.found.field_error(spec.sigma) / top
    if not has_certificate(fitted.estimator):
        return None
    found = asides.run(
        f"certificate {spec.method}",
        (current.fitted, spec),
        all_rows.certify,
        fitted.estimator,
        rows.fitted.X,
        rows.fitted.y,
        rows.found,
        title=f"Certifying {spec.title}",
    )
    return float(found.value.gap) if found.done else found


def _computing(words: str, job: Job) -> None:
    st.markdown(f"**{words}**; the certificate is being computed … {job.done:.0%}", help=HELP)


def _sentence(words: str, gaps: dict[str, float], titles: list[str]) -> str:
    if not gaps:
        return f"**{words}**, without a certificate: there is none for this method."
    worst = max(gaps.values())
    parts = [f"**{words}, certified to {percent(worst)}**"]
    if len(titles) > 1:
        each = (
            f"{title}: {percent(gaps[title]) if title in gaps else 'no certificate'}"
            for title in titles
        )
        parts.append(f" ({'; '.join(each)})")
    parts.append(".")
    if worst > COARSE:
        parts.append(
            " Cells are wide compared to σ: more centres, a larger width σ or fewer features bring "
            "it down."
        )
    return "".join(parts)
