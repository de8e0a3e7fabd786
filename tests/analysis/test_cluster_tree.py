import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import HDBSCAN
from sklearn.metrics import adjusted_rand_score
from tree_invariants import check_tree

from nestviz import Grid
from nestviz.analysis.tree.cluster_tree import cluster_tree
from nestviz.analysis.tree.pixel_tree import label_pixels, pixel_tree
from nestviz.data import make_sample
from nestviz.estimators import (
    NestedOneClassSVM,
    OneClassPath,
    ParzenLevelSets,
)
from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel, PolynomialKernel


def parzen(X, sigma):
    return ParzenLevelSets(sigma).fit(X).family_


def turned(family):
    """The same sets with the level turned around: a family that grows."""
    return SetFamily(
        -family.levels[::-1], family.coefficients[::-1], family.offsets[::-1],
        family.centres, family.kernel, 1, domain=(-np.inf, 0.0), tail=-family.tail,
        is_nested=True,
    )  # fmt: skip


# ---------------------------------------------------------------------- known answers


def test_two_kernels_on_a_line_part_at_the_density_half_way():
    X = np.array([[-2.0], [2.0]])
    tree = cluster_tree(parzen(X, 1.0), X)
    check_tree(tree)
    assert tree.parent.tolist() == [-1, 0, 0]
    assert tree.death[0] == pytest.approx(np.exp(-2.0), abs=1e-6)
    assert tree.birth[0] == 0.0
    np.testing.assert_allclose(tree.death[1:], (1 + np.exp(-8.0)) / 2)


@pytest.mark.parametrize("d", [2, 3, 5])
@pytest.mark.parametrize("off", [0.2, 0.6])
def test_bent_routes_find_the_pass_that_no_segment_meets(d, off):
    """Two kernels part at the origin; the points lie beside the line through it."""
    a = 1.6
    centres = np.zeros((2, d))
    centres[:, 0] = -a, a
    family = parzen(centres, 1.0)
    X = centres.copy()
    X[:, 1] = off
    straight, bent = (cluster_tree(family, X, bends=k).death[0] for k in (0, 8))
    assert straight == pytest.approx(np.exp(-(a**2 + off**2) / 2), abs=1e-5)
    assert bent == pytest.approx(np.exp(-(a**2) / 2), abs=2e-5)


def test_a_low_point_in_the_way_is_walked_around():
    """Between two peaks lies one point off the ridge; the ridge itself stays above it."""
    centres = np.array([[-1.5, 0.0], [0.0, 0.0], [1.5, 0.0]])
    family = SetFamily(
        [0.0], [[1.0, 0.4, 1.0]], [0.0], centres, GaussianKernel(0.6), -1,
        domain=(0.0, np.inf), tail=1.0, is_nested=True,
    )  # fmt: skip
    X = np.array([[-1.5, 0.0], [0.0, 0.9], [1.5, 0.0], [0.0, -2.0]])
    on_ridge = np.column_stack([np.linspace(-1.5, 1.5, 4001), np.zeros(4001)])
    expected = family.first_level(on_ridge).min()
    assert family.first_level(X)[1] < 0.8 * expected
    assert cluster_tree(family, X).merge_level(0, 2) == pytest.approx(expected, abs=2e-5)


def test_a_peak_without_a_point_does_not_split_its_neighbours():
    """One kernel, and points all around it: one cluster, though no point is on top."""
    angles = np.linspace(0, 2 * np.pi, 7)[:-1]
    X = np.column_stack([np.cos(angles), np.sin(angles)]) * np.linspace(0.8, 1.0, 6)[:, None]
    family = parzen(np.zeros((1, 2)), 1.0)
    tree = cluster_tree(family, X)
    assert len(tree) == 1
    np.testing.assert_array_equal(tree.exit, family.first_level(X))


# ---------------------------------------------------------------------- invariants


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 30),
    d=st.integers(1, 4),
    sigma=st.sampled_from([0.1, 0.5, 2.0]),
    grown=st.booleans(),
)
def test_random_trees_keep_the_invariants(seed, n, d, sigma, grown):
    X = np.round(np.random.default_rng(seed).normal(size=(n, d)), 1)
    family = parzen(X, sigma)
    tree = cluster_tree(turned(family) if grown else family, X)
    check_tree(tree)
    check_tree(tree.prune(min_mass=0.1))


@pytest.mark.parametrize("estimator", [NestedOneClassSVM(0.5), OneClassPath(0.5)])
@pytest.mark.parametrize("name", ["multi", "ring", "outliers"])
def test_trees_of_svms_keep_the_invariants(estimator, name):
    X = make_sample(name, random_state=2, n=80).X
    family = estimator.fit(X).family_
    tree = cluster_tree(family, X)
    check_tree(tree)
    never = np.isinf(family.first_level(X))
    assert np.array_equal(tree.node_of == -1, never)
    np.testing.assert_array_equal(tree.entry, family.first_level(X))
    again = cluster_tree(family, X)
    united = cluster_tree(family.union(), X)
    for name in ("parent", "birth", "death", "node_of", "exit"):
        assert np.array_equal(getattr(again, name), getattr(tree, name))
        assert np.array_equal(getattr(united, name), getattr(tree, name))


def test_orientation_only_turns_the_levels():
    X = make_sample("multi", random_state=0, n=60).X
    family = parzen(X, 0.4)
    down, up = cluster_tree(family, X), cluster_tree(turned(family), X)
    assert np.array_equal(down.parent, up.parent)
    assert np.array_equal(down.node_of, up.node_of)
    np.testing.assert_allclose(down.birth, -up.birth, atol=1e-12)
    np.testing.assert_allclose(down.death, -up.death, atol=1e-12)
    np.testing.assert_allclose(down.stability, up.stability, atol=1e-12)
    assert np.array_equal(down.select(), up.select())


def test_permuted_rows_give_the_permuted_tree():
    X = make_sample("multi", random_state=1, n=90).X
    order = np.random.default_rng(0).permutation(len(X))
    family = parzen(X, 0.4)
    a, b = cluster_tree(family, X), cluster_tree(family, X[order])
    np.testing.assert_allclose(a.death, b.death, rtol=1e-9)
    assert np.array_equal(a.node_of[order], b.node_of)


def test_coincident_points_stay_together():
    X = np.repeat(make_sample("blobs", random_state=0, n=30).X, 3, axis=0)
    tree = cluster_tree(parzen(X, 0.5), X)
    check_tree(tree)
    assert np.all(tree.node_of.reshape(-1, 3) == tree.node_of[::3, None])
    single = cluster_tree(parzen(X, 0.5), X[::3])
    assert np.array_equal(single.node_of, tree.node_of[::3])


def test_a_kernel_without_a_width():
    """A parabola that opens upwards: its sets are what lies far from its lowest place, 0."""
    X = np.array([[-1.0], [-0.8], [0.9], [1.1]])
    centres = np.array([[-1.0], [0.0], [1.0]])
    kernel = PolynomialKernel(degree=2)
    family = SetFamily(
        [0.0], [[0.5, -1.5, 0.5]], [0.0], centres, kernel, -1,
        domain=(-10.0, 10.0), tail=1.0, is_nested=True,
    )  # fmt: skip
    tree = cluster_tree(family, X)
    check_tree(tree)
    assert tree.death[0] == pytest.approx(family.first_level([[0.0]])[0], abs=1e-4)
    assert tree.cut(float(tree.death[0])).tolist() == [0, 0, 0, 0]
    assert tree.cut(float(np.nextafter(tree.death[0], 1.0))).tolist() == [0, 0, 1, 1]


# ---------------------------------------------------------------------- planted clusters


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("d", [2, 4])
def test_planted_clusters_are_found_as_others_find_them(seed, d):
    rng = np.random.default_rng(seed)
    planted = np.repeat([0, 1, 2], [60, 40, 30])
    X = rng.uniform(-1, 1, size=(130, d)) + 8.0 * np.eye(3, d)[planted]
    single = fcluster(linkage(X, "single"), 3, "maxclust")
    assert adjusted_rand_score(planted, single) == 1.0
    assert (
        adjusted_rand_score(planted, HDBSCAN(min_cluster_size=15, copy=True).fit_predict(X)) == 1.0
    )
    for estimator in (ParzenLevelSets(0.8), NestedOneClassSVM(0.8)):
        tree = cluster_tree(estimator.fit(X).family_, X).prune(min_mass=0.1)
        assert adjusted_rand_score(planted, tree.labels(tree.select())) == 1.0
        assert len(tree.select()) == 3


def test_one_cluster_may_be_asked_for():
    X = np.random.default_rng(0).normal(size=(100, 2))
    tree = cluster_tree(parzen(X, 0.35), X).prune(min_mass=0.05)
    assert len(tree) > 1
    assert tree.select(allow_single_cluster=True).tolist() == [0]
    assert 0 not in tree.select()


# ---------------------------------------------------------------------- mistakes


def test_mistakes_are_explained():
    X = np.random.default_rng(0).normal(size=(20, 2))
    family = parzen(X, 0.5)
    with pytest.raises(ValueError, match=r"shape \(n, 2\)"):
        cluster_tree(family, X[:, :1])
    with pytest.raises(ValueError, match="one or more points"):
        cluster_tree(family, np.empty((0, 2)))
    with pytest.raises(ValueError, match="finite"):
        cluster_tree(family, [[np.nan, 0.0]])
    with pytest.raises(ValueError, match="n_neighbors"):
        cluster_tree(family, X, n_neighbors=0)
    with pytest.raises(ValueError, match="4 or 8"):
        pixel_tree(family, Grid.around(X, resolution=10), X, neighbourhood=6)
    with pytest.raises(ValueError, match="as many labels"):
        label_pixels(family, Grid.around(X, resolution=10), X, [0], 0.1)
    K = np.exp(-squareform(pdist(X)))
    precomputed = NestedOneClassSVM(kernel="precomputed").fit(K).family_
    with pytest.raises(TypeError, match="precomputed"):
        cluster_tree(precomputed, K)
