"""Fitted estimators as files that can be loaded without running anything from them.

A model file is a zip: the estimator in the format of skops, which has arrays and names but no
code, its certificate as JSON, and a note on how to load it. Loading builds types of our own list
only, never of a list in the file.
"""

from __future__ import annotations

import inspect
import io
import json
import zipfile
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import numpy as np

from nestviz.estimators.base import FamilyEstimator
from nestviz.extras import require

MODEL, CERTIFICATE, NOTE = "model.skops", "certificate.json", "README.txt"
LARGEST = 2_000_000_000
"""Bytes that the model inside an archive may unpack to."""
MEASURES = (
    "level_", "sigma_", "objective_", "kkt_residual_", "duality_gap_", "n_iter_", "converged_",
)  # fmt: skip
"""Attributes that describe a solution."""
README = """A model fitted by nestviz {version}: {name}.

To load it (the file has no code; only types of nestviz are built):

    from nestviz import load_model

    model = load_model("{file}")
    model.decision_function(X)

{certificate} has the parameters of the model and the certificate of its solution.
"""

PARTS = (
    "nestviz.coefficients",
    "nestviz.families",
    "nestviz.intersections",
    "nestviz.kernels",
    "nestviz.solvers.columns",
    "nestviz.solvers.merge",
    "nestviz.solvers.path.records",
)
"""Modules whose classes a model consists of, beside the estimators."""


def trusted_types() -> list[str]:
    """Return the types that loading may build: estimators of nestviz, and their parts."""
    package = import_module("nestviz.estimators")
    beside = [entry.name for entry in walk_packages(package.__path__, "nestviz.estimators.")]
    kinds = {
        kind
        for name in (*PARTS, *beside)
        for _, kind in inspect.getmembers(import_module(name), inspect.isclass)
        if kind.__module__.startswith("nestviz.")
    }
    return sorted(f"{kind.__module__}.{kind.__qualname__}" for kind in kinds)


def model_archive(estimator: FamilyEstimator) -> bytes:
    """Return a fitted estimator with its certificate, as the bytes of a zip."""
    require("skops", "io", "Model files")
    import skops.io as sio

    from nestviz import __version__

    name = type(estimator).__name__
    certificate = json.dumps(certificate_of(estimator), indent=2, ensure_ascii=False)
    note = README.format(version=__version__, name=name, file="model.zip", certificate=CERTIFICATE)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MODEL, sio.dumps(estimator))
        archive.writestr(CERTIFICATE, certificate + "\n")
        archive.writestr(NOTE, note)
    return out.getvalue()


def save_model(estimator: FamilyEstimator, path: str | Path) -> None:
    """Save a fitted estimator with its certificate.

    Parameters
    ----------
    estimator : FamilyEstimator
        A fitted estimator.
    path : str or Path
        Path of the zip file.
    """
    Path(path).write_bytes(model_archive(estimator))


def load_model(path: str | Path) -> Any:
    """Load an estimator that `save_model` or the app wrote.

    Parameters
    ----------
    path : str or Path
        Path of the file.

    Returns
    -------
    FamilyEstimator
        The estimator, with the same decision values bit for bit.

    Raises
    ------
    ValueError
        If the file is no model of nestviz, or contains a type that is not one of nestviz.
    """
    require("skops", "io", "Model files")
    import skops.io as sio

    content = _model_bytes(Path(path))
    trusted = trusted_types()
    unknown = sorted(set(sio.get_untrusted_types(data=content)) - set(trusted))
    if unknown:
        raise ValueError(
            f"The file holds types that a model of nestviz is not made of ({', '.join(unknown)}); "
            f"it is not loaded. Ask its author for a file written by nestviz.save_model."
        )
    model = sio.loads(content, trusted=trusted)
    if not isinstance(model, FamilyEstimator):
        raise ValueError(f"The file holds a {type(model).__name__}, not an estimator of nestviz.")
    return model


def _model_bytes(path: Path) -> bytes:
    try:
        with zipfile.ZipFile(path) as archive:
            size = archive.getinfo(MODEL).file_size
            if size > LARGEST:
                raise ValueError(
                    f"The model in '{path.name}' unpacks to {size:,} bytes; at most {LARGEST:,} "
                    f"are read."
                )
            return archive.read(MODEL)
    except (zipfile.BadZipFile, KeyError):
        raise ValueError(
            f"'{path.name}' is not a model file of nestviz, or not whole. Give a zip written by "
            f"nestviz.save_model or downloaded from the app."
        ) from None


def certificate_of(estimator: FamilyEstimator) -> dict[str, Any]:
    """Return the parameters of a fitted estimator and the certificate of its solution."""
    from nestviz import __version__

    found = {name.rstrip("_"): getattr(estimator, name, None) for name in MEASURES}
    residuals = getattr(estimator, "path_residual_", None)
    if residuals is not None:
        found["largest_kkt_residual_of_path"] = float(np.max(residuals))
    return {
        "estimator": type(estimator).__name__,
        "nestviz": __version__,
        "parameters": _plain(estimator.get_params(deep=False)),
        "points": len(estimator.family_.centres),
        "features": int(estimator.family_.centres.shape[1]),
        "breakpoints": int(estimator.family_.levels.size),
        "nested": bool(estimator.family_.is_nested),
        "certificate": _plain({name: value for name, value in found.items() if value is not None}),
    }


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return arrays and NumPy numbers as JSON has them."""
    return {
        name: value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
        for name, value in values.items()
    }
