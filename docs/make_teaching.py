"""Write the pages of exercises in docs/teaching from the files that the app shows.

Run ``python docs/make_teaching.py`` after a change of a chapter or of an exercise.
"""

from pathlib import Path

from nestviz.ui.pages.theory.chapter import Chapter
from nestviz.ui.pages.theory.exercises.reading import KINDS, Exercise, exercises
from nestviz.ui.pages.theory.page import CHAPTERS

FOLDER = Path(__file__).with_name("teaching")
APP = "http://localhost:8501"
"""Where `make app` serves the app."""


def pages() -> dict[str, str]:
    """Return the text of each page, by the name of its file."""
    numbered = enumerate(CHAPTERS.items(), 1)
    return {
        f"{number:02}-{chapter.file.replace('_', '-')}.md": page(number, name, chapter)
        for number, (name, chapter) in numbered
    }


def page(number: int, name: str, chapter: Chapter) -> str:
    """Return the page of a chapter."""
    text = chapter.text
    address = Exercise("app", "", "", "theory", f"chapter={name}").link(APP)
    notebook = f"examples/chapters/{number:02}_{chapter.file}.ipynb"
    head = (
        f"# {number}. {text.title}\n\n*{text.question}*\n\n"
        f"[The chapter in the app]({address}) · the notebook is `{notebook}`"
    )
    parts = [_exercise(k, each) for k, each in enumerate(exercises(chapter.file), 1)]
    source = f"Source of the chapter: {text.source}"
    return "\n\n".join([head, *parts, source]) + "\n"


def _exercise(number: int, exercise: Exercise) -> str:
    parts = [f"## Exercise {number}. {KINDS[exercise.kind]}", exercise.task]
    if exercise.page:
        parts.append(f"[Open it in the app]({exercise.link(APP)})")
    parts += ["<details>\n<summary>Answer</summary>", exercise.answer]
    if exercise.code:
        parts.append(f"```python\n{exercise.listing}\n```")
    return "\n\n".join([*parts, "</details>"])


if __name__ == "__main__":
    for file, content in pages().items():
        (FOLDER / file).write_text(content, encoding="utf-8")
