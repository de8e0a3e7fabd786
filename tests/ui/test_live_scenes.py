"""Families for the player while a knob or a point moves."""

from dataclasses import replace

import numpy as np
import pytest
from test_message import arrays_of

from nestviz.data import DataError, Dataset, make_sample
from nestviz.grids import Plane
from nestviz.kernels import median_distance
from nestviz.ui.compute import scenes, tasks
from nestviz.ui.compute.methods import Spec
from nestviz.ui.live.question import LiveQuestion
from nestviz.ui.panels import live_scenes
from nestviz.ui.results import cache, jobs
from nestviz.ui.results.lru import Store
from nestviz.ui.scene.message import encode_scene, read_header

DATA = make_sample("banana", 0, n=60)
UNIT = median_distance(DATA.X)
FLAT, LOOK = Plane.of_two_features(), scenes.Look(start=20.0)
ONE = (Spec("one-class SVM", 0.4 * UNIT), Spec("nested one-class SVM", 0.4 * UNIT, levels=5))
TWO = tuple(
    Spec(name, 0.4 * UNIT, levels=4, lam=0.1, kind="two classes")
    for name in ("cost-sensitive SVM", "nested cost-sensitive SVM")
)


@pytest.fixture(autouse=True)
def store(monkeypatch) -> Store:
    """A store of its own."""
    empty = Store(max_entries=64, max_bytes=1 << 30)
    monkeypatch.setattr(cache, "STORE", empty)
    return empty


def builder(specs=ONE, over="level", owner=None):
    return live_scenes.SceneBuilder(DATA, FLAT, specs, over, LOOK, UNIT, owner)


def question(knobs=None, points=None, classes=None, stopped=lambda: False):
    given = None if points is None else np.asarray(points, dtype=float).reshape(-1, 2)
    return LiveQuestion(knobs or {}, given, None if classes is None else np.array(classes), stopped)


def as_a_page_does(data, specs, over="level"):
    """The message of the scene that a page shows for the same settings, by knots."""

    def fit(spec):
        return tasks.fit(spec.solved, data.X, data.y).under(spec)

    frames = scenes.frames_of(data, specs, fit, over)
    fits = [fit(spec) for spec in specs]
    scene = scenes.scene_of(data, FLAT, fits, frames, LOOK, exact=False)
    return encode_scene(scene, detail="knots")


@pytest.mark.parametrize(
    ("specs", "over", "knobs", "changed"),
    [
        (ONE, "level", {"width": 0.7}, {"sigma": 0.7 * UNIT}),
        (ONE, "nu", {"width": 0.3}, {"sigma": 0.3 * UNIT}),
        (ONE, "mass", {}, {}),
        (TWO, "level", {"width": 0.5, "loglam": 1.0}, {"sigma": 0.5 * UNIT, "lam": 10.0}),
        ((Spec("ν one-class SVM", UNIT, nu=0.5),), "level", {"nu": 0.2}, {"nu": 0.2}),
    ],
)
def test_the_answer_is_the_scene_of_the_page_for_the_same_knobs(specs, over, knobs, changed):
    turned = [replace(spec, **changed) for spec in specs]
    assert builder(specs, over)(question(knobs)) == as_a_page_does(DATA, turned, over)


def test_solutions_are_those_of_the_pages(store, monkeypatch):
    answer = builder()(question({"width": 0.7}))
    spec = scenes.turned(ONE[0], {"width": 0.7}, UNIT)
    key = jobs.full_key(tasks.fit, (DATA, spec.solved))
    assert store.get(None, key).spec == spec.solved

    def solve(*_):
        raise AssertionError("solved again")

    monkeypatch.setattr(tasks, "unfitted", solve)
    assert builder()(question({"width": 0.7})) == answer


def test_results_of_own_data_belong_to_their_session(store):
    builder(owner="a session")(question())
    assert set(store.owners) == {"a session"}
    store.drop_owner("a session")
    assert len(store) == 0


@pytest.mark.parametrize(
    "knobs", [{"width": 99.0}, {"width": -1.0}, {"width": np.nan}, {"seed_of_doubt": 3.0}]
)
def test_knobs_that_cannot_be_are_ignored(knobs):
    assert builder()(question(knobs)) == builder()(question())


@pytest.mark.parametrize("specs", [ONE, TWO])
def test_edited_points(store, specs):
    points = np.vstack([DATA.X[5:], [(0.5, 0.25)]])
    classes = np.append(DATA.y[5:] < 0, True).astype(int)
    answer = builder(specs)(question({"width": 0.7}, points, classes))
    edited = Dataset(points, np.where(classes == 0, 1, -1))
    # A width is a share of the median distance, also of points that were just moved.
    unit = median_distance(points)
    turned = [scenes.turned(spec, {"width": 0.7}, unit) for spec in specs]
    wanted = as_a_page_does(edited, turned)
    sent = read_header(answer)["panels"][0]
    assert np.array_equal(arrays_of(answer)[sent["points"]].reshape(-1, 2), points)
    assert np.array_equal(arrays_of(answer)[sent["classes"]], classes)
    found, family = read_header(wanted)["panels"], read_header(answer)["panels"]
    assert [panel["family"] for panel in family] == [panel["family"] for panel in found]
    assert all(
        np.array_equal(a, b) for a, b in zip(arrays_of(answer), arrays_of(wanted), strict=True)
    )
    # Points that are still being moved fill no store.
    assert len(store) == 0


def test_the_origin_of_edited_points_is_said_once():
    once = live_scenes.edited_data(DATA, DATA.X[1:], None)
    twice = live_scenes.edited_data(once, DATA.X[2:], None)
    assert twice.provenance == once.provenance
    assert once.provenance == (*DATA.provenance, live_scenes.EDITED)


def test_each_problem_of_edited_points_is_solved_once(monkeypatch):
    solved, fit = [], tasks.fit

    def noted(spec, *arguments):
        solved.append(spec)
        return fit(spec, *arguments)

    monkeypatch.setattr(tasks, "fit", noted)
    specs = (ONE[0], Spec("union", ONE[0].sigma))
    builder(specs, over="nu")(question(points=DATA.X))
    assert len(solved) == 1


def test_points_that_were_drawn_twice():
    """Repeated points are solved for as one; each is still shown."""
    points = np.vstack([DATA.X, DATA.X[:3], DATA.X[:1]])
    for specs in (ONE, TWO):
        answer = builder(specs)(question(points=points, classes=np.arange(64) % 2))
        sent = read_header(answer)["panels"][0]
        assert arrays_of(answer)[sent["points"]].size == 2 * 64
        rows = arrays_of(answer)[sent["size_rows"]]
        assert np.unique(rows).size < rows.size == 64


def test_no_point_left_is_said():
    with pytest.raises(DataError, match=r"There is no point left\. Add some, or undo\."):
        builder()(question(points=[]))


@pytest.mark.filterwarnings("ignore:.*stopped")
@pytest.mark.parametrize("points", [None, DATA.X])
def test_an_answer_that_is_no_longer_needed_is_empty_and_not_kept(store, points):
    assert builder()(question({"width": 0.7}, points, stopped=lambda: True)) == b""
    assert len(store) == 0


def test_a_solution_that_was_complete_is_kept(store, monkeypatch):
    done, fit = [], tasks.fit

    def noted(spec, *arguments):
        done.append(fit(spec, *arguments))
        return done[-1]

    monkeypatch.setattr(tasks, "fit", noted)
    monkeypatch.setattr(scenes, "scene_of", lambda *_, **__: done.append("asked no more"))
    answer = builder()(question(stopped=lambda: "asked no more" in done))
    assert answer == b""
    assert len(store) == 2
