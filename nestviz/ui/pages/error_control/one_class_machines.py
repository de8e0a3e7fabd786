"""Sets of one class that are sure to hold a mass, beside the one-class SVM of the same mass."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from nestviz.analysis.level_sweep import outline
from nestviz.analysis.rate_scores import error_rate
from nestviz.data import DataError, Dataset
from nestviz.data.splits import hold_out
from nestviz.estimators import NuOneClassSVM, OneClassMinimaxMachine
from nestviz.figures.minimax_machines import machine_figure
from nestviz.ui import data_warnings
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.export import panel, scripts
from nestviz.ui.panels import other_data
from nestviz.ui.panels.exports import given
from nestviz.ui.results import cache, fits
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.charts import chart
from nestviz.ui.widgets.tables import EMPTY, columns

MACHINE, SVM = "one-class minimax machine", "one-class SVM"
ASIDE, SEED = 0.5, 0
FEWEST, MOST = 4, 3_000


def show(current: Current, sigma: float, rho: float) -> None:
    """Show both sets side by side, their numbers and exports."""
    left, right = st.columns(2, gap="medium")
    with left:
        beta = inputs.slider("beta", 0.6, label="Mass to guarantee")
    part = "all points"
    if current.fitted.labelled:
        with right:
            part = inputs.segments("of", ["all points", "class +1", "class −1"])
    data = current.fitted
    if data.y is not None and part != "all points":
        data = data.take(data.y == (1 if part == "class +1" else -1), f"Only {part}.")
    if not FEWEST <= data.n <= MOST:
        other_data.ask(f"This takes {FEWEST} to {MOST:,} points, and there are {data.n:,}.")
    models = _models(data, sigma, rho, beta)
    st.markdown(_sentence(models[MACHINE], beta))
    learn, aside = hold_out(data, ASIDE, SEED)
    figures = {name: _figure(current, data, learn, model) for name, model in models.items()}
    table = _table(models, data, learn, aside)
    shares = dict(zip(table["machine"], table["training"], strict=True))
    for column, (name, figure) in zip(st.columns(2, gap="medium"), figures.items(), strict=True):
        with column:
            st.markdown(f"**{name}**")
            alt = f"Points and the set of the {name}, which holds {shares[name]:.1%} of them"
            chart(figure, f"one_machine_{name}", 420, alt)
    config = columns("error_control", "one_class_machines")
    st.dataframe(
        table,
        key="one_machines",
        hide_index=True,
        height="content",
        column_config=config,
        placeholder=EMPTY,
    )
    st.info(
        "**Two promises of a different kind.** The machine's is for new points of any distribution "
        "with the estimated mean and covariance in feature space. The SVM's, at most 1 − mass "
        "outside, is for the training points only.",
        icon=":material/balance:",
    )
    data_warnings.show(current)
    panel.show(
        current,
        name="worst-case-mass",
        code=scripts.script(current, *_lines(part, sigma, rho, beta)),
        figures=given(figures),
        tables={"machines": lambda: table},
        models=given(models),
    )


def _models(data: Dataset, sigma: float, rho: float, beta: float) -> dict[str, Any]:
    key = ("one-class machines", data, sigma, rho, beta)
    try:
        return cache.keep(key, lambda: _fitted(data, sigma, rho, beta), "Training …")
    except ValueError as error:
        raise DataError(str(error)) from error


def _fitted(data: Dataset, sigma: float, rho: float, beta: float) -> dict[str, Any]:
    learn, _ = hold_out(data, ASIDE, SEED)
    X = data.X[learn]
    machine = OneClassMinimaxMachine(sigma, mass=beta, covariance_uncertainty=rho)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the page says it
        return {MACHINE: machine.fit(X), SVM: NuOneClassSVM(sigma, 1.0 - beta).fit(X)}


def _sentence(machine: OneClassMinimaxMachine, beta: float) -> str:
    if machine.mass_bound_ < beta - 1e-9:
        return (
            f"**{beta:.0%} cannot be guaranteed here**: no half-space of feature space without the "
            f"origin is sure to hold more than {machine.largest_mass_:.1%}, and that set is shown. "
            "Ask for less mass, or choose a larger σ or a smaller ρ."
        )
    return (
        f"**At least {machine.mass_bound_:.0%} of the mass is inside**, whatever the distribution, "
        "if its mean and covariance in feature space are as estimated. At most "
        f"{machine.largest_mass_:.1%} could be guaranteed here."
    )


def _figure(current: Current, data: Dataset, learn: Any, model: Any) -> Any:
    plane = current.plane
    grid = fits.grid(current.fitted, plane)
    field = model.family_.values(grid, model.level_).reshape(grid.shape)
    points = plane.coordinates(data.X[learn])
    return machine_figure(outline(field, grid), points, None, grid.box, axis_names(current.fitted))


def _table(models: dict[str, Any], data: Dataset, learn: Any, aside: Any) -> pd.DataFrame:
    rows = []
    for name, model in models.items():
        inside = model.predict(data.X[aside]) > 0
        rate = error_rate(int(inside.sum()), inside.size)
        rows.append(
            {
                "machine": name,
                "bound": getattr(model, "mass_bound_", None),
                "training": float((model.predict(data.X[learn]) > 0).mean()),
                "held_out": rate.value,
                "low": rate.interval[0],
                "high": rate.interval[1],
                "gap": float(np.max([model.duality_gap_, model.kkt_residual_])),
            }
        )
    return pd.DataFrame(rows)


def _lines(part: str, sigma: float, rho: float, beta: float) -> tuple[str, ...]:
    """Return the lines of a script that makes the same sets."""
    only: tuple[str, ...] = ()
    if part != "all points":
        sign = 1 if part == "class +1" else -1
        only = (f'data = data.take(data.y == {sign}, "Only {part}.")',)
    return (
        *only,
        "from nestviz import NuOneClassSVM, OneClassMinimaxMachine",
        "from nestviz.data import hold_out",
        f"learn, aside = hold_out(data, {ASIDE}, {SEED})",
        "models = {",
        f'    "{MACHINE}": OneClassMinimaxMachine(',
        f"        {sigma!r}, mass={beta!r}, covariance_uncertainty={rho!r}",
        "    ),",
        f'    "{SVM}": NuOneClassSVM({sigma!r}, {1.0 - beta!r}),',
        "}",
        "for name, model in models.items():",
        "    model.fit(data.X[learn])",
        '    print(f"{name}: {(model.predict(data.X[aside]) > 0).mean():.3f} of held-out points")',
    )
