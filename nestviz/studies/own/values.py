"""Read values of a study's file: each of a known key and kind, or a sentence that names them."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from typing import Any

from nestviz.data.errors import first_repeat, quoted


class StudyFileError(ValueError):
    """A study's file that cannot be used; the message names file and key."""


class Table:
    """A table of a TOML file, whose values are taken one by one.

    Parameters
    ----------
    content : dict
        The table.
    file : str
        Name of the file, for messages.
    prefix : str
        The table's own key, for messages.
    """

    def __init__(self, content: dict[str, Any], file: str, prefix: str = "") -> None:
        self._left, self._file, self._prefix = dict(content), file, prefix
        self._known: list[str] = []

    def wrong(self, key: str, problem: str) -> StudyFileError:
        """Return the error about a key."""
        return StudyFileError(f"{self._file}: {self._prefix}{quoted(key)} {problem}")

    def has(self, key: str) -> bool:
        """Return whether a key is there and was not taken."""
        self._known.append(key)
        return key in self._left

    def text(self, key: str, default: str | None = None, among: Collection[str] = ()) -> str:
        """Take a text that is not empty."""
        found = self._take(key, default)
        if not isinstance(found, str) or not found.strip():
            raise self.wrong(key, f"must be a text, not {_shown(found)}.")
        if among and found not in among:
            raise self.wrong(key, f"cannot be {_shown(found)}. Choose one of {_names(among)}.")
        return found

    def texts(self, key: str, default: Iterable[str] | None = None) -> tuple[str, ...]:
        """Take a list of texts; a single text or number is a list of one."""
        found = self._listed(key, default)
        if not all(isinstance(part, str) or _is_number(part) for part in found):
            raise self.wrong(key, "must be a list of texts.")
        texts = tuple(part if isinstance(part, str) else f"{part:g}" for part in found)
        if (twice := first_repeat(texts)) is not None:
            raise self.wrong(key, f"names {_shown(twice)} twice.")
        return texts

    def names(self, key: str, among: Collection[str]) -> tuple[str, ...]:
        """Take a list of at least one known name."""
        found = self.texts(key)
        for name in found:
            if name not in among:
                raise self.wrong(key, f"cannot be {_shown(name)}. Choose among {_names(among)}.")
        if not found:
            raise self.wrong(key, f"is empty. Choose among {_names(among)}.")
        return found

    def flag(self, key: str, default: bool) -> bool:
        """Take true or false."""
        found = self._take(key, default)
        if not isinstance(found, bool):
            raise self.wrong(key, f"must be true or false, not {_shown(found)}.")
        return found

    def whole(self, key: str, default: int, least: int) -> int:
        """Take a whole number."""
        found = self._take(key, default)
        if isinstance(found, bool) or not isinstance(found, int) or found < least:
            raise self.wrong(key, f"must be a whole number from {least} up, not {_shown(found)}.")
        return found

    def number(self, key: str, default: float, valid: Callable[[float], bool], words: str) -> float:
        """Take a number, described by words such as "a number above 0"."""
        found = self._take(key, default)
        if not _is_number(found) or not valid(float(found)):
            raise self.wrong(key, f"must be {words}, not {_shown(found)}.")
        return float(found)

    def positives(self, key: str, default: Iterable[float]) -> tuple[float, ...]:
        """Take a list of positive numbers, in ascending order."""
        found = self._listed(key, default)
        for part in found:
            if not _is_number(part) or not 0.0 < float(part) < math.inf:
                raise self.wrong(key, f"must be a list of positive numbers, not {_shown(part)}.")
        numbers = tuple(sorted(float(part) for part in found))
        if not numbers:
            raise self.wrong(key, "is empty; give at least one number.")
        if (twice := first_repeat(numbers)) is not None:
            raise self.wrong(key, f"has {twice:g} twice.")
        return numbers

    def table(self, key: str) -> Table:
        """Take a table; an empty one where there is none."""
        found = self._take(key, {})
        if not isinstance(found, dict):
            raise self.wrong(key, f"must be a table, [{key}].")
        return Table(found, self._file, f"{self._prefix}{key}.")

    def tables(self, key: str) -> list[Table]:
        """Take a list of at least one table."""
        found = self._take(key, [])
        if not isinstance(found, list) or not found or not all(isinstance(t, dict) for t in found):
            raise self.wrong(key, f"must be given by at least one table [[{key}]].")
        return [
            Table(part, self._file, f"{self._prefix}{key} {number}: ")
            for number, part in enumerate(found, start=1)
        ]

    def finish(self) -> None:
        """Refuse keys that nothing has taken."""
        for key in self._left:
            raise self.wrong(key, f"is not known. Known are {_names(self._known)}.")

    def _take(self, key: str, default: Any) -> Any:
        self._known.append(key)
        if key not in self._left and default is None:
            raise self.wrong(key, "is missing.")
        return self._left.pop(key, default)

    def _listed(self, key: str, default: Any) -> list[Any]:
        found = self._take(key, default)
        return list(found) if isinstance(found, (list, tuple)) else [found]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"'{quoted(value)}'" if isinstance(value, str) else quoted(str(value))


def _names(known: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(known))
