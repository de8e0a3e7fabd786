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


PROSE = sorted(
    [
        *(page for page in (ROOT / "docs").glob("*.md") if page.name != "architecture.md"),
        *(ROOT / "docs" / "teaching").glob("*.md"),
        *(ROOT / "nestviz" / "ui" / "pages").glob("*/*.md"),
        ROOT / "README.md",
        ROOT / "CHANGELOG.md",
    ]
)
ODD_WORDS = re.compile(
    r"\b(whoever|told|as can be|matter of course|heaps?|melts?|dearer|heeded|density level λ)\b"
    r"|(?<!in )\bplaces?\b|\bcomes? in\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize("path", PROSE, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_texts_use_the_words_of_the_field(path):
    found = [line for line in path.read_text("utf-8").splitlines() if ODD_WORDS.search(line)]
    assert not found


def test_every_page_of_the_manual_is_in_the_table_of_contents():
    index = (ROOT / "docs" / "index.md").read_text("utf-8")
    (contents,) = re.findall(r"```{toctree}\n.*?\n\n(.*?)```", index, re.DOTALL)
    pages = {page.stem for page in (ROOT / "docs").glob("*.md")} - {"index"}
    assert set(contents.split()) == pages | {"gallery/index", "results/index", "teaching/index"}
    assert all(f"({page}.md)" in index for page in pages)


def test_links_between_pages_lead_to_pages_and_headings():
    teaching = (ROOT / "docs" / "teaching").glob("*.md")
    for source in [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *teaching]:
        for target, anchor in re.findall(r"\]\(([\w/.-]+\.md)(?:#([\w-]+))?\)", source.read_text()):
            page = source.parent / target
            assert page.is_file(), f"{source.name} links to {target}"
            headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
            names = {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in headings}
            assert not anchor or anchor in names, f"{source.name} links to {target}#{anchor}"
