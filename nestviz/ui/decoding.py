"""Decoders of values from outside: the address, session files, links and messages of browsers.

A decoder returns the value in the type that the app uses, or None where it is not one. Whatever it
is given, it raises nothing: numbers may be of any size, texts may hold half of a character, and
lists may be deep or of any length.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

T = TypeVar("T")
Decoder = Callable[[Any], T | None]

LARGEST = 1e12
"""Magnitude up to which a number is read, unless a narrower range is given."""
FARTHEST = 1e150
"""Magnitude up to which a coordinate is read: that of the data themselves."""
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_LONGEST_NUMBER, _LARGEST_FLOAT = 40, sys.float_info.max
# Half characters of UTF-16, which cannot be written to a file or sent to a browser; and control
# characters but for tab and newline.
_HALF = re.compile(r"[\ud800-\udfff]")
_UNUSABLE = re.compile(r"[\ud800-\udfff\x00-\x08\x0b-\x1f\x7f]")


def number(low: float = -LARGEST, high: float = LARGEST) -> Decoder[float]:
    """Return the decoder of a finite number in a range; True and False are none."""

    def read(value: Any) -> float | None:
        # Compared before it is converted: a whole number may be too large for a float. NaN is in no
        # range.
        if type(value) in (int, float) and low <= value <= high and abs(value) <= _LARGEST_FLOAT:
            return float(value) + 0.0
        return None

    return read


def whole(low: int, high: int) -> Decoder[int]:
    """Return the decoder of a whole number in a range; True and False are none."""

    def read(value: Any) -> int | None:
        return value if type(value) is int and low <= value <= high else None

    return read


def text(longest: int, *, shortest: int = 0, controls: bool = False) -> Decoder[str]:
    """Return the decoder of a text of bounded length; control characters only where allowed."""
    unusable = _HALF if controls else _UNUSABLE

    def read(value: Any) -> str | None:
        if type(value) is not str or not shortest <= len(value) <= longest:
            return None
        return None if unusable.search(value) else value

    return read


def choice(*words: T) -> Decoder[T]:
    """Return the decoder of one of a few values, which must have the same type, too."""

    def read(value: Any) -> T | None:
        return next((word for word in words if type(word) is type(value) and word == value), None)

    return read


def several(item: Decoder[T], most: int, *, least: int = 0) -> Decoder[tuple[T, ...]]:
    """Return the decoder of a list of bounded length, all of whose entries have a decoder."""

    def read(value: Any) -> tuple[T, ...] | None:
        if type(value) not in (list, tuple) or not least <= len(value) <= most:
            return None
        found = []
        for entry in value:
            one = item(entry)
            if one is None:
                return None
            found.append(one)
        return tuple(found)

    return read


def record(fields: Mapping[str, Decoder[Any]]) -> Decoder[dict[str, Any]]:
    """Return the decoder of an object that has all of some fields; others are left out."""

    def read(value: Any) -> dict[str, Any] | None:
        if not isinstance(value, Mapping):
            return None
        found = {name: decode(value.get(name)) for name, decode in fields.items()}
        return None if any(entry is None for entry in found.values()) else found

    return read


COORDINATE = number(-FARTHEST, FARTHEST)
LOCATION = several(COORDINATE, 2, least=2)


def number_of(written: str) -> float | None:
    """Return the number that a text writes in ASCII digits; infinite if it is too large."""
    fine = len(written) <= _LONGEST_NUMBER and _NUMBER.fullmatch(written)
    return float(written) if fine else None


def numbers_of(written: str, most: int) -> tuple[float, ...] | str:
    """Return the numbers that a text lists, or a sentence that says what is wrong.

    Numbers are separated by commas, semicolons or white space, as they are pasted from a table; a
    percent sign divides by 100.
    """
    if len(written) > most * _LONGEST_NUMBER:
        return f"This text is too long for a list of at most {most} numbers."
    words = re.split(r"[\s,;]+", written.strip(" \t\r\n,;[]()"))
    if words == [""]:
        return ()
    if len(words) > most:
        return f"These are {len(words)} numbers; at most {most} are possible."
    found = []
    for word in words:
        value = number_of(word.removesuffix("%"))
        if value is None or abs(value) > LARGEST:
            return f"“{word[:_LONGEST_NUMBER]}” is not a number."
        found.append(value / 100.0 if word.endswith("%") else value)
    return tuple(found)


def name(longest: int) -> Decoder[str]:
    """Return the decoder of a name: cut to a length, with a sign for what a text cannot hold."""

    def read(value: Any) -> str | None:
        return _UNUSABLE.sub("\ufffd", value[:longest]) if type(value) is str else None

    return read


def parse_json(content: bytes, *, constants: bool = False) -> Any:
    """Return the value of a JSON text, or raise ValueError for what is no sound one.

    That is another encoding than UTF-8, a key given twice, nesting deeper than Python follows and,
    unless ``constants`` are allowed, NaN and infinities.
    """
    refused = None if constants else _refuse
    try:
        return json.loads(
            content.decode("utf-8"),
            parse_constant=refused,
            parse_float=_float,
            object_pairs_hook=_distinct,
        )
    except RecursionError:
        raise ValueError("The values are nested too deeply.") from None


def _float(digits: str) -> float:
    # Between two calls of Python code other threads can run; the parser itself would keep them
    # waiting until it has read millions of numbers.
    return float(digits)


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not a number.")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("A key occurs twice.")
    return found
