"""A report as one HTML file that needs nothing else: no script, no network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files

from nestviz.escaping import html
from nestviz.reports.document import Block, Bullets, Heading, Paragraph, Picture, Table
from nestviz.reports.pictures import VARIABLES, in_page_colours

LONGEST = 4000
"""Characters of a sentence."""


def html_text(blocks: Sequence[Block]) -> str:
    """Return the text of the file."""
    heads = [block for block in blocks if isinstance(block, Heading)]
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{_words(heads[0].text)}</title>",
            f"<style>\n{style()}</style>",
            "</head>",
            "<body>",
            f"<header>{_written(heads[0])}</header>",
            _contents(heads[1:]),
            "<main>",
            *(_written(block) for block in blocks if block is not heads[0]),
            "</main>",
            "</body>",
            "</html>\n",
        ]
    )


def style() -> str:
    """Return the style of the page: its rules, and the colours of both themes."""
    light, dark = (
        " ".join(f"--{name}: {pair[k]};" for name, pair in VARIABLES.items()) for k in (0, 1)
    )
    rules = (files("nestviz.reports") / "report.css").read_text("utf-8")
    return (
        f":root {{ {light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n{rules}"
    )


def _words(text: str) -> str:
    return html(text, LONGEST)


def _contents(heads: Sequence[Heading]) -> str:
    entries = [
        f'<li><a href="#{head.anchor}">{_words(head.text)}</a></li>'
        for head in heads
        if head.level == 2
    ]
    return "\n".join(['<nav aria-label="Contents">', "<ul>", *entries, "</ul>", "</nav>"])


def _written(block: Block) -> str:
    match block:
        case Heading():
            return f'<h{block.level} id="{block.anchor}">{_words(block.text)}</h{block.level}>'
        case Paragraph():
            start = f"<strong>{_words(block.strong)}</strong> " if block.strong else ""
            return f"<p>{start}{_words(block.text)}</p>"
        case Bullets():
            return "\n".join(["<ul>", *(f"<li>{_words(i)}</li>" for i in block.items), "</ul>"])
        case Table():
            return "\n".join(_table(block))
        case Picture():
            return _picture(block)


def _table(table: Table) -> Iterator[str]:
    # Wide tables scroll by themselves, also by keyboard, instead of widening the page.
    yield f'<div class="table" tabindex="0" role="region" aria-label="{_words(table.caption)}">'
    yield f"<table>\n<caption>{_words(table.caption)}</caption>\n<thead><tr>"
    for k, name in enumerate(table.names):
        tag = "th" if name else "td"
        scope = ' scope="col"' if name else ""
        yield f"<{tag}{scope}{_side(table, k)}>{_words(name)}</{tag}>"
    yield "</tr></thead>\n<tbody>"
    for number, row in enumerate(table.rows):
        cells = [_words(cell) for cell in row]
        if table.links:
            cells[0] = f'<a href="#{table.links[number]}">{cells[0]}</a>'
        rest = "".join(f"<td{_side(table, k)}>{c}</td>" for k, c in enumerate(cells) if k)
        yield f'<tr><th scope="row">{cells[0]}</th>{rest}</tr>'
    yield "</tbody>\n</table>\n</div>"


def _side(table: Table, column: int) -> str:
    return ' class="number"' if column in table.numeric else ""


def _picture(picture: Picture) -> str:
    drawn = in_page_colours(picture.svg).replace(
        "<svg ", f'<svg aria-label="{_words(picture.alt)}" ', 1
    )
    return f"<figure>\n{drawn}\n<figcaption>{_words(picture.title)}</figcaption>\n</figure>"
