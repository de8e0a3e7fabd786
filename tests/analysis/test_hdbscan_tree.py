"""HDBSCAN's tree against scikit-learn's, and the agreement of clusters."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import HDBSCAN
from sklearn.metrics import adjusted_rand_score
from tree_invariants import check_tree

from nestviz import make_sample
from nestviz.analysis import cluster_agreement, hdbscan_tree
from nestviz.analysis.tree.agreement import matched_labels
from nestviz.analysis.tree.hdbscan import single_linkage


def canonical(labels):
    """Labels by the order in which they appear."""
    known = {}
    return [known.setdefault(k, len(known)) if k >= 0 else -1 for k in np.asarray(labels).tolist()]


def mutual_reachability(X, min_samples):
    distances = squareform(pdist(X))
    core = np.sort(distances, axis=1)[:, min_samples - 1]
    mutual = np.maximum(distances, np.maximum(core[:, None], core[None, :]))
    np.fill_diagonal(mutual, 0.0)
    return mutual


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", ["multi", "banana", "moons", "ring", "blobs", "iris"])
def test_flat_clusters_are_those_of_scikit_learn(name, seed):
    X = make_sample(name, random_state=seed).X
    for size, samples in ((2, None), (5, None), (8, 1), (10, 3)):
        theirs = HDBSCAN(min_cluster_size=size, min_samples=samples, copy=True).fit_predict(X)
        tree = hdbscan_tree(X, size, min_samples=samples)
        mine = tree.labels(tree.select())
        assert canonical(mine) == canonical(theirs), (size, samples)
        assert np.all(tree.size >= size)
        assert np.all(tree.birth <= tree.death)
        assert np.all((tree.birth[tree.node_of] <= tree.exit) & (tree.exit <= tree.entry))
        if samples == 1:  # Core distances of zero: no two merges are tied.
            check_tree(tree)


def test_merges_are_single_linkage_of_mutual_reachability():
    """Without scikit-learn: scipy's linkage, and the weights of its minimum spanning tree."""
    X = np.random.default_rng(0).normal(size=(60, 3))
    for samples in (1, 2, 7, 60):
        mutual = mutual_reachability(X, samples)
        merged = single_linkage(X, samples)
        expected = linkage(squareform(mutual), "single")[:, 2]
        np.testing.assert_allclose(merged.distance, expected, rtol=1e-12)
        weights = minimum_spanning_tree(mutual).data
        np.testing.assert_allclose(merged.distance, np.sort(weights), rtol=1e-12)
        assert merged.size[-1] == 60


def test_cuts_are_the_components_of_near_points():
    """By definition: parts of points with a mutual reachability of at most ε, not too small."""
    X = make_sample("moons", random_state=1, n=80).X
    least = 6
    tree, mutual = hdbscan_tree(X, least), mutual_reachability(X, least)
    for level in (tree.birth[1:] + tree.death[1:]) / 2:
        parts = connected_components(mutual <= 1.0 / level)[1]
        sizes = np.bincount(parts)
        expected = np.where(sizes[parts] >= least, parts, -1)
        assert canonical(tree.cut(level)) == canonical(expected)


def test_one_branch_is_one_cluster():
    X = np.random.default_rng(1).uniform(size=(30, 2))
    tree = hdbscan_tree(X, 20)
    assert len(tree) == 1
    assert tree.labels(tree.select()).tolist() == [0] * 30


def test_repeated_points_have_finite_levels():
    X = np.repeat([[0.0, 0.0], [1.0, 0.0], [9.0, 9.0]], [6, 2, 6], axis=0)
    tree = hdbscan_tree(X, 3)
    assert np.all(np.isfinite(tree.death))
    assert canonical(tree.labels(tree.select())) == [0] * 8 + [1] * 6
    same = hdbscan_tree(np.zeros((5, 2)), 2)
    assert len(same) == 1


@pytest.mark.parametrize(
    ("X", "size", "samples"),
    [
        (np.zeros((1, 2)), 2, None), (np.zeros(5), 2, None), (np.full((5, 2), np.nan), 2, None),
        (np.zeros((5, 2)), 1, None), (np.zeros((5, 2)), 6, None), (np.zeros((5, 2)), 2, 0),
    ],
)  # fmt: skip
def test_bad_input_is_refused_in_words(X, size, samples):
    with pytest.raises(ValueError, match="HDBSCAN needs"):
        hdbscan_tree(X, size, min_samples=samples)


def test_agreement_counts_points_in_no_cluster_as_a_group():
    a, b = [0, 0, 1, 1, -1, -1], [5, 5, 2, 2, 2, -3]
    found = cluster_agreement(a, b)
    assert found.all_points == pytest.approx(adjusted_rand_score(a, [5, 5, 2, 2, 2, -1]))
    assert found.in_both == 1.0
    assert found.shared == 4
    assert np.isnan(cluster_agreement([-1, -1], [0, 1]).in_both)
    with pytest.raises(ValueError, match="cannot be compared"):
        cluster_agreement([0, 1], [0])


def test_clusters_are_matched_by_their_points():
    reference = [0, 0, 0, 1, 1, 2, -1]
    assert matched_labels([1, 1, 1, 0, 0, 2, 2], reference).tolist() == [1, 0, 2]
    assert matched_labels([0, 0, 1, -1, -1, -1, 2], reference).tolist() == [0, 3, 4]
    assert matched_labels([-1, -1], [0, 1]).tolist() == []
