"""What the documents say is true: their code runs, docstrings name what there is."""

import doctest
import inspect
import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import nestviz

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in (ROOT / "nestviz").rglob("*.py")
    if ">>>" in path.read_text("utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name):
    with np.printoptions(legacy=False):
        result = doctest.testmod(import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted > 0
    assert result.failed == 0


def test_the_readme_code_runs():
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})


ESTIMATORS = [
    value
    for name in nestviz.__all__
    if inspect.isclass(value := getattr(nestviz, name)) and hasattr(value, "fit")
]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: e.__name__)
def test_documented_parameters_are_those_of_the_signature(estimator):
    text = inspect.getdoc(estimator)
    section = text.split("Parameters\n----------\n")[1].split("\n\nAttributes")[0]
    documented = [
        name.strip()
        for line in section.splitlines()
        if re.match(r"^[A-Za-z]\w*(, \w+)*( :.*)?$", line)
        for name in line.split(" : ")[0].split(",")
    ]
    assert sorted(documented) == sorted(inspect.signature(estimator).parameters)
