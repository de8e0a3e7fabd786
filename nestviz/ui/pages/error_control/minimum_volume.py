"""Minimum volume sets of a given mass, for several kinds of reference points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from nestviz.analysis.level_sweep import Rings, outline
from nestviz.arrays import FloatArray
from nestviz.data import Dataset, subsample
from nestviz.estimators import MinimumVolumeSet
from nestviz.estimators.error_control.axes import nu_axis
from nestviz.figures.minimum_volume import minimum_volume_figure
from nestviz.grids import Plane
from nestviz.ui import data_warnings
from nestviz.ui.compute import rates
from nestviz.ui.compute.rates import RateGrid, ReferenceTable
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.export import panel, scripts
from nestviz.ui.pages.error_control.settings import NARROWEST, WIDEST, WIDTH_LINES, widths_of
from nestviz.ui.panels import other_data
from nestviz.ui.panels.exports import given
from nestviz.ui.results import cache, fits, jobs
from nestviz.ui.results.cache import kept
from nestviz.ui.session.selection import selection
from nestviz.ui.session.view import stop_page
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.charts import chart
from nestviz.ui.widgets.tables import columns
from nestviz.volume.draws import draw_reference

REFERENCES = {
    "uniform": "points drawn uniformly from the box around the data",
    "thinned": "ten times as many, thinned by their closest pairs",
    "manifold": "points drawn from balls around the data, thinned",
    "one-class": "no points in the fit; uniform ones measure it",
}
"""Kinds of reference points."""
MOST, NU, WIDTHS, FOLDS, SEED = 1_500, 6, 4, 5, 0
"""Largest number of points, and the grid: small, since there are as many reference points."""
MANY, FEWER_FOLDS = 600, 3
"""Above so many points: the number of reference points, and of folds."""
UNIFORM = 4_096
"""Points that measure the volume of all kinds."""
FEWEST, SHOWN = 10, 300
"""Smallest number of distinct points; largest number of reference points drawn."""
ROUNDING = 1e-9


@dataclass(frozen=True)
class MinimumVolumeSettings:
    """The mass β, and the part of the data."""

    beta: float
    part: str


@dataclass(frozen=True, eq=False)
class MinimumVolumeResult:
    """The set of one kind of reference points."""

    model: MinimumVolumeSet  # The fit, with the search that it was chosen by
    rings: Rings  # Its outline in the plane (shape (n_vertices, 2))
    volume: float  # Share of the box around the data inside, which compares all kinds
    others: float | None  # Share of the other class inside, where there is one

    def score(self, beta: float, inside: float) -> float:
        """Return a share of what should be outside, plus a penalty for mass below β."""
        return max(beta - self.model.mass_, 0.0) / (1.0 - beta) + inside

    def holds(self, beta: float) -> bool:
        """Return whether its mass, by cross-validation, reaches β."""
        return self.model.mass_ >= beta - ROUNDING


def show(current: Current) -> None:
    """Show the sets of all kinds side by side, their numbers and exports."""
    settings = _controls(current)
    data, found = _find(current, settings)
    if len(found) < len(REFERENCES):
        st.warning(
            f"Only {len(found)} of {len(REFERENCES)} kinds of reference points were finished.",
            icon=":material/hourglass_bottom:",
        )
    sets = _sets(current, data, settings, found)
    figures = _figures(current, data, settings, found, sets)
    _pictures(figures, sets)
    table = _table(settings, sets)
    config = columns("error_control", "volumes")
    st.dataframe(
        table, key="volumes_table", hide_index=True, height="content", column_config=config
    )
    st.caption(_score_words("anomaly_score" in table))
    _warnings(settings, data, current, sets)
    data_warnings.show(current)
    panel.show(
        current,
        name="error-control",
        code=scripts.script(current, *_lines(settings, data.n)),
        figures=given(figures),
        tables={"sets": lambda: table},
        models=given({kind: entry.model for kind, entry in sets.items()}),
    )


def _sets(
    current: Current,
    data: Dataset,
    settings: MinimumVolumeSettings,
    found: Mapping[str, ReferenceTable],
) -> dict[str, MinimumVolumeResult]:
    """Return the set of each kind that is finished."""
    return {
        kind: _fit(current.fitted, data, current.plane, kind, settings, entry)
        for kind, entry in found.items()
    }


def _pictures(figures: Mapping[str, Any], sets: Mapping[str, MinimumVolumeResult]) -> None:
    """Show the sets in two rows."""
    for pair in (list(REFERENCES)[:2], list(REFERENCES)[2:]):
        for column, kind in zip(st.columns(2, gap="medium"), pair, strict=True):
            if kind in figures:
                with column:
                    st.markdown(f"**{kind}**: {REFERENCES[kind]}")
                    entry = sets[kind]
                    alt = (
                        f"Data, reference points and the minimum volume set, {kind}: by its "
                        f"estimate it holds {entry.model.mass_:.1%} of the mass, and it fills "
                        f"{entry.volume:.1%} of the box"
                    )
                    chart(figures[kind], f"volume_{kind}", 340, alt)


def _preview(
    current: Current,
    data: Dataset,
    settings: MinimumVolumeSettings,
    found: Mapping[str, ReferenceTable],
) -> None:
    """Show the sets that are finished while others are searched."""
    sets = _sets(current, data, settings, found)
    _pictures(_figures(current, data, settings, found, sets), sets)


def _controls(current: Current) -> MinimumVolumeSettings:
    left, right = st.columns(2, gap="medium")
    with left:
        beta = inputs.slider("beta", 0.9)
    part = "all points"
    if current.fitted.labelled:
        with right:
            part = inputs.segments("of", ["all points", "class +1", "class −1"])
    return MinimumVolumeSettings(beta, part)


def _find(
    current: Current, settings: MinimumVolumeSettings
) -> tuple[Dataset, dict[str, ReferenceTable]]:
    """Estimate a table for each kind of reference points; after Cancel, the finished ones."""
    data, part = current.fitted, settings.part
    if data.y is not None and part != "all points":
        data = data.take(data.y == (1 if part == "class +1" else -1), f"Only {part}.")
    if data.n < FEWEST or len(np.unique(data.X, axis=0)) < FEWEST:
        other_data.ask(
            "There are too few different points: a set of given mass is evaluated on held-out "
            f"points, which takes {FEWEST} or more."
        )
    data = subsample(data, MOST, SEED)
    found = jobs.run(
        (data, "references", _references(data.n)),
        rates.reference_tables,
        data.X,
        tuple(REFERENCES),
        RateGrid(nu_axis(NU), widths_of(data.X, WIDTHS), _folds(data.n), SEED),
        _references(data.n),
        title="Searching sets for four kinds of reference points",
        partial=True,
        preview=partial(_preview, current, data, settings),
    )
    if not found:
        stop_page("It was stopped before the sets of any kind were known.")
    return data, found


def _folds(n: int) -> int:
    return FEWER_FOLDS if n > MANY else FOLDS


def _references(n: int) -> int | None:
    """Return how many reference points there are; None for as many as data."""
    return MANY if n > MANY else None


@kept("Drawing the sets …")
def _fit(
    fitted: Dataset,
    data: Dataset,
    plane: Plane,
    kind: str,
    settings: MinimumVolumeSettings,
    _entry: ReferenceTable,
) -> MinimumVolumeResult:
    grid = fits.grid(fitted, plane)
    model = MinimumVolumeSet(settings.beta, kind, nu_grid=NU, cv=_folds(data.n), random_state=SEED)
    model.fit_chosen(data.X, _entry.reference, _entry.table)
    field = model.family_.values(grid, model.level_).reshape(grid.shape)
    # Other points than those that the sets of "uniform" and "one-class" were chosen by.
    box = draw_reference(data.X, UNIFORM, "uniform", random_state=SEED + 1)
    others = _others(fitted, settings.part)
    return MinimumVolumeResult(
        model,
        outline(field, grid),
        float((model.predict(box) > 0).mean()),
        None if others is None else float((model.predict(others) > 0).mean()),
    )


def _others(fitted: Dataset, part: str) -> FloatArray | None:
    """Return the points of the class that took no part; None where there is none."""
    if fitted.y is None or part == "all points":
        return None
    others: FloatArray = fitted.X[fitted.y == (-1 if part == "class +1" else 1)]
    return others if len(others) else None


def _figures(
    current: Current,
    data: Dataset,
    settings: MinimumVolumeSettings,
    found: Mapping[str, ReferenceTable],
    sets: Mapping[str, MinimumVolumeResult],
) -> dict[str, Any]:
    """Return the pictures of the sets, with the selected points ringed.

    They are kept: while others are searched they are shown again at every poll.
    """
    fitted, plane = current.fitted, current.plane
    rows = tuple(selection(fitted).points)

    def draw(kind: str) -> Any:
        chosen = fitted.X[list(rows)]
        ringed = [k for k, x in enumerate(data.X) if any(np.array_equal(x, c) for c in chosen)]
        return minimum_volume_figure(
            sets[kind].rings,
            plane.coordinates(data.X),
            plane.coordinates(found[kind].reference[:SHOWN]),
            fits.grid(fitted, plane).box,
            axis_names(fitted),
            selected=ringed,
        )

    key = ("volume figure", fitted, data, plane, settings, rows)
    return {kind: cache.keep((*key, kind), partial(draw, kind)) for kind in sets}


def _table(
    settings: MinimumVolumeSettings, sets: Mapping[str, MinimumVolumeResult]
) -> pd.DataFrame:
    """Return mass, volume and scores of each kind."""
    beta, rows = settings.beta, []
    for kind, entry in sets.items():
        row = {
            "reference": kind,
            "mass": entry.model.mass_,
            "enough": entry.holds(beta),
            "volume": entry.volume,
            "volume_score": entry.score(beta, entry.volume),
        }
        if entry.others is not None:
            row["others_inside"] = entry.others
            row["anomaly_score"] = entry.score(beta, entry.others)
        row |= {"reference_inside": entry.model.volume_, "sigma": entry.model.sigma_}
        rows.append(row)
    return pd.DataFrame(rows)


def _score_words(others: bool) -> str:
    """Say what the scores measure."""
    words = (
        "The **volume score** (E_μ in the thesis) is the volume of the set as a share of the box, "
        "plus a penalty where the mass is below β: the missing mass as a multiple of 1 − β. "
    )
    if others:
        words += (
            "The **anomaly score** (E₊) has the share of the other class inside instead of the "
            "volume: how well the set does against anomalies that it has never seen. "
        )
    return words + "The smaller, the better."


def _warnings(
    settings: MinimumVolumeSettings,
    data: Dataset,
    current: Current,
    sets: Mapping[str, MinimumVolumeResult],
) -> None:
    beta = settings.beta
    short = [kind for kind, entry in sets.items() if not entry.holds(beta)]
    if short:
        st.warning(
            f"No setting of the search holds {beta:.0%} of the data by its estimate: "
            f"{', '.join(short)}. The one that holds the most was chosen; ask for less mass.",
            icon=":material/report:",
        )
    few = "" if data.n == current.fitted.n else f"{data.n} of {current.fitted.n:,} points are used."
    if data.n > MANY:
        few += f" Above {MANY} points there are {MANY} reference points and {FEWER_FOLDS} folds."
    st.info(
        f"**An estimate is no guarantee.** That a set holds {beta:.0%} was estimated from {data.n} "
        f"points and the set was chosen for it; new points may be outside more often. {few}",
        icon=":material/balance:",
    )


def _lines(settings: MinimumVolumeSettings, n: int) -> tuple[str, ...]:
    """Return the lines of a script that makes the same sets."""
    part: tuple[str, ...] = ()
    if settings.part != "all points":
        sign = 1 if settings.part == "class +1" else -1
        part = (f'data = data.take(data.y == {sign}, "Only {settings.part}.")',)
    kinds = ", ".join(f'"{kind}"' for kind in REFERENCES)
    return (
        *part,
        "from nestviz.data import subsample",
        f"data = subsample(data, {MOST}, {SEED})",
        *WIDTH_LINES,
        f"sigmas = median_distance(data.X) * np.geomspace({NARROWEST}, {WIDEST}, {WIDTHS})",
        "from nestviz import MinimumVolumeSet",
        "sets = {",
        "    kind: MinimumVolumeSet(",
        f"        {settings.beta!r}, kind, nu_grid={NU}, sigmas=sigmas,",
        f"        cv={_folds(n)}, random_state={SEED}, n_reference={_references(n)},",
        "    ).fit(data.X)",
        f"    for kind in ({kinds})",
        "}",
        "for kind, model in sets.items():",
        '    print(f"{kind}: mass {model.mass_:.3f}, reference inside {model.volume_:.3f}")',
        "",
        "from nestviz.figures import reference_points_figure",
        "drawn = {kind: model.reference_points_[: data.n] for kind, model in sets.items()}",
        "figure = reference_points_figure(drawn, data.X)",
        'figure.write_html("minimum-volume.html")',
    )
