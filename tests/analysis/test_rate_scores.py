"""Scores of the two errors: formulas, intervals that cover, tables of a search."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from nestviz import NeymanPearsonClassifier, make_sample
from nestviz.analysis import (
    error_rate,
    minimax_score,
    minimum_volume_score,
    neyman_pearson_score,
    score_table,
)


@given(
    st.integers(0, 40),
    st.integers(1, 40),
    st.sampled_from([0.8, 0.95]),
    st.sampled_from([("clopper-pearson", "exact"), ("wilson", "wilson")]),
)
def test_intervals_of_rates_are_those_of_scipy(errors, n, confidence, names):
    errors = min(errors, n)
    rate = error_rate(errors, n, confidence=confidence, method=names[0])
    peer = binomtest(errors, n).proportion_ci(confidence, names[1])
    assert rate.interval == pytest.approx((peer.low, peer.high), abs=1e-9)
    assert rate.interval[0] <= rate.value <= rate.interval[1]
    assert rate.value == errors / n


def predictions(false_alarms, n_minus, misses, n_plus):
    y = np.repeat([0, 1], [n_minus, n_plus])
    called = y.copy()
    called[:false_alarms] = 1
    called[n_minus : n_minus + misses] = 0
    return y, called


@given(st.integers(0, 20), st.integers(0, 10), st.sampled_from([0.05, 0.1, 0.5]))
def test_scores_are_their_formulas(false_alarms, misses, alpha):
    y, called = predictions(false_alarms, 20, misses, 10)
    f, m = false_alarms / 20, misses / 10
    score = neyman_pearson_score(y, called, alpha)
    assert score.value == pytest.approx(max(f - alpha, 0) / alpha + m)
    assert (score.false_alarm.value, score.miss.value) == (f, m)
    worst = minimax_score(y, called)
    assert worst.value == max(f, m)
    sets = minimum_volume_score(~called[:20].astype(bool), ~called[20:].astype(bool), 1 - alpha)
    assert sets.value == pytest.approx(score.value)
    for each in (score, worst, sets):
        assert each.interval[0] <= each.value <= each.interval[1]


@pytest.mark.parametrize("method", ["clopper-pearson", "wilson"])
def test_intervals_of_scores_cover_as_often_as_they_say(method):
    rng = np.random.default_rng(0)
    f, m, alpha = 0.15, 0.3, 0.1
    truth, covered = (f - alpha) / alpha + m, 0
    for alarms, misses in zip(rng.binomial(80, f, 400), rng.binomial(50, m, 400), strict=True):
        y, called = predictions(alarms, 80, misses, 50)
        low, high = neyman_pearson_score(y, called, alpha, confidence=0.9, method=method).interval
        covered += low <= truth <= high
    assert covered / 400 >= 0.9


def test_tables_of_a_search():
    data = make_sample("banana", random_state=1, n=60)
    found = NeymanPearsonClassifier(0.3, nu_grid=3, sigmas=[0.5, 1.0], cv=3).fit(data.X, data.y)
    search = found.search_
    np.testing.assert_array_equal(score_table(search), np.maximum(search.false_alarm, search.miss))
    raw = score_table(search, 0.3, smoothed=False)
    table = search.table
    expected = np.maximum(table.false_alarm - 0.3, 0) / 0.3 + table.miss
    np.testing.assert_array_equal(raw, expected)


def test_wrong_arguments_are_sentences():
    y, called = predictions(1, 5, 1, 5)
    for work, message in (
        (lambda: neyman_pearson_score(y, called, 0.0), "alpha must lie"),
        (lambda: neyman_pearson_score(y, called[:-1], 0.1), "equal length"),
        (lambda: minimax_score(np.zeros(4), np.zeros(4)), "two classes"),
        (lambda: minimax_score(y, called + 1), "which y does not have"),
        (lambda: minimum_volume_score([True], [True], 1.0), "beta must lie"),
        (lambda: error_rate(3, 2), "3 errors among 2"),
        (lambda: error_rate(1, 2, confidence=1.0), "confidence must lie"),
        (lambda: error_rate(1, 2, method="wald"), "method must be"),
    ):
        with pytest.raises(ValueError, match=message):
            work()
    assert np.isnan(error_rate(0, 0).value)
