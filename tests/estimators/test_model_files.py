"""Saved models: the same answers bit for bit, and nothing foreign is ever built."""

import io
import json
import zipfile

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from test_contract import ONE_CLASS, TWO_CLASS

from nestviz import (
    ConformalLabels,
    ConformalSets,
    NuOneClassSVM,
    Quantised,
    load_model,
    save_model,
)
from nestviz.estimators import NestedOneClassSVM, OneClassPath
from nestviz.estimators.model_files import CERTIFICATE, MODEL, model_archive, trusted_types

# Searches over a few widths and rates need not find what was asked for, and say so.
pytestmark = pytest.mark.filterwarnings("ignore:No set of the search:UserWarning")


def points(seed=0, n=40):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    # Repeated rows are merged by the estimators; a loaded model must remember how.
    X = np.vstack([X, X[:3]])
    return X, np.where(X[:, 0] + 0.5 * rng.normal(size=len(X)) > 0, 1, -1)


@pytest.mark.parametrize("estimator", [*ONE_CLASS, *TWO_CLASS], ids=lambda e: type(e).__name__)
def test_a_loaded_model_answers_bit_for_bit(estimator, tmp_path):
    X, y = points()
    fitted = clone(estimator).fit(X, y)
    save_model(fitted, tmp_path / "model.zip")
    loaded = load_model(tmp_path / "model.zip")
    new = points(seed=1)[0]
    assert type(loaded) is type(fitted)
    np.testing.assert_array_equal(loaded.decision_function(new), fitted.decision_function(new))
    np.testing.assert_array_equal(loaded.predict(new), fitted.predict(new))
    np.testing.assert_array_equal(loaded.family_.first_level(new), fitted.family_.first_level(new))
    assert loaded.level_ == fitted.level_
    assert loaded.get_params() == fitted.get_params()


@pytest.mark.parametrize("kernel", ["gaussian", "polynomial", "precomputed"])
def test_every_kernel_can_be_saved(kernel, tmp_path):
    X = points()[0]
    distances = np.sum((X[:, None] - X) ** 2, axis=2)
    given = np.exp(-distances / 2) if kernel == "precomputed" else X
    fitted = OneClassPath(sigma=1.0, kernel=kernel, degree=2).fit(given)
    save_model(fitted, tmp_path / "model.zip")
    np.testing.assert_array_equal(
        load_model(tmp_path / "model.zip").decision_function(given), fitted.decision_function(given)
    )


def test_a_loaded_path_still_has_its_coefficients(tmp_path):
    X = points()[0]
    fitted = OneClassPath(sigma=1.0).fit(X)
    save_model(fitted, tmp_path / "model.zip")
    loaded = load_model(tmp_path / "model.zip")
    levels = [0.01, 0.05, 0.2]
    np.testing.assert_array_equal(loaded.coefficients(levels), fitted.coefficients(levels))
    np.testing.assert_array_equal(loaded.sets(0.05), fitted.sets(0.05))


def test_the_certificate_is_beside_the_model():
    fitted = NestedOneClassSVM(sigma=1.0, levels=[0.5, 0.1, 0.01]).fit(points()[0])
    with zipfile.ZipFile(io.BytesIO(model_archive(fitted))) as archive:
        assert sorted(archive.namelist()) == sorted([MODEL, CERTIFICATE, "README.txt"])
        found = json.loads(archive.read(CERTIFICATE))
        note = archive.read("README.txt").decode()
    assert found["estimator"] == "NestedOneClassSVM"
    assert found["nested"] is True
    assert found["points"] == 40
    assert found["parameters"]["levels"] == [0.5, 0.1, 0.01]
    assert found["certificate"]["duality_gap"] == fitted.duality_gap_
    assert found["certificate"]["converged"] is True
    assert "load_model" in note


def foreign_model(path):
    import skops.io as sio

    class_of_elsewhere = LogisticRegression()
    class_of_elsewhere.extra_ = np.random.default_rng(0).normal
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(MODEL, sio.dumps(class_of_elsewhere))


def test_foreign_types_are_refused_whatever_the_file_says(tmp_path):
    foreign_model(tmp_path / "foreign.zip")
    with pytest.raises(ValueError, match="not made of"):
        load_model(tmp_path / "foreign.zip")


def test_a_model_of_another_library_is_refused(tmp_path):
    import skops.io as sio

    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr(MODEL, sio.dumps(LogisticRegression()))
    with pytest.raises(ValueError, match="not an estimator of nestviz"):
        load_model(tmp_path / "other.zip")


@pytest.mark.parametrize("content", [b"", b"no zip", None])
def test_other_files_get_a_sentence(content, tmp_path):
    path = tmp_path / "strange.zip"
    whole = model_archive(OneClassPath(sigma=1.0).fit(points()[0]))
    path.write_bytes(whole[: len(whole) // 2] if content is None else content)
    with pytest.raises(ValueError, match="not a model file of nestviz"):
        load_model(path)


def test_only_own_types_are_trusted():
    assert all(name.startswith("nestviz.") for name in trusted_types())


def test_what_has_no_family_is_not_saved(tmp_path):
    from nestviz import KernelVectorQuantizer

    with pytest.raises(TypeError, match="its array codebook_"):
        save_model(KernelVectorQuantizer(1.0).fit(np.eye(3)), tmp_path / "model.zip")
    with pytest.raises(TypeError, match="Fit it first"):
        save_model(NuOneClassSVM(), tmp_path / "model.zip")


def test_what_wraps_an_estimator_is_saved_by_its_estimator(tmp_path):
    X = np.random.default_rng(0).normal(size=(60, 2))
    wrapped = Quantised(NestedOneClassSVM(1.0), random_state=0).fit(X)
    with pytest.raises(TypeError, match="Save its estimator_, which has the same sets"):
        save_model(wrapped, tmp_path / "model.zip")
    save_model(wrapped.estimator_, tmp_path / "model.zip")
    loaded = load_model(tmp_path / "model.zip")
    np.testing.assert_array_equal(loaded.decision_function(X), wrapped.decision_function(X))


@pytest.mark.parametrize("calibrated", [ConformalSets, ConformalLabels])
def test_calibrated_sets_are_no_model_files(calibrated, tmp_path):
    X = np.random.default_rng(0).normal(size=(40, 2))
    model = calibrated(NestedOneClassSVM(1.0), random_state=0).fit(X, X[:, 0] > 0)
    with pytest.raises(TypeError, match=f"a {calibrated.__name__} calibrates them on held-out"):
        save_model(model, tmp_path / "model.zip")
