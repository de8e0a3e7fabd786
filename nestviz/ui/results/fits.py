"""Cached data and fits, keyed by the data and the settings.

Results are read-only: pages share them and, where they come from samples, sessions do too. Results
of a user's own data belong to their session (`nestviz.ui.results.cache`). All pages get their
solutions from `fit`: the same data and the same `Spec` are solved once.

Long fits run in a worker process, while the page shows a progress bar
(`nestviz.ui.results.jobs`). Do not call them inside a function decorated by ``st.cache_resource``
or ``st.cache_data``, which must not draw; use `cache.kept`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from nestviz.arrays import FloatArray
from nestviz.data import Dataset, Projection, make_sample, project
from nestviz.data.centres import typical_distance
from nestviz.data.projection import Method
from nestviz.grids import Grid, Plane
from nestviz.ui.compute import methods, tasks
from nestviz.ui.compute.methods import Fitted, Spec
from nestviz.ui.compute.tasks import Report
from nestviz.ui.results import jobs
from nestviz.ui.results.cache import kept
from nestviz.ui.session.view import stop_page

Result = TypeVar("Result")

LONG = 2_000
"""With more points than this, a worker process solves."""
LONG_ANALYSIS = 1_500
"""The same for trees, rankings and quantile sets."""


@kept()
def sample(name: str, seed: int, options: tuple[tuple[str, float], ...]) -> Dataset:
    """Return a sample of the registry."""
    return make_sample(name, seed, **dict(options))


@kept("Projecting to the plane …")
def projection(data: Dataset, method: Method, seed: int) -> Projection:
    """Return data projected to two coordinates."""
    return project(data, method, seed)


@kept()
def median_distance(data: Dataset) -> float:
    """Return the unit in which widths are chosen."""
    return typical_distance(data)


@kept()
def top_level(data: Dataset, sigma: float) -> float:
    """Return the level above which no training point is inside a Parzen set."""
    return methods.top_level(data.X, sigma, data.weights)


@kept()
def largest_regularisation(data: Dataset, sigma: float) -> float:
    """Return λ_max, from which on two-class solutions do not change any more."""
    assert data.y is not None  # pages of two classes stop without labels
    weights = None if data.weights is None else methods.mean_one(data.weights)
    return methods.largest_regularisation(data.X, data.y, sigma, weights)


@kept()
def grid(data: Dataset, plane: Plane) -> Grid:
    """Return the pixel grid of the pictures of some data."""
    return Grid.around(data.X, plane=plane)


def fit(data: Dataset, spec: Spec) -> Fitted:
    """Return the solution of a problem; a union reuses the solution whose sets it joins."""
    found = jobs.run(
        (data, spec.solved),
        tasks.fit,
        spec.solved,
        data.X,
        data.y,
        data.weights,
        title=f"Solving: {spec.solved.title}",
        long=data.n > LONG and spec.method != "Parzen",
    )
    return found.under(spec)


def analyse(
    data: Dataset,
    plane: Plane,
    fitted: Fitted,
    work: Callable[[Fitted, FloatArray, Plane, Report], Result | None],
    title: str,
) -> Result:
    """Return the tree or the ranking of a solution; stop the page if it was cancelled."""
    found = jobs.run(
        (data, plane, fitted.spec),
        work,
        fitted,
        data.X,
        plane,
        title=title,
        long=data.n > LONG_ANALYSIS,
    )
    if found is None:
        stop_page()
    return found
