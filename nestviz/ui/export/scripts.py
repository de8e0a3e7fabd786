"""The Python lines that do what a page does: the same data, the same fit, the same figure.

Pages put a script together from lines. A line that imports moves to the top of the script and is
merged with others of its module, so that every line can name what it needs beside its use.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from nestviz.data import Dataset, label_name
from nestviz.ui.compute.methods import Spec

if TYPE_CHECKING:
    from nestviz.ui.data_choice import Current

Lines = tuple[str, ...]
WIDTH = 88
"""Longest line of a script that is not broken."""
_FROM = re.compile(r"from (\S+) import (.+)")


def script(current: Current, *lines: str) -> str:
    """A whole script: imports, the data as ``data``, then the lines given.

    Parameters
    ----------
    current : Current
        The data in use; the first lines make the data set that was fitted.
    *lines : str
        Python lines, or several at once parted by newlines; an empty one parts paragraphs.

    Returns
    -------
    str
        The text of a program that runs on its own.
    """
    split = [part for line in (*current.steps, "", *lines) for part in line.split("\n")]
    imports = [line for line in split if _FROM.fullmatch(line) or line.startswith("import ")]
    body = "\n".join(line for line in split if line not in imports).strip()
    return f"{_merged(imports)}\n\n{body}\n"


def sample_lines(name: str, seed: int, options: Mapping[str, float]) -> Lines:
    """A sample of the registry."""
    chosen = "".join(f", {option}={value!r}" for option, value in options.items())
    return (
        "from nestviz import make_sample",
        f"data = make_sample({_value(name)}, random_state={seed}{chosen})",
    )


def file_lines(dataset: Dataset) -> Lines:
    """Own data, from the file of `own_file_name`."""
    label = f", label={_value(label_name(dataset))}" if dataset.labelled else ""
    return (
        "from nestviz.data import read_dataset",
        f"data = read_dataset({_value(own_file_name(dataset))}{label})",
    )


def own_file(current: Current) -> tuple[str, Dataset] | None:
    """Name and content of the file that the script reads; None where it draws a sample."""
    return None if current.own is None else (own_file_name(current.own), current.own)


def own_file_name(dataset: Dataset) -> str:
    """What the file of a user's own data is called: letters, digits, and what parts them."""
    words = re.sub(r"[^\w-]+", "-", dataset.name, flags=re.ASCII).strip("-_")
    return f"{words[:60] or 'data'}.csv"


def step_lines(name: str, *arguments: object, of: str = "data", then: str = "") -> Lines:
    """A function of ``nestviz.data`` applied to the data."""
    given = "".join(f", {_value(argument)}" for argument in arguments)
    return f"from nestviz.data import {name}", f"data = {name}({of}{given}){then}"


LINE_LINES = (
    "import numpy as np",
    "from nestviz import Dataset",
    'names = (data.feature_names[0], "(nothing)")',
    "data = Dataset(np.column_stack([data.X[:, 0], np.zeros(data.n)]), data.y, names)",
)
"""One feature, drawn along a line."""


def fit_lines(current: Current, variable: str, spec: Spec) -> Lines:
    """An estimator fitted to the data under a name of its own."""
    name = spec.row.estimator
    parameters = spec.row.parameters(spec, current.fitted.X)
    given = ", ".join(f"{name}={_value(value)}" for name, value in parameters.items())
    y = ", data.y" if spec.two_classes else ""
    line = f"{variable} = {name}({given}).fit(data.X{y})"
    if len(line) > WIDTH and "\n" not in line:
        line = f"{variable} = {name}(\n    {given}\n).fit(data.X{y})"
    return f"from nestviz import {name}", line


def _value(value: object) -> str:
    """A parameter as Python writes it, numbers to the last digit."""
    if isinstance(value, np.ndarray):
        numbers = textwrap.fill(", ".join(map(repr, value.tolist())), WIDTH - 4)
        return f"[\n{textwrap.indent(numbers, '    ')},\n]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def family_of(variable: str, spec: Spec) -> str:
    """The expression for the family of a fitted estimator."""
    return f"{variable}.family_.union()" if spec.row.joins else f"{variable}.family_"


def grid_lines(current: Current) -> Lines:
    """The pixels of the pictures, as ``grid``."""
    if current.plane_key == "slice":
        return (
            "from nestviz import Grid",
            "from nestviz.data import principal_plane",
            "grid = Grid.around(data.X, plane=principal_plane(data.X))",
        )
    return "from nestviz import Grid", "grid = Grid.around(data.X)"


def families(current: Current, specs: Sequence[Spec]) -> Lines:
    """All families of a page, as the mapping ``families`` from titles."""
    rows = [(f"model_{k + 1}", spec) for k, spec in enumerate(specs)]
    fits = [line for name, spec in rows for line in fit_lines(current, name, spec)]
    entries = [f"    {_value(spec.title)}: {family_of(name, spec)}," for name, spec in rows]
    return (*fits, "families = {", *entries, "}")


def sets_at(current: Current, specs: Sequence[Spec], level: float) -> str:
    """The families of a sweep page and their sets at one level, drawn side by side.

    Parameters
    ----------
    current : Current
    specs : sequence of Spec
        One method per panel, all of one class or all of two; two equal ones are drawn once.
    level : float
        The level λ, or of two classes the cost asymmetry, at which the page rests.
    """
    two_classes = specs[0].two_classes
    name = "cost asymmetry γ" if two_classes else "level λ"
    return script(
        current,
        *families(current, specs),
        "",
        "from nestviz.analysis import sweep",
        *grid_lines(current),
        f"level = {float(level)!r}",
        "panels = [",
        "    (title, sweep(family, grid, data.X, [level]))",
        "    for title, family in families.items()",
        "]",
        "",
        "from nestviz.figures import outlines_figure",
        "points = grid.plane.coordinates(data.X)",
        f'figure = outlines_figure(panels, points, data.y, "{name}")',
        f'figure.write_html("{"two" if two_classes else "one"}-class.html")',
    )


def solution_path(current: Current, path: Spec, nested: Spec, level: float) -> str:
    """The Solution path page: coefficients of the path and of the nested SVM.

    Parameters
    ----------
    current : Current
    path, nested : Spec
        The two problems, both of one class or both of two.
    level : float
        The level that is marked.
    """
    two_classes = path.two_classes
    nodes = "nested.asymmetries_" if two_classes else "nested.levels_"
    name = "cost asymmetry γ" if two_classes else "level λ"
    return script(
        current,
        *fit_lines(current, "path", path),
        *fit_lines(current, "nested", nested),
        "",
        "import numpy as np",
        f"level = {float(level)!r}",
        "top = 1.0" if two_classes else "top = path.breakpoints_[0]",
        "levels = np.linspace(1e-6 * top, top, 300)",
        "panels = [",
        '    ("un-nested path", levels, path.coefficients(levels)),',
        f'    ("nested", {nodes}, nested.alpha_),',
        "]",
        "",
        "from nestviz.figures import path_figure",
        f'figure = path_figure(panels, "{name}", level, path.breakpoints_)',
        'figure.write_html("solution-path.html")',
    )


def _merged(imports: Sequence[str]) -> str:
    """Import lines in order, one per module."""
    plain = sorted({line for line in imports if line.startswith("import ")})
    named: dict[str, set[str]] = {}
    for line in imports:
        if found := _FROM.fullmatch(line):
            named.setdefault(found[1], set()).update(found[2].split(", "))
    lines = []
    for module in sorted(named):
        # Classes before functions, as sorters of imports have it.
        names = sorted(named[module], key=lambda name: (not name[0].isupper(), name))
        line = f"from {module} import {', '.join(names)}"
        if len(line) > WIDTH:
            line = f"from {module} import (\n    " + ",\n    ".join(names) + ",\n)"
        lines.append(line)
    return "\n".join([*plain, *([""] if plain and lines else []), *lines])
