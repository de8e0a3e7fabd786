"""From a file of one's own to a ranking that can be defended: rows, identifiers, units, reasons."""

import csv
import io
import json
import re
from dataclasses import replace

import numpy as np
import pytest
import streamlit as st
from app_visits import DATA, address, components, healthy

from nestviz.analysis import feature_profile, nearest_points
from nestviz.data import Dataset
from nestviz.kernels import AUTO_SHARE
from nestviz.ui.export import panel
from nestviz.ui.pages.outliers import cards, colouring, downloads, tables
from nestviz.ui.pages.outliers import page as outliers_page
from nestviz.ui.pages.outliers.results import Filter, OutliersResult, OutliersSettings

PAGE = "pages/use/outliers.py"
FEATURES = ("hours", "pay", "output", "defects", "energy")
ODD = 40
"""The record with hours of 1.5."""


def shifts(n=90):
    """A file with identifier, date, five features, a text, gaps and one odd record."""
    rng = np.random.default_rng(4)
    X = rng.normal(size=(n, 5)) * [1.0, 2.5, 10.0, 0.3, 140.0] + [8.0, 21.0, 55.0, 1.4, 900.0]
    X[ODD] = [1.5, 21.0, 55.0, 1.4, 900.0]
    lines = ["employee_id,date," + ",".join(FEATURES) + ",note"]
    for k, row in enumerate(X):
        cells = [f"{value:.2f}" for value in row]
        if k in (2, 7):
            cells[k % 5] = ""
        note = "=1+1" if k % 2 else f"shift {k}"
        lines.append(f"E-{k},2024-{1 + k // 28:02d}-{1 + k % 28:02d},{','.join(cells)},{note}")
    return "\n".join(lines).encode()


def table(app):
    return next(frame.value for frame in app.dataframe if "rank" in frame.value.columns)


def plane(app):
    return json.loads(components(app, "nestviz_plane")[0].proto.json)


@pytest.fixture(scope="module")
def content():
    return shifts()


@pytest.fixture
def ranked(open_app, content):
    """Upload on the page itself."""
    return uploaded(open_app(PAGE), content)


def uploaded(app, content):
    app.button(key="outliers-own-file").click().run()
    app.file_uploader(key="upload").set_value(("shifts.csv", content, "text/csv")).run()
    # Without a browser the dialog is closed by the upload.
    app.button(key="outliers-own-file").click().run()
    return healthy(app)


def test_a_file_is_ranked_in_full_space_with_rows_and_identifiers(ranked):
    frame = table(ranked)
    assert list(frame.columns[:5]) == ["rank", "row", "employee_id", "date", "score"]
    # Two rows with gaps are left out, and rows count the line of names.
    assert (frame["row"][0], frame["employee_id"][0]) == (ODD + 2, f"E-{ODD}")
    assert len(frame) == 88
    assert not {4, 9} & set(frame["row"])
    assert frame["hours"][0] == 1.5
    assert address(ranked)["show"] == ["slice"]
    assert frame["flagged"].sum() == 4
    assert frame["tied"][0] < 3
    first = next(k for k, note in enumerate(plane(ranked)["notes"]) if note.startswith("rank 1,"))
    assert plane(ranked)["names"][first] == f"row {ODD + 2}, E-{ODD}, 2024-02-13"


def test_rows_that_are_left_out_are_named_beside_the_columns(ranked):
    said = next(c.value for c in ranked.caption if c.value.startswith("Features: "))
    assert "2 rows with missing values were dropped." in said


def test_the_width_of_an_example_is_not_kept_for_a_file(open_app, content, ranked):
    chosen = address(ranked)["width"]
    example = uploaded(open_app(PAGE, data="outliers", width=f"{AUTO_SHARE:g}"), content)
    assert address(example)["width"] == chosen
    own = uploaded(open_app(PAGE, data="outliers", width="0.31"), content)
    assert address(own)["width"] == ["0.31"]


def test_the_data_page_leads_to_the_ranking(open_app, content):
    app = open_app(DATA, **{"from": "File"})
    app.file_uploader(key="upload").set_value(("shifts.csv", content, "text/csv")).run()
    features = next(m for m in app.multiselect if m.label == "Features")
    ids = next(m for m in app.multiselect if m.label == "Identifiers")
    assert features.value == list(FEATURES)
    assert ids.value == ["employee_id", "date"]
    ids.set_value(["date"]).run()
    app.button(key="data-rank").click().run()
    # The browser follows to the other page; here it is opened by hand.
    app.switch_page(PAGE).run()
    assert list(table(healthy(app)).columns[:4]) == ["rank", "row", "date", "score"]


def test_reasons_are_in_the_units_of_the_file(ranked):
    point = int(np.argmin(ranked.session_state["current_data"].source.own_units[:, 0]))
    ranked.selectbox(key=outliers_page.POINT).set_value(point).run()
    healthy(ranked)
    assert any(h.value == f"Why rank 1? Row {ODD + 2}, E-{ODD}, 2024-02-13" for h in ranked.header)
    # The main reason is said above the table, where a click on a row is seen to have worked.
    short = next(m.value for m in ranked.markdown if ": rank 1.**" in m.value)
    assert short.startswith(f"**Row {ODD + 2}, E-{ODD}")
    assert "Its most unusual value is hours, 1.5 (median " in short
    features = next(f.value for f in ranked.dataframe if "robust z" in f.value.columns)
    data = ranked.session_state["current_data"].source
    profile = feature_profile(data.own_units, data.own_units[point], data.feature_names)
    assert features["feature"][0] == "hours"
    assert features["value"][0] == 1.5
    assert features["median"][0] == np.median(data.own_units[:, 0])
    np.testing.assert_allclose(features["robust z"], profile.robust_z[profile.order])
    assert features["robust z"].abs().is_monotonic_decreasing
    near = next(f.value for f in ranked.dataframe if "distance" in f.value.columns)
    assert list(near.columns[:3]) == ["row", "employee_id", "date"]
    assert ODD + 2 not in near["row"].tolist()
    assert near["distance"].is_monotonic_increasing
    spec = json.loads(ranked.get("plotly_chart")[0].proto.spec)
    assert "hours <b>1.5</b>" in spec["layout"]["yaxis"]["ticktext"][0]


def test_the_change_that_is_named_ends_inside(ranked):
    current = ranked.session_state["current_data"]
    point = int(np.argmin(current.source.own_units[:, 0]))
    ranked.selectbox(key=outliers_page.POINT).set_value(point).run()
    features = next(f.value for f in ranked.dataframe if "robust z" in f.value.columns)
    inside_at = features.loc[features["feature"] == "hours", "inside at"].iloc[0]
    assert 1.5 < inside_at < 8.0
    assert any(f"hours alone: 1.5 → **{inside_at:.4g}**" in m.value for m in ranked.markdown)
    assert any("All features together: a distance of at least" in m.value for m in ranked.markdown)
    # Moved there, a new point is not flagged; a little less far, it is.
    notes = current.source.annotations
    code = next(c.value for c in ranked.code if "outlier_ranking" in c.value)
    names: dict = {"data": current.fitted}
    lines = code.replace("figure.write_html", "str").split("\n")
    exec("\n".join(line for line in lines if "read_dataset(" not in line), names)
    for share, expected in ((1e-6, True), (-1e-3, False)):
        x = current.fitted.X[point].copy()
        x[0] += (inside_at - 1.5) / notes.units[1, 0] + share
        family, flags = names["family"], names["flags"]
        assert family.contains(x[None], flags.threshold)[0] == expected


def test_the_download_has_the_columns_of_the_file_and_reasons(ranked):
    current = ranked.session_state["current_data"]
    shown = result_of(ranked)
    frame = tables.score_table(current, shown.found, shown.flags)
    text = panel.csv_of(lambda: frame)
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["rank"] for row in rows] == sorted((row["rank"] for row in rows), key=int)
    assert rows[0]["row"] == str(ODD + 2)
    assert (rows[0]["employee_id"], rows[0]["hours"]) == (f"E-{ODD}", "1.5")
    assert (rows[0]["top_feature"], rows[0]["top_value"]) == ("hours", "1.5")
    assert float(rows[0]["top_robust_z"]) < -3.5
    notes = {row["note"] for row in rows}
    assert "'=1+1" in notes
    assert "=1+1" not in notes
    assert 0 < float(rows[0]["volume"]) <= 1


def result_of(app):
    from nestviz.analysis.flags import flag_outliers
    from nestviz.ui.compute import entry_maps, tasks
    from nestviz.ui.compute.methods import Spec

    current = app.session_state["current_data"]
    spec = Spec("Parzen", 1.2)
    fitted = tasks.fit(spec, current.fitted.X)
    found = entry_maps.rank(fitted, current.fitted.X, current.plane, tasks.never_stop)
    flags = flag_outliers(found.ranking, 0.05)
    return OutliersResult(OutliersSettings(spec, 0.05), found, flags)


def test_cards_for_print_say_what_the_page_says(ranked):
    current, shown = ranked.session_state["current_data"], result_of(ranked)
    name = ("<b>hours</b>", *current.source.feature_names[1:])
    hostile = replace(current, source=replace(current.source, feature_names=name))
    text = cards.page(hostile, shown, "slice", 3)
    order, ranking = shown.found.ranking.order, shown.found.ranking
    headings = re.findall("<h2>(.*?)</h2>", text)
    assert headings == [
        f"Rank {ranking.rank[k]}: {current.source.point_name(k)}" for k in order[:3]
    ]
    assert headings[0] == f"Rank 1: row {ODD + 2}, E-{ODD}, 2024-02-13"
    own = current.source.own_units
    profile = feature_profile(own, own[order[0]], name)
    first = text.split("<section>")[1]
    cells = [re.findall("<td.*?>(.*?)</td>", row) for row in re.findall("<tr>(.*?)</tr>", first)]
    j = profile.order[0]
    shown_numbers = [profile.values[j], profile.medians[j]]
    assert cells[1][:4] == [
        "&lt;b&gt;hours&lt;/b&gt;",
        *(f"{number:.4g}" for number in shown_numbers),
        f"{profile.robust_z[j]:.2f}",
    ]
    assert 'alt="Bar of' in cells[1][4]
    assert "beyond the limit" in cells[1][4]
    assert re.search("<li>&lt;b&gt;hours&lt;/b&gt; alone: 1.5 → <strong>", first)
    near = nearest_points(current.fitted.X, current.fitted.X[order[0]], 5, skip=int(order[0]))
    assert [row[0] for row in cells[-5:]] == [current.source.point_name(k) for k in near.rows]
    assert "<b>" not in text


def test_points_are_coloured_by_a_column(ranked):
    ranked.selectbox(key="colour").set_value("pay").run()
    seen = plane(healthy(ranked))
    pay = ranked.session_state["current_data"].source.own_units[:, 1]
    assert np.argmax(seen["shades"]) == np.argmax(pay)
    assert "higher pay" in seen["title"]
    ranked.selectbox(key="colour").set_value("note").run()
    seen = plane(healthy(ranked))
    assert seen["shades"] is None
    assert seen["kinds"][0]["name"] == "=1+1"
    assert len({(kind["colour"], kind["shape"]) for kind in seen["kinds"]}) == 7
    assert address(ranked)["colour"] == ["note"]
    # The figure for files is the same picture.
    current, shown = ranked.session_state["current_data"], result_of(ranked)
    figure = downloads.picture(current, shown, None, "note", (2,))
    legend = [trace.name for trace in figure.data if trace.showlegend]
    assert legend == [kind["name"] for kind in seen["kinds"]]
    points = next(trace for trace in figure.data if trace.name == "points")
    kinds = {name: [] for name in ("circle", "triangle-up")}
    for symbol, (row, *_) in zip(points.marker.symbol, points.customdata, strict=True):
        kinds.setdefault(symbol, []).append(int(row))
    first = [row for row, kind in enumerate(seen["kind_of"]) if kind == 1]
    assert sorted(kinds["triangle-up"]) == first
    names = {int(row): name for (row, *_), name in zip(points.customdata, points.text, strict=True)}
    assert names[0] == seen["names"][0]


def test_the_volume_is_a_score_with_the_same_ranks(ranked):
    before = table(ranked)
    ranked.segmented_control(key="score").set_value("volume").run()
    after = table(healthy(ranked))
    assert after["row"].tolist() == before["row"].tolist()
    assert after["score"].is_monotonic_decreasing
    assert after["score"].between(0, 1).all()
    assert not np.allclose(after["score"], before["score"])
    assert "of the box" in plane(ranked)["notes"][0]


def test_a_width_that_is_too_narrow_is_said_with_a_button(open_app):
    app = open_app(PAGE, data="outliers", width="0.1")
    assert any("points tie at the top" in w.value for w in app.warning)
    tied = table(app)["tied"][0]
    app.button(key="outliers-better-width").click().run()
    assert table(healthy(app))["tied"][0] < tied
    assert not any("points tie at the top" in w.value for w in app.warning)
    wide = open_app(PAGE, data="iris", width="2.0")
    assert any("too large" in w.value for w in wide.warning)
    wide.button(key="outliers-better-width").click().run()
    assert not any("too large" in w.value for w in healthy(wide).warning)


@pytest.mark.parametrize("way", ["pca", "tsne"])
def test_projected_data_are_explained_by_all_features(open_app, way):
    app = open_app(PAGE, data="iris", show=way, point="41")
    features = next(f.value for f in app.dataframe if "robust z" in f.value.columns)
    assert len(features) == 4
    data = app.session_state["current_data"].source
    assert set(features["feature"]) == set(data.feature_names)
    assert features["value"].min() > 0
    assert ("inside at" in features) == (way == "pca")
    if way == "tsne":
        words = ("not linear", "not flagged")
        assert any(word in m.value for m in app.markdown for word in words)


def test_columns_named_like_ours_keep_their_values(open_app):
    lines = ["rank,score,row,x,class_", *(f"N{k},{k}.5,r{k},{k % 7}.25,a" for k in range(30))]
    app = open_app(DATA, **{"from": "File"})
    app.file_uploader(key="upload").set_value(
        ("odd.csv", "\n".join(lines).encode(), "text/csv")
    ).run()
    app.switch_page(PAGE).run()
    frame = table(healthy(app))
    assert frame["rank"].is_monotonic_increasing
    assert set(frame["rank_"]) == {f"N{k}" for k in range(30)}
    assert sorted(frame["score_"]) == [k + 0.5 for k in range(30)]


def test_every_column_can_be_a_colour():
    data = Dataset([[0.0, 1.0], [1.0, 1.0], [2.0, 3.0]], [1, 1, -1], ("score", "size"))
    assert colouring.choices(data) == ["score", "class", "size"]


def test_points_are_listed_by_the_range_of_a_column(ranked):
    whole = table(ranked)
    ranked.selectbox(key="filter").set_value("hours").run()
    assert len(table(healthy(ranked))) == len(whole)
    ranked.number_input(key="filter_low").set_value(8.0).run()
    ranked.number_input(key="filter_high").set_value(9.0).run()
    listed = table(healthy(ranked))
    expected = whole[(whole["hours"] >= 8.0) & (whole["hours"] <= 9.0)].reset_index(drop=True)
    assert 0 < len(expected) < len(whole)
    # The ranks are those among all points.
    assert listed.equals(expected)
    shown = plane(ranked)
    hours = ranked.session_state["current_data"].source.own_units[:, 0]
    left_out = np.array(shown["kind_of"]) == len(shown["kinds"]) - 1
    np.testing.assert_array_equal(left_out, (hours < 8.0) | (hours > 9.0))
    words = f"{len(expected)} of {len(whole)} points: hours from 8 to 9."
    assert words in shown["alt"]
    assert any(c.value.startswith(words) for c in ranked.caption)
    assert address(ranked)["filter"] == ["hours"]
    assert (address(ranked)["filter_low"], address(ranked)["filter_high"]) == (["8"], ["9"])
    # Another column begins with all of its values.
    ranked.selectbox(key="filter").set_value("pay").run()
    assert len(table(healthy(ranked))) == len(whole)
    assert "filter_low" not in address(ranked)


def test_points_are_listed_by_the_values_of_a_column(ranked):
    app = ranked
    app.selectbox(key="filter").set_value("note").run()
    app.multiselect(key="filter_is").set_value(["=1+1"]).run()
    assert address(healthy(app))["filter_is"] == ["=1+1"]
    current = app.session_state["current_data"]
    notes = current.source.annotations.columns["note"]
    assert len(table(app)) == np.sum(notes == "=1+1") < len(notes)
    shown = replace(result_of(app), listed=Filter(notes == "=1+1", "note is =1+1"))
    saved = downloads.table(current, shown)
    assert set(saved["note"]) == {"=1+1"}
    assert saved["rank"].is_monotonic_increasing
    assert "note is =1+1" in cards.page(current, shown, "slice", 2)


def test_a_filter_without_points_says_so(ranked):
    ranked.selectbox(key="filter").set_value("hours").run()
    ranked.number_input(key="filter_low").set_value(1e6).run()
    assert len(table(healthy(ranked))) == 0
    assert any("Choose other values in *Filter*" in c.value for c in ranked.caption)


def test_the_name_of_a_download_says_the_filter(ranked, monkeypatch):
    named = []
    monkeypatch.setattr(
        st, "download_button", lambda label, data, name, *_, **__: named.append(name)
    )
    shown = replace(result_of(ranked), listed=Filter(np.ones(88, bool), "hours from 8 to 9"))
    downloads.ranking_button(ranked.session_state["current_data"], shown)
    assert named == ["outliers-shifts-hours-from-8-to-9.csv"]
