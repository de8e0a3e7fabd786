"""Exercises of a chapter: their texts, and the code of their answers."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from doctest import DocTestParser
from functools import cache
from importlib.resources import files
from typing import Literal
from urllib.parse import parse_qs, quote, urlencode

Kind = Literal["app", "compute", "prove", "open"]
KINDS: dict[Kind, str] = {
    "app": "In the app",
    "compute": "With the library",
    "prove": "By argument",
    "open": "To discuss",
}
"""What each kind is called, in the order of a chapter."""


@dataclass(frozen=True)
class Exercise:
    """One exercise; its file has the same keys.

    ``code`` computes every number of the answer. It is written as a doctest, so that a test can
    compare the numbers.
    """

    kind: Kind
    task: str
    answer: str
    # Address and settings of the page on which it is done
    page: str = ""
    query: str = ""
    code: str = ""

    @property
    def settings(self) -> dict[str, list[str]]:
        """The settings as the parameters of an address."""
        return parse_qs(self.query, keep_blank_values=True)

    def link(self, app: str) -> str:
        """Return the link to the page with its settings, of an app at an address."""
        page = "" if self.page == "home" else self.page
        settings = urlencode(self.settings, doseq=True, quote_via=quote)
        return f"{app.rstrip('/')}/{page}?{settings}"

    @property
    def listing(self) -> str:
        """The code without prompts, what it prints as comments, and a line after the imports."""
        parts: list[str] = []
        for example in DocTestParser().get_examples(self.code):
            imports = example.source.startswith(("import ", "from "))
            if parts and not imports and parts[-1].startswith(("import ", "from ")):
                parts.append("\n")
            parts.append(example.source)
            parts += [f"# {line}\n" for line in example.want.splitlines()]
        return "".join(parts).rstrip()


@cache
def exercises(chapter: str) -> tuple[Exercise, ...]:
    """Read the exercises of a chapter, by the name of its file."""
    file = files("nestviz.ui.pages.theory.exercises") / f"{chapter}.toml"
    rows = tomllib.loads(file.read_text(encoding="utf-8"))["exercise"]
    return tuple(Exercise(**{key: text.strip() for key, text in row.items()}) for row in rows)
