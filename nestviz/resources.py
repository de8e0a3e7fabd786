"""Location of the app's files: beside the package in a source tree, inside it in a wheel."""

from __future__ import annotations

import os
from pathlib import Path

RESULTS = "NESTVIZ_RESULTS"
"""The variable that names another folder of results."""
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


def results_dir() -> Path:
    """Return the folder of the results that the page *Results* shows.

    Returns
    -------
    Path
        That of the variable ``NESTVIZ_RESULTS``, or of the results that come with nestviz.
    """
    if named := os.environ.get(RESULTS):
        return Path(named)
    root = app_dir()
    return root / "results" if root.name == "_bundle" else root / "docs" / "results"
