"""Pictures of the page on solvers. Run from the project's folder."""

from pathlib import Path

import numpy as np

from nestviz import (
    CostSensitivePath,
    Grid,
    NestedCostSensitiveSVM,
    NestedOneClassSVM,
    OneClassPath,
    make_sample,
)
from nestviz.analysis.level_sweep import sweep
from nestviz.figures.families import coefficients_figure, outlines_figure

IMAGES = Path(__file__).parents[1] / "images"


def one_class() -> None:
    data = make_sample("banana", random_state=0, n=200)
    X = data.class_points(-1)
    path = OneClassPath(0.5).fit(X)
    nested = NestedOneClassSVM(0.5).fit(X)
    grid = Grid.around(X, resolution=200)
    levels = path.breakpoints_[0] * np.array([0.75, 0.5, 0.3, 0.12, 0.02])
    panels = [
        ("one-class SVM", sweep(path.family_, grid, X, levels)),
        ("nested one-class SVM", sweep(nested.family_, grid, X, levels)),
    ]
    figure = outlines_figure(panels, X, None, "λ")
    figure.write_image(IMAGES / "solvers-one-class.png", width=950, height=420)
    dense = np.linspace(1e-6, path.breakpoints_[0] * 1.05, 250)
    alphas = [
        ("whole path", dense, path.coefficients(dense)),
        ("nested, 11 levels", nested.levels_, nested.alpha_),
    ]
    coefficients_figure(alphas, "level λ").write_image(
        IMAGES / "solvers-coefficients.png", width=760, height=420
    )


def two_class() -> None:
    data = make_sample("banana", random_state=0, n=200)
    path = CostSensitivePath(0.5, 0.5).fit(data.X, data.y)
    nested = NestedCostSensitiveSVM(0.5, 0.5).fit(data.X, data.y)
    grid = Grid.around(data.X, resolution=200)
    levels = np.array([0.1, 0.3, 0.5, 0.7, 0.9])
    panels = [
        ("cost-sensitive SVM", sweep(path.family_, grid, data.X, levels)),
        ("nested cost-sensitive SVM", sweep(nested.family_, grid, data.X, levels)),
    ]
    figure = outlines_figure(panels, data.X, data.y, "γ")
    figure.write_image(IMAGES / "solvers-two-class.png", width=950, height=420)


if __name__ == "__main__":
    one_class()
    two_class()
