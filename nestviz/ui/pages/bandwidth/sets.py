"""What the sets of one width are good for: the set of a given mass, and a density."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from nestviz.analysis.density_estimate import DensityEstimate
from nestviz.analysis.level_sweep import Rings, outline
from nestviz.arrays import FloatArray
from nestviz.data import DataError
from nestviz.escaping import markdown
from nestviz.figures.density import density_maps_figure, mass_level_figure
from nestviz.figures.minimum_volume import minimum_volume_figure
from nestviz.ui.compute import width_search
from nestviz.ui.compute.width_search import MassSet
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.pages.bandwidth.results import BandwidthSettings
from nestviz.ui.results import cache, fits, jobs
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.charts import chart
from nestviz.ui.widgets.metrics import metrics
from nestviz.volume import uniform_reference

if TYPE_CHECKING:
    import pandas as pd

BETA = 0.9


def show_mass(current: Current, settings: BandwidthSettings, sigma: float) -> None:
    """Show the smallest set of the family at this width that holds a given mass."""
    beta = inputs.slider(
        "beta", BETA, help="The set of least volume among those with at least this mass is drawn."
    )
    data = current.fitted
    try:
        found = jobs.run(
            (data, settings.method, sigma, beta, settings.folds, settings.margin),
            width_search.set_of_mass,
            settings.method,
            data.X,
            sigma,
            beta,
            settings.folds,
            settings.margin,
            title="Searching for the set of this mass",
        )
    except DataError as error:
        st.warning(markdown(str(error)), icon=":material/report:")
        return
    chosen, volume, spread = found
    values = {
        "mass": f"{chosen.mass:.1%}",
        "set_volume": f"{volume:.3g} ± {spread:.1g}",
        "level": f"{chosen.level:.3g}",
    }
    metrics("pages/bandwidth", values, compact=True)
    left, right = st.columns(2, gap="medium")
    with left:
        alt = (
            f"{data.n} points and the set of least volume with mass {beta:g}, at σ = {sigma:.3g}: "
            f"it holds {chosen.mass:.1%} and fills {volume:.3g} of the box"
        )
        chart(_set_figure(current, found, sigma), "mass_set", 380, alt)
    with right:
        alt = (
            f"The estimated mass over the level; it reaches {beta:g} at λ = {chosen.level:.3g}, "
            f"where it is {chosen.mass:.1%}"
        )
        chart(mass_level_figure(chosen), "mass_level", 380, alt)
    st.caption(
        "The mass is estimated from held-out points: each is counted in the set that was fitted "
        f"without it. The volume is a share of the box.{_extrapolated(found)}"
    )


def _extrapolated(found: MassSet) -> str:
    """Say where a set is extrapolated, below the smallest level that was solved."""
    level, smallest = found.chosen.level, found.chosen.family.hold_level
    if smallest is None or level >= smallest:
        return ""
    return (
        " Its level is below the smallest one that was solved: the set is extrapolated, and larger "
        "than a set that was solved for. A smaller mass or a wider kernel avoids this."
    )


def _set_figure(current: Current, found: MassSet, sigma: float) -> Any:
    data, plane = current.fitted, current.plane
    grid, chosen = fits.grid(data, plane), found.chosen

    def rings() -> Rings:
        return outline(chosen.family.values(grid, chosen.level).reshape(grid.shape), grid)

    drawn = cache.keep(("set of mass", data, plane, sigma, chosen.beta, chosen.level), rings)
    points = plane.coordinates(data.X)
    return minimum_volume_figure(drawn, points, None, grid.box, axis_names(data))


def show_density(current: Current, settings: BandwidthSettings, sigma: float) -> None:
    """Show the density read off the sets of this width, and the true one where it is known."""
    estimate = density(current, settings, sigma)
    grid = fits.grid(current.fitted, current.plane)
    scale, unit = _unit(current, settings)
    maps = {f"read off the sets, σ = {sigma:.3g}": estimate(grid).reshape(grid.shape) / scale}
    if current.density is not None:
        true = current.density(grid.points()).reshape(grid.shape)
        maps["true density"] = true
    peaks = (f"{name}, at most {drawn.max():.3g}" for name, drawn in maps.items())
    alt = f"Maps of the density: {'; '.join(peaks)}"
    chart(density_maps_figure(maps, grid, axis_names(current.fitted), unit), "density", 400, alt)
    words = (
        "How much mass the sets gain per volume as they grow, read off the mass-volume curve of "
        "held-out points: a step function that falls from set to set and integrates to one over "
        "the box."
    )
    if current.density is not None:
        difference = distance(current, settings, estimate)
        words += (
            f" Its distance from the true density, ∫ |f̂ − f| over the box, is "
            f"**{difference:.2f}** (0 is equal, 2 the most)."
        )
    st.caption(words)


def density(current: Current, settings: BandwidthSettings, sigma: float) -> DensityEstimate:
    """Return the density read off the sets of one width."""
    data = current.fitted
    return jobs.run(
        (data, settings.method, sigma, settings.folds, settings.margin),
        width_search.density,
        settings.method,
        data.X,
        sigma,
        settings.folds,
        settings.margin,
        title="Reading the density off the sets",
    )


def distance(current: Current, settings: BandwidthSettings, estimate: DensityEstimate) -> float:
    """Return the mean absolute difference to the true density over the box, times its volume."""
    assert current.density is not None
    box = uniform_reference(current.fitted.X, 4096, margin=settings.margin, random_state=1)
    points = np.asarray(box.points)
    gaps = np.abs(estimate(points) / box.volume - current.density(points))
    return float(gaps.mean() * box.volume)


def density_table(current: Current, settings: BandwidthSettings, sigma: float) -> pd.DataFrame:
    """Return the density at each point of the data, and the true one where it is known."""
    import pandas as pd

    from nestviz.ui.panels.exports import points_columns

    frame = pd.DataFrame(points_columns(current))
    scale, unit = _unit(current, settings)
    frame[unit.replace(" ", "_")] = density(current, settings, sigma)(current.fitted.X) / scale
    if current.density is not None:
        frame["true_density"] = current.density(current.fitted.X)
    return frame


def _unit(current: Current, settings: BandwidthSettings) -> tuple[float, str]:
    """Return the volume of the box and the unit of the density; no volume in many dimensions."""
    X: FloatArray = current.fitted.X
    if X.shape[1] > 2:
        return 1.0, "density as a multiple of the uniform one"
    return uniform_reference(X, 1, margin=settings.margin).volume, "density"
