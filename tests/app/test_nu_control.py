"""ν and η: the controls of the methods that have one, and the chapter that explains ν."""

import json
from base64 import b64decode

import numpy as np
import pytest
from app_visits import drawn, healthy, knobs, look

from nestviz.ui.compute import scenes
from nestviz.ui.compute.methods import ETA, NU, WITH_ETA, WITH_NU, Spec
from nestviz.ui.panels import live_scenes

ONE, COMPARE = "pages/explore/one_class.py", "pages/explore/compare.py"
SMALL = {"data": "ring", "ring.n": "60"}


def sets_of(app, panel):
    return np.concatenate([ring for rings in drawn(app).panels[panel].sets for ring in rings])


def code(app):
    return next(block.value for block in app.code if "data = " in block.value)


BOTH = pytest.mark.parametrize(
    ("key", "method", "usual", "other"), [("nu", WITH_NU, NU, 0.6), ("eta", WITH_ETA, ETA, 1.1)]
)


@BOTH
def test_only_the_method_with_a_setting_depends_on_it(key, method, usual, other):
    assert Spec("one-class SVM", 1.0, **{key: other}) == Spec("one-class SVM", 1.0)
    assert Spec(method, 1.0, **{key: other}) != Spec(method, 1.0)
    assert getattr(Spec(method, 1.0), key) == usual


@BOTH
def test_the_slider_is_there_with_its_method_and_moves_its_sets(
    open_app, key, method, usual, other
):
    app = open_app(ONE, **SMALL)
    assert key not in knobs(app)
    app.selectbox(key="right").set_value(method).run()
    assert knobs(healthy(app))[key] == usual
    left, right = sets_of(app, 0), sets_of(app, 1)
    look(app, **{key: other}).run()
    np.testing.assert_array_equal(sets_of(healthy(app), 0), left)
    moved = sets_of(app, 1)
    assert moved.shape != right.shape or np.abs(moved - right).max() > 1e-3
    assert f"{key}={other}" in code(app)


@pytest.mark.parametrize(
    ("page", "query"),
    [
        (COMPARE, {"methods": WITH_NU, "nu": 0.45}),
        ("pages/use/outliers.py", {"method": WITH_NU, "nu": 0.45}),
        ("pages/use/cluster_tree.py", {"method": WITH_NU, "nu": 0.45}),
        (COMPARE, {"methods": WITH_ETA, "eta": 1.25}),
        ("pages/use/outliers.py", {"method": WITH_ETA, "eta": 1.25}),
        ("pages/use/cluster_tree.py", {"method": WITH_ETA, "eta": 1.25}),
    ],
)
def test_the_setting_is_in_the_link_and_in_the_code_of_other_pages(open_app, page, query):
    app = open_app(page, **SMALL, **{key: str(value) for key, value in query.items()})
    shown = knobs(app) | {slider.key: slider.value for slider in app.slider}
    key = next(name for name in ("nu", "eta") if name in query)
    assert shown[key] == query[key]
    assert f"{key}={query[key]}" in code(app)


def test_the_picture_follows_the_knob_of_eta_with_the_solution_of_the_page():
    spec = Spec(WITH_ETA, 0.5)
    assert scenes.turned(spec, {"eta": 3.5}, 1.0) == Spec(WITH_ETA, 0.5, eta=3.5)
    assert live_scenes.allowed("eta", 3.5)
    assert not live_scenes.allowed("eta", 0.5)


@pytest.fixture
def chapter(open_app):
    return open_app("pages/learn/theory.py", chapter="ν")


def spec(app, key):
    return json.loads(app.get_by_key(key).proto.spec)


def length(values):
    """Of an array as Plotly sends it."""
    if isinstance(values, list):
        return len(values)
    return np.frombuffer(b64decode(values["bdata"]), values["dtype"]).size


def words(app, start):
    return next(c.value for c in app.main.caption if c.value.startswith(start))


@pytest.mark.parametrize("nu", [0.02, 0.3, 0.77, 1.0])
def test_nu_lies_between_both_fractions(chapter, nu):
    chapter.slider(key="theory_nu").set_value(nu).run()
    told = words(healthy(chapter), "At ν = ")
    outliers, support = (float(part.split("%")[0].split()[-1]) for part in told.split("%")[:2])
    assert outliers <= 100 * nu + 0.05
    assert support >= 100 * nu - 0.05
    traces = {t["name"]: t for t in spec(chapter, "theory_nu_set")["data"]}
    count = length(traces["outlier, α at its bound"]["x"])
    assert count == round(outliers * 40 / 100)


def test_more_points_bring_the_fractions_closer(chapter):
    few = words(chapter, "At ν = ")
    chapter.select_slider(key="theory_n").set_value(160).run()
    many = words(healthy(chapter), "At ν = ")

    def gap(told):
        low, high = (float(part.split()[-1]) for part in told.split("%")[:2])
        return high - low

    assert gap(many) < gap(few)


def test_an_outlier_moves_and_the_set_stays_until_it_is_no_outlier(chapter):
    chapter.segmented_control(key="theory_nu_view").set_value("Move an outlier").run()
    assert "neither has the set" in words(chapter, "ν = 0.3;")
    chapter.slider(key="theory_move").set_value(-100).run()
    assert "neither has the set" in words(healthy(chapter), "ν = 0.3;")
    chapter.slider(key="theory_move").set_value(150).run()
    assert "turned by" in words(healthy(chapter), "ν = 0.3;")
