"""Numbers printed in the sources, one file for each table."""

from __future__ import annotations

import csv
from importlib.resources import files


def published(table: str) -> list[dict[str, str]]:
    """Return the rows of a published table, as text under the names of their columns."""
    text = (files(__name__) / f"{table}.csv").read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))
