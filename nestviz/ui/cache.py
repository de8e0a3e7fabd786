"""Kept work, keyed by what was asked for and by the fingerprint of the data.

Results are shared between pages and, where they come from samples, between sessions, so they are
read-only; what is made from a user's own data stays in their session (`nestviz.ui.keeping`). Data
are passed with a leading underscore, which keeps them out of the key; the fingerprint beside them
is a hash of every byte.

Fits and sweeps that take long run in a worker process: the page then shows a bar and goes no
further until they are done (`nestviz.ui.jobs`). Do not ask for them inside a function decorated by
``st.cache_resource`` or ``st.cache_data``, which must not show anything; use `keeping.kept`.
"""

from __future__ import annotations

from nestviz.analysis.sweeps import Sweep
from nestviz.data import Dataset, Projection, make_sample, project
from nestviz.data.projection import Method
from nestviz.grids import Grid, Plane
from nestviz.ui import jobs
from nestviz.ui.keeping import kept
from nestviz.ui.methods import ONE_CLASS, TWO_CLASS, Fit, Spec
from nestviz.ui.work import tasks

LONG = 2_000
"""With more points than this, solving is left to a worker process."""
LONG_PATH = 2_000
"""The same for whole paths; they take about a second."""
LONG_UNION = 500
"""The same for drawing unions, which follow every pixel through every breakpoint."""


@kept()
def sample(name: str, seed: int, options: tuple[tuple[str, float], ...]) -> Dataset:
    """A sample of the registry."""
    return make_sample(name, seed, **dict(options))


@kept("Projecting to the plane …")
def projection(fingerprint: str, _dataset: Dataset, method: Method, seed: int) -> Projection:
    """Data projected to two coordinates."""
    return project(_dataset, method, seed)


@kept()
def median_distance(fingerprint: str, _dataset: Dataset) -> float:
    """The unit in which widths are chosen."""
    from nestviz.kernels import median_distance as measure

    return measure(_dataset.X)


def one_class_fit(fingerprint: str, _dataset: Dataset, spec: Spec) -> Fit:
    """A one-class family; labels, if there are any, are not looked at."""
    return _fit("one class", fingerprint, _dataset, spec)


def two_class_fit(fingerprint: str, _dataset: Dataset, spec: Spec) -> Fit:
    """A two-class family."""
    return _fit("two classes", fingerprint, _dataset, spec)


@kept()
def grid(fingerprint: str, plane_key: str, _dataset: Dataset, _plane: Plane) -> Grid:
    """The pixels of the data's pictures."""
    return Grid.around(_dataset.X, plane=_plane)


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
    key = ("one class", fingerprint, plane_key, spec, levels)
    return _sweep(key, fit, _dataset, _grid, spec, levels)


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
    key = ("two classes", fingerprint, plane_key, spec, levels)
    return _sweep(key, fit, _dataset, _grid, spec, levels)


def takes_long(spec: Spec, n: int) -> bool:
    """Whether solving for this many points is work for a worker process."""
    method = ONE_CLASS.get(spec.method) or TWO_CLASS[spec.method]
    if method.estimator.endswith("Path"):
        return n > LONG_PATH
    return n > LONG and spec.method != "Parzen"


def _fit(kind: str, fingerprint: str, data: Dataset, spec: Spec) -> Fit:
    y = data.y if kind == "two classes" else None
    title = (ONE_CLASS if y is None else TWO_CLASS)[spec.method].title
    return jobs.run_if_long(
        takes_long(spec, data.n),
        (kind, fingerprint, spec),
        tasks.fit,
        spec,
        data.X,
        y,
        title=f"Solving: {title}",
    )


def _sweep(
    key: tuple[object, ...],
    fit: Fit,
    data: Dataset,
    grid: Grid,
    spec: Spec,
    levels: tuple[float, ...],
) -> Sweep:
    most = LONG_UNION if spec.method == "union" else LONG
    return jobs.run_if_long(
        data.n > most and spec.method != "Parzen",
        key,
        tasks.walk,
        fit.family,
        grid,
        data.X,
        levels,
        title="Drawing the sets",
        spinner="Drawing …",
    )
