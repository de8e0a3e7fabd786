"""Every format out, the same bytes each time, files that are whole or absent; how a run ends."""

import argparse
import io
import json
import os
import signal
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from command_runs import MOONS, SENSORS, one_sentence, start

from nestviz import cli, load_model
from nestviz.commands.ending import run_command

WAYS = {
    "fit.json": ("fit", "--method", "one-class"),
    "fit.csv": ("fit", "--method", "union"),
    "fit.skops": ("fit",),
    "two.skops": ("fit", "--method", "nested-cost-sensitive"),
    "rank.csv": ("rank", "--method", "parzen"),
    "rank.json": ("rank", "--method", "nu-one-class"),
    "tree.csv": ("tree",),
    "branches.csv": ("tree", "--table", "branches"),
    "edges.csv": ("tree", "--table", "edges"),
    "tree.json": ("tree",),
    "tree.nwk": ("tree",),
    "curve.csv": ("bandwidth", "--method", "parzen", "--widths", "6"),
    "curve.json": ("bandwidth", "--method", "parzen", "--widths", "6"),
}
FORMATS = {".csv": "csv", ".json": "json", ".skops": "skops", ".nwk": "newick"}


@pytest.mark.parametrize("name", WAYS)
def test_files_and_pipes_have_the_same_bytes(in_process, tmp_path, capfdbinary, name):
    command, *options = WAYS[name]
    file = tmp_path / name
    assert cli.main([command, MOONS, *options, "--output", str(file), "--quiet"]) == 0
    capfdbinary.readouterr()
    form = FORMATS[file.suffix]
    assert cli.main([command, MOONS, *options, "--format", form, "--quiet"]) == 0
    said = capfdbinary.readouterr()
    assert said.out == file.read_bytes()
    assert said.err == b""
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.slow
def test_two_processes_write_the_same_model(tmp_path):
    contents = []
    for seed in ("1", "2"):
        file = tmp_path / "model.skops"
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        process = start("fit", MOONS, "-m", "parzen", "-o", file, env=environment)
        out, err = process.communicate(timeout=300)
        assert (process.returncode, out) == (0, b""), err
        contents.append(file.read_bytes())
    assert contents[0] == contents[1]


def test_a_model_is_what_the_library_loads(nestviz, tmp_path):
    file = tmp_path / "model.skops"
    ran = nestviz("fit", MOONS, "--method", "nested-one-class", "--sigma", "0.5", "--output", file)
    assert (ran.status, ran.out) == (0, "")
    assert ran.err.startswith("Nested one-class SVM: 160 points, 2 features, σ = 0.5, 11 levels, ")
    assert "duality gap" in ran.err
    model = load_model(file)
    assert model.sigma_ == 0.5
    assert {"model.skops", "certificate.json", "preparation.json", "training.npy"} <= set(
        zipfile.ZipFile(file).namelist()
    )


def test_a_model_ranks_its_own_points_as_the_fit_does(nestviz, tmp_path):
    file = tmp_path / "model.skops"
    for options in (("-m", "one-class"), ("--sigma", "0.4"), ("-m", "union", "--missing", "mean")):
        grid = () if "-m" in options else ("--levels", "21", "--spacing", "geometric")
        assert nestviz("fit", SENSORS, *options, *grid, "-o", file).status == 0
        by_fit = nestviz("rank", SENSORS, *options, "--contamination", "0.1").rows
        by_model = nestviz("rank", "--model", file, SENSORS, "--contamination", "0.1").rows
        assert sum(row["flagged"] == "True" for row in by_model) > 0
        for row in by_fit:
            row.pop("class")
        assert by_model == by_fit


def test_new_points_are_scored_by_the_training_points(nestviz, tmp_path):
    model, new = tmp_path / "model.skops", tmp_path / "new.csv"
    assert nestviz("fit", SENSORS, "-m", "parzen", "-o", model, "--quiet").err == ""
    # Other columns, in another order; the first point is far from all sensors.
    new.write_text("pressure,note,temperature\n900.0,far,95.0\n1010.0,near,18.0\n,gap,20.0\n")
    ran = nestviz("rank", "--model", model, new, "--id", "note")
    assert ran.column("row", int) == [2, 3]
    assert [row["note"] for row in ran.rows] == ["far", "near"]
    assert [row["flagged"] for row in ran.rows] == ["True", "False"]
    far, near = ran.column("score")
    assert far == 1.0
    assert near < 0.9
    assert [row["temperature"] for row in ran.rows] == ["95.0", "18.0"]
    alone = tmp_path / "alone.csv"
    alone.write_text("pressure,temperature\n1010.0,18.0\n")
    assert nestviz("rank", "--model", model, alone).column("score") == [near]


def test_texts_that_a_model_does_not_know_are_refused(nestviz, tmp_path):
    train, new, model = (tmp_path / name for name in ("train.csv", "new.csv", "model.skops"))
    kinds = ("red", "green", "blue") * 6
    rows = [f"{k % 7}.5,{kind}" for k, kind in enumerate(kinds)]
    train.write_text("\n".join(["x,colour", *rows]) + "\n")
    assert nestviz("fit", train, "--no-label", "-m", "parzen", "-o", model).status == 0
    new.write_text("x,colour\n1,green\n2,red\n")
    assert nestviz("rank", "--model", model, new).status == 0
    for content, words in (
        ("x,colour\n1,green\n2,pink\n", "'pink' is new"),
        ("x,hue\n1,green\n2,red\n", "column 'colour'"),
        ("x,colour\nhigh,green\nlow,red\n", "fitted to numbers"),
        ("x,colour\n,green\n,red\n", "missing"),
    ):
        new.write_text(content)
        ran = nestviz("rank", "--model", model, new)
        assert ran.status == 2
        assert one_sentence(ran.err)
        assert words in ran.err


def test_models_of_the_app_rank_features_as_they_are(nestviz, tmp_path):
    from nestviz import ParzenLevelSets, QuantileOneClassSVM, save_model

    X = np.random.default_rng(0).normal(size=(30, 2))
    table = tmp_path / "points.csv"
    np.savetxt(table, X, delimiter=",", header="u,v", comments="", fmt="%.17g")
    for model in (ParzenLevelSets(0.5), QuantileOneClassSVM(sigma=0.8)):
        save_model(model.fit(X), tmp_path / "model.zip")
        ran = nestviz("rank", "--model", tmp_path / "model.zip", table)
        assert ran.status == 0, ran.err
        assert "as they are" in ran.err
        assert ran.rows[0]["score"] == "1.0"
        wrong = nestviz("rank", "--model", tmp_path / "model.zip", table, "--features", "u")
        assert (wrong.status, wrong.out) == (2, "")


def test_options_that_a_model_has_decided_are_named(nestviz, tmp_path):
    file = tmp_path / "model.skops"
    nestviz("fit", MOONS, "-m", "parzen", "-o", file)
    ran = nestviz("rank", "--model", file, MOONS, "--sigma", "3", "-m", "union")
    assert ran.status == 0
    assert "--sigma is not used" in ran.err
    assert "--method is not used" in ran.err


def damaged(file, **changes):
    """The archive with some of its files changed, or left out where they are None."""
    with zipfile.ZipFile(file) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in {**files, **changes}.items():
            if content is not None:
                archive.writestr(name, content)
    file.write_bytes(out.getvalue())


def test_a_damaged_preparation_is_refused(nestviz, tmp_path):
    file = tmp_path / "model.skops"
    nestviz("fit", SENSORS, "-m", "parzen", "-o", file)
    whole = file.read_bytes()
    with zipfile.ZipFile(file) as archive:
        note = json.loads(archive.read("preparation.json"))
    wrong = [
        b"", b"[]", b"\xff", b"[" * 100_000, json.dumps({**note, "means": ["x"]}).encode(),
        json.dumps({**note, "features": note["features"][:1]}).encode(),
        json.dumps({**note, "method": "rm"}).encode(), json.dumps({**note, "texts": 3}).encode(),
        json.dumps({**note, "scaling": {}}).encode(),
        json.dumps({**note, "scaling": {**note["scaling"], "deviations": [0.0, 1.0]}}).encode(),
        json.dumps({**note, "scaling": {**note["scaling"], "finer": [1e300, 1]}}).encode(),
        json.dumps({name: note[name] for name in note if name != "scaling"}).encode(),
    ]  # fmt: skip
    for content in wrong:
        file.write_bytes(whole)
        damaged(file, **{"preparation.json": content})
        ran = nestviz("rank", "--model", file, SENSORS)
        assert (ran.status, ran.out) == (2, ""), content[:80]
        assert one_sentence(ran.err)
    for content in (b"", b"no array", whole[:500]):
        file.write_bytes(whole)
        damaged(file, **{"training.npy": content})
        assert nestviz("rank", "--model", file, SENSORS).status == 2
    file.write_bytes(whole[: len(whole) // 2])
    ran = nestviz("rank", "--model", file, SENSORS)
    assert ran.status == 2
    assert one_sentence(ran.err)


def test_a_model_of_two_classes_ranks_no_outliers(nestviz, tmp_path):
    file = tmp_path / "model.skops"
    assert nestviz("fit", MOONS, "--method", "cost-sensitive", "-o", file).status == 0
    ran = nestviz("rank", "--model", file, MOONS)
    assert (ran.status, ran.out) == (2, "")
    assert "two classes" in ran.err
    missing = nestviz("rank", "--model", tmp_path / "none.skops", MOONS)
    assert missing.status == 1
    assert one_sentence(missing.err)


def test_json_has_null_for_what_is_not_a_number(nestviz):
    ran = nestviz("rank", MOONS, "-m", "one-class", "--contamination", "0", "--format", "json")
    assert ran.json["ranked"] == len(ran.json["points"]) == 160
    assert ran.json["points"][0]["rank"] == 1
    tree = nestviz("tree", MOONS, "--format", "json").json
    first = tree["branches"][0]
    assert first["parent"] is None
    assert first["size"] == len(first["rows"]) == 160
    assert {"birth", "death", "stability", "mass"} <= set(first)


def test_output_that_cannot_be_written_is_refused_before_any_work(nestviz, tmp_path):
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "plain").write_text("")
    for path, status in (
        (tmp_path / "none" / "out.csv", 1),
        (tmp_path / "plain" / "out.csv", 1),
        (tmp_path / "folder.csv", 1),
        (tmp_path / "out.docx", 2),
        (tmp_path / "out", 2),
    ):
        ran = nestviz("rank", MOONS, "--output", path)
        assert (ran.status, ran.out) == (status, "")
        assert one_sentence(ran.err)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.csv", "plain"]


def test_a_file_is_replaced_as_a_whole(nestviz, tmp_path, monkeypatch):
    file = tmp_path / "out.csv"
    file.write_text("before")
    file.chmod(0o640)

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        ran = nestviz("rank", MOONS, "-m", "parzen", "--output", file)
    assert ran.status == 1
    assert "No space left" in ran.err
    assert file.read_text() == "before"
    assert list(tmp_path.iterdir()) == [file]
    assert nestviz("rank", MOONS, "-m", "parzen", "--output", file).status == 0
    assert file.read_text().startswith("row,")
    if os.name != "nt":
        assert file.stat().st_mode & 0o777 == 0o640


def test_missing_packages_are_one_sentence(nestviz, tmp_path, monkeypatch):
    from nestviz import extras

    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    ran = nestviz("fit", MOONS, "--output", tmp_path / "model.skops")
    assert ran.status == 1
    assert 'pip install "nestviz[io]"' in ran.err
    assert one_sentence(ran.err.replace('"\n', '".\n'))


def test_a_broken_pipe_is_no_error(nestviz, monkeypatch):
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w", encoding="utf-8") as pipe:
        monkeypatch.setattr("sys.stdout", pipe)
        ran = nestviz("rank", MOONS, "-m", "parzen")
    assert (ran.status, ran.err) == (0, "")


@pytest.mark.slow
def test_a_process_ends_quietly_without_a_reader():
    process = start("rank", MOONS, "-m", "parzen")
    process.stdout.close()
    err = process.stderr.read()
    assert process.wait(timeout=300) == 0
    assert err == b""
    process.stderr.close()


@pytest.mark.skipif(os.name == "nt", reason="no signals")
def test_ctrl_c_leaves_no_file_and_no_traceback(tmp_path):
    table, file = tmp_path / "many.csv", tmp_path / "model.skops"
    rows = np.random.default_rng(0).normal(size=(4000, 3))
    np.savetxt(table, rows, delimiter=",", header="a,b,c", comments="")
    process = start("fit", table, "--sigma", "0.1", "--levels", "40", "-o", file, "--verbose")
    said = b""
    while b"Solving" not in said:
        line = process.stderr.readline()
        assert line, said
        said += line
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130, err
    assert out == b""
    assert b"Traceback" not in err
    assert err.endswith(b"nestviz fit: stopped.\n")
    assert list(tmp_path.iterdir()) == [table]


def test_memory_that_runs_out_is_a_sentence(capsys):
    def greedy(options):
        raise MemoryError

    assert run_command(greedy, argparse.Namespace(command="rank")) == 1
    assert one_sentence(capsys.readouterr().err)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_for_terminals(nestviz, monkeypatch):
    piped = nestviz("rank", MOONS)
    assert piped.err == ""
    logged = nestviz("rank", MOONS, "--verbose")
    assert "Solving: Nested one-class SVM: 0%" in logged.err
    for options, drawn in (((), True), (("--quiet",), False)):
        terminal = Terminal()
        monkeypatch.setattr("sys.stderr", terminal)
        assert nestviz("rank", MOONS, *options).status == 0
        assert ("\r" in terminal.getvalue()) == drawn
        # The line of progress is removed at the end.
        assert terminal.getvalue().endswith("\x1b[K" if drawn else "")


@pytest.mark.parametrize("command", ["fit", "rank", "tree", "bandwidth"])
def test_help_has_examples(nestviz, command):
    ran = nestviz(command, "--help")
    assert ran.status == 0
    assert ran.out.count(f"nestviz {command} ") >= 3
    assert "examples:" in ran.out


@pytest.mark.slow
def test_commands_need_no_app(tmp_path):
    """All four run where streamlit, plotly, pandas and matplotlib cannot be imported."""
    code = (
        "import sys\n"
        "for name in ('streamlit', 'plotly', 'pandas', 'matplotlib'):\n"
        "    sys.modules[name] = None\n"
        "from nestviz.cli import main\n"
        f"common = [{MOONS!r}, '--quiet', '--method', 'parzen', '--output']\n"
        "for name, file in (('fit', 'm.skops'), ('rank', 'r.csv'), ('tree', 't.json'),\n"
        "                   ('bandwidth', 'b.csv')):\n"
        "    more = ['--widths', '4'] if name == 'bandwidth' else []\n"
        f"    assert main([name, *common, {str(tmp_path)!r} + '/' + file, *more]) == 0\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(list(tmp_path.iterdir())) == 4
