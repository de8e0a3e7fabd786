"""Model files of the command line: a model, and how its data were prepared.

Beside the files of `nestviz.save_model` the archive has the preparation as JSON and the training
points. `nestviz.load_model` opens it as it opens any other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.commands.ending import FailedError
from nestviz.commands.methods import CHOICES
from nestviz.commands.sources import Points
from nestviz.commands.tables import to_json
from nestviz.data import DataError, Limits
from nestviz.data.arrays import read_npy
from nestviz.data.limits import MAX_CELL_LENGTH, MAX_NAME_LENGTH
from nestviz.data.preparation import Feature, Preparation
from nestviz.data.scaling import Scaling
from nestviz.families import SetFamily
from nestviz.ui import decoding
from nestviz.ui.compute.methods import Fitted, top_level

PREPARATION, TRAINING = "preparation.json", "training.npy"
_MOST = Limits().max_columns
_NUMBERS = decoding.several(decoding.number(-1e308, 1e308), _MOST, least=1)
_EXPONENTS = decoding.several(decoding.whole(-1100, 1100), _MOST, least=1)
_NAME = decoding.text(MAX_NAME_LENGTH + MAX_CELL_LENGTH, controls=True)
_SCALES = ("exponents", "centres", "finer", "remainders", "deviations")
_FIELDS = decoding.record(
    {
        "method": decoding.choice(*CHOICES),
        "missing": decoding.choice("drop", "mean"),
        "features": decoding.several(
            decoding.record({"name": _NAME, "column": _NAME, "text": _NAME}), _MOST, least=1
        ),
        "means": _NUMBERS,
    }
)
_SCALING = decoding.record(
    {name: _EXPONENTS if name in ("exponents", "finer") else _NUMBERS for name in _SCALES}
)
_TEXTS = decoding.several(_NAME, _MOST)


@dataclass(frozen=True, eq=False)
class Model:
    """A one-class model from a file.

    Attributes
    ----------
    estimator : FamilyEstimator
        The estimator.
    family : SetFamily
        Its sets, joined if the method does that.
    training : ndarray of shape (n_points, n_features)
        The points that it was fitted to; each once where the file does not have them.
    preparation : Preparation or None
        How they were prepared, if the file says so.
    method : str
        Name of the method, or of the estimator.
    """

    estimator: Any
    family: SetFamily
    training: FloatArray
    preparation: Preparation | None
    method: str

    @property
    def top(self) -> float:
        """The level above which no training point is in a Parzen set; 0 for other kernels."""
        sigma = getattr(self.estimator, "sigma_", None)
        return 0.0 if sigma is None else top_level(self.training, float(sigma))


def model_file(fitted: Fitted, points: Points, method: str) -> bytes:
    """Return a model file."""
    from nestviz.estimators.model_files import model_archive

    assert points.preparation is not None
    training = BytesIO()
    np.save(training, points.fitted.X, allow_pickle=False)
    note = to_json({"method": method, **_plain(points.preparation)}).encode("utf-8")
    beside = {PREPARATION: note, TRAINING: training.getvalue()}
    return model_archive(fitted.estimator, beside)


def open_model(path: str) -> Model:
    """Return the one-class model in a file."""
    from sklearn.base import is_classifier

    from nestviz.estimators.model_files import archive_file, load_model

    try:
        estimator = load_model(path)
        note, training = archive_file(path, PREPARATION), archive_file(path, TRAINING)
    except OSError as error:
        raise FailedError(f"'{path}' cannot be read: {error.strerror}.") from error
    if is_classifier(estimator):
        raise ValueError(
            f"The model in '{Path(path).name}' separates two classes; outliers are ranked by a "
            "model of one class."
        )
    family: SetFamily = estimator.family_
    if note is None:
        return Model(estimator, family, family.centres, None, type(estimator).__name__)
    d = family.centres.shape[1]
    fields, preparation = _checked(lambda: _read_note(note, d), path)
    row = CHOICES[fields["method"]].row
    if row.estimator == type(estimator).__name__:
        family = row.family(estimator)
    points = family.centres
    if training is not None:
        points = _checked(lambda: _read_points(training, d), path)
    return Model(estimator, family, points, preparation, fields["method"])


def _plain(preparation: Preparation) -> dict[str, Any]:
    """Return a preparation as JSON has it."""
    scaling = preparation.scaling
    return {
        "missing": preparation.missing,
        # The text of a column of numbers is its own name: nothing in the file is null.
        "features": [
            {"name": f.name, "column": f.column, "text": f.name if f.text is None else f.text}
            for f in preparation.features
        ],
        "texts": preparation.texts,
        "means": preparation.means,
        "scaling": scaling and {name: getattr(scaling, name) for name in _SCALES},
    }


def _checked(read: Callable[[], Any], path: str) -> Any:
    try:
        return read()
    except (ValueError, DataError) as error:
        raise ValueError(
            f"'{Path(path).name}' does not say soundly how its data were prepared; save the model "
            "once more with nestviz fit."
        ) from error


def _read_note(note: bytes, d: int) -> tuple[dict[str, Any], Preparation]:
    """Return the fields of the note and its preparation; raise ValueError where it is unsound."""
    content = decoding.parse_json(note)
    fields = _FIELDS(content)
    given = content.get("texts") if isinstance(content, dict) else None
    if (
        fields is None
        or not isinstance(given, dict)
        or len(given) > _MOST
        or "scaling" not in content
    ):
        raise ValueError("A field is missing or wrong.")
    texts = {name: _TEXTS(found) for name, found in given.items()}
    features = tuple(
        Feature(f["name"], f["column"], f["text"] if f["column"] in texts else None)
        for f in fields["features"]
    )
    scaling = None
    if content["scaling"] is not None:
        scales = _SCALING(content["scaling"])
        if scales is None or any(len(scale) != d for scale in scales.values()):
            raise ValueError("The scaling is wrong.")
        if min(scales["deviations"]) <= 0:
            raise ValueError("A deviation is not positive.")
        scaling = Scaling(**{name: np.array(scale) for name, scale in scales.items()})
    means = np.array(fields["means"])
    if len(features) != d or len(means) != d or None in texts.values():
        raise ValueError("The features are not those of the model.")
    known = {name: found for name, found in texts.items() if found is not None}
    return fields, Preparation(features, known, fields["missing"], means, scaling)


def _read_points(content: bytes, d: int) -> FloatArray:
    _, columns = read_npy(content, Limits())
    points = np.column_stack(columns)
    if points.dtype != np.float64 or points.shape[1] != d or not np.isfinite(points).all():
        raise ValueError("The training points are not those of the model.")
    return np.ascontiguousarray(points)
