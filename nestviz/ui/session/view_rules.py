"""How the values of single keys of the address are read and written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from nestviz.ui import decoding
from nestviz.ui.scene.scene import LAYERS

LONGEST_WORD = 200
"""Characters of a word."""


class Rule(Protocol):
    """Reads and writes the value of a key."""

    def read(self, texts: Sequence[str]) -> Any:
        """Return the value, or None where the texts are invalid."""

    def write(self, value: Any) -> list[str]:
        """Return the texts of a value."""


@dataclass(frozen=True)
class Number:
    """A finite number in a range; the last text counts."""

    low: float = -decoding.LARGEST
    high: float = decoding.LARGEST
    whole: bool = False

    def read(self, texts: Sequence[str]) -> float | None:
        """Return the value of texts, or None."""
        return self.checked(decoding.number_of(texts[-1]))

    def checked(self, value: Any) -> float | None:
        """Return a number from outside in the type of the key, or None."""
        found = decoding.number(self.low, self.high)(value)
        if found is None or not self.whole:
            return found
        return int(found) if found == int(found) else None

    def write(self, value: float) -> list[str]:
        """Return the texts of a value."""
        return [format(value, ".12g")]


@dataclass(frozen=True)
class Word:
    """A short text, one of the choices if given; the last text counts."""

    choices: tuple[str, ...] = ()

    def read(self, texts: Sequence[str]) -> str | None:
        """Return the value of texts, or None."""
        if self.choices:
            return decoding.choice(*self.choices)(texts[-1])
        return decoding.text(LONGEST_WORD, shortest=1)(texts[-1])

    def write(self, value: str) -> list[str]:
        """Return the texts of a value."""
        return [value]


@dataclass(frozen=True)
class Words:
    """Several short texts, each under the key; an empty text stands for none."""

    def read(self, texts: Sequence[str]) -> tuple[str, ...] | None:
        """Return the value of texts, or None."""
        word = decoding.text(LONGEST_WORD)
        if any(word(text) is None for text in texts):
            return None
        return tuple(dict.fromkeys(text for text in texts if text))

    def write(self, value: tuple[str, ...]) -> list[str]:
        """Return the texts of a value."""
        return list(value) or [""]


@dataclass(frozen=True)
class Switch:
    """True or false, in lower case."""

    def read(self, texts: Sequence[str]) -> bool | None:
        """Return the value of texts, or None."""
        return {"true": True, "false": False}.get(texts[-1].lower())

    def write(self, value: bool) -> list[str]:
        """Return the texts of a value."""
        return [str(value).lower()]


@dataclass(frozen=True)
class Span:
    """Two whole numbers in a range, each under the key, in any order."""

    low: int
    high: int

    def read(self, texts: Sequence[str]) -> tuple[int, int] | None:
        """Return the value of texts, or None."""
        number = Number(self.low, self.high, whole=True)
        ends = [number.read([text]) for text in texts]
        found = sorted(int(end) for end in ends if end is not None)
        return (found[0], found[1]) if len(found) == len(texts) == 2 else None

    def write(self, value: tuple[int, int]) -> list[str]:
        """Return the texts of a value."""
        return [str(end) for end in value]


@dataclass(frozen=True)
class Numbers:
    """Distinct finite numbers in a range, ascending, joined by commas."""

    low: float
    high: float
    least: int = 1
    most: int = 41

    def read(self, texts: Sequence[str]) -> tuple[float, ...] | None:
        """Return the value of texts, or None."""
        words = texts[-1].split(",", self.most)
        return self.checked([decoding.number_of(word) for word in words])

    def checked(self, values: Sequence[Any]) -> tuple[float, ...] | None:
        """Return numbers from outside, sorted and each once, or None."""
        found = decoding.several(decoding.number(self.low, self.high), self.most)(list(values))
        distinct = sorted(set(found or ()))
        return tuple(distinct) if len(distinct) >= self.least else None

    def write(self, value: tuple[float, ...]) -> list[str]:
        """Return the texts of a value."""
        return [",".join(format(number, ".4g") for number in value)]


@dataclass(frozen=True)
class Location:
    """Two finite numbers, joined by a comma."""

    def read(self, texts: Sequence[str]) -> tuple[float, float] | None:
        """Return the value of texts, or None."""
        found = decoding.LOCATION([decoding.number_of(text) for text in texts[-1].split(",")])
        return None if found is None else (found[0], found[1])

    def write(self, value: tuple[float, float]) -> list[str]:
        """Return the texts of a value."""
        return [",".join(format(number, ".6g") for number in value)]


@dataclass(frozen=True)
class Layers:
    """The layers of a picture that are switched on, joined by points; ``none`` for no layer."""

    def read(self, texts: Sequence[str]) -> tuple[str, ...] | None:
        """Return the value of texts, or None."""
        words = texts[-1].split(".")
        known = tuple(layer for layer in LAYERS if layer in words)
        return known if known or words == ["none"] else None

    def write(self, value: tuple[str, ...]) -> list[str]:
        """Return the texts of a value."""
        return [".".join(value) or "none"]
