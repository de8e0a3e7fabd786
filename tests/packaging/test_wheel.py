"""The built wheel works alone, from any folder."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 3600
"""Seconds after which a server counts as stuck: a new environment compiles all kernels first."""

pytestmark = pytest.mark.wheel


@pytest.fixture(autouse=True)
def only_what_is_installed(monkeypatch) -> None:
    """The path of a checkout would be searched before the wheel."""
    monkeypatch.delenv("PYTHONPATH", raising=False)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out)]
    subprocess.run([*command, str(ROOT)], check=True, stdout=subprocess.DEVNULL)
    (built,) = out.glob("nestviz-*.whl")
    return built


def environment(home: Path, wanted: str) -> Path:
    """The folder of commands of a new environment that holds the wheel and what it asks for."""
    venv.create(home, with_pip=True)
    commands = home / ("Scripts" if os.name == "nt" else "bin")
    pip = [str(commands / "python"), "-m", "pip", "install", "--quiet", "--no-compile"]
    subprocess.run([*pip, "-c", str(ROOT / "constraints.txt"), wanted], check=True)
    return commands


@pytest.fixture(scope="module")
def library(wheel, tmp_path_factory) -> Path:
    """An environment without extras."""
    return environment(tmp_path_factory.mktemp("library"), str(wheel))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """An environment with the app."""
    return environment(tmp_path_factory.mktemp("app"), f"{wheel}[app]")


WITHOUT_EXTRAS = """
import nestviz
from nestviz.analysis.tree.cluster_tree import cluster_tree
from nestviz.data import DataError, read_table

X = nestviz.make_sample("banana", n=60).X
fitted = nestviz.NestedOneClassSVM(0.5).fit(X)
assert len(cluster_tree(fitted.family_, X).birth) > 0
assert read_table(b"a,b\\n1,2\\n", "points.csv").n_rows == 1
for act in (
    lambda: read_table(b"PAR1....PAR1", "points.parquet"),
    lambda: nestviz.save_model(fitted, "model.zip"),
    lambda: __import__("nestviz.figures"),
):
    try:
        act()
    except (DataError, ImportError) as missing:
        print(missing)
"""


def test_the_library_works_without_extras(library, tmp_path):
    done = subprocess.run(
        [library / "python", "-c", WITHOUT_EXTRAS],
        cwd=tmp_path, check=True, capture_output=True, text=True,
    )  # fmt: skip
    sentences = done.stdout.splitlines()
    assert len(sentences) == 3
    assert all('pip install "nestviz[' in sentence for sentence in sentences)
    app = subprocess.run([library / "nestviz", "app"], capture_output=True, text=True)
    assert app.returncode == 1
    assert app.stderr.count("\n") == 1
    assert 'pip install "nestviz[app]"' in app.stderr


def tracked(*paths: str) -> set[str]:
    """The files of the repository below some folders."""
    command = ["git", "ls-files", "-z", *paths]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return set(listed.split("\0")) - {""}


def test_the_wheel_carries_the_app_its_pages_texts_and_data(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    bundled = tracked("pages", "sample_data", "app.py", ".streamlit")
    assert {f"nestviz/_bundle/{name}" for name in bundled} <= names
    results = {name.removeprefix("docs/") for name in tracked("docs/results")}
    assert {f"nestviz/_bundle/{name}" for name in results} <= names
    own = tracked("nestviz")
    assert {".css", ".js", ".md", ".py", ".pyi", ".toml"} <= {Path(name).suffix for name in own}
    assert own <= names
    assert not [name for name in names if "__pycache__" in name or name.startswith("tests")]


def test_the_version_is_told(installed):
    told = subprocess.run(
        [installed / "nestviz", "--version"], check=True, capture_output=True, text=True
    )
    assert told.stdout.strip() == f"nestviz {__import__('nestviz').__version__}"


def test_samples_are_there(installed, tmp_path):
    code = "import nestviz; print(nestviz.__file__, nestviz.make_sample('bench-heart').n)"
    told = subprocess.run(
        [installed / "python", "-c", code], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    where, count = told.stdout.split()
    assert count == "270"
    assert not Path(where).is_relative_to(ROOT)


def test_the_app_answers_from_any_folder(installed, tmp_path):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = (tmp_path / "log.txt").open("w+")
    server = subprocess.Popen(
        [installed / "nestviz", "app", "--port", str(port), "--headless"],
        cwd=tmp_path,
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    try:
        _wait_for(f"http://127.0.0.1:{port}/_stcore/health", server)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/data", timeout=PATIENCE) as answer:
            assert answer.status == 200
        log.seek(0)
        assert f"http://127.0.0.1:{port}" in log.read()
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE)
        log.close()


def _wait_for(url: str, server: subprocess.Popen) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        assert server.poll() is None, "the server ended before it answered"
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.2)
    pytest.fail(f"{url} did not answer")
