"""Rules of the architecture that import-linter cannot see."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted((ROOT / "nestviz").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def test_importing_nestviz_loads_neither_streamlit_nor_plotly():
    code = "import sys, nestviz, nestviz.cli; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()
    for heavy in ("streamlit", "plotly", "matplotlib", "sklearn", "pandas"):
        assert heavy not in loaded


def test_every_public_name_can_be_loaded():
    import nestviz

    for name in nestviz.__all__:
        assert getattr(nestviz, name) is not None


def test_names_of_the_analysis_stay_functions():
    """A module of the same name would take a function's place once it has been imported."""
    import nestviz.analysis

    for _ in range(2):
        for name in nestviz.analysis.__all__:
            assert callable(getattr(nestviz.analysis, name)), name


@cache
def tree_of(path):
    return ast.parse(path.read_text("utf-8"))


@cache
def imports(path):
    """The modules that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


@pytest.mark.parametrize(
    ("package", "home"),
    [
        ("streamlit", "nestviz/ui/"),
        ("plotly", "nestviz/figures/"),
        ("matplotlib", ("nestviz/drawing/", "nestviz/ui/export/", "nestviz/ui/pages/home/")),
    ],
)
def test_front_end_packages_stay_in_their_layer(package, home):
    """Function-level imports count too, which a look at sys.modules would miss."""
    strangers = [
        path.relative_to(ROOT).as_posix()
        for path in SOURCES
        if any(name.split(".")[0] == package for name in imports(path))
        and not path.relative_to(ROOT).as_posix().startswith(home)
    ]
    assert strangers == []


def test_pages_are_thin_and_in_the_menu():
    from nestviz.ui.app import PAGES

    listed = {file for pages in PAGES.values() for file, *_ in pages}
    found = {p.relative_to(ROOT).as_posix() for p in (ROOT / "pages").rglob("*.py")}
    assert listed == found
    for file in found:
        assert len((ROOT / file).read_text("utf-8").splitlines()) <= 60
        # Streamlit would run files directly below pages/ without the frame.
        assert file.count("/") == 2


def test_kernels_release_the_lock_and_are_cached():
    for path in SOURCES:
        for options in re.findall(r"@njit\((.*?)\)", path.read_text("utf-8")):
            assert "cache=True" in options, path
            assert "nogil=True" in options, path
            assert "parallel" not in options, path


def test_constraints_name_versions_only():
    for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines():
        pin, _, marker = line.partition(" ; ")
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", pin), line
        assert re.fullmatch(r"(python_version >= '3\.\d+')?", marker), line


def test_what_is_kept_of_users_data_is_bounded_and_theirs():
    """Streamlit's own caches are shared by all sessions and know no limit in bytes."""
    allowed = {
        "pages/data/gallery.py": "samples only",
        "data_input/files.py": "in the scope of its session",
        "pages/home/start_pictures.py": "samples only",
        "pages/theory/examples.py": "tiny data of its own",
    }
    ui = ROOT / "nestviz" / "ui"
    users = {
        file.relative_to(ui).as_posix()
        for file in ui.rglob("*.py")
        if "@st.cache_" in file.read_text("utf-8")
    }
    assert users == set(allowed)


FOREIGN = {"_page_hash", "_run", "_tree"}
"""Of streamlit's `AppTest`, which has no public way to open a page directly, or to report what a
component does."""
DOCUMENTED = {"_replace", "_asdict", "_fields", "_repr_html_", "_exit"}


def private_names(tree):
    """Names with a leading underscore that a test imports, reads or replaces."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("nestviz"):
            yield from (alias.name for alias in node.names)
            yield from (node.module or "").split(".")
        elif isinstance(node, ast.Attribute) and not (
            isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
        ):
            yield node.attr
        elif isinstance(node, ast.Constant) and str(node.value).startswith("nestviz."):
            yield from str(node.value).split(".")
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "setattr":
            yield from (str(part.value) for part in node.args if isinstance(part, ast.Constant))


def test_tests_use_public_names():
    hidden = {
        (path.name, name)
        for path in TESTS
        for name in private_names(tree_of(path))
        if re.match(r"_[a-zA-Z]", name) and name not in FOREIGN | DOCUMENTED
    }
    assert hidden == set()


def test_names_of_test_files_are_unique():
    """Two test files of one name are one module to pytest, and collecting them fails."""
    names = [file.name for file in TESTS if file.name.startswith("test_")]
    assert len(names) == len(set(names))


def test_what_browsers_send_is_decoded():
    """The address, files and reports of components reach the app through `nestviz.ui.decoding`."""
    ui = ROOT / "nestviz" / "ui"
    found = set()
    for path in ui.rglob("*.py"):
        tree, file = ast.parse(path.read_text("utf-8")), path.relative_to(ui).as_posix()
        shown = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            name = getattr(node, "attr", getattr(node, "id", ""))
            if name == "query_params":
                found.add((file, name))
            if not isinstance(node, ast.Call):
                continue
            called = ast.unparse(node.func)
            # What a component returns is a report as it came.
            raw = called in ("_mount", "_mark") and id(node) not in shown
            if raw or called in ("json.loads", "json.load", "parse_json"):
                found.add((file, called))
            if called == "reported":
                assert len(node.args) == 3, f"{file}: a report needs a decoder"
    assert found == {
        ("session/view.py", "query_params"),
        ("session/session_file.py", "parse_json"),
        ("live/question.py", "parse_json"),
        ("decoding.py", "json.loads"),
        ("compile_ahead.py", "json.loads"),  # The same
        ("scene/message.py", "json.loads"),  # Reads what the app itself has written
    }


def test_selections_of_widgets_are_decoded():
    """Tables and charts report what is selected as it came, too."""
    users = {
        path.name
        for path in (ROOT / "nestviz" / "ui").rglob("*.py")
        if re.search(
            r"session_state\[\w+\]\[|\.selection\.(rows|points)\b(?!s)", path.read_text("utf-8")
        )
    }
    assert users == set()
