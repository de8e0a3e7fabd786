"""How the values of single keys of the address are read and written."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from nestviz.ui.scene.scene import LAYERS


class Rule(Protocol):
    """Reads and writes the value of a key."""

    def read(self, texts: Sequence[str]) -> Any:
        """Return the value, or None where the texts are invalid."""

    def write(self, value: Any) -> list[str]:
        """Return the texts of a value."""


@dataclass(frozen=True)
class Number:
    """A finite number in a range; the last text counts."""

    low: float = -1e12
    high: float = 1e12
    whole: bool = False

    def read(self, texts: Sequence[str]) -> float | None:
        """Return the value of texts, or None."""
        try:
            value = float(texts[-1])
        except ValueError:
            return None
        if not math.isfinite(value) or not self.low <= value <= self.high:
            return None
        if not self.whole:
            return value
        return int(value) if value == int(value) else None

    def write(self, value: float) -> list[str]:
        """Return the texts of a value."""
        return [format(value, ".12g")]


@dataclass(frozen=True)
class Word:
    """A short text, one of the choices if given; the last text counts."""

    choices: tuple[str, ...] = ()

    def read(self, texts: Sequence[str]) -> str | None:
        """Return the value of texts, or None."""
        text = texts[-1]
        return text if text and (not self.choices or text in self.choices) else None

    def write(self, value: str) -> list[str]:
        """Return the texts of a value."""
        return [value]


@dataclass(frozen=True)
class Words:
    """Several short texts, each under the key; an empty text stands for none."""

    def read(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Return the value of texts, or None."""
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
class Location:
    """Two finite numbers, joined by a comma."""

    def read(self, texts: Sequence[str]) -> tuple[float, float] | None:
        """Return the value of texts, or None."""
        ends = [Number().read([text]) for text in texts[-1].split(",")]
        if len(ends) != 2 or ends[0] is None or ends[1] is None:
            return None
        return ends[0], ends[1]

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
