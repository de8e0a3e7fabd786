"""Plans are followed, cells are stored as they end, and what fails is named."""

import io
import os

import pytest
from small_study import Protocol, files_of, list_runs, plan, study

from nestviz.commands.conduct import FAILED, Means, conduct
from nestviz.studies.engine.attempt import Failure, WorkersError, attempt
from nestviz.studies.engine.backends import on_this_machine, workers
from nestviz.studies.engine.cells import Cell
from nestviz.studies.engine.drive import FailedCellsError, Tally, follow
from nestviz.studies.engine.files import PARTIAL
from nestviz.studies.engine.progress import Line, duration
from nestviz.studies.engine.store import ABANDONED, Kept, Store
from nestviz.studies.run_record import read_run

CELL = Cell("small_study:square", {"x": 3})


def here(cells):
    """Compute cells in this process."""
    from nestviz import __version__

    return ((cell, attempt(cell, __version__)) for cell in cells)


def nothing(cells):
    """Fail where there is anything to compute."""
    assert list(cells) == []
    return iter(())


def cell_files(folder):
    return sorted(folder.glob("**/*.json"))


def test_a_key_names_all_that_a_result_depends_on():
    others = [
        Cell("small_study:square", {"x": 4}),
        Cell("small_study:solved", {"x": 3}),
        Cell("small_study:square", {"x": 3}, version=2),
    ]
    assert len({cell.key for cell in [CELL, *others]}) == 4
    assert Cell(CELL.task, {"x": 3}, locations={"gate": "/somewhere"}).key == CELL.key


def test_a_plan_is_followed_and_its_cells_are_read_again(tmp_path):
    first, second = Tally(), Tally()
    found = follow(plan(Protocol()), Store(tmp_path), here, first)
    again = follow(plan(Protocol()), Store(tmp_path), nothing, second)
    # As text, since numbers that are missing are NaN, which from Python 3.13 on no record equals.
    assert repr(again) == repr(found)
    assert [value.ours for value in found.values[:12]] == [x * x / 7 for x in range(12)]
    assert (first.cells, first.computed, first.stored) == (13, 13, 13)
    assert (second.cells, second.computed, second.stored) == (13, 0, 13)
    assert second.cpu_seconds == pytest.approx(first.cpu_seconds)


def test_cells_asked_for_twice_are_computed_once(tmp_path):
    def twice():
        first, second = yield [CELL, CELL]
        assert first == second
        (third,) = yield [CELL]
        return third

    tally = Tally()
    assert follow(twice(), Store(tmp_path), here, tally) == {"y": 9 / 7}
    assert (tally.cells, tally.computed) == (1, 1)


def damage(text):
    half = len(text) // 2
    yield from ("", text[:half], text[:-1] + "x", "null\n", "{}\n\n", "\ud800")
    # Still JSON, but other numbers
    yield text.replace("1.2857", "1.2858")
    yield text.replace("cpu_seconds", "cpu seconds")


def test_a_damaged_file_is_computed_again(tmp_path):
    store = Store(tmp_path)
    store.write(CELL, Kept({"y": 9 / 7}, 0.5))
    (file,) = cell_files(tmp_path)
    whole = file.read_text("utf-8")
    for text in damage(whole):
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        assert store.read(CELL) is None, text
    file.write_text(whole, "utf-8")
    assert store.read(CELL) == Kept({"y": 9 / 7}, 0.5)


def test_a_file_under_the_name_of_another_cell_is_not_read(tmp_path):
    store, other = Store(tmp_path), Cell("small_study:square", {"x": 4})
    store.write(CELL, Kept({}, 0.0))
    (file,) = cell_files(tmp_path)
    moved = tmp_path / other.key[:2] / f"{other.key}.json"
    moved.parent.mkdir(exist_ok=True)
    file.rename(moved)
    assert store.read(other) is None


def test_unfinished_files_are_no_results_and_are_removed_when_nobody_writes_them(tmp_path):
    store = Store(tmp_path)
    store.write(CELL, Kept({}, 0.0))
    (file,) = cell_files(tmp_path)
    old, new = (file.with_name(PARTIAL + name) for name in ("old", "new"))
    for partial in (old, new):
        partial.write_text(file.read_text("utf-8")[:20])
    now = file.stat().st_mtime
    os.utime(old, (now - 2 * ABANDONED, now - 2 * ABANDONED))
    store.clean()
    assert not old.exists()
    assert new.exists()
    assert cell_files(tmp_path) == [file]


def test_a_cell_that_fails_stops_no_other(tmp_path):
    protocol = Protocol(tasks=("square", "fails", "square", "cannot_be_stored"))
    tally = Tally()
    with pytest.raises(FailedCellsError) as caught:
        follow(plan(protocol), Store(tmp_path), here, tally)
    assert [cell.parameters["x"] for cell, _ in caught.value.failures] == [1, 3]
    assert "fails(x=1) failed: ValueError: There is no cell 1." in str(caught.value)
    assert "1 other" in str(caught.value)
    assert (tally.stored, tally.step_done) == (2, 4)
    assert len(cell_files(tmp_path)) == 2


def test_a_failing_study_ends_with_a_sentence_and_the_next_one_runs(tmp_path, capsys):
    bad = study(Protocol(tasks=("square", "fails")), "bad")
    good = study(Protocol(tasks=("square", "square")), "good")
    assert conduct([bad, good], Means(tmp_path, 1, quiet=True), list_runs) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "bad: The cell fails(x=1) failed: ValueError: There is no cell 1." in said.err
    assert "1 of 2 cells are stored; the same command goes on." in said.err
    assert "Traceback" in (tmp_path / FAILED).read_text("utf-8")
    assert read_run(tmp_path / "good").cells == 3
    assert not (tmp_path / "bad").exists()
    assert (tmp_path / "report.txt").read_text() == "good"


def test_a_cell_that_ends_its_process_is_named_and_others_are_computed():
    tasks = ("square", "ends_its_process", "square", "square")
    cells = [Cell(f"small_study:{task}", {"x": x}) for x, task in enumerate(tasks)]
    found = {cell.parameters["x"]: outcome for cell, outcome in on_this_machine(cells, 1)}
    outcomes = [found[x] for x in range(4)]
    assert [isinstance(outcome, Failure) for outcome in outcomes] == [False, True, False, False]
    assert "ended 3 times" in outcomes[1].reason


def test_results_do_not_depend_on_where_they_are_computed(tmp_path):
    means = Means(tmp_path / "two", 2, quiet=True)
    assert conduct([study(Protocol())], means, list_runs) == 0
    found = read_run(tmp_path / "two" / "small").findings
    expected = follow(plan(Protocol()), Store(tmp_path / "here"), here)
    assert [value.ours for value in found.values] == [value.ours for value in expected.values]
    assert found.tables == expected.tables
    assert set(files_of(tmp_path / "two" / "small")) == {
        "all.csv", "claims.csv", "findings.json", "tables.json", "values.csv"
    }  # fmt: skip


def test_another_version_of_nestviz_is_named():
    with pytest.raises(WorkersError, match=r"A worker has nestviz .*, and this is nestviz 0\.0\."):
        attempt(CELL, "0.0")


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert conduct([study(Protocol())], Means(tmp_path / "file" / "x", 1), list_runs) == 2
    assert capsys.readouterr().err.startswith("Results cannot be written to")


def test_a_scheduler_that_is_not_there_is_one_sentence(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("nestviz.studies.engine.cluster.TIMEOUT", 0.1)
    for address in ("tcp://127.0.0.1:9", "nonsense://x", "tcp://127.0.0.1:port"):
        means = Means(tmp_path, scheduler=address)
        assert conduct([study(Protocol())], means, list_runs) == 1
        said = capsys.readouterr().err
        assert "No Dask scheduler answers at" in said
        assert said.count("\n") == 1


def test_workers_start_only_for_work():
    with workers(2) as compute:
        assert list(compute([])) == []


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown(stream, seconds_per_cell=1.0, cells=40):
    """What is written while cells are computed, one after the other."""
    tally = Tally(step=1, step_cells=cells)
    line = Line("fig7", stream, lambda: seconds_per_cell * tally.step_done)
    for tally.step_done in range(cells + 1):
        line(tally)
    line.end()
    return stream.getvalue()


def test_a_log_gets_a_line_for_each_tenth_or_half_minute():
    lines = shown(io.StringIO()).splitlines()
    assert lines[:2] == [
        "fig7: 0 of 40 cells",
        "fig7: 4 of 40 cells, about 36 s left",
    ]
    assert lines[-1] == "fig7: 40 of 40 cells"
    assert len(lines) == 11
    assert len(shown(io.StringIO(), 30.0).splitlines()) == 41


def test_a_terminal_gets_one_line_that_changes():
    text = shown(Terminal())
    assert text.count("\n") == 1
    assert text.endswith("\r\x1b[Kfig7: 40 of 40 cells\n")
    assert "about 10 s left" in text


def test_nothing_is_shown_where_all_is_stored():
    stream = io.StringIO()
    Line("fig7", stream, lambda: 0.0)(Tally(step=1, step_cells=3, step_found=3, step_done=3))
    assert stream.getvalue() == ""


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "1 s"), (89, "89 s"), (90, "2 min"), (5399, "90 min"), (5400, "1.5 h")],
)
def test_durations_are_rounded(seconds, words):
    assert duration(seconds) == words
