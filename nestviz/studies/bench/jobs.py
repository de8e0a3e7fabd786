"""Jobs of `nestviz bench` that need a new process: a fresh start, or peak memory.

Called as ``python -m nestviz.studies.bench.jobs JOB [NUMBER ...]``; prints one line of JSON.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from nestviz.solvers.columns import KernelRows
from nestviz.solvers.nested.limits import lambda_oc
from nestviz.solvers.nested.solve import solve_cost_sensitive, solve_one_class
from nestviz.solvers.path.cost_sensitive import cost_path
from nestviz.solvers.path.one_class import one_class_path
from nestviz.studies.bench import training_sets

#: Points of the small problems on which a first call is timed.
SMALL = 100


def unstored(n: int, divisor: int) -> dict[str, float]:
    """Solve the nested one-class SVM over n points without a stored kernel matrix."""
    points = training_sets.drawn_banana(n, divisor=divisor)
    start = time.perf_counter()
    columns = KernelRows(points.kernel, points.X)
    upper = np.full(n, 1.0 / n)
    levels = training_sets.one_class_levels(lambda_oc(columns, upper))
    solution = solve_one_class(columns, upper, levels)
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "gap": solution.duality_gap, "gigabytes": peak_gigabytes()}


def peak_gigabytes() -> float:
    """Return the peak memory of this process, interpreter included; NaN if unknown."""
    # On Linux a child inherits the peak of getrusage from its parent, but not this one.
    status = Path("/proc/self/status")
    if status.is_file():
        (peak,) = re.findall(r"^VmHWM:\s*(\d+) kB$", status.read_text("ascii"), re.MULTILINE)
        return int(peak) * 1024 / 1e9
    try:
        import resource
    except ModuleNotFoundError:  # Windows
        return float("nan")
    # Kilobytes everywhere but on macOS, where it is bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e9


def first_call(work: Callable[[], object]) -> dict[str, float]:
    """Time the first call and the second."""
    taken = []
    for _ in range(2):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return {"first": taken[0], "second": taken[1]}


def first_solve(solver: str) -> dict[str, float]:
    """Time the first call of a solver on a small problem."""
    K = training_sets.negative_class("banana", SMALL, divisor=2).gram()
    both = training_sets.training_set("banana", divisor=2, n=SMALL)
    L, one, upper = both.gram(), np.ones(SMALL), np.full(SMALL, 1.0 / SMALL)
    levels = training_sets.one_class_levels(float(K.mean(axis=1).max()))
    gamma = np.linspace(0.0, 1.0, training_sets.N_ASYMMETRIES)
    solves: dict[str, Callable[[], object]] = {
        "nested-one-class": lambda: solve_one_class(K, upper, levels),
        "nested-cost": lambda: solve_cost_sensitive(L, both.y, one, 1.0, gamma),
        "one-class-path": lambda: one_class_path(K, upper),
        "cost-path": lambda: cost_path(L, both.y, 1.0),
    }
    return first_call(solves[solver])


def many_points(job: str, *sizes: int) -> dict[str, float]:
    """Run a job on weighted centres; what it imports must not count in the memory of others."""
    from nestviz.studies.bench import many_points as module

    measured: dict[str, float] = getattr(module, job)(*sizes)
    return measured


SOLVERS = ("nested-one-class", "nested-cost", "one-class-path", "cost-path")
JOBS: dict[str, Callable[..., dict[str, float]]] = {
    "unstored": unstored,
    "weighted-centres": partial(many_points, "fit_banana"),
    "weighted-centres-mixture": partial(many_points, "fit_mixture"),
    **{f"first-{solver}": partial(first_solve, solver) for solver in SOLVERS},
}


if __name__ == "__main__":
    job, *numbers = sys.argv[1:]
    print(json.dumps(JOBS[job](*map(int, numbers))))
