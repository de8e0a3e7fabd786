"""A bandwidth at the end of its grid: said, in the result and in a warning, or searched beyond."""

import warnings

import numpy as np
import pytest

from nestviz import NestedOneClassSVM, OneClassPath, ParzenLevelSets, make_sample
from nestviz.volume import (
    BandwidthSelection,
    BandwidthWarning,
    default_sigmas,
    select_bandwidth,
    support_vector_rule,
    uniform_reference,
)
from nestviz.volume.trials import EXTENSIONS

X = make_sample("multi", n=80).X
TIGHT = np.random.default_rng(0).normal(scale=0.01, size=(60, 2)) + np.repeat(
    [[-10.0], [10.0]], 30, axis=0
)


def fit_at(parent, factor, X, y):
    """Fit at another width than the one that was asked for, where that is a number."""
    estimator = parent.__self__
    asked = estimator.sigma
    if not isinstance(asked, str):
        estimator.sigma = factor * asked**0.1
    parent.fit(X, y)
    estimator.sigma = asked
    return estimator


class TooWide:
    """Makes kernels that are too wide at every sigma, so that the narrowest is the best."""

    def fit(self, X, y=None):
        return fit_at(super(), 3.0, X, y)


class TooNarrow:
    """Makes kernels that are too narrow at every sigma, so that the widest is the best."""

    def fit(self, X, y=None):
        return fit_at(super(), 0.1, X, y)


class WideWindows(TooWide, ParzenLevelSets):
    pass


class NarrowWindows(TooNarrow, ParzenLevelSets):
    pass


class WideNested(TooWide, NestedOneClassSVM):
    pass


@pytest.mark.parametrize(
    ("sigmas", "end"),
    [([0.5, 3.0, 30.0], "narrow"), ([0.02, 0.1, 0.3], "wide"), ([0.01, 0.5, 30.0], None)],
)
@pytest.mark.parametrize("estimator", [ParzenLevelSets(), NestedOneClassSVM()])
def test_which_end_is_said_and_warned_of(estimator, sigmas, end):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = select_bandwidth(X, estimator, sigmas, cv=3)
    assert found.at_end == end
    messages = [str(w.message) for w in caught if issubclass(w.category, BandwidthWarning)]
    assert len(messages) == (end is not None)
    if end:
        assert f"at the {end} end" in messages[0]
        assert f"σ = {found.sigma:.4g}" in messages[0]
        assert "Try " in messages[0]


def test_the_grid_given_is_never_extended():
    with pytest.warns(BandwidthWarning, match="narrow end"):
        found = select_bandwidth(TIGHT, ParzenLevelSets(), default_sigmas(TIGHT), cv=3)
    np.testing.assert_array_equal(found.sigmas, default_sigmas(TIGHT))
    assert found.at_end == "narrow"


def test_the_default_grid_is_extended_where_clusters_are_tight():
    with warnings.catch_warnings():
        warnings.simplefilter("error", BandwidthWarning)
        found = select_bandwidth(TIGHT, ParzenLevelSets(), cv=3)
    assert found.at_end is None
    assert found.sigma < default_sigmas(TIGHT)[0] / 2
    assert found.sigmas.size > 30
    np.testing.assert_array_equal(found.sigmas[-30:], default_sigmas(TIGHT))
    np.testing.assert_allclose(np.diff(np.log(found.sigmas)), np.log(150) / 29)
    box = uniform_reference(TIGHT)
    with pytest.warns(BandwidthWarning):
        again = select_bandwidth(TIGHT, ParzenLevelSets(), found.sigmas[:3], cv=3, reference=box)
    np.testing.assert_array_equal(again.values, found.values[:3])


def test_extension_is_bounded_and_then_warned_of():
    seen = []
    with pytest.warns(BandwidthWarning, match="narrow end"):
        found = select_bandwidth(
            X, WideWindows(), widths=6, cv=2, callback=lambda p: seen.append((p.done, p.total))
        )
    assert found.at_end == "narrow"
    assert found.sigmas.size == 6 + 2 * EXTENSIONS
    assert [done for done, _ in seen] == list(range(1, 2 * found.sigmas.size + 1))
    assert seen[-1] == (2 * found.sigmas.size, 2 * found.sigmas.size)


def test_extension_can_be_stopped():
    found = select_bandwidth(
        X, WideWindows(), widths=6, cv=2, n_jobs=1, callback=lambda p: p.done == 14
    )
    assert not found.complete
    assert found.sigmas.size == 7


@pytest.mark.parametrize(
    ("estimator", "end"),
    [
        (WideWindows(sigma="miv"), "narrow"),
        (WideNested(sigma="miv"), "narrow"),
        (NarrowWindows(sigma="miv"), "wide"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_miv_warns_at_the_end_of_its_grid(estimator, end):
    with pytest.warns(BandwidthWarning, match=f"{end} end"):
        estimator.fit(X)


def test_miv_of_tight_clusters_goes_beyond_the_default_grid():
    with warnings.catch_warnings():
        warnings.simplefilter("error", BandwidthWarning)
        assert ParzenLevelSets(sigma="miv").fit(TIGHT).sigma_ < default_sigmas(TIGHT)[0]


def test_one_bandwidth_has_no_ends():
    with warnings.catch_warnings():
        warnings.simplefilter("error", BandwidthWarning)
        assert select_bandwidth(X, ParzenLevelSets(), [0.5], cv=2).at_end is None
    assert BandwidthSelection(np.empty(0), (), False).at_end is None


@pytest.mark.parametrize(("sigmas", "end"), [([0.1, 1.0], "narrow"), ([0.05, 0.1], "wide")])
def test_the_rule_of_support_vectors_says_its_end(sigmas, end):
    estimator = ParzenLevelSets() if end == "narrow" else OneClassPath(nu=0.2)
    sigmas = sigmas if end == "narrow" else [0.05, 0.5]
    with pytest.warns(BandwidthWarning, match=f"{end} end"):
        assert support_vector_rule(X, estimator, sigmas).at_end == end
