"""`Target`: one published table or figure that can be computed anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nestviz.studies.engine.drive import Plan


@dataclass(frozen=True)
class Target:
    """A published table or figure.

    Attributes
    ----------
    name : str
        Its name on the command line, such as ``"fig7"``.
    title : str
        What it shows, in a few words.
    source : str
        Where it is printed.
    plan : callable
        Takes a protocol and returns the `Plan` that ends with the findings.
    quick, full : object
        The reduced protocol, which takes minutes, and the published one. Records of numbers and
        names only; ``describe()`` says in sentences what is done.
    cpu_minutes : tuple of float
        Processor time of the quick and of the full protocol, as once measured.
    page : str
        The page of the app that shows the subject.
    """

    name: str
    title: str
    source: str
    plan: Callable[[Any], Plan]
    quick: Any
    full: Any
    cpu_minutes: tuple[float, float]
    page: str = ""
