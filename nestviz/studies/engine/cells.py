"""`Cell`: one piece of a study's work, named by all that its result depends on."""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from nestviz.escaping import plain

Result = dict[str, Any]
"""What a cell computes: names, and plain values as JSON has them."""


@dataclass(frozen=True)
class Cell:
    """One call of a task, to be computed once and stored.

    Attributes
    ----------
    task : str
        The function that computes it, ``"package.module:function"``. It takes the parameters by
        name and returns a `Result` that depends on nothing else.
    parameters : mapping of str to plain values
        All that the result depends on: data with their fingerprint, permutation, grid, seed.
    version : int
        Version of the task's protocol. Raise it when the same parameters give another result.
    locations : mapping of str to str
        Further arguments of the task that only say where to find what the parameters describe,
        such as a file of known fingerprint. The stored result is not named by them.
    """

    task: str
    parameters: Mapping[str, Any]
    version: int = 1
    locations: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def key(self) -> str:
        """Return the name under which the result is stored."""
        return hashlib.sha256(self.text.encode("utf-8")).hexdigest()

    @cached_property
    def text(self) -> str:
        """Return task, parameters and version as JSON with sorted names."""
        content = {"task": self.task, "parameters": self.parameters, "version": self.version}
        return json.dumps(content, sort_keys=True, ensure_ascii=False, allow_nan=False)

    @property
    def label(self) -> str:
        """Return task, locations and parameters in one line, for messages."""
        named = {**self.locations, **self.parameters}
        given = ", ".join(f"{name}={value!r}" for name, value in named.items())
        return plain(f"{self.task.rpartition(':')[2]}({given})", 160)

    @property
    def function(self) -> Callable[..., Result]:
        """Import the task."""
        module, function = self.task.split(":")
        task: Callable[..., Result] = getattr(importlib.import_module(module), function)
        return task

    def compute(self) -> Result:
        """Call the task."""
        return self.function(**self.parameters, **self.locations)
