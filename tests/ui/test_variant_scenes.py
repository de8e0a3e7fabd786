"""Variants of the one-class SVM in the player: scenes, and answers while a knob moves."""

import numpy as np
import pytest

from nestviz import NuOneClassSVM, SoftBall
from nestviz.data import DataError, Dataset, make_sample
from nestviz.estimators import family_over_nu
from nestviz.grids import Plane
from nestviz.kernels import GaussianKernel, median_distance
from nestviz.ui.compute import tasks, variants
from nestviz.ui.compute.variants import Variant
from nestviz.ui.live.question import LiveQuestion
from nestviz.ui.pages.variants.live import VariantBuilder
from nestviz.ui.results import cache
from nestviz.ui.results.lru import Store
from nestviz.ui.scene.message import read_header

DATA = make_sample("banana", 0, n=40)
UNIT = median_distance(DATA.X)
FLAT = Plane.of_two_features()
ROWS = tuple(np.flatnonzero(DATA.y < 0).tolist())


@pytest.fixture(autouse=True)
def store(monkeypatch) -> Store:
    """A store of its own."""
    empty = Store(max_entries=64, max_bytes=1 << 30)
    monkeypatch.setattr(cache, "STORE", empty)
    return empty


def builder(variant, data=DATA):
    return VariantBuilder(data, FLAT, variant, 12.0, ("fill",), ("x", "y"), UNIT, None)


def question(knobs=None, points=None, classes=None, stopped=lambda: False):
    given = None if points is None else np.asarray(points, dtype=float)
    return LiveQuestion(knobs or {}, given, None if classes is None else np.array(classes), stopped)


def scene(variant, data=DATA):
    found = variants.families(variant, data.X, 5, tasks.never_stop)
    return variants.scene_of(
        data, FLAT, variant, found, start=3.0, shown=("fill",), axis_names=("x", "y")
    )


def test_a_ball_of_a_gaussian_kernel_is_sent_as_a_sum_of_kernels():
    """The same values, in a form that the browser evaluates to the last digit."""
    nus = [0.2, 0.6]
    ball = family_over_nu(SoftBall(0.7), DATA.X, nus)
    plain = variants.with_kernel(ball)
    assert isinstance(plain.kernel, GaussianKernel)
    np.testing.assert_allclose(plain.values(DATA.X, nus), ball.values(DATA.X, nus), atol=1e-12)
    half = family_over_nu(NuOneClassSVM(0.7), DATA.X, nus)
    assert variants.with_kernel(half) is half
    polynomial = family_over_nu(SoftBall(kernel="polynomial"), DATA.X, nus)
    assert variants.with_kernel(polynomial) is polynomial


def test_other_points_are_a_class_of_their_own():
    shown = scene(Variant("outliers", 0.7, rows=ROWS))
    assert np.flatnonzero(shown.panels[0].classes).tolist() == list(ROWS)
    # The left side does not know them.
    assert len(shown.panels[0].family.centres) == DATA.n - len(ROWS)
    assert len(shown.panels[1].family.centres) == DATA.n
    assert shown.scale.levels[0] > shown.scale.levels[-1] > 0
    # A ball does not know of labels, which are kept for points that are edited.
    ball = scene(Variant("ball", 0.7))
    assert ball.class_names == ("class +1", "class −1")
    assert (ball.neutral, shown.neutral) == (True, False)
    assert scene(Variant("mean", 0.7, uniform=True)).class_names == ("points",)


def test_marked_points_were_trained_on_before():
    shown = scene(Variant("outliers", 0.7, rows=ROWS, before=True))
    assert [len(panel.family.centres) for panel in shown.panels] == [DATA.n, DATA.n]
    assert (np.asarray(shown.panels[0].family.coefficients) >= 0).all()
    assert (np.asarray(shown.panels[1].family.coefficients) < 0).any()


def test_without_other_points_both_sides_are_the_same():
    for kind in ("outliers", "mean"):
        left, right = variants.families(Variant(kind, 0.7), DATA.X, 3, tasks.never_stop)
        np.testing.assert_array_equal(left.field(DATA.X), right.field(DATA.X))


def test_the_answer_to_a_knob_is_the_scene_of_that_width():
    build = builder(Variant("ball", 0.2 * UNIT))
    asked = question({"width": 0.5})
    assert build.known(asked) is None
    message = build(asked)
    assert build.known(asked) == message == build(asked)
    panels = read_header(message)["panels"]
    assert [panel["title"] for panel in panels] == ["Half-space", "Ball"]
    assert {panel["family"]["kernel"]["sigma"] for panel in panels} == {0.5 * UNIT}
    # A value that the address cannot have changes nothing.
    assert build(question({"width": 1e9})) == build(question())


def test_edited_points_are_solved_with_their_classes():
    build = builder(Variant("outliers", 0.2 * UNIT, rows=ROWS))
    classes = np.zeros(10)
    classes[:3] = 1
    message = build(question(points=DATA.X[:10], classes=classes))
    panels = read_header(message)["panels"]
    assert len(panels) == 2
    with pytest.raises(DataError, match="Fewer than two points"):
        build(question(points=DATA.X[:4], classes=np.array([1, 1, 1, 0])))


def test_an_answer_that_nobody_waits_for_is_empty(store):
    build = builder(Variant("mean", 0.2 * UNIT, rows=ROWS))
    stopped = question({"width": 0.4}, stopped=lambda: True)
    assert build(stopped) == b""
    assert build.known(stopped) is None


def test_numbers_at_rest_count_both_groups():
    data = Dataset(DATA.X, DATA.y)
    variant = Variant("outliers", 0.4 * UNIT, rows=ROWS)
    found = variants.at_rest(variant, data.X, 0.2, FLAT, tasks.never_stop)
    normal = variant.normal(data.n)
    for k, model in enumerate(found.models):
        assert found.outside[k] == (model.predict(data.X[normal]) < 0).sum()
        assert found.others[k] == (model.predict(data.X[list(ROWS)]) > 0).sum()
    assert 0 < found.differ < 1
    same = variants.at_rest(Variant("ball", 0.4 * UNIT), data.X, 0.2, FLAT, tasks.never_stop)
    assert same.differ == 0
