"""Location of the app's files: beside the package in a source tree, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def app_dir() -> Path:
    """Return the folder with ``app.py``, ``pages/`` and ``sample_data/``."""
    bundled = _PACKAGE / "_bundle"
    return bundled if bundled.is_dir() else _PACKAGE.parent


def sample_data_dir() -> Path:
    """Return the folder of the data sets that come with nestviz.

    Returns
    -------
    Path
    """
    return app_dir() / "sample_data"
