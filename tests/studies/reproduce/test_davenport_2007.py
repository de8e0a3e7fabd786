"""Tables of the thesis on two small sets with tiny grids."""

import json
import math

import numpy as np
import pytest
from computed_here import findings_of

from nestviz.estimators import (
    MinimaxClassifier,
    MinimaxProbabilityMachine,
    MinimumVolumeSet,
    NeymanPearsonClassifier,
)
from nestviz.studies.reproduce.common.benchmarks import fingerprint, split
from nestviz.studies.reproduce.davenport_2007 import TARGETS, probability_machine, volume_sets
from nestviz.studies.reproduce.davenport_2007.methods import all_methods, of_name
from nestviz.studies.reproduce.davenport_2007.protocol import PUBLISHED, Protocol
from nestviz.studies.reproduce.davenport_2007.volume_cells import discrete_columns
from nestviz.ui.session.view_state import read_address

SETS, NU, SIGMAS = ("thyroid", "heart"), (1 / 3, 2 / 3, 1.0), (1.0, 4.0)
GRID = Protocol(sets=SETS, permutations=2, nu_values=3, sigmas=SIGMAS, widths_per_cell=1, folds=3)
TINY = {
    "thesis-3.7": GRID,
    "thesis-3.8": GRID,
    "thesis-3.10": probability_machine.Protocol(sets=SETS, permutations=2, nu_values=3, folds=3),
    "thesis-4": GRID,
    "thesis-5": volume_sets.Protocol(GRID, (0.05, 0.2, 1.0), betas=(0.8, 0.9)),
}
BY_NAME = {target.name: target for target in TARGETS}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Return findings of a target; the first run of each computes all of its cells."""
    folder, kept = tmp_path_factory.mktemp("cells"), {}

    def run(name, store=folder):
        if store is not folder or name not in kept:
            plan = BY_NAME[name].plan(TINY[name])
            findings = findings_of(plan, store)
            if store is not folder:
                return findings
            kept[name] = findings
        return kept[name]

    return run


def value(findings, item, quantity):
    return next(v for v in findings.values if (v.item, v.quantity) == (item, quantity))


@pytest.mark.parametrize("name", sorted(TINY))
def test_a_table_ends_with_numbers_and_claims(name, found):
    findings = found(name)
    assert all(math.isfinite(v.ours) for v in findings.values)
    assert any(math.isfinite(v.published) for v in findings.values)
    assert all(findings.tables[plot.table] for plot in findings.plots)
    assert all(claim.ours and claim.published for claim in findings.claims)
    assert all(note.endswith(".") for note in findings.notes)


@pytest.mark.parametrize("name", sorted(TINY))
def test_values_link_to_views_that_the_app_can_read(name, found):
    for shown in (value.view for value in found(name).values if value.view):
        keys = {key: [text] for key, text in shown.items() if key != "page"}
        address = read_address(keys)
        assert not address.unusable
        assert set(address.values) == set(keys)


@pytest.mark.parametrize("name", ["thesis-3.8", "thesis-5"])
def test_a_table_is_the_same_every_time(name, found, tmp_path):
    assert json.dumps(found(name).plain()) == json.dumps(found(name, tmp_path).plain())


@pytest.mark.parametrize(("kind", "keep"), [("thesis-3.7", 1.0), ("thesis-3.8", 0.1)])
@pytest.mark.parametrize(
    ("column", "strategy", "options"),
    [
        ("3D-GS", "grid", {}),
        ("3D-CD", "coordinate-3d", {}),
        ("balanced-nu", "balanced-nu-svm", {}),
        ("nu", "nu-svm", {"select_by": "misclassification", "shift": True}),
    ],
)
def test_minimax_rates_are_those_of_the_classifier(kind, keep, column, strategy, options, found):
    scores = []
    for permutation in range(2):
        train, test = split("heart", fingerprint("heart"), permutation, keep)
        model = MinimaxClassifier(
            strategy=strategy, nu_grid=NU, sigmas=SIGMAS, cv=3, random_state=0, **options
        ).fit(train.X, train.y)
        scores.append(max(model.error_rates(test.X, test.y)))
    assert value(found(kind), "heart", column).ours == pytest.approx(np.mean(scores), abs=1e-12)


@pytest.mark.filterwarnings("ignore:No setting")
def test_neyman_pearson_scores_are_those_of_the_classifier(found):
    scores = []
    for permutation in range(2):
        train, test = split("thyroid", fingerprint("thyroid"), permutation)
        model = NeymanPearsonClassifier(0.1, nu_grid=NU, sigmas=SIGMAS, cv=3).fit(train.X, train.y)
        alarm, miss = model.error_rates(test.X, test.y)
        scores.append(max(alarm - 0.1, 0.0) / 0.1 + miss)
    row = next(
        row
        for row in found("thesis-4").tables["scores"]
        if (row["case"], row["set"], row["method"]) == ("balanced, α = 0.1", "thyroid", "3D-GS")
    )
    assert row["score"] == pytest.approx(np.mean(scores), abs=1e-12)


def test_the_machine_gets_the_distance_of_the_covariances(found):
    rates = []
    for permutation in range(2):
        train, test = split("heart", fingerprint("heart"), permutation)
        apart = [
            np.linalg.norm(np.cov(train.X[train.y == sign].T, bias=True)
                           - np.cov(test.X[test.y == sign].T, bias=True))
            for sign in (-1, 1)
        ]  # fmt: skip
        model = MinimaxProbabilityMachine(kernel="linear", covariance_uncertainty=max(apart))
        rates.append(max(model.fit(train.X, train.y).error_rates(test.X, test.y)))
    ours = value(found("thesis-3.10"), "heart", "MPM, balanced")
    assert ours.ours == pytest.approx(np.mean(rates), abs=1e-12)
    assert ours.published == 0.205


@pytest.mark.parametrize(
    ("reference", "nus"), [("thinned", NU), ("manifold", NU), ("one-class", (0.05, 0.2, 1.0))]
)
@pytest.mark.filterwarnings("ignore:No set")
def test_sets_of_least_volume_are_those_of_the_estimator(reference, nus, found):
    rows = [
        row
        for row in found("thesis-5").tables["permutations"]
        if (row["set"], row["beta"], row["permutation"]) == ("heart", 0.8, 1)
    ]
    short = {"thinned": "thin", "manifold": "manifold", "one-class": "oc"}[reference]
    row = next(row for row in rows if row["method"] == short)
    train, test = split("heart", fingerprint("heart"), 1)
    model = MinimumVolumeSet(
        0.8, reference, discrete=discrete_columns("heart"), nu_grid=nus, sigmas=SIGMAS, cv=3
    ).fit(train.X[train.y < 0])
    assert row["sigma"] == model.sigma_
    assert row["mass"] == (model.predict(test.X[test.y < 0]) > 0).mean()
    assert row["positives_inside"] == (model.predict(test.X[test.y > 0]) > 0).mean()
    missing = max(0.8 - row["mass"], 0.0) / 0.2
    assert row["e_mu"] == pytest.approx(missing + row["volume"])


def test_both_readings_of_the_volume_add_up(found):
    findings = found("thesis-5")
    inside, outside, plus = (
        value(findings, "heart", f"{words}, oc, β = 0.9") for words in
        ("E_μ", "E_μ with 1 − μ", "E₊")
    )  # fmt: skip
    assert inside.published == outside.published == 0.84
    assert plus.published == 0.84
    missing = np.mean([
        max(0.9 - row["mass"], 0.0) / 0.1
        for row in findings.tables["permutations"]
        if (row["set"], row["beta"], row["method"]) == ("heart", 0.9, "oc")
    ])  # fmt: skip
    assert inside.ours + outside.ours == pytest.approx(1.0 + 2.0 * missing)


def test_tables_of_rates_are_shared(tmp_path):
    """Chapter 4 asks for the same cells as tables 3.7 and 3.8."""
    first = [next(BY_NAME[name].plan(GRID)) for name in ("thesis-3.7", "thesis-3.8", "thesis-4")]
    balanced, unbalanced, both = ({cell.key for cell in cells} for cells in first)
    assert balanced | unbalanced == both
    assert not balanced & unbalanced


def test_methods_are_found_by_their_names():
    assert len(all_methods()) == 28
    assert [of_name(method.name) for method in all_methods()] == all_methods()


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_protocols_are_described(target):
    for protocol in (target.quick, target.full):
        assert all(sentence.endswith(".") for sentence in protocol.describe())


def test_the_published_grid_is_that_of_the_thesis():
    assert len(PUBLISHED.sigmas) == 50
    assert (PUBLISHED.sigmas[0], PUBLISHED.sigmas[-1]) == pytest.approx((1e-4, 1e4))
    assert set(Protocol().sigmas) <= set(PUBLISHED.sigmas)
    assert sum(1 for _ in PUBLISHED.runs()) == 9 * 100 + 2 * 20
