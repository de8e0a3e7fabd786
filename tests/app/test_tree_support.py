"""Branches pruned by how often they are found again in resamples, on the Cluster tree page."""

import json

import numpy as np
import pytest
from app_visits import address, healthy
from tree_messages import PAGE, messages, metric

from nestviz.ui.compute import resamples
from nestviz.ui.results import jobs

SMALL = {"data": "banana", "banana.n": "80", "width": "0.08", "prune": "0"}


@pytest.fixture(autouse=True)
def few_and_here(monkeypatch):
    """Few resamples, in this process: a worker would not know of their number."""
    monkeypatch.setattr(resamples, "RESAMPLES", 20)
    run = jobs.run
    monkeypatch.setattr(jobs, "run", lambda *a, **k: run(*a, **(k | {"long": False})))


def test_branches_that_are_seldom_found_again_are_pruned(open_app):
    before = open_app(PAGE, **SMALL)
    tree, _ = messages(before)
    assert not any("resamples" in node["text"] for node in tree["nodes"])
    after = open_app(PAGE, **SMALL, support="80")
    pruned, _ = messages(after)
    assert 1 <= len(pruned["nodes"]) < len(tree["nodes"])
    assert all("found again in" in node["text"] for node in pruned["nodes"])
    assert address(after)["support"] == ["80"]
    branches = next(one.value for one in after.dataframe if "support" in one.value)
    leaves = branches[branches["leaf"]]
    assert (leaves["support"] >= 0.8).all()
    assert np.isfinite(branches["support"]).all()
    shown = next(one for one in after.dataframe if "support" in one.value)
    assert json.loads(shown.proto.columns)["support"]["label"] == "found again"


def test_the_slider_asks_for_resamples_and_words_say_the_support(open_app):
    app = open_app(PAGE, **SMALL, resampling="subsample")
    slider = next(one for one in app.slider if one.label.startswith("Keep branches seen in"))
    healthy(slider.set_value(5).run())
    app.selectbox(key="tree_branch").set_value(0).run()
    said = " ".join(one.value for one in healthy(app).markdown)
    assert "Found again in 100% of the resamples." in said
    assert int(metric(app, "Branches").split()[0]) >= 1


def test_a_switch_says_how_often_the_clusters_are_found_again(open_app):
    app = open_app(PAGE, data="multi", stable="true")
    said = next(one.value for one in healthy(app).markdown if "found again:" in one.value)
    assert said.startswith("**3 clusters.** Of 20 samples drawn from the data")
    tree, _ = messages(app)
    branches = next(one.value for one in app.dataframe if "support" in one.value)
    for row in branches[branches["cluster"].notna()].itertuples():
        assert f"branch {row.branch} ({row.size} points) in {row.support:.0%}" in said
    # No branch is pruned by it.
    assert len(tree["nodes"]) == len(messages(open_app(PAGE, data="multi"))[0]["nodes"])
