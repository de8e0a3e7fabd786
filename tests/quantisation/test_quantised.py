"""The estimator of many points: sources of every kind, one answer; wrong input, a sentence."""

import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import cycle

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from nestviz import (
    EtaOneClassPath,
    NestedCostSensitiveSVM,
    NestedOneClassSVM,
    ParzenLevelSets,
    Quantised,
    make_sample,
)
from nestviz.quantisation.centres import METHODS, choose_centres
from nestviz.quantisation.reading import open_source

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

DATA = make_sample("banana", n=3000, random_state=5)
X, Y = DATA.X, DATA.y


def fit(points, y=None, **options):
    estimator = NestedOneClassSVM(0.4) if y is None else NestedCostSensitiveSVM(0.5, 50.0)
    return Quantised(estimator, 150, random_state=0, **options).fit(points, y)


@pytest.fixture(scope="module")
def whole():
    return fit(X)


def same(model, other):
    np.testing.assert_allclose(model.centres_, other.centres_, rtol=1e-10, atol=1e-12)
    np.testing.assert_array_equal(model.weights_, other.weights_)
    assert model.certificate_.primal == pytest.approx(other.certificate_.primal, rel=1e-9)
    assert model.certificate_.dual == pytest.approx(other.certificate_.dual, rel=1e-6)


def write_parquet(folder, rows_of_group=700, files=3, labels=False):
    folder.mkdir()
    for number, rows in enumerate(np.array_split(np.arange(len(X)), files)):
        columns = {"a": X[rows, 0], "b": X[rows, 1]} | ({"class": Y[rows]} if labels else {})
        file = folder / f"part-{number}.parquet"
        parquet.write_table(pa.table(columns), file, row_group_size=rows_of_group)
    return folder


@pytest.mark.parametrize("chunks", [3000, 1100, 333])
def test_a_dask_array_gives_the_answer_of_an_array_whatever_its_chunks(whole, chunks):
    dask_array = pytest.importorskip("dask.array")
    same(fit(dask_array.from_array(X, chunks=(chunks, 1))), whole)


def test_files_and_functions_give_the_answer_of_an_array(whole, tmp_path):
    folder = write_parquet(tmp_path / "points")
    same(fit(folder), whole)
    same(fit(sorted(folder.iterdir())), whole)
    same(fit(lambda: iter(np.array_split(X, 7))), whole)
    expected = whole.family_.first_level(X)
    np.testing.assert_array_equal(whole.entry_levels(folder), expected)
    np.testing.assert_array_equal(whole.entry_levels(X), expected)


def test_two_classes_from_everywhere(tmp_path):
    dask_array = pytest.importorskip("dask.array")
    model = fit(X, Y)
    folder = write_parquet(tmp_path / "points", labels=True)
    same(fit(folder, "class"), model)
    chunked = dask_array.from_array(X, chunks=(900, 2)), dask_array.from_array(Y, chunks=900)
    same(fit(*chunked), model)
    assert (model.predict(X) == Y).mean() > 0.85
    assert set(model.classes_) == {-1, 1}


def test_labels_may_be_words():
    words = np.where(Y > 0, "yes", "no")
    model, plain = fit(X, words), fit(X, Y)
    assert model.certificate_ == plain.certificate_
    np.testing.assert_array_equal(model.predict(X) == "yes", plain.predict(X) == 1)


def test_threads_do_not_change_a_bit(whole):
    other = fit(X, n_jobs=2)
    np.testing.assert_array_equal(other.centres_, whole.centres_)
    assert other.certificate_ == whole.certificate_


def test_auto_grows_until_the_tolerance_is_met():
    coarse = Quantised(NestedOneClassSVM(0.4), tol=0.05, random_state=0).fit(X)
    fine = Quantised(NestedOneClassSVM(0.4), tol=0.002, random_state=0).fit(X)
    assert len(coarse.centres_) < len(fine.centres_) < len(X)
    assert coarse.duality_gap_ <= 0.05
    assert fine.duality_gap_ <= 0.002


def test_a_callback_may_accept_what_is_there():
    seen = []

    def accept(progress):
        seen.append(progress)
        return len(seen) == 2

    model = Quantised(NestedOneClassSVM(0.4), tol=1e-5, random_state=0).fit(X, callback=accept)
    assert [progress.done for progress in seen] == [100, 200]
    assert seen[1].duality_gap == model.duality_gap_ > 1e-5
    assert len(model.centres_) == 200


def test_a_certificate_that_misses_the_tolerance_is_said():
    with pytest.warns(UserWarning, match=r"3,000 points as 30 weighted centres are certified to"):
        model = Quantised(NestedOneClassSVM(0.2), 30, random_state=0).fit(X)
    assert not model.converged_


@pytest.mark.parametrize("method", METHODS)
def test_centres_cover_the_points(method):
    centres = choose_centres(X, 64, method, 0.4, 0)
    assert 32 < len(centres) <= 64
    np.testing.assert_array_equal(centres, choose_centres(X, 64, method, 0.4, 0))
    inside = (centres >= X.min(axis=0)) & (centres <= X.max(axis=0))
    assert inside.all()
    distinct = np.repeat(X[:10], 3, axis=0)
    np.testing.assert_array_equal(
        choose_centres(distinct, 64, method, 0.4, 0), np.unique(X[:10], axis=0)
    )


@pytest.mark.parametrize(
    ("points", "options", "sentence"),
    [
        (X, {"estimator": ParzenLevelSets()}, "estimator must be one of NestedOneClassSVM"),
        (X, {"estimator": EtaOneClassPath(0.4)}, "estimator must be one of NestedOneClassSVM"),
        (X, {"estimator": NestedOneClassSVM(kernel="polynomial")}, "with a Gaussian kernel"),
        (X, {"method": "best"}, "method must be one of farthest, k-means"),
        (X, {"centres": 0}, "centres must be a whole number from 1 up"),
        (X, {"tol": -1.0}, "tol must be a finite number"),
        (np.eye(40, 9), {"method": "grid", "centres": 3}, "too many cells"),
        ("nowhere.parquet", {}, "There is no file 'nowhere.parquet'"),
        (lambda: iter(()), {}, "There are no points"),
        (lambda: iter([np.array([[0.0, np.nan]])]), {}, "Row 0 of part 0 has a value that is not"),
        (lambda: iter([np.zeros(3)]), {}, "Part 0 has 1 dimensions"),
        (lambda: iter([X, X[:, :1]]), {}, "Part 1 has 1 features, and part 0 has 2"),
        (lambda: iter([X[:0], X[:0]]), {}, "There are no points"),
        (lambda: iter([np.array([["a", "b"]])]), {}, "Part 0 has values that are not numbers"),
        (iter([X]), {}, "an iterator only once"),
        (partial(next, cycle([iter([X, X])])), {}, "There were 2 parts at first, and then 0"),
    ],
)  # fmt: skip
def test_wrong_input_gets_a_sentence(points, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        Quantised(**({"estimator": NestedOneClassSVM(0.4), "random_state": 0} | options)).fit(
            points
        )


def test_wrong_files_get_a_sentence(tmp_path):
    with pytest.raises(ValueError, match="no Parquet files"):
        fit(tmp_path)
    file = tmp_path / "words.parquet"
    parquet.write_table(pa.table({"a": ["x", "y"], "b": [1.0, 2.0]}), file)
    with pytest.raises(ValueError, match="must be numbers"):
        fit(file)
    folder = write_parquet(tmp_path / "points")
    with pytest.raises(ValueError, match="no column 'kind'"):
        fit(folder, "kind")


def test_columns_are_found_by_name_in_every_file(whole, tmp_path):
    folder = write_parquet(tmp_path / "points")
    last = folder / "part-2.parquet"
    rows = slice(2000, 3000)
    index = {"__index_level_0__": np.arange(1000)}
    parquet.write_table(pa.table({"b": X[rows, 1], "a": X[rows, 0]} | index), last)
    model = fit(folder)
    same(model, whole)
    assert list(model.feature_names_in_) == ["a", "b"]
    parquet.write_table(pa.table({"a": X[rows, 0], "c": X[rows, 1]}), last)
    with pytest.raises(ValueError, match=r"'part-2\.parquet' has no column 'b'"):
        fit(folder)
    parquet.write_table(pa.table({"a": X[rows, 0], "b": X[rows, 1], "c": X[rows, 1]}), last)
    with pytest.raises(ValueError, match="has a column 'c', which other files have not"):
        fit(folder)
    last.write_bytes(b"no Parquet")
    with pytest.raises(ValueError, match="is no Parquet file, or is damaged"):
        fit(folder)


def test_times_are_no_numbers(tmp_path):
    file = tmp_path / "times.parquet"
    times = np.arange(2).astype("datetime64[D]")
    parquet.write_table(pa.table({"when": times, "b": [1.0, 2.0]}), file)
    with pytest.raises(ValueError, match="must be numbers, and 'when' is not"):
        fit(file)


def test_entry_levels_are_of_the_columns_that_were_fitted_to(tmp_path):
    folder = write_parquet(tmp_path / "both", labels=True)
    model = fit(folder, "class")
    np.testing.assert_array_equal(model.entry_levels(folder), model.family_.first_level(X))
    assert model.entry_levels(lambda: iter(())).shape == (0,)


def test_parts_without_points_change_nothing(whole):
    same(fit(lambda: iter([X[:0], X[:1000], X[:0], X[1000:], X[:0]])), whole)
    dask_array = pytest.importorskip("dask.array")
    parts = [dask_array.from_array(part) for part in (X[:0], X[:1000], X[1000:])]
    same(fit(dask_array.concatenate(parts)), whole)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_class_that_the_sample_lacks_has_centres(seed):
    """One positive point of 30,000 is in a sample of 20,000 only two times out of three."""
    rng = np.random.default_rng(seed)
    points, y = rng.normal(size=(30_000, 2)), np.full(30_000, -1)
    drawn = np.random.default_rng(seed).choice(30_000, 20_000, replace=False)
    y[np.setdiff1d(np.arange(30_000), drawn)[7]] = 1
    model = Quantised(NestedCostSensitiveSVM(0.5, 5.0), 40, random_state=seed).fit(points, y)
    assert model.weights_[(model.centres_ == points[y == 1]).all(axis=1)] == [1.0]
    assert model.weights_.sum() == 30_000


@pytest.mark.parametrize(
    ("points", "y", "sentence"),
    [
        (lambda: iter([X]), None, "Part 0 has no classes"),
        (lambda: iter([(X, Y), X]), None, "Part 1 has no classes"),
        (lambda: iter([(X, np.where(X[:, 0] > 0, np.nan, Y))]), None, "of part 0 has no class"),
        (lambda: iter([(X, np.array([None] * len(X)))]), None, "Row 0 of part 0 has no class"),
        ("dask", Y, "must be a Dask array, too"),
        ("line", Y, "two dimensions, not 1"),
    ],
)  # fmt: skip
def test_missing_classes_get_a_sentence(points, y, sentence):
    if isinstance(points, str):
        dask_array = pytest.importorskip("dask.array")
        points = dask_array.from_array(X if points == "dask" else X[:, 0])
    with pytest.raises(ValueError, match=sentence):
        Quantised(NestedCostSensitiveSVM(0.5, 50.0), 20, random_state=0).fit(points, y)


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


def until(condition, process):
    while not (found := condition()):
        assert process.poll() is None
        time.sleep(0.05)
    return found


def test_a_cluster_that_loses_a_worker_gives_the_same_answer(whole, tmp_path, started):
    pytest.importorskip("distributed")
    file = tmp_path / "scheduler.json"
    scheduler = started(
        "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", 0,
        "--no-dashboard", "--scheduler-file", file,
    )  # fmt: skip

    def address():
        found = file.exists() and re.search(r'"address": "(tcp://[0-9.:]+)"', file.read_text())
        return found and found[1]

    at = until(address, scheduler)
    first, second = (
        started(
            "distributed.cli.dask_worker", at, "--host", "127.0.0.1", "--no-nanny",
            "--no-dashboard", "--nthreads", 1, "--local-directory", tmp_path,
        )
        for _ in range(2)
    )  # fmt: skip
    folder = write_parquet(tmp_path / "points")
    model = fit(folder, scheduler=at)
    same(model, whole)
    # One worker dies while both compute levels; its parts are read again by the other.
    gate = tmp_path / "gate"
    gate.mkdir()

    def levels_once_open(part, family):
        """Leave the number of this process at the gate, and wait until it opens."""
        import os

        (gate / f"at-{os.getpid()}").touch()
        while not (gate / "go").exists():
            time.sleep(0.02)
        return family.first_level(part.X)

    source = open_source(folder, scheduler=at)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(lambda: list(source.each(levels_once_open, whole.family_)))
        both = {f"at-{first.pid}", f"at-{second.pid}"}
        until(lambda: running.done() or {path.name for path in gate.iterdir()} == both, second)
        first.kill()
        first.wait()
        (gate / "go").touch()
        levels = np.concatenate(running.result())
    source.close()
    np.testing.assert_array_equal(levels, whole.family_.first_level(X))
    assert second.poll() is None
