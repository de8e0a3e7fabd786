"""Questions of the player, decoded and checked."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from nestviz.arrays import FloatArray, IntArray

MAX_BYTES = 256 * 1024
MAX_KNOBS = 8
MAX_PANELS = 12
MAX_POINTS = 2_000
MAX_NAME = 200
MAX_CLASS = 1_000
_KNOB = re.compile(r"[a-z_]{1,20}")
_NEEDED, _KNOWN = (
    {"token", "player", "knobs"},
    {"token", "player", "knobs", "points", "classes", "panels"},
)

BAD_REQUEST, TOO_LARGE = 400, 413


class RefusalError(Exception):
    """An answer without content.

    Parameters
    ----------
    status : int
        The HTTP status.
    sentence : str
        The reason in words; users may see it.
    """

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


@dataclass(frozen=True)
class LiveQuestion:
    """What the player asks for.

    Parameters
    ----------
    knobs : dict of str to float
        The value of each control, by its key.
    points : ndarray of shape (n_points, 2) or None
        Edited points in plane coordinates.
    classes : ndarray of shape (n_points,) or None
        The class of each edited point.
    stopped : callable
        Returns whether the answer is no longer needed; thread-safe.
    panels : tuple of int or None
        The panels asked for; None for all.
    """

    knobs: dict[str, float]
    points: FloatArray | None
    classes: IntArray | None
    stopped: Callable[[], bool]
    panels: tuple[int, ...] | None = None


Build = Callable[[LiveQuestion], bytes]
"""Computes an answer, in a thread without a session; raises DataError where there is none."""


@dataclass(frozen=True)
class Asked:
    """A decoded request: whom it concerns, and its content."""

    token: str
    player: str
    knobs: dict[str, float]
    points: FloatArray | None
    classes: IntArray | None
    panels: tuple[int, ...] | None

    def question(self, stopped: Callable[[], bool]) -> LiveQuestion:
        """Return the part of the request that a build gets."""
        return LiveQuestion(self.knobs, self.points, self.classes, stopped, self.panels)


def read_question(body: bytes) -> Asked:
    """Decode the body of a request.

    Parameters
    ----------
    body : bytes
        JSON with the keys ``token``, ``player`` and ``knobs``, and optionally ``points``,
        ``classes`` and ``panels``.

    Returns
    -------
    Asked

    Raises
    ------
    RefusalError
        If the body is too large, has other keys, or has values out of range.
    """
    if len(body) > MAX_BYTES:
        raise RefusalError(TOO_LARGE, f"The question is larger than {MAX_BYTES // 1024} kB.")
    try:
        read = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RefusalError(BAD_REQUEST, "The question is not valid JSON.") from error
    if not isinstance(read, dict) or not _NEEDED <= set(read) <= _KNOWN:
        raise RefusalError(
            BAD_REQUEST,
            "A question has a token, a player and knobs, and perhaps points, classes and panels.",
        )
    points = _points(read.get("points"))
    return Asked(
        _name(read["token"]),
        _name(read["player"]),
        _knobs(read["knobs"]),
        points,
        _classes(read.get("classes"), points),
        _panels(read.get("panels")),
    )


def _name(value: Any) -> str:
    if isinstance(value, str) and 0 < len(value) <= MAX_NAME:
        return value
    raise RefusalError(BAD_REQUEST, f"Token and player are texts of 1 to {MAX_NAME} characters.")


def _knobs(value: Any) -> dict[str, float]:
    if (
        isinstance(value, dict)
        and len(value) <= MAX_KNOBS
        and all(_KNOB.fullmatch(name) for name in value)
        and all(map(_is_finite, value.values()))
    ):
        return {name: float(number) for name, number in value.items()}
    raise RefusalError(
        BAD_REQUEST,
        f"Knobs are at most {MAX_KNOBS} finite numbers, with names of 1 to 20 lowercase letters.",
    )


def _points(value: Any) -> FloatArray | None:
    if value is None:
        return None
    if isinstance(value, list) and len(value) > MAX_POINTS:
        raise RefusalError(
            TOO_LARGE, f"At most {MAX_POINTS:,} points can be edited while the picture follows."
        )
    if isinstance(value, list) and all(
        isinstance(row, list) and len(row) == 2 and _is_finite(row[0]) and _is_finite(row[1])
        for row in value
    ):
        return np.array(value, dtype=np.float64).reshape(len(value), 2)
    raise RefusalError(BAD_REQUEST, "Points are pairs of finite numbers.")


def _classes(value: Any, points: FloatArray | None) -> IntArray | None:
    if value is None:
        return None
    if (
        isinstance(value, list)
        and points is not None
        and len(value) == len(points)
        and all(type(label) is int and abs(label) <= MAX_CLASS for label in value)
    ):
        return np.array(value, dtype=np.int64)
    raise RefusalError(BAD_REQUEST, "Classes are whole numbers, one for each point.")


def _panels(value: Any) -> tuple[int, ...] | None:
    if value is None:
        return None
    if (
        isinstance(value, list)
        and 0 < len(value) <= MAX_PANELS
        and all(type(number) is int and 0 <= number < MAX_PANELS for number in value)
    ):
        return tuple(value)
    raise RefusalError(BAD_REQUEST, f"Panels are at most {MAX_PANELS} numbers from 0 up.")


def _is_finite(value: Any) -> bool:
    """Return whether a value is a number that fits in a float; True and False are none."""
    try:
        return type(value) in (int, float) and math.isfinite(value)
    except OverflowError:
        return False
