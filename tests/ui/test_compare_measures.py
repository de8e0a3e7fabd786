"""What the Compare page measures, against the library's own functions and by hand."""

import numpy as np
import pytest

from nestviz import Grid, NestedOneClassSVM, OneClassPath, make_sample
from nestviz.analysis import auc, nesting_report, ranking_disagreement
from nestviz.grids import Plane
from nestviz.ui.compute import tasks
from nestviz.ui.compute.measures import fold_count, held_out, measures
from nestviz.ui.compute.methods import ONE_CLASS, Spec
from nestviz.volume import integrated_volume, uniform_reference

DATA = make_sample("banana", 0, n=60)
SIGMA = 0.5
PLANE = Plane.of_two_features()


def never_stop(*_):
    return False


@pytest.mark.parametrize("name", list(ONE_CLASS))
def test_one_class_measures_are_those_of_the_library(name):
    family = tasks.fit(Spec(name, SIGMA, 5), DATA.X).family
    found = measures(family, DATA.X, PLANE)
    grid = Grid.around(DATA.X, resolution=found.pixels or 40)
    assert found.violated == nesting_report(family, grid).share
    assert found.disagreement == ranking_disagreement(family, DATA.X)
    assert (found.nested == "by construction") == family.is_nested
    assert found.by_construction == family.is_nested
    assert (found.nested == "no: they cross") == (found.violated > 0)


def test_the_share_ranked_by_extrapolation_is_measured():
    family = tasks.fit(Spec("nested one-class SVM", SIGMA, 5), DATA.X).family
    entry = family.first_level(DATA.X)
    object.__setattr__(family, "hold_level", float(np.quantile(entry, 0.4)))
    found = measures(family, DATA.X, PLANE)
    assert found.extrapolated == pytest.approx(0.4, abs=0.02)


def test_more_points_are_measured_on_fewer_pixels():
    many = make_sample("banana", 0, n=1600)
    family = tasks.fit(Spec("one-class SVM", SIGMA), many.X[:400]).family
    few = measures(family, many.X[:400], PLANE)
    assert few.pixels == 75
    assert measures(family, many.X, PLANE).pixels == 37


def test_a_fit_knows_how_long_it_took():
    assert tasks.fit(Spec("Parzen", SIGMA), DATA.X).seconds > 0


@pytest.mark.parametrize(
    ("name", "estimator"),
    [("one-class SVM", OneClassPath(SIGMA)), ("nested one-class SVM", NestedOneClassSVM(SIGMA, 5))],
)
def test_held_out_volume_is_the_integrated_volume_of_the_estimator(name, estimator):
    (found,) = held_out((Spec(name, SIGMA, 5),), DATA.X, None, never_stop)
    reference = uniform_reference(DATA.X, random_state=0, relative=True)
    expected = integrated_volume(DATA.X, estimator, reference=reference, random_state=0, n_jobs=1)
    assert found.value == expected.value
    assert found.spread == expected.spread
    assert found.volume is not None


def test_held_out_area_judges_by_points_that_were_not_seen():
    """Labels that mean nothing are learned by heart, and worth nothing on new points."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 2)), np.where(rng.random(80) < 0.5, 1, -1).astype(np.int8)
    spec = Spec("nested cost-sensitive SVM", 0.05, 5, 0.01)
    (found,) = held_out((spec,), X, y, never_stop)
    assert auc(tasks.fit(spec, X, y).family, X, y) > 0.99
    assert 0.3 < found.value < 0.7
    assert found.spread > 0
    assert found.volume is None


def test_every_fold_has_both_classes():
    rare = np.where(np.arange(60) < 3, 1, -1).astype(np.int8)
    assert fold_count(rare, 60) == 3
    (found,) = held_out((Spec("union", SIGMA, kind="two classes"),), DATA.X, rare, never_stop)
    assert 0 <= found.value <= 1


def test_progress_is_told_and_a_wish_to_stop_is_heard():
    told = []

    def report(done, text, partial):
        told.append((done, text, partial))
        return text == "nested one-class SVM"

    specs = (Spec("Parzen", SIGMA), Spec("nested one-class SVM", SIGMA, 5))
    found = held_out(specs, DATA.X, None, report)
    assert len(found) == 1
    assert [done for done, _, _ in told] == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4, 0.5])
    assert told[0][2] is None
    assert told[-1][2] is not None
    assert told[-1][2][0].value == found[0].value
