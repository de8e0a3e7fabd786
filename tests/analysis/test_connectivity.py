import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage
from scipy.spatial import Delaunay
from scipy.spatial.distance import pdist, squareform
from tree_invariants import check_tree, components, same_partition

from nestviz.analysis.tree.cluster_tree import cluster_tree
from nestviz.analysis.tree.connectivity.neighbours import neighbour_edges, spanning_tree
from nestviz.analysis.tree.connectivity.routes import Field, Segments, lowest_on_segments
from nestviz.estimators import ParzenLevelSets


def parzen(X, sigma):
    return ParzenLevelSets(sigma).fit(X).family_


def dense_levels(family, X, edges, samples=400):
    """Lowest height on each edge by brute force."""
    share = np.linspace(0, 1, samples)[:, None]
    up = -family.orientation
    return np.array(
        [(up * family.first_level(X[i] + share * (X[j] - X[i]))).min() for i, j in edges]
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("d", [1, 2, 3])
def test_straight_routes_are_the_widest_paths_of_the_graph(seed, d):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, d)) + 2.0 * rng.integers(0, 2, (40, 1))
    family = parzen(X, 0.4)
    tree = cluster_tree(family, X, n_neighbors=5, bends=0)
    check_tree(tree)
    edges = neighbour_edges(X, 5)
    levels, heights = dense_levels(family, X, edges), family.first_level(X)
    events = np.unique(np.concatenate([tree.death, tree.exit, levels]))
    gaps = np.flatnonzero(np.diff(events) > 1e-3 * np.ptp(heights))
    assert gaps.size > 10
    for k in gaps:
        t = (events[k] + events[k + 1]) / 2
        assert same_partition(tree.cut(t), components(heights, *edges.T, levels, t))


def test_edges_of_the_plane_are_delaunays():
    X = np.random.default_rng(0).normal(size=(50, 2))
    pairs = {tuple(sorted((int(t[a]), int(t[b])))) for t in Delaunay(X).simplices
             for a, b in ((0, 1), (1, 2), (0, 2))}  # fmt: skip
    assert {tuple(edge) for edge in neighbour_edges(X, 5).tolist()} == pairs


@pytest.mark.parametrize("seed", range(3))
def test_the_spanning_tree_is_as_long_as_single_linkage(seed):
    X = np.random.default_rng(seed).normal(size=(60, 4))
    parent = spanning_tree(X)
    lengths = np.linalg.norm(X[1:] - X[parent[1:]], axis=1)
    np.testing.assert_allclose(np.sort(lengths), linkage(X, "single")[:, 2], rtol=1e-9)


@pytest.mark.parametrize("d", [2, 3, 7])
def test_the_graph_is_connected_and_holds_the_nearest(d):
    X = np.random.default_rng(d).normal(size=(30, d))
    X[15:] += 50.0
    edges = neighbour_edges(X, 2)
    assert components(np.zeros(30), *edges.T, np.zeros(len(edges)), -1.0).max() == 0
    distances = squareform(pdist(X)) + np.diag(np.full(30, np.inf))
    held = {tuple(edge) for edge in edges.tolist()}
    assert all(tuple(sorted((i, int(j)))) in held for i, j in enumerate(distances.argmin(axis=1)))


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_points_on_a_line_in_the_plane(n):
    X = np.column_stack([np.arange(n) * 3.0, np.arange(n) * 1.0])
    tree = cluster_tree(parzen(X, 0.5), X)
    check_tree(tree)
    assert len(tree.leaves) == n


@pytest.mark.parametrize("length", [0.05, 0.4, 3.0])
def test_the_lowest_place_of_a_segment(length):
    """A parabola along the first axis, whose bottom is known; also right next to the lower end."""
    start = np.array([[-0.01, 0.0], [-0.3, 1.0], [0.2, 0.0]]) * length
    end = start + np.array([length, 0.0])

    def heights(X):
        return (X[:, 0] / length) ** 2

    field = Field(heights, 0.25, 1e-7, 1e-12, -1.0, 2.0)
    lowest = lowest_on_segments(field, Segments(start, end, heights(start), heights(end)))
    np.testing.assert_allclose(lowest.height, [0.0, 0.0, 0.04], atol=2e-4)
    np.testing.assert_allclose(lowest.share[1:], [0.3, 0.0], atol=1e-6)
