"""Pictures for the page on the cluster tree. Run: python docs/figures/cluster_tree.py"""

from pathlib import Path

import numpy as np
import plotly.graph_objects as go

from nestviz import Grid, NestedOneClassSVM, ParzenLevelSets, SetFamily, make_sample
from nestviz.analysis.cluster_trees import cluster_tree
from nestviz.analysis.pixel_trees import label_pixels, pixel_tree
from nestviz.analysis.tree import Tree
from nestviz.analysis.tree_layout import tree_layout
from nestviz.figures.cluster_tree import clusters_figure, tree_figure

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


def main() -> None:
    X = make_sample("multi", seed=0, n=400).X
    family = NestedOneClassSVM(SIGMA).fit(X).family_
    tree = cluster_tree(family, X).prune(min_mass=0.03)
    level = 0.03
    draw_tree(tree, "nested", level)
    draw_cut(family, X, tree, level, "cut")
    parzen = cluster_tree(ParzenLevelSets(SIGMA).fit(X).family_, X)
    draw_tree(parzen.prune(min_mass=0.03), "parzen")
    X = make_sample("banana", seed=0, n=400).X
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
