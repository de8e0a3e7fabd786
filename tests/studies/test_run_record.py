"""Results of studies as files: the same bytes every time, and read as they were written."""

import csv
import json
import math
from dataclasses import replace

import numpy as np
import pytest

from nestviz.studies.findings import Claim, Findings, Plot, Value
from nestviz.studies.run_record import Run, read_run, read_runs, write_run

FINDINGS = Findings(
    values=[
        Value("heart", "auc", 0.1 + 0.2, sd=0.01, n=10, published=0.29, published_sd=0.02,
              view={"page": "one_class", "width": "0.5"}),
        Value("=cmd()", "auc", -math.inf),
    ],
    claims=[Claim("Nested sets rank alike.", "T = 3", "T = 5", True), Claim("?", "", "", None)],
    tables={"curves": [{"x": np.float64(1 / 3), "n": np.int64(2)}, {"x": math.nan, "of": "a,b"}]},
    plots=[Plot("curves", "lines", "Curves", x="x", y="n")],
    notes=["Two rows are printed twice."],
)  # fmt: skip
RUN = Run(
    "fig7", "AUC", "somewhere, fig. 7", "quick", ["Ten permutations."], FINDINGS,
    cpu_seconds=1.5, wall_seconds=2.5, cells=3, versions={"numpy": "2"}, seed=0,
)  # fmt: skip


def test_a_run_is_read_as_it_was_written(tmp_path):
    found = read_run(write_run(tmp_path, RUN))
    # NaN is not equal to itself, but looks the same.
    assert repr(replace(found, findings=Findings())) == repr(replace(RUN, findings=Findings()))
    assert repr(list(found.findings.values)) == repr(list(FINDINGS.values))
    assert list(found.findings.claims) == list(FINDINGS.claims)
    assert list(found.findings.plots) == list(FINDINGS.plots)
    first, second = found.findings.tables["curves"]
    assert first == {"x": 1 / 3, "n": 2}
    assert math.isnan(second["x"])
    assert second["of"] == "a,b"


def test_tables_hold_all_digits_and_no_formulas(tmp_path):
    own = write_run(tmp_path, RUN)
    with open(own / "values.csv", newline="", encoding="utf-8") as opened:
        heart, other = csv.DictReader(opened)
    assert float(heart["ours"]) == 0.1 + 0.2
    assert float(heart["distance"]) == FINDINGS.values[0].distance
    assert other["item"] == "'=cmd()"
    assert other["ours"] == "-inf"
    assert other["published"] == ""
    assert (own / "curves.csv").read_text("utf-8").splitlines() == [
        "x,n,of", f"{1 / 3!r},2,", ',,"a,b"'
    ]  # fmt: skip


def test_only_times_versions_and_machine_may_differ(tmp_path):
    later = replace(RUN, cpu_seconds=9.0, wall_seconds=9.0, computed=3, machine={"jobs": "2"})
    first, second = write_run(tmp_path / "a", RUN), write_run(tmp_path / "b", later)
    for file in first.iterdir():
        same = file.read_bytes() == (second / file.name).read_bytes()
        assert same == (file.name != "run.json"), file.name


def test_files_are_json_that_any_reader_takes(tmp_path):
    def refuse(word):
        raise AssertionError(word)

    for file in write_run(tmp_path, RUN).glob("*.json"):
        json.loads(file.read_text("utf-8"), parse_constant=refuse)


def test_tables_of_an_earlier_run_do_not_stay(tmp_path):
    own = write_run(tmp_path, RUN)
    (own / "notes.txt").write_text("mine")
    write_run(tmp_path, replace(RUN, findings=replace(FINDINGS, tables={"other": []})))
    assert not (own / "curves.csv").exists()
    assert (own / "other.csv").exists()
    assert (own / "notes.txt").exists()


@pytest.mark.parametrize("names", [("values",), ("",), ("…",), ("a b", "A, b")])
def test_every_table_needs_a_file_of_its_own(tmp_path, names):
    with pytest.raises(ValueError, match="cannot be called"):
        write_run(tmp_path, replace(RUN, findings=Findings(tables={key: [] for key in names})))


def test_names_of_tables_become_names_of_files(tmp_path):
    tables = {"bias shift, table 3.2": [{"x": 1}], "../up": [{"x": 2}]}
    own = write_run(tmp_path, replace(RUN, findings=Findings(tables=tables)))
    assert (own / "bias-shift-table-3.2.csv").exists()
    assert (own / "up.csv").exists()
    assert read_run(own).findings.tables == tables


def test_all_runs_of_a_folder_are_found(tmp_path):
    for name in ("fig9", "fig7"):
        write_run(tmp_path, replace(RUN, name=name))
    assert [run.name for run in read_runs(tmp_path)] == ["fig7", "fig9"]


@pytest.mark.parametrize("damage", ["", "[]", "{}", '{"findings": 3}', '{"name": "x"'])
def test_a_damaged_file_is_one_sentence(tmp_path, damage):
    own = write_run(tmp_path, RUN)
    (own / "findings.json").write_text(damage)
    with pytest.raises(ValueError, match="does not hold the results of a study"):
        read_run(own)
    # A new run takes its place.
    write_run(tmp_path, RUN)
    assert read_run(own).name == "fig7"
