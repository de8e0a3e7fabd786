"""Entry levels as scores of a detector."""

import numpy as np
import pytest

from nestviz import (
    EntryLevels,
    HierarchicalMVSets,
    IndependentOneClassSVM,
    NestedCostSensitiveSVM,
    NestedOneClassSVM,
    OneClassPath,
    ParzenLevelSets,
    QuantileOneClassSVM,
    Quantised,
    SoftBall,
    make_sample,
    save_model,
)

X = make_sample("banana", n=80, random_state=0).X
NEW = np.vstack([make_sample("banana", n=60, random_state=1).X, [[40.0, 40.0]]])
NESTED = [
    NestedOneClassSVM(0.4),
    ParzenLevelSets(0.4),
    SoftBall(0.4, nu=0.1),
    QuantileOneClassSVM(0.4),
    HierarchicalMVSets(0.4),
    Quantised(NestedOneClassSVM(0.4), random_state=0),
]
CROSSING = [OneClassPath(0.4), IndependentOneClassSVM(0.4)]


def name(estimator) -> str:
    return type(estimator).__name__


@pytest.mark.parametrize("estimator", [*NESTED, *CROSSING], ids=name)
@pytest.mark.parametrize("by", ["first", "last"])
def test_scores_are_levels_of_the_family_and_answers_are_sets(estimator, by):
    found = EntryLevels(estimator, by).fit(X)
    family, level = found.family_, found.estimator_.level_
    own = getattr(family, f"{by}_level")(NEW)
    known = np.isfinite(own)
    scores = found.score_samples(NEW)
    np.testing.assert_array_equal(scores[known], -family.orientation * own[known])
    assert np.isfinite(scores).all()
    assert scores.argmin() == 60
    # The union of the sets up to the level, or the intersection of those from there on.
    inside = own <= level if family.orientation == 1 else own >= level
    np.testing.assert_array_equal(found.predict(NEW) == 1, inside & known)


@pytest.mark.parametrize("estimator", NESTED, ids=name)
def test_nested_sets_have_one_score_and_the_answers_of_the_estimator(estimator):
    first, last = (EntryLevels(estimator, by).fit(X) for by in ("first", "last"))
    np.testing.assert_array_equal(first.score_samples(NEW), last.score_samples(NEW))
    np.testing.assert_array_equal(first.predict(NEW), first.estimator_.predict(NEW))


def test_sets_that_cross_have_two_scores():
    first, last = (
        EntryLevels(OneClassPath(0.4), by).fit(X).score_samples(NEW) for by in ("first", "last")
    )
    assert (first >= last).all()
    assert (first > last).sum() > 3


def test_the_score_does_not_depend_on_the_level_of_the_estimator():
    few, many = (
        EntryLevels(NestedOneClassSVM(0.4, contamination=share)).fit(X) for share in (1e-300, 0.3)
    )
    np.testing.assert_array_equal(few.score_samples(NEW), many.score_samples(NEW))
    assert few.offset_ < many.offset_


def test_a_kernel_matrix_is_fitted_to_as_its_points_are():
    points = OneClassPath(0.4).fit(X)
    kernel = points.family_.kernel.gram
    by_matrix = EntryLevels(OneClassPath(kernel="precomputed")).fit(kernel(X, X))
    assert by_matrix.__sklearn_tags__().input_tags.pairwise
    found = by_matrix.score_samples(kernel(NEW[:60], X))
    np.testing.assert_allclose(found, points.family_.first_level(NEW[:60]), rtol=1e-6)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (EntryLevels(by="middle"), "by must be 'first' or 'last'"),
        (EntryLevels(NestedCostSensitiveSVM(0.5, 1.0)), "NestedCostSensitiveSVM separates two"),
    ],
)
def test_what_cannot_be_is_refused(wrong, words):
    with pytest.raises(ValueError, match=words):
        wrong.fit(X)


def test_its_estimator_is_what_a_model_file_keeps(tmp_path):
    with pytest.raises(TypeError, match="Save its estimator_"):
        save_model(EntryLevels().fit(X), tmp_path / "model.zip")
