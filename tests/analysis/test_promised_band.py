"""The band around a promised coverage, against simulated calibrations."""

import numpy as np
import pytest
from scipy.stats import binom

from nestviz.analysis import promised_band


@pytest.mark.parametrize("coverage", [0.3, 0.8, 0.95])
def test_the_band_holds_the_shares_of_simulated_splits(coverage):
    rng = np.random.default_rng(0)
    n, m, draws = 39, 50, 8000
    calibrating = np.sort(rng.uniform(size=(draws, n)), axis=1)
    rank = int(np.floor((1 - coverage) * (n + 1) + 1e-9))
    # A new point is inside unless it is less typical than the calibrating point of that rank.
    shares = (rng.uniform(size=(draws, m)) >= calibrating[:, [rank - 1]]).mean(axis=1)
    low, high = promised_band([coverage], m, n)[0]
    inside = np.mean((low - 1e-9 <= shares) & (shares <= high + 1e-9))
    assert inside >= 0.95 - 0.01
    # The band is no wider than it needs to be: one point less on either side, and it is too narrow.
    assert np.mean((low < shares) & (shares < high)) < 0.97
    narrow = promised_band([coverage], m)[0]
    assert high - low > np.diff(narrow)[0]


def test_exact_sets_have_a_binomial_band_and_too_few_points_leave_nothing_outside():
    np.testing.assert_allclose(
        promised_band([0.9], 200)[0], binom(200, 0.9).ppf([0.025, 0.975]) / 200
    )
    np.testing.assert_array_equal(promised_band([0.99], 50, 20)[0], [1.0, 1.0])
