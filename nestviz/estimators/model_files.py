"""Fitted estimators as files that can be loaded without running anything from them.

A model file is a zip: the estimator in the format of skops, which has arrays and names but no
code, its certificate as JSON, and a note on how to load it. Loading builds types of our own list
only, never of a list in the file.
"""

from __future__ import annotations

import inspect
import io
import json
import warnings
import zipfile
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import MappingProxyType
from typing import Any

import numpy as np

from nestviz.estimators.base import FamilyEstimator
from nestviz.estimators.same_archives import packed, same_names
from nestviz.extras import require
from nestviz.solvers.nested.adaptive import LevelCertificate

MODEL, CERTIFICATE, NOTE = "model.skops", "certificate.json", "README.txt"
LARGEST, UNPACKED, RATIO = 2_000_000_000, 10_000_000, 200
"""Bytes that the model inside an archive may unpack to: at most the first, and at most the second
plus so many times the size of the archive. Models shrink to a tenth."""
LOADERS = {
    "ObjectNode", "DictNode", "ListNode", "TupleNode", "SetNode", "JsonNode", "TypeNode",
    "NdArrayNode", "RandomStateNode", "RandomGeneratorNode",
}  # fmt: skip
"""Nodes of skops that models consist of; functions and methods are not among them."""
MOST_NODES = 200_000
QUOTED = 80
"""Characters that a message quotes of a file."""
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
    "nestviz.solvers.nested.adaptive",
    "nestviz.solvers.path.records",
    "nestviz.volume.integrated",
    "nestviz.volume.selection",
)
"""Modules whose classes a model consists of, beside the estimators."""


@cache
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


def model_archive(
    estimator: FamilyEstimator, beside: Mapping[str, bytes] = MappingProxyType({})
) -> bytes:
    """Return a fitted estimator with its certificate, as the bytes of a zip.

    The same estimator gives the same bytes. ``beside`` has further files for the archive, by name;
    `load_model` does not look at them.
    """
    require("skops", "io", "Model files")
    import skops.io as sio

    from nestviz import __version__

    name = type(estimator).__name__
    if hasattr(estimator, "families_") or hasattr(estimator, "sets_"):
        raise TypeError(
            f"Model files keep estimators of families themselves, and a {name} calibrates them on "
            f"held-out points. Keep it with pickle."
        )
    if not hasattr(estimator, "family_"):
        raise TypeError(
            f"Model files keep fitted estimators with a family of sets, and this {name} has none. "
            f"Fit it first; what a KernelVectorQuantizer has learned is its array codebook_."
        )
    if not isinstance(estimator, FamilyEstimator):
        raise TypeError(
            f"Model files keep estimators of families themselves, and a {name} is fitted around "
            f"one. Save its estimator_, which has the same sets."
        )
    certificate = json.dumps(certificate_of(estimator), indent=2, ensure_ascii=False, default=repr)
    note = README.format(version=__version__, name=name, file="model.zip", certificate=CERTIFICATE)
    files = {
        MODEL: same_names(sio.dumps(estimator)),
        CERTIFICATE: f"{certificate}\n".encode(),
        NOTE: note.encode(),
    }
    return packed({**files, **beside}, zipfile.ZIP_DEFLATED)


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
        If the file is no model of nestviz, contains a type that is not one of nestviz, or has a
        model that no fit can have made: with parts missing, of other shapes, or not finite.
    OSError
        If there is no such file, or it cannot be read.
    """
    require("skops", "io", "Model files")
    from nestviz.estimators.model_checks import check_model  # Loads all estimators

    path = Path(path)
    named = f"'{path.name[:QUOTED]}'"
    content = _model_bytes(path, named)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        model = _built(content, named)
        try:
            check_model(model)
        # Whatever a wrong part makes the checks run into, it is the file that is wrong.
        except Exception as error:
            raise ValueError(
                f"{named} is not a sound model of nestviz: {str(error)[:QUOTED]!r}. Save the model "
                "once more with nestviz.save_model."
            ) from error
    return model


def _built(content: bytes, named: str) -> Any:
    """Return the object in a file of skops, which may be anything that our types can be."""
    import skops.io as sio

    trusted = trusted_types()
    try:
        _check_contents(content)
        unknown = sorted(set(sio.get_untrusted_types(data=content)) - set(trusted))
        model = None if unknown else sio.loads(content, trusted=trusted)
    # skops and the libraries below it raise errors of many kinds on damaged files.
    except Exception as error:
        raise ValueError(
            f"The model in {named} is damaged: {str(error)[:QUOTED]!r}. Give a file written by "
            "nestviz.save_model."
        ) from error
    if unknown:
        raise ValueError(
            f"The file holds types that a model of nestviz is not made of "
            f"({', '.join(unknown)[:QUOTED]}); it is not loaded. Ask its author for a file written "
            "by nestviz.save_model."
        )
    if not isinstance(model, FamilyEstimator):
        raise ValueError(f"The file holds a {type(model).__name__}, not an estimator of nestviz.")
    return model


def _check_contents(content: bytes) -> None:
    """Raise ValueError where a file of skops has other nodes than models, or repeats an array."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
        if sum(sizes.values()) > len(content) or len(sizes) < len(archive.infolist()):
            raise ValueError("its parts are larger than the file")
        waiting = [json.loads(archive.read("schema.json"))]
    owners: dict[str, Any] = {}
    seen = 0
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            seen += 1
            if node.get("__loader__", "ObjectNode") not in LOADERS or seen > MOST_NODES:
                raise ValueError("it has types that a model is not made of")
            file = node.get("file")
            # One array under two names would be read twice, and under a thousand as often.
            if (
                isinstance(file, str)
                and owners.setdefault(file, node.get("__id__")) != node["__id__"]
            ):
                raise ValueError("it repeats an array")
        if isinstance(node, (dict, list)):
            waiting.extend(node.values() if isinstance(node, dict) else node)


def archive_file(path: str | Path, name: str) -> bytes | None:
    """Return a file that `model_archive` was given beside the model, or None without it."""
    path = Path(path)
    return _archived(path, name, f"'{path.name[:QUOTED]}'", needed=False)


def _model_bytes(path: Path, named: str) -> bytes:
    found = _archived(path, MODEL, named, needed=True)
    assert found is not None
    return found


def _archived(path: Path, name: str, named: str, *, needed: bool) -> bytes | None:
    size_of_file = path.stat().st_size
    content = path.read_bytes() if size_of_file <= LARGEST else b""
    most = min(LARGEST, UNPACKED + RATIO * size_of_file)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if not needed and name not in archive.namelist():
                return None
            size = archive.getinfo(name).file_size
            found = archive.read(name) if size <= most else None
    # A damaged zip raises errors of many kinds, of the decompressors among them.
    except Exception:
        raise ValueError(
            f"{named} is not a model file of nestviz, or not whole. Give a zip written by "
            f"nestviz.save_model or downloaded from the app."
        ) from None
    if found is None:
        raise ValueError(
            f"The model in {named} unpacks to {size:,} bytes; at most {most:,} are read."
        )
    return found


def certificate_of(estimator: FamilyEstimator) -> dict[str, Any]:
    """Return the parameters of a fitted estimator and the certificate of its solution."""
    from nestviz import __version__

    found = {name.rstrip("_"): getattr(estimator, name, None) for name in MEASURES}
    residuals = getattr(estimator, "path_residual_", None)
    if residuals is not None:
        found["largest_kkt_residual_of_path"] = float(np.max(residuals))
    between = getattr(estimator, "certificate_", None)
    if isinstance(between, LevelCertificate):
        found["largest_gap_between_levels"] = between.gap
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
