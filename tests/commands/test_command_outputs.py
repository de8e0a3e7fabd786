"""Every format out, the same bytes each time, files that are whole or absent; how a run ends."""

import argparse
import io
import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from command_runs import MOONS, one_sentence, start

from nestviz import cli
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
