"""Write a notebook for each chapter of Theory, from the scripts in examples/chapters.

A script has cells that begin with ``# %%``, or with ``# %% [markdown]`` for text. The notebook
opens with the question of the chapter and ends with its computing exercise. Run
``python docs/make_notebooks.py`` after a change of a script, a chapter or an exercise.
"""

import json
import re
from pathlib import Path

from nestviz.ui.pages.theory.chapter import Chapter
from nestviz.ui.pages.theory.exercises.reading import exercises
from nestviz.ui.pages.theory.page import CHAPTERS

FOLDER = Path(__file__).resolve().parents[1] / "examples" / "chapters"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def notebooks() -> dict[str, str]:
    """Return the text of each notebook, by the name of its file."""
    found = {}
    for number, chapter in enumerate(CHAPTERS.values(), 1):
        script = FOLDER / f"{number:02}_{chapter.file}.py"
        found[f"{script.stem}.ipynb"] = notebook(number, chapter, script.read_text("utf-8"))
    return found


def notebook(number: int, chapter: Chapter, script: str) -> str:
    """Return the text of the notebook of a chapter."""
    text = chapter.text
    opening = f"# {number}. {text.title}\n\n**{text.question}**\n\n{text.text.strip()}"
    task = next(each.task for each in exercises(chapter.file) if each.kind == "compute")
    page = f"docs/teaching/{number:02}-{chapter.file.replace('_', '-')}.md"
    closing = (
        f"## Exercise\n\n{task}\n\nThe answer is in `{page}`, and in the app below the chapter."
    )
    parts = [("markdown", opening), *cells(script), ("markdown", closing), ("code", "")]
    book = {
        "cells": [_cell(k, kind, source) for k, (kind, source) in enumerate(parts)],
        "metadata": {"kernelspec": KERNEL, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(book, indent=1, ensure_ascii=False) + "\n"


def cells(script: str) -> list[tuple[str, str]]:
    """Return kind and source of the cells of a script; figures are shown below their cell."""
    _, *parts = re.split(r"^# %%", script, flags=re.MULTILINE)
    found = []
    for part in parts:
        mark, source = part.split("\n", 1)
        if mark.strip() == "[markdown]":
            found.append(("markdown", re.sub(r"^# ?", "", source.strip(), flags=re.MULTILINE)))
        else:
            found.append(("code", source.strip()))
    first = next(k for k, (kind, _) in enumerate(found) if kind == "code")
    found[first] = ("code", f"%matplotlib inline\n{found[first][1]}")
    return found


def _cell(number: int, kind: str, source: str) -> dict:
    cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}}
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    return cell | {"source": source.splitlines(keepends=True)}


if __name__ == "__main__":
    for file, content in notebooks().items():
        (FOLDER / file).write_text(content, encoding="utf-8")
