"""Questions of the player, decoded and checked."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from nestviz.arrays import FloatArray, IntArray
from nestviz.ui.decoding import LOCATION, number, parse_json, several, whole

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


@runtime_checkable
class Remembers(Protocol):
    """A build with a cache of its answers."""

    def known(self, question: LiveQuestion) -> bytes | None:
        """Return the cached answer to a question, quickly; None if there is none."""


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
        read = parse_json(body, constants=True)
    except ValueError as error:
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
    # Of any characters: it is only looked up, and a wrong one must look like an unknown one.
    if type(value) is str and 0 < len(value) <= MAX_NAME:
        return value
    raise RefusalError(BAD_REQUEST, f"Token and player are texts of 1 to {MAX_NAME} characters.")


def _knobs(value: Any) -> dict[str, float]:
    if isinstance(value, dict) and len(value) <= MAX_KNOBS:
        found = {name: number()(entry) for name, entry in value.items() if _KNOB.fullmatch(name)}
        sound = {name: entry for name, entry in found.items() if entry is not None}
        if len(sound) == len(value):
            return sound
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
    found = several(LOCATION, MAX_POINTS)(value)
    if found is None:
        raise RefusalError(BAD_REQUEST, "Points are pairs of finite numbers.")
    return np.array(found, dtype=np.float64).reshape(len(found), 2)


def _classes(value: Any, points: FloatArray | None) -> IntArray | None:
    if value is None:
        return None
    found = several(whole(-MAX_CLASS, MAX_CLASS), MAX_POINTS)(value)
    if found is None or points is None or len(found) != len(points):
        raise RefusalError(BAD_REQUEST, "Classes are whole numbers, one for each point.")
    return np.array(found, dtype=np.int64)


def _panels(value: Any) -> tuple[int, ...] | None:
    if value is None:
        return None
    found = several(whole(0, MAX_PANELS - 1), MAX_PANELS, least=1)(value)
    if found is None:
        raise RefusalError(BAD_REQUEST, f"Panels are at most {MAX_PANELS} numbers from 0 up.")
    return found
