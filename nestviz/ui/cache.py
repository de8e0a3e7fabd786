"""Cached work, keyed by what was asked for and by the fingerprint of the data.

Results are shared between sessions and pages, so they are read-only. Arrays are passed with a
leading underscore, which keeps Streamlit from hashing them (it samples large arrays and could take
two data sets for one); the fingerprint beside them is a hash of every byte. Nobody can reach a
result without holding data of that very content.
"""

from __future__ import annotations

import numpy as np
import streamlit as st

from nestviz.analysis.sweeps import Sweep, sweep
from nestviz.data import Dataset, Projection, make_sample, project
from nestviz.data.projection import Method
from nestviz.grids import Grid, Plane
from nestviz.ui import methods
from nestviz.ui.methods import Fit, Spec

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
def median_distance(fingerprint: str, _dataset: Dataset) -> float:
    """The unit in which widths are chosen."""
    from nestviz.kernels import median_distance as measure

    return measure(_dataset.X)


@st.cache_resource(max_entries=FITS, show_spinner="Solving …")
def one_class_fit(fingerprint: str, _dataset: Dataset, spec: Spec) -> Fit:
    """A one-class family; labels, if there are any, are not looked at."""
    return methods.fit(spec, _dataset.X)


@st.cache_resource(max_entries=FITS, show_spinner="Solving …")
def two_class_fit(fingerprint: str, _dataset: Dataset, spec: Spec) -> Fit:
    """A two-class family."""
    return methods.fit(spec, _dataset.X, _dataset.y)


@st.cache_resource(max_entries=PICTURES, show_spinner=False)
def grid(fingerprint: str, plane_key: str, _dataset: Dataset, _plane: Plane) -> Grid:
    """The pixels of the data's pictures."""
    return Grid.around(_dataset.X, plane=_plane)


@st.cache_resource(max_entries=PICTURES, show_spinner="Drawing …")
def one_class_sweep(
    fingerprint: str,
    plane_key: str,
    spec: Spec,
    levels: tuple[float, ...],
    _dataset: Dataset,
    _grid: Grid,
) -> Sweep:
    """The walk through a one-class family."""
    fit = one_class_fit(fingerprint, _dataset, spec)
    return sweep(fit.family, _grid, _dataset.X, np.array(levels))


@st.cache_resource(max_entries=PICTURES, show_spinner="Drawing …")
def two_class_sweep(
    fingerprint: str,
    plane_key: str,
    spec: Spec,
    levels: tuple[float, ...],
    _dataset: Dataset,
    _grid: Grid,
) -> Sweep:
    """The walk through a two-class family."""
    fit = two_class_fit(fingerprint, _dataset, spec)
    return sweep(fit.family, _grid, _dataset.X, np.array(levels))
