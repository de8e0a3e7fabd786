"""The Error control page and its controls."""

import json
import time
from base64 import b64decode
from dataclasses import replace

import numpy as np
import pytest
from app_visits import address, healthy, look

from nestviz.analysis import neyman_pearson_score
from nestviz.data import make_sample
from nestviz.data.splits import hold_out
from nestviz.estimators import MinimaxClassifier, NeymanPearsonClassifier
from nestviz.kernels import median_distance
from nestviz.ui.data_choice import DEFAULT_SUBSAMPLE
from nestviz.ui.page_frame import page_text
from nestviz.ui.pages.error_control import machines, minimum_volume
from nestviz.ui.pages.home.starting_points import ERRORS_PAGE, STARTING_POINTS
from nestviz.ui.results import jobs

PAGE = "pages/use/error_control.py"
SMALL = {"data": "banana", "banana.n": "120", "folds": "2"}


@pytest.fixture
def page(open_app):
    return open_app(PAGE, **SMALL)


def maps(app):
    """The three maps: what each one is of, and its values."""
    specs = [json.loads(chart.proto.spec)["data"] for chart in app.get("plotly_chart")]
    specs = [data for data in specs if data[0]["type"] == "heatmap"]
    return [(data[0]["name"], numbers(data[0]["z"])) for data in specs]


def numbers(value):
    found = np.frombuffer(b64decode(value["bdata"]), value["dtype"])
    shape = [int(n) for n in str(value.get("shape", found.size)).split(",")]
    return found.reshape(shape)


def roc_names(app):
    return [t.get("name") for t in json.loads(app.get_by_key("error_roc").proto.spec)["data"]]


def metric(app, label):
    return next(m.value for m in app.metric if m.label == label)


def cell(app):
    return tuple(app.select_slider(key=key).value for key in ("at_sigma", "at_plus", "at_minus"))


def estimator(**changes):
    data = make_sample("banana", 0, n=120)
    learn, _ = hold_out(data, 0.5, 0)
    X, y = data.X[learn], data.y[learn]
    given = {"smoothing": "2d", "nu_grid": 8, "cv": 2} | changes
    sigmas = median_distance(X) * np.geomspace(0.1, 1.6, 4)
    return NeymanPearsonClassifier(given.pop("alpha", 0.1), sigmas=sigmas, **given).fit(X, y)


def test_the_page_chooses_what_the_library_chooses(page):
    expected = estimator()
    assert cell(page) == expected.search_.cell
    assert metric(page, "False alarms, estimated") == f"{expected.estimated_.false_alarm:.1%}"
    assert metric(page, "Misses, estimated") == f"{expected.estimated_.miss:.1%}"
    names, values = zip(*maps(page), strict=True)
    assert names == ("false alarms", "misses", "Neyman–Pearson score")
    place = expected.search_.cell[0]
    np.testing.assert_allclose(values[0].T, expected.search_.false_alarm[place], atol=1e-12)
    np.testing.assert_allclose(values[1].T, expected.search_.miss[place], atol=1e-12)
    assert any("An estimate is no guarantee" in note.value for note in page.info)
    assert "limit 0.1" in roc_names(page)


def test_the_task_in_one_click_and_one_sentence(page):
    """Hold false alarms at 5 %: a button, and its outcome in words."""
    page.button(key="alpha_0.05").click().run()
    expected = estimator(alpha=0.05)
    data = make_sample("banana", 0, n=120)
    _, aside = hold_out(data, 0.5, 0)
    score = neyman_pearson_score(data.y[aside], expected.predict(data.X[aside]), 0.05)
    low, high = score.false_alarm.interval
    sentence = next(m.value for m in healthy(page).markdown if m.value.startswith("**At most"))
    assert sentence.startswith(
        "**At most 5% of class −1 should be called +1.** False alarms: estimated "
        f"{expected.estimated_.false_alarm:.1%}, on held-out points {score.false_alarm.value:.1%} "
        f"(95% interval {100 * low:.1f} to {high:.1%}). Misses: estimated "
        f"{expected.estimated_.miss:.1%}, on held-out points {score.miss.value:.1%} (95% interval"
    )
    assert page.slider(key="alpha").value == 0.05
    assert address(page)["alpha"] == ["0.05"]
    helped = page_text("error_control", "help")
    texts = [e.value for kind in (page.markdown, page.caption, page.info) for e in kind]
    assert not [text for text in texts if "P_F" in text and text not in helped]


def test_alpha_chooses_anew_from_the_same_table(page, monkeypatch):
    def never(*args, **kwargs):
        raise AssertionError("a table was asked for again")

    monkeypatch.setattr(jobs.RUNNER, "submit", never)
    page.slider(key="alpha").set_value(0.3).run()
    assert cell(healthy(page)) == estimator(alpha=0.3).search_.cell
    assert "limit 0.3" in roc_names(page)
    page.segmented_control(key="aim").set_value("minimax").run()
    assert maps(healthy(page))[2][0] == "larger of both rates"
    assert "equal rates" in roc_names(page)
    assert not [slider for slider in page.slider if slider.key == "alpha"]


@pytest.mark.parametrize(
    ("name", "strategy"),
    [
        ("descent at each σ", "coordinate-2d"),
        ("descent over all three", "coordinate-3d"),
        ("ν-SVM", "nu-svm"),
        ("balanced ν-SVM", "balanced-nu-svm"),
    ],
)
def test_every_search(page, name, strategy):
    page.selectbox(key="search").set_value(name).run()
    expected = estimator(strategy=strategy)
    assert cell(healthy(page)) == expected.search_.cell
    assert metric(page, "SVMs needed") == f"{expected.search_.solves:,}"
    way = [c for c in page.caption if "the path of the descent" in c.value]
    assert bool(way) == strategy.startswith("coordinate")


def test_smoothing_and_raw_rates(page):
    smooth = maps(page)[0][1]
    page.segmented_control(key="rates").set_value("raw").run()
    raw = maps(healthy(page))[0][1]
    place = cell(page)[0]
    np.testing.assert_array_equal(raw.T, estimator().search_.table.false_alarm[place])
    assert not np.array_equal(smooth, raw)
    page.segmented_control(key="smoothing").set_value("none").run()
    assert healthy(page).segmented_control(key="rates").disabled
    assert cell(page) == estimator(smoothing="none").search_.cell


def test_a_cell_is_looked_at_and_left_again(page):
    chosen, before = cell(page), metric(page, "False alarms, held out")
    page.select_slider(key="at_plus").set_value(0).run()
    page.select_slider(key="at_minus").set_value(7).run()
    assert metric(healthy(page), "(ν₊, ν₋)") == "0.125, 1"
    assert metric(page, "False alarms, held out") != before
    assert "nu_plus=0.125, nu_minus=1.0)" in page.code[0].value
    assert any("rate is above 10% is estimated" in note.value for note in page.info)
    page.select_slider(key="at_sigma").set_value(3).run()
    expected = estimator().search_.false_alarm[3]
    np.testing.assert_allclose(maps(healthy(page))[0][1].T, expected, atol=1e-12)
    page.button(key="to_choice").click().run()
    assert cell(healthy(page)) == chosen
    assert page.button(key="to_choice").disabled


def test_a_cell_off_the_line_of_a_baseline_is_told(page):
    page.selectbox(key="search").set_value("ν-SVM").run()
    place = cell(page)[1]
    page.select_slider(key="at_plus").set_value((place + 1) % 8).run()
    assert any("does not include the cell" in note.value for note in healthy(page).info)


def test_a_link_leads_to_a_cell(open_app):
    app = open_app(PAGE, **SMALL, alpha="0.2", at_plus="0.5", at_minus="0.25")
    assert metric(app, "(ν₊, ν₋)") == "0.5, 0.25"


def test_a_rare_class(page):
    page.toggle(key="rare").set_value(True).run()
    assert any("from 3 points of class −1" in note.value for note in healthy(page).info)
    assert "thin_class(learned, -1, 0.1, 0)" in page.code[0].value
    aside = next(m for m in page.metric if m.label == "False alarms, held out")
    assert "among 30 held-out points" in aside.help


def test_the_offset_is_shifted(page):
    page.slider(key="alpha").set_value(0.3).run()
    before = metric(page, "False alarms, held out"), metric(page, "Misses, held out")
    page.toggle(key="shift").set_value(True).run()
    assert (
        metric(healthy(page), "False alarms, held out"),
        metric(page, "Misses, held out"),
    ) != before


def test_grid_folds_and_points_kept_aside(page):
    page.segmented_control(key="cells").set_value("fine").run()
    assert maps(healthy(page))[0][1].shape == (10, 10)
    assert metric(page, "SVMs needed") == "2,000"
    page.slider(key="folds").set_value(3).run()
    assert metric(healthy(page), "SVMs needed") == "3,000"
    page.segmented_control(key="cells").set_value("quick").run()
    page.slider(key="aside").set_value(0).run()
    assert not [m for m in healthy(page).metric if "held out" in m.label]
    assert any("Hold out points" in note.value for note in page.info)


def test_one_class_is_told_and_has_its_own_view(open_app):
    app = open_app(PAGE, data="multi", **{"multi.n": "60"})
    assert any("no labels" in note.value for note in app.info)
    assert not app.get("plotly_chart")
    app.segmented_control(key="task").set_value("Minimum volume sets").run()
    assert len(healthy(app).get("plotly_chart")) == 4


def test_too_few_points_of_a_class_are_told(open_app):
    app = open_app("pages/start/data.py")
    app.segmented_control(key="from").set_value("Paste").run()
    rows = "\n".join(f"{x} {x * x} {'a' if x == 1 else 'b'}" for x in range(1, 9))
    app.text_area(key="pasted").set_value(f"x y label\n{rows}\n").run()
    app.switch_page(PAGE).run()
    assert [note.value for note in healthy(app).info]
    assert not app.get("plotly_chart")


@pytest.mark.parametrize(
    "query",
    [
        {"aim": "minimax", "search": "descent over all three", "rare": "true"},
        {"shift": "true"},
        {"at_plus": "0.25", "at_minus": "1", "shift": "true"},
        {"aside": "0"},
    ],
)
def test_the_code_makes_the_same_classifier(open_app, query, tmp_path, monkeypatch):
    app = open_app(PAGE, **SMALL, **query)
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(app.code[0].value, names)
    model = names["model"]
    pair = (
        getattr(model, "nu_plus_", None) or model.nu_plus,
        getattr(model, "nu_minus_", None) or model.nu_minus,
    )
    assert metric(app, "(ν₊, ν₋)") == f"{pair[0]:.3g}, {pair[1]:.3g}"
    if "score" in names:
        told = metric(app, "False alarms, held out").split()[0]
        assert told == f"{names['score'].false_alarm.value:.1%}"
    assert (tmp_path / "error-control.html").exists()


def test_sets_of_least_volume(open_app, tmp_path, monkeypatch):
    app = open_app(PAGE, **{**SMALL, "task": "Minimum volume sets", "banana.n": "60"})
    assert len(app.get("plotly_chart")) == 4
    frame = app.dataframe[0].value
    assert list(frame["reference"]) == ["uniform", "thinned", "manifold", "one-class"]
    assert any("An estimate is no guarantee" in note.value for note in app.info)
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(app.code[0].value, names)
    masses = [model.mass_ for model in names["sets"].values()]
    np.testing.assert_allclose(frame["mass"], masses, atol=1e-12)
    assert (tmp_path / "minimum-volume.html").exists()
    app.slider(key="beta").set_value(0.6).run()
    smaller = healthy(app).dataframe[0].value
    assert (smaller["volume"] <= frame["volume"]).all()
    assert "anomaly_score" not in smaller
    app.segmented_control(key="of").set_value("class +1").run()
    one = healthy(app).dataframe[0].value
    assert not np.array_equal(one["volume"], smaller["volume"])
    exec(app.code[0].value, names)
    assert (names["data"].y == 1).all()
    others = make_sample("banana", 0, n=60)
    others = others.X[others.y == -1]
    for row, model in zip(one.itertuples(), names["sets"].values(), strict=True):
        penalty = max(0.6 - model.mass_, 0.0) / 0.4
        inside = (model.predict(others) > 0).mean()
        assert row.anomaly_score == pytest.approx(penalty + inside)
        assert row.volume_score == pytest.approx(penalty + row.volume)
    assert any("volume score" in c.value and "anomaly score" in c.value for c in app.caption)


def test_sets_of_least_volume_use_all_points(open_app, monkeypatch):
    """Not a part of them, as long as they are no more than the app shows by default."""
    assert minimum_volume.MOST == DEFAULT_SUBSAMPLE
    monkeypatch.setattr(minimum_volume, "WIDTHS", 2)
    monkeypatch.setattr(minimum_volume, "NU", 3)
    app = open_app(PAGE, **{**SMALL, "task": "Minimum volume sets", "banana.n": "240"})
    assert any("estimated from 240 points" in note.value for note in app.info)
    assert "240" in app.code[0].value
    assert "n_reference=None" in app.code[0].value


def test_many_points_get_fewer_reference_points_and_folds(open_app, monkeypatch):
    monkeypatch.setattr(minimum_volume, "MANY", 40)
    app = open_app(PAGE, **{**SMALL, "task": "Minimum volume sets", "banana.n": "70"})
    assert any("40 reference points and 3 folds" in note.value for note in healthy(app).info)
    names: dict = {}
    exec(app.code[0].value.replace("figure.write_html", "str"), names)
    masses = [model.mass_ for model in names["sets"].values()]
    np.testing.assert_allclose(app.dataframe[0].value["mass"], masses, atol=1e-12)
    sizes = [len(model.reference_points_) for model in names["sets"].values()]
    assert sizes[:3] == [40] * 3


def test_a_table_that_is_stopped_shows_its_part(open_app, monkeypatch):
    """Stopped by hand when some widths are done, as Cancel does."""
    monkeypatch.setattr(jobs, "INLINE_SECONDS", 0.0)
    app = open_app(PAGE, **{"data": "banana", "banana.n": "400", "cells": "fine"})
    deadline = time.monotonic() + 600
    while not any(job.partial is not None for job in jobs.RUNNER.jobs):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    app.run()
    pictures = [picture.proto.imgs[0].alt for picture in app.get("image")]
    assert any("So far" in note.value for note in healthy(app).markdown)
    assert len(pictures) == 3
    assert "so far: a map over ν₊ and ν₋" in pictures[0]
    while not any(job.partial is not None and job.partial.known for job in jobs.RUNNER.jobs):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    app.button(key="cancel_job").click().run()
    assert any("The table is incomplete" in note.value for note in healthy(app).warning)
    assert len(maps(app)) == 3
    assert any(button.key == "rerun_job" for button in app.button)


def test_the_starting_point_opens_this_page(open_app):
    point = next(point for point in STARTING_POINTS if point.name == "errors")
    assert point.page == ERRORS_PAGE == PAGE
    app = open_app()
    app.button(key="start.errors").click().run()
    assert healthy(app).title[0].value == "Error control"
    assert app.slider(key="alpha").value == 0.1
    assert app.selectbox(key="data").value == "imbalanced"
    assert len(maps(app)) == 3


BOUNDS = {**SMALL, "task": "Worst-case bounds"}


def test_bounds_for_two_classes(open_app):
    app = open_app(PAGE, **BOUNDS)
    frame = app.dataframe[0].value.set_index("machine")
    names: dict = {}
    exec(app.code[0].value, names)
    machine, svm = names["models"].values()
    assert frame["bound"].iloc[0] == pytest.approx(1 - machine.accuracy_bound_)
    assert np.isnan(frame["bound"].iloc[1])
    np.testing.assert_allclose(frame["worse"], [s.value for s in names["scores"].values()])
    assert svm.kernel == "polynomial"
    sentence = next(m.value for m in app.markdown if "wrong side" in m.value)
    assert sentence.startswith(f"**At most {1 - machine.accuracy_bound_:.1%} of each class")
    # The ellipses touch the line: on each, the decision is of one sign and reaches zero.
    traces = json.loads(app.get("plotly_chart")[0].proto.spec)["data"]
    found = [t for t in traces if "standard deviations" in t.get("name", "")]
    for trace, sign in zip(found, (1, -1), strict=True):
        points = np.column_stack([numbers(trace["x"]), numbers(trace["y"])])
        values = sign * machine.decision_function(points)
        assert values.min() == pytest.approx(0.0, abs=2e-3 * np.ptp(values))
    app.slider(key="rho").set_value(0.5).run()
    assert healthy(app).dataframe[0].value["bound"][0] > frame["bound"].iloc[0]


def test_bounds_with_a_gaussian_kernel_share_the_search_of_the_page(page, monkeypatch):
    def never(*args, **kwargs):
        raise AssertionError("a table was asked for again")

    monkeypatch.setattr(machines, "GRID", replace(machines.GRID, folds=2))
    monkeypatch.setattr(jobs.RUNNER, "submit", never)
    look(page, task="Worst-case bounds", machine="Gaussian").run()
    expected = MinimaxClassifier(smoothing="2d").choose(estimator().search_.table)
    code = healthy(page).code[0].value
    assert f"nu_plus={expected.nu_plus!r}, nu_minus={expected.nu_minus!r}" in code


def test_bounds_for_one_class(open_app):
    app = open_app(PAGE, data="multi", **{"multi.n": "80", "task": "Worst-case bounds"})
    frame = app.dataframe[0].value
    assert frame["bound"][0] == pytest.approx(0.6)
    assert frame["training"][0] >= 0.6
    assert frame["training"][1] >= 0.6
    assert frame["gap"].max() < 1e-6
    names: dict = {}
    exec(app.code[0].value, names)
    shares = [
        (m.predict(names["data"].X[names["aside"]]) > 0).mean() for m in names["models"].values()
    ]
    np.testing.assert_allclose(frame["held_out"], shares)
    app.slider(key="beta").set_value(0.99).run()
    assert any("cannot be guaranteed" in m.value for m in healthy(app).markdown)
