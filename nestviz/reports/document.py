"""What a report is made of, before it is written as Markdown or HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Heading:
    """A heading; ``anchor`` is the name that links lead to."""

    level: int
    text: str
    anchor: str


@dataclass(frozen=True)
class Paragraph:
    """Sentences; ``strong`` is said first, in bold."""

    text: str
    strong: str = ""


@dataclass(frozen=True)
class Bullets:
    """A list of sentences."""

    items: Sequence[str]


@dataclass(frozen=True)
class Table:
    """A table of texts.

    ``numeric`` are the columns that are set to the right. ``links`` has, for some rows, the anchor
    that their first cell leads to.
    """

    caption: str
    names: Sequence[str]
    rows: Sequence[Sequence[str]]
    numeric: Sequence[int] = ()
    links: Sequence[str] = ()


@dataclass(frozen=True)
class Picture:
    """A picture as SVG, its file for Markdown, and a sentence for those who do not see it."""

    svg: str
    file: str
    title: str
    alt: str


Block = Heading | Paragraph | Bullets | Table | Picture
