"""The Bandwidth page and its controls, and long work on other pages."""

import json
import time
from base64 import b64decode

import numpy as np
import pytest
from conftest import components, healthy, knobs

from nestviz.data import make_sample
from nestviz.estimators import NestedOneClassSVM
from nestviz.ui.compute import width_search
from nestviz.ui.pages.bandwidth import results
from nestviz.ui.results import cache, jobs
from nestviz.volume import default_sigmas, select_bandwidth, uniform_reference

BANDWIDTH = "pages/use/bandwidth.py"
SMALL = {"data": "multi", "multi.n": "60", "widths": "8", "folds": "2"}


@pytest.fixture
def page(open_app):
    return open_app(BANDWIDTH, **SMALL)


def figure(app, key):
    return json.loads(app.get_by_key(key).proto.spec)


def numbers(value):
    return np.frombuffer(b64decode(value["bdata"]), value["dtype"])


def trace(app, key, start):
    """The line whose name begins so; a band beside it bears no marks."""
    lines = [t for t in figure(app, key)["data"] if "markers" in t.get("mode", "")]
    return next(t for t in lines if t["name"].startswith(start))


def test_the_page_finds_what_the_library_finds(page):
    X = make_sample("multi", 0, n=60).X
    reference = uniform_reference(X, random_state=0, relative=True)
    expected = select_bandwidth(
        X, NestedOneClassSVM(), default_sigmas(X, 8), cv=2, reference=reference
    )
    line = trace(page, "volumes", "integrated volume")
    np.testing.assert_array_equal(numbers(line["x"]), expected.sigmas)
    np.testing.assert_allclose(numbers(line["y"]), expected.values, rtol=1e-12)
    assert page.metric[0].value == f"{expected.sigma:.3g}"
    assert page.select_slider(key="look").value == expected.best
    rules = [t["name"].split(":")[0] for t in figure(page, "volumes")["data"]]
    assert {"median distance", "average distance", "support vectors"} <= set(rules)


def test_another_width_is_looked_at(page):
    before = figure(page, "volumes")
    page.select_slider(key="look").set_value(3).run()
    sigma = f"{numbers(trace(page, 'volumes', 'integrated')['x'])[3]:.3g}"
    assert trace(healthy(page), "masses", "chosen")["name"] == f"chosen: σ = {sigma}"
    assert any(f"Sets at σ = {sigma}" in words.value for words in page.markdown)
    assert figure(page, "volumes") == before  # the clicked chart stays as it is


def test_the_width_is_taken_over(page):
    """Into the slider that other pages share; that it gets there takes a browser to see."""
    page.select_slider(key="look").set_value(2).run()
    sigma = float(numbers(trace(page, "volumes", "integrated")["x"])[2])
    page.button(key="use").click().run()
    knob = json.loads(components(healthy(page), "nestviz_knob")[0].proto.json)
    assert knob["value"] * knob["unit"] == pytest.approx(sigma, rel=1e-3)


def test_widths_beyond_the_slider_are_said_and_clipped(page):
    page.select_slider(key="look").set_value(7).run()
    assert any("they would use 2" in caption.value for caption in page.caption)
    page.button(key="use").click().run()
    assert knobs(healthy(page))["width"] == 2.0


@pytest.mark.parametrize("method", ["one-class SVM", "Parzen"])
def test_every_method_can_be_searched(page, method):
    nested = page.metric[1].value
    page.selectbox(key="sets").set_value(method).run()
    assert healthy(page).metric[1].value != nested
    named = " ".join(t.get("name", "") for t in figure(page, "volumes")["data"])
    assert ("support vectors" in named) == (method != "Parzen")


def test_more_widths_and_folds(page):
    page.slider(key="widths").set_value(12).run()
    assert numbers(trace(healthy(page), "volumes", "integrated")["x"]).size == 12
    before = page.metric[1].value
    page.slider(key="folds").set_value(3).run()
    assert healthy(page).metric[1].value != before


def test_other_data_are_looked_at_at_their_own_best_width(page):
    page.select_slider(key="look").set_value(0).run()
    page.number_input(key="seed").set_value(1).run()
    chosen = page.select_slider(key="look").value
    values = numbers(trace(healthy(page), "volumes", "integrated")["y"])
    assert chosen == np.flatnonzero(values == values.min())[-1]


def test_areas_over_the_width(open_app):
    app = open_app(BANDWIDTH, **{**SMALL, "data": "banana", "banana.n": "60", "areas": "true"})
    line = trace(app, "area_chart", "Nested one-class SVM")
    before = numbers(line["y"])
    assert before.size == 8
    assert ((before > 0) & (before <= 1)).all()
    app.segmented_control(key="alternative").set_value("uniform points").run()
    uniform = numbers(trace(healthy(app), "area_chart", "Nested one-class SVM")["y"])
    assert not np.array_equal(before, uniform)
    app.segmented_control(key="learn").set_value("class +1").run()
    assert not np.array_equal(
        uniform, numbers(trace(healthy(app), "area_chart", "Nested one-class SVM")["y"])
    )
    assert any("separated from points drawn uniformly" in caption.value for caption in app.caption)


def test_areas_without_labels(open_app):
    app = open_app(BANDWIDTH, **SMALL, areas="true")
    assert numbers(trace(app, "area_chart", "One-class SVM")["y"]).size == 8
    assert not [c for c in app.get("button_group") if c.key == "learn"]


def test_the_code_finds_the_same_width(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = next(block.value for block in page.code if "select_bandwidth" in block.value)
    names: dict = {}
    exec(code, names)
    assert f"{names['selection'].sigma:.3g}" == page.metric[0].value
    drawn = [t.name.split(":")[0] for t in names["figure"].data]
    assert "support vectors" in drawn
    assert (tmp_path / "bandwidth.html").exists()


def test_the_margin_of_the_box_and_what_other_boxes_would_choose(page):
    before = page.metric[1].value
    line = next(c.value for c in page.caption if c.value.startswith("With margins"))
    assert line.startswith("With margins 0, 0.1, 0.5, 1.5 the width of least volume would be ")
    assert page.metric[0].value in line
    page.select_slider(key="box").set_value(1.0).run()
    assert healthy(page).metric[1].value != before
    line = next(c.value for c in page.caption if c.value.startswith("With margins"))
    assert line.startswith("With margins 0, 0.1, 0.5, 1, 1.5 the width")
    code = next(block.value for block in page.code if "select_bandwidth" in block.value)
    assert "margin=1.0" in code


def test_the_end_of_the_widths_is_said_beside_the_result(open_app):
    """Eight widths of Parzen windows on one round heap: the widest is the best."""
    app = open_app("pages/start/data.py")
    app.segmented_control(key="from").set_value("Paste").run()
    heap = np.random.default_rng(5).normal(size=(40, 2))
    app.text_area(key="pasted").set_value("\n".join(f"{x:.6f} {y:.6f}" for x, y in heap)).run()
    app.switch_page(BANDWIDTH).run()
    app.selectbox(key="sets").set_value("Parzen").run()
    app.slider(key="widths").set_value(8).run()
    app.slider(key="folds").set_value(2).run()
    X = app.session_state["current_data"].fitted.X
    found = width_search.search("Parzen", X, 8, 2, 0.1, lambda *_, **__: False)
    end = found.selection.at_end
    told = [note.value for note in healthy(app).info if "end of the bandwidths tried" in note.value]
    assert end == "wide"
    assert len(told) == 1
    assert f"at the {end} end" in told[0]
    table = results.table(found)
    assert table.loc[table["least"], "at_end"].tolist() == [end]
    assert (table.loc[~table["least"], "at_end"] == "").all()
    assert "extrapolated" in table
    assert results.margins_table(found)["margin"].tolist() == [0.0, 0.1, 0.5, 1.5]


def test_too_few_points_are_told(open_app):
    app = open_app("pages/start/data.py")
    app.segmented_control(key="from").set_value("Paste").run()
    app.text_area(key="pasted").set_value("1 2\n3 4\n5 6.5\n").run()
    app.switch_page(BANDWIDTH).run()
    assert any("3 different points" in note.value for note in healthy(app).info)
    assert not app.get("plotly_chart")


def test_a_search_that_is_stopped_shows_its_part(open_app, monkeypatch):
    """Stopped by hand when some widths are done, as Cancel does."""
    monkeypatch.setattr(jobs, "INLINE_SECONDS", 0.0)
    query = {**SMALL, "data": "banana", "banana.n": "800", "widths": "40", "sets": "one-class SVM"}
    app = open_app(BANDWIDTH, **query)
    deadline = time.monotonic() + 600
    while not any(job.partial is not None for job in jobs.RUNNER.jobs):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    app.button(key="cancel_job").click().run()
    assert any("The search is incomplete" in note.value for note in healthy(app).warning)
    sizes = numbers(trace(app, "volumes", "integrated")["x"]).size
    assert 0 < sizes < 40
    assert any(button.key == "rerun_job" for button in app.button)


def test_a_big_fit_is_left_to_a_worker(open_app, monkeypatch):
    monkeypatch.setattr(jobs, "INLINE_SECONDS", 0.0)
    query = {"data": "banana", "banana.n": "2100", "most": "2100", "width": "1.0"}
    app = open_app("pages/explore/one_class.py", **query)
    assert any(button.key == "cancel_job" for button in app.button)
    assert not components(app, "nestviz_player")
    monkeypatch.setattr(jobs, "INLINE_SECONDS", 60.0)
    app.run()
    assert healthy(app).get("bidi_component")
    assert not any(button.key == "cancel_job" for button in app.button)


def test_own_data_are_kept_apart(open_app):
    """Two sessions that upload the same bytes do not share what is made of them."""
    cache.STORE.clear()
    sessions = []
    for _ in range(2):
        app = open_app("pages/start/data.py")
        app.segmented_control(key="from").set_value("Paste").run()
        app.text_area(key="pasted").set_value("1 2\n3 4\n5 6.5\n2 2\n").run()
        app.switch_page("pages/explore/one_class.py").run()
        sessions.append(healthy(app))
    owned = cache.STORE.owners
    del owned[None]
    assert len(owned) == 2
    counts = list(owned.values())
    assert counts[0] == counts[1] > 0
