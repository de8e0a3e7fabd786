"""A study that is killed, interrupted or loses workers ends with the same bytes as one that is not.

Nothing here rests on time: a process is killed or interrupted when files show how far it is.
"""

import os
import random
import re
import signal
import subprocess
import sys
import time

import pytest
from small_study import CELLS, Protocol, command, environment, files_of, list_runs, study

from nestviz.commands.conduct import Means, conduct
from nestviz.studies.engine.files import PARTIAL

pytestmark = pytest.mark.skipif(os.name != "posix", reason="uses the signals of POSIX")


def until(found, *processes):
    """Wait until something is found, or one of the processes has ended."""
    while not (value := found()):
        for process in processes:
            assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    return value


def run(*arguments):
    return subprocess.run(command(*arguments), env=environment(), capture_output=True, text=True)


def start(*arguments):
    """Start the study as the leader of a group of processes, as a shell does."""
    return subprocess.Popen(
        command(*arguments), env=environment(), start_new_session=True, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def workers_at(gate):
    """Process ids of workers that wait at the gate."""
    return {int(file.name.rpartition("-")[2]) for file in gate.glob("began-*")}


def runs(process_id):
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return True


def killed_and_continued(output, moments, *options):
    """Kill the study at each of these moments, and then let it end."""
    for number, delay in moments:
        stopped = run(output, "--kill-after", number, "--delay", delay, *options)
        assert stopped.returncode == -signal.SIGKILL, stopped.stderr
    ended = run(output, *options)
    assert ended.returncode == 0, ended.stderr
    return files_of(output / "small")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What the study writes when nothing happens to it."""
    output = tmp_path_factory.mktemp("whole")
    assert conduct([study(Protocol())], Means(output, 1, quiet=True), list_runs) == 0
    return files_of(output / "small")


def test_killed_twice_it_goes_on_with_the_same_bytes(tmp_path, whole):
    assert killed_and_continued(tmp_path, [(1, 0.0), (4, 0.005)]) == whole


@pytest.mark.slow
def test_killed_at_ten_random_moments_it_goes_on_with_the_same_bytes(tmp_path):
    options = ("--tasks", *("solved",) * 60)
    assert run(tmp_path / "whole", *options).returncode == 0
    draw = random.Random(14)
    moments = [(draw.randint(0, 5), draw.uniform(0.0, 0.03)) for _ in range(10)]
    found = killed_and_continued(tmp_path / "killed", moments, *options)
    assert found == files_of(tmp_path / "whole" / "small")


def test_workers_of_a_killed_study_end(tmp_path):
    running = start(tmp_path / "out", "--gate", tmp_path)
    at_work = until(lambda: workers_at(tmp_path), running)
    running.kill()
    running.communicate()
    until(lambda: not any(map(runs, at_work)))


def test_ctrl_c_ends_it_with_a_sentence_and_the_same_command_goes_on(tmp_path, whole):
    gate, output = tmp_path / "gate", tmp_path / "out"
    gate.mkdir()
    # Some cells are stored, and then all others wait.
    three = Protocol(tasks=("square",) * 3)
    assert conduct([study(three)], Means(output, 1, quiet=True), list_runs) == 0
    running = start(output, "--gate", gate)
    at_work = until(lambda: len(found := workers_at(gate)) == 2 and found, running)
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate()
    assert running.returncode == 130
    assert out == ""
    assert err.splitlines()[-1] == (
        "small: 3 of 12 cells are stored; the same command goes on."
    )  # fmt: skip
    assert "Traceback" not in err
    until(lambda: not any(map(runs, at_work)))
    assert not list(output.glob(f"{CELLS}/*/{PARTIAL}*"))

    assert conduct([study(Protocol())], Means(output, 1, quiet=True), list_runs) == 0
    assert files_of(output / "small") == whole


@pytest.fixture
def started():
    """Start processes, and end them with the test."""
    processes = []

    def begin(*arguments, **more):
        process = subprocess.Popen(
            [sys.executable, "-m", *map(str, arguments)], env=environment() | more,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        processes.append(process)
        return process

    yield begin
    for process in processes:
        process.kill()
        process.wait()


@pytest.fixture
def cluster(tmp_path, started):
    """A Dask scheduler, and two worker processes once they have been asked for."""
    file = tmp_path / "scheduler.json"
    scheduler = started(
        "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", 0,
        "--no-dashboard", "--scheduler-file", file,
    )  # fmt: skip

    def address():
        found = file.exists() and re.search(r'"address": "(tcp://[0-9.:]+)"', file.read_text())
        return found and found[1]

    return until(address, scheduler)


def worker(started, cluster, folder):
    return started(
        "distributed.cli.dask_worker", cluster, "--host", "127.0.0.1", "--no-nanny",
        "--no-dashboard", "--nthreads", 1, "--local-directory", folder,
    )  # fmt: skip


def test_a_cluster_that_loses_a_worker_finds_the_same_bytes(tmp_path, started, cluster, whole):
    gate = tmp_path / "gate"
    gate.mkdir()
    first, second = (worker(started, cluster, tmp_path) for _ in range(2))
    running = start(tmp_path / "out", "--gate", gate, "--scheduler", cluster)
    both = {first.pid, second.pid}
    until(lambda: workers_at(gate) == both, running, first, second)
    first.kill()
    first.wait()
    (gate / "go").touch()
    _, err = running.communicate()
    assert running.returncode == 0, err
    assert files_of(tmp_path / "out" / "small") == whole
    # The cell that was lost began once more, and the cluster is left as it was.
    assert len(list(gate.glob("began-*"))) > 12
    assert second.poll() is None
