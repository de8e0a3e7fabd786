"""Ranks with intervals on the Outliers page."""

import io
import re

import numpy as np
import pandas as pd
import pytest
from app_visits import address, healthy, look

from nestviz.analysis.resampling.ranks import RankIntervals
from nestviz.ui.compute import resamples
from nestviz.ui.pages.outliers import rank_intervals
from nestviz.ui.results import jobs

PAGE = "pages/use/outliers.py"
SMALL = {"data": "outliers", "outliers.n": "60"}


@pytest.fixture(autouse=True)
def few_and_here(monkeypatch):
    """Few resamples, in this process: a worker would not know of their number."""
    monkeypatch.setattr(resamples, "RESAMPLES", 16)
    run = jobs.run
    monkeypatch.setattr(jobs, "run", lambda *a, **k: run(*a, **(k | {"long": False})))


def table(app) -> pd.DataFrame:
    return next(one.value for one in app.dataframe if "rank" in one.value)


def test_intervals_are_asked_for_by_a_switch_and_kept_in_the_address(open_app):
    app = open_app(PAGE, **SMALL)
    assert rank_intervals.COLUMN not in table(app)
    toggle = next(one for one in app.toggle if one.label == "How sure are the ranks?")
    healthy(toggle.set_value(True).run())
    assert address(app)["sure"] == ["true"]
    found = table(app)
    ends = np.array([[int(x) for x in re.findall(r"\d+", text)] for text in found["in 90%"]])
    assert ends.shape == (len(found), 2)
    assert (ends[:, 0] <= ends[:, 1]).all()
    assert (ends >= 1).all()
    assert (ends <= len(found)).all()
    said = " ".join(one.value for one in app.markdown)
    assert re.search(r"most abnormal.* in 90% of the resamples", said)
    charts = [one.proto for one in app.get("plotly_chart")]
    assert any("Ranks, and where they lie in 90% of the resamples" in str(one) for one in charts)


@pytest.mark.parametrize(
    ("moved", "said"), [(0, ""), (1, "1 of them has a rank"), (2, "2 have ranks")]
)
def test_ranks_outside_their_own_intervals_are_explained(moved, said):
    """Where resamples rank points differently on the whole, the rank is not within its interval."""
    rank = np.arange(1, 21)
    ranks = np.tile(rank, (16, 1)).astype(np.int32)
    ranks[:, :moved] += 3
    found = RankIntervals(rank, ranks, np.zeros(ranks.shape), complete=True)
    sentence = rank_intervals.outside(found)
    assert said in sentence
    assert bool(sentence) == bool(moved)


def test_the_code_of_the_page_computes_the_intervals(open_app):
    app = open_app(PAGE, **SMALL, sure="true")
    code = next(one.value for one in app.code if "rank_intervals" in one.value)
    names = {}
    exec(compile(code.replace("figure.write_html", "str"), "page.py", "exec"), names)
    ends = [f"{a} {b}" for a, b in zip(names["low"], names["high"], strict=True)]
    shown = [" ".join(re.findall(r"\d+", text)) for text in table(app)["in 90%"]]
    assert sorted(ends) == sorted(shown)


def test_files_have_both_ends_as_numbers(open_app):
    app = open_app(PAGE, **SMALL, sure="true")
    button = next(one for one in app.get("download_button") if "CSV" in one.proto.label)
    assert button is not None
    frame = pd.DataFrame({"rank": [1, 2, 3]})
    found = rank_intervals.RankIntervals(
        np.array([1, 2, 3]), np.array([[1, 2, 3], [2, 1, 0]], np.int32), np.zeros((2, 3)), True
    )
    given = rank_intervals.with_intervals(frame, found, np.array([0, 1, 2]), ends=True)
    text = given.to_csv(index=False)
    read = pd.read_csv(io.StringIO(text))
    assert list(read) == ["rank", "rank_low_90", "rank_high_90"]
    assert read["rank_high_90"].tolist() == [2, 2, 3]


def test_the_sentence_names_those_that_stay():
    rank = np.arange(1, 21)
    ranks = np.tile(rank, (10, 1)).astype(np.int32)
    ranks[:, 9], ranks[:, 10] = 11, 10
    found = rank_intervals.RankIntervals(rank, ranks, np.zeros((10, 20)), True)
    names = [f"p{k}" for k in range(20)]
    said = rank_intervals.words(found, names)
    assert said.startswith("**9 of the 10 most abnormal points** stay")
    assert "p8." in said
    assert "p9" not in said
    ranks[:] = 20
    assert rank_intervals.words(found, names).startswith("None of the 10")
    assert "p0: rank 1, 20 to 20" in rank_intervals.alt(found, names)


def test_two_points_are_too_few_to_draw_half_of(open_app):
    app = open_app("pages/start/data.py")
    app.segmented_control(key="from").set_value("File").run()
    app.file_uploader(key="upload").set_value(("two.csv", b"a,b\n1,2\n3,5\n", "text/csv")).run()
    for page, values in (
        (PAGE, {"sure": True}),
        ("pages/use/cluster_tree.py", {"support": 50, "resampling": "subsample"}),
    ):
        healthy(look(app, **values).switch_page(page).run())
        assert any("Half of 2 points is too few" in i.value for i in app.info), page
