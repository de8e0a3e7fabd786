"""The Error control page: a table of the two errors, and the classifier chosen from it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nestviz.data import Dataset
from nestviz.ui import data_warnings
from nestviz.ui.compute import rates
from nestviz.ui.compute.rates import Ask
from nestviz.ui.data_choice import Current
from nestviz.ui.pages.error_control import settings
from nestviz.ui.pages.error_control.settings import Cell, Choice, Grid, Parts
from nestviz.ui.results import cache, jobs
from nestviz.ui.session.view import stop_page
from nestviz.ui.widgets import inputs

if TYPE_CHECKING:
    from nestviz.estimators import ErrorTable, Search
    from nestviz.estimators.error_control.classifiers import ErrorControl

ERRORS, VOLUMES = "Two errors", "Minimum volume sets"
FEWEST = 2
"""Points of each class that a cross-validation needs at least."""


@dataclass(frozen=True, eq=False)
class Found:
    """A table of errors and what was chosen from it.

    Attributes
    ----------
    parts : Parts
        Rows to learn from, and rows held out.
    ask : Ask
        The grid.
    table : ErrorTable
        Rates of all cells, as far as they are known.
    search : Search
        The choice; its rates are those that it was made by.
    key : tuple
        Tells results apart.
    """

    parts: Parts
    ask: Ask
    table: ErrorTable
    search: Search
    key: tuple[Any, ...]


def task() -> str:
    """Which of the two views of the page is wanted."""
    return inputs.segments(
        "task",
        "Task",
        [ERRORS, VOLUMES],
        ERRORS,
        label_visibility="collapsed",
        help="Classifiers of two classes that keep their errors in check, or sets of one class "
        "that hold a given mass in little volume.",
    )


def labelled(current: Current) -> bool:
    """Whether there are two classes to tell apart; says so where there are not."""
    wrong = data_warnings.of_labels(current.fitted)
    for sentence in wrong:
        st.info(sentence, icon=":material/group_add:")
    return not wrong


def controls() -> tuple[Grid, Choice]:
    """What is searched, and what for."""
    left, middle, right = st.columns(3, gap="medium")
    with left:
        alpha = _aim()
    with middle:
        strategy = inputs.select(
            "search",
            "Search",
            list(settings.STRATEGIES),
            help="**Whole grid**: every (ν₊, ν₋, σ). **Descent**: one line of cells after the "
            "other, at each σ or through all three. **ν-SVM** and **balanced ν-SVM**: baselines "
            "with a single ν, of equal costs and of ν₊ = ν₋.",
        )
        smoothing = inputs.segments(
            "smoothing",
            "Smoothing",
            list(settings.SMOOTHINGS),
            "2-D",
            help="Average each estimated rate with its neighbours, over (ν₊, ν₋) or over σ as "
            "well, before the best is chosen: the best of many noisy estimates flatters itself.",
        )
    with right:
        rare, shift = _switches()
        with st.popover("Grid and folds", icon=":material/tune:"):
            grid = _grid(rare)
    choice = Choice(alpha, settings.STRATEGIES[strategy], settings.SMOOTHINGS[smoothing], shift)
    return grid, choice


def _aim() -> float | None:
    aim = inputs.segments(
        "aim",
        "Aim",
        [settings.NEYMAN_PEARSON, settings.MINIMAX],
        settings.NEYMAN_PEARSON,
        help="**Neyman–Pearson**: the fewest misses among classifiers with at most α false "
        "alarms. **Minimax**: the larger of the two error rates as small as possible.",
    )
    if aim == settings.MINIMAX:
        st.caption("The larger of P_F and P_M should be as small as possible.")
        return None
    return inputs.slider(
        "alpha",
        "Largest false alarm rate α",
        0.1,
        step=0.01,
        help="P_F, the share of class −1 that is called +1, is to be no more than this. Moving it "
        "chooses anew from the same table: nothing is trained but the classifier shown.",
    )


def _switches() -> tuple[bool, bool]:
    rare = inputs.toggle(
        "rare",
        "Make class −1 rare",
        help="Train on a tenth of the points of class −1, drawn with a fixed seed. Points kept "
        "aside stay as they are.",
    )
    shift = inputs.toggle(
        "shift",
        "Shift the offset",
        help="Move the offset of the chosen classifier to where it is best on its training "
        "points (bias-shifting).",
    )
    return rare, shift


def _grid(rare: bool) -> Grid:
    size = inputs.segments(
        "cells",
        "Grid",
        list(settings.SIZES),
        "quick",
        help="Values of ν₊ × values of ν₋ × widths σ. "
        + " ".join(
            f"**{name}**: {nu} × {nu} × {widths}." for name, (nu, widths) in settings.SIZES.items()
        )
        + " Finer ones take longer, and can be cancelled.",
    )
    folds = inputs.slider(
        "folds",
        "Folds",
        5,
        help="Parts of the points; each is held out once to estimate the errors of a cell.",
    )
    aside = inputs.slider(
        "aside",
        "Held out",
        50,
        step=10,
        format="%d %%",
        help="Points of each class that take no part in the search. Only they show what the "
        "chosen classifier does on new points.",
    )
    return Grid(size, folds, aside / 100, rare)


def find(current: Current, grid: Grid, choice: Choice) -> Found:
    """The table, made by a worker process, and the choice from it."""
    data = current.fitted
    parts = settings.parts_of(data, grid)
    X, y = learned(data, parts)
    smaller = int(min((y > 0).sum(), (y < 0).sum()))
    if smaller < FEWEST:
        st.info(
            f"The smaller class has {smaller} point to learn from, and estimating its errors takes "
            f"{FEWEST} or more: keep fewer points aside, or leave the rare class as it is.",
            icon=":material/group_add:",
        )
        stop_page()
    if smaller < grid.folds:
        st.caption(f"{smaller} folds, since the smaller class has no more points to learn from.")
        grid = Grid(grid.size, smaller, grid.aside, grid.rare)
    ask = settings.ask_of(X, grid)
    work = rates.table
    if choice.strategy == "nu-svm":
        work = rates.nu_svm_table
    table = jobs.run((data, grid), work, X, y, ask, title="Estimating both errors", partial=True)
    if table is None or not np.isfinite(table.miss).any():
        st.info("It was stopped before the errors of any cell were known.")
        stop_page()
    key = (data, grid, choice, table.solves)
    search = cache.keep(("error search", *key), lambda: choice.classifier().choose(table))
    return Found(parts, ask, table, search, key)


def learned(data: Dataset, parts: Parts) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """Points and labels to learn from."""
    return data.X[parts.learn], np.asarray(data.y)[parts.learn]


def model_of(current: Current, choice: Choice, found: Found, cell: Cell) -> ErrorControl:
    """The classifier of a cell, fitted to all points to learn from."""

    def make() -> ErrorControl:
        X, y = learned(current.fitted, found.parts)
        model: ErrorControl = choice.classifier()
        model.fit_chosen(X, y, replace(found.search, cell=cell))
        return model

    return cache.keep(("error model", *found.key, cell), make, "Training …")
