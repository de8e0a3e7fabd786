"""Cached work, keyed by what was asked for and by the fingerprint of the data.

Results are shared between sessions and pages, so they are read-only. Arrays are passed with a
leading underscore, which keeps Streamlit from hashing them (it samples large arrays and could take
two data sets for one); the fingerprint beside them is a hash of every byte. Nobody can reach a
result without holding data of that very content.
"""

from __future__ import annotations

import streamlit as st

from nestviz.analysis.sweeps import Sweep, sweep
from nestviz.data import Dataset, Projection, make_sample, project
from nestviz.data.projection import Method
from nestviz.families import SetFamily
from nestviz.grids import Grid, Plane

FITS = 64
PICTURES = 128


@st.cache_resource(max_entries=FITS, show_spinner=False)
def sample(name: str, seed: int, options: tuple[tuple[str, float], ...]) -> Dataset:
    """A sample of the registry."""
    return make_sample(name, seed, **dict(options))


@st.cache_resource(max_entries=FITS, show_spinner="Projecting to the plane …")
def projection(fingerprint: str, _dataset: Dataset, method: Method, seed: int) -> Projection:
    """Data projected to two coordinates."""
    return project(_dataset, method, seed)


@st.cache_resource(max_entries=FITS, show_spinner=False)
def parzen(fingerprint: str, _dataset: Dataset, width: float) -> tuple[SetFamily, float]:
    """Parzen level sets, σ in units of the median distance; also σ in the units of the data."""
    from nestviz.estimators import ParzenLevelSets
    from nestviz.kernels import median_distance

    sigma = width * median_distance(_dataset.X)
    return ParzenLevelSets(sigma).fit(_dataset.X).family_, sigma


@st.cache_resource(max_entries=PICTURES, show_spinner=False)
def parzen_sweep(
    fingerprint: str, _dataset: Dataset, plane_key: str, _plane: Plane, width: float
) -> tuple[Sweep, Grid, float]:
    """The walk through all Parzen level sets, and where it is drawn."""
    family, sigma = parzen(fingerprint, _dataset, width)
    grid = Grid.around(_dataset.X, plane=_plane)
    return sweep(family, grid, _dataset.X), grid, sigma
