"""Damaged and forged session files: a session or a sentence, and sound values only."""

import base64
import json
import random

import numpy as np
import pytest
from held_threads import longest_hold

from nestviz.data import DataError, Dataset
from nestviz.ui.session import packing, session_file
from nestviz.ui.session.session_file import Session, read, write
from nestviz.ui.session.view_state import RULES, View, decode, encode, read_address

HOSTILE = [
    None, True, -1, 0, 3, 10**400, 0.5, 1e308, float("nan"), float("inf"), "", " ", "inf", "1e400",
    "9" * 400, "9" * 5_000, "\ud800", "a\x00", "x" * 3_000, [], [[]], {}, [-1], [True], ["\ud800"],
    {"embed": ["true"]}, {"seed": ["inf"]}, {"__class__": ["x"]}, [1.5], ["inf"], "mine", [10**9],
]  # fmt: skip


def sound():
    rng = np.random.default_rng(0)
    data = Dataset(rng.normal(size=(12, 2)), np.tile([1, -1], 6), name="mine", provenance=("a.",))
    settings = {"data": ["mine"], "width": ["0.3"], "seed": ["3"], "methods": ["a", "b"]}
    return Session("one-class", settings, data, "file", (3, 1), data.fingerprint, 2,
                   {"one class": 0.25})  # fmt: skip


TEXT = write(sound())


def changed_text(rng):
    """The text with some letters changed, moved, left out or given twice."""
    text = TEXT
    for _ in range(rng.choice([1, 1, 2, 8])):
        at, length = rng.randrange(len(text)), rng.choice([1, 1, 5, 40])
        piece = rng.choice(["", text[at : at + length] * 2, rng.choice('{}[]",:0a\\ é'), "NaN",
                            "1e400", "\\ud800", "9" * 400])  # fmt: skip
        text = text[:at] + piece + text[at + length :]
    content = text.encode("utf-8", "surrogatepass")
    return content[: rng.randrange(len(content))] if rng.random() < 0.1 else content


def changed_part(rng):
    """The file with the value of one of its parts changed."""
    content = json.loads(TEXT)
    inside = rng.choice([content, content["selection"], content["data"], content["parameters"],
                         content["levels"]])  # fmt: skip
    key = rng.choice([*inside, "embed", "embed_options", "__class__", "seed", "\ud800"])
    value = rng.choice(HOSTILE)
    inside[key] = [value] if inside is content["parameters"] and rng.random() < 0.7 else value
    return json.dumps(content).encode()


def mutant(seed):
    rng = random.Random(seed)
    return changed_text(rng) if rng.random() < 0.4 else changed_part(rng)


def outcome(content):
    """What reading does: a session of sound values, or a sentence; all else fails."""
    try:
        found = read(content)
    except DataError as error:
        words = str(error)
    else:
        check(found)
        return found
    assert words.endswith(".")
    assert len(words) < 400
    words.encode()
    return words


def check(found):
    write(found).encode()
    assert set(found.parameters) <= set(RULES)
    assert all(type(row) is int and row >= 0 for row in found.points)
    assert found.branch is None or type(found.branch) is int
    assert all(0 <= level <= 1 for level in found.levels.values())
    address = read_address(found.parameters)
    view = address.over(View())
    assert all(view[key] is None for key in address.unusable)
    assert decode(encode(view)) == view
    if found.dataset is not None:
        assert np.isfinite(found.dataset.X).all()


@pytest.mark.parametrize("start", range(0, 500, 100))
def test_a_mutant_is_a_session_or_a_sentence(start):
    found = [outcome(mutant(seed)) for seed in range(start, start + 100)]
    assert any(isinstance(one, str) for one in found)
    assert any(isinstance(one, Session) for one in found)


@pytest.mark.nightly
@pytest.mark.parametrize("start", range(1_000, 11_000, 1_000))
def test_many_mutants_are_sessions_or_sentences(start):
    for seed in range(start, start + 1_000):
        outcome(mutant(seed))


def changed(**parts):
    return json.dumps(json.loads(TEXT) | parts).encode()


def with_data(**parts):
    content = json.loads(TEXT)
    content["data"] |= parts
    return json.dumps(content).encode()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (changed(selection={"points": [], "branch": True}), "selection"),
        (changed(selection={"points": [], "branch": "1"}), "selection"),
        (changed(selection={"points": [1.0]}), "selection"),
        (changed(selection={"points": [True]}), "selection"),
        (changed(selection={"points": [10**400]}), "selection"),
        (changed(selection={"points": [], "fingerprint": "\ud800"}), "selection"),
        (changed(levels={"one class": True}), "levels"),
        (changed(levels={"one class": 1.5}), "levels"),
        (changed(levels={"one class": float("nan")}), "cannot be read to its end"),
        (changed(page="\ud800"), "page"),
        (changed(page="x" * 101), "page"),
        (changed(version=10**400), "which version"),
        (TEXT.replace('"version": 1', '"version": 1, "version": 1').encode(), "to its end"),
        (with_data(feature_names=["a"]), "feature names"),
        (with_data(feature_names=["a", "\ud800"]), "feature_names"),
        (with_data(feature_names=["a", 3]), "feature_names"),
        (with_data(provenance=["a"] * 1_001), "provenance"),
        (with_data(name=3), "name"),
        (with_data(shape=[True, 2]), "how many points"),
        (with_data(shape=[12, -2]), "how many points"),
        (with_data(labels=base64.b64encode(bytes(12)).decode()), "label"),
        (with_data(points=base64.b64encode(bytes(192)).decode() + "===="), "points"),
        (b'{"format": "nestviz session", "a": ' + b"[" * 5_000, "to its end"),
        (b'{"format": "nestviz session", "a": [' + b"[]," * 200_000, "more parts"),
        (b'{"format": "nestviz session", "a": [' + b"0," * 3_000_000, "more parts"),
    ],
)
def test_a_wrong_part_gets_a_sentence(content, words):
    assert words in outcome(content)


def test_names_are_cleaned():
    found = read(with_data(name="a\ud800b\x00", provenance=["\udfff"], origin="\ud800"))
    assert found.dataset.name == "a\ufffdb\ufffd"
    assert found.dataset.provenance == ("\ufffd",)
    assert found.origin == "\ufffd"


def test_only_settings_of_this_version_are_kept():
    given = {"embed": ["true"], "embed_options": ["x"], "seed": ["inf"], "width": ["0.4"]}
    found = read(changed(parameters=given))
    assert found.parameters == {"seed": ["inf"], "width": ["0.4"]}
    address = read_address(found.parameters)
    assert address.unusable == ("seed",)
    assert address.over(View(seed=5)) == View(width=0.4)


def test_points_are_read_in_pieces(monkeypatch):
    monkeypatch.setattr(packing, "PIECE", 16)
    assert read(TEXT.encode()) == sound()
    packed = json.loads(TEXT)["data"]["points"]
    assert "points" in outcome(with_data(points=packed[:14] + "==" + packed[16:]))


def with_parameters(text):
    return TEXT.replace('"parameters": {', '"parameters": {' + text, 1).encode()


@pytest.mark.parametrize("colon", [":", " :"])
def test_many_keys_are_refused_before_they_take_memory(colon, monkeypatch):
    """A million keys took 200 MB, and kept all other sessions waiting for half a second."""
    content = with_parameters("".join(f'"k{k}"{colon}[],' for k in range(60_000)))
    monkeypatch.setattr(session_file, "parse_json", None)
    with pytest.raises(DataError, match="more parts"):
        read(content)


@pytest.mark.nightly
@pytest.mark.parametrize("number", ["12345678", "1.23456789e-5", '""'])
def test_many_values_keep_nobody_waiting(number):
    content = with_parameters(f'"many": [{", ".join([number] * 1_900_000)}],')

    def refuse():
        with pytest.raises(DataError):
            read(content)

    assert longest_hold(refuse) <= 0.2
