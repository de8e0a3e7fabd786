"""All targets of ``nestviz reproduce``."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from nestviz.studies.reproduce.target import Target

SOURCES = (
    "lee_scott_2010",
    "lee_scott_2007",
    "davenport_2007",
    "glazer_2013",
    "schoelkopf_smola_2002",
)
"""Packages beside this module, in the order of the list; each has ``TARGETS``."""


def targets() -> dict[str, Target]:
    """Return all targets by name, in the order of their sources."""
    found: dict[str, Target] = {}
    for source in SOURCES:
        name = f"{__package__}.{source}"
        if find_spec(name) is None:
            continue
        for target in import_module(name).TARGETS:
            if target.name in found:
                raise ValueError(f"Two targets are called {target.name!r}.")
            found[target.name] = target
    return found
