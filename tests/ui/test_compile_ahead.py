"""Kernels are compiled before the first visit."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from nestviz import compiled
from nestviz.ui import compile_ahead, launch

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A folder for the cache, with two files that are said to be all of it."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    files = {str(tmp_path / name) for name in ("a.nbi", "a.nbc")}
    for path in files:
        Path(path).write_text(path)
    monkeypatch.setattr(compiled, "cache_files", lambda: files)
    monkeypatch.setattr(compile_ahead, "steps", lambda: [lambda: None] * 3)
    return tmp_path


def test_what_was_compiled_is_found_again(folder):
    assert not compile_ahead.is_compiled()
    assert compile_ahead.compile_all() == 0
    assert compile_ahead.is_compiled()
    assert sorted(path.name for path in folder.iterdir()) == ["a.nbc", "a.nbi", compile_ahead.LIST]


def empty(path: Path) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | {"files": {}}))


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: (folder / "a.nbc").write_text("damaged"),
        lambda folder: (folder / "a.nbi").unlink(),
        lambda folder: (folder / compile_ahead.LIST).write_bytes(b"\xff{"),
        lambda folder: (folder / compile_ahead.LIST).write_text("[]"),
        lambda folder: (folder / compile_ahead.LIST).write_text('{"machine": 1, "files": {}}'),
        lambda folder: empty(folder / compile_ahead.LIST),
    ],
)
def test_what_is_damaged_or_missing_is_noticed(folder, damage):
    compile_ahead.compile_all()
    damage(folder)
    assert not compile_ahead.is_compiled()


def test_another_processor_or_version_is_noticed(folder, monkeypatch):
    compile_ahead.compile_all()
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")
    assert not compile_ahead.is_compiled()
    monkeypatch.delenv("NUMBA_CPU_NAME")
    assert compile_ahead.is_compiled()
    monkeypatch.setattr(compile_ahead, "version", lambda name: "0.0")
    assert not compile_ahead.is_compiled()


def test_a_folder_that_is_not_writable_is_no_error(folder, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder / "a.nbi"))
    compile_ahead.compile_all()
    assert not compile_ahead.is_compiled()


def test_progress_is_written_where_something_is_compiled(folder, monkeypatch, capsys):
    def miss():
        for call in compiled.on_miss:
            call()

    compile_ahead.compile_all()
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(compile_ahead, "steps", lambda: [miss, lambda: None, miss])
    assert compile_ahead.compile_all() == 2
    first, last = capsys.readouterr().err.splitlines()
    assert first.startswith("Compiling the kernels, once on this machine")
    assert "step 0 of 3, 1 compiled" in first
    assert "step 3 of 3, 2 compiled" in last
    assert compiled.on_miss == []


def test_the_app_compiles_before_it_is_ready_only_what_is_missing(monkeypatch):
    calls = []
    monkeypatch.setattr(launch, "compile_all", lambda: calls.append("compile"))
    monkeypatch.setattr(launch, "warm_up", lambda: None)
    for compiled_before in (True, False):
        monkeypatch.setattr(launch, "is_compiled", lambda known=compiled_before: known)
        launch.prepare()
        assert calls == ([] if compiled_before else ["compile"])


@pytest.mark.nightly
def test_the_pages_compile_nothing_more(tmp_path):
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": paths}

    def run(*command: str) -> None:
        subprocess.run([sys.executable, "-m", *command], cwd=ROOT, env=environment, check=True)

    run("nestviz", "compile")
    before = set(tmp_path.rglob("*.nbc"))
    assert len(before) > 100
    run("pytest", "-p", "no:cacheprovider", "-n", "0", "tests/app", "tests/ui/test_live_scenes.py")
    assert {path.name for path in set(tmp_path.rglob("*.nbc")) - before} == set()


@pytest.mark.nightly
def test_tasks_of_workers_compile_nothing_more(tmp_path):
    """Every search and analysis, without pages, with the kernels in a new cache."""
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    found = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("compiled_tasks.py"))],
        cwd=ROOT, check=True, capture_output=True, text=True,
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": paths},
    )  # fmt: skip
    *missing, count = found.stdout.splitlines()
    assert missing == []
    assert int(count.split()[0]) > 40
