"""Coverage of quantile sets, on two small sets."""

import json
import math

import numpy as np
import pytest
from computed_here import findings_of

from nestviz.analysis import coverage_ratio
from nestviz.estimators import QuantileOneClassSVM
from nestviz.kernels import dimension_sigma
from nestviz.studies.reproduce.glazer_2013 import TARGETS
from nestviz.studies.reproduce.glazer_2013.sets import SCALINGS, SETS, draw, frequent_class
from nestviz.studies.reproduce.glazer_2013.study import QUANTILES, Protocol

TINY = Protocol(sets=("titanic", "thyroid"), draws=1, quantiles=(0.5, 0.95))


def run(folder):
    (target,) = TARGETS
    return findings_of(target.plan(TINY), folder)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return run(tmp_path_factory.mktemp("cells"))


def test_the_study_ends_with_the_same_findings_every_time(found, tmp_path):
    assert json.dumps(found.plain()) == json.dumps(run(tmp_path).plain())
    assert all(math.isfinite(value.ours) for value in found.values)
    assert all(found.tables[plot.table] for plot in found.plots)


def test_a_ratio_is_that_of_the_library(found):
    printed = next(v for v in found.values if v.item == "thyroid, q-OCSVM")
    data = frequent_class("thyroid", "[0, 1]")
    assert (data.X.min(), data.X.max()) == (0.0, 1.0)
    rows = np.random.default_rng(0).permutation(data.n)
    model = QuantileOneClassSVM(np.sqrt(5 / 5.0), [0.5, 0.95]).fit(data.X[rows[:100]])
    assert printed.ours == coverage_ratio(model, data.X[rows[100:]]).ratios[-1]


def test_published_ratios_stand_beside_ours(found):
    values = {(v.item, v.quantity): v for v in found.values}
    assert values["all sets, q-OCSVM", "coverage ratio at 0.95, [0, 1]"].published == 0.871
    assert values["all sets, I-OCSVM", "coverage ratio at 0.95, [0, 1]"].published == 0.821


@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("name", SETS)
def test_each_set_has_fifty_test_points(name, scaling):
    data = frequent_class(name, scaling)
    train, test = draw(name, scaling, data.fingerprint, 1)
    assert len(train) == 100
    assert len(test) >= 50
    assert np.isfinite(data.X).all()
    assert 1 / (2 * dimension_sigma(data.X) ** 2) == pytest.approx(2.5 / data.X.shape[1])


def test_another_set_than_planned_is_refused():
    with pytest.raises(ValueError, match="thyroid differs"):
        draw("thyroid", "[0, 1]", "0" * 64, 0)


def test_the_protocols_are_described():
    (target,) = TARGETS
    assert len(SETS) == 15
    assert len(QUANTILES) == 19
    for protocol in (target.quick, target.full):
        assert all(sentence.endswith(".") for sentence in protocol.describe())
