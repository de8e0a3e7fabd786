"""Make the pictures of the page on mass, volume and bandwidth."""

from pathlib import Path

import numpy as np

from nestviz import Grid, NestedOneClassSVM, OneClassPath, make_sample
from nestviz.analysis.density import density_rank
from nestviz.analysis.minimum_volume import minimum_volume_set
from nestviz.figures.bandwidth import (
    excess_mass_figure,
    integrated_volume_figure,
    mass_volume_figure,
    support_vectors_figure,
)
from nestviz.figures.density import density_rank_figure, mass_level_figure
from nestviz.volume import bandwidth_rules, select_bandwidth, support_vector_rule

IMAGES = Path(__file__).resolve().parents[1] / "images"
FOUR = {"σ = 0.3": 0.3, "σ = 1/√2": 1 / np.sqrt(2), "σ = 1": 1.0, "σ = 3": 3.0}


def save(figure, name, height=420):
    figure.update_layout(paper_bgcolor="white", plot_bgcolor="white", template="plotly_white")
    figure.update_layout(margin={"l": 60, "r": 20, "t": 40, "b": 55})
    figure.write_image(IMAGES / f"bandwidth-{name}.png", width=900, height=height, scale=1)


def main():
    X = make_sample("multi", n=200).X
    grid = np.geomspace(0.3, 3.0, 30)
    four = select_bandwidth(X, OneClassPath(), list(FOUR.values()))
    curves = dict(zip(FOUR, four.curves, strict=True))
    save(mass_volume_figure(curves), "mass-volume")
    excess = {name: curve.excess_mass() for name, curve in curves.items()}
    save(excess_mass_figure(excess), "excess-mass")
    rules = bandwidth_rules(X, OneClassPath())
    for name, estimator in (("path", OneClassPath()), ("nested", NestedOneClassSVM())):
        selection = select_bandwidth(X, estimator, grid)
        save(integrated_volume_figure(selection, rules), f"integrated-{name}")
    save(support_vectors_figure(support_vector_rule(X, OneClassPath())), "support-vectors")
    nested = NestedOneClassSVM(sigma="miv")
    save(mass_level_figure(minimum_volume_set(nested, X, 0.8)), "mass-level")
    family, plane = nested.fit(X).family_, Grid.around(X)
    save(density_rank_figure(density_rank(family, plane, X), plane, ("x1", "x2")), "rank", 560)


if __name__ == "__main__":
    main()
