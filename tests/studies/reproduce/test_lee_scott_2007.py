"""Figures of 2007, computed anew on small samples."""

import json
import math

import numpy as np
import pytest
from computed_here import findings_of

from nestviz.data import make_sample
from nestviz.estimators import OneClassPath
from nestviz.studies.reproduce.lee_scott_2007 import TARGETS
from nestviz.studies.reproduce.lee_scott_2007.pictures import described
from nestviz.studies.reproduce.lee_scott_2007.protocol import Protocol
from nestviz.volume import integrated_volume

TINY = Protocol(draws=1, points=40, widths=(0.5, 1.0), folds=4, pixels=30)
BY_NAME = {target.name: target for target in TARGETS}


def run(name, folder):
    return findings_of(BY_NAME[name].plan(TINY), folder)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cells")
    return {name: run(name, folder) for name in BY_NAME}


@pytest.mark.parametrize("name", ["2007-fig1", "2007-fig2", "2007-fig3"])
def test_a_figure_ends_with_numbers_and_claims(name, found):
    findings = found[name]
    assert all(math.isfinite(value.ours) for value in findings.values)
    assert all(findings.tables[plot.table] for plot in findings.plots)
    assert all(claim.ours and claim.published for claim in findings.claims)


def test_a_figure_is_the_same_every_time(found, tmp_path):
    text = json.dumps(found["2007-fig3"].plain())
    assert json.dumps(run("2007-fig3", tmp_path).plain()) == text
    # Now from the stored cells.
    assert json.dumps(run("2007-fig3", tmp_path).plain()) == text


def test_a_volume_is_that_of_the_library(found):
    values = found["2007-fig1"].values
    value = next(v for v in values if v.quantity == "integrated volume, path")
    X = make_sample("multi", random_state=0, n=40).X
    by_hand = integrated_volume(X, OneClassPath(0.3, hold_below=None), cv=4, margin=0.1)
    assert value.ours == by_hand.value


def test_curves_end_at_the_whole_box(found):
    rows = [r for r in found["2007-fig1"].tables["curves"] if r["width"] == "σ = 1"]
    assert {r["mass"] for r in rows} >= {0.0, 1.0}
    volumes = {r["volume"] for r in rows if r["mass"] == 1.0}
    X = make_sample("multi", random_state=0, n=40).X
    box = np.prod(1.2 * (X.max(axis=0) - X.min(axis=0)))
    assert max(volumes) == pytest.approx(box)


def test_parts_and_holes_are_counted():
    picture = np.array(
        [list(row) for row in (".......", ".###.#.", ".#.#.#.", ".###...", ".......")]
    )
    assert described(picture == "#") == {
        "parts": 2, "holes": 1, "area": 10 / 35, "hole_area": 1 / 35
    }  # fmt: skip
    # Open to the edge: not a hole.
    assert described(np.array([[True, False], [True, True]]))["holes"] == 0


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_protocols_are_described(target):
    for protocol in (target.quick, target.full):
        assert all(sentence.endswith(".") for sentence in protocol.describe())
    assert target.quick.draws < target.full.draws
