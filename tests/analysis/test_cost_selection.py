"""The choice of σ and λ by cross-validated AUC."""

import numpy as np
import pytest

from nestviz import (
    CostSensitivePath,
    NestedCostSensitiveSVM,
    OffsetCostSensitiveSVM,
    OneClassSVM,
    make_sample,
)
from nestviz.analysis import CostSelection, auc, select_cost_sensitive
from nestviz.figures import cost_selection_figure
from nestviz.kernels import GaussianKernel, dimension_sigma

DATA = make_sample("moons", random_state=0, n=60)
X, Y = DATA.X, DATA.y
SIGMAS, LAMS = [0.2, 0.6, 3.0], [0.1, 1.0, 1000.0]


def by_hand(estimator, sigma, lam, cv):
    """Score one cell with the public estimators, fold by fold."""
    fold = np.empty(len(Y), int)
    for sign in (-1, 1):
        fold[sign == Y] = np.arange(np.sum(sign == Y)) % cv
    return [
        auc(
            estimator(sigma, lam).fit(X[fold != k], Y[fold != k]).family_,
            X[fold == k],
            Y[fold == k],
        )
        for k in range(cv)
    ]


@pytest.mark.parametrize(
    "estimator", [CostSensitivePath, NestedCostSensitiveSVM, OffsetCostSensitiveSVM]
)
def test_scores_are_those_of_the_estimators(estimator):
    found = select_cost_sensitive(X, Y, estimator(), SIGMAS, LAMS, cv=3)
    assert found.complete
    for i, sigma in enumerate(SIGMAS):
        for j, lam in enumerate(LAMS):
            expected = by_hand(estimator, sigma, lam, 3)
            np.testing.assert_allclose(found.scores[:, i, j], expected, atol=1e-9)


def test_the_grids_of_the_paper_end_at_the_largest_lambda_of_each_width():
    found = select_cost_sensitive(X, Y, sigmas=2, lams=3, cv=2)
    np.testing.assert_allclose(found.lams[:, 0], 0.1)
    for sigma, last in zip(found.sigmas, found.lams[:, -1], strict=True):
        assert last == pytest.approx(CostSensitivePath(sigma).fit(X, Y).lambda_max_)


def test_the_choice_is_the_best_cell_and_the_middle_of_equal_ones():
    scores = np.array([[[0.7, 0.9, 0.9], [0.7, 0.9, 0.9], [0.7, 0.9, 0.9]]] * 2)
    scores[1] -= 0.02
    found = CostSelection(np.array([1.0, 2.0, 4.0]), np.tile([0.1, 1.0, 10.0], (3, 1)), scores)
    assert found.cell[0] == 1
    assert (found.sigma, found.lam) in {(2.0, 1.0), (2.0, 10.0)}
    assert found.error == pytest.approx(0.01)
    assert found.as_good.tolist() == [[False, True, True]] * 3


def test_a_stopped_search_keeps_whole_widths():
    seen = []

    def stop(progress):
        seen.append(progress.share)
        return len(seen) == 3

    found = select_cost_sensitive(X, Y, sigmas=SIGMAS, lams=LAMS, cv=2, callback=stop)
    assert not found.complete
    assert np.isfinite(found.means).all(axis=1).sum() == 1
    assert np.isfinite(found.error)
    assert found.as_good.any()
    assert seen == pytest.approx([1 / 6, 2 / 6, 3 / 6])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"y": np.ones(60)}, "smaller class, which has 0"),
        ({"y": np.zeros(60)}, "y must be a list"),
        ({"cv": 1}, "cv must be at least 2"),
        ({"cv": 40}, "no more than the points of the smaller class"),
        ({"sigmas": []}, "one value or more"),
        ({"sigmas": [0.0]}, "sigmas must be a finite number above 0"),
        ({"lams": [np.inf]}, "lams must be a finite number above 0"),
    ],
)
def test_wrong_input_is_refused_in_words(given, words):
    with pytest.raises(ValueError, match=words):
        select_cost_sensitive(X, **{"y": Y, "sigmas": SIGMAS, "lams": LAMS, **given})


def test_the_figure_writes_every_score_and_marks_the_choice():
    found = select_cost_sensitive(X, Y, sigmas=SIGMAS, lams=LAMS, cv=2)
    figure = cost_selection_figure(found, (0.6, 0.5))
    (cells, used), (best,) = figure.data, figure.layout.shapes
    assert cells.text[1][0].startswith(f"{found.means[0, 1]:.3f}")
    marked = np.array([["•" in text for text in row] for row in cells.text]).T
    np.testing.assert_array_equal(marked, found.as_good)
    assert ((best.x0 + best.x1) / 2, (best.y0 + best.y1) / 2) == pytest.approx(found.cell)
    assert 0.8 < best.x1 - best.x0 < 1
    assert used.x[0] == pytest.approx(1.0)
    assert 0.0 < used.y[0] < 1.0
    assert len(cost_selection_figure(found, (50.0, 0.5)).data) == 1


def test_the_width_of_the_dimension_is_the_gamma_of_glazer():
    points = np.random.default_rng(0).normal(size=(20, 7))
    assert 1 / (2 * dimension_sigma(points) ** 2) == pytest.approx(2.5 / 7)
    model = OneClassSVM("dimension", 0.1).fit(points)
    assert model.sigma_ == dimension_sigma(points)
    expected = GaussianKernel(np.sqrt(7 / 5)).gram(points, points)
    np.testing.assert_allclose(model.family_.kernel.gram(points, points), expected)
