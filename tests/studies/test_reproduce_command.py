"""`nestviz reproduce`: what there is, what is unknown, and what it writes."""

import re
from dataclasses import dataclass, replace

import pytest
from small_study import Protocol, plan

from nestviz import extras
from nestviz.cli import main
from nestviz.commands import reproduce
from nestviz.studies.reproduce.registry import targets
from nestviz.studies.reproduce.target import Target
from nestviz.studies.run_record import read_runs

SMALL = Target(
    "small", "Small squares", "nowhere, fig. 1", plan, Protocol(tasks=("square",) * 3),
    Protocol(tasks=("square",) * 5), cpu_minutes=(0.1, 300.0),
)  # fmt: skip
KNOWN = {"small": SMALL, "other": replace(SMALL, name="other", title="Others")}


@dataclass
class Options:
    target: tuple[str, ...] = ()
    quick: bool = False
    full: bool = False
    jobs: int | None = 1
    scheduler: str | None = None
    output: object = None
    quiet: bool = True


def test_without_a_target_there_is_a_list_with_estimates(capsys):
    assert reproduce.run(Options(jobs=2), KNOWN) == 0
    head, small, other, _, note = capsys.readouterr().out.splitlines()
    assert head.split()[:3] == ["target", "quick", "full"]
    assert re.split("  +", small) == ["small", "3 s", "2.5 h", "Small squares", "nowhere, fig. 1"]
    assert "Others" in other
    assert note == "Times are estimates for 2 processes, from processor times measured once."


def test_an_unknown_target_is_named_with_those_there_are(capsys):
    assert reproduce.run(Options(target=("small", "fig99")), KNOWN) == 2
    said = capsys.readouterr()
    assert said.err == "There is no target 'fig99'. There are: small, other, all.\n"
    assert said.out == ""


@pytest.mark.parametrize(
    ("options", "names", "protocol", "cells"),
    [
        (Options(("small",)), ["small"], "quick", 4),
        (Options(("small", "small"), full=True), ["small"], "full", 6),
        (Options(("all",)), ["other", "small"], "quick", 4),
    ],
)
def test_targets_are_computed_and_reported(tmp_path, options, names, protocol, cells, capsys):
    options.output = tmp_path
    assert reproduce.run(options, KNOWN) == 0
    runs = read_runs(tmp_path)
    assert [run.name for run in runs] == names
    assert {(run.protocol, run.cells, run.seed) for run in runs} == {(protocol, cells, 0)}
    assert runs[0].describe == [f"{cells - 1} cells: square."]
    assert runs[0].versions["nestviz"]
    report = (tmp_path / "report.md").read_text("utf-8")
    assert all(run.title in report for run in runs)
    assert (tmp_path / "report.html").exists()
    assert capsys.readouterr().err == ""


def test_damaged_results_beside_are_named_and_left_out(tmp_path, capsys):
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "findings.json").write_text("{")
    assert reproduce.run(Options(("small",), output=tmp_path), KNOWN) == 0
    assert "old does not hold the results of a study" in capsys.readouterr().err
    assert "Small squares" in (tmp_path / "report.md").read_text("utf-8")


def test_without_matplotlib_it_says_so_before_anything_is_computed(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    with pytest.raises(extras.MissingPackageError, match=r"nestviz\[plot\]"):
        reproduce.run(Options(("small",), output=tmp_path / "out"), KNOWN)
    assert not (tmp_path / "out").exists()


def test_the_registry_names_each_target_once():
    for name, target in targets().items():
        assert name == target.name
        for protocol in (target.quick, target.full):
            assert all(isinstance(sentence, str) for sentence in protocol.describe())
        assert 0 < target.cpu_minutes[0] <= target.cpu_minutes[1]


def test_the_command_line_knows_it(capsys):
    assert main(["reproduce", "nothing-of-this-name"]) == 2
    with pytest.raises(SystemExit):
        main(["reproduce", "--quick", "--full"])
    assert "not allowed with" in capsys.readouterr().err
