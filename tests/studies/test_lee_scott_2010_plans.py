"""Plans of the study of Lee & Scott 2010 on grids too small to say anything."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from nestviz import __version__
from nestviz.analysis.cost_selection import best_cells, within_one_error
from nestviz.studies.engine.attempt import attempt
from nestviz.studies.engine.drive import follow
from nestviz.studies.engine.store import Store
from nestviz.studies.findings import Findings
from nestviz.studies.published import published
from nestviz.studies.reproduce.lee_scott_2010 import TARGETS, choice, fig5, fig8, fig10_12, fig13
from nestviz.studies.reproduce.lee_scott_2010.protocol import FULL, QUICK, SETS, Protocol

TINY = Protocol(
    sets=("thyroid", "titanic"), permutations=2, chosen_on=1, sigmas=3, lambdas=2, folds=2
)


def protocol_of(name):
    if name == "fig5":
        return fig5.Protocol(permutations=1, counts=(3,), most=5, lams=(1.0, 10.0))
    if name == "fig8":
        return fig8.Protocol(sets=TINY.sets, permutations=1, sigmas=3)
    return fig13.TimedProtocol(**vars(TINY), repeated=1) if name == "fig13" else TINY


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Findings of all targets, and the tasks that each of them had to compute."""
    store, found = Store(tmp_path_factory.mktemp("cells")), {}
    for name, target in ((target.name, target) for target in TARGETS):
        tasks = []

        def compute(cells, tasks=tasks):
            for cell in cells:
                tasks.append(cell.task.split(".")[-1])
                yield cell, attempt(cell, __version__)

        findings = follow(target.plan(protocol_of(name)), store, compute)
        found[name] = (findings, tasks)
    return found


def test_every_target_ends_with_findings_that_can_be_written(runs):
    assert list(runs) == ["fig5", "fig7", "fig8", "fig9", "fig10-12", "fig13"]
    for findings, _ in runs.values():
        again = Findings.of_plain(json.loads(json.dumps(findings.plain())))
        assert len(again.values) == len(findings.values)
        for plot in findings.plots:
            columns = set(again.values[0].__dict__ if plot.table == "values"
                          else again.tables[plot.table][0])  # fmt: skip
            for column in (plot.x, plot.y, plot.group, plot.panel, plot.low, plot.high):
                assert column == "" or column in columns


def test_cells_are_shared_between_figures(runs):
    assert set(runs["fig7"][1]) == {
        f"{part}_class:{task}" for part in ("one", "two")
        for task in ("cross_validated", "on_test_points")
    }  # fmt: skip
    # The curves of fig. 8 on the first permutation are the near-optimal widths of fig. 9.
    assert set(runs["fig9"][1]) == {"two_class:near_best"}
    assert runs["fig10-12"][1] == []
    assert set(runs["fig13"][1]) == {"fig13:seconds"}


def test_fig7_has_every_cell_of_the_table(runs):
    values = runs["fig7"][0].values
    assert len(values) == 2 * 6
    table = {row["dataset"]: row for row in published("fig07_auc")}
    for value in values:
        assert value.published == float(
            table[value.item][value.quantity.replace(" ", "_") + "_mean"]
        )
        assert 0.0 <= value.ours <= 1.0
        assert value.n == 2
    rows = runs["fig7"][0].tables["permutations"]
    assert len(rows) == 2 * 2 * 2 + 2 * 3 * 2 + 2 * 3 * 3
    mean = np.mean([r["auc"] for r in rows if r["dataset"] == "titanic" and r["method"] == "cs"])
    assert next(v.ours for v in values if (v.item, v.quantity) == ("titanic", "cs")) == mean


def test_links_open_in_the_app(runs):
    from nestviz.ui.menu import PAGES
    from nestviz.ui.session.view_state import RULES

    pages = {address for rows in PAGES.values() for _, _, address, _ in rows}
    for findings, _ in runs.values():
        for value in findings.values:
            for key, text in value.view.items():
                if key == "page":
                    assert text in pages
                else:
                    assert RULES[key].read([text]) is not None, (key, text)


def test_near_optimal_ranges_hold_their_ends(runs):
    for row in runs["fig9"][0].tables["near-optimal cells"]:
        assert row["cells"] >= 1
        assert 0.0 <= row["smallest d"] <= row["largest d"] <= 1.0


def test_claims_about_all_sets_are_undecided_without_them(runs):
    claims = runs["fig10-12"][0].claims
    assert len(claims) == 6
    assert {claim.held for claim in claims} == {None}


def test_certificates_are_small(runs):
    rows = runs["fig7"][0].tables["certificates"]
    assert len(rows) == 2 * (2 + 3)
    assert max(row["largest duality gap"] for row in rows) < 1e-6


def test_parameters_show_the_ends_of_equal_scores(runs):
    rows = runs["fig7"][0].tables["parameters"]
    assert len(rows) == 2 * (2 * 2 + 2)
    for row in rows:
        assert row["smallest"] <= row["chosen"] <= row["largest"]


def test_signed_ranks_have_the_statistic_of_scipy():
    from scipy.stats import wilcoxon

    rng = np.random.default_rng(0)
    plain = rng.integers(0, 8, size=13) / 8
    nested = rng.integers(0, 8, size=13) / 8
    nested[:3] = plain[:3]
    ranks = fig10_12.signed_ranks(plain, nested)
    assert wilcoxon(nested - plain, zero_method="zsplit").statistic == ranks.T
    assert ranks.plain + ranks.nested == 13 * 14 / 2


def test_the_printed_means_lead_to_the_printed_conclusions(runs):
    rows = runs["fig10-12"][0].tables["ranks of the printed means"]
    assert len(rows) == 6
    for row in rows:
        assert row["T"] == pytest.approx(row["printed T"], abs=6.0)
        assert (row["T"] <= fig10_12.CRITICAL) == (row["printed T"] <= fig10_12.CRITICAL)


def test_signed_ranks_split_those_of_zeros():
    assert fig10_12.signed_ranks([1.0, 2.0, 5.0], [1.0, 4.0, 4.0]) == (2.5, 3.5, 2.5)
    rounding = fig10_12.signed_ranks([0.1 + 0.2, 2.0], [0.3, 4.0])
    assert rounding == (0.5, 2.5, 0.5)


def test_equal_scores_give_the_geometric_middle():
    means = np.array([0.8, 0.9, 0.9 - 1e-14, 0.9, 0.7])
    found = choice.chosen(np.array([1.0, 2.0, 4.0, 8.0, 16.0]), best_cells(means))
    assert found == choice.Chosen(4.0, 2.0, 8.0)
    alone = choice.chosen(np.array([1.0, 2.0]), np.array([False, True]))
    assert alone == choice.Chosen(2.0, 2.0, 2.0)
    assert choice.average([found, alone]) == choice.Chosen(3.0, 2.0, 8.0)


def test_cells_within_one_standard_error():
    scores = np.array([[[0.9, 0.6], [0.80, 0.1]], [[0.7, 0.6], [0.76, 0.3]]])
    # The best mean is 0.8 with deviation 0.1 √2, so its standard error is 0.1.
    expected = [[True, False], [True, False]]
    assert within_one_error(scores).tolist() == expected


def test_protocols_say_what_they_do():
    for target in TARGETS:
        for protocol in (target.quick, target.full):
            assert all(sentence.endswith(".") for sentence in protocol.describe())
    assert FULL.sets == QUICK.sets == SETS
    assert len(FULL.splits("splice")) == 20
    assert len(FULL.splits("banana")) == 100
    assert "100 permutations (image, splice: 20)" in FULL.describe()[0]
    assert "10 permutations." in replace(QUICK, permutations=10).describe()[0]


def test_times_are_compared_with_the_published_ones(runs):
    for value in runs["fig13"][0].values:
        assert value.ours > 0.0
        assert value.published > 0.0
        assert math.isnan(value.published_sd)
