"""The Bandwidth page and its controls, and long work on other pages."""

import json
import time
from base64 import b64decode

import numpy as np
import pytest
from app_visits import address, components, healthy, knobs, look, scene

from nestviz.data import make_sample
from nestviz.estimators import NestedOneClassSVM
from nestviz.ui.compute import width_search
from nestviz.ui.live.question import LiveQuestion
from nestviz.ui.pages.bandwidth import results
from nestviz.ui.results import cache, jobs
from nestviz.ui.scene.message import read_header
from nestviz.volume import (
    bootstrap_bandwidth,
    default_sigmas,
    select_bandwidth,
    uniform_reference,
)

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


def curve(app):
    """The curve above the slider of the width."""
    return scene(app).knobs[0].curve


def test_the_page_finds_what_the_library_finds(page):
    X = make_sample("multi", 0, n=60).X
    reference = uniform_reference(X, random_state=0, relative=True)
    expected = select_bandwidth(
        X, NestedOneClassSVM(), default_sigmas(X, 8), cv=2, reference=reference
    )
    shown = curve(page)
    assert list(shown.values) == expected.sigmas.tolist()
    np.testing.assert_allclose(shown.heights, expected.values, rtol=1e-12)
    np.testing.assert_allclose(shown.errors, expected.spreads / np.sqrt(2), rtol=1e-12)
    assert (shown.best, shown.close) == (expected.best, expected.as_good)
    assert page.metric[0].value == f"{expected.sigma:.3g}"
    assert knobs(page) == {"look": expected.sigma}
    rules = " ".join(name for _, name in scene(page).knobs[0].marks)
    for rule in ("median distance", "average distance", "support vectors", "in use on all pages"):
        assert rule in rules


def test_the_widths_that_are_as_good_are_said(page):
    low, high = (f"{end:.3g}" for end in curve(page).close)
    assert page.metric[2].value == (low if low == high else f"{low} – {high}")
    assert low == high or any(f"From σ = {low} to {high}" in c.value for c in page.caption)


def test_another_width_is_looked_at(page):
    sigma = curve(page).values[3]
    look(page, look=sigma).run()
    assert scene(healthy(page)).panels[0].family.kernel.sigma == sigma
    assert trace(page, "masses", "chosen")["name"] == f"chosen: σ = {sigma:.3g}"
    assert any(f"Sets at σ = {sigma:.3g}" in words.value for words in page.markdown)
    assert address(page)["look"] == [f"{sigma:.12g}"]


def test_a_link_names_a_width_by_three_digits(open_app, page):
    sigma = curve(page).values[3]
    again = open_app(BANDWIDTH, **SMALL, look=f"{sigma:.3g}")
    assert knobs(again)["look"] == sigma
    between = float(np.sqrt(sigma * curve(page).values[4]))
    assert knobs(open_app(BANDWIDTH, **SMALL, look=repr(between)))["look"] == between


def test_the_player_answers_while_the_pointer_moves(open_app, monkeypatch):
    builds = {}
    monkeypatch.setattr("nestviz.ui.panels.sweep.offer", builds.__setitem__)
    open_app(BANDWIDTH, **SMALL)
    answer = builds["bandwidth"](LiveQuestion({"look": 0.77}, None, None, lambda: False))
    kernels = [panel["family"]["kernel"] for panel in read_header(answer)["panels"]]
    assert [kernel["sigma"] for kernel in kernels] == [0.77]


@pytest.mark.parametrize("place", [2, 7])
def test_the_width_is_taken_over(page, place):
    """Into the slider that other pages share, also beyond its usual ends."""
    sigma = curve(page).values[place]
    look(page, look=sigma).run()
    assert not page.get("badge")
    page.button(key="use").click().run()
    assert any("in use" in mark.value for mark in healthy(page).markdown)
    assert not [button for button in page.button if button.key == "use"]
    marks = {name.rsplit(" ", 1)[0]: at for at, name in scene(page).knobs[0].marks}
    assert marks["in use on all pages"] == pytest.approx(sigma, rel=1e-4)
    page.switch_page("pages/explore/one_class.py").run()
    knob = scene(healthy(page)).knobs[0]
    assert knob.value * knob.unit == pytest.approx(sigma, rel=1e-4)
    assert knob.low <= knob.value <= knob.high


def test_details(page):
    """Each of them draws and says what its name promises."""
    app = page
    app.segmented_control(key="detail").set_value("box").run()
    lines = [t["name"] for t in figure(healthy(app), "margins")["data"] if t.get("name")]
    assert [line.split(":")[0] for line in lines] == [f"margin {m:g}" for m in (0, 0.1, 0.5, 1.5)]
    app.segmented_control(key="detail").set_value("set of a mass").run()
    held = {metric.label: metric.value for metric in healthy(app).metric}
    assert float(held["Held-out mass"].rstrip("%")) >= 90
    volume = float(held["Volume of the set"].split()[0])
    app.slider(key="beta").set_value(0.5).run()
    held = {metric.label: metric.value for metric in healthy(app).metric}
    assert 50 <= float(held["Held-out mass"].rstrip("%")) < 90
    assert 0 < float(held["Volume of the set"].split()[0]) < volume < 1
    app.segmented_control(key="detail").set_value("density").run()
    estimate, true = (numbers(t["z"]) for t in figure(healthy(app), "density")["data"])
    assert 0 < estimate.max() < 3 * true.max()
    assert any("Its distance from the true density" in c.value for c in app.caption)


def test_the_width_is_searched_again_on_resamples(page):
    page.segmented_control(key="detail").set_value("certainty").run()
    page.slider(key="resamples").set_value(5).run()
    X = make_sample("multi", 0, n=60).X
    expected = bootstrap_bandwidth(
        X, NestedOneClassSVM(), default_sigmas(X, 8), resamples=5, cv=3,
        reference=uniform_reference(X, 512, margin=0.1, relative=True),
    )  # fmt: skip
    low, high = expected.interval()
    held = [metric.value for metric in healthy(page).metric if "resamples" in metric.label]
    assert held == [f"{low:.3g} – {high:.3g}"]
    np.testing.assert_allclose(curve(page).band, np.transpose(expected.band()), rtol=1e-9)


@pytest.mark.parametrize("method", ["one-class SVM", "Parzen"])
def test_every_method_can_be_searched(page, method):
    nested = page.metric[1].value
    page.selectbox(key="sets").set_value(method).run()
    assert healthy(page).metric[1].value != nested
    named = " ".join(name for _, name in scene(page).knobs[0].marks)
    assert ("support vectors" in named) == (method != "Parzen")


def test_more_widths_and_folds(page):
    page.slider(key="widths").set_value(12).run()
    assert len(curve(healthy(page)).values) == 12
    before = page.metric[1].value
    page.slider(key="folds").set_value(3).run()
    assert healthy(page).metric[1].value != before


def test_other_data_are_looked_at_at_their_own_best_width(page):
    look(page, look=curve(page).values[0]).run()
    page.number_input(key="seed").set_value(1).run()
    shown = curve(healthy(page))
    assert knobs(page)["look"] == shown.values[shown.best]
    assert shown.heights[shown.best] == min(shown.heights)


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
    line = next(c.value for c in page.caption if "With margins" in c.value)
    assert "With margins 0, 0.1, 0.5, 1.5 the width of least volume would be " in line
    assert page.metric[0].value in line
    page.select_slider(key="box").set_value(1.0).run()
    assert healthy(page).metric[1].value != before
    line = next(c.value for c in page.caption if "With margins" in c.value)
    assert "With margins 0, 0.1, 0.5, 1, 1.5 the width" in line
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


def test_too_few_points_are_named(open_app):
    app = open_app("pages/start/data.py")
    app.segmented_control(key="from").set_value("Paste").run()
    app.text_area(key="pasted").set_value("1 2\n3 4\n5 6.5\n").run()
    app.switch_page(BANDWIDTH).run()
    assert any("only 3 different points" in note.value for note in healthy(app).info)
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
    app.run()
    # The curve so far, without a slider.
    so_far = json.loads(components(app, "nestviz_knob")[0].proto.json)["curve"]
    assert so_far["still"]
    assert 0 < len(so_far["values"]) < 40
    app.button(key="cancel_job").click().run()
    assert any("The search is incomplete" in note.value for note in healthy(app).warning)
    assert 0 < len(curve(app).values) < 40
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
