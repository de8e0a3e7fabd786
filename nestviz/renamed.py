"""Old names of parameters and attributes, accepted with a warning for one version."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, TypeVar

Target = TypeVar("Target", bound=Callable[..., Any])
REMOVAL = "in version 0.2"


def renamed(*, order: Sequence[str] = (), **names: str) -> Callable[[Target], Target]:
    """Accept old names in calls of a function or a class, with a FutureWarning.

    A class keeps its signature, so ``get_params`` and ``clone`` see the new names only. Old names
    also work in ``set_params`` and as attributes. Subclasses inherit them, and a subclass with an
    ``__init__`` of its own is decorated too, with the names that it adds.

    Parameters
    ----------
    order : sequence of str
        Keyword-only parameters in the order in which they used to be accepted by position.
    **names : str
        New names by old names. A name that ends in an underscore is a fitted attribute.

    Returns
    -------
    callable
        A decorator for a function or a class.
    """

    def decorate(target: Target) -> Target:
        if not isinstance(target, type):
            return _translated(target, names, order, target.__name__)
        known = {**getattr(target, "_renamed", {}), **names}
        cls: Any = target
        cls._renamed = known
        cls.__init__ = _translated(cls.__init__, known, order, cls.__name__, bound=1)
        if hasattr(cls, "set_params"):
            cls.set_params = _translated(cls.set_params, known, (), cls.__name__, bound=1)
        for old, new in names.items():
            setattr(cls, old, _alias(old, new))
        return target

    return decorate


def _translated(
    call: Target, names: Mapping[str, str], order: Sequence[str], owner: str, bound: int = 0
) -> Target:
    """Return ``call`` with old keywords and positions translated; the signature is kept."""

    @wraps(call)
    def translated(*args: Any, **given: Any) -> Any:
        placed = args[bound : bound + len(order)]
        if placed:
            listed = ", ".join(order[: len(placed)])
            _warn(f"{owner} takes {listed} by name; by position they are accepted until removal")
            given = _joined(dict(zip(order, placed, strict=False)), given)
        for old in names.keys() & given.keys():
            _warn(f"{old!r} of {owner} is now {names[old]!r}; the old name will be removed")
            given = _joined({names[old]: given.pop(old)}, given)
        return call(*args[:bound], *args[bound + len(placed) :], **given)

    return translated  # type: ignore[return-value]


def _joined(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    twice = sorted(first.keys() & second.keys())
    if twice:
        raise TypeError(f"{twice[0]!r} is given twice, once by an old name or by position.")
    return {**first, **second}


def _alias(old: str, new: str) -> property:
    def read(self: Any) -> Any:
        value = getattr(self, new)
        _warn(f"{old!r} of {type(self).__name__} is now {new!r}; the old name will be removed")
        return value

    def write(self: Any, value: Any) -> None:
        _warn(f"{old!r} of {type(self).__name__} is now {new!r}; the old name will be removed")
        setattr(self, new, value)

    return property(read, write, doc=f"Old name of ``{new}``.")


def _warn(sentence: str) -> None:
    warnings.warn(f"{sentence} {REMOVAL}.", FutureWarning, stacklevel=3)
