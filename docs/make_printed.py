"""Write the texts of the course as HTML, for handouts: nestviz/ui/pages/theory/printed.toml.

Formulas become MathML, which browsers draw without a library. Run ``python docs/make_printed.py``
after a change of a chapter or of an exercise.
"""

import re
from pathlib import Path

from docutils.utils.math.latex2mathml import tex2mathml
from markdown_it import MarkdownIt

from nestviz.ui.pages.theory.chapter import ChapterText
from nestviz.ui.pages.theory.exercises.reading import KINDS, Exercise, exercises
from nestviz.ui.pages.theory.page import CHAPTERS

FILE = Path(__file__).resolve().parents[1] / "nestviz" / "ui" / "pages" / "theory" / "printed.toml"
MATH = re.compile(r"\$\$(.+?)\$\$|\$([^$]+)\$", re.DOTALL)
#: What the converter does not know: sizes of brackets, which MathML sets itself, styles, and two
#: digits that are not one number.
REPLACED = (
    (r"\\dots\b", r"\\ldots"),
    (r"\\[bB]ig\b", ""),
    (r"\\textstyle\b", ""),
    (r"frac(\d)(\d)", r"frac{\1}{\2}"),
)
MARKDOWN = MarkdownIt("commonmark", {"html": False})


def to_html(text: str) -> str:
    """Return Markdown with formulas as HTML."""
    formulas: list[str] = []

    def keep(found: re.Match[str]) -> str:
        formulas.append(to_mathml(found[1] or found[2], block=found[1] is not None))
        return f"@@{len(formulas) - 1}@@"

    drawn = MARKDOWN.render(MATH.sub(keep, text.strip()))
    return re.sub(r"@@(\d+)@@", lambda found: formulas[int(found[1])], drawn)


def to_mathml(tex: str, *, block: bool) -> str:
    """Return a formula of LaTeX as MathML; a block stands on a line of its own."""
    for pattern, plain in REPLACED:
        tex = re.sub(pattern, plain, tex)
    drawn = re.sub(r"\n\s*", "", tex2mathml(tex.strip(), as_block=block))
    return f'<span class="formula">{drawn}</span>' if block else drawn


def printed() -> dict[str, dict[str, str]]:
    """Return the parts of each chapter, by the name of its file."""
    return {chapter.file: _chapter(chapter.file, chapter.text) for chapter in CHAPTERS.values()}


def _chapter(file: str, text: ChapterText) -> dict[str, str]:
    attempts = "".join(f"- {attempt}\n" for attempt in text.attempts)
    words = f"**{text.question}**\n\n{text.text.strip()}\n\n**Try this**\n\n{attempts}"
    pair = "".join(f"<div>{to_html(part)}</div>" for part in (text.primal, text.dual) if part)
    beside = f'<div class="beside">{pair}</div>' if pair else ""
    formulas = to_html(text.formulas) + beside + to_html(text.more)
    numbered = list(enumerate(exercises(file), 1))
    return {
        "title": text.title,
        "text": to_html(words),
        "formulas": formulas + to_html(f"Source: {text.source}"),
        "exercises": "".join(to_html(_task(k, each)) for k, each in numbered),
        "answers": "".join(to_html(_answer(k, each)) for k, each in numbered),
    }


def as_toml(chapters: dict[str, dict[str, str]]) -> str:
    """Return the chapters as the text of their file."""
    lines = ["# Made by docs/make_printed.py; do not edit."]
    for name, parts in chapters.items():
        lines.append(f"\n[{name}]")
        lines += [f"{key} = '''\n{text}'''" for key, text in parts.items()]
    return "\n".join(lines) + "\n"


def _task(number: int, exercise: Exercise) -> str:
    return f"**{number} · {KINDS[exercise.kind]}.** {exercise.task}\n\n"


def _answer(number: int, exercise: Exercise) -> str:
    code = f"\n\n```python\n{exercise.listing}\n```" if exercise.code else ""
    return f"**{number}.** {exercise.answer}{code}"


if __name__ == "__main__":
    FILE.write_text(as_toml(printed()), encoding="utf-8")
