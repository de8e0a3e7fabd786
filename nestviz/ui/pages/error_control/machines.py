"""Bounds for the worst distribution: minimax probability machines beside SVMs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from nestviz.analysis.level_sweep import outline
from nestviz.analysis.rate_scores import Score, minimax_score
from nestviz.arrays import FloatArray
from nestviz.data import DataError
from nestviz.estimators import (
    DualNuSVM,
    ErrorTable,
    MinimaxClassifier,
    MinimaxProbabilityMachine,
)
from nestviz.figures.minimax_machines import covariance_ellipse, machine_figure
from nestviz.ui import data_warnings
from nestviz.ui.compute import rates
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.export import panel, scripts
from nestviz.ui.pages.error_control import one_class_machines, so_far
from nestviz.ui.pages.error_control import settings as setup
from nestviz.ui.pages.error_control.settings import ErrorControlSettings, GridSettings, Parts
from nestviz.ui.panels import fit_controls, other_data
from nestviz.ui.panels.exports import given
from nestviz.ui.results import cache, fits, jobs
from nestviz.ui.session.view import stop_page
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.charts import chart
from nestviz.ui.widgets.tables import EMPTY, columns

MPM, SVM = "minimax probability machine", "minimax 2ν-SVM"
TWO, ONE = "two classes", "one class"
GRID = GridSettings("quick", 5, 0.5, rare=False)
"""The search of the SVM, and the share of held-out points."""
CHOICE = ErrorControlSettings(None, "grid", "2d", shift=False)
FEWEST, MOST = 2, 1_500
"""Training points of the smaller class; points in all, whose kernel matrix is decomposed."""


@dataclass(frozen=True)
class MachineSettings:
    """The kernel, its width, and the uncertainty of the covariances."""

    kernel: str
    sigma: float
    rho: float


def show(current: Current) -> None:
    """Show the machines for two classes, or for one."""
    two = current.fitted.labelled and not data_warnings.of_labels(current.fitted)
    left, middle, right = st.columns(3, gap="medium")
    with left:
        bound = inputs.segments("bound", [TWO, ONE]) if two else ONE
    with right:
        rho = inputs.slider("rho", 0.01)
    if bound == ONE:
        with middle:
            sigma = fit_controls.width(current)
        one_class_machines.show(current, sigma, rho)
        return
    with middle:
        kernel = inputs.segments("machine", ["linear", "Gaussian"])
        sigma = fit_controls.width(current) if kernel == "Gaussian" else 1.0
    _two_classes(current, MachineSettings(kernel, sigma, rho))


def _two_classes(current: Current, settings: MachineSettings) -> None:
    if current.fitted.n > MOST:
        stop_page(f"Use {MOST:,} points or fewer: choose a smaller subsample in the sidebar.")
    parts = setup.parts_of(current.fitted, GRID)
    models = {
        MPM: _machine(current, settings, parts),
        SVM: _svm(current, settings, parts),
    }
    scores = {name: _score(current, parts, model) for name, model in models.items()}
    st.markdown(_sentence(models, scores))
    figures = {name: _figure(current, parts, name, model) for name, model in models.items()}
    for column, (name, figure) in zip(st.columns(2, gap="medium"), figures.items(), strict=True):
        with column:
            st.markdown(f"**{name}**")
            chart(figure, f"machine_{name}", 420, _alt(name, settings, scores[name]))
    if settings.kernel == "linear":
        st.caption(
            "Both ellipses (dashed for class −1) touch the boundary: they are the points κ "
            "standard deviations from each mean, and κ is as large as possible. The larger they "
            "are, the more can be promised."
        )
    table = _table(models, scores)
    config = columns("error_control", "machines")
    st.dataframe(
        table,
        key="machines",
        hide_index=True,
        height="content",
        column_config=config,
        placeholder=EMPTY,
    )
    st.info(
        "**The bound is for true means and covariances.** Here they are estimates from the "
        "training points, which ρ allows for. The errors on held-out points may be far below the "
        "bound, and an SVM that is chosen by its errors may have fewer still, without a promise.",
        icon=":material/balance:",
    )
    data_warnings.show(current, two_classes=True)
    panel.show(
        current,
        name="worst-case-bounds",
        code=scripts.script(current, *_lines(settings, models[SVM])),
        figures=given(figures),
        tables={"machines": lambda: table},
        models=given(models),
    )


def _machine(current: Current, settings: MachineSettings, parts: Parts) -> Any:
    def make() -> MinimaxProbabilityMachine:
        data = current.fitted
        model = MinimaxProbabilityMachine(
            settings.sigma,
            kernel=settings.kernel.lower(),
            covariance_uncertainty=settings.rho,
        )
        return model.fit(data.X[parts.learn], np.asarray(data.y)[parts.learn])

    try:
        return cache.keep(("minimax machine", current.fitted, settings), make, "Training …")
    except ValueError as error:
        raise DataError(str(error)) from error


def _svm(current: Current, settings: MachineSettings, parts: Parts) -> Any:
    """Return the 2ν-SVM of least larger error rate, with the same kernel."""
    data = current.fitted
    X, y = data.X[parts.learn], np.asarray(data.y)[parts.learn]
    linear = settings.kernel == "linear"
    smaller = int(min((y > 0).sum(), (y < 0).sum()))
    if smaller < FEWEST:
        other_data.ask(f"Estimating errors takes {2 * FEWEST} or more points of each class.")
    grid = replace(GRID, folds=min(GRID.folds, smaller))
    found = jobs.run(
        (data, grid),
        rates.linear_table if linear else rates.table,
        X,
        y,
        grid.rate_grid(X),
        title="Searching the minimax 2ν-SVM",
        preview=None if linear else lambda part: so_far.show(CHOICE, part),
    )
    assert isinstance(found, ErrorTable)  # the page ends where it was stopped

    def make() -> Any:
        search = MinimaxClassifier(smoothing="2d").choose(found)
        if not linear:
            return CHOICE.classifier().fit_chosen(X, y, search)
        plus, minus = search.nu_plus, search.nu_minus
        return DualNuSVM(nu_plus=plus, nu_minus=minus, kernel="polynomial", degree=1).fit(X, y)

    return cache.keep(("minimax 2ν-SVM", data, settings.kernel), make, "Training …")


def _score(current: Current, parts: Parts, model: Any) -> Score | None:
    data = current.fitted
    y = np.asarray(data.y)[parts.aside]
    if not (np.any(y == 1) and np.any(y == -1)):
        return None
    return minimax_score(y, model.predict(data.X[parts.aside]))


def _sentence(models: Mapping[str, Any], scores: Mapping[str, Score | None]) -> str:
    bound = 1.0 - models[MPM].accuracy_bound_
    words = (
        f"**At most {bound:.1%} of each class are on the wrong side**, whatever the shapes of the "
        "classes, if their means and covariances are as estimated."
    )
    for name in (MPM, SVM):
        score = scores[name]
        if score is not None:
            words += (
                f" On held-out points the {name} has {score.false_alarm.value:.1%} false alarms "
                f"and {score.miss.value:.1%} misses."
            )
    return words


def _figure(current: Current, parts: Parts, name: str, model: Any) -> Any:
    """Return the boundary with the training points, and ellipses where they are in the plane."""
    data, plane = current.fitted, current.plane
    grid = fits.grid(data, plane)
    field = model.family_.values(grid, model.level_).reshape(grid.shape)
    X, y = data.X[parts.learn], np.asarray(data.y)[parts.learn]
    ellipses: dict[int, FloatArray] = {}
    if name == MPM and model.kernel == "linear" and plane.dimension == 2 and not model.is_certain_:
        for sign in (1, -1):
            own = plane.coordinates(X[y == sign])
            covariance = np.cov(own.T, bias=True) + model.covariance_uncertainty * np.eye(2)
            ellipses[sign] = covariance_ellipse(own.mean(axis=0), covariance, model.kappa_)
    return machine_figure(
        outline(field, grid), plane.coordinates(X), y, grid.box, axis_names(data), ellipses=ellipses
    )


def _alt(name: str, settings: MachineSettings, score: Score | None) -> str:
    ellipses = ""
    if name == MPM and settings.kernel == "linear":
        ellipses = ", and an ellipse around the mean of each class that touches the boundary"
    errors = ""
    if score is not None:
        errors = (
            f". Of held-out points {score.false_alarm.value:.1%} are false alarms, "
            f"{score.miss.value:.1%} misses"
        )
    return f"Two classes and the boundary of the {name}, {settings.kernel} kernel{ellipses}{errors}"


def _table(models: Mapping[str, Any], scores: Mapping[str, Score | None]) -> pd.DataFrame:
    rows = []
    for name, model in models.items():
        score, bound = scores[name], getattr(model, "accuracy_bound_", None)
        row: dict[str, Any] = {"machine": name, "bound": None if bound is None else 1.0 - bound}
        if score is not None:
            row |= {
                "false_alarm": score.false_alarm.value,
                "miss": score.miss.value,
                "worse": score.value,
                "worse_low": score.interval[0],
                "worse_high": score.interval[1],
            }
        rows.append(row)
    return pd.DataFrame(rows)


def _lines(settings: MachineSettings, svm: Any) -> tuple[str, ...]:
    """Return the lines of a script that makes the same machines."""
    if settings.kernel == "linear":
        plus, minus, kernel = svm.nu_plus, svm.nu_minus, 'kernel="polynomial", degree=1'
    else:
        plus, minus, kernel = svm.nu_plus_, svm.nu_minus_, f"sigma={float(svm.sigma_)!r}"
    nu = f"nu_plus={float(plus)!r}, nu_minus={float(minus)!r}"
    return (
        "from nestviz import DualNuSVM, MinimaxProbabilityMachine",
        "from nestviz.analysis import minimax_score",
        "from nestviz.data import hold_out",
        f"learn, aside = hold_out(data, {GRID.aside!r}, {setup.SEED})",
        "models = {",
        f'    "{MPM}": MinimaxProbabilityMachine(',
        f'        {settings.sigma!r}, kernel="{settings.kernel.lower()}", '
        f"covariance_uncertainty={settings.rho!r}",
        "    ),",
        f'    "{SVM}": DualNuSVM({nu}, {kernel}),',
        "}",
        "scores = {}",
        "for name, model in models.items():",
        "    model.fit(data.X[learn], data.y[learn])",
        "    scores[name] = minimax_score(data.y[aside], model.predict(data.X[aside]))",
        '    print(f"{name}: larger error rate {scores[name].value:.3f}")',
        f"bound = 1 - models['{MPM}'].accuracy_bound_",
        'print(f"at most {bound:.3f} of each class")',
    )
