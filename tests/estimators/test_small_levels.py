"""Below the smallest solved level all one-class families go on alike."""

import numpy as np
import pytest

from nestviz import NestedOneClassSVM, OneClassPath, ParzenLevelSets
from nestviz.analysis import auc
from nestviz.data import make_sample
from nestviz.grids import Grid
from nestviz.kernels import GaussianKernel
from nestviz.volume import uniform_reference

X = make_sample("banana", random_state=0, n=150).X
AWAY = np.random.default_rng(1).uniform(-6, 6, size=(300, 2))


def test_all_methods_end_at_the_same_smallest_level():
    path, nested = OneClassPath(0.4).fit(X), NestedOneClassSVM(0.4).fit(X)
    top = path.breakpoints_[0]
    assert path.family_.hold_level == path.hold_level_ == pytest.approx(1e-6 * top)
    assert nested.family_.hold_level == pytest.approx(1e-6 * top)
    assert path.family_.union().hold_level == path.hold_level_
    assert ParzenLevelSets(0.4).fit(X).family_.hold_level is None


@pytest.mark.parametrize("share", [1e-6, 1e-3, 0.2])
def test_a_held_path_is_the_path_above_and_one_kernel_sum_below(share):
    pure = OneClassPath(0.4, hold_below=None).fit(X)
    held = OneClassPath(0.4, hold_below=share).fit(X)
    low = held.hold_level_
    assert low == pytest.approx(share * pure.breakpoints_[0])
    above = np.geomspace(low, 2 * pure.breakpoints_[0], 40)
    np.testing.assert_allclose(
        held.family_.values(AWAY, above), pure.family_.values(AWAY, above), atol=1e-12
    )
    alpha = held.coefficients([low])[0]
    sums = alpha @ GaussianKernel(0.4).gram(X, AWAY)
    below = low * np.array([0.9, 0.1, 1e-9])
    np.testing.assert_allclose(
        held.family_.values(AWAY, below), sums - below[:, None], rtol=1e-9, atol=1e-15
    )
    # What the path leaves out for good enters where the held sum meets the threshold.
    never = np.isinf(pure.family_.first_level(AWAY)) & (sums > 1e-300)
    assert never.any()
    np.testing.assert_allclose(held.family_.first_level(AWAY)[never], sums[never], rtol=1e-9)


def test_the_pure_path_leaves_out_for_good_what_its_last_set_leaves_out():
    pure = OneClassPath(0.4, hold_below=None).fit(X)
    last = pure.family_.contains(AWAY, 1e-9 * pure.breakpoints_[0])
    assert not last.all()
    assert np.all(np.isinf(pure.family_.first_level(AWAY)[~last & ~pure.family_.violations(AWAY)]))


@pytest.mark.parametrize("share", [0.0, -1e-6, 2.0, np.nan, "small"])
def test_a_share_out_of_range_is_refused_in_words(share):
    with pytest.raises(ValueError, match="hold_below must be a finite number"):
        OneClassPath(0.4, hold_below=share).fit(X)


def test_plain_union_and_nested_sets_rank_against_a_uniform_alternative_alike():
    """Held below the same level they differ little, as in the 2010 paper; the pure path does."""
    train, test = X[:100], X[100:]
    alternative = uniform_reference(X, random_state=0).points
    both = np.concatenate([test, alternative])
    labels = np.repeat([1, -1], [len(test), len(alternative)])
    pure = auc(OneClassPath(0.25, hold_below=None).fit(train).family_.union(), both, labels)
    held = auc(OneClassPath(0.25).fit(train).family_.union(), both, labels)
    nested = auc(NestedOneClassSVM(0.25).fit(train).family_, both, labels)
    assert abs(held - nested) < 0.02
    assert nested - pure > 2 * abs(held - nested)


def test_held_families_may_be_cut_at_the_smallest_level_of_a_polynomial_kernel():
    path = OneClassPath(kernel="polynomial", degree=2).fit(X)
    nested = NestedOneClassSVM(kernel="polynomial", degree=2).fit(X)
    assert path.family_.hold_level == pytest.approx(nested.family_.hold_level)
    grid = Grid.around(X, resolution=15)
    assert np.isfinite(path.family_.first_level(grid)).all()
