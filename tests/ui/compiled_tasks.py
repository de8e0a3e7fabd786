"""Run the tasks of workers after the kernels were compiled ahead; print tasks that need others."""

import warnings
from functools import partial

import numpy as np

import nestviz
from nestviz import compiled
from nestviz.ui import compile_ahead
from nestviz.ui.compute import code_books, entry_maps, rates, tasks, width_search
from nestviz.ui.compute.methods import METHODS, Spec
from nestviz.ui.compute.rates import RateGrid

KINDS = ("uniform", "thinned", "manifold", "one-class")
PAIR = ("one-class SVM", "nested one-class SVM")
GRID = RateGrid(np.array([0.2, 0.5, 0.9]), np.array([0.5, 1.0]), 2, 0)
WIDTHS, RADII = (0.5, 0.9), np.array([0.5, 0.9])


def searches(X):
    """Return calls of all searches on some points; they lack the report of progress only."""
    y = np.where(X[:, 0] > 0, 1, -1).astype(np.int8)
    calls = [partial(work, X, y, GRID) for work in (rates.table, rates.nu_svm_table)]
    calls += [partial(rates.linear_table, X, y, GRID)]
    calls += [partial(rates.reference_tables, X, KINDS, GRID, None)]
    for name in width_search.METHODS:
        calls += [
            partial(width_search.bootstrap, name, X, WIDTHS, 2, 0.1),
            partial(width_search.set_of_mass, name, X, 0.7, 0.8, 2, 0.1),
            partial(width_search.density, name, X, 0.7, 2, 0.1),
        ]
    return [
        *calls,
        partial(width_search.compare_areas, PAIR, X, None, WIDTHS, 2),
        partial(code_books.code_book, X, 0.9, False, 100),
        partial(code_books.sizes, X, RADII),
        partial(entry_maps.grow_hdbscan, X, 4),
    ]


def analyses(X):
    """Return calls that solve a method and grow its tree, or rank the points by it."""

    def solve_and(work, spec, report):
        fitted = tasks.fit(spec.solved, X).under(spec)
        work(fitted, X, nestviz.Plane.of_two_features(), report)

    specs = [Spec(name, 0.5, levels=5, spacing="geometric") for name in METHODS["one class"]]
    works = (entry_maps.grow, entry_maps.rank)
    return [partial(solve_and, work, spec) for spec in specs for work in works]


def main() -> None:
    warnings.simplefilter("ignore")
    compile_ahead.compile_all()
    rng, missing = np.random.default_rng(1), []
    compiled.on_miss.append(lambda: missing.append(call))
    calls = analyses(rng.normal(size=(60, 2)))
    for d in (2, 5):
        X = rng.normal(size=(60, d))
        X.setflags(write=False)  # as the points of a data set are
        calls += searches(X)
    for call in calls:
        call(tasks.never_stop)
    for call in missing:
        print(call.func.__name__, *(a for a in call.args if isinstance(a, (str, Spec))))
    print(len(calls), "tasks")


main()
