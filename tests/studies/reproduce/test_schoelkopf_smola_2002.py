"""Experiments of chapter 8 on digits, with few of them."""

import json
import math

import numpy as np
import pytest
from computed_here import findings_of
from sklearn.datasets import load_digits

from nestviz.estimators import NuOneClassSVM
from nestviz.studies.reproduce.schoelkopf_smola_2002 import TARGETS, fractions, recogniser
from nestviz.studies.reproduce.schoelkopf_smola_2002.digits import (
    checked_digits,
    digits,
    fingerprint,
    width,
    with_labels,
)

TABLE = fractions.Protocol(nus=(0.05, 0.5), rows=120)
FIGURE = recogniser.Protocol(splits=1)


def run(target, protocol, folder):
    return findings_of(target.plan(protocol), folder)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cells")
    return run(fractions.TARGET, TABLE, folder), run(recogniser.TARGET, FIGURE, folder)


def test_targets_end_with_numbers(found):
    for findings in found:
        assert all(math.isfinite(value.ours) for value in findings.values)
        assert all(math.isfinite(value.published) for value in findings.values)
        assert all(findings.tables[plot.table] for plot in findings.plots)


@pytest.mark.slow
def test_a_table_is_the_same_every_time(found, tmp_path):
    again = run(fractions.TARGET, TABLE, tmp_path)
    assert json.dumps(again.plain()) == json.dumps(found[0].plain())


def test_shares_are_those_of_a_fit_by_hand(found):
    X = load_digits().data[:120] / 8.0 - 1.0
    marks = np.where(load_digits().target[:120, None] == np.arange(10), 1.0, -1.0)
    X = np.concatenate([X, marks], axis=1)
    model = NuOneClassSVM(4.0, 0.5).fit(X)
    by_hand = {"outliers": (model.predict(X) < 0).mean(),
               "support vectors": (model.alpha_[0] > 0).mean()}  # fmt: skip
    values = {v.quantity: v.ours for v in found[0].values if v.item == "ν = 0.5"}
    assert values == pytest.approx(by_hand, abs=1e-12)


def test_zeros_are_recognised_as_by_hand(found):
    data = digits()
    own = np.random.default_rng(0).permutation(np.flatnonzero(data.labels == 0))
    model = NuOneClassSVM(4.0, 0.05).fit(data.X[own[:89]])
    value = next(v for v in found[1].values
                 if (v.item, v.quantity) == ("ν = 0.05", "true positives"))  # fmt: skip
    assert value.ours == (model.predict(data.X[own[89:]]) > 0).mean()


def test_outliers_are_ranked_by_their_outputs(found):
    rows = found[1].tables["outliers, figure 8.9"]
    outputs = [row["output"] for row in rows if row["code"] == "labels −1 and 1"]
    assert len(outputs) == 20
    assert outputs == sorted(outputs)
    assert outputs[-1] < 0


def test_the_kernel_and_the_features_are_those_of_the_chapter():
    data = digits()
    assert data.X.min() == -1.0
    assert data.X.max() == 1.0
    assert width(256) == pytest.approx(np.sqrt(0.5 * 128.0))
    assert with_labels(data, "labels 0 and 1")[:, 64:].sum(axis=1).tolist() == [1.0] * 1797
    assert with_labels(data, "pixels only").shape == (1797, 64)


def test_other_digits_than_planned_are_refused():
    assert checked_digits(fingerprint()) is digits()
    with pytest.raises(ValueError, match="differ"):
        checked_digits("0" * 64)


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_protocols_are_described(target):
    for protocol in (target.quick, target.full):
        assert all(sentence.endswith(".") for sentence in protocol.describe())
