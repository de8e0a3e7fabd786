"""From cells to columns: which texts are numbers, and which mean a missing value."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

_WORDS = ("", "na", "n/a", "nan", "null", "none", "nil", "missing", "#n/a", "?", "-", "--", ".")
_SPELLINGS = {form for word in _WORDS for form in (word, word.upper(), word.capitalize())}
MISSING = frozenset(_SPELLINGS | {"NaN", "<NA>"})
_AS_NAN = dict.fromkeys(MISSING, "nan")
# Only one way to read any text: with `[0-9]+\.?[0-9]*` the time would be quadratic in the digits.
DECIMAL = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_NUMBER = re.compile(rf"[-+]?(?:{DECIMAL}|inf(?:inity)?)", re.IGNORECASE)
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def encodable(text: str) -> str:
    """Return the text with U+FFFD for each lone surrogate, which no encoding can write."""
    return text if text.isascii() else _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def is_missing(cell: str) -> bool:
    """Return whether a cell means a missing value."""
    return cell.strip() in MISSING


def number(cell: str, decimal: str = ".") -> float | None:
    """Return the number in a cell; NaN where it is missing, None where it is text."""
    text = cell.strip()
    if text in MISSING:
        return float("nan")
    if decimal == ",":
        if "." in text:
            return None
        text = text.replace(",", ".")
    return float(text) if _NUMBER.fullmatch(text) else None


def is_number(cell: str, decimal: str = ".") -> bool:
    """Return whether a cell is a number; a missing value is not."""
    value = number(cell, decimal)
    return value is not None and not np.isnan(value)


def numbers(cells: Sequence[str], decimal: str = ".") -> npt.NDArray[np.float64] | None:
    """Return all cells as numbers, or None if one of them is text."""
    fast = _numbers_fast(cells, decimal)
    if fast is not None:
        return fast
    values = np.empty(len(cells))
    for i, cell in enumerate(cells):
        value = number(cell, decimal)
        if value is None:
            return None
        values[i] = value
    return values


def _numbers_fast(cells: Sequence[str], decimal: str) -> npt.NDArray[np.float64] | None:
    # Python's own float() is ten times faster than a pattern, but also takes "1_000".
    whole = "".join(cells)
    if "_" in whole:
        return None
    if decimal == ",":
        if "." in whole:
            return None
        cells = [cell.replace(",", ".") for cell in cells]
    for known in (cells, map(_unmissing, cells)):
        try:
            return np.array(list(map(float, known)), dtype=np.float64)
        except ValueError:
            continue
    return None


def _unmissing(cell: str) -> str:
    return _AS_NAN.get(cell, cell)


def texts(cells: Sequence[str]) -> npt.NDArray[np.object_]:
    """Return cells as stripped text, "" where missing; equal texts share one object."""
    seen: dict[str, str] = {}
    column = np.empty(len(cells), dtype=object)
    for i, cell in enumerate(cells):
        text = cell.strip()
        if text not in MISSING:
            column[i] = seen.get(text) or seen.setdefault(text, encodable(text))
        else:
            column[i] = ""
    return column


def number_text(value: float) -> str:
    """Format a number without needless digits: 1 rather than 1.0; "" for a missing value."""
    if np.isnan(value):
        return ""
    if np.isfinite(value) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return repr(float(value))
