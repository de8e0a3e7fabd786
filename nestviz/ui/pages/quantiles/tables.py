"""Numbers of the Quantiles page: crossing, coverage, the selected point, and what is taken home."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from nestviz.ui.compute import quantiles
from nestviz.ui.compute.quantiles import METHODS, Method, Solved
from nestviz.ui.data_choice import Current
from nestviz.ui.export import panel, scripts
from nestviz.ui.pages.quantiles.page import Choice, Shown, words_of
from nestviz.ui.panels import point_card
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.metrics import figures_row

if TYPE_CHECKING:
    import pandas as pd

IN_A_ROW = 4
INVITATION = (
    "Click a point in the picture, or type its number, to see at which quantile each method takes "
    "it in."
)


def numbers(shown: Shown) -> None:
    """A line of numbers for each method, in the order of the pictures."""
    for begin in range(0, len(shown.solved), IN_A_ROW):
        part = shown.solved[begin : begin + IN_A_ROW]
        for column, one in zip(st.columns(max(len(part), 2), gap="medium"), part, strict=False):
            with column:
                _line(one)


def _line(one: Solved) -> None:
    st.markdown(f"**{one.title}**")
    crossing, error = figures_row(2)
    worst = one.sets.worst
    told = (
        "Nested by construction: there is none."
        if one.family.is_nested
        else "No two of the sets cross on the pixels of the picture."
        if worst is None
        else f"Most of all the set of {worst.small:.3g} sticks out of the one of "
        f"{worst.large:.3g}, by an area of {worst.area:.3g}."
    )
    crossing.metric(
        "Crossing area",
        "none" if not one.sets.crossing_area > 0 else f"{one.sets.crossing_area:.3g}",
        help="Area, in squared units of the axes, of all locations that the set of some quantile "
        f"contains and that of a larger one does not. {told}",
    )
    error.metric(
        "Coverage error",
        f"{one.coverage.mean_error:.1%}",
        help=f"Mean over the quantiles of |1 − α′/α| on the {one.coverage.size:,} held-out points: "
        "how far the sets are from holding their share. Less is better.",
    )
    objective = "" if one.objective is None else f"Objective {one.objective:.4g}; "
    st.caption(
        f"{objective}certificate: {one.certificate}.",
        help="The objective is that of the method's own problem, so it cannot be compared between "
        "methods. The certificate bounds how far the solution can be from the best one: it is "
        "measured, not hoped.",
    )


def coverage(shown: Shown) -> bool:
    """Coverage ratio over the quantile, and the same as a table; whether sampling error is on."""
    st.subheader("What the sets hold of the points held out", anchor=False)
    left, right = st.columns(2, gap="medium")
    with left:
        bars = inputs.toggle(
            "bars",
            "Sampling error",
            help="A 95 % interval of each ratio: how far chance alone moves it, given the number "
            "of held-out points.",
        )
        st.plotly_chart(
            _coverage_figure(shown.solved, bars),
            key="coverage",
            height=340,
            alt="Coverage ratio of each method over the quantile; 1 is what every set should have",
            config={"displaylogo": False},
        )
    with right:
        st.dataframe(
            ratios(shown.solved),
            key="ratios",
            hide_index=True,
            height=400,
            column_config=_columns(shown.solved),
        )
    st.caption(
        f"α′ is the share of the {shown.solved[0].coverage.size:,} held-out points in the set of "
        "the quantile α. A ratio of 1 is right; below it the set is too small, as sets that follow "
        "their own training points too closely are."
    )
    return bars


def _coverage_figure(solved: Sequence[Solved], bars: bool) -> Any:
    from nestviz.figures.quantiles import coverage_ratio_figure

    return coverage_ratio_figure({one.title: one.coverage for one in solved}, intervals=bars)


def _sets_figure(solved: Sequence[Solved], points: np.ndarray) -> Any:
    from nestviz.figures.quantiles import quantile_sets_figure

    return quantile_sets_figure([one.sets for one in solved], points)


def ratios(solved: Sequence[Solved]) -> pd.DataFrame:
    """One row per quantile, the ratio of each method in a column."""
    import pandas as pd

    columns = {one.title: one.coverage.ratios for one in solved}
    return pd.DataFrame({"quantile": solved[0].coverage.quantiles, **columns})


def _columns(solved: Sequence[Solved]) -> dict[str, Any]:
    number = st.column_config.NumberColumn
    shown = {
        one.title: number(
            _short(one.title), format="%.3f", help=f"α′/α of: {one.title}. 1 is right."
        )
        for one in solved
    }
    return {"quantile": number("α", format="%.3g", help="The quantile.", pinned=True), **shown}


def _short(title: str) -> str:
    """The first word: columns are narrow, and pointing at one gives the whole title."""
    return title.split(" ")[0]


def details(solved: Sequence[Solved]) -> pd.DataFrame:
    """All that is counted, one row per method and quantile."""
    import pandas as pd

    parts = []
    for one in solved:
        found, (low, high) = one.coverage, one.coverage.intervals.T
        frames = [int(np.abs(one.walk.levels - alpha).argmin()) for alpha in found.quantiles]
        parts.append(
            pd.DataFrame(
                {
                    "method": one.title,
                    "quantile": found.quantiles,
                    "mass of training points": one.walk.inside[frames],
                    "mass of held-out points": found.masses,
                    "coverage ratio": found.ratios,
                    "ratio, 95 % from": low,
                    "ratio, 95 % to": high,
                    "area": one.sets.areas,
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def summary(solved: Sequence[Solved]) -> pd.DataFrame:
    """One row per method."""
    import pandas as pd

    return pd.DataFrame(
        {
            "method": one.title,
            "nested by construction": one.family.is_nested,
            "crossing area": one.sets.crossing_area,
            "coverage error": one.coverage.mean_error,
            "objective": one.objective,
            "certificate": one.certificate,
            "seconds": one.seconds,
        }
        for one in solved
    )


def point(current: Current, choice: Choice, shown: Shown) -> None:
    """The selected point: at which quantile each method takes it in."""
    row = point_card.pick(current, INVITATION)
    if row is None:
        return
    held_out = row in choice.plan.parts(current.fitted.n)[1]
    st.markdown(
        "\n".join(
            f"- **{one.title}**: {words_of(one, row, held_out=False)}." for one in shown.solved
        )
    )
    st.caption("This point is held out." if held_out else "The methods were fitted to it.")


def points_table(current: Current, choice: Choice, solved: Sequence[Solved]) -> pd.DataFrame:
    """One row per point: where it is, whether it was held out, when it enters."""
    import pandas as pd

    source, held = current.source, choice.plan.parts(current.fitted.n)[1]
    columns: dict[str, Any] = {"point": np.arange(source.n)}
    columns |= {name: source.X[:, j] for j, name in enumerate(source.feature_names)}
    columns["held out"] = np.isin(np.arange(source.n), held).astype(int)
    for one in solved:
        columns[f"{one.title}: first quantile"] = one.scan.first
        columns[f"{one.title}: last quantile"] = one.scan.last
    return pd.DataFrame(columns)


# ------------------------------------------------------------------ taken home


def take(current: Current, choice: Choice, shown: Shown, bars: bool) -> None:
    """Pictures, numbers, models and code."""
    solved, data = shown.solved, current.fitted
    panel.show(
        current,
        name="quantiles",
        code=scripts.script(current, *lines(current, choice, bars)),
        figures={
            "Coverage ratio": partial(_coverage_figure, solved, bars),
            "Sets of all quantiles": partial(
                _sets_figure, solved, current.plane.coordinates(data.X)
            ),
        },
        tables={
            "methods": partial(summary, solved),
            "quantiles": partial(details, solved),
            "points": partial(points_table, current, choice, solved),
        },
        models={
            METHODS[name].title: partial(getattr, one, "estimator")
            for name, one in zip(choice.names, solved, strict=True)
        },
        sweep=lambda: replace(shown.content, start=shown.state.frame, shown=shown.state.shown),
    )


def lines(current: Current, choice: Choice, bars: bool) -> scripts.Lines:
    """Python lines that make the same sets, figures and numbers."""
    plan = choice.plan
    held = quantiles.held_out_count(plan.share, current.fitted.n)
    entries = [line for name in choice.names for line in _family_lines(METHODS[name], plan.levels)]
    return (
        "import numpy as np",
        f"order = np.random.default_rng({plan.seed}).permutation(data.n)",
        f"held_out = data.X[np.sort(order[:{held}])]",
        f"training = data.X[np.sort(order[{held}:])]",
        "",
        f"sigma = {plan.sigma!r}",
        f"quantiles = np.array({plan.quantiles.tolist()!r})",
        "families = {",
        *entries,
        "}",
        "",
        "from nestviz.analysis import quantile_sets",
        *scripts.grid_lines(current),
        "methods = quantile_sets(families, grid, data.X, quantiles, held_out)",
        "for method in methods:",
        "    print(method.name, method.crossing_area, method.coverage.mean_error)",
        "",
        "from nestviz.figures import coverage_ratio_figure, quantile_sets_figure",
        "figure = quantile_sets_figure(methods, grid.plane.coordinates(data.X))",
        'figure.write_html("quantile-sets.html")',
        "coverages = {method.name: method.coverage for method in methods}",
        f"coverage = coverage_ratio_figure(coverages, intervals={bars})",
        'coverage.write_html("coverage-ratio.html")',
    )


def _family_lines(method: Method, levels: int) -> Sequence[str]:
    """One entry of the mapping ``families``, and the imports it needs."""
    imports = [f"from nestviz import {method.estimator}"]
    if not method.by_mass:
        fit = f"{method.estimator}(sigma, quantiles).fit(training).family_"
        return [*imports, f'    "{method.title}": {fit},']
    given = "sigma, levels={levels}" if method.estimator == "NestedOneClassSVM" else "sigma"
    fit = f"{method.estimator}({given.format(levels=levels)}).fit(training).family_"
    return [
        *imports,
        "from nestviz.analysis import at_masses",
        f'    "{method.title}": at_masses(',
        f"        {fit}, training, quantiles",
        "    ),",
    ]
