"""Names that a file, a link or a user may bring: each is something else in some language."""

from collections.abc import Iterator

import numpy as np

from nestviz import ParzenLevelSets
from nestviz.data import Dataset
from nestviz.ui.scene.scene import Panel, Scale, Scene

HOST = "127.0.0.1:9"
"""Where nothing answers: a browser that asks there has been fooled."""
MARKDOWN = (
    f"![t](http://{HOST}/image.png)",
    f"![t][r]\n\n[r]: http://{HOST}/reference.png",
    f"[click](http://{HOST}/link)",
    "[click](javascript:alert(1))",
    f"<http://{HOST}/bracketed>",
    f"http://{HOST}.org/bare https://example.org/x www.example.org/y a@example.org",
    "**bold** _slanted_ __strong__ ~~struck~~ `code`",
    "```\nfence",
    "# heading",
    "- item",
    "+ item",
    "* item",
    "1. item",
    "2) item",
    "> quote",
    "---",
    "===",
    "| a | b |\n|---|---|\n| c | d |",
    "[^1] note\n\n[^1]: text",
    "- [ ] task",
    "    indented",
    "line\\\nbreak  \nagain",
    ":material/delete: :material_delete: :streamlit: :smile: :+1:",
    ":red[red] :blue-background[b] :small[s] :small[]{color=red} :help[h]",
    ":::box\ninside\n:::",
    "a -> b <- c <-> d -- e >= f <= g ~= h",
    "->",
)
HTML = (
    f"<img src=http://{HOST}/tag.png onerror=alert(1)>",
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "</title><svg onload=alert(1)>",
    '"><b onmouseover="alert(1)">',
    "' onload='alert(1)",
    f"<iframe src=//{HOST}></iframe>",
    f'<a href="http://{HOST}/a">a</a> <a href="javascript:alert(1)">b</a>',
    f"<style>@import url(http://{HOST}/x.css)</style>",
    "]]><x/>",
    "&lt;b&gt; &amp; &#60; &nbsp;",
)
FORMULAS = (
    r"$\frac{1}{2}$ and $$x$$",
    "a$b$c",
    "$x",
    r"$\unknown{",
    rf"\href{{http://{HOST}}}{{x}} \input{{/etc/passwd}}",
    "%{x} %{customdata[0]} <br>x<sub>y</sub>",
    "#0072B2 #000001 rgba(0, 114, 178, 0.5)",
    "#000001",
    "rgba(0, 114, 178, 0.5)",
    "{0} {name} %s %(x)s",
)
CODE = (
    "'); import os  #",
    '"""\nimport os\n"""',
    "x\nfrom os import system",
    "=1+1",
    "@SUM(A1)",
    "-2+3",
    "../../etc/passwd",
    "C:\\con",
    "_hidden",
    "__init__",
)
SIGNS = (
    "tab\tnew\nline\rreturn\x0b\x0c",
    "\x00\x01\x1b[31m\x7f\x85",
    "\ud800 alone \udfff",
    "\ufffe\uffff",
    "\u202egnp.exe\u202c \u2066x\u2069",
    "one\u2028two\u2029three",
    "x" * 10_000,
    "]" * 10_000,
    " ",
    "ℝ 数据 🎉 été",
)
NAMES = (*MARKDOWN, *HTML, *FORMULAS, *CODE, *SIGNS)

MARKED = (
    rf"![qq](http://{HOST}/q.png)<img src=x onerror=alert(1)>$\frac q$ :red[qq] **qq** `qq` _qq_"
    rf" [qq](http://{HOST}/q) :material/qq: #qq ~qq~"
)
"""A name with a piece of each kind."""
RAW = ("![qq", "<img", "$\\frac", ":red[qq", "**qq", "`qq`", "_qq_", "](http", "://127",
       ":material/qq", "~qq~")  # fmt: skip
"""Its pieces as they are written: none may reach Markdown."""
SHOWN = "&#33;&#91;qq&#93;"
"""The beginning of the name as `escaping.markdown` writes it."""


def hostile_data(n: int = 20, d: int = 2, story: tuple[str, ...] = (MARKED,)) -> Dataset:
    """Two classes whose names are all hostile."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)) + np.where(np.arange(n) % 2, 1.2, -1.2)[:, None]
    names = [f"{k}{MARKED}" for k in range(d)]
    y = np.where(np.arange(n) % 2, 1, -1)
    return Dataset(X, y, names, MARKED, (f"Read from '{MARKED}'.", *story))


def hostile_scenes() -> Iterator[tuple[Scene, list[str]]]:
    """Scenes in which every text is a name of the list, and the names of each."""
    rng = np.random.default_rng(0)
    points = rng.normal(size=(30, 2))
    family = ParzenLevelSets(0.5).fit(points).family_
    levels = np.median(family.first_level(points)) * np.linspace(0.8, 1.2, 4)
    for first in range(0, len(NAMES), 12):
        names = [NAMES[(first + k) % len(NAMES)] for k in range(12)]
        panels = [
            Panel(title, points, np.arange(30) % 5, family, hollow=np.arange(30) == 0)
            for title in names[:2]
        ]
        yield (
            Scene(
                panels,
                Scale("level λ", levels, levels),
                (-3.0, 3.0, -3.0, 3.0),
                names[2],
                axis_names=(names[3], names[4]),
                class_names=names[5:10],
                set_name=names[10],
                flag_name=names[11],
            ),
            names,
        )
