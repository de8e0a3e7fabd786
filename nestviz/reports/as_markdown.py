"""A report as Markdown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from nestviz.escaping import commonmark
from nestviz.reports.document import Block, Bullets, Heading, Paragraph, Picture, Table

LONGEST = 4000
"""Characters of a sentence."""


def markdown_text(blocks: Sequence[Block]) -> str:
    """Return the text of a Markdown file; pictures are files beside it."""
    heads = [block for block in blocks if isinstance(block, Heading)]
    names = _names(heads)
    parts = [_written(block, names) for block in blocks]
    links = [f"- {_link(_words(h.text), names[h.anchor])}" for h in heads if h.level == 2]
    return "\n\n".join([parts[0], "\n".join(links), *parts[1:]]) + "\n"


def _names(heads: Sequence[Heading]) -> dict[str, str]:
    """Return the names that readers of Markdown give to headings, by our own."""
    found: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for head in heads:
        name = re.sub(r"[^\w -]", "", head.text.lower()).replace(" ", "-")
        # Readers number names that are there already.
        before = counts[name]
        counts[name] += 1
        found[head.anchor] = f"{name}-{before}" if before else name
    return found


def _link(words: str, name: str) -> str:
    return f"[{words}](#{name})"


def _words(text: str) -> str:
    return commonmark(text, LONGEST)


def _written(block: Block, names: Mapping[str, str]) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} {_words(block.text)}"
        case Paragraph():
            start = f"**{_words(block.strong)}** " if block.strong else ""
            return start + _words(block.text)
        case Bullets():
            return "\n".join(f"- {_words(item)}" for item in block.items)
        case Table():
            return "\n".join(_table(block, names))
        case Picture():
            return f"![{_words(block.alt)}]({block.file})\n\n*{_words(block.title)}*"


def _table(table: Table, names: Mapping[str, str]) -> Iterator[str]:
    yield f"**{_words(table.caption)}**\n"
    yield _row([_words(name) for name in table.names])
    yield _row(["---:" if k in table.numeric else "---" for k in range(len(table.names))])
    for number, row in enumerate(table.rows):
        cells = [_words(cell) for cell in row]
        if table.links:
            cells[0] = _link(cells[0], names[table.links[number]])
        yield _row(cells)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
