"""A story as a page to print: its steps with still pictures, in one HTML file."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass

from nestviz.drawing import charts
from nestviz.escaping import html
from nestviz.ui.export import picture
from nestviz.ui.scene.scene import Scene

LONGEST_TEXT = 4000
STYLE = """
:root { color-scheme: light; }
body { max-width: 900px; margin: 0 auto; padding: 24px; background: #fff; color: #1f2a37;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 4px; }
h2 { font-size: 1.2rem; margin: 0 0 6px; }
section { break-inside: avoid; margin: 28px 0 0; padding-top: 16px; border-top: 1px solid #d5dae0; }
p { margin: 6px 0; }
figure { display: flex; flex-wrap: wrap; gap: 12px; margin: 12px 0 0; }
figure img { flex: 1 1 0; min-width: 0; max-width: 560px; max-height: 330px; object-fit: contain; }
aside { margin: 10px 0 0; padding: 8px 12px; border-left: 3px solid #0072b2; background: #f3f5f7;
  font-size: 0.9rem; }
footer { margin-top: 28px; font-size: 0.8rem; color: #5b6570; overflow-wrap: anywhere; }
@media print { body { padding: 0; font-size: 12px; } figure img { max-height: 250px; } }
"""


@dataclass(frozen=True, eq=False)
class Sheet:
    """One step of a handout."""

    title: str
    text: Sequence[str]
    notes: str
    scene: Scene  # The picture at its first level
    chart: charts.Chart | None = None


def page(title: str, sheets: Sequence[Sheet], *, notes: bool = False, source: str = "") -> str:
    """Return the text of an HTML file with all steps.

    Parameters
    ----------
    title : str
        The heading.
    sheets : sequence of Sheet
        The steps, in order.
    notes : bool
        Whether the notes for the speaker are included.
    source : str
        What stands at the end, such as the link to the story.

    Returns
    -------
    str
    """
    sections = "\n".join(_section(k, sheet, notes) for k, sheet in enumerate(sheets, 1))
    heading = html(title)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{heading}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1>{heading}</h1>
{sections}
</main>
<footer>{html(source, LONGEST_TEXT)}</footer>
</body>
</html>
"""


def _section(number: int, sheet: Sheet, notes: bool) -> str:
    paragraphs = "\n".join(f"<p>{html(part, LONGEST_TEXT)}</p>" for part in sheet.text)
    images = [_image(picture.svg(sheet.scene), sheet.scene.alt)]
    if sheet.chart is not None:
        images.append(_image(charts.chart_svg(sheet.chart), sheet.chart.title))
    aside = f"\n<aside>{html(sheet.notes, LONGEST_TEXT)}</aside>" if notes else ""
    return f"""<section>
<h2>{number}. {html(sheet.title)}</h2>
{paragraphs}
<figure>{"".join(images)}</figure>{aside}
</section>"""


def _image(svg: str, alt: str) -> str:
    # As a file of its own: marks of one picture must not be found by another.
    data = base64.b64encode(svg.encode()).decode()
    return f'<img src="data:image/svg+xml;base64,{data}" alt="{html(alt)}">'
