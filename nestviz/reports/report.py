"""`write_report`: a report of studies as Markdown and as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nestviz.reports import pictures
from nestviz.reports.as_html import html_text
from nestviz.reports.as_markdown import markdown_text
from nestviz.reports.document import Picture
from nestviz.reports.sections import blocks
from nestviz.studies.engine.files import write_whole
from nestviz.studies.run_record import Run

MARKDOWN, HTML = "report.md", "report.html"


def write_report(folder: Path, runs: Sequence[Run]) -> tuple[Path, Path]:
    """Write the report of one or more runs.

    Parameters
    ----------
    folder : Path
        Where to: ``report.html``, which needs no other file, and ``report.md`` with its pictures
        in ``plots/``. The same runs give the same bytes.
    runs : sequence of Run
        The runs, in the order of their sections.

    Returns
    -------
    tuple of Path
        The Markdown file and the HTML file.

    Raises
    ------
    ValueError
        If there are no runs.
    """
    if not runs:
        raise ValueError("A report needs at least one run.")
    content = blocks(runs)
    drawn = [block for block in content if isinstance(block, Picture)]
    for name, svg in pictures.files(drawn).items():
        write_whole(folder / name, svg + "\n")
    write_whole(folder / MARKDOWN, markdown_text(content))
    write_whole(folder / HTML, html_text(content))
    return folder / MARKDOWN, folder / HTML
