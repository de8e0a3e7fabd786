"""p-values and the selection with a limit on false discoveries, on the Outliers page."""

import json

import numpy as np
import pytest
from app_visits import address, healthy, look
from scipy.stats import false_discovery_control

from nestviz.data import make_sample

PAGE = "pages/use/outliers.py"
PLANTED = {"data": "outliers", "discover": "true"}


def table(app):
    return next(frame.value for frame in app.dataframe if "rank" in frame.value.columns)


def said(app, words):
    texts = [e.value for kind in (app.markdown, app.caption) for e in kind]
    return [text for text in texts if words in text]


def p_values(app):
    frame = table(app)
    return frame.set_index("point")["p-value"].sort_index().to_numpy()


@pytest.mark.parametrize("method", ["nested one-class SVM", "union"])
def test_rows_are_selected_and_the_code_selects_them_too(open_app, method, tmp_path, monkeypatch):
    app = open_app(PAGE, **PLANTED, method=method)
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(app.code[0].value, names)
    found, frame = p_values(app), table(app)
    judged = names["judged"]
    np.testing.assert_allclose(found[judged], names["p_values"])
    assert np.isnan(found[names["reference"]]).all()
    assert sorted(frame.loc[frame["selected"], "point"]) == names["selected"].tolist()
    count = len(names["selected"])
    assert count > 10
    assert said(app, f"**{count} rows are selected; on average at most 10% of them are ordinary.**")
    # Two thirds of class +1 are the reference: half of them are fitted to, the others calibrate.
    assert said(app, "180 reference rows (class +1), of which 90 calibrate; 120 rows are judged")
    y = make_sample("outliers", 0).y
    false = int((y[names["selected"]] > 0).sum())
    assert said(app, f"By the labels: {false} of 90 ordinary rows that were judged are selected")
    assert "conflict" not in frame


def test_the_limit_and_the_reference_are_in_the_address(open_app):
    app = open_app(PAGE, **PLANTED)
    before = int(table(app)["selected"].sum())
    app.slider(key="fdr").set_value(40).run()
    assert int(table(healthy(app))["selected"].sum()) >= before
    app.segmented_control(key="ordinary").set_value("a random half").run()
    healthy(app)
    assert said(app, "**No row is selected.**")
    assert said(app, "A random half has its own share of outliers")
    assert address(app)["fdr"] == ["40"]
    assert address(app)["ordinary"] == ["a random half"]


def test_sets_that_cross_give_two_p_values_and_conflicts(open_app):
    app = open_app(PAGE, **PLANTED, method="one-class SVM", fdr="30")
    frame = table(app).set_index("point").sort_index()
    judged = frame["p-value"].notna()
    first, last = (frame.loc[judged, name] for name in ("p-value", "p-value, stays"))
    assert (first != last).any()
    one, two = (false_discovery_control(p) <= 0.3 for p in (first, last))
    np.testing.assert_array_equal(frame.loc[judged, "conflict"], one != two)
    assert said(app, f"differ in {int((first != last).sum())} of {int(judged.sum())} rows")
    spec = json.loads(app.get_by_key("two_p_values").proto.spec)["data"]
    assert [t["name"] for t in spec[:2]] == ["no conflict", "same answer"]


def test_the_row_whose_p_values_differ_most_is_called_as_in_the_file(open_app):
    data = make_sample("outliers", random_state=0)
    lines = [
        f"{x!r},{y!r},{int(label)}" for (x, y), label in zip(data.X.tolist(), data.y, strict=True)
    ]
    app = open_app("pages/start/data.py")
    app.segmented_control(key="from").set_value("File").run()
    text = "\n".join(["x,y,label", *lines])
    app.file_uploader(key="upload").set_value(("own.csv", text.encode(), "text/csv")).run()
    app = look(app, method="one-class SVM", discover=True).switch_page(PAGE).run()
    frame = table(healthy(app)).dropna(subset="p-value")
    worst = (frame["p-value"] - frame["p-value, stays"]).abs()
    named = frame["row"][worst == worst.max()]
    words = said(app, "Sets that cross give two p-values")[0]
    assert any(f"most in row {row} by {worst.max():.2f}" in words for row in named)


def test_without_conflicts_the_page_says_so(open_app):
    app = open_app(PAGE, data="banana", discover="true", method="one-class SVM")
    assert not table(app)["conflict"].any()
    assert said(app, "No row is selected by one and not by the other.")


def test_too_few_rows_for_any_selection_are_said(open_app):
    app = open_app(PAGE, data="ring", **{"ring.n": "30", "discover": "true", "fdr": "5"})
    assert said(app, "**No selection is possible.** 8 rows calibrate, so that the smallest p-value")
    assert said(app, "need 19 or more")


def test_without_p_values_the_table_has_none(open_app):
    app = open_app(PAGE, data="outliers")
    assert "p-value" not in table(app)
    assert not [chart for chart in app.get("plotly_chart") if "p_values" in chart.proto.id]
