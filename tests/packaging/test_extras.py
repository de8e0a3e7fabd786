"""The library needs few packages; where an extra is missing, one sentence says how to get it."""

import ast
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from nestviz import cli, extras
from nestviz.estimators import ParzenLevelSets, model_files

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CORE = {
    "numpy", "scipy", "sklearn", "numba", "joblib", "threadpoolctl", "contourpy", "lazy_loader",
}  # fmt: skip
LIBRARY = ("analysis", "data", "estimators", "solvers", "volume")


def imported_at_once(path):
    """Packages that a module imports when it is imported itself."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]


def test_the_library_imports_only_what_it_depends_on():
    files = [*(ROOT / "nestviz").glob("*.py")]
    files += [path for part in LIBRARY for path in (ROOT / "nestviz" / part).rglob("*.py")]
    found = {name for path in files for name in imported_at_once(path)}
    assert found - sys.stdlib_module_names - {"nestviz"} <= CORE


def test_extras_that_messages_name_exist():
    known = set(PROJECT["optional-dependencies"])
    assert {"app", "io", "plot", "umap", "video", "all"} <= known


@pytest.fixture
def without(monkeypatch):
    """Hide packages as if they were not installed."""

    def hide(*packages):
        monkeypatch.setattr(
            extras, "find_spec", lambda name: None if name in packages else find_spec(name)
        )

    return hide


def test_the_app_without_streamlit_is_one_sentence(without, capsys):
    without("streamlit")
    assert cli.main(["app"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert 'pip install "nestviz[app]"' in said.err


def test_models_without_skops_say_what_to_install(without, tmp_path):
    without("skops")
    fitted = ParzenLevelSets(0.5).fit(np.random.default_rng(0).normal(size=(9, 2)))
    for act in (
        lambda: model_files.save_model(fitted, tmp_path / "model.zip"),
        lambda: model_files.load_model(tmp_path / "model.zip"),
    ):
        with pytest.raises(extras.MissingPackageError, match=r'pip install "nestviz\[io\]"'):
            act()


def test_what_is_installed_is_not_asked_for():
    extras.require("numpy", "io", "Arrays")
