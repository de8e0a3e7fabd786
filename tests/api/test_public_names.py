"""Public names: stubs, ``__all__``, types that a consumer sees, numpydoc sections."""

import ast
import dataclasses
import importlib
import inspect
import os
import re
import runpy
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from numpydoc.validate import validate

ROOT = Path(__file__).parents[2]
STUBS = sorted((ROOT / "nestviz").rglob("__init__.pyi"))
LAZY = [".".join(path.parent.relative_to(ROOT).parts) for path in STUBS]
DOCUMENTED = [
    "nestviz", "nestviz.analysis", "nestviz.estimators", "nestviz.figures", "nestviz.volume",
]  # fmt: skip
#: Packages whose public methods are checked beside their classes and functions.
WITH_METHODS = ["nestviz.estimators"]
CHECKS = {
    "GL01", "GL02", "GL03", "GL05", "GL06", "GL07", "GL08", "SS01", "SS03", "SS05",
    "PR01", "PR02", "PR03", "PR04", "PR05", "PR10", "RT01",
}  # fmt: skip


def names_of_stub(package):
    """Imported and assigned names of a stub, and its ``__all__``."""
    path = Path(importlib.import_module(package).__file__).with_suffix(".pyi")
    imported, listed = {"__version__"} if package == "nestviz" else set(), []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            imported |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Assign):
            (target,) = node.targets
            if target.id == "__all__":
                listed = ast.literal_eval(node.value)
            else:
                imported.add(target.id)
    return imported, listed


@pytest.mark.parametrize("package", LAZY)
def test_the_stub_lists_what_can_be_imported(package):
    module = importlib.import_module(package)
    imported, listed = names_of_stub(package)
    assert len(set(listed)) == len(listed)
    assert set(module.__all__) == set(listed) == imported
    assert set(module.__all__) <= set(dir(module)) | {"__version__"}
    for name in module.__all__:
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match="no_such_name"):
        module.no_such_name  # noqa: B018


def test_every_documented_package_of_names_has_a_stub():
    assert {"nestviz", "nestviz.analysis", "nestviz.estimators", "nestviz.volume"} <= set(LAZY)


def test_names_are_loaded_on_first_use():
    code = "import sys, nestviz; nestviz.Grid; print(*sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(ended.stdout.split())
    assert "nestviz.grids" in loaded
    assert not {"streamlit", "plotly", "sklearn", "nestviz.estimators.base"} & loaded


@pytest.mark.slow
def test_a_typed_consumer_sees_every_name(request):
    """The public classes were ``object`` to mypy while ``__getattr__`` had no stub."""
    here, cache = Path(__file__).parent, request.config.rootpath / ".mypy_cache" / "consumer"
    command = [
        sys.executable, "-m", "mypy", "--strict", "--config-file=mypy.ini",
        f"--cache-dir={cache}", "consumer.py",
    ]  # fmt: skip
    environment = {**os.environ, "MYPYPATH": str(ROOT)}
    ended = subprocess.run(command, cwd=here, env=environment, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_the_typed_consumer_runs():
    with warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)
        runpy.run_path(str(Path(__file__).parent / "consumer.py"))


def public_objects(package):
    """Full names of the public functions and classes of a package."""
    module = importlib.import_module(package)
    found = set()
    for value in (getattr(module, name) for name in getattr(module, "__all__", ())):
        if not (inspect.isclass(value) or inspect.isfunction(value)):
            continue
        found.add(f"{value.__module__}.{value.__qualname__}")
        if inspect.isclass(value) and package in WITH_METHODS:
            members = [inspect.getattr_static(value, name) for name in dir(value) if name[0] != "_"]
            found |= {
                f"{member.__module__}.{member.__qualname__}"
                for member in members
                if inspect.isfunction(member) and member.__module__.startswith("nestviz")
            }
    return found


def is_expected(name, error):
    """Whether a convention of ours explains an error of the validator."""
    code, text = error
    module, _, last = name.rpartition(".")
    value = getattr(sys.modules.get(module), last, None)
    if code == "PR01":  # the parameters of a record are its attributes
        return dataclasses.is_dataclass(value) or hasattr(value, "_fields")
    if code == "PR04":  # the type is where the description refers to
        parameter = re.search('"(.+)"', text)[1]
        entry = rf"^(.*, )?{re.escape(parameter)}(, .*)?\n +As in "
        return re.search(entry, inspect.getdoc(value) or "", re.MULTILINE) is not None
    return False


OBJECTS = sorted({name for package in DOCUMENTED for name in public_objects(package)})


@pytest.mark.parametrize("name", OBJECTS)
def test_sections_say_what_the_signature_says(name):
    found = [error for error in validate(name)["errors"] if error[0] in CHECKS]
    assert not [error for error in found if not is_expected(name, error)]


SCRIPTS = sorted((ROOT / "nestviz" / "ui").rglob("*.py"))
IMPORT = re.compile(r"""["'](?:from (nestviz\.estimators[\w.]*) import ([\w, ]+))""")


def test_generated_scripts_import_public_names():
    """What a page writes for its user comes from the package, not from a module inside it."""
    found = [match for path in SCRIPTS for match in IMPORT.findall(path.read_text("utf-8"))]
    public = importlib.import_module("nestviz.estimators").__all__
    for module, names in found:
        assert module == "nestviz.estimators"
        assert set(re.split(r", ?", names)) <= set(public)
