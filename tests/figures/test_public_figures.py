"""Public names: what generated scripts import, what the reference lists, what docstrings say."""

import ast
import inspect
import re
import runpy
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PUBLIC = (
    "nestviz",
    "nestviz.analysis",
    "nestviz.data",
    "nestviz.estimators",
    "nestviz.figures",
    "nestviz.kernels",
    "nestviz.volume",
)
IMPORT = re.compile(r"from (nestviz[\w.]*) import ([\w, ]+|\0)")


def script_lines():
    """Every text in the app that is an import of a generated script; \\0 is a name filled in."""
    for path in sorted((ROOT / "nestviz" / "ui").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            parts = node.values if isinstance(node, ast.JoinedStr) else [node]
            text = "".join(
                part.value if isinstance(part, ast.Constant) and isinstance(part.value, str)
                else "\0"
                for part in parts
                if isinstance(part, ast.Constant | ast.FormattedValue)
            )  # fmt: skip
            yield from ((path.name, *found) for found in IMPORT.findall(text))


SCRIPT_IMPORTS = sorted(set(script_lines()))


def test_there_are_generated_imports_of_all_kinds():
    modules = {module for _, module, _ in SCRIPT_IMPORTS}
    assert {"nestviz", "nestviz.analysis", "nestviz.data", "nestviz.figures"} <= modules


@pytest.mark.parametrize(("file", "module", "names"), SCRIPT_IMPORTS)
def test_generated_scripts_import_public_names(file, module, names):
    assert module in PUBLIC
    listed = import_module(module).__all__
    assert all(name in listed for name in names.split(", ") if name != "\0")


def test_names_that_scripts_fill_in_are_public():
    """Estimators of the methods, scores, and steps of ``nestviz.data``."""
    import nestviz
    from nestviz.ui.compute.methods import METHODS

    estimators = {row.estimator for rows in METHODS.values() for row in rows.values()}
    assert estimators <= set(nestviz.__all__)
    scores = {"minimax_score", "neyman_pearson_score"}
    assert scores <= set(import_module("nestviz.analysis").__all__)
    steps = {"standardise", "subsample", "project"}
    assert steps <= set(import_module("nestviz.data").__all__)


def test_every_figure_is_public():
    figures = import_module("nestviz.figures")
    made = {
        node.name
        for path in (ROOT / "nestviz" / "figures").glob("*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.endswith("_figure")
    }
    assert made <= set(figures.__all__)
    assert all(getattr(figures, name) is not None for name in figures.__all__)


def test_the_reference_lists_every_public_name():
    """Run ``python docs/make_reference.py`` after a change of a public name."""
    made = runpy.run_path(str(ROOT / "docs" / "make_reference.py"))["text"]()
    assert (ROOT / "docs" / "reference.md").read_text("utf-8") == made
    for module in PUBLIC:
        for name in import_module(module).__all__:
            assert name == "__version__" or re.search(rf"\.{name}\b", made), f"{module}.{name}"


def public_functions():
    for module in ("nestviz.analysis", "nestviz.data", "nestviz.figures"):
        for name in import_module(module).__all__:
            value = getattr(import_module(module), name)
            if inspect.isfunction(value) and value.__module__.startswith(module):
                yield pytest.param(value, id=f"{module}.{name}")


@pytest.mark.parametrize("function", list(public_functions()))
def test_docstrings_have_sections_that_match_the_signature(function):
    text = inspect.getdoc(function)
    summary = text.splitlines()[0]
    assert summary.endswith(".")
    assert summary[0].isupper()
    assert "Returns\n-------\n" in text
    parameters = set(inspect.signature(function).parameters)
    if parameters:
        section = text.split("Parameters\n----------\n")[1].split("\n\n")[0]
        heads = [line for line in section.splitlines() if not line.startswith(" ")]
        named = {name for head in heads for name in head.split(" : ")[0].split(", ")}
        assert {name.lstrip("*") for name in named} == parameters


def test_old_keywords_work_with_a_warning():
    from nestviz import ParzenLevelSets
    from nestviz.analysis import cluster_tree, minimum_volume_set
    from nestviz.data import hold_out, make_sample, subsample, thin_class

    with pytest.warns(FutureWarning, match="random_state"):
        data = make_sample("blobs", seed=3, n=20)
    assert data == make_sample("blobs", random_state=3, n=20)
    with pytest.warns(FutureWarning, match="random_state"):
        assert subsample(data, 5, seed=1) == subsample(data, 5, 1)
    with pytest.warns(FutureWarning, match="random_state"):
        assert hold_out(data, 0.5, seed=1)[0].tolist() == hold_out(data, 0.5, 1)[0].tolist()
    with pytest.warns(FutureWarning, match="random_state"):
        assert thin_class(data, 1, 0.5, seed=1).tolist() == thin_class(data, 1, 0.5, 1).tolist()
    model = ParzenLevelSets(1.0)
    with pytest.warns(FutureWarning, match="cv"):
        old = minimum_volume_set(model, data.X, 0.5, folds=2)
    assert old.level == minimum_volume_set(model, data.X, 0.5, cv=2).level
    with pytest.warns(FutureWarning, match="n_neighbors"):
        assert len(cluster_tree(model.fit(data.X).family_, data.X, neighbours=3)) > 0
