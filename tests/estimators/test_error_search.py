"""Searches over (σ, ν₊, ν₋): criteria, smoothing, descents, baselines, shifts."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from nestviz import MinimaxClassifier, NeymanPearsonClassifier, make_sample
from nestviz.estimators import DualNuSVM, error_table
from nestviz.estimators.bias_shift import shifted_offset
from nestviz.estimators.error_control.criteria import Minimax, Misclassification, NeymanPearson
from nestviz.estimators.error_control.descent import Descent
from nestviz.estimators.error_control.search import STRATEGIES
from nestviz.estimators.error_control.smoothing import smoothed, smoothed_at, window

NU = np.array([0.1, 0.3, 0.5, 0.7, 0.9])
SIGMAS = np.array([0.3, 0.6, 1.2])
CRITERIA = [Minimax(), NeymanPearson(0.2), Misclassification(30, 70)]
rates = st.integers(0, 20).map(lambda k: k / 20)


@pytest.fixture(scope="module")
def data():
    return make_sample("banana", random_state=1, n=90)


def small(kind=NeymanPearsonClassifier, **options):
    return kind(**{"nu_grid": NU, "sigmas": SIGMAS, "cv": 3, **options})


@given(rates, rates, rates, rates)
def test_neyman_pearson_puts_the_constraint_first(f1, m1, f2, m2):
    aim = NeymanPearson(0.3)
    both, neither = max(f1, f2) <= 0.3, min(f1, f2) > 0.3
    if f1 <= 0.3 < f2 or (both and m1 < m2) or (neither and f1 < f2):
        assert aim.key(f1, m1) < aim.key(f2, m2)


@given(rates, rates, rates, rates)
def test_the_other_criteria_compare_what_they_say(f1, m1, f2, m2):
    if max(f1, m1) < max(f2, m2):
        assert Minimax().key(f1, m1) < Minimax().key(f2, m2)
    if 70 * f1 + 30 * m1 < 70 * f2 + 30 * m2 - 1e-9:
        mistakes = Misclassification(30, 70)
        assert mistakes.key(f1, m1) < mistakes.key(f2, m2)


@pytest.mark.parametrize("smoothing", ["none", "2d", "3d"])
@pytest.mark.parametrize("diagonal", [False, True])
def test_smoothing_is_a_weighted_mean_of_the_neighbours_there_are(smoothing, diagonal):
    rng = np.random.default_rng(3)
    table = rng.uniform(size=(4, 5, 6))
    table[rng.uniform(size=table.shape) < 0.2] = np.nan
    steps = window(smoothing, diagonal=diagonal)
    result = smoothed(table, steps)
    np.testing.assert_array_equal(np.isnan(result), np.isnan(table))
    for cell in np.argwhere(np.isfinite(table)):
        near = np.argwhere(np.isfinite(table))
        gap = near - cell
        close = np.abs(gap).max(axis=1) <= 1
        if smoothing == "none":
            close &= ~gap.any(axis=1)
        elif diagonal:
            close &= gap[:, 1] == gap[:, 2]
            gap = gap[:, :2]
        elif smoothing == "2d":
            close &= gap[:, 0] == 0
        weights = np.exp(-0.5 * (gap[close] ** 2).sum(axis=1))
        expected = weights @ table[tuple(near[close].T)] / weights.sum()
        place = tuple(int(k) for k in cell)
        assert result[place] == pytest.approx(expected, abs=1e-14)
        single = smoothed_at(place, steps, table.shape, lambda *c: (table[c], table[c]))
        assert single == pytest.approx((expected, expected), abs=1e-14)


def test_smoothing_leaves_a_constant_table_as_it_is():
    np.testing.assert_allclose(smoothed(np.full((3, 4, 5), 0.25), window("3d")), 0.25)
    with pytest.raises(ValueError, match="'none', '2d' or '3d'"):
        window("4d")


class Table:
    """A table in the place of an oracle."""

    def __init__(self, rng):
        self.sigmas, self.nu_plus, self.nu_minus = np.arange(1.0, 5.0), NU, NU
        self.rates = np.round(rng.uniform(size=(2, 4, 5, 5)), 1)

    def at(self, *cell):
        return tuple(self.rates[(slice(None), *cell)])


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.sampled_from(CRITERIA), st.sampled_from(["none", "3d"]))
def test_a_descent_improves_at_each_step_and_ends_where_no_line_is_better(seed, criterion, how):
    table = Table(np.random.default_rng(seed))
    steps = window(how)
    whole = [smoothed(rates, steps) for rates in table.rates]

    def key(cell, false_alarm, miss):
        return criterion.key(false_alarm, miss)

    descent = Descent(table, steps, key, None)
    descent.run((2, 2, 2), (0, 1, 2), 0.0, 1.0)
    path = [tuple(cell) for cell in descent.paths[0]]
    keys = [criterion.key(whole[0][cell], whole[1][cell]) for cell in path]
    assert all(later < earlier for earlier, later in pairwise(keys))
    assert sum(a != b for a, b in zip(path[0], (2, 2, 2), strict=True)) <= 1
    for here, there in pairwise(path):
        assert sum(a != b for a, b in zip(here, there, strict=True)) == 1
    for axis, length in enumerate((4, 5, 5)):
        for place in range(length):
            cell = (*path[-1][:axis], place, *path[-1][axis + 1 :])
            assert keys[-1] <= criterion.key(whole[0][cell], whole[1][cell])


def test_the_grid_is_the_best_cell_of_the_smoothed_table(data):
    model = small(max_false_positive_rate=0.15, smoothing="3d").fit(data.X, data.y)
    found = model.search_
    table = error_table(data.X, data.y, NU, NU, SIGMAS, cv=3)
    np.testing.assert_array_equal(found.table.miss, table.miss)
    alarm, miss = (smoothed(r, window("3d")) for r in (table.false_alarm, table.miss))
    np.testing.assert_array_equal(found.false_alarm, alarm)
    allowed = np.where(alarm <= 0.15, miss, np.inf)
    assert miss[found.cell] == allowed.min()
    assert found.complete
    assert model.meets_constraint_
    assert model.estimated_ == (alarm[found.cell], miss[found.cell])
    svm = DualNuSVM(sigma=found.sigma, nu_plus=found.nu_plus, nu_minus=found.nu_minus).fit(
        data.X, data.y
    )
    np.testing.assert_allclose(
        model.decision_function(data.X), svm.decision_function(data.X), atol=1e-5
    )
    assert "no guarantee" in model.caveat_


@pytest.mark.parametrize("smoothing", ["none", "2d", "3d"])
@pytest.mark.parametrize("strategy", ["coordinate-2d", "coordinate-3d"])
def test_a_descent_over_data_looks_at_cells_of_the_same_table(data, strategy, smoothing):
    whole = small(MinimaxClassifier, smoothing=smoothing).fit(data.X, data.y).search_
    part = small(MinimaxClassifier, smoothing=smoothing, strategy=strategy).fit(data.X, data.y)
    found = part.search_
    seen = np.isfinite(found.false_alarm)
    # A test point on a boundary, to within the tolerance of the solver, may fall on either side.
    for ours, theirs in ((found.false_alarm, whole.false_alarm), (found.miss, whole.miss)):
        differ = np.abs(ours[seen] - theirs[seen])
        assert differ.max() < 1.01 / 45
        assert (differ > 1e-12).mean() < 0.05
    assert found.solves <= whole.solves
    assert len(found.paths) == (len(SIGMAS) if strategy == "coordinate-2d" else 1)
    assert found.cell in {tuple(path[-1]) for path in found.paths}
    assert max(found.rates) >= max(whole.rates)
    for i_sigma, path in enumerate(found.paths):
        # The first lines cross in the middle, ν₊ = ν₋ = 1/2.
        assert np.isfinite(found.false_alarm[path[0][0], :, 2]).all()
        assert np.isfinite(found.false_alarm[path[0][0], 2, :]).all() or len(found.paths) == 1
        if strategy == "coordinate-2d":
            assert set(path[:, 0]) == {i_sigma}


@pytest.mark.parametrize("strategy", ["nu-svm", "balanced-nu-svm"])
def test_baselines_keep_the_two_nus_together(strategy):
    source = make_sample("banana", random_state=2, n=120)
    X = np.concatenate((source.X[source.y == 1], source.X[source.y == -1][:20]))
    y = np.repeat([1, -1], [(source.y == 1).sum(), 20])
    model = small(MinimaxClassifier, strategy=strategy, select_by="misclassification").fit(X, y)
    known = np.isfinite(model.search_.table.miss)
    assert known.sum() == len(NU) * len(SIGMAS)
    assert all(a == b for _, a, b in np.argwhere(known))
    if strategy == "balanced-nu-svm":
        assert model.nu_plus_ == model.nu_minus_
    else:
        assert model.gamma_ == pytest.approx(0.5)
    assert model.search_.solves == known.sum() * 3


@given(
    st.lists(st.tuples(st.integers(-6, 6), st.booleans()), min_size=2, max_size=30),
    st.sampled_from(CRITERIA),
    st.integers(-8, 8),
)
def test_no_other_offset_is_better_on_the_training_points(points, criterion, before):
    scores = np.array([float(score) for score, _ in points])
    positive = np.array([sign for _, sign in points])

    def key(offset):
        called = scores + offset > 0
        alarms = (called & ~positive).sum() / max((~positive).sum(), 1)
        return criterion.key(alarms, 1.0 - (called & positive).sum() / max(positive.sum(), 1))

    best = min(key(offset) for offset in np.arange(-8.25, 8.5, 0.5))
    start = before + 0.25
    chosen = shifted_offset(scores, positive, start, criterion)
    assert key(chosen) == best
    if key(start) == best:
        assert chosen == start


def test_a_shift_moves_the_offset_and_nothing_else(data):
    plain = small(max_false_positive_rate=0.2, strategy="nu-svm").fit(data.X, data.y)
    moved = small(max_false_positive_rate=0.2, strategy="nu-svm", shift=True).fit(data.X, data.y)
    assert moved.unshifted_intercept_ == plain.intercept_ == plain.unshifted_intercept_
    np.testing.assert_array_equal(moved.alpha_, plain.alpha_)
    before, after = (model.error_rates(data.X, data.y) for model in (plain, moved))
    assert after.false_alarm <= 0.2
    aim = NeymanPearson(0.2)
    assert aim.key(*after) <= aim.key(*before)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_search_can_be_stopped_and_says_so(data, strategy):
    shares = []

    def after_three(progress):
        shares.append(progress.share)
        return len(shares) >= 3

    model = small(strategy=strategy, cv=2)
    if strategy == "grid":
        # Rows of a fold come first, so that early on no cell is known in all of them.
        with pytest.raises(ValueError, match="before a single setting"):
            model.fit(data.X, data.y, callback=after_three)
        return
    model.fit(data.X, data.y, callback=after_three)
    assert not model.search_.complete
    assert len(shares) == 3
    assert shares == sorted(shares)
    assert all(0 < share <= 1 for share in shares)
    whole = []
    done = small(strategy=strategy, cv=2).fit(data.X, data.y, callback=whole.append)
    assert done.search_.complete
    assert whole[-1].share == 1.0


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_same_seed_is_the_same_search(data, strategy):
    first, second = (
        small(strategy=strategy, random_state=5, max_false_positive_rate=0.2).fit(data.X, data.y)
        for _ in range(2)
    )
    np.testing.assert_array_equal(first.search_.miss, second.search_.miss)
    np.testing.assert_array_equal(first.decision_function(data.X), second.decision_function(data.X))
    assert first.search_.cell == second.search_.cell


def test_no_setting_within_the_constraint_is_said(data):
    labels = np.where(np.arange(len(data.y)) % 3, -1, 1)
    with pytest.warns(UserWarning, match="No setting of the search"):
        model = small(max_false_positive_rate=0.001, nu_grid=[0.4, 0.8], smoothing="none").fit(
            data.X, labels
        )
    assert not model.meets_constraint_
    assert model.estimated_.false_alarm == np.nanmin(model.search_.false_alarm)


def test_wrong_parameters_are_sentences(data):
    for options, message in (
        ({"max_false_positive_rate": 0.0}, "max_false_positive_rate must be"),
        ({"max_false_positive_rate": 1.0}, "nothing is forbidden"),
        ({"strategy": "simplex"}, "strategy must be one of"),
        ({"smoothing": "5d"}, "smoothing must be"),
        ({"select_by": "luck"}, "select_by must be"),
        ({"nu_grid": 0}, "nu_grid must be a whole number"),
        ({"cv": 80}, "80 folds do not work"),
    ):
        with pytest.raises(ValueError, match=message):
            small(**options).fit(data.X, data.y)


@pytest.mark.parametrize("alpha", [0.1, 0.3])
def test_two_gaussians_with_a_known_answer(alpha):
    """Means 2 apart, variance 1: the best P_M at P_F = α is Φ(Φ⁻¹(1 − α) − 2)."""
    found = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X, y = _two_apart(rng, 150)
        model = NeymanPearsonClassifier(alpha, nu_grid=8, sigmas=[1.0, 2.0, 4.0]).fit(X, y)
        rates = model.error_rates(*_two_apart(rng, 4000))
        # No classifier is better at the P_F it has, and this one is nearly as good as any.
        own_best = norm.cdf(norm.ppf(1 - rates.false_alarm) - 2.0)
        assert own_best - 0.02 <= rates.miss <= own_best + 0.03
        found.append(rates)
    # The constraint holds on the points at hand: for new ones on average, not each time.
    false_alarm, miss = np.mean(found, axis=0)
    assert false_alarm == pytest.approx(alpha, abs=0.05)
    assert miss == pytest.approx(norm.cdf(norm.ppf(1 - alpha) - 2.0), abs=0.07)


def _two_apart(rng, n):
    y = np.repeat([-1, 1], n)
    return rng.normal(size=(2 * n, 2)) + np.where(y > 0, 2.0, 0.0)[:, None] * [1.0, 0.0], y


def test_minimax_of_two_gaussians():
    """Variances 1 and 4 of unequal classes: rates are equal at Φ(−d/3), d the distance of means."""
    rng = np.random.default_rng(8)
    y = np.repeat([-1, 1], [200, 60])
    spread, mean = np.where(y > 0, 2.0, 1.0), np.where(y > 0, 4.0, 0.0)
    X = (mean + spread * rng.normal(size=260))[:, None]
    model = MinimaxClassifier(nu_grid=8, sigmas=[1.0, 2.0, 4.0]).fit(X, y)
    truth = np.repeat([-1, 1], 4000)
    new = np.where(truth > 0, 4.0, 0.0) + np.where(truth > 0, 2.0, 1.0) * rng.normal(size=8000)
    worst = max(model.error_rates(new[:, None], truth))
    assert norm.cdf(-4 / 3) - 0.03 <= worst <= norm.cdf(-4 / 3) + 0.07
