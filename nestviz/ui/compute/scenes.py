"""Scenes of the player: families of some data over one level axis, without Streamlit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nestviz.arrays import BoolArray, FloatArray, IntArray
from nestviz.data import Dataset
from nestviz.data.densities import Density
from nestviz.grids import Grid, Plane
from nestviz.solvers.merge import merge_duplicates
from nestviz.ui.compute.frames import (
    NAMES,
    Fit,
    Frames,
    Over,
    asymmetry_frames,
    level_frames,
    nu_of,
)
from nestviz.ui.compute.methods import WITH_NU, Fitted, Spec, mean_one, top_level
from nestviz.ui.scene.lattices import Band, Truth
from nestviz.ui.scene.point_names import point_names
from nestviz.ui.scene.scene import Form, Knob, Layer, Panel, Scale, Scene
from nestviz.ui.scene.view_box import shown_box

SCANNED = 700
"""Up to this many points, the levels of each point are computed exactly along a whole path; more
would delay the picture."""
COUNTED_LIVE = 1_000
"""Up to this many points, points inside are counted while a knob moves."""
FORMS: dict[Over, Form] = {"level": "3g", "nu": "3f", "mass": "1%"}
GHOSTS = 10
LATTICE = 121
"""Values of a known density along each side of the picture."""


@dataclass(frozen=True)
class Look:
    """How the player starts, and what it says about the data."""

    start: float = 0.0
    autoplay: bool = False
    shown: tuple[Layer, ...] = ("outline", "fill", "overlay")
    axis_names: tuple[str, str] = ("x", "y")


def frames_of(data: Dataset, specs: Sequence[Spec], fit: Fit, over: Over = "level") -> Frames:
    """Return the stops of the level axis: asymmetries for two classes, levels for one."""
    if specs[0].two_classes:
        return asymmetry_frames()
    top = top_level(data.X, specs[0].sigma, data.weights)
    return level_frames(data.X, specs, top, fit, over, data.weights)


def scene_of(
    data: Dataset,
    plane: Plane,
    fits: Sequence[Fitted],
    frames: Frames,
    look: Look,
    knobs: Sequence[Knob] = (),
    *,
    exact: bool = True,
    density: Density | None = None,
    bands: Sequence[Band | None] = (),
    live: Mapping[str, Any] | None = None,
) -> Scene:
    """Return families over the level λ, or over the cost asymmetry γ for two classes.

    Parameters
    ----------
    data : Dataset
        The training points.
    plane : Plane
        The plane of the picture.
    fits : sequence of Fitted
        One solution for each panel.
    frames : Frames
        The stops of the level axis.
    look : Look
        How the player starts.
    knobs : sequence of Knob
        The settings with a slider in the player.
    exact : bool
        Whether to compute the levels of each point; without them, points are counted at the stops.
    density : callable, optional
        The density that the points were drawn from, if it is known.
    bands : sequence of Band, optional
        Where the boundaries of resamples differ, for each panel.
    live : mapping, optional
        How the browser asks for families.

    Returns
    -------
    Scene
    """
    two_classes = fits[0].spec.two_classes
    levels = np.array(frames.levels)
    panels = [_panel(data, plane, fitted, levels, exact) for fitted in fits]
    if bands:
        panels = [replace(one, band=band) for one, band in zip(panels, bands, strict=True)]
    numbers = levels if two_classes else np.array(frames.numbers)
    name = "cost asymmetry γ" if two_classes else NAMES[frames.over]
    form: Form = "2f" if two_classes else FORMS[frames.over]
    nus = None if two_classes else nu_of(fits, frames.levels)
    titles = " and ".join(panel.title for panel in panels)
    view = view_of(data.X, plane)
    return Scene(
        panels=panels,
        scale=Scale(name, levels, numbers, form),
        view=view,
        axis_names=look.axis_names,
        class_names=("class +1", "class −1") if data.y is not None else ("points",),
        neutral=not two_classes,
        overlay_name="was inside, now outside",
        flag_name="violates nesting: enters and leaves again",
        shown=look.shown,
        alt=f"{titles} of {_points_in_words(data)} over the {name}.",
        start=look.start,
        autoplay=look.autoplay,
        ghosts=GHOSTS,
        notes=() if two_classes else [_units(frames, nus, k) for k in range(levels.size)],
        knobs=knobs,
        truth=truth_of(density, view, fits[0].spec),
        # Answers while a knob moves are many; the browser keeps the names.
        point_names=point_names(data) if exact else (),
        live=live or {},
    )


def _points_in_words(data: Dataset) -> str:
    if data.weights is None:
        return f"{data.n} points"
    return f"{data.n} weighted centres of {data.stands_for:,.0f} rows, their area by weight,"


def view_of(X: FloatArray, plane: Plane) -> tuple[float, float, float, float]:
    """Return the part of the plane that is shown of some points."""
    return shown_box(Grid.around(X, plane=plane).inner_box)


def _panel(data: Dataset, plane: Plane, fitted: Fitted, levels: Any, exact: bool) -> Panel:
    """Return the panel of a method; with two classes, points that leave again are hollow."""
    family, spec = fitted.family, fitted.spec
    classes = np.zeros(data.n, np.uint8) if data.y is None else np.where(data.y < 0, 1, 0)
    scanned = family.is_nested or (exact and data.n <= SCANNED)
    intervals = family.intervals(data.X) if scanned and not spec.row.joins else None
    counted = intervals is None and (exact or data.n <= COUNTED_LIVE)
    hollow = None
    if spec.two_classes and exact and scanned:
        hollow = family.scan(data.X).violated
    return Panel(
        spec.title,
        plane.coordinates(data.X),
        classes,
        family,
        plane,
        intervals=intervals,
        inside=_inside(fitted, data, levels) if counted else None,
        size_scale=None if spec.row.joins else _size_scale(spec, data.n),
        size_rows=None if len(family.centres) == data.n else _centres_of(data, spec),
        hollow=hollow,
        weights=None if data.weights is None else mean_one(data.weights),
    )


def _inside(fitted: Fitted, data: Dataset, levels: Any) -> Any:
    """Return which points are inside at each level; those of a union from the sets it joins."""
    from nestviz.analysis.level_sweep import points_inside

    return points_inside(fitted.family, data.X, levels)


def _centres_of(data: Dataset, spec: Spec) -> IntArray:
    """Return the centre of each point: repeated points are solved for as one."""
    y = np.asarray(data.y, dtype=np.float64) if spec.two_classes else None
    return merge_duplicates(data.X, y).inverse


def _size_scale(spec: Spec, n: int) -> float:
    """Return the factor from the size of a coefficient to its share of the upper bound."""
    if spec.two_classes:
        return spec.lam
    return n * (spec.nu if spec.method == WITH_NU else 1.0)


def _units(frames: Frames, nus: Any, k: int) -> str:
    """Return the level of a stop in the units that the slider does not show."""
    parts = [] if frames.over == "level" else [f"λ = {frames.levels[k]:.3g}"]
    if nus is not None and frames.over != "nu":
        parts.append(f"ν = {nus[k]:.2f} (one-class SVM)")
    return f"{', '.join(parts)}; " if parts else ""


def turned(spec: Spec, knobs: Mapping[str, float], unit: float) -> Spec:
    """Return a spec with the values of knobs; ``unit`` is the length of a width of 1."""
    changes: dict[str, Any] = {}
    if "width" in knobs:
        changes["sigma"] = knobs["width"] * unit
    if "look" in knobs:
        changes["sigma"] = knobs["look"]
    if "loglam" in knobs:
        # As `fit_controls.shown_value` computes it, to the last digit: the solution is reused.
        changes["lam"] = 10.0 ** knobs["loglam"]
    changes |= {name: knobs[name] for name in ("nu", "eta") if name in knobs}
    return replace(spec, **changes)


def inside_shares(panel: Panel, scale: Scale) -> FloatArray:
    """Return the share of a panel's points inside at each stop."""
    n = max(len(panel.points), 1)
    if panel.inside is not None:
        return _mean(panel.inside, panel.weights)
    if panel.intervals is None:
        raise ValueError(f"Panel {panel.title!r} does not say which points are inside.")
    levels = scale.levels[:, None]
    # The intervals of a point do not overlap: each counts its point once.
    inside = (panel.intervals.lower <= levels) & (levels <= panel.intervals.upper)
    if panel.weights is None:
        return inside.sum(axis=1) / n
    return inside @ np.repeat(panel.weights, panel.intervals.counts) / n


def _mean(inside: BoolArray, weights: FloatArray | None) -> FloatArray:
    """Return the share of the points inside in each row, by their weights, whose mean is 1."""
    return np.asarray(inside.mean(axis=1) if weights is None else inside @ weights / len(weights))


def truth_of(
    density: Density | None, view: tuple[float, float, float, float], spec: Spec
) -> Truth | None:
    """Return the known density on a lattice, for a one-class family in the plane.

    A level λ is a Parzen average of kernels whose largest value is 1: times 1 / (2πσ²) it is a
    density.
    """
    if density is None or spec.two_classes:
        return None
    xmin, xmax, ymin, ymax = view
    across, along = np.linspace(xmin, xmax, LATTICE), np.linspace(ymin, ymax, LATTICE)
    columns, rows = np.meshgrid(across, along)
    values = density(np.column_stack([columns.ravel(), rows.ravel()]))
    factor = 1.0 / (2.0 * np.pi * spec.sigma**2)
    return Truth(across, along, values.reshape(LATTICE, LATTICE), factor)
