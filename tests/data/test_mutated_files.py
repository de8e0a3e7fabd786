"""Damaged files of every kind: each gives a Dataset or a DataError, and nothing is left behind."""

import resource
import sys
import tempfile

import pytest
from mutated_files import NAME, SHAPES, TYPES, faults, npy, sound_files, survive
from slow_from import slow_from

from nestviz.data import DataError, ReadChoices, Roles, files, read_dataset, read_text, to_dataset
from nestviz.data.errors import listed, quoted

_CASES = 250
_MEGABYTES = 150


@pytest.fixture
def clean(monkeypatch, tmp_path):
    """Check that no file is left in the temporary folder and that memory stays bounded."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    before = _peak()
    yield
    assert list(tmp_path.iterdir()) == []
    assert _peak() - before < _MEGABYTES


def _peak():
    unit = 10**6 if sys.platform == "darwin" else 10**3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def test_sound_files_give_datasets(write):
    for name, content in sound_files(write).items():
        # Names of any length may be refused, but with a short message.
        assert survive(content, name) or name.startswith("long."), name


@pytest.mark.parametrize("part", slow_from(1, range(4)))
def test_damaged_files(part, write, clean):
    assert faults(range(part * _CASES, (part + 1) * _CASES), write) == []


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(4, 400))
def test_many_damaged_files(part, write, clean):
    assert faults(range(part * _CASES, (part + 1) * _CASES), write) == []


def test_arrays_of_every_type_and_shape(clean):
    """Each header is well formed; what it says may make no sense."""
    outcomes = set()
    for descr in TYPES:
        for shape in SHAPES:
            header = {"descr": descr, "fortran_order": False, "shape": shape}
            content = npy(repr(header).encode("latin-1", "backslashreplace"), bytes(range(200)))
            outcomes.add(survive(content, "x.npy"))
    assert outcomes == {True, False}


@pytest.mark.slow
def test_each_byte_of_a_parquet_file(write, clean):
    """Some bytes of the footer make the native reader abort."""
    sound = sound_files(write)["x.parquet"]
    for at in range(400, len(sound), 9):
        survive(sound[:at] + b"#" + sound[at + 1 :], "x.parquet")


@pytest.mark.parametrize(
    "attempt",
    [
        lambda: read_text(f"{NAME},{NAME}\n1,2\n"),
        lambda: read_text("1 1:1\n2 " + NAME.replace(" ", ""), ReadChoices(format="svmlight")),
        lambda: read_text("a\n1", ReadChoices(format=NAME)),
        lambda: read_text("a\n1", ReadChoices(delimiter=NAME)),
        lambda: read_text("a\n1", ReadChoices(quote=NAME)),
        lambda: read_text("a\n1", ReadChoices(decimal=NAME)),
        lambda: files.read_table(b"a\n1", "x.csv", ReadChoices(encoding=NAME)),
        lambda: files.read_table(b"a\n1", "x.csv", ReadChoices(format=NAME)),
        lambda: to_dataset(read_text(f"{NAME}\n1\n2\n{NAME}\n")),
        lambda: to_dataset(read_text(f"{NAME},{NAME}b\n1,2\n"), Roles(label=NAME * 2)),
        lambda: to_dataset(
            read_text(f"a,b,{NAME}\n1,2,{NAME}\n2,2,{NAME}b\n"),
            Roles(label=NAME.strip(), positive=(NAME * 2,)),
        ),
        lambda: to_dataset(read_text("a\n1\n2"), Roles(missing=NAME)),
    ],
)
def test_messages_quote_little(attempt):
    with pytest.raises(DataError) as caught:
        attempt()
    message = str(caught.value)
    assert len(message) < 600
    assert NAME[:81].strip() not in message


def test_arrays_in_an_archive_are_quoted_shortly(write):
    content = write.npz(**{NAME: [1.0], "b": [2.0]})
    with pytest.raises(DataError) as caught:
        files.read_table(content, "x.npz", ReadChoices(array=NAME * 2))
    assert len(str(caught.value)) < 600


def test_quoted():
    assert quoted("a\tb\0c\ud800\u202e") == "a b\ufffdc\ufffd\ufffd"
    assert quoted("a" * 80) == "a" * 80
    assert quoted("a" * 81) == "a" * 79 + "…"
    assert listed(["a"] * 10 + ["b"]) == "a, " * 10 + "…"


def test_surrogates_are_replaced_and_names_stay_distinct():
    table = read_text("\ud800,b,c\n1,2,\udfff\n2,3,x\n")
    assert table.columns == ("\ufffd", "b", "c")
    assert table.column("c").tolist() == ["\ufffd", "x"]
    with pytest.raises(DataError, match="same name"):
        read_text("\ud800,\udfff\n1,2\n2,3\n")


def test_a_long_label_does_not_widen_every_row(clean):
    rows = "".join(f"{k},{'yes' if k % 2 else 'no'}\n" for k in range(3_000))
    table = read_text(f"x,label\n{rows}1,{'a' * 100_000}\n")
    assert to_dataset(table).n == 3_001


def test_a_csv_file_of_another_kind(tmp_path):
    for content in (b"a,b\n\xff,1\n", b'a\n"' + b"1" * 200_000):
        path = tmp_path / "x.csv"
        path.write_bytes(content)
        with pytest.raises(DataError, match="not CSV"):
            read_dataset(path)
