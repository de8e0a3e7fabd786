"""Jobs of `nestviz bench` that need a process of their own: a fresh start, or peak memory.

Called as ``python -m nestviz.studies.bench.jobs JOB [NUMBER ...]``; prints one line of JSON.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable
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
    """Nested one-class SVM over n points whose kernel matrix is never stored."""
    points = training_sets.drawn_banana(n, divisor=divisor)
    start = time.perf_counter()
    columns = KernelRows(points.kernel, points.X)
    upper = np.full(n, 1.0 / n)
    levels = training_sets.one_class_levels(lambda_oc(columns, upper))
    solution = solve_one_class(columns, upper, levels)
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "gap": solution.duality_gap, "gigabytes": peak_gigabytes()}


def peak_gigabytes() -> float:
    """Most memory this process ever held, interpreter included; NaN where nobody tells."""
    # Linux hands the peak that getrusage tells from parent to child; this one starts anew.
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
    """Seconds of the first call and of the second."""
    taken = []
    for _ in range(2):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return {"first": taken[0], "second": taken[1]}


def first_nested_one_class() -> dict[str, float]:
    """First solve of a nested one-class problem."""
    K = training_sets.negative_class("banana", SMALL, divisor=2).gram()
    levels = training_sets.one_class_levels(float(K.mean(axis=1).max()))
    return first_call(lambda: solve_one_class(K, np.full(SMALL, 1.0 / SMALL), levels))


def first_nested_cost() -> dict[str, float]:
    """First solve of a nested cost-sensitive problem."""
    points = training_sets.training_set("banana", divisor=2, n=SMALL)
    K, gamma = points.gram(), np.linspace(0.0, 1.0, training_sets.N_ASYMMETRIES)
    return first_call(lambda: solve_cost_sensitive(K, points.y, np.ones(SMALL), 1.0, gamma))


def first_one_class_path() -> dict[str, float]:
    """First one-class path."""
    K = training_sets.negative_class("banana", SMALL, divisor=2).gram()
    return first_call(lambda: one_class_path(K, np.full(SMALL, 1.0 / SMALL)))


def first_cost_path() -> dict[str, float]:
    """First cost path."""
    points = training_sets.training_set("banana", divisor=2, n=SMALL)
    K = points.gram()
    return first_call(lambda: cost_path(K, points.y, 1.0))


JOBS: dict[str, Callable[..., dict[str, float]]] = {
    "unstored": unstored,
    "first-nested-one-class": first_nested_one_class,
    "first-nested-cost": first_nested_cost,
    "first-one-class-path": first_one_class_path,
    "first-cost-path": first_cost_path,
}


if __name__ == "__main__":
    job, *numbers = sys.argv[1:]
    print(json.dumps(JOBS[job](*map(int, numbers))))
