"""A story or a chapter as a page to print: its parts with still pictures, in one HTML file."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass

from nestviz.escaping import html

LONGEST_TEXT = 4000
STYLE = """
:root { color-scheme: light; }
@page { margin: 14mm;
  @bottom-right { content: counter(page) " / " counter(pages); font: 10px sans-serif; } }
body { max-width: 900px; margin: 0 auto; padding: 24px; background: #fff; color: #1f2a37;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
header { display: flex; gap: 24px; align-items: start; justify-content: space-between; }
header img { width: 110px; height: 110px; flex: none; }
h1 { font-size: 1.6rem; margin: 0 0 4px; }
h2 { font-size: 1.2rem; margin: 0 0 6px; break-after: avoid; }
section { break-inside: avoid; margin: 24px 0 0; padding-top: 14px; border-top: 1px solid #d5dae0; }
p { margin: 6px 0; }
figure { display: flex; flex-wrap: wrap; gap: 12px; margin: 12px 0 0; justify-content: center; }
figure img { flex: 0 1 auto; min-width: 0; max-width: 100%; max-height: 360px; }
figure.several { flex-wrap: nowrap; }
figure.several img { flex: 1 1 0; width: 0; max-height: 360px; object-fit: contain; }
aside { margin: 10px 0 0; padding: 8px 12px; border-left: 3px solid #0072b2; background: #f3f5f7;
  font-size: 0.9rem; }
footer, header p { font-size: 0.8rem; color: #5b6570; overflow-wrap: anywhere; }
footer { margin-top: 28px; }
@media print {
  body { padding: 0; font-size: 12px; max-width: none; }
  section { margin-top: 18px; padding-top: 10px; }
  figure, figure.several { margin-top: 8px; }
  figure img, figure.several img { max-height: 74mm; }
  .with-notes figure img { max-height: 56mm; }
  aside { background: none; font-size: 10.5px; line-height: 1.4; }
}
"""


@dataclass(frozen=True)
class Still:
    """A picture: the text of an SVG file, and what is seen."""

    svg: str
    alt: str


@dataclass(frozen=True)
class Sheet:
    """One part of a handout: a heading, paragraphs, pictures, and notes for the speaker."""

    title: str
    text: Sequence[str]
    notes: str
    stills: Sequence[Still] = ()


def page(
    title: str,
    sheets: Sequence[Sheet],
    *,
    notes: bool = False,
    source: str = "",
    code: str | None = None,
) -> str:
    """Return the text of an HTML file with all parts.

    Parameters
    ----------
    title : str
        The heading.
    sheets : sequence of Sheet
        The parts, in order.
    notes : bool
        Whether the notes for the speaker are included.
    source : str
        What stands below the heading, such as the link to the story.
    code : str, optional
        The QR code of the link, as the text of an SVG file.

    Returns
    -------
    str
    """
    sections = "\n".join(_section(k, sheet, notes) for k, sheet in enumerate(sheets, 1))
    name = ' class="with-notes"' if notes else ""
    scanned = "" if code is None else image(Still(code, "QR code of the link"))
    link = f"<p>{html(source, LONGEST_TEXT)}</p>" if source else ""
    head = f"<div><h1>{html(title)}</h1>{link}</div>{scanned}"
    return document(title, f"<header>{head}</header>\n<main{name}>\n{sections}\n</main>")


def document(title: str, body: str, style: str = STYLE) -> str:
    """Return an HTML file that needs no network; the body is HTML."""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html(title)}</title>
<style>{style}</style>
</head>
<body>
{body}
</body>
</html>
"""


def image(still: Still) -> str:
    """Return a picture as HTML."""
    # As a file of its own: marks of one picture must not be found by another.
    data = base64.b64encode(still.svg.encode()).decode()
    return f'<img src="data:image/svg+xml;base64,{data}" alt="{html(still.alt)}">'


def _section(number: int, sheet: Sheet, notes: bool) -> str:
    paragraphs = "\n".join(f"<p>{html(part, LONGEST_TEXT)}</p>" for part in sheet.text)
    images = "".join(map(image, sheet.stills))
    kind = ' class="several"' if len(sheet.stills) > 1 else ""
    figure = f"\n<figure{kind}>{images}</figure>" if images else ""
    aside = f"\n<aside>{html(sheet.notes, LONGEST_TEXT)}</aside>" if notes else ""
    return f"""<section>
<h2>{number}. {html(sheet.title)}</h2>
{paragraphs}{figure}{aside}
</section>"""
