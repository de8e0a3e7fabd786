"""Compile all kernels before the first visit, or find that they are compiled already.

The first fit on a machine would otherwise wait a minute for numba. What the pages compute is run
once on a few points. Then the files of the cache are listed with their checksums, so that the next
start only has to compare them.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any

import nestviz

LIST = "nestviz-kernels.json"
"""Name of the list of files."""
POINTS = 48


def is_compiled() -> bool:
    """Return whether all kernels are in the cache, undamaged and of these sources.

    Returns
    -------
    bool
    """
    for folder in _folders():
        try:
            listed = json.loads((folder / LIST).read_bytes())
            files = listed["files"] if listed["machine"] == _machine() else {}
            if files and all(_checksum(path) == seen for path, seen in files.items()):
                return True
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue
    return False


def compile_all() -> int:
    """Compile or load every kernel that the app uses, with a progress line on standard error.

    Returns
    -------
    int
        Number of kernels that were compiled rather than loaded.
    """
    from nestviz import compiled

    calls, progress = steps(), _Progress()
    progress.total = len(calls)
    compiled.on_miss.append(progress.count)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for call in calls:
                call()
                progress.done += 1
    finally:
        compiled.on_miss.remove(progress.count)
        progress.end()
    _keep_list(compiled.cache_files())
    return progress.compiled


class _Progress:
    """The progress line; nothing is written if nothing is compiled."""

    def __init__(self) -> None:
        self.started = perf_counter()
        self.total = self.done = self.compiled = 0

    def count(self) -> None:
        """Count a kernel that is being compiled."""
        self.compiled += 1
        if sys.stderr.isatty():
            self._write("\r")
        elif self.compiled == 1:
            self._write("\n")

    def end(self) -> None:
        """Write the last state of the line."""
        if self.compiled:
            self._write("\n")

    def _write(self, end: str) -> None:
        seconds = perf_counter() - self.started
        print(
            f"Compiling the kernels, once on this machine (one to two minutes): "
            f"step {self.done} of {self.total}, {self.compiled} compiled, {seconds:.0f} s",
            end=end,
            file=sys.stderr,
            flush=True,
        )


def steps() -> list[Callable[[], Any]]:
    """Return calls on a few points that need every kernel the pages need.

    Returns
    -------
    list of callable
    """
    import numpy as np

    X = np.random.default_rng(0).normal(size=(POINTS, 2))
    y = np.where(X[:, 0] > 0, 1, -1)
    more = [X[:, :1].copy(), np.column_stack([X, X[:, 0]])]
    for points in (X, *more):
        points.setflags(write=False)  # as the points of a data set are
    return [
        *(lambda name=name: _fit(name, X, y) for name in sorted(nestviz.__all__)),
        *(lambda points=points: _analyse(points) for points in (X, *more)),
        *(lambda width=width: _solve_hard(width) for width in (0.5, 5.0)),
        *(lambda kind=kind: _show(X, y, kind) for kind in ("one class", "two classes")),
        lambda: _certify_rows(X, y),
        lambda: _compare_quantiles(X),
        lambda: _decompose(X),
        lambda: _search_width(X),
        lambda: _vary(X, y),
        lambda: _search_costs(X, y),
        lambda: _resample(X, y),
        lambda: _insert_levels(X, y),
    ]


def _fit(name: str, X: Any, y: Any) -> None:
    """Fit an estimator, if it is one, to points as pages and as programs have them."""
    kind = getattr(nestviz, name)
    if not hasattr(kind, "fit"):
        return
    from nestviz.analysis.level_sweep import sweep

    grid = nestviz.Grid.around(X, resolution=8)
    for points in (X, X.copy()):
        family = getattr(kind().fit(points, y), "family_", None)
        if family is not None:
            family.first_level(points)
            sweep(family, grid, points)


def _insert_levels(X: Any, y: Any) -> None:
    """Fit the nested SVMs with levels that are inserted."""
    nestviz.NestedOneClassSVM(levels="adaptive").fit(X)
    nestviz.NestedCostSensitiveSVM(asymmetries="adaptive").fit(X, y)


def _analyse(X: Any) -> None:
    """Build trees and rankings, also on a line and in space."""
    from nestviz.analysis.nesting import nesting_report
    from nestviz.analysis.ranking import ranking_scores
    from nestviz.analysis.smallest_change import smallest_change
    from nestviz.analysis.tree.cluster_tree import cluster_tree
    from nestviz.analysis.tree.hdbscan import hdbscan_tree
    from nestviz.analysis.tree.pixel_tree import pixel_tree
    from nestviz.ui.compute.methods import top_level

    family = nestviz.OneClassPath(0.5).fit(X).family_
    cluster_tree(family, X)
    hdbscan_tree(X)
    ranking_scores(family, X)
    smallest_change(family, X[0] + 9.0, float(family.levels.max()) / 2.0)
    top_level(X, 0.5)
    if X.shape[1] == 2:
        grid = nestviz.Grid.around(X, resolution=8)
        pixel_tree(family, grid, X)
        nesting_report(family, grid)
        family.intervals(nestviz.Grid.around(X, resolution=60))  # enough pixels for norms


def _solve_hard(width: float) -> None:
    """Solve what needs the solvers' rarer steps: ties, repeated points, numbers far from zero."""
    import numpy as np

    lattice = np.indices((6, 8)).reshape(2, -1).T.astype(float)
    repeated = np.repeat(lattice[::4], 4, axis=0)
    for points in (lattice, repeated, 1e9 + np.tile(lattice, 10)):
        labels = np.where(np.arange(len(points)) % 2, 1, -1)
        for estimator in (
            nestviz.OneClassPath(width),
            nestviz.CostSensitivePath(width),
            nestviz.NestedOneClassSVM(width, 4, tol=1e-12),
            nestviz.NestedCostSensitiveSVM(width, asymmetries=4, tol=1e-12),
            nestviz.QuantileOneClassSVM(width, 6, tol=1e-12),
        ):
            family = estimator.fit(points, labels).family_
            family.values(points, family.levels[:2])
            family.field(points)


def _show(X: Any, y: Any, kind: Any) -> None:
    """Build the scene of every method, its message for the browser, and its measures."""
    from nestviz.ui.compute import measures, scenes, tasks
    from nestviz.ui.compute.methods import METHODS, Fitted, Spec
    from nestviz.ui.scene.message import encode_scene

    def fit(spec: Spec) -> Fitted:
        return tasks.fit(spec.solved, X, data.y).under(spec)

    data, plane = nestviz.Dataset(X, y), nestviz.Plane.of_two_features()
    specs = tuple(Spec(method, 0.5, levels=4, kind=kind) for method in METHODS[kind])
    frames, fits = scenes.frames_of(data, specs, fit), [fit(spec) for spec in specs]
    scene = scenes.scene_of(data, plane, fits, frames, scenes.Look())
    encode_scene(scene, detail="exact")
    encode_scene(scene, detail="knots")
    for fitted in fits:
        measures.measures(fitted.family, X, plane)
    measures.held_out(specs, X, y if kind == "two classes" else None, tasks.never_stop)


def _certify_rows(X: Any, y: Any) -> None:
    """Fit weighted centres of many rows, and certify them for all rows."""
    from nestviz.ui.compute import all_rows, tasks
    from nestviz.ui.compute.methods import METHODS, Spec

    found = all_rows.choose_centres(X, y, len(X) // 3, 0, tasks.never_stop)
    assert found is not None  # nothing stops it
    for kind, methods in METHODS.items():
        for method in list(methods)[:2]:
            spec = Spec(method, 0.5, levels=4, kind=kind)
            fitted = tasks.fit(spec, found.centres, found.y, found.weights)
            all_rows.certify(fitted.estimator, X, y, found, tasks.never_stop)


def _resample(X: Any, y: Any) -> None:
    """Fit to samples drawn from the data, for bands, ranks and branches."""
    from nestviz.analysis.resampling.bands import boundary_bands
    from nestviz.analysis.resampling.draws import Resampling
    from nestviz.analysis.resampling.ranks import rank_intervals
    from nestviz.analysis.resampling.trees import resample_trees

    grid, few = nestviz.Grid.around(X, resolution=8), Resampling(2)
    for one_class in (nestviz.OneClassPath(0.5), nestviz.NestedOneClassSVM(0.5, 4)):
        boundary_bands(one_class, X, grid, [0.1, 0.05], resampling=few)
        rank_intervals(one_class, X, resampling=few)
        resample_trees(one_class, X, resampling=few)
    for two_class in (nestviz.CostSensitivePath(0.5), nestviz.NestedCostSensitiveSVM(0.5)):
        boundary_bands(two_class, X, grid, [0.3, 0.6], y=y, resampling=few)


def _compare_quantiles(X: Any) -> None:
    """Fit the methods of the quantile page."""
    from nestviz.ui.compute import quantiles, tasks

    settings = quantiles.QuantileSettings(0.5, 6, 0.1, 0.9, 0.2, 0, 4, dense=True)
    grid = nestviz.Grid.around(X, resolution=8)
    for name in quantiles.METHODS:
        fitted = quantiles.fit(name, settings, X, tasks.never_stop)
        quantiles.measure(fitted, name, settings, X, grid, tasks.never_stop)


def _decompose(X: Any) -> None:
    """Solve step by step, and directions in the plane, as the theory page does."""
    import numpy as np

    from nestviz.analysis.decomposition import decompose
    from nestviz.analysis.nu.arcs import solve_arc

    decompose(nestviz.GaussianKernel(0.5).gram(X, X), np.array([0.3, 0.2, 0.1]), 3)
    solve_arc(np.linspace(0.1, 1.4, 8), 0.5)


def _search_width(X: Any) -> None:
    """Search the width by every method of the bandwidth page."""
    from nestviz.ui.compute import tasks, width_search

    for method in width_search.METHODS:
        width_search.search(method, X, 2, 2, 0.1, tasks.never_stop)


def _vary(X: Any, y: Any) -> None:
    """Solve the variants of the one-class SVM, and choices of points to leave out."""
    import numpy as np

    from nestviz.ui.compute import left_outs, tasks, variants
    from nestviz.ui.scene.message import encode_scene

    data, plane, rows = nestviz.Dataset(X, y), nestviz.Plane.of_two_features(), (0, 1, 2)
    for variant in (
        variants.Variant("ball", 0.5),
        variants.Variant("ball", 0.5, degree=2),
        variants.Variant("outliers", 0.5, rows=rows),
        variants.Variant("mean", 0.5, rows=rows),
    ):
        found = variants.families(variant, X, 3, tasks.never_stop)
        scene = variants.scene_of(
            data, plane, variant, found, start=0.0, shown=(), axis_names=("x", "y")
        )
        encode_scene(scene)
        variants.at_rest(variant, X, 0.3, plane, tasks.never_stop)
    left_outs.choices(np.ascontiguousarray(X[:6]), 0.5, 1, tasks.never_stop)


def _search_costs(X: Any, y: Any) -> None:
    """Search σ and λ of two classes by every method."""
    from nestviz.ui.compute import cost_search, tasks
    from nestviz.ui.compute.methods import TWO_CLASS, Spec

    for method, row in TWO_CLASS.items():
        if not row.joins:
            spec = Spec(method, 0.5, levels=4, kind="two classes")
            cost_search.search(spec, (0.5,), (0.1, 1.0), 2, X, y, tasks.never_stop)


def _keep_list(files: set[str]) -> None:
    """List the files where the next start looks for them."""
    listed = {path: _checksum(path) for path in sorted(files)}
    text = json.dumps({"machine": _machine(), "files": listed})
    for folder in _folders():
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            part = folder / f"{LIST}.{os.getpid()}"
            part.write_text(text, encoding="utf-8")
            part.replace(folder / LIST)
            return


def _folders() -> list[Path]:
    """Return the folders that may hold the list, the preferred one first."""
    if given := os.environ.get("NUMBA_CACHE_DIR"):
        return [Path(given)]
    return [Path(nestviz.__file__).parent / "__pycache__", Path.home() / ".cache" / "nestviz"]


def _machine() -> list[str]:
    """Return what compiled kernels depend on, beside their sources."""
    from llvmlite import binding

    chosen = [os.environ.get(name, "") for name in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")]
    versions = [nestviz.__version__, sys.version, version("numba"), version("llvmlite")]
    return [*versions, *chosen, binding.get_host_cpu_name()]


def _checksum(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()
