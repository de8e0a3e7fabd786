import numpy as np
import pytest
from tree_invariants import check_tree, same_partition

from nestviz import Grid, Plane
from nestviz.analysis.tree.cluster_tree import cluster_tree
from nestviz.analysis.tree.pixel_tree import (
    NO_POINT,
    label_pixels,
    nearest_pixels,
    pixel_tree,
    pixels_around,
)
from nestviz.data import make_sample
from nestviz.estimators import (
    NestedCostSensitiveSVM,
    NestedOneClassSVM,
    OneClassPath,
    ParzenLevelSets,
)


def parzen(X, sigma):
    return ParzenLevelSets(sigma).fit(X).family_


def split_levels(tree, min_mass=0.03):
    pruned = tree.prune(min_mass=min_mass)
    return np.sort(np.delete(pruned.death, pruned.leaves))


def both_roads(family, X, resolution=600):
    """Partitions by routes and by pixels, at cuts that are not right where either tree splits."""
    grid = Grid.around(X, resolution=resolution)
    trees = cluster_tree(family, X), pixel_tree(family, grid, X)
    for tree in trees:
        check_tree(tree)
    up = -family.orientation
    pixels = up * family.first_level(grid)[pixels_around(grid, X)]
    finite = up * trees[0].entry[np.isfinite(trees[0].entry)]
    splits = np.concatenate([up * np.delete(tree.death, tree.leaves) for tree in trees])
    width = finite.max() - finite.min()
    for t in finite.min() + width * np.linspace(0.05, 0.95, 19):
        if np.all(np.abs(splits - t) > 0.005 * width):
            # A point that comes in before all pixels around it is alone on the grid for a while.
            seen = pixels.max(axis=1) > t
            yield tuple(tree.cut(up * t)[seen] for tree in trees)


@pytest.mark.parametrize("name", ["multi", "banana", "ring", "bridge", "moons"])
@pytest.mark.parametrize("estimator", [ParzenLevelSets(0.3), NestedOneClassSVM(0.3)])
@pytest.mark.parametrize("seed", range(2))
def test_routes_and_pixels_agree(name, estimator, seed):
    X = make_sample(name, random_state=seed, n=100).X
    partitions = list(both_roads(estimator.fit(X).family_, X))
    assert len(partitions) > 5
    assert max(a.max() for a, _ in partitions) > 0
    for a, b in partitions:
        assert same_partition(a, b)


@pytest.mark.parametrize("name", ["moons", "ring"])
def test_routes_and_pixels_agree_for_unions(name):
    X = make_sample(name, random_state=1, n=100).X
    family = OneClassPath(0.6).fit(X).family_
    assert family.violations(Grid.around(X)).any()
    partitions = list(both_roads(family, X))
    assert len(partitions) > 5
    for a, b in partitions:
        assert same_partition(a, b)


@pytest.mark.parametrize("name", ["banana", "mixture", "bridge"])
def test_routes_never_join_what_is_apart(name):
    """Narrow kernels leave half of the points in no set, and seams: routes may be missed there."""
    X = make_sample(name, random_state=1, n=100).X
    for a, b in both_roads(OneClassPath(0.3).fit(X).family_, X):
        together = (a[:, None] == a) & (a >= 0)
        assert np.all((b[:, None] == b)[together])


@pytest.mark.parametrize("name", ["multi", "banana", "ring"])
@pytest.mark.parametrize("seed", range(2))
def test_levels_of_splits_agree(name, seed):
    X = make_sample(name, random_state=seed, n=100).X
    family = parzen(X, 0.4)
    a, b = (
        split_levels(tree)
        for tree in (cluster_tree(family, X), pixel_tree(family, Grid.around(X, resolution=400), X))
    )
    np.testing.assert_allclose(a, b, atol=1e-3 * family.first_level(X).max())


def test_routes_and_pixels_agree_for_growing_families():
    sample = make_sample("moons", random_state=0, n=120)
    family = NestedCostSensitiveSVM(0.4, lam=1.0).fit(sample.X, sample.y).family_
    assert family.orientation == 1
    tree = cluster_tree(family, sample.X)
    check_tree(tree)
    other = pixel_tree(family, Grid.around(sample.X, resolution=250), sample.X)
    check_tree(other)
    for level in np.quantile(tree.entry[np.isfinite(tree.entry)], [0.3, 0.5, 0.8]):
        large = [np.sum(np.unique(t.cut(level), return_counts=True)[1] > 5) for t in (tree, other)]
        assert large[0] == large[1]


def test_pixels_that_meet_at_a_corner():
    grid = Grid(np.array([0.0, 1.0]), np.array([0.0, 1.0]), Plane.of_two_features())
    family = parzen(np.array([[0.0, 0.0], [1.0, 1.0]]), 0.3)
    X = np.array([[-0.1, -0.1], [1.1, 1.1]])
    joined, apart = (pixel_tree(family, grid, X, neighbourhood=k) for k in (8, 4))
    assert joined.merge_level(0, 1) > 50 * apart.merge_level(0, 1)


def test_labels_carried_over_to_pixels():
    X = np.array([[0.0, 0.0], [0.2, 0.0], [4.0, 0.0]])
    family = parzen(np.vstack([X, [[2.0, 3.0]]]), 0.4)
    grid = Grid.around(np.vstack([X, [[2.0, 3.0]]]), resolution=80)
    tree = cluster_tree(family, X)
    level = 0.1
    labels = tree.cut(level)
    picture = label_pixels(family, grid, X, labels, level)
    assert picture.shape == grid.shape
    assert set(np.unique(picture)) == {NO_POINT, -1, 0, 1}
    assert np.array_equal(picture.ravel()[nearest_pixels(grid, X)], labels)
    assert np.array_equal(picture.ravel() != -1, family.contains(grid, level))
