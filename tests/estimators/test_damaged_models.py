"""Damaged and forged model files: a sound model, or a ValueError with a sentence."""

import io
import json
import random
import zipfile
from functools import cache

import numpy as np
import pytest
from sklearn.base import clone
from slow_from import slow_from

from nestviz import load_model
from nestviz.estimators import (
    CostSensitivePath,
    HierarchicalMVSets,
    NestedOneClassSVM,
    NeymanPearsonClassifier,
    OneClassPath,
    SoftBall,
)
from nestviz.estimators.model_files import MODEL, model_archive

pytestmark = pytest.mark.filterwarnings("ignore")
ESTIMATORS = [
    OneClassPath(sigma=1.0),
    CostSensitivePath(sigma=1.0),
    NestedOneClassSVM(sigma=1.0, levels=[0.5, 0.1, 0.01]),
    SoftBall(sigma=1.0),
    HierarchicalMVSets(sigma=1.0, quantiles=[0.2, 0.5, 0.8]),
    NeymanPearsonClassifier(0.5, sigmas=2, nu_grid=3, cv=2),
    NestedOneClassSVM(sigma=1.0, levels="adaptive", level_tol=0.05),
]
HOSTILE = [
    "null", "true", "-1", "0", "1e400", "NaN", "-Infinity", "1" * 400, "1" * 5_000, '""', '"x"',
    '"\\ud800"', "[]", "{}", '"gaussian"', "1.5", "2", "99999999999", "[" * 2_000,
]  # fmt: skip


@cache
def archive(number):
    rng = np.random.default_rng(number)
    X = rng.normal(size=(14, 2))
    X = np.vstack([X, X[:2]])
    return model_archive(clone(ESTIMATORS[number]).fit(X, np.tile([1, -1], 8)))


def contents(packed):
    """The parts of a model, by name."""
    with zipfile.ZipFile(io.BytesIO(packed)) as outer:
        model = outer.read(MODEL)
    with zipfile.ZipFile(io.BytesIO(model)) as inner:
        return {name: inner.read(name) for name in inner.namelist()}


def packed_again(parts, method=zipfile.ZIP_STORED):
    inner, outer = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(inner, "w", method) as archive_:
        for name, content in parts.items():
            archive_.writestr(name, content)
    with zipfile.ZipFile(outer, "w", zipfile.ZIP_DEFLATED) as archive_:
        archive_.writestr(MODEL, inner.getvalue())
    return outer.getvalue()


def nodes(value):
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, (dict, list)):
            yield from nodes(inner)


def changed_bytes(rng, content):
    """A file that ends early, or in which some bytes are others, more or fewer."""
    content = bytearray(content)
    kind = rng.randrange(4)
    if kind == 0:
        return bytes(content[: rng.randrange(len(content))])
    for _ in range(rng.choice([1, 1, 3, 20])):
        at = rng.randrange(len(content))
        if kind == 1:
            content[at] = rng.randrange(256)
        elif kind == 2:
            del content[at : at + rng.choice([1, 8])]
        else:
            content[at:at] = rng.randbytes(rng.choice([1, 8]))
    return bytes(content)


def changed_array(rng, content):
    """Another array in the same format."""
    array = np.load(io.BytesIO(content))
    flat = array.ravel().copy()
    kind = rng.randrange(8)
    if array.dtype.names:
        name = rng.choice(array.dtype.names)
        flat[name][rng.randrange(flat.size)] = rng.choice([-1, 100, 127])
        array = flat
    elif kind == 0 and array.dtype.kind == "f" and flat.size:
        flat[rng.randrange(flat.size)] = rng.choice([np.nan, np.inf, -np.inf, 1e308, -1e308, -0.0])
        array = flat.reshape(array.shape)
    elif kind == 1 and flat.size and array.dtype.kind in "if":
        flat[rng.randrange(flat.size)] = rng.choice([-1, 100, 127, -128])
        array = flat.reshape(array.shape)
    elif kind == 2:
        array = array[: rng.randrange(len(array) + 1)] if array.ndim else array
    elif kind == 3:
        array = array.astype(rng.choice(["f4", "i1", "i8", "U3", "c16", "?", "M8[s]"]))
    elif kind == 4:
        array = array[None]
    elif kind == 5:
        array = flat[::-1]
    elif kind == 6:
        array = np.zeros((0, 2))
    else:
        array = np.concatenate([flat, flat])
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def changed_schema(rng, content):
    """Another description of the objects."""
    schema = json.loads(content)
    every = list(nodes(schema))
    node, other = rng.choice(every), rng.choice(every)
    kind = rng.randrange(6)
    scalars = [one for one in every if one.get("__loader__") == "JsonNode"]
    dicts = [one for one in every if one.get("__loader__") == "DictNode" and one["content"]]
    if kind <= 1:
        rng.choice(scalars)["content"] = rng.choice(HOSTILE)
    elif kind == 2 and dicts:
        found = rng.choice(dicts)["content"]
        del found[rng.choice(list(found))]
    elif kind == 3:
        kept = json.loads(json.dumps(other))
        node.clear()
        node.update(kept)
    elif kind == 4 and node:
        node[rng.choice(list(node))] = rng.choice([None, "x", -1, [], {}, True, "numpy.npy"])
    elif dicts:
        found = rng.choice(dicts)["content"]
        found[rng.choice(["predict", "__class__", "family_", "_x"])] = rng.choice(scalars)
    return json.dumps(schema).encode()


def mutant(seed):
    rng = random.Random(seed)
    packed = archive(rng.randrange(len(ESTIMATORS)))
    kind = rng.randrange(6)
    if kind == 0:
        return changed_bytes(rng, packed)
    parts = contents(packed)
    arrays = [name for name in parts if name.endswith(".npy")]
    name = rng.choice(arrays)
    if kind == 1:
        parts[name] = changed_bytes(rng, parts[name])
    elif kind == 2:
        other = rng.choice(arrays)
        parts[name], parts[other] = parts[other], parts[name]
    elif kind == 3:
        parts[name] = changed_array(rng, parts[name])
    else:
        parts["schema.json"] = changed_schema(rng, parts["schema.json"])
    return packed_again(parts)


def sentence(error):
    """The message of an error, which must be a sentence of bounded length."""
    words = str(error)
    assert words.endswith(".")
    assert len(words) < 400
    return words


def outcome(content, folder):
    """What loading does: a model that answers, or a sentence; all else fails."""
    path = folder / "model.zip"
    path.write_bytes(content)
    try:
        model = load_model(path)
    except ValueError as error:
        return sentence(error)
    X = np.random.default_rng(0).normal(size=(5, model.n_features_in_))
    assert np.isfinite(model.decision_function(X)).all()
    assert model.predict(X).shape == (5,)
    assert not np.isnan(model.family_.first_level(X)).any()
    assert np.isfinite(model.coefficients([model.level_])).all()
    clone(model)
    return model


@pytest.mark.parametrize("start", slow_from(2, range(0, 600, 100)))
def test_a_mutant_is_a_model_or_a_sentence(start, tmp_path):
    found = [outcome(mutant(seed), tmp_path) for seed in range(start, start + 100)]
    assert sum(isinstance(one, str) for one in found) > 60


@pytest.mark.nightly
@pytest.mark.parametrize("start", range(1_000, 21_000, 500))
def test_many_mutants_are_models_or_sentences(start, tmp_path):
    for seed in range(start, start + 500):
        outcome(mutant(seed), tmp_path)


def test_a_file_that_ends_early_is_never_a_model(tmp_path):
    content = archive(2)
    for end in range(0, len(content), 7):
        assert "not a model file" in outcome(content[:end], tmp_path)


def with_array(content, choose, change):
    """The file with one of its arrays changed."""
    parts = contents(content)
    name = next(n for n in parts if n.endswith(".npy") and choose(np.load(io.BytesIO(parts[n]))))
    out = io.BytesIO()
    np.save(out, change(np.load(io.BytesIO(parts[name])).copy()))
    return packed_again(parts | {name: out.getvalue()})


def set_to(value):
    def change(array):
        array.flat[-1] = value
        return array

    return change


@pytest.mark.parametrize(
    ("choose", "change"),
    [
        (lambda a: a.shape == (3, 16), set_to(np.nan)),
        (lambda a: a.shape == (3, 14), set_to(np.inf)),
        (lambda a: a.shape == (14, 2), set_to(np.nan)),
        (lambda a: a.shape == (14, 2), lambda a: a[:-1]),
        (lambda a: a.shape == (14, 2), lambda a: a.astype(np.float32)),
        (lambda a: a.shape == (3,), lambda a: a[::-1]),
        (lambda a: a.shape == (3,), lambda a: a.astype(complex)),
    ],
)
def test_arrays_that_do_not_belong_together_are_refused(choose, change, tmp_path):
    assert "sound model" in outcome(with_array(archive(2), choose, change), tmp_path)


@pytest.mark.parametrize("name", ["indices", "indptr", "events"])
def test_indices_of_a_path_stay_within_it(name, tmp_path):
    """Compiled code would read beyond the array."""
    dtypes = {"indices": np.dtype(np.int32), "indptr": np.dtype(np.int64)}

    def choose(array):
        return bool(array.dtype.names) if name == "events" else array.dtype == dtypes[name]

    def change(array):
        (array["point"] if name == "events" else array)[...] = 1_000_000
        return array

    assert isinstance(outcome(with_array(archive(0), choose, change), tmp_path), str)


@pytest.mark.parametrize(
    ("name", "value"),
    [("sigma", "-1.0"), ("sigma", '"wide"'), ("kernel", '"sigmoid"'), ("level_", "NaN"),
     ("n_features_in_", "3"), ("sigma_", "0.5"), ("predict", "1"), ("converged_", "1")],
)  # fmt: skip
def test_wrong_parameters_are_refused(name, value, tmp_path):
    parts = contents(archive(2))
    schema = json.loads(parts["schema.json"])
    own = schema["content"]["content"]
    own[name] = dict(own["kernel"], content=value, __id__=1)
    if name == "predict":
        schema["content"]["key_types"]["content"].append(
            schema["content"]["key_types"]["content"][0]
        )
    parts["schema.json"] = json.dumps(schema).encode()
    assert "sound model" in outcome(packed_again(parts), tmp_path)


def test_a_bomb_is_not_unpacked(tmp_path):
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive_:
        archive_.writestr(MODEL, bytes(50_000_000))
    assert "unpacks to 50,000,000 bytes" in outcome(bomb.getvalue(), tmp_path)
    parts = contents(archive(2))
    inside = packed_again(parts | {"more.npy": bytes(5_000_000)}, zipfile.ZIP_DEFLATED)
    assert "larger than the file" in outcome(inside, tmp_path)


def test_an_array_is_read_once(tmp_path):
    parts = contents(archive(2))
    schema = json.loads(parts["schema.json"])
    arrays = [node for node in nodes(schema) if "file" in node]
    for node in arrays:
        node["file"] = arrays[0]["file"]
    parts["schema.json"] = json.dumps(schema).encode()
    assert "repeats an array" in outcome(packed_again(parts), tmp_path)


def test_a_missing_file_is_named_as_usual(tmp_path):
    with pytest.raises(FileNotFoundError):
        load_model(tmp_path / "nothing.zip")
