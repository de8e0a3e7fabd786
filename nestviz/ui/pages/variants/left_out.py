"""Which points to leave out: the best choice among a few points, and two quick ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from nestviz.analysis.level_sweep import Rings, outline
from nestviz.analysis.nu.left_out import LeftOut
from nestviz.arrays import FloatArray, IndexArray
from nestviz.grids import Grid
from nestviz.kernels import GaussianKernel
from nestviz.ui.components.plane import Area, Kind, PlaneData, plane
from nestviz.ui.compute import left_outs
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.export import panel, scripts
from nestviz.ui.pages.variants.text import explain
from nestviz.ui.panels import fit_controls, other_data
from nestviz.ui.panels.exports import given, points_columns
from nestviz.ui.results import jobs
from nestviz.ui.results.cache import keep
from nestviz.ui.scene.view_box import shown_box
from nestviz.ui.session.selection import select, selection
from nestviz.ui.widgets import inputs

POINTS, COUNT, FEWEST = 12, 3, 6
SEED = 8
"""Of the points shown first: among them the three choices differ."""
FEW = 10
"""With more points than this, a worker process searches."""
WIDTH = 0.5
"""The width shown first, in median distances of all points: these are few and far apart."""
MARGIN = 0.3


def show(current: Current) -> None:
    """Show three choices side by side."""
    data = current.fitted
    if len(np.unique(data.X, axis=0)) < FEWEST:
        other_data.ask(f"This takes {FEWEST} or more different points.")
    first, second, third, fourth = st.columns(4, gap="medium")
    with first:
        few = min(inputs.slider("few", POINTS), data.n)
    with second:
        count = min(inputs.slider("leave", COUNT), few - 1)
    with third:
        seed = int(inputs.number("draw", SEED))
    with fourth:
        sigma = fit_controls.width(current, WIDTH)
    rows = drawn_rows(data.n, few, seed)
    found = jobs.run(
        (data, sigma, count, few, seed),
        left_outs.choices,
        data.X[rows],
        sigma,
        count,
        title=f"Searching for the best {count} of {few} points to leave out",
        long=few > FEW,
    )
    rings = keep(
        ("left out sets", data, current.plane, sigma, count, few, seed),
        lambda: _rings(current, rows, sigma, found),
    )
    _pictures(current, rows, found, rings)
    _words(found, few, count)
    explain("left_out")
    _exports(current, rows, sigma, count, seed, found, rings)


def drawn_rows(n: int, few: int, seed: int) -> IndexArray:
    """Return the rows of a few points drawn at random, ascending."""
    return np.sort(np.random.default_rng(seed).choice(n, few, replace=False))


def _grid(current: Current, rows: IndexArray) -> Grid:
    return Grid.around(current.fitted.X[rows], plane=current.plane, margin=MARGIN)


def _rings(
    current: Current, rows: IndexArray, sigma: float, found: Mapping[str, LeftOut]
) -> dict[str, Rings]:
    """Return the outline of the set of each choice."""
    grid, X = _grid(current, rows), current.fitted.X[rows]
    alphas = np.array([choice.alpha for choice in found.values()])
    fields = GaussianKernel(sigma).grid_field(alphas, X, grid)
    return {
        title: outline((field - choice.rho).reshape(grid.shape), grid)
        for (title, choice), field in zip(found.items(), fields, strict=True)
    }


def _pictures(
    current: Current,
    rows: IndexArray,
    found: Mapping[str, LeftOut],
    rings: Mapping[str, Rings],
) -> None:
    box = shown_box(_grid(current, rows).box)
    for column, (title, choice) in zip(st.columns(3, gap="medium"), found.items(), strict=True):
        with column:
            st.markdown(f"**{title}**: ½‖w‖² = {choice.objective:.4f}")
            plane(
                _content(current, rows, title, choice, rings[title], box),
                key=f"left-out-{title}",
                on_rows=lambda some: select(current.fitted, [int(rows[k]) for k in some]),
                height=320,
            )


def _content(
    current: Current,
    rows: IndexArray,
    title: str,
    choice: LeftOut,
    rings: Rings,
    box: tuple[float, float, float, float],
) -> PlaneData:
    data = current.fitted
    kinds = np.zeros(len(rows), dtype=np.int64)
    kinds[choice.rows] = 1
    chosen = selection(data).points
    out = ", ".join(str(row) for row in rows[choice.rows])
    return PlaneData(
        points=current.plane.coordinates(data.X[rows]),
        view=box,
        kinds=[Kind("kept", -1, "circle"), Kind("left out", 1, "triangle")],
        kind_of=kinds,
        notes=[
            f"point {row}, coefficient {alpha:.3f}"
            for row, alpha in zip(rows, choice.alpha, strict=True)
        ],
        areas=[Area(rings, 0)] if len(rings) else [],
        chosen=[k for k, row in enumerate(rows) if row in chosen],
        axis_names=axis_names(data),
        name=title,
        alt=f"{title}: {len(rows)} points, of which {out} are left out, and the set of the others.",
    )


def _words(found: Mapping[str, LeftOut], few: int, count: int) -> None:
    best, greedy, nu = (found[name] for name in (left_outs.BEST, left_outs.GREEDY, left_outs.NU))
    shares = (choice.objective / best.objective - 1.0 for choice in (greedy, nu))
    one, other = (f"{share:.1%} larger" if share > 1e-6 else "the same" for share in shares)
    st.markdown(
        f"Compared with the best choice, ½‖w‖² is **{one}** where points are left out one after "
        f"the other, and **{other}** where the ν-SVM chooses."
    )
    st.caption(
        f"{best.solved:,} hard-margin problems were solved for the best choice of {count} among "
        f"{few} points, {greedy.solved:,} one after the other, {nu.solved} by the ν-SVM at "
        f"ν = {count}/{few}. The number grows exponentially with the points left out, and a "
        "related problem is NP-hard even to approximate; here there are at most 16 points, "
        "which takes some seconds."
    )


def _exports(
    current: Current,
    rows: IndexArray,
    sigma: float,
    count: int,
    seed: int,
    found: Mapping[str, LeftOut],
    rings: Mapping[str, Rings],
) -> None:
    points = current.plane.coordinates(current.fitted.X[rows])
    panel.show(
        current,
        name="variants",
        code=scripts.script(current, *_lines(current, len(rows), sigma, count, seed)),
        figures={"Choices": lambda: _figure(points, found, rings)},
        tables=given({"points": _table(current, rows, found)}),
    )


def _figure(points: FloatArray, found: Mapping[str, LeftOut], rings: Mapping[str, Rings]) -> Any:
    from nestviz.figures.left_out import left_out_figure

    return left_out_figure(points, found, rings)


def _table(current: Current, rows: IndexArray, found: Mapping[str, LeftOut]) -> pd.DataFrame:
    """Return one row per point: its features, whether each choice leaves it out, coefficients."""
    columns = {name: np.asarray(values)[rows] for name, values in points_columns(current).items()}
    for title, choice in found.items():
        columns[f"{title}: left out"] = np.isin(np.arange(len(rows)), choice.rows).astype(int)
        columns[f"{title}: coefficient"] = choice.alpha
    return pd.DataFrame(columns)


def _lines(current: Current, few: int, sigma: float, count: int, seed: int) -> scripts.Lines:
    return (
        "import numpy as np",
        f"rows = np.sort(np.random.default_rng({seed}).choice(data.n, {few}, replace=False))",
        "X = data.X[rows]",
        "from nestviz import GaussianKernel",
        f"kernel = GaussianKernel({sigma!r})",
        "K = kernel.gram(X, X)",
        "",
        "from nestviz.analysis import best_left_out, greedy_left_out, nu_left_out, outline",
        "choices = {",
        f'    "{left_outs.BEST}": best_left_out(K, {count}),',
        f'    "{left_outs.GREEDY}": greedy_left_out(K, {count}),',
        f'    "{left_outs.NU}": nu_left_out(K, {count}),',
        "}",
        "for title, choice in choices.items():",
        "    print(title, rows[choice.rows], choice.objective)",
        "",
        *scripts.grid_lines(current),
        "rings = {",
        "    title: outline(",
        "        (kernel.grid_field(choice.alpha[None], X, grid)[0] - choice.rho).reshape(",
        "            grid.shape",
        "        ),",
        "        grid,",
        "    )",
        "    for title, choice in choices.items()",
        "}",
        "from nestviz.figures import left_out_figure",
        "figure = left_out_figure(grid.plane.coordinates(X), choices, rings)",
        'figure.write_html("left-out.html")',
    )
