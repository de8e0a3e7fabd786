"""A false alarm rate that is held: the exact law of the threshold, and what it needs."""

import warnings

import numpy as np
import pytest
from scipy.stats import binom, norm

from nestviz import NeymanPearsonClassifier
from nestviz.estimators.error_control.umbrella import (
    held_threshold,
    needed_negatives,
    threshold_rank,
)


@pytest.mark.parametrize("rate", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("guarantee", [0.01, 0.05, 0.3])
def test_the_rank_is_the_smallest_that_keeps_the_guarantee(rate, guarantee):
    needed = needed_negatives(rate, guarantee)
    assert (1 - rate) ** needed <= guarantee * (1 + 1e-9)
    assert (1 - rate) ** (needed - 1) > guarantee * (1 - 1e-9)
    for n in (needed, needed + 1, 3 * needed):
        k = threshold_rank(n, rate, guarantee)
        tail = [sum(binom.pmf(range(j, n + 1), n, 1 - rate)) for j in (k - 1, k)]
        assert tail[1] <= guarantee + 1e-9
        assert tail[0] > guarantee - 1e-9
    with pytest.raises(ValueError, match=f"needs {needed} held-out negative points; there are"):
        threshold_rank(needed - 1, rate, guarantee)


def exceeded(draws, choose, n=200, rate=0.1, seed=0):
    """How often the false alarm rate of a threshold on normal scores is above the rate."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(draws, n))
    return np.mean([norm.sf(choose(row)) > rate for row in scores])


def test_the_guarantee_holds_in_simulations_and_its_test_can_fail():
    draws, delta = 4000, 0.1
    band = 4 * np.sqrt(delta * (1 - delta) / draws)
    held = exceeded(draws, lambda row: held_threshold(row, 0.1, delta))
    assert held <= delta + band
    # Not much is given away: one rank lower, and the guarantee is broken.
    rank = threshold_rank(200, 0.1, delta)
    assert exceeded(draws, lambda row: np.sort(row)[rank - 2]) > held
    # The empirical quantile, which is what an estimate amounts to, exceeds it half of the time.
    assert exceeded(draws, lambda row: np.quantile(row, 0.9)) > delta + band


def gaussians(n, seed):
    rng = np.random.default_rng(seed)
    y = np.repeat([-1, 1], n)
    return rng.normal(size=(2 * n, 1)) + 1.5 * (y > 0)[:, None], y


def classifier(guarantee, seed=0, **options):
    return NeymanPearsonClassifier(
        0.1, guarantee=guarantee, nu_grid=3, sigmas=[1.0, 3.0], cv=2, random_state=seed, **options
    )


@pytest.mark.filterwarnings("ignore:No setting of the search:UserWarning")
def test_the_classifier_sets_its_threshold_by_points_it_has_not_seen():
    X, y = gaussians(80, 1)
    model = classifier(0.1).fit(X, y)
    assert model.n_held_out_ == 40
    assert len(model.family_.centres) <= 120
    assert (
        "With a probability of at least 0.9 over the 40 negative points held out" in model.caveat_
    )
    held = [
        x for x, label in zip(X, y, strict=True) if label < 0 and x not in model.family_.centres
    ]
    scores = np.sort(model.decision_function(held))
    rank = threshold_rank(len(held), 0.1, 0.1)
    # All up to the rank are called negative, the next one positive.
    assert len(held) == 40
    assert scores[rank - 1] < 0 <= scores[rank]
    plain = classifier(None).fit(X, y)
    assert plain.n_held_out_ == 0
    assert "is no guarantee" in plain.caveat_


@pytest.mark.parametrize(
    ("draws", "delta"),
    [
        pytest.param(300, 0.2, marks=pytest.mark.slow),
        pytest.param(1000, 0.05, marks=pytest.mark.nightly),
    ],
)
@pytest.mark.filterwarnings("ignore:No setting of the search:UserWarning")
def test_false_alarms_are_held_over_many_draws(draws, delta):
    above = []
    far, _ = gaussians(20_000, 10_000)
    negatives = far[:20_000]
    for seed in range(draws):
        model = classifier(delta, seed).fit(*gaussians(60, seed))
        above.append((model.predict(negatives) == 1).mean() > 0.1)
    assert np.mean(above) <= delta + 4 * np.sqrt(delta * (1 - delta) / draws)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"guarantee": 0.0}, "guarantee must be a finite number above 0"),
        ({"guarantee": 1.0}, "guarantee must be a probability below 1"),
        ({"guarantee": 0.1, "held_out": 1.0}, "held_out must be a share below 1"),
        ({"guarantee": 1e-6}, "needs 132 held-out negative points; there are 20"),
    ],
)
def test_what_cannot_be_guaranteed_is_said_before_the_search(options, sentence):
    def never(progress):
        raise AssertionError("The search began.")

    with pytest.raises(ValueError, match=sentence):
        classifier(**options).fit(*gaussians(40, 0), callback=never)


@pytest.mark.parametrize("rate", [0.01, 0.1, 0.2, 0.3, 0.75])
@pytest.mark.parametrize("n", [1, 2, 7, 30])
def test_a_guarantee_that_is_a_power_of_the_rate_needs_just_as_many_points(rate, n):
    """At (1 − α)ⁿ = δ rounding decided whether n points are enough, and then failed on none."""
    power = (1.0 - rate) ** n
    for guarantee in (power, np.nextafter(power, 0.0), np.nextafter(power, 1.0)):
        assert needed_negatives(rate, guarantee) == n
        assert threshold_rank(n, rate, guarantee) == n


@pytest.mark.parametrize("width", [1.5, 1e-6])
def test_scores_that_all_tie_at_zero_are_no_false_alarms(width):
    """A trivial SVM, or a kernel that reaches no new point: every score is zero."""
    rng = np.random.default_rng(2)
    X = (rng.uniform(size=(200, 2)) < 0.5).astype(float)
    if width < 1.0:
        X = rng.normal(size=(200, 2))
    y = np.repeat([-1, 1], 100)
    model = NeymanPearsonClassifier(
        0.2, guarantee=0.1, nu_grid=[0.5], sigmas=[width], smoothing="none", cv=2, random_state=0
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, y)
    new = X if width > 1.0 else rng.normal(size=(50, 2))
    assert np.ptp(model.decision_function(new)) == 0.0
    assert (model.predict(new) == -1).all()
