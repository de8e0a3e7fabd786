"""The Compare page, without a browser."""

import numpy as np
import pytest
from app_visits import healthy, look, scene

from nestviz.ui.compute.methods import ONE_CLASS, TWO_CLASS

PAGE = "pages/explore/compare.py"


def titles(app):
    return [panel.title for panel in scene(app).panels]


def test_four_one_class_methods_are_compared_at_first(open_app):
    app = open_app(PAGE, **{"banana.n": "80"})
    expected = [method.title for method in ONE_CLASS.values()][:4]
    assert titles(app) == expected
    table = app.dataframe[0].value
    assert list(table["method"]) == expected
    crossing = table["method"] == "One-class SVM"
    assert (table.loc[crossing, "violated area"] > 0).all()
    assert (table.loc[table["nested"] == "by construction", "violated area"] == 0).all()
    assert (table["fit"] > 0).all()
    assert table["certificate"].str.len().gt(0).all()
    assert "AUC" not in table


@pytest.mark.parametrize("count", [1, 2, 3])
def test_methods_are_chosen_and_keep_their_order(open_app, count):
    app = open_app(PAGE, **{"banana.n": "80"})
    chosen = list(ONE_CLASS)[::-1][:count]
    app.multiselect(key="methods").set_value(chosen).run()
    assert titles(healthy(app)) == [ONE_CLASS[name].title for name in chosen]
    assert len(app.dataframe[0].value) == count


def test_no_method_says_what_to_do(open_app):
    app = open_app(PAGE, **{"banana.n": "80"})
    app.multiselect(key="methods").set_value([]).run()
    assert "at least one method" in healthy(app).info[0].value


def test_two_classes_have_their_own_methods_and_an_auc(open_app):
    app = open_app(PAGE, **{"banana.n": "80"})
    app.segmented_control(key="problem").set_value("Two classes").run()
    assert titles(healthy(app)) == [method.title for method in TWO_CLASS.values()][:4]
    before = app.dataframe[0].value
    assert before["AUC"].between(0.5, 1).all()
    look(app, loglam=2.0).run()
    assert not np.array_equal(before["AUC"], healthy(app).dataframe[0].value["AUC"])


def test_points_without_labels_keep_the_problem_and_a_way_out(open_app):
    app = open_app(PAGE, **{"banana.n": "80"})
    app.segmented_control(key="problem").set_value("Two classes").run()
    app.selectbox(key="data").set_value("ring").run()
    assert "no labels" in healthy(app).info[0].value
    app.segmented_control(key="problem").set_value("One class").run()
    assert titles(healthy(app))[0] == "One-class SVM"


def test_width_and_levels_change_the_measures(open_app):
    app = open_app(PAGE, **{"banana.n": "80"})
    before = app.dataframe[0].value
    look(app, width=0.6).run()
    app.slider(key="levels").set_value(4).run()
    after = healthy(app).dataframe[0].value
    nested = after["method"] == "Nested one-class SVM"
    assert after.loc[nested, "breakpoints"].item() == 4
    assert not np.array_equal(before["violated area"], after["violated area"])


@pytest.mark.parametrize("problem", ["One class", "Two classes"])
def test_points_are_held_out_where_that_is_wanted(open_app, problem):
    app = open_app(PAGE, **{"banana.n": "80", "problem": problem})
    assert len(app.dataframe) == 1
    app.toggle(key="heldout").set_value(True).run()
    found = healthy(app).dataframe[1].value
    name = "AUC" if problem == "Two classes" else "integrated volume"
    assert found[name].between(0, 1).all()
    assert (found["spread"] > 0).all()
    assert bool(app.get("plotly_chart")) == (problem == "One class")


def test_too_few_points_to_hold_out_are_told_so(open_app):
    app = open_app(PAGE, data="imbalanced", problem="Two classes", heldout="true",
                   **{"imbalanced.n": "10"})  # fmt: skip
    assert any("Too few points" in info.value for info in app.info)


def test_the_link_restores_the_choice(open_app):
    app = open_app(PAGE, methods="Parzen", width="0.4")
    assert titles(app) == ["Parzen level sets"]


def test_the_code_of_the_page_runs_and_makes_its_families(open_app):
    app = open_app(PAGE, **{"banana.n": "60"})
    (code,) = [block.value for block in app.code]
    found: dict[str, object] = {}
    exec(code.replace("figure.write_html", "str"), found)
    assert list(found["families"]) == titles(app)
    assert len(found["panels"]) == len(titles(app))
