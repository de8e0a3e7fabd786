"""How the values of single keys of the address are read and written."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from nestviz.ui.player.data import LAYERS


class Rule(Protocol):
    """How the value of a key is read and written."""

    def read(self, texts: Sequence[str]) -> Any:
        """Return the value, or None where the texts are not a valid one."""

    def write(self, value: Any) -> list[str]:
        """Return the texts of a value."""


@dataclass(frozen=True)
class Number:
    """A finite number in a range."""

    low: float = -1e12
    high: float = 1e12
    whole: bool = False

    def read(self, texts: Sequence[str]) -> float | None:
        """Read the last text."""
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
        """Write whole numbers without a point, others with the digits they have."""
        return [format(value, ".12g")]


@dataclass(frozen=True)
class Word:
    """A short text; one of the choices, where they are given."""

    choices: tuple[str, ...] = ()

    def read(self, texts: Sequence[str]) -> str | None:
        """Read the last text."""
        text = texts[-1]
        return text if text and (not self.choices or text in self.choices) else None

    def write(self, value: str) -> list[str]:
        """Write the text itself."""
        return [value]


@dataclass(frozen=True)
class Words:
    """Several short texts, each under the key; an empty text stands for none of them."""

    def read(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Read all texts, each once."""
        return tuple(dict.fromkeys(text for text in texts if text))

    def write(self, value: tuple[str, ...]) -> list[str]:
        """Write one text per word."""
        return list(value) or [""]


@dataclass(frozen=True)
class Switch:
    """Yes or no."""

    def read(self, texts: Sequence[str]) -> bool | None:
        """Read the last text, in any case."""
        return {"true": True, "false": False}.get(texts[-1].lower())

    def write(self, value: bool) -> list[str]:
        """Write a lower-case word."""
        return [str(value).lower()]


@dataclass(frozen=True)
class Span:
    """Two whole numbers in a range, the lower one first."""

    low: int
    high: int

    def read(self, texts: Sequence[str]) -> tuple[int, int] | None:
        """Read two texts, in any order."""
        if len(texts) != 2:
            return None
        number = Number(self.low, self.high, whole=True)
        ends = [number.read([text]) for text in texts]
        if any(end is None for end in ends):
            return None
        low, high = sorted(int(end) for end in ends if end is not None)
        return low, high

    def write(self, value: tuple[int, int]) -> list[str]:
        """Write one text per end."""
        return [str(end) for end in value]


@dataclass(frozen=True)
class Layers:
    """The layers of a picture that are switched on, joined by points; ``none`` for no layer."""

    def read(self, texts: Sequence[str]) -> tuple[str, ...] | None:
        """Read the last text; unknown layers are left out."""
        words = texts[-1].split(".")
        known = tuple(layer for layer in LAYERS if layer in words)
        return known if known or words == ["none"] else None

    def write(self, value: tuple[str, ...]) -> list[str]:
        """Write one text."""
        return [".".join(value) or "none"]
