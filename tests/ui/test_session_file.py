"""Session files: everything comes back, and bad ones are refused with a sentence."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nestviz.data import DataError, Dataset
from nestviz.data.annotations import Annotations
from nestviz.ui.session import session_file
from nestviz.ui.session.session_file import Session, read, write


def full():
    rng = np.random.default_rng(0)
    names = np.array([f"{k}: “é,\n" for k in range(20)], dtype=object)
    notes = Annotations(
        np.arange(2, 42, 2),
        ("name",),
        {"name": names, "age": rng.normal(size=20)},
        rng.normal(size=(20, 3)),
        np.ones((2, 3)),
    )
    data = Dataset(
        rng.normal(size=(20, 3)),
        np.tile([1, -1], 10),
        name="mine <b>",
        provenance=("a",),
        annotations=notes,
    )
    return Session(
        "one-class",
        {"data": ["mine"], "methods": ["a", "b"], "width": ["0.3"]},
        data,
        "file",
        (3, 1),
        data.fingerprint,
        7,
        {"one class": 0.25, "two classes": 1.0},
    )


def test_a_session_comes_back_whole():
    session = full()
    back = read(write(session).encode())
    assert back == session
    assert back.dataset.X.tobytes() == session.dataset.X.tobytes()
    assert back.dataset.provenance == ("a",)
    assert back.dataset.point_name(1) == session.dataset.point_name(1) == "row 4, 1: “é,\n"
    np.testing.assert_array_equal(back.dataset.own_units, session.dataset.own_units)


def test_files_without_annotations_are_read():
    assert read(with_data(annotations=None)).dataset.annotations is None


@pytest.mark.parametrize(
    "part",
    [
        {"rows": "AAAA"},
        {"names": ["name"]},
        {"names": [1, 2]},
        {"ids": ["other"]},
        {"columns": [{}, {}]},
        {"columns": [{"lengths": "////", "texts": ""}, {"numbers": ""}]},
        {"columns": 3},
        {"digest": "0"},
        {"units": "AAAA"},
    ],
)
def test_damaged_annotations_get_a_sentence(part):
    notes = json.loads(write(full()))["data"]["annotations"]
    with pytest.raises(DataError):
        read(with_data(annotations=notes | part))
    with pytest.raises(DataError):
        read(with_data(annotations=[]))


def test_a_session_without_own_data():
    assert read(write(Session("data")).encode()) == Session("data")


def changed(**parts):
    return json.dumps(json.loads(write(full())) | parts).encode()


def with_data(**parts):
    content = json.loads(write(full()))
    content["data"] |= parts
    return json.dumps(content).encode()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not a session file"),
        (b"\x80\x04\x95", "not a session file"),
        (b"[" * 100_000, "not a session file"),
        (b'{"format": "other"}', "not a session file"),
        (write(full()).encode()[:-100], "ends too early"),
        (changed(version=2), "version 2"),
        (changed(version="1"), "does not say which version"),
        (changed(version=True), "does not say which version"),
        (changed(page=3), "“page”"),
        (changed(parameters=[]), "“parameters”"),
        (changed(parameters={"a": "b"}), "settings"),
        (changed(parameters={"a": ["x" * 5_000]}), "settings"),
        (changed(selection={"points": ["a"]}), "selection"),
        (changed(selection={"points": [-1]}), "selection"),
        (changed(data=[]), "points"),
        (with_data(shape=[20]), "how many points"),
        (with_data(shape=[10**9, 3]), "rows"),
        (with_data(shape=[21, 3]), "all of its points"),
        (with_data(points="***"), "damaged"),
        (with_data(points=None), "damaged"),
        (with_data(feature_names=["a", "b", "c"]), "changed on their way"),
        (with_data(feature_names="abc"), "“feature_names”"),
        (with_data(labels="AAAA" * 5), "all of its points"),
    ],
)
def test_a_bad_file_gets_a_sentence(content, words):
    with pytest.raises(DataError, match=words):
        read(content)


def test_points_that_are_not_numbers_are_refused():
    import base64

    points = base64.b64encode(np.full((20, 3), np.nan).tobytes()).decode()
    with pytest.raises(DataError, match="not a finite number"):
        read(with_data(points=points))


def test_a_file_that_is_too_large_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setattr(session_file.json, "loads", lambda text: pytest.fail("was read"))
    with pytest.raises(DataError, match="at most"):
        read(b" " * 50_000_001)


def session_or_sentence(content):
    try:
        return read(content)
    except DataError as error:
        return str(error)


@settings(max_examples=80)
@given(place=st.integers(0, 2_000), letter=st.sampled_from('{}[]",:0a\\ '))
def test_a_changed_letter_never_does_worse_than_a_sentence(place, letter):
    text = write(full())
    place %= len(text)
    found = session_or_sentence((text[:place] + letter + text[place + 1 :]).encode())
    assert isinstance(found, Session) or found.endswith(".")
