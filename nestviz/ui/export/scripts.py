"""Python scripts that do what a page does: the same data, the same fit, the same figure.

Pages join lines to a script. Import lines move to its top and are merged by module, so that every
group of lines can import what it uses.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from nestviz.data import Dataset, label_name
from nestviz.ui.compute.methods import Spec, mean_one

if TYPE_CHECKING:
    from nestviz.ui.data_choice import Current

Lines = tuple[str, ...]
WIDTH = 88
"""Longest line of a script that is not broken."""
_FROM = re.compile(r"from (\S+) import (.+)")


def script(current: Current, *lines: str) -> str:
    """Return a whole script: imports, the fitted data as ``data``, then the lines given."""
    split = [part for line in (*current.steps, "", *lines) for part in line.split("\n")]
    imports = [line for line in split if _FROM.fullmatch(line) or line.startswith("import ")]
    body = "\n".join(line for line in split if line not in imports).strip()
    return f"{_merged(imports)}\n\n{body}\n"


def sample_lines(name: str, seed: int, options: Mapping[str, float]) -> Lines:
    """Return lines that draw a sample."""
    chosen = "".join(f", {option}={value!r}" for option, value in options.items())
    return (
        "from nestviz import make_sample",
        f"data = make_sample({_value(name)}, random_state={seed}{chosen})",
    )


def file_lines(dataset: Dataset) -> Lines:
    """Return lines that read own data from the file of `own_file_name`."""
    label = f", label={_value(label_name(dataset))}" if dataset.labelled else ""
    return (
        "from nestviz.data import read_dataset",
        f"data = read_dataset({_value(own_file_name(dataset))}{label})",
    )


def own_file_name(dataset: Dataset) -> str:
    """Return the name of the file with the user's own data."""
    words = re.sub(r"[^\w-]+", "-", dataset.name, flags=re.ASCII).strip("-_")
    return f"{words[:60] or 'data'}.csv"


def step_lines(name: str, *arguments: object, then: str = "") -> Lines:
    """Return lines that apply a function of ``nestviz.data`` to the data."""
    given = "".join(f", {_value(argument)}" for argument in arguments)
    return f"from nestviz.data import {name}", f"data = {name}(data{given}){then}"


LINE_LINES = (
    "import numpy as np",
    "from nestviz import Dataset",
    'names = (data.feature_names[0], "(nothing)")',
    "data = Dataset(np.column_stack([data.X[:, 0], np.zeros(data.n)]), data.y, names)",
)
"""Make a second feature, for data that have one."""
PLANE_LINES = (
    "from nestviz.data import principal_plane",
    "plane = principal_plane(data.X)",
)
"""Keep the plane of the pictures of all rows, before weighted centres stand for them."""


def fit_lines(current: Current, variable: str, spec: Spec) -> Lines:
    """Return lines that fit an estimator to the data."""
    name = spec.row.estimator
    data = current.fitted
    relative = None if data.weights is None else mean_one(data.weights)
    parameters = spec.row.parameters(spec, data.X, relative)
    given = ", ".join(f"{name}={_value(value)}" for name, value in parameters.items())
    fitted = "data.X, data.y" if spec.two_classes else "data.X"
    if relative is not None:
        fitted += ", sample_weight=data.weights / data.weights.mean()"
    line = f"{variable} = {name}({given}).fit({fitted})"
    if len(line) > WIDTH and "\n" not in line:
        line = f"{variable} = {name}(\n    {given}\n).fit({fitted})"
    return f"from nestviz import {name}", line


def _value(value: object) -> str:
    """Return a parameter as Python source, numbers to the last digit."""
    if isinstance(value, np.ndarray):
        numbers = textwrap.fill(", ".join(map(repr, value.tolist())), WIDTH - 4)
        return f"[\n{textwrap.indent(numbers, '    ')},\n]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def family_of(variable: str, spec: Spec) -> str:
    """Return the expression for the family of a fitted estimator."""
    return f"{variable}.family_.union()" if spec.row.joins else f"{variable}.family_"


def grid_lines(current: Current) -> Lines:
    """Return lines that make the pixels of the pictures, ``grid``."""
    if current.plane_key == "slice" and current.rows is not None:
        return "from nestviz import Grid", "grid = Grid.around(data.X, plane=plane)"
    if current.plane_key == "slice":
        return (
            "from nestviz import Grid",
            "from nestviz.data import principal_plane",
            "grid = Grid.around(data.X, plane=principal_plane(data.X))",
        )
    return "from nestviz import Grid", "grid = Grid.around(data.X)"


def families(current: Current, specs: Sequence[Spec]) -> Lines:
    """Return lines that fit all families of a page, as the mapping ``families`` by title."""
    rows = [(f"model_{k + 1}", spec) for k, spec in enumerate(specs)]
    fits = [line for name, spec in rows for line in fit_lines(current, name, spec)]
    entries = [f"    {_value(spec.title)}: {family_of(name, spec)}," for name, spec in rows]
    return (*fits, "families = {", *entries, "}")


def sets_at(current: Current, specs: Sequence[Spec], level: float, more: Lines = ()) -> str:
    """Return the script of a sweep page: its families and their sets at one level.

    The methods ``specs`` are all for one class or all for two; ``more`` are the last lines.
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
        *more,
    )


def solution_path(current: Current, path: Spec, nested: Spec, level: float) -> str:
    """Return the script of the Solution path page; ``level`` is marked in its figure."""
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
    """Return import lines in order, one per module."""
    plain = sorted({line for line in imports if line.startswith("import ")})
    named: dict[str, set[str]] = {}
    for line in imports:
        if found := _FROM.fullmatch(line):
            named.setdefault(found[1], set()).update(found[2].split(", "))
    lines = []
    for module in sorted(named):
        # Classes before functions, as import sorters do.
        names = sorted(named[module], key=lambda name: (not name[0].isupper(), name))
        line = f"from {module} import {', '.join(names)}"
        if len(line) > WIDTH:
            line = f"from {module} import (\n    " + ",\n    ".join(names) + ",\n)"
        lines.append(line)
    return "\n".join([*plain, *([""] if plain and lines else []), *lines])
