"""`nestviz rank` on many rows: the numbers of one file, however the rows are divided."""

import re
import subprocess
import sys
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_runs import one_sentence

from nestviz import make_sample
from nestviz.commands import many_rows
from nestviz.data import Limits
from nestviz.data.file_rows import FileRows, ranges, scaling_of
from nestviz.data.scaling import Scaling
from nestviz.quantisation.reading import open_source

X = make_sample("banana", n=240, random_state=2).X * [30.0, 0.01] + [1e4, -5.0]
X[17, 1] = X[200, 0] = np.nan
SETTINGS = ("--width", "0.3", "--levels", "6")
EXACT = ("--width", "0.3", "--method", "one-class")
"""Without levels to interpolate between, rows enter where their coefficient leaves its bound."""


def write(folder, files, rows_of_group=50, **more):
    """Write the points as some files, divided into groups of rows."""
    folder.mkdir()
    for number, rows in enumerate(np.array_split(np.arange(len(X)), files)):
        columns = {"a": X[rows, 0], "same": np.full(len(rows), 3.0), "b": X[rows, 1]}
        columns |= {name: values[rows] for name, values in more.items()}
        table = pa.table(columns)
        pq.write_table(table, folder / f"part-{number}.parquet", row_group_size=rows_of_group)
    return folder


def numbers(ran, name):
    return np.array(ran.column(name))


def test_few_rows_get_the_numbers_of_one_file(nestviz, tmp_path):
    folder = write(tmp_path / "rows", 1)
    whole = nestviz("rank", folder / "part-0.parquet", *EXACT)
    many = nestviz("rank", folder, *EXACT)
    assert (whole.status, many.status) == (0, 0)
    rows = many.column("row", int)
    assert rows == [k + 1 for k in range(len(X)) if k not in (17, 200)]
    order = np.argsort(whole.column("row", int))
    np.testing.assert_allclose(
        numbers(many, "level"), numbers(whole, "level")[order], rtol=1e-5, atol=1e-9
    )
    np.testing.assert_allclose(numbers(many, "score"), numbers(whole, "score")[order], rtol=1e-12)
    # Ties are broken in one file only: all of them have the first rank here.
    tied, ranks = numbers(whole, "tied")[order], numbers(whole, "rank")[order]
    behind = ranks - numbers(many, "rank")
    assert (behind >= 0).all()
    assert (behind < tied).all()
    assert "238 rows as 238 weighted centres, certified to 0.01%." in many.err
    assert "Constant columns were dropped: same." in many.err


def test_how_rows_are_divided_does_not_matter(nestviz, tmp_path):
    one = nestviz("rank", write(tmp_path / "one", 1, 240), *SETTINGS, "--centres", "60")
    some = nestviz("rank", *sorted(write(tmp_path / "some", 3, 31).iterdir()), *SETTINGS,
                   "--centres", "60")  # fmt: skip
    assert {row["file"] for row in some.rows} == {f"part-{k}.parquet" for k in range(3)}
    assert some.column("row", int)[-1] == 80
    np.testing.assert_allclose(numbers(some, "level"), numbers(one, "level"), rtol=1e-6)
    np.testing.assert_array_equal(numbers(some, "rank"), numbers(one, "rank"))
    assert "238 rows as 60 weighted centres" in some.err


def test_a_density_of_few_rows_is_that_of_one_file(nestviz, tmp_path):
    folder = write(tmp_path / "rows", 1)
    options = ("--width", "0.3", "--method", "parzen")
    whole = nestviz("rank", folder / "part-0.parquet", *options)
    many = nestviz("rank", folder, *options, "--centres", "1000")
    assert (whole.status, many.status) == (0, 0)
    order = np.argsort(whole.column("row", int))
    np.testing.assert_allclose(numbers(many, "level"), numbers(whole, "level")[order], rtol=1e-9)
    np.testing.assert_array_equal(numbers(many, "rank"), numbers(whole, "rank")[order])
    assert "238 rows as 238 weighted centres; their density is within" in many.err


def test_a_density_on_centres_keeps_its_bound(nestviz, tmp_path):
    """The twin is the density of all rows, with every row as its own centre."""
    folder = write(tmp_path / "rows", 3, 31)
    options = ("rank", folder, "--width", "0.5", "--method", "parzen")
    exact = numbers(nestviz(*options, "--centres", "238"), "level")
    for centres in ("30", "120"):
        ran = nestviz(*options, "--centres", centres)
        share = float(re.search(r"within ([\d.]+)%", ran.err)[1]) / 100
        assert f"238 rows as {centres} weighted centres" in ran.err
        apart = np.abs(numbers(ran, "level") - exact).max()
        # The row's own kernel, 1/N, is counted at the row itself: less than another 1/N.
        assert 0.0 < apart <= share * exact.max() + 1 / 238
        assert ("was asked" in ran.err) == (share > 0.01)
    found = re.search(r"as (\d+) weighted", nestviz(*options, "--certified", "0.1").err)
    assert int(found[1]) in (100, 200)


def test_the_most_abnormal_rows_come_in_their_order(nestviz, tmp_path):
    folder = write(tmp_path / "rows", 3)
    every = nestviz("rank", folder, *SETTINGS).rows
    first = nestviz("rank", folder, *SETTINGS, "--top", "7", "--quiet")
    assert first.rows == sorted(every, key=lambda row: int(row["rank"]))[:7]
    assert first.err == ""


def test_means_and_deviations_are_those_of_all_rows(tmp_path):
    folder = write(tmp_path / "rows", 3, 31)
    files = tuple(sorted(folder.iterdir()))
    rows = FileRows(files, ("a", "b"))
    source = open_source(rows)
    found = ranges(source)
    whole = X[~np.isnan(X).any(axis=1)]
    scaling = scaling_of(source, found, np.array([True, True]))
    expected = Scaling.of(whole)
    np.testing.assert_array_equal(scaling.exponents, expected.exponents)
    np.testing.assert_allclose(scaling.units, expected.units, rtol=1e-12)
    np.testing.assert_allclose(scaling.apply(whole), expected.apply(whole), atol=1e-9)


def test_a_file_that_is_too_large_for_one_table_is_streamed(nestviz, tmp_path, monkeypatch):
    file = write(tmp_path / "rows", 1) / "part-0.parquet"
    monkeypatch.setattr(many_rows, "Limits", lambda: Limits(max_rows=239))
    ran = nestviz("rank", file, *SETTINGS)
    assert "weighted centres, certified to" in ran.err
    assert len(ran.rows) == 238


def test_rows_without_a_class_are_left_out_as_in_one_file(nestviz, tmp_path):
    kinds = np.array(["x", "y"] * 120, dtype=object)
    kinds[5] = None
    folder = write(tmp_path / "rows", 2, label=kinds)
    ran = nestviz("rank", folder, *SETTINGS, "--output", tmp_path / "ranked.csv")
    assert ran.status == 0
    assert ran.out == ""
    written = (tmp_path / "ranked.csv").read_text("utf-8").splitlines()
    assert written[0] == "file,row,rank,score,level"
    assert len(written) == 1 + 237
    one = nestviz("rank", write(tmp_path / "one", 1, label=kinds) / "part-0.parquet", *SETTINGS)
    assert len(one.rows) == 237


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--model", "m.skops"], "--model is not available for many rows"),
        (["--missing", "mean"], "--missing is not available for many rows"),
        (["--format", "json"], "JSON is not available"),
        (["--method", "nu-one-class"], "--method one-class, nested-one-class, union, parzen, or"),
        (["--method", "eta-one-class"], "has no certificate for all of them"),
        (["--features", "a,word"], "The column 'word' has text"),
        pytest.param(
            ["--scheduler", "tcp://127.0.0.1:9"],
            "No Dask scheduler answers at tcp://127.0.0.1:9.",
            marks=pytest.mark.slow,
        ),
        (["--scheduler", "nonsense"], "'nonsense' is no address of a Dask scheduler, such as tcp:"),
        (["--scheduler", ""], "'' is no address of a Dask scheduler"),
        (["--scheduler", "tls://127.0.0.1:9"], "tls://127.0.0.1:9 needs certificates"),
        (["--contamination", "0.1"], "--contamination is not available for many rows"),
        (["-"], "give files, not standard input."),
        ([__file__], "is no Parquet file."),
    ],
)  # fmt: skip
def test_what_is_not_available_is_said(nestviz, tmp_path, monkeypatch, arguments, sentence):
    monkeypatch.setattr("nestviz.quantisation.cluster.TIMEOUT", 0.2)
    folder = write(tmp_path / "rows", 2, word=np.array(["p", "q", "r"] * 80))
    positional = not arguments[0].startswith("--")
    ran = nestviz("rank", folder, *(arguments if positional else (*SETTINGS, *arguments)))
    assert ran.status == 2
    assert ran.out == ""
    assert sentence in ran.err
    assert one_sentence(ran.err.splitlines(keepends=True)[-1])


def test_wrong_files_get_a_sentence(nestviz, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "is a directory without Parquet files." in nestviz("rank", empty).err
    missing = nestviz("rank", empty, "nowhere.parquet")
    assert missing.status == 1
    assert nestviz("rank", "nowhere.parquet", "there.parquet").status == 1
    folder = write(tmp_path / "rows", 2)
    pq.write_table(pa.table({"a": [1.0], "same": [3.0]}), folder / "short.parquet")
    assert "'short.parquet' has no column 'b'" in nestviz("rank", folder).err
    table = pa.table({"a": [np.inf], "same": [3.0], "b": [1.0]})
    pq.write_table(table, folder / "short.parquet")
    assert "Row 1 of 'short.parquet' is infinite in the column 'a'" in nestviz("rank", folder).err
    (folder / "short.parquet").write_bytes(b"PAR1 not")
    assert "'short.parquet' is no Parquet file, or is damaged." in nestviz("rank", folder).err


def test_empty_files_do_not_matter(nestviz, tmp_path):
    folder = write(tmp_path / "rows", 2)
    every = nestviz("rank", folder, *SETTINGS)
    nothing = pa.table({name: pa.array([], pa.float64()) for name in ("a", "same", "b")})
    for name in ("empty", "z-empty"):
        pq.write_table(nothing, folder / f"{name}.parquet")
    assert nestviz("rank", folder, *SETTINGS).rows == every.rows
    for part in folder.glob("part-*"):
        part.unlink()
    ran = nestviz("rank", folder, *SETTINGS)
    assert (ran.status, ran.err) == (1, "nestviz rank: The 2 files have no rows.\n")


def test_isolated_rows_have_the_first_ranks_with_few_centres(nestviz, tmp_path):
    """Rows between coarse centres support themselves, as in the solution of all rows."""
    points = make_sample("banana", n=1000, random_state=2).X.copy()
    points[[3, 700]] = [[9.0, 9.0], [-8.0, 7.0]]
    file = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"a": points[:, 0], "b": points[:, 1]}), file)
    ran = nestviz("rank", file, "--centres", "60", "--width", "0.15", "--top", "2")
    assert set(ran.column("row", int)) == {4, 701}
    assert min(ran.column("level")) == pytest.approx(1e-3, rel=1e-3)


def test_a_large_gap_is_written_in_words(nestviz, tmp_path):
    folder = write(tmp_path / "rows", 1)
    ran = nestviz("rank", folder, "--sigma", "0.001", "--centres", "5", "--top", "1")
    assert "certified to more than 1,000%." in ran.err
    assert np.isfinite(ran.column("level")).all()


@pytest.fixture
def started():
    """Start processes, and end them with the test."""
    processes = []

    def begin(*arguments):
        quiet = subprocess.DEVNULL
        command = [sys.executable, "-m", *map(str, arguments)]
        processes.append(subprocess.Popen(command, stdout=quiet, stderr=quiet))
        return processes[-1]

    yield begin
    for process in processes:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_the_workers_of_a_scheduler_give_the_same_ranks(nestviz, tmp_path, started):
    pytest.importorskip("distributed")
    file, here = tmp_path / "scheduler.json", ("--host", "127.0.0.1", "--no-dashboard")
    scheduler = started(
        "distributed.cli.dask_scheduler", *here, "--port", 0, "--scheduler-file", file
    )
    while not (file.exists() and '"address"' in file.read_text()):
        assert scheduler.poll() is None
        time.sleep(0.05)
    at = re.search(r'"address": "(tcp://[0-9.:]+)"', file.read_text())[1]
    started("distributed.cli.dask_worker", at, *here, "--no-nanny", "--nthreads", 1,
            "--local-directory", tmp_path)  # fmt: skip
    folder = write(tmp_path / "rows", 3, 31)
    alone = nestviz("rank", folder, *SETTINGS, "--centres", "60")
    shared = nestviz("rank", folder, *SETTINGS, "--centres", "60", "--scheduler", at)
    assert shared.status == 0
    assert [row["rank"] for row in shared.rows] == [row["rank"] for row in alone.rows]
    np.testing.assert_allclose(numbers(shared, "level"), numbers(alone, "level"), rtol=1e-6)
