"""The child process that reads files: equal results, safe answers, and no process left."""

import gzip
import io
import json
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from mutated_files import sound_files

from nestviz.data import (
    DataError,
    Guess,
    Limits,
    ReadChoices,
    Table,
    read_table,
    read_text,
    reader_process,
    reader_worker,
)
from nestviz.data.files import parse_table, parse_text
from nestviz.data.reader_answer import DamagedAnswerError, read_answer, write_error, write_table

SMALL = b"a,b,kind\n" + b"1,2,x\n3,4,y\n" * 50
posix = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs POSIX signals")


@pytest.fixture
def children(monkeypatch):
    """All child processes started meanwhile."""
    started = []

    class Recorded(subprocess.Popen):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            started.append(self)

    monkeypatch.setattr(reader_process.subprocess, "Popen", Recorded)
    return started


def assert_same(one, other):
    assert (one.columns, one.name, one.guesses, one.source) == (
        other.columns, other.name, other.guesses, other.source,
    )  # fmt: skip
    pairs = zip(one.values, other.values, strict=True)
    for left, right in [*pairs, (one.row_numbers, other.row_numbers)]:
        assert left.dtype == right.dtype
        assert not left.flags.writeable
        if left.dtype == object:
            assert left.tolist() == right.tolist()
        else:
            assert left.tobytes() == right.tobytes()


def answered(table, limits=None):
    stream = io.BytesIO()
    write_table(table, limits or Limits(), stream)
    return stream.getvalue()


def sample_table():
    odd = np.array([np.nan, -0.0, np.inf, 5e-324])
    odd[0] = np.frombuffer(struct_nan(), dtype=np.float64)[0]
    texts = np.array(["", "é中\U0001f600", "\ud800", "x" * 3000], dtype=object)
    guesses = (Guess("header", True, "Why."), Guess("delimiter", ",", "So."))
    rows = np.array([1, 3, 4, 9])
    return Table(("a", "\ud800 b"), (odd, texts), rows, "name", guesses, "Source.")


def struct_nan():
    """A NaN with a payload."""
    return (0x7FF8000000000123).to_bytes(8, "little")


def test_every_format_gives_the_same_table(write, children):
    readable = {name: x for name, x in sound_files(write).items() if "long" not in name}
    for name, content in readable.items():
        assert_same(read_table(content, name), parse_table(content, name))
    assert children
    assert all(child.poll() is not None for child in children)


def test_long_text_is_read_in_a_child(children):
    text = "a;b\n" + "1,5;é\n" * 20_000
    assert_same(read_text(text), parse_text(text, ReadChoices(), Limits()))
    assert len(children) == 1
    read_text("a;b\n1,5;é\n")
    assert len(children) == 1


def test_errors_keep_row_column_and_hint(write):
    with pytest.raises(DataError) as here:
        parse_table(b"a,b\n1,2\n3\n", "x.csv")
    with pytest.raises(DataError) as there:
        read_table(b"a,b\n1,2\n3\n", "x.csv")
    assert vars(here.value) == vars(there.value)
    assert there.value.row == 3


def test_several_threads_at_once():
    contents = [b"a,b\n" + b"%d,2\n" % k * 9 for k in range(5)]
    with ThreadPoolExecutor(5) as pool:
        tables = list(pool.map(lambda content: read_table(content, "x.csv"), contents))
    assert [table.values[0][0] for table in tables] == [0, 1, 2, 3, 4]


def test_an_answer_is_exact():
    table = sample_table()
    assert_same(read_answer(io.BytesIO(answered(table)), Limits()), table)


def test_damaged_answers():
    good = answered(sample_table())
    rng = np.random.default_rng(0)
    limits = Limits(max_decompressed_bytes=100_000)
    outcomes = set()
    for k in range(1_500):
        data = bytearray(good)
        if k % 3 == 0:
            del data[int(rng.integers(len(data))) :]
        for _ in range(k % 4):
            data[int(rng.integers(min(len(data), 600)))] = int(rng.integers(256)) if data else 0
        try:
            outcomes.add(type(read_answer(io.BytesIO(bytes(data)), limits)))
        except (DataError, DamagedAnswerError) as fault:
            outcomes.add(type(fault))
    assert outcomes >= {Table, DamagedAnswerError}


@pytest.mark.parametrize(
    "change",
    [
        {"rows": 10**6}, {"rows": 10**12}, {"rows": -1}, {"rows": 2.0}, {"rows": True},
        {"columns": ["a"] * 2000}, {"columns": ["a", 5]}, {"columns": ["a", "b" * 2000]},
        {"different_texts": [None]}, {"different_texts": [None, 10**9]},
        {"different_texts": [None, 0]}, {"guesses": [["a", 5, "b"]]}, {"guesses": 7}, {"name": 3},
        {"error": ["x"]}, {"error": [1, None, None, ""]}, {"error": 3},
    ],
)  # fmt: skip
def test_headers_that_lie(change):
    good = answered(sample_table())
    size = int.from_bytes(good[:8], "little")
    header = json.loads(good[8 : 8 + size].decode("utf-8", "surrogatepass"))
    changed = json.dumps(header | change).encode()
    answer = len(changed).to_bytes(8, "little") + changed + good[8 + size :]
    with pytest.raises((DataError, DamagedAnswerError)):
        read_answer(io.BytesIO(answer), Limits(max_decompressed_bytes=10**6))


@pytest.mark.parametrize("start", [b"", b"\xff" * 8, b"\x02" + bytes(7) + b"[]", b"{}" * 20])
def test_answers_without_a_header(start):
    with pytest.raises(DamagedAnswerError):
        read_answer(io.BytesIO(start), Limits())


def test_tables_too_large_for_an_answer():
    texts = np.array([f"{k:0900d}" for k in range(1_000)], dtype=object)
    table = Table(("a",), (texts,), np.arange(1, 1_001), "name")
    with pytest.raises(DataError, match=r"takes more than 0\.5 MB of memory"):
        answered(table, Limits(max_decompressed_bytes=500_000))
    # The parent counts for itself.
    with pytest.raises(DataError, match=r"takes more than 0\.5 MB of memory"):
        read_answer(io.BytesIO(answered(table)), Limits(max_decompressed_bytes=500_000))
    stream = io.BytesIO()
    write_error(DataError("Wrong.", row=5, column="c", hint="Mend it."), stream)
    stream.seek(0)
    with pytest.raises(DataError, match="Where: row 5, column 'c'"):
        read_answer(stream, Limits())


def test_interrupt_leaves_no_process(children, monkeypatch):
    def interrupt(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(reader_process, "read_answer", interrupt)
    threads = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        read_table(SMALL, "x.csv")
    assert [child.poll() is not None for child in children] == [True]
    monkeypatch.undo()
    assert read_table(SMALL, "x.csv").n_rows == 100
    for thread in threading.enumerate():
        if thread.name == "nestviz-reader-watch":
            thread.join()
    assert threading.active_count() <= threads


@posix
def test_a_child_that_is_killed(children, monkeypatch):
    monkeypatch.setattr(reader_process, "send", lambda pieces, target: children[-1].kill())
    with pytest.raises(DataError, match="cannot be read"):
        read_table(SMALL, "x.csv")


@posix
def test_a_child_that_is_stopped(children, monkeypatch):
    monkeypatch.setattr(reader_process, "TICK", 0.05)
    monkeypatch.setattr(reader_process, "QUIET_TICKS", 5)
    monkeypatch.setattr(reader_process, "ALL_TICKS", 5)
    send = reader_process.send

    def stop_then_send(pieces, target):
        children[-1].send_signal(signal.SIGSTOP)
        send(pieces, target)

    monkeypatch.setattr(reader_process, "send", stop_then_send)
    with pytest.raises(DataError, match="stopped answering"):
        read_table(SMALL * 2_000, "x.csv")
    assert children[-1].poll() is not None


@posix
def test_computing_time_is_limited(monkeypatch):
    monkeypatch.setattr(reader_process, "SECONDS", 1)
    monkeypatch.setattr(reader_process, "SECONDS_PER_MEGABYTE", 0)
    rows = b"".join(b"word %d,%d\n" % (k, k) for k in range(10_000)) * 400
    with pytest.raises(DataError, match="within 1 seconds of computing time"):
        read_table(gzip.compress(rows, 1), "x.csv.gz")


def test_a_process_that_cannot_start(monkeypatch):
    monkeypatch.setattr(reader_process.sys, "executable", "/nowhere/python")
    with pytest.raises(DataError, match="could not be started"):
        read_table(SMALL, "x.csv")


def test_the_child_ends_with_its_parent():
    request = {
        "filename": "x.csv", "choices": asdict(ReadChoices()), "limits": asdict(Limits()),
        "memory": 2 * 10**9, "seconds": 60, "path": sys.path,
        "root": str(Path(reader_worker.__file__).parents[2]),
    }  # fmt: skip
    command = [sys.executable, "-P", reader_worker.__file__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        # Nobody reads the answer, which is longer than the pipe holds.
        content = b"1.5,2.5\n" * 200_000
        reader_process.send([json.dumps(request).encode(), content], child.stdin)
        child.stdin.close()
        assert child.wait(timeout=300) == 1


def test_the_child_writes_no_file(tmp_path):
    target = tmp_path / "written"
    script = (
        "import os, sys; sys.path.append(sys.argv[1]); import reader_worker\n"
        "reader_worker.limit(10**10, 60)\n"
        "for write in (lambda: open(sys.argv[2], 'w'),\n"
        "              lambda: os.open(sys.argv[2], os.O_CREAT | os.O_WRONLY),\n"
        "              lambda: os.system('touch ' + sys.argv[2])):\n"
        "    try: write()\n"
        "    except PermissionError: print('refused')\n"
    )
    folder = str(Path(reader_worker.__file__).parent)
    command = [sys.executable, "-P", "-c", script, folder, str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["refused"] * 3
    assert not target.exists()
