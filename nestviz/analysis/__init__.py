"""Measures of families: mass and volume, bandwidth, ranking, ROC, outliers, nesting, trees.

Public names are listed in ``__init__.pyi`` and imported on first use.
"""

from importlib import import_module
from typing import Any

import lazy_loader

_own, _, __all__ = lazy_loader.attach_stub(__name__, __file__)

# A stub loads names of its own package only; these belong to ``nestviz.volume``.
_OF_VOLUME = (
    "integrated_volume",
    "mass_volume_curve",
    "pixel_reference",
    "select_bandwidth",
    "uniform_reference",
)
__all__ += _OF_VOLUME


def __getattr__(name: str) -> Any:
    return getattr(import_module("nestviz.volume"), name) if name in _OF_VOLUME else _own(name)


def __dir__() -> list[str]:
    return __all__
