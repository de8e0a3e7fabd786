"""The rate table of the Error control page, and the classifier chosen from it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from nestviz.estimators import ErrorTable, Search
from nestviz.estimators.error_control.classifiers import ErrorControl
from nestviz.ui.compute import rates
from nestviz.ui.data_choice import Current
from nestviz.ui.pages.error_control import settings as setup
from nestviz.ui.pages.error_control import so_far
from nestviz.ui.pages.error_control.settings import (
    MINIMAX,
    Cell,
    ErrorControlSettings,
    GridSettings,
    Parts,
)
from nestviz.ui.panels import other_data
from nestviz.ui.results import cache, jobs
from nestviz.ui.session.view import put, stop_page
from nestviz.ui.widgets import inputs

FEWEST = 2
"""Smallest class that can be cross-validated."""


@dataclass(frozen=True, eq=False)
class ErrorControlResult:
    """A rate table and the choice from it."""

    parts: Parts  # Training rows and held-out rows
    grid: GridSettings
    settings: ErrorControlSettings
    table: ErrorTable  # Rates of all cells, as far as they are known
    search: Search  # The choice, with the rates that it was made by
    key: tuple[Any, ...]  # Key of the result in the cache


def controls() -> tuple[GridSettings, ErrorControlSettings]:
    """Show the controls of the grid and of the choice."""
    left, middle, right = st.columns(3, gap="medium")
    with left:
        alpha = _aim()
    with middle:
        strategy = inputs.select("search", list(setup.STRATEGIES))
        smoothing = inputs.segments("smoothing", list(setup.SMOOTHINGS), "2-D")
    with right:
        rare = inputs.toggle("rare")
        shift = inputs.toggle("shift")
        with st.popover("Grid and folds", icon=":material/tune:"):
            grid = _grid(rare)
    kind, window = setup.STRATEGIES[strategy], setup.SMOOTHINGS[smoothing]
    return grid, ErrorControlSettings(alpha, kind, window, shift)


def _aim() -> float | None:
    """Show the goal, and the limit on false alarms with common values of it."""
    aim = inputs.segments("aim", list(setup.AIMS), format_func=setup.AIMS.__getitem__)
    if aim == MINIMAX:
        st.caption("The larger of both error rates should be as small as possible.")
        return None
    alpha = inputs.slider("alpha", 0.1)
    with st.container(horizontal=True, gap="small"):
        for share in setup.LIMITS:
            st.button(
                f"{share:.0%}",
                key=f"alpha_{share:g}",
                type="primary" if share == alpha else "secondary",
                on_click=put,
                args=({"alpha": share},),
                help=f"Allow {share:.0%} false alarms.",
            )
    return alpha


def _grid(rare: bool) -> GridSettings:
    sizes = (f"**{name}**: {nu} × {nu} × {widths}." for name, (nu, widths) in setup.SIZES.items())
    words = f"Values of ν₊ × values of ν₋ × widths σ. {' '.join(sizes)} Finer ones take longer."
    size = inputs.segments("cells", list(setup.SIZES), help=words)
    folds = inputs.slider("folds", 5)
    aside = inputs.slider("aside", 50)
    return GridSettings(size, folds, aside / 100, rare)


def find(
    current: Current, grid: GridSettings, settings: ErrorControlSettings
) -> ErrorControlResult:
    """Estimate the table in a worker process, and choose from it."""
    data = current.fitted
    parts = setup.parts_of(data, grid)
    X, y = data.X[parts.learn], np.asarray(data.y)[parts.learn]
    smaller = int(min((y > 0).sum(), (y < 0).sum()))
    if smaller < FEWEST:
        other_data.ask(
            f"The smaller class has {smaller} training point, and estimating its errors takes "
            f"{FEWEST} or more: hold out fewer points, or do not make class −1 rare."
        )
    if smaller < grid.folds:
        st.caption(f"{smaller} folds, since the smaller class has no more training points.")
        grid = replace(grid, folds=smaller)
    work = rates.nu_svm_table if settings.strategy == "nu-svm" else rates.table
    table: ErrorTable | rates.RatesSoFar | None = jobs.run(
        (data, grid),
        work,
        X,
        y,
        grid.rate_grid(X),
        title="Estimating both errors",
        partial=True,
        preview=partial(so_far.show, settings),
    )
    if isinstance(table, rates.RatesSoFar):  # it did not end by itself after Cancel
        table = table.known
    if table is None or not np.isfinite(table.miss).any():
        stop_page("It was stopped before the errors of any cell were known.")
    key = (data, grid, settings, table.solves)
    search = cache.keep(("error search", *key), lambda: settings.classifier().choose(table))
    return ErrorControlResult(parts, grid, settings, table, search, key)


def model_of(current: Current, found: ErrorControlResult, cell: Cell) -> ErrorControl:
    """Return the classifier of a cell, fitted to the training set."""

    def make() -> ErrorControl:
        data, rows = current.fitted, found.parts.learn
        model = found.settings.classifier()
        model.fit_chosen(data.X[rows], np.asarray(data.y)[rows], replace(found.search, cell=cell))
        return model

    return cache.keep(("error model", *found.key, cell), make, "Training …")
