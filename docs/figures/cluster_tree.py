"""Pictures for the page on the cluster tree. Run: python docs/figures/cluster_tree.py"""

from pathlib import Path

import numpy as np
import plotly.graph_objects as go

from nestviz import (
    Grid,
    NestedOneClassSVM,
    NuOneClassSVM,
    OneClassPath,
    ParzenLevelSets,
    SetFamily,
    make_sample,
)
from nestviz.analysis.tree.agreement import cluster_agreement
from nestviz.analysis.tree.cluster_tree import cluster_tree
from nestviz.analysis.tree.hdbscan import hdbscan_tree
from nestviz.analysis.tree.layout import tree_layout
from nestviz.analysis.tree.pixel_tree import label_pixels, pixel_tree
from nestviz.analysis.tree.tree import Tree
from nestviz.figures.cluster_tree import clusters_figure, tree_figure
from nestviz.kernels import median_distance

IMAGES = Path(__file__).resolve().parents[1] / "images"
NAMES = ("x1", "x2")
SIGMA = 0.4


def save(figure: go.Figure, name: str, height: int = 460) -> None:
    figure.update_layout(paper_bgcolor="white", plot_bgcolor="white")
    figure.write_image(IMAGES / f"cluster-tree-{name}.png", width=900, height=height, scale=1)


def draw_tree(tree: Tree, name: str, level: float | None = None) -> None:
    save(tree_figure(tree, tree_layout(tree), tree.select(), level), name)


def draw_cut(family: SetFamily, X: np.ndarray, tree: Tree, level: float, name: str) -> None:
    labels, grid = tree.cut(level), Grid.around(X, resolution=300)
    pixels = label_pixels(family, grid, X, labels, level)
    save(clusters_figure(X, labels, NAMES, grid, pixels), name, height=560)


def tell_joins(X: np.ndarray) -> None:
    """Where clusters join, as a share of the highest level and of the smallest solved one."""
    parzen = ParzenLevelSets(SIGMA).fit(X).family_
    top = parzen.first_level(X).max()
    families = {"Parzen": parzen, "ν = 0.2": NuOneClassSVM(SIGMA, nu=0.2).fit(X).family_}
    families["path"] = OneClassPath(SIGMA).fit(X).family_
    for share in (0.03, 0.01, 1e-3, 1e-6):
        levels = np.linspace(1.0, share, 11) * top
        families[f"nested, {share:g}"] = NestedOneClassSVM(SIGMA, levels=levels).fit(X).family_
    for name, one in families.items():
        tree = cluster_tree(one, X).prune(min_mass=0.03)
        solved = tree.death[~tree.extrapolated & ~np.isin(np.arange(len(tree)), tree.leaves)]
        extrapolated = np.sort(tree.death[tree.extrapolated]) / (one.hold_level or 1.0)
        print(
            f"{name}: {len(tree.roots)} roots, joins at {(np.sort(solved) / top).round(3)}", end=""
        )
        print(f" of the top, extrapolated ones at {extrapolated.round(2)} of the smallest level")


def tell_agreement() -> None:
    """How far the most stable clusters agree with those of HDBSCAN."""
    for name in ("multi", "blobs", "moons", "banana", "ring"):
        X = make_sample(name, random_state=0, n=400).X
        family = ParzenLevelSets(0.2 * median_distance(X)).fit(X).family_
        trees = cluster_tree(family, X).prune(min_mass=0.02), hdbscan_tree(X, 8)
        mine, other = (tree.labels(tree.select()) for tree in trees)
        agreement = cluster_agreement(mine, other)
        print(
            f"{name}: {mine.max() + 1} and {other.max() + 1} clusters, {np.mean(other < 0):.0%} in "
            f"none of HDBSCAN's, {agreement.all_points:.2f}, {agreement.in_both:.2f}"
        )


def main() -> None:
    X = make_sample("multi", random_state=0, n=400).X
    family = ParzenLevelSets(SIGMA).fit(X).family_
    tree = cluster_tree(family, X).prune(min_mass=0.03)
    level = 0.03
    draw_tree(tree, "parzen", level)
    draw_cut(family, X, tree, level, "cut")
    draw_tree(cluster_tree(NestedOneClassSVM(SIGMA).fit(X).family_, X).prune(0.03), "nested")
    tell_joins(X)
    tell_agreement()
    X = make_sample("banana", random_state=0, n=400).X
    family = ParzenLevelSets(0.2).fit(X).family_
    tree = cluster_tree(family, X)
    pruned = tree.prune(min_mass=0.02, min_lifetime=0.15 * float(tree.death.max()))
    draw_tree(tree, "banana-whole")
    draw_tree(pruned, "banana-pruned")
    print(f"banana: {len(tree)} nodes, {len(pruned)} after pruning")
    pixels = pixel_tree(family, Grid.around(X, resolution=600), X).prune(min_mass=0.02)
    for name, other in (("routes", tree.prune(min_mass=0.02)), ("pixels", pixels)):
        print(name, np.sort(np.delete(other.death, other.leaves)).round(6))


if __name__ == "__main__":
    main()
