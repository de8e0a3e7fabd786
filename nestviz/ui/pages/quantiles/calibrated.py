"""Calibrated sets on the Quantiles page: what sets promise, and what held-out points say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from nestviz.analysis.coverage import CoverageRatio, coverage_ratio
from nestviz.analysis.level_sweep import outline
from nestviz.figures.promised_coverage import promised_coverage_figure
from nestviz.ui.components.plane import Area, Kind, PlaneData, plane
from nestviz.ui.compute import coverage as work
from nestviz.ui.compute.coverage import MOST_FITS, USUAL, WAYS, CalibratedResult
from nestviz.ui.compute.quantiles import METHODS, QuantileResult, QuantileSettings
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.results import fits, jobs
from nestviz.ui.session.selection import select, selection
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.charts import chart

KINDS = (Kind("training", 0, "circle"), Kind("held-out", 1, "triangle"))
IN_A_ROW = 2


@dataclass(frozen=True, eq=False)
class Calibration:
    """What the section shows: the calibrated sets of each method, and the coverage in view."""

    way: str
    found: tuple[CalibratedResult, ...]
    plain: tuple[CoverageRatio, ...]  # Of the same methods as they are
    promise: float


def show(
    current: Current, settings: QuantileSettings, found: Sequence[QuantileResult], bars: bool
) -> Calibration | None:
    """Offer to calibrate; show promised against measured coverage, and the sets."""
    st.header("Sets that hold what they promise", anchor=False)
    if not inputs.toggle("calibrated"):
        st.caption(
            "Calibrated on points that they were not fitted to, sets contain a new point with a "
            "given probability, whatever the distribution."
        )
        return None
    calibration = _find(current, settings, found)
    if calibration is None:
        return None
    st.markdown(sentence(calibration))
    left, right = st.columns([3, 2], gap="medium")
    with left:
        figure = coverage_figure(calibration, found, bars)
        chart(figure, "promised", 400 + 20 * len(found), _alt(calibration, found))
    with right:
        st.dataframe(_shown_table(calibration, found), key="promised_table", hide_index=True)
        st.caption(_caption(calibration))
    _planes(current, settings, calibration, found)
    return calibration


def _find(
    current: Current, settings: QuantileSettings, found: Sequence[QuantileResult]
) -> Calibration | None:
    left, right = st.columns(2, gap="medium")
    with left:
        way = inputs.segments("calibrate", list(WAYS))
        st.caption(WAYS[way])
    with right:
        masses = work.promises(settings).tolist()
        nearest = min(masses, key=lambda mass: abs(mass - USUAL))
        promise = inputs.value_slider("promise", masses, nearest, lambda mass: f"{mass:g}")
    data, n = current.fitted, len(settings.parts(current.fitted.n)[0])
    if n < work.FEWEST:
        st.info(f"{n} training points are too few to fit to some and calibrate on others.")
        return None
    if way == "jackknife+" and n > MOST_FITS:
        st.info(
            f"Each of {n:,} training points would be left out once: choose *cross*, or hold out "
            f"more points, so that {MOST_FITS} or fewer remain."
        )
        return None
    results = []
    for one in found:
        title = f"Calibrating: {METHODS[one.name].title}"
        problem = settings.problem(METHODS[one.name]), settings.quantiles.tobytes()
        key = (data, current.plane, one.name, way, *problem)
        done = jobs.run(
            key, work.calibrate, one.name, settings, way, data.X, current.plane, title=title
        )
        if done is None:
            return None
        results.append(done)
    held = data.X[settings.parts(data.n)[1]]
    plain = tuple(coverage_ratio(one.family, held, masses) for one in found)
    return Calibration(way, tuple(results), plain, promise)


def sentence(calibration: Calibration) -> str:
    """Say what the sets of the coverage in view hold of the held-out points."""
    at, first = _place(calibration), calibration.found[0]
    low, high = first.band[at]
    before = _range([old.masses[at] for old in calibration.plain])
    after = _range([new.coverage.masses[at] for new in calibration.found])
    return (
        f"**Sets that should hold {_percent(calibration.promise)} of new points hold {before} of "
        f"{first.coverage.size:,} held-out points as they are, and {after} calibrated.** If the "
        f"promise holds, 95% of splits are between {low:.1%} and {high:.1%}."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.4g}%"


def _range(shares: Sequence[float]) -> str:
    low, high = f"{min(shares):.1%}", f"{max(shares):.1%}"
    return low if low == high else f"{low} to {high}"


def _place(calibration: Calibration) -> int:
    masses = calibration.found[0].coverage.quantiles
    return int(np.abs(masses - calibration.promise).argmin())


def coverage_figure(calibration: Calibration, found: Sequence[QuantileResult], bars: bool) -> Any:
    """Return promised against measured coverage of all sets."""
    return promised_coverage_figure(
        {one.title: old for one, old in zip(found, calibration.plain, strict=True)},
        {METHODS[new.name].title: new.coverage for new in calibration.found},
        calibration.found[0].band,
        intervals=bars,
    )


def _alt(calibration: Calibration, found: Sequence[QuantileResult]) -> str:
    at = _place(calibration)
    ends = ", ".join(
        f"{one.title} {old.masses[at]:.0%} as it is and {new.coverage.masses[at]:.0%} calibrated"
        for one, old, new in zip(found, calibration.plain, calibration.found, strict=True)
    )
    return (
        f"Promised share against the share of held-out points, with a band around the diagonal. "
        f"At {_percent(calibration.promise)}: {ends}"
    )


def _caption(calibration: Calibration) -> str:
    at, first = _place(calibration), calibration.found[0]
    band = "beta-binomial" if calibration.way == "split" else "binomial"
    return (
        f"{first.n_calibration:,} points calibrate, {first.coverage.size:,} are counted. Grey: the "
        f"{band} band around the promise. Dotted lines and open marks: sets as they are; solid and "
        f"filled: calibrated. Proved at {_percent(calibration.promise)}: {first.bounds[at]:.1%}, "
        "on average over data sets of this size."
    )


def table(calibration: Calibration, found: Sequence[QuantileResult]) -> pd.DataFrame:
    """Return one row for each method and coverage."""
    parts = []
    for one, old, new in zip(found, calibration.plain, calibration.found, strict=True):
        low, high = new.band.T
        columns = {
            "method": one.title,
            "promised": new.coverage.quantiles,
            "as it is": old.masses,
            "calibrated": new.coverage.masses,
            "band from": low,
            "band to": high,
            "proved": new.bounds,
        }
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


def _shown_table(calibration: Calibration, found: Sequence[QuantileResult]) -> pd.DataFrame:
    """Return the row of each method at the coverage in view, in words that fit."""
    rows = table(calibration, found)
    rows = rows[np.isclose(rows["promised"], calibration.promise)]
    share = "{:.1%}".format
    return pd.DataFrame(
        {
            "method": rows["method"],
            "as it is": rows["as it is"].map(share),
            "calibrated": rows["calibrated"].map(share),
        }
    )


def _planes(
    current: Current,
    settings: QuantileSettings,
    calibration: Calibration,
    found: Sequence[QuantileResult],
) -> None:
    """Show the calibrated set of each method in the plane, and the set before, dashed."""
    st.caption(
        f"Shaded: the calibrated set of {_percent(calibration.promise)}. Dashed: the set as it is, "
        "which was fitted to all training points."
    )
    for begin in range(0, len(found), IN_A_ROW):
        part = list(zip(found, calibration.found, strict=True))[begin : begin + IN_A_ROW]
        for column, (one, new) in zip(st.columns(max(len(part), 2)), part, strict=False):
            with column:
                plane(
                    _content(current, settings, calibration.promise, one, new),
                    key=f"calibrated-{one.name}",
                    on_rows=lambda rows: select(current.fitted, rows),
                    height=320,
                )


def _content(
    current: Current,
    settings: QuantileSettings,
    promise: float,
    one: QuantileResult,
    new: CalibratedResult,
) -> PlaneData:
    data, grid = current.fitted, fits.grid(current.fitted, current.plane)
    before = outline(one.family.values(grid, promise).reshape(grid.shape), grid)
    held = np.zeros(data.n, dtype=np.int64)
    held[settings.parts(data.n)[1]] = 1
    whole = new.is_everything(promise)
    said = "the whole plane: too few points calibrate" if whole else "shaded"
    return PlaneData(
        points=current.plane.coordinates(data.X),
        view=grid.inner_box,
        kinds=KINDS,
        kind_of=held,
        areas=[Area(new.outline(promise), 0), Area(before, -1, dashed=True)],
        chosen=selection(data).points,
        axis_names=axis_names(data),
        title=f"{one.title}: the whole plane" if whole else one.title,
        name=f"Calibrated set of {one.title}",
        alt=f"{data.n} points. The set of {one.title} that should hold {_percent(promise)} is "
        f"dashed; the calibrated one is {said}.",
    )
