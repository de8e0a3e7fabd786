"""Pictures and numbers for the page on quantiles. Run: python docs/figures/quantiles.py"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nestviz import (
    Grid,
    HierarchicalMVSets,
    IndependentOneClassSVM,
    NestedOneClassSVM,
    ParzenLevelSets,
    QuantileOneClassSVM,
    make_sample,
)
from nestviz.analysis import at_masses, coverage_ratio
from nestviz.analysis.coverage import CoverageRatio
from nestviz.analysis.quantiles import quantile_sets
from nestviz.families import SetFamily
from nestviz.figures.quantiles import coverage_ratio_figure, quantile_sets_figure

IMAGES = Path(__file__).resolve().parents[1] / "images"
FloatArray = NDArray[np.float64]
NINETEEN = np.arange(1, 20) / 20
DRAWS = 20
SIZE = 100
HELD_OUT = 5000


def save(figure: go.Figure, name: str, height: int = 460) -> None:
    figure.update_layout(paper_bgcolor="white", plot_bgcolor="white")
    figure.write_image(IMAGES / f"quantiles-{name}.png", width=1000, height=height, scale=1)


def families(X: FloatArray, sigma: float, quantiles: FloatArray) -> dict[str, SetFamily]:
    """Sets of the same quantiles by all methods."""
    sets = {
        name: estimator(sigma=sigma, quantiles=quantiles).fit(X).family_
        for name, estimator in (
            ("q-OCSVM", QuantileOneClassSVM),
            ("independent", IndependentOneClassSVM),
            ("greedy (HMVE)", HierarchicalMVSets),
        )
    }
    sets["nested, by mass"] = at_masses(NestedOneClassSVM(sigma).fit(X).family_, X, quantiles)
    sets["Parzen, by mass"] = at_masses(ParzenLevelSets(sigma).fit(X).family_, X, quantiles)
    return sets


def sets_side_by_side() -> None:
    """Four quantiles of 100 points from two bumps, as in figure 1 of the paper."""
    X = two_bumps(np.random.default_rng(3), SIZE, 2)
    quantiles = np.array([0.2, 0.4, 0.6, 0.8])
    chosen = families(X, 0.5, quantiles)
    del chosen["Parzen, by mass"]
    records = quantile_sets(chosen, Grid.around(X, resolution=200, margin=0.4), X, quantiles)
    save(quantile_sets_figure(records, X), "sets", height=440)
    for record in records:
        worst = record.worst
        print(
            record.name, "areas", record.areas.round(2), "crossing", round(record.crossing_area, 2)
        )
        if worst is not None:
            print(f"  worst: {worst.small:g} out of {worst.large:g}, area {worst.area:.2f}")


def two_bumps(rng: np.random.Generator, n: int, dimensions: int) -> FloatArray:
    """A narrow and a wide bump."""
    wide = rng.integers(0, 2, n).astype(bool)
    X = rng.normal(size=(n, dimensions)) * np.where(wide, 1.0, 0.5)[:, None]
    X[:, 0] += np.where(wide, 1.5, -1.5)
    return X


def banana(rng: np.random.Generator, n: int, dimensions: int) -> FloatArray:
    """Both arms of the banana sample."""
    return make_sample("banana", random_state=int(rng.integers(1 << 31)), n=n).X


Draw = Callable[[np.random.Generator, int, int], FloatArray]


def experiment(name: str, draw: Draw, dimensions: int) -> dict[str, CoverageRatio]:
    """Average coverage on held-out points over many draws of 100 points, γ = 2.5/features."""
    rng = np.random.default_rng(0)
    sigma = float(np.sqrt(dimensions / 5))
    found: dict[str, list[CoverageRatio]] = {}
    for _ in range(DRAWS):
        X, fresh = draw(rng, SIZE, dimensions), draw(rng, HELD_OUT, dimensions)
        scale = X.std(axis=0)
        for method, family in families(X / scale, sigma, NINETEEN).items():
            found.setdefault(method, []).append(coverage_ratio(family, fresh / scale))
    for method, all_of_it in found.items():
        ratios = np.array([coverage.ratios for coverage in all_of_it])
        errors = np.array([coverage.mean_error for coverage in all_of_it])
        shown = ratios.mean(axis=0)[[0, 4, 9, 14, 18]].round(2)
        print(f"{name}, {dimensions} features: {method}: error {errors.mean():.3f}, ratios {shown}")
    return {
        method: CoverageRatio(
            NINETEEN,
            np.mean([coverage.masses for coverage in all_of_it], axis=0),
            DRAWS * HELD_OUT,
        )
        for method, all_of_it in found.items()
    }


def coverage() -> None:
    """The paper's experiment on data that can be drawn again and again."""
    for name, draw, dimensions in (
        ("banana", banana, 2),
        ("two bumps", two_bumps, 2),
        ("two bumps", two_bumps, 5),
        ("two bumps", two_bumps, 10),
    ):
        averages = experiment(name, draw, dimensions)
        if dimensions == 5:
            save(coverage_ratio_figure(averages), "coverage")


if __name__ == "__main__":
    sets_side_by_side()
    coverage()
