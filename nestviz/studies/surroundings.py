"""Versions and machine, on which times depend, and the last digits of numbers may."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version

from nestviz import __version__

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "joblib")


def versions() -> dict[str, str]:
    """Return the versions of Python, nestviz and the packages that compute."""
    found = {"python": platform.python_version(), "nestviz": __version__}
    return found | {name: version_of(name) or "" for name in PACKAGES}


def machine() -> dict[str, str]:
    """Return system, processor and number of cores."""
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "cores": str(os.cpu_count()),
    }


def version_of(package: str) -> str | None:
    """Return the version of a package, or None where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
