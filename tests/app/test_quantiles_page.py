"""The Quantiles page: every control, its numbers, and what can be taken home."""

import json

import numpy as np
import pytest
from app_visits import drawn, healthy, look, marked, scene

from nestviz.ui.compute.quantiles import METHODS
from nestviz.ui.session.own_data import OwnData

PAGE = "pages/use/quantiles.py"
SMALL = {"data": "banana", "banana.n": "120", "qcount": "5"}


def metric(app, label):
    return [m.value for m in app.metric if m.label == label]


def chart(app):
    return json.loads(app.get("plotly_chart")[0].proto.spec)


def table(app):
    return app.dataframe[0].value


@pytest.fixture
def page(open_app):
    return open_app(PAGE, **SMALL)


def test_four_methods_stand_side_by_side(page):
    shown = scene(page)
    assert page.title[0].value == "Quantiles"
    titles = ["q-OCSVM", "Independent SVMs", "Greedy (HMVE)", "Nested SVM, by mass"]
    assert [panel.title for panel in shown.panels] == titles
    assert shown.class_names == ("training", "held-out")
    assert int(shown.panels[0].classes.sum()) == 60
    assert list(table(page).columns) == ["quantile", *titles]
    names = [trace.get("name") for trace in chart(page)["data"]]
    assert names == titles


def test_only_independent_sets_cross_and_are_lit_up(page):
    look(page, width=0.3).run()
    lit = [any(panel.broken) for panel in drawn(healthy(page)).panels]
    assert lit == [False, True, False, False]
    crossing = metric(page, "Crossing area")
    assert [value == "none" for value in crossing] == [True, False, True, True]
    assert float(crossing[1]) > 0
    assert scene(page).panels[1].hollow.any()
    errors = [float(value.rstrip("%")) for value in metric(page, "Coverage error")]
    assert all(0 <= error <= 100 for error in errors)
    assert all(m.help for m in page.metric)
    told = [c.value for c in page.caption if "certificate: " in c.value]
    assert len(told) == 4
    assert all("Objective" in words and "duality gap" in words for words in told)


def test_methods_are_chosen(page):
    page.multiselect(key="qmethods").set_value(["Parzen", "q-OCSVM"]).run()
    titles = [panel.title for panel in scene(healthy(page)).panels]
    assert titles == ["Parzen, by mass", "q-OCSVM"]
    assert any("nothing is solved" in c.value for c in page.caption)
    page.multiselect(key="qmethods").set_value([]).run()
    assert "at least one method" in healthy(page).info[0].value


def test_number_and_range_of_the_quantiles(page):
    page.slider(key="qrange").set_value((20, 80)).run()
    page.slider(key="qcount").set_value(4).run()
    np.testing.assert_allclose(table(healthy(page))["quantile"], [0.2, 0.4, 0.6, 0.8])
    levels = scene(page).scale.levels
    assert (levels[0], levels[-1]) == pytest.approx((0.2, 0.8))
    page.slider(key="qrange").set_value((50, 50)).run()
    assert table(healthy(page))["quantile"].tolist() == [0.5]


def test_frames_of_the_quantiles_only(page):
    at = scene(page).level
    page.segmented_control(key="qframes").set_value("quantiles").run()
    shown = scene(healthy(page))
    np.testing.assert_allclose(shown.scale.levels, table(page)["quantile"])
    assert shown.stepwise
    # The quantile in view stays as near as there is a stop.
    assert round(shown.start) == np.abs(shown.scale.levels - at).argmin()


def test_levels_of_the_nested_svm(page):
    before = table(page)["Nested SVM, by mass"].tolist()
    page.slider(key="levels").set_value(3).run()
    assert table(healthy(page))["Nested SVM, by mass"].tolist() != before


def test_other_points_are_held_out(page):
    first = scene(page).panels[0].classes
    page.number_input(key="split").set_value(7).run()
    second = scene(healthy(page)).panels[0].classes
    assert (first != second).any()
    page.slider(key="held").set_value(10).run()
    assert scene(healthy(page)).panels[0].classes.sum() == 12
    assert any("108 training points, 12 held out" in c.value for c in page.caption)
    assert any("Only 12 points are held out" in w.value for w in page.warning)


def test_the_sampling_error_is_drawn_where_asked_for(page):
    assert "error_y" not in chart(page)["data"][0]
    page.toggle(key="bars").set_value(True).run()
    assert "error_y" in chart(healthy(page))["data"][0]


def test_too_many_quantiles_for_the_points_are_told(open_app):
    app = open_app(PAGE, **{"data": "banana", "banana.n": "50", "qcount": "39"})
    assert any("than one training point of 25" in w.value for w in app.warning)


def test_an_absurd_width_is_told(page):
    look(page, width=2.0).run()
    assert any("too large" in w.value for w in healthy(page).warning)


def test_the_selected_point_is_marked_and_told_of(page):
    page.number_input(key="point_number").set_value(5).run()
    assert marked(healthy(page)) == [5]
    words = next(m.value for m in page.markdown if m.value.startswith("- **q-OCSVM**"))
    assert words.count("quantile") == 4
    held = bool(scene(page).panels[0].classes[5])
    wanted = "This point is held out." if held else "The methods were fitted to it."
    assert any(c.value == wanted for c in page.caption)
    page.switch_page("pages/explore/one_class.py").run()
    assert marked(healthy(page)) == [5]


def test_a_link_restores_the_view(open_app):
    query = {
        "qmethods": "greedy",
        "qframes": "quantiles",
        "frame": "1",
        "split": "4",
        "bars": "true",
    }
    app = open_app(PAGE, **SMALL, **query)
    assert [panel.title for panel in scene(app).panels] == ["Greedy (HMVE)"]
    assert scene(app).start == 1
    assert len(scene(app).scale.levels) == 5
    assert app.number_input(key="split").value == 4
    assert "error_y" in chart(app)["data"][0]


def test_the_code_makes_the_same_sets_and_numbers(open_app, tmp_path, monkeypatch):
    app = open_app(PAGE, **SMALL)
    app.multiselect(key="qmethods").set_value(list(METHODS)).run()
    code = next(block.value for block in healthy(app).code if "data = " in block.value)
    monkeypatch.chdir(tmp_path)
    namespace = {}
    exec(compile(code, "page.py", "exec"), namespace)
    shown = table(app)
    for method in namespace["methods"]:
        np.testing.assert_allclose(method.coverage.ratios, shown[method.name], atol=1e-12)
    areas = [f"{m.crossing_area:.3g}" if m.crossing_area else "none" for m in namespace["methods"]]
    assert areas == metric(app, "Crossing area")
    assert {file.name for file in tmp_path.iterdir()} == {
        "quantile-sets.html", "coverage-ratio.html",
    }  # fmt: skip


def test_what_can_be_taken_home(page):
    labels = [button.label for button in page.get("download_button")]
    for wanted in ("PNG", "HTML player", "CSV: methods", "CSV: quantiles", "CSV: points"):
        assert wanted in labels


def test_many_points_are_left_to_a_worker(open_app, monkeypatch):
    monkeypatch.setattr("nestviz.ui.results.fits.LONG_ANALYSIS", 100)
    asked = []
    from nestviz.ui.results import jobs

    run = jobs.run

    def noted(key, work, *arguments, title, **options):
        if options.get("long", True):
            asked.append(title)
        return run(key, work, *arguments, title=title, **options)

    monkeypatch.setattr("nestviz.ui.pages.quantiles.page.jobs.run", noted)
    app = open_app(PAGE, **SMALL, qmethods="q-OCSVM", split="11")
    assert asked == ["Solving: q-OCSVM", "Measuring: q-OCSVM"]
    assert len(scene(app).panels) == 1


def test_a_single_point_is_told(open_app):
    from nestviz.data import Dataset

    app = open_app()
    app.session_state["own_data"] = OwnData(Dataset(np.zeros((1, 2))), "file")
    look(app, data="mine").run()
    app.switch_page(PAGE).run()
    assert "single point" in healthy(app).info[0].value
