"""Kept work: data, fits and sweeps, keyed by the data themselves and by what was asked for.

Results are shared between pages and, where they come from samples, between sessions, so they are
read-only; what is made from a user's own data stays in their session (`nestviz.ui.results.cache`).
Every page takes its solutions from `fit`: the same data and the same `Spec` are solved once.

Fits and sweeps that take long run in a worker process: the page then shows a bar and goes no
further until they are done (`nestviz.ui.results.jobs`). Do not ask for them inside a function
decorated by ``st.cache_resource`` or ``st.cache_data``, which must not show anything; use
`keeping.kept`.
"""

from __future__ import annotations

from nestviz.analysis.level_sweep import Sweep
from nestviz.data import Dataset, Projection, make_sample, project
from nestviz.data.projection import Method
from nestviz.grids import Grid, Plane
from nestviz.ui.compute import methods, tasks
from nestviz.ui.compute.methods import Fitted, Spec
from nestviz.ui.results import jobs
from nestviz.ui.results.cache import kept

LONG = 2_000
"""With more points than this, solving is left to a worker process."""
LONG_UNION = 500
"""The same for drawing unions, which follow every pixel through every breakpoint."""


@kept()
def sample(name: str, seed: int, options: tuple[tuple[str, float], ...]) -> Dataset:
    """A sample of the registry."""
    return make_sample(name, seed, **dict(options))


@kept("Projecting to the plane …")
def projection(data: Dataset, method: Method, seed: int) -> Projection:
    """Data projected to two coordinates."""
    return project(data, method, seed)


@kept()
def median_distance(data: Dataset) -> float:
    """The unit in which widths are chosen."""
    from nestviz.kernels import median_distance as measure

    return measure(data.X)


@kept()
def top_level(data: Dataset, sigma: float) -> float:
    """The level above which no training point is inside a Parzen set."""
    return methods.top_level(data.X, sigma)


@kept()
def grid(data: Dataset, plane: Plane) -> Grid:
    """The pixels of the data's pictures."""
    return Grid.around(data.X, plane=plane)


def fit(data: Dataset, spec: Spec) -> Fitted:
    """The solution of a problem; a union is read off the solution whose sets it joins."""
    found = jobs.run(
        (data, spec.solved),
        tasks.fit,
        spec.solved,
        data.X,
        data.y,
        title=f"Solving: {spec.solved.title}",
        long=takes_long(spec, data.n),
    )
    return found.under(spec)


def sweep(data: Dataset, plane: Plane, fitted: Fitted, levels: tuple[float, ...]) -> Sweep:
    """The sets of a family in the plane, level by level."""
    union = bool(fitted.spec.row.joins)
    return jobs.run(
        (data, plane, fitted.spec, levels),
        tasks.walk,
        fitted.family,
        grid(data, plane),
        data.X,
        levels,
        title="Drawing the sets",
        long=data.n > (LONG_UNION if union else LONG) and fitted.spec.method != "Parzen",
        spinner="Drawing …",
    )


def takes_long(spec: Spec, n: int) -> bool:
    """Whether solving for this many points is work for a worker process."""
    return n > LONG and spec.method != "Parzen"
