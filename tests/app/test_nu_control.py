"""ν: the control of the method that has one, and the chapter that explains it."""

import json
from base64 import b64decode

import numpy as np
import pytest
from conftest import drawn, healthy, knobs, look

from nestviz.ui.compute.methods import NU, WITH_NU, Spec

ONE, COMPARE = "pages/explore/one_class.py", "pages/explore/compare.py"
SMALL = {"data": "ring", "ring.n": "60"}


def sets_of(app, panel):
    return np.concatenate([ring for rings in drawn(app).panels[panel].sets for ring in rings])


def code(app):
    return next(block.value for block in app.code if "data = " in block.value)


def test_only_the_method_with_a_nu_depends_on_it():
    assert Spec("one-class SVM", 1.0, nu=0.7) == Spec("one-class SVM", 1.0)
    assert Spec(WITH_NU, 1.0, nu=0.7) != Spec(WITH_NU, 1.0)
    assert Spec(WITH_NU, 1.0).nu == NU


def test_the_slider_is_there_with_its_method_and_moves_its_sets(open_app):
    app = open_app(ONE, **SMALL)
    assert "nu" not in knobs(app)
    app.selectbox(key="right").set_value(WITH_NU).run()
    assert knobs(healthy(app))["nu"] == NU
    left, right = sets_of(app, 0), sets_of(app, 1)
    look(app, nu=0.6).run()
    np.testing.assert_array_equal(sets_of(healthy(app), 0), left)
    moved = sets_of(app, 1)
    assert moved.shape != right.shape or np.abs(moved - right).max() > 1e-3
    assert "nu=0.6" in code(app)


@pytest.mark.parametrize(
    ("page", "query"),
    [
        (COMPARE, {"methods": WITH_NU}),
        ("pages/use/outliers.py", {"method": WITH_NU}),
        ("pages/use/cluster_tree.py", {"method": WITH_NU}),
    ],
)
def test_nu_is_in_the_link_and_in_the_code_of_other_pages(open_app, page, query):
    app = open_app(page, **SMALL, **query, nu="0.45")
    shown = knobs(app) | {slider.key: slider.value for slider in app.slider}
    assert shown["nu"] == 0.45
    assert "nu=0.45" in code(app)


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
