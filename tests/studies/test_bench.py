"""`nestviz bench` on sizes too small to say anything about speed: rows, files and sentences."""

import json
import math

import numpy as np
import pytest

from nestviz.cli import main
from nestviz.studies.bench import (
    adaptive_levels,
    browser_session,
    error_control,
    families,
    guarantees,
    interaction,
    jobs,
    libsvm,
    many_points,
    nested_cost,
    nested_one_class,
    nu,
    paths,
    qp,
    quantiles,
    scale,
    start,
    timing,
    training_sets,
)
from nestviz.studies.bench.browser_visit import Answer, Seen
from nestviz.studies.bench.report import Row, Target, at_most, faster, line, slower_by_at_most
from nestviz.studies.bench.run import GROUPS


@pytest.fixture
def small(monkeypatch):
    """Every group at its smallest; jobs run in this process instead of a new one."""
    nested = nested_one_class.Plan(30, (2,), 60, (60, 120), 40, repeats=1, targets=True)
    monkeypatch.setattr(nested_one_class, "QUICK", nested)
    monkeypatch.setattr(nested_cost, "QUICK_SETS", ("titanic",))
    monkeypatch.setattr(nested_cost, "QUICK_POINTS", 40)
    tiny = nu.Plan((60,), (2,), (0.2,), 40, repeats=1, targets=True)
    monkeypatch.setattr(nu, "QUICK", tiny)
    few = quantiles.Plan(30, 3, (2,), repeats=1, targets=True)
    monkeypatch.setattr(quantiles, "QUICK", few)
    monkeypatch.setattr(paths, "QUICK_SIZES", (40,))
    errors = error_control.Plan(60, ("banana",), nus=2, sigmas=2, repeats=1)
    monkeypatch.setattr(error_control, "QUICK", errors)
    monkeypatch.setattr(scale, "QUICK", scale.Plan((40, 80), (40, 80), (2, 4), 40, repeats=1))
    some = many_points.Plan((200, 400), 200, 30, (300,), 300, ((200, (50,)),), targets=True)
    monkeypatch.setattr(many_points, "QUICK", some)
    promises = guarantees.Plan(3, 2, 30, 50, 60, 60, 2, 2)
    monkeypatch.setattr(guarantees, "QUICK", promises)
    monkeypatch.setattr(jobs, "SMALL", 30)
    for module in (start, nested_one_class, many_points):
        monkeypatch.setattr(
            module, "run_in_new_process", lambda job, *numbers: jobs.JOBS[job](*numbers)
        )


# The interaction group needs a browser: tests/browser/test_bench_interaction.py.
@pytest.mark.parametrize("group", [name for name in GROUPS if name != "interaction"])
def test_every_group_gives_rows_of_finite_numbers(small, group):
    rows = list(GROUPS[group](True))
    assert rows
    for row in rows:
        assert row.group == group
        assert row.what
        assert row.size
        assert row.ours_seconds > 0
        assert row.peer_seconds is not None or row.value is not None
        assert json.loads(json.dumps(row.plain()))["what"] == row.what
        for number in (row.peer_seconds, row.our_gap, row.peer_gap, row.difference, row.value):
            assert number is None or math.isfinite(number)


@pytest.mark.parametrize("group", ["nested-one-class", "nested-cost"])
def test_both_sides_are_as_accurate_as_asked(small, group):
    rows = list(GROUPS[group](True))
    between = [row for row in rows if row.note == adaptive_levels.BETWEEN]
    gaps = [(row.our_gap, row.peer_gap) for row in rows if row not in between]
    assert max(gap for pair in gaps for gap in pair if gap is not None) <= 1e-6
    # Gaps between levels: both sides reach what is allowed, or the row says that a grid does not.
    assert between
    for row in between:
        assert row.our_gap <= adaptive_levels.ALLOWED
        assert (row.peer_gap <= adaptive_levels.ALLOWED) == ("same gap" in row.peer)


def test_rows_are_printed_and_kept(small, tmp_path, capsys):
    kept = tmp_path / "rows.json"
    assert main(["bench", "nested-one-class", "start", "--quick", "--json", str(kept)]) == 0
    table = capsys.readouterr().out
    document = json.loads(kept.read_text("utf-8"))
    assert document["machine"]["numpy"] == np.__version__
    assert {row["group"] for row in document["rows"]} == {"nested-one-class", "start"}
    for row in document["rows"]:
        assert f"{row['what']:44} {row['size']:42}" in table
    judged = [row for row in document["rows"] if row["met"] is not None]
    assert f"of {len(judged)} targets met." in table


def test_an_unknown_group_is_named_with_those_there_are(capsys):
    assert main(["bench", "paths", "walks"]) == 2
    said = capsys.readouterr()
    assert said.err == f"There is no benchmark group 'walks'; there is {', '.join(GROUPS)}.\n"
    assert said.out == ""


def test_a_file_that_cannot_be_written_is_refused_before_measuring(tmp_path, capsys):
    missing = tmp_path / "nowhere"
    assert main(["bench", "--quick", "--json", str(missing / "rows.json")]) == 2
    said = capsys.readouterr()
    assert said.err == f"There is no folder {missing} to keep the rows in.\n"
    assert said.out == ""


def test_a_missing_peer_leaves_a_row_that_says_so(small, monkeypatch):
    monkeypatch.setattr(qp, "find_spec", lambda name: None)
    plan = nested_one_class.QUICK
    rows = list(nested_one_class.against_qp(plan, 2))
    assert [row.peer for row in rows] == ["piqp", "clarabel", "osqp"]
    for row in rows:
        assert row.note == "peer not installed"
        assert row.times_faster is None
        assert row.met is None
        assert "peer not installed" in line(row)


def test_without_a_browser_the_interactions_are_left_out_with_a_reason(monkeypatch, capsys):
    monkeypatch.setattr(browser_session.shutil, "which", lambda name: None)
    assert main(["bench", "interaction", "--quick"]) == 0
    said = capsys.readouterr()
    assert "left out" in said.err
    assert "0 of 0 targets met." in said.out


def seen(pictures, answers=(), width=0.2):
    return Seen(tuple(pictures), tuple(Answer(*answer) for answer in answers), 0, (), width, 0.0)


@pytest.mark.parametrize(
    ("found", "complete"),
    [
        # A page without a player: all its pictures.
        (seen([40.0, 90.0]), 90.0),
        # Later ones are redrawn finely, or solved ahead.
        (seen([40.0, 90.0, 700.0], [(5, 38, 10, 0.2, True), (500, 650, 10, 0.3, True)]), 40.0),
        # Quick families first; answers for values that were passed do not count.
        (seen([40.0, 90.0, 120.0], [(5, 38, 9, 0.2, False), (39, 110, 9, 0.2, True)]), 120.0),
        (seen([40.0, 90.0], [(5, 38, 9, 0.1, True), (39, 80, 9, 0.2, True)]), 90.0),
    ],
)
def test_a_picture_is_complete_once_all_panels_have_the_value_of_the_slider(found, complete):
    assert found.complete == complete


def test_times_are_given_by_median_and_95th_percentile():
    times = [seen([float(k)]) for k in range(100, 0, -1)]
    median, late = interaction.times_of(
        "picture", "N", times, interaction.PICTURE, interaction.WORST
    )
    assert (median.value, late.value) == (50.5, 95.0)
    assert median.met
    assert late.met


def test_a_peer_that_is_never_accurate_enough_leaves_a_row_that_says_so(small, monkeypatch):
    pytest.importorskip("qpsolvers")
    monkeypatch.setattr(qp.QuadraticProgram, "solve", lambda self, solver, tol: None)
    rows = list(nested_one_class.against_qp(nested_one_class.QUICK, 2))
    assert {row.note for row in rows} <= {"peer reached no gap of 1e-6", "peer not installed"}


@pytest.mark.parametrize(
    ("target", "enough", "short"),
    [
        (faster(1000), 1000.0, 999.0),
        (slower_by_at_most(25), 0.04, 0.039),
        (at_most(2.0, "GB"), 2.0, 2.01),
    ],
)
def test_targets_hold_up_to_their_limit(target: Target, enough, short):
    assert target.is_met(enough)
    assert not target.is_met(short)


def test_a_row_judges_its_value_or_else_its_ratio():
    ratio = Row("g", "w", "s", "p", 1.0, 10.0, target=faster(5))
    assert ratio.met is True
    value = Row("g", "w", "s", "p", 1.0, 10.0, value=3.0, target=at_most(2.0))
    assert value.met is False
    assert Row("g", "w", "s", "p", 1.0, 10.0).met is None


def test_what_is_not_finite_is_kept_as_nothing():
    assert Row("g", "w", "s", "p", 1.0, 2.0, peer_gap=math.inf).plain()["peer_gap"] is None


def test_best_time_counts_runs():
    runs = []
    assert timing.best_time(lambda: runs.append(0), 4)[0] >= 0
    assert len(runs) == 4
    timing.best_time(lambda: runs.append(0), 9, at_least=3, patience=0.0)
    assert len(runs) == 7


def test_a_job_tells_its_numbers_from_a_new_process():
    told = timing.run_in_new_process("unstored", 60, 2)
    assert told["gap"] <= 1e-6
    assert told["seconds"] > 0


def test_memory_is_that_of_the_job_and_not_of_the_process_that_started_it():
    ballast = np.ones(75_000_000)
    told = timing.run_in_new_process("unstored", 60, 2)
    assert 0 < told["gigabytes"] < ballast.nbytes / 1e9


def test_the_exponent_of_a_power_is_found():
    sizes = (10, 20, 40)
    assert scale.exponent(sizes, [1e-3 * n**1.5 for n in sizes]) == pytest.approx(1.5)


def test_blocks_of_points_are_all_different_and_outliers_are_among_them():
    X = many_points.banana(many_points.MOST_DRAWN + 100)
    assert len(np.unique(X, axis=0)) == len(X) == many_points.MOST_DRAWN + 100
    points, outlier = many_points.planted(500)
    assert len(points) == 500
    assert outlier.sum() == 5


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_centres_that_are_the_points_agree_with_the_full_solution(small):
    *_, agreement = many_points.rows(
        many_points.QUICK._replace(agreement=((200, (200,)),)), scale.exponent
    )
    assert agreement.value == 0.0
    # Many points enter at the same level, up to the solver's tolerance: its digits order them.
    assert agreement.difference < 1e-3


def test_libsvm_solves_the_same_one_class_problem_at_the_translated_nu():
    points = training_sets.negative_class("banana", 80, divisor=3)
    K, upper = points.gram(), np.full(80, 1 / 80)
    levels = np.array([0.12, 0.05])
    nus = libsvm.nu_of_levels(K, upper, levels)
    models = libsvm.fit_one_class(points, nus.tolist(), 1e-9)
    found = [model.offset_[0] / 80 for model in models]
    np.testing.assert_allclose(found, levels, rtol=1e-4)
    assert libsvm.one_class_gap(K, models) <= 1e-8


def test_the_gap_of_an_inaccurate_classifier_is_seen():
    points = training_sets.training_set("banana", divisor=2, n=80)
    K = points.gram()
    loose = libsvm.fit_costs(points, 0.5, [0.25, 0.75], 0.5)
    tight = libsvm.fit_costs(points, 0.5, [0.25, 0.75], 1e-9)
    # libsvm keeps kernel values in single precision: that is the problem it solves to the end.
    single = K.astype(np.float32)
    assert libsvm.costs_gap(single.astype(float), points.y, tight) <= 1e-9
    assert libsvm.costs_gap(K, points.y, tight) <= np.finfo(np.float32).eps
    assert libsvm.costs_gap(K, points.y, loose) > 1e-4


def test_the_families_group_finds_equal_results(small):
    density, *_ = families.rows(True)
    assert density.difference <= 1e-8


def test_both_sides_cross_validate_the_same_nu_svms():
    """At widths at which libsvm's usual tolerance is enough the mistakes are the same."""
    points = training_sets.training_set("banana", divisor=1, n=80)
    shares, sigmas = np.array([0.3, 0.6]), points.kernel.sigma * np.array([0.1, 0.3])
    ours = error_control.cross_validated(points, shares, sigmas)
    peer = error_control.cross_validated_by_libsvm(points, shares, sigmas)
    assert np.abs(ours - peer).max() <= 1
    assert 0 < ours.min() < ours.max() < 80


def test_promises_are_measured_beside_methods_without_one():
    """Sets that are not calibrated hold too little, and the row of a kept promise says so."""
    plan = guarantees.Plan(12, 2, 60, 100, 200, 60, 12, 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guarantees, "QUICK", plan)
        patch.delitem(guarantees.PEERS, "IsolationForest, split")
        rows = {row.what: row for row in guarantees.rows(True)}
    held = rows["90 % sets hold: nested SVM, split"]
    assert held.met
    assert held.target.text == "≥ 90%"
    assert rows["90 % sets hold: q-OCSVM, plain"].value < 70
    assert rows["90 % sets hold: q-OCSVM, plain"].met is None
    assert rows["false discoveries: OneClassSVM, plain"].value > 30
    assert rows["false discoveries: nested SVM, split"].met
    alarms = [row.value for what, row in rows.items() if what.startswith("false alarms above")]
    assert len(alarms) == 3
    assert alarms[0] < alarms[2]
    assert all("band" in row.note for row in rows.values())


def test_libsvm_is_judged_by_our_certificate():
    points = training_sets.training_set("banana", divisor=2, n=60)
    K, share = points.gram(), 0.4
    gaps = [
        error_control.nu_gap(K, points.y, share, error_control.fit_nu(points, share, tol))
        for tol in (1e-1, 1e-6)
    ]
    # Kernel values of single precision leave about this much.
    assert 0 <= gaps[1] < 1e-5 < gaps[0]
