"""Sets of labels on the Two classes page."""

import json

import numpy as np
import pytest
from app_visits import address, healthy
from test_error_control_page import numbers

from nestviz.analysis import promised_band

PAGE = "pages/explore/two_classes.py"
SMALL = {"data": "banana", "banana.n": "150", "labelsets": "true"}


def sentence(app):
    return next(m.value for m in app.markdown if "The set of labels should" in m.value)


def traces(app):
    found = json.loads(app.get_by_key("label_sets").proto.spec)["data"]
    return {trace["name"]: trace for trace in found}


@pytest.mark.parametrize("way", ["split", "cross"])
def test_the_page_has_what_the_library_computes(open_app, way, tmp_path, monkeypatch):
    app = open_app(PAGE, **SMALL, calibrate=way, risk="20")
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(app.code[0].value, names)
    sets, kept = names["sets"], names["kept"]
    frame = next(f.value for f in app.dataframe if "label in set" in f.value or "held" in f.value)
    shares = {"+1": sets[kept == 1, 1].mean(), "−1": sets[kept == -1, 0].mean()}
    for row in frame.itertuples():
        assert row.held == f"{shares[row[1]]:.1%}"
        n = None if way == "cross" else row.calibrating
        low, high = promised_band([0.8], row.points, n)[0]
        assert row.band == f"{100 * low:.0f}–{100 * high:.0f}%"
    both = np.mean(sets.sum(axis=1) == 2)
    assert f"{both:.0%} both" in sentence(app)


def test_regions_are_hatched_differently_and_grow_as_fewer_labels_may_be_missed(open_app):
    app = open_app(PAGE, **SMALL, risk="30")
    before = traces(app)
    hatches = {before[name]["fillpattern"]["shape"] for name in ("may be +1", "may be −1")}
    assert len(hatches) == 2
    assert "blank: none of these" in before
    app.slider(key="risk").set_value(8).run()
    after = traces(healthy(app))
    for name in ("may be +1", "may be −1"):
        small, large = (np.nanmax(numbers(t[name]["x"])) for t in (before, after))
        assert large > small
    assert address(app)["risk"] == ["8"]
    # 25 points of a class calibrate, and no p-value is below 1/26: the set is the whole plane.
    app.slider(key="risk").set_value(1).run()
    across = numbers(traces(healthy(app))["may be +1"]["x"])
    assert np.isfinite(across).sum() == 5
    assert "0% none of these" in sentence(app)


def test_too_small_a_class_is_said(open_app):
    app = open_app(PAGE, data="banana", **{"banana.n": "10", "labelsets": "true"})
    assert any("The smaller class has 5 points" in note.value for note in app.info)
