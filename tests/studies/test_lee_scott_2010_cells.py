"""Cells of the study of Lee & Scott 2010, against the public estimators and brute force."""

import numpy as np
import pytest

from nestviz import (
    CostSensitivePath,
    NestedCostSensitiveSVM,
    NestedOneClassSVM,
    OneClassPath,
    make_sample,
)
from nestviz.analysis import auc, ranking_disagreement
from nestviz.analysis.cost_selection import folds, regularisations
from nestviz.kernels import average_distance
from nestviz.studies.reproduce.lee_scott_2010 import data, measures, one_class, two_class
from nestviz.studies.reproduce.lee_scott_2010.protocol import SETS, SIZES
from nestviz.volume import default_sigmas

NAME = "thyroid"
COMMON = {"data": NAME, "fingerprint": data.fingerprint(NAME), "permutation": 3}


def training(sign=None):
    points, (rows, _) = data.standardised(NAME), data.split(NAME, 3)
    X, y = points.X[rows], points.y[rows]
    return (X, y) if sign is None else X[y == sign]


def held_out():
    points, (_, rows) = data.standardised(NAME), data.split(NAME, 3)
    return points.X[rows], points.y[rows]


def brute_area(family, X, signs, ties):
    """Area from membership between all ends of intervals, one level at a time."""
    found = family.intervals(X)
    low, high = family.domain
    ends = np.unique(np.concatenate([found.lower, found.upper, [low]]))
    ends = ends[np.isfinite(ends)]
    ends = np.append(ends, min(high, ends[-1] + 1.0))
    rates = {(0.0, 0.0), (1.0, 1.0)}
    for level in (ends[1:] + ends[:-1]) / 2:
        inside = family.contains(X, level)
        rates.add((inside[signs == -1].mean(), inside[signs == 1].mean()))
    x, y = np.array(sorted(rates)).T
    heights = np.minimum(y[1:], y[:-1]) if ties == "errors" else (y[1:] + y[:-1]) / 2
    return np.sum(np.diff(x) * heights)


@pytest.mark.parametrize("method", ["plain", "nested"])
@pytest.mark.parametrize("classes", [1, 2])
def test_areas_are_those_of_brute_force(method, classes):
    sample = make_sample("imbalanced", n=80, random_state=2)
    X, y = sample.X, sample.y.astype(int)
    if classes == 2:
        estimator = (
            CostSensitivePath(0.4, 0.3) if method == "plain" else NestedCostSensitiveSVM(0.4)
        )
        family = estimator.fit(X[::2], y[::2]).family_
    else:
        estimator = OneClassPath(0.4) if method == "plain" else NestedOneClassSVM(0.4)
        family = estimator.fit(X[y < 0][::2]).family_
        y = -y
    # Some rows twice, so that there are ties between the classes.
    X, y = np.concatenate([X, X[:9]]), np.concatenate([y, -y[:9]])
    found = measures.see(family, X).measures(np.arange(len(X)), y)
    assert found["auc"] == pytest.approx(brute_area(family, X, y, "half"), abs=1e-12)
    assert found["strict"] == pytest.approx(brute_area(family, X, y, "errors"), abs=1e-12)
    assert found["strict"] < found["auc"]
    assert found["auc"] == pytest.approx(auc(family, X, y), abs=1e-12)
    if method == "plain":
        assert found["d"] == ranking_disagreement(family, X)


def test_two_class_scores_are_those_of_the_estimators():
    found = two_class.cross_validated(
        **COMMON, width=2, sigmas=5, lambdas=3, fold_count=2, asymmetries=5
    )
    X, y = training()
    d = average_distance(X)
    assert found["sigma"] == pytest.approx(d / 15 * 150 ** (2 / 4))
    fold = folds(y, 2)
    for k in range(2):
        for j, lam in enumerate(found["lambdas"]):
            for name, one in (
                ("cs", CostSensitivePath(found["sigma"], lam)),
                ("ncs", NestedCostSensitiveSVM(found["sigma"], lam)),
            ):
                one.fit(X[fold != k], y[fold != k])
                expected = auc(one.family_, X[fold == k], y[fold == k])
                assert found[name][k][j] == pytest.approx(expected, abs=1e-9)


def test_the_grid_of_lambda_ends_at_that_of_the_paper():
    X, y = training()
    lams = regularisations(X, y.astype(float), 1.3, 4)
    assert lams[0] == pytest.approx(0.1)
    assert lams[-1] == pytest.approx(CostSensitivePath(1.3, 1.0).fit(X, y).lambda_max_)


def test_one_class_scores_are_those_of_the_estimators():
    found = one_class.cross_validated(**COMMON, sigmas=3, fold_count=2, levels=11)
    X, (_, labels) = training(-1), held_out()
    others = data.uniform_points(NAME, 3, data.CHOOSE, int(np.sum(labels == -1)))
    fold = np.arange(len(X)) % 2
    for j, sigma in enumerate(found["sigmas"]):
        for k in range(2):
            points = np.concatenate([X[fold == k], others])
            signs = np.repeat([1, -1], [np.sum(fold == k), len(others)])
            for name, one in (("oc", OneClassPath(sigma)), ("noc", NestedOneClassSVM(sigma))):
                expected = auc(one.fit(X[fold != k]).family_, points, signs)
                assert found[name][j][k] == pytest.approx(expected, abs=1e-9)


def test_measures_on_test_points_are_those_of_the_estimators():
    found = two_class.on_test_points(**COMMON, cs=[1.0, 0.2], ncs=[0.8, 0.5], asymmetries=5)
    X, y = training()
    new, labels = held_out()
    path = CostSensitivePath(1.0, 0.2).fit(X, y).family_
    nested = NestedCostSensitiveSVM(0.8, 0.5).fit(X, y).family_
    assert found["cs"]["auc"] == pytest.approx(auc(path, new, labels), abs=1e-12)
    assert found["cs"]["d"] == ranking_disagreement(path, new)
    assert found["ncs"]["auc"] == pytest.approx(auc(nested, new, labels), abs=1e-12)
    assert found["cs"]["gap"] < 1e-9


def test_one_class_measures_on_test_points_are_those_of_the_estimators():
    found = one_class.on_test_points(**COMMON, oc=0.7, noc=0.9, levels=11)
    X, (new, labels) = training(-1), held_out()
    negatives = new[labels == -1]
    parts = {
        "positive": new[labels == 1],
        "uniform": data.uniform_points(NAME, 3, data.TEST, len(negatives)),
    }
    families = {
        "oc": OneClassPath(0.7).fit(X).family_,
        "pure": OneClassPath(0.7, hold_below=None).fit(X).family_,
        "noc": NestedOneClassSVM(0.9).fit(X).family_,
    }
    for kind, part in parts.items():
        points = np.concatenate([negatives, part])
        signs = np.repeat([1, -1], [len(negatives), len(part)])
        for method, family in families.items():
            one = found[method][kind]
            assert one["auc"] == pytest.approx(auc(family, points, signs), abs=1e-9)
            if method != "noc":
                assert one["d"] == pytest.approx(ranking_disagreement(family, points))


def test_near_best_and_widths_use_the_same_grids_as_the_cross_validation():
    near = two_class.near_best(**COMMON, width=2, sigmas=5, lambdas=3, chosen=[0, 2])
    X, y = training()
    sigma = default_sigmas(X, 5)[2]
    lams = regularisations(X, y.astype(float), sigma, 3)
    new, labels = held_out()
    for j, area, d in zip((0, 2), near["auc"], near["d"], strict=True):
        family = CostSensitivePath(sigma, lams[j]).fit(X, y).family_
        assert area == pytest.approx(auc(family, new, labels), abs=1e-9)
        assert d == pytest.approx(ranking_disagreement(family, new))
    curve = one_class.over_widths(**COMMON, sigmas=3, levels=11)
    single = one_class.on_test_points(
        **COMMON, oc=curve["sigmas"][1], noc=curve["sigmas"][1], levels=11
    )
    for method in ("oc", "noc"):
        assert curve[method][1]["uniform"] == pytest.approx(single[method]["uniform"], abs=1e-9)


def test_splits_are_complete_and_differ():
    for name in SETS:
        train, test = data.split(name, 0)
        assert (len(train), len(test)) == SIZES[name][:2]
        assert not set(train) & set(test)
    again, other = data.split(NAME, 0)[0], data.split(NAME, 1)[0]
    assert np.array_equal(again, data.split(NAME, 0)[0])
    assert not np.array_equal(again, other)


def test_whole_sets_are_standardised():
    X = data.standardised("german").X
    assert np.allclose(X.mean(axis=0), 0.0)
    assert np.allclose(X.std(axis=0), 1.0)


def test_folds_have_equal_shares_of_the_classes():
    y = np.array([1, -1, -1, 1, -1, -1, 1, -1])
    fold = folds(y, 3)
    for sign, most in ((1, 1), (-1, 2)):
        counts = np.bincount(fold[y == sign], minlength=3)
        assert counts.max() <= most


def test_alternatives_stay_in_the_box_and_on_the_lattice():
    X = data.standardised("titanic").X
    uniform = data.uniform_points("titanic", 0, data.TEST, 50)
    lattice = data.lattice_points("titanic", 0, data.TEST, 50)
    assert np.all((uniform >= X.min(axis=0)) & (uniform <= X.max(axis=0)))
    for j in range(X.shape[1]):
        assert np.isin(lattice[:, j], X[:, j]).all()
        assert not np.isin(uniform[:, j], X[:, j]).any()
    assert data.few_valued("banana").size == 0
    assert not np.array_equal(uniform, data.uniform_points("titanic", 0, data.CHOOSE, 50))


def test_cells_of_other_data_are_refused():
    with pytest.raises(ValueError, match="not the one that the study was planned for"):
        two_class.on_test_points(
            data=NAME, fingerprint="0", permutation=0, cs=[1, 1], ncs=[1, 1], asymmetries=5
        )
