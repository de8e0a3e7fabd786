"""The pictures of a report, and the sentences that say what they show."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nestviz.drawing.study_plots import study_svg
from nestviz.palette import DARK, LIGHT
from nestviz.reports.document import Picture
from nestviz.studies.agreement import count
from nestviz.studies.findings import Findings, Plot
from nestviz.studies.run_record import Run

FOLDER = "plots"
"""Where the pictures of a Markdown report are."""
_VALUES = Plot("values", "dots", "Published and ours, with one standard deviation")
KINDS = {
    "dots": "Dots with intervals",
    "lines": "Lines",
    "ranks": "Average ranks with the critical difference",
}
VARIABLES = {
    "text": (LIGHT.text, DARK.text),
    "background": (LIGHT.background, DARK.background),
} | {f"series-{k}": pair for k, pair in enumerate(zip(LIGHT.classes, DARK.classes, strict=True), 1)}
"""Names of the colours in pages, on light and on dark ground."""
_NAMES = {light.lower(): name for name, (light, _) in VARIABLES.items()}
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}\b")
_UNUSED = re.compile(r'<metadata>.*?</metadata>|<defs>\s*<style[^>]*>.*?</style>\s*</defs>'
                     r'| id="[a-zA-Z0-9]+_\d+"', re.DOTALL)  # fmt: skip


def pictures(run: Run) -> list[Picture]:
    """Draw all plots of a run, its values always; plots without a number are left out."""
    plots = list(run.findings.plots)
    if run.findings.values and not any(plot.table == "values" for plot in plots):
        plots.insert(0, _VALUES)
    found = []
    for number, plot in enumerate(plots, 1):
        svg = study_svg(plot, run.findings)
        if svg:
            file = f"{FOLDER}/{run.name}-{number}.svg"
            found.append(Picture(svg, file, plot.title, _alt(plot, run.findings)))
    return found


def _alt(plot: Plot, findings: Findings) -> str:
    if plot.table == "values":
        agree = count(findings.values).in_words()
        return f"Published values beside ours, with intervals. {agree} The tables have the numbers."
    shown = [f"{plot.y} over {plot.x}"] if plot.kind != "ranks" else []
    parts = [*shown, *([f"by {plot.group}"] if plot.group else [])]
    return f"{KINDS.get(plot.kind, 'Plot')}: {' '.join(parts) or plot.title}."


def in_page_colours(svg: str) -> str:
    """Return a picture whose colours follow the page, without what only a file needs."""
    return _COLOUR.sub(_variable, _UNUSED.sub("", svg))


def _variable(found: re.Match[str]) -> str:
    name = _NAMES.get(found[0].lower())
    return f"var(--{name})" if name else found[0]


def files(found: Sequence[Picture]) -> dict[str, str]:
    """Return the files of a Markdown report's pictures, by name."""
    return {picture.file: picture.svg for picture in found}
