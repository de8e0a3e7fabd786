import numpy as np
import pytest

from nestviz.estimators import ParzenLevelSets
from nestviz.kernels import average_distance, median_distance


def density(X, points, sigma):
    """The definition, pair by pair."""
    return np.array(
        [np.mean([np.exp(-((x - c) @ (x - c)) / (2 * sigma**2)) for c in X]) for x in points]
    )


@pytest.mark.parametrize("seed", range(3))
def test_entry_level_is_the_density(seed):
    rng = np.random.default_rng(seed)
    X, new = rng.normal(size=(25, 3)), rng.normal(size=(11, 3))
    fitted = ParzenLevelSets(sigma=0.7).fit(X)
    expected = density(X, new, 0.7)
    np.testing.assert_allclose(fitted.score_samples(new), expected, rtol=1e-12)
    np.testing.assert_allclose(fitted.family_.first_level(new), expected, rtol=1e-12)
    np.testing.assert_allclose(fitted.family_.last_level(new), expected, rtol=1e-12)
    assert not fitted.family_.violations(new).any()


@pytest.mark.parametrize("contamination", [0.1, 0.25, 0.5])
def test_contamination_is_the_share_left_out(contamination):
    X = np.random.default_rng(0).normal(size=(40, 2))
    outside = ParzenLevelSets(1.0, contamination=contamination).fit_predict(X) == -1
    assert outside.mean() == contamination


def test_tied_points_are_kept_together():
    X = np.array([[0.0], [0.0], [5.0], [5.0]])
    assert np.all(ParzenLevelSets(1.0, contamination=0.25).fit_predict(X) == 1)


def test_a_given_level_is_used_as_it_is():
    X = np.random.default_rng(1).normal(size=(30, 2))
    fitted = ParzenLevelSets(1.0, level=0.2).fit(X)
    assert fitted.level_ == 0.2
    np.testing.assert_allclose(fitted.decision_function(X), fitted.score_samples(X) - 0.2)


def test_median_width_and_its_scale():
    X = np.random.default_rng(2).normal(size=(50, 2))
    fitted = ParzenLevelSets("median").fit(X)
    pairs = [np.linalg.norm(a - b) for i, a in enumerate(X) for b in X[:i]]
    assert fitted.sigma_ == pytest.approx(np.median(pairs))
    assert average_distance(X) == pytest.approx(np.mean(pairs))
    for scale in (1e-150, 1e150):
        assert median_distance(X * scale) == pytest.approx(median_distance(X) * scale)
        np.testing.assert_allclose(
            ParzenLevelSets("median").fit(X * scale).score_samples(X * scale),
            fitted.score_samples(X),
        )


def test_data_without_spread_still_have_a_width():
    fitted = ParzenLevelSets("median").fit(np.ones((5, 2)))
    assert fitted.sigma_ == 1.0
    assert np.all(fitted.predict(np.ones((2, 2))) == 1)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"sigma": 0.0}, "sigma must be a finite number above 0"),
        ({"sigma": "widest"}, "positive number, 'auto', 'median', 'dimension' or 'miv'"),
        ({"sigma": True}, "sigma"),
        ({"level": -1.0}, "level must be"),
        ({"contamination": 0.7}, "contamination must be .* at most 0.5"),
    ],
)
def test_bad_parameters_get_a_sentence(parameters, message):
    with pytest.raises(ValueError, match=message):
        ParzenLevelSets(**parameters).fit(np.eye(3))
