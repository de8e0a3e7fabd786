"""The Outliers page: every control, and what a selection does to its pictures."""

import json

import numpy as np
import pytest
from app_visits import healthy, look, rows_of

from nestviz.analysis import feature_profile
from nestviz.ui.compute import tasks
from nestviz.ui.compute.entry_maps import rank
from nestviz.ui.compute.methods import ONE_CLASS, Spec
from nestviz.ui.compute.tasks import never_stop
from nestviz.ui.pages.outliers import page as outliers_page
from nestviz.ui.pages.outliers import tables
from nestviz.ui.session.selection import Selection

PAGE = "pages/use/outliers.py"


def picture(app):
    """What the plane was given."""
    parts = app.get("bidi_component")
    return next(
        json.loads(part.proto.json)
        for part in parts
        if part.proto.component_name == "nestviz_plane"
    )


def metrics(app):
    return {m.label: m.value for m in app.metric}


def table(app):
    """The ranking as it is shown."""
    return next(frame.value for frame in app.dataframe if "rank" in frame.value.columns)


@pytest.fixture
def page(open_app):
    return open_app(PAGE, data="outliers")


def test_the_table_and_the_plane_show_the_same_ranking(page):
    frame, plane = table(page), picture(page)
    assert page.title[0].value == "Outliers"
    assert frame["rank"].is_monotonic_increasing
    assert frame["score"].is_monotonic_decreasing
    flagged = frame.loc[frame["flagged"], "point"]
    assert sorted(flagged) == np.flatnonzero(plane["kind_of"]).tolist()
    assert metrics(page)["Flagged"] == f"{len(flagged)} of 300"
    assert plane["shades"][frame["point"][0]] == 1.0
    assert plane["notes"][frame["point"][0]].startswith("rank 1,")
    assert plane["areas"][0]["dashed"]


def test_the_contamination_flags_more_and_moves_the_threshold(page):
    before = metrics(page)
    page.slider(key="contamination").set_value(20.0).run()
    after = metrics(healthy(page))
    assert sum(picture(page)["kind_of"]) > 40
    assert float(after["Threshold λ"]) > float(before["Threshold λ"])
    page.slider(key="contamination").set_value(0.0).run()
    assert metrics(healthy(page))["Flagged"] == "0 of 300"
    assert not page.info


def test_labels_tell_how_well_planted_outliers_are_found(page, open_app):
    assert float(metrics(page)["AUC for class −1"]) > 0.9
    assert any("of its 30 points are flagged" in c.value for c in page.caption)
    unlabelled = open_app(PAGE, data="ring")
    assert not any(label.startswith("AUC") for label in metrics(unlabelled))
    balanced = open_app(PAGE, data="banana")
    assert any("No class is rare here" in c.value for c in balanced.caption)


@pytest.mark.parametrize("name", list(ONE_CLASS))
def test_every_method_ranks_all_points(page, name):
    page.selectbox(key="method").set_value(name).run()
    frame = table(healthy(page))
    assert len(frame) == 300
    crossing = name == "one-class SVM"
    assert ("ambiguous" in frame and frame["ambiguous"].any()) == crossing
    assert (metrics(page)["Ranked ambiguously"] == "0.0%") != crossing


def test_width_and_levels_change_the_ranking(page):
    first = table(page)["point"].tolist()
    page.slider(key="depth").set_value(41).run()
    second = table(healthy(page))["point"].tolist()
    look(page, width=0.6).run()
    assert first != second != table(healthy(page))["point"].tolist()


def test_points_that_tie_and_are_too_many_are_explained(page):
    page.slider(key="depth").set_value(5).run()
    page.slider(key="contamination").set_value(1.0).run()
    assert metrics(healthy(page))["Flagged"] == "0 of 300"
    assert "most abnormal points tie" in page.info[0].value


def test_ties_are_broken_and_still_shown(page):
    page.slider(key="depth").set_value(5).run()
    frame = table(healthy(page))
    tied = int(frame["tied"][0])
    assert tied > 1
    # Points that no other kernel reaches have the same field and stay equal; others do not.
    assert frame["rank"][0] == 1 < frame["rank"][tied - 1] <= tied
    assert any(f"The {tied} most abnormal points tie" in c.value for c in page.caption)
    first = int(frame["point"][0])
    assert picture(page)["notes"][first].endswith(f"{tied} tied")
    page.selectbox(key=outliers_page.POINT).set_value(first).run()
    assert any("It ties:" in m.value for m in healthy(page).markdown)


def test_points_ranked_by_extrapolation_are_said(page, monkeypatch):
    current = page.session_state["current_data"]
    fitted = tasks.fit(Spec("nested one-class SVM", 0.5), current.fitted.X)
    found = rank(fitted, current.fitted.X, current.plane, never_stop)
    family = found.ranking.family
    middle = float(np.median(found.ranking.level))
    object.__setattr__(family, "hold_level", middle)
    flags = outliers_page.flag_outliers(found.ranking, 0.1)
    frame = tables.score_table(current, found, flags)
    np.testing.assert_allclose(frame["extrapolated"].mean(), 0.5, atol=0.02)
    shown = tables.ranked_table(current, found, flags)
    assert shown["extrapolated"].is_monotonic_decreasing
    captions = []
    monkeypatch.setattr(tables.st, "caption", captions.append)
    tables.notes(found.ranking, 0.0, 0)
    assert "ranked by extrapolation" in captions[0]


def test_a_point_is_selected_by_name_and_its_rank_explained(page):
    first = int(table(page)["point"][20])
    page.selectbox(key=outliers_page.POINT).set_value(first).run()
    plane, shown = picture(healthy(page)), metrics(page)
    assert plane["chosen"] == [first]
    assert plane["threads"]
    assert page.session_state["view"].selection.points == (first,)
    assert rows_of(page, outliers_page.TABLE) == [20]
    assert shown["Rank"] == str(table(page)["rank"][20])
    assert any("enters at λ" in m.value for m in page.markdown)
    held = next(f.value for f in page.dataframe if "share" in f.value.columns)
    assert len(held) == 5
    assert held["share"].is_monotonic_decreasing
    page.selectbox(key=outliers_page.POINT).set_value(-1).run()
    assert picture(healthy(page))["chosen"] == []


@pytest.mark.parametrize(("rank", "unusual"), [(1, True), (-1, False)])
def test_only_flagged_points_have_an_unusual_combination(open_app, rank, unusual):
    """Of two features whose values are all usual by themselves."""
    first = table(open_app(PAGE, data="ring", **{"ring.n": "60"}))
    row = int(first["point"].iloc[rank - 1 if rank > 0 else rank])
    app = open_app(PAGE, data="ring", **{"ring.n": "60", "point": str(row)})
    said = next(m.value for m in app.markdown if m.value.startswith(f"**Point {row}: rank"))
    assert "No value is unusual by itself" in said
    assert ("but their combination is" in said) is unusual


def test_a_selection_of_another_page_is_marked_here(page):
    data = page.session_state["current_data"].fitted
    look(page, selection=Selection(data.fingerprint, (5, 8, 9))).run()
    assert picture(healthy(page))["chosen"] == [5, 8, 9]
    rows = rows_of(page, outliers_page.TABLE)
    assert table(page)["point"][rows].tolist() == [5, 8, 9]


def test_a_new_point_is_scored_and_may_be_given_by_a_link(page, open_app):
    page.number_input(key="new_x").set_value(50.0).run()
    assert picture(healthy(page))["spot"] is None
    page.number_input(key="new_y").set_value(50.0).run()
    assert metrics(healthy(page))["Rank"] == "1"
    assert "would be flagged" in page.info[0].value
    linked = open_app(PAGE, data="outliers", new_x="-2", new_y="-1")
    assert "would **not** be flagged" in linked.info[0].value
    assert picture(linked)["spot"] is not None
    assert int(metrics(linked)["Rank"]) > 1


def test_crossing_sets_make_ranks_ambiguous_and_say_so(open_app):
    app = open_app(PAGE, data="ring")
    app.selectbox(key="method").set_value("one-class SVM").run()
    frame = table(healthy(app))
    point = int(frame.loc[frame["ambiguous"], "point"].iloc[0])
    app.selectbox(key=outliers_page.POINT).set_value(point).run()
    assert any("**ambiguous**" in m.value for m in healthy(app).markdown)


@pytest.mark.parametrize("way", ["pca", "slice"])
def test_more_than_two_features(open_app, way):
    app = open_app(PAGE, data="iris", show=way)
    assert len(table(app)) == 150
    app.number_input(key="new_x").set_value(0.0).run()
    app.number_input(key="new_y").set_value(0.0).run()
    assert "A new point at (0, 0)" in healthy(app).info[0].value


def test_the_code_makes_the_same_ranking(page):
    code = next(c.value for c in page.code if "outlier_ranking" in c.value)
    names: dict = {}
    exec(code.replace("figure.write_html", "str"), names)
    frame = table(page)
    assert names["ranking"].order.tolist() == frame["point"].tolist()
    assert names["flags"].flagged.nonzero()[0].tolist() == sorted(
        frame.loc[frame["flagged"], "point"]
    )


def test_the_download_has_everything_in_the_order_of_the_ranks(page):
    current = page.session_state["current_data"]
    fitted = tasks.fit(Spec("Parzen", 0.5), current.fitted.X)
    found = rank(fitted, current.fitted.X, current.plane, never_stop)
    flags = outliers_page.flag_outliers(found.ranking, 0.1)
    frame = tables.score_table(current, found, flags)
    assert frame["rank"].is_monotonic_increasing
    rows = frame["row"].to_numpy()
    assert sorted(rows) == list(range(300))
    assert np.array_equal(frame["flagged"], flags.flagged[rows])
    assert {"rank", "tied", "level_rank", "extrapolated", "score", "level"} <= set(frame)
    assert {"s_plus", "s_minus", "class", "x1", "x2"} <= set(frame)
    assert np.array_equal(frame[["x1", "x2"]].to_numpy(), current.source.X[rows])
    profile = feature_profile(current.source.X, current.source.X[rows[0]], ("x1", "x2"))
    assert frame["top_feature"][0] == profile.names[profile.order[0]]
    assert frame["top_robust_z"][0] == profile.robust_z[profile.order[0]]


def test_a_feature_named_like_a_column_of_ours_keeps_its_values():
    taken = {"score": 1, "score_": 2}
    assert tables.free_name("score", taken) == "score__"
    assert tables.free_name("length", taken) == "length"
