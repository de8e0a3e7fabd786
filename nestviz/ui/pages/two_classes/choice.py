"""The choice of σ and λ by cross-validation, on the Two classes page."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from nestviz.analysis.cost_selection import SMALLEST_LAMBDA, CostSelection
from nestviz.data import Dataset, subsample
from nestviz.kernels import average_distance
from nestviz.ui.compute import cost_search
from nestviz.ui.compute.methods import TWO_CLASS, Spec
from nestviz.ui.data_choice import Current
from nestviz.ui.panels import fit_controls
from nestviz.ui.results import fits, jobs
from nestviz.ui.session.view import change
from nestviz.ui.session.view_rules import Number
from nestviz.ui.session.view_state import RULES
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.charts import chart

GRIDS = {"coarse": (6, 5), "usual": (9, 7), "fine": (15, 10)}
"""Widths and values of λ, by name."""
SEARCHED = {name: row for name, row in TWO_CLASS.items() if not row.joins}
"""Methods whose settings can be searched: a union has those of the sets that it joins."""


def show(
    current: Current, used: tuple[float, float], usual: Spec, own: tuple[float, ...]
) -> dict[str, Any]:
    """Offer the search; show its scores, its choice, and a button that uses it.

    Returns the figure, if there is one, by its name.

    ``used`` are σ and λ in use; ``usual`` has the asymmetries of the nested SVM if there are no
    ``own`` ones.
    """
    if not inputs.toggle("choose"):
        return {}
    data = _searched(current)
    assert data.y is not None  # the page stops without labels
    fewest = min(int(np.sum(data.y == sign)) for sign in (-1, 1))
    if fewest < 2:
        st.info("One class has a single point: two of each are needed to hold one out.")
        return {}
    left, middle, right = st.columns(3, gap="medium", vertical_alignment="bottom")
    with left:
        name = fit_controls.method("choose_for", SEARCHED, "nested cost-sensitive SVM")
    with middle:
        sizes = GRIDS[inputs.segments("choose_grid", list(GRIDS), "usual")]
    with right:
        folds = min(inputs.slider("folds", 5), fewest)
    # The search sets σ and λ itself.
    spec = replace(usual, method=name, sigma=1.0, lam=1.0, own=own)
    sigmas, lams = _grid(current, *sizes)
    found = jobs.run(
        (data, spec, sigmas, lams, folds),
        cost_search.search,
        spec,
        sigmas,
        lams,
        folds,
        data.X,
        data.y,
        title=f"Choosing σ and λ: {spec.title}",
        partial=True,
        preview=_picture,
    )
    if found is None:
        st.info("The search was stopped before one width was finished.")
        return {}
    figure = _picture(found, used)
    _result(current, found, used)
    return {"AUC over σ and λ": figure}


def _searched(current: Current) -> Dataset:
    """Return the points to search on: of many rows as many as centres, so that λ means the same."""
    if current.rows is None:
        return current.fitted
    few = subsample(current.rows.fitted, current.fitted.n)
    st.caption(f"Searched on a sample of {few.n:,} rows.")
    return few


def _grid(current: Current, widths: int, count: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return σ and λ to try: the ranges of the paper, within those of the controls."""
    data, unit = current.fitted, fits.median_distance(current.fitted)
    width, power = RULES["width"], RULES["loglam"]
    assert isinstance(width, Number)
    assert isinstance(power, Number)
    narrow = max(average_distance(data.X) / 15.0, width.low * unit)
    sigmas = np.geomspace(narrow, width.high * unit, widths)
    largest = fits.largest_regularisation(data, float(sigmas[-1]))
    last = float(np.clip(largest, 2.0 * SMALLEST_LAMBDA, 10.0**power.high))
    lams = np.geomspace(SMALLEST_LAMBDA, last, count)
    return tuple(sigmas.tolist()), tuple(lams.tolist())


def _picture(found: CostSelection, used: tuple[float, float] | None = None) -> Any:
    from nestviz.figures.cost_selection import cost_selection_figure

    alt = (
        f"Table of the AUC on held-out points over {found.sigmas.size} widths and "
        f"{found.lams.shape[1]} values of λ; best at σ = {found.sigma:.3g}, λ = {found.lam:.3g}"
    )
    figure = cost_selection_figure(found, used)
    chart(figure, "cost_cells", 400, alt)
    st.caption(
        "AUC on held-out points, mean over the folds. Framed: the best cell. •: as good within one "
        "standard error." + ("" if used is None else " ×: in use.")
    )
    return figure


def _result(current: Current, found: CostSelection, used: tuple[float, float]) -> None:
    """Say what was found; offer to use it."""
    i, j = found.cell
    good = int(found.as_good.sum())
    if not found.complete:
        seen = int(np.isfinite(found.means[:, 0]).sum())
        st.warning(
            f"The search is incomplete: {seen} of {found.sigmas.size} widths were tried, spread "
            "over the whole range.",
            icon=":material/hourglass_bottom:",
        )
    in_use = np.allclose(np.log(used), np.log([found.sigma, found.lam]), atol=1e-3)
    words, button = st.columns([3, 2], gap="medium", vertical_alignment="center")
    words.markdown(
        f"Best: **σ = {found.sigma:.3g}, λ = {found.lam:.3g}**, AUC {found.means[i, j]:.3f} ± "
        f"{found.error:.3f} on held-out points"
        + (", in use." if in_use else ".")
        + f" {good} of {found.means.size} cells are as good within one standard error"
        + (": the data hardly decide between them." if good > found.means.size / 4 else ".")
    )
    button.button(
        "Use this σ and λ",
        key="use_cost",
        icon=":material/check:",
        type="primary",
        disabled=bool(in_use),
        on_click=_use,
        args=(found.sigma, found.lam, fits.median_distance(current.fitted)),
        help="Moves both sliders of the player above; σ changes on all pages.",
    )


def _use(sigma: float, lam: float, unit: float) -> None:
    given: dict[str, Any] = {"width": sigma / unit, "loglam": math.log10(lam)}
    for key, value in given.items():
        rule = RULES[key]
        assert isinstance(rule, Number)
        given[key] = round(float(np.clip(value, rule.low, rule.high)), 4)
    change(**given)
    st.toast(f"Now with σ = {sigma:.3g} and λ = {lam:.3g}.", icon=":material/check:")
