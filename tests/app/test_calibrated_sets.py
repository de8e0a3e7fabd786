"""Calibrated sets on the Quantiles page."""

import json

import numpy as np
import pytest
from app_visits import address, components, healthy

from nestviz.analysis import promised_band

PAGE = "pages/use/quantiles.py"
SMALL = {"data": "banana", "banana.n": "120", "calibrated": "true"}


def shares(app):
    """What the calibrated sets hold, as the chart has it."""
    from test_error_control_page import numbers

    traces = json.loads(app.get_by_key("promised").proto.spec)["data"]
    return {t["name"]: numbers(t["y"]) for t in traces if "calibrated" in t.get("name", "")}


@pytest.mark.parametrize("way", ["split", "cross", "jackknife+"])
def test_the_chart_has_what_the_library_computes(open_app, way, tmp_path, monkeypatch):
    app = open_app(PAGE, **SMALL, calibrate=way, qmethods="q-OCSVM", qcount="4")
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(app.code[0].value, names)
    (sets,) = names["calibrated"].values()
    assert sets.method == way
    found = shares(app)["q-OCSVM, calibrated"]
    masses = np.union1d(names["quantiles"], 0.9)
    expected = [sets.contains(names["held_out"], mass).mean() for mass in masses]
    np.testing.assert_allclose(found, expected)
    at = int(np.flatnonzero(masses == 0.9)[0])
    low, high = promised_band([0.9], 60, 30 if way == "split" else None)[0]
    sentence = next(m.value for m in app.markdown if "Sets that should hold 90%" in m.value)
    assert f"and {found[at]:.1%} calibrated" in sentence
    assert f"between {low:.1%} and {high:.1%}" in sentence
    assert "q-OCSVM" in [json.loads(c.proto.json)["title"] for c in planes(app)]


def planes(app):
    return [c for c in components(app, "nestviz_plane") if "Calibrated" in c.proto.json]


def test_the_coverage_in_view_and_the_way_are_in_the_address(open_app):
    app = open_app(PAGE, **SMALL, qmethods="Parzen", qcount="4")
    areas = json.loads(planes(app)[0].proto.json)["areas"]
    app.select_slider(key="promise").set_value(0.35).run()
    smaller = json.loads(planes(healthy(app))[0].proto.json)["areas"]
    assert spread(smaller) < spread(areas)
    app.segmented_control(key="calibrate").set_value("cross").run()
    healthy(app)
    assert address(app)["promise"] == ["0.35"]
    assert address(app)["calibrate"] == ["cross"]
    assert len(app.dataframe[1].value) == 1


def spread(areas):
    """How far the calibrated set reaches across."""
    across = [x for ring in areas[0]["rings"] for x in ring[::2]]
    return max(across) - min(across)


def test_what_takes_too_long_is_said_and_nothing_runs_unasked(open_app):
    app = open_app(PAGE, data="banana", **{"banana.n": "120"})
    assert not [m for m in app.markdown if "Sets that should hold" in m.value]
    more = {**SMALL, "banana.n": "900", "qmethods": "Parzen", "calibrate": "jackknife+"}
    app = open_app(PAGE, **more)
    assert any("Each of 450 training points would be left out" in note.value for note in app.info)
