"""Columns that identify points instead of describing them: numbers, names and dates."""

from __future__ import annotations

import re
from datetime import date, time

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.data.large import distinct
from nestviz.data.tables import Column, Table

OWN_VALUES = 0.9
"""Text identifies points if at least this share of its cells have a value of their own."""
FEWEST = 4
"""Fewer cells than this say nothing about a column of text."""
_ID_WORDS = {"id", "ids", "idx", "index", "key", "uuid", "guid", "row", "serial", "unnamed"}
_ALONE = {"nr", "no", "num", "number", "code"}
"""Words that name an identifier only where there is no other: not in a number of rooms."""
_TIME_WORDS = {"date", "datetime", "time", "timestamp", "day", "at"}
_LEAST_STAMP = 10_000_000.0
"""Dates as numbers, such as 20240131, and seconds since 1970 are larger."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_DAY = re.compile(r"(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})(?:[T ]+(\d{1,2}:\d{2}.*))?", re.ASCII)
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?", re.ASCII)


def identifies(table: Table, name: str) -> bool:
    """Return whether a column seems to identify points: by its values, for numbers also its name.

    Parameters
    ----------
    table : Table
        The table.
    name : str
        Name of the column.

    Returns
    -------
    bool
    """
    values = table.column(name)
    if values.dtype != object:
        return _numbered(values, {word.lower() for word in _WORD.findall(name)})
    return _all_dates(values) or _nearly_all_differ(values)


def is_date(text: str) -> bool:
    """Return whether a text is a day, with or without a time: 2024-01-31, 31.1.2024 12:30."""
    found = _DAY.match(text.strip())
    if found is None:
        return False
    first, second, third = (int(part) for part in found.groups()[:3])
    orders = [(first, second, third), (third, second, first), (third, first, second)]
    return any(_is_day(*order) for order in orders) and (found[4] is None or _is_time(found[4]))


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year + (2000 if year < 100 else 0), month, day)
    except ValueError:
        return False
    return True


def _is_time(text: str) -> bool:
    found = _CLOCK.match(text)
    if found is None:
        return False
    try:
        time(int(found[1]), int(found[2]), int(found[3] or 0))
    except ValueError:
        return False
    return True


def _all_dates(values: Column) -> bool:
    different = distinct(values) - {""}
    return bool(different) and all(is_date(text) for text in different)


def _nearly_all_differ(values: Column) -> bool:
    present = int(np.count_nonzero(values != ""))
    different = len(distinct(values) - {""})
    return present >= FEWEST and different >= OWN_VALUES * present


def _numbered(values: FloatArray, words: set[str]) -> bool:
    """Return whether numbers are a count or a date, going by the name of their column as well."""
    present = values[~np.isnan(values)]
    if not len(present) or not np.all(present == np.rint(present)):
        return False
    if words & _TIME_WORDS and present.min() >= _LEAST_STAMP:
        return True
    named = bool(words & _ID_WORDS) or (len(words) == 1 and words <= _ALONE)
    return named and len(np.unique(present)) == len(present)
