"""A worker process that is stopped or hangs is noticed and replaced; a busy one is not."""

import os
import signal
import sys

import job_samples
import pytest
from test_runner import ended, submit, wait_for

from nestviz.data import DataError
from nestviz.ui.results import jobs
from nestviz.ui.results.lru import Store
from nestviz.ui.results.worker import runner as runner_module
from nestviz.ui.results.worker.runner import Runner

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs the states of processes")


@pytest.fixture
def runner(monkeypatch):
    monkeypatch.setattr(runner_module, "WATCH_SECONDS", 0.1)
    made = Runner(Store(max_entries=8, max_bytes=10**6), workers=1, silent_seconds=1.0)
    yield made
    made.close()


def stop(job, flag):
    """Stop the process of a job once it computes; return its id."""
    wait_for(flag.exists)
    pid = job.process.pid
    os.kill(pid, signal.SIGSTOP)
    flag.unlink(missing_ok=True)
    return pid


def test_a_stopped_worker_is_replaced_and_its_job_started_again(runner, tmp_path):
    flag = tmp_path / "computes"
    job = submit(runner, job_samples.until_told, flag)
    first = stop(job, flag)
    wait_for(lambda: job.restarts == 1 and job.state == "running")
    wait_for(flag.exists)
    assert job.process.pid != first
    runner.leave(job, "me")
    assert ended(job).partial == "as far as it came"


def test_a_job_whose_workers_stop_twice_ends_in_words(runner, tmp_path, monkeypatch):
    monkeypatch.setattr(jobs, "RUNNER", runner)
    flag = tmp_path / "computes"
    job = submit(runner, job_samples.until_told, flag)
    stop(job, flag)
    wait_for(lambda: job.restarts == 1 and job.process is not None)
    stop(job, flag)
    assert ended(job).state == "died"
    assert job.is_silent
    with pytest.raises(DataError, match="stopped responding twice"):
        jobs.outcome(job)
    assert ended(submit(runner, job_samples.add, 1, 2, key="next")).result == 3


def test_a_worker_stopped_before_its_job_is_replaced(runner):
    pid = ended(submit(runner, job_samples.where)).result[0]
    os.kill(pid, signal.SIGSTOP)
    job = submit(runner, job_samples.where, key="later")
    assert ended(job).result[0] != pid
    assert job.restarts == 1


def test_a_worker_that_computes_without_answering_is_left_alone(runner, tmp_path):
    """It holds the interpreter, so that it cannot even send signs of life."""
    flag = tmp_path / "computes"
    job = submit(runner, job_samples.deaf, flag)
    wait_for(flag.exists)
    seen = [0]
    spent = job.process.silent_seconds

    def counted():
        seen[0] += 1
        return spent()

    job.process.silent_seconds = counted
    wait_for(lambda: seen[0] > 15)
    assert job.state == "running"
    assert not job.restarts
    runner.leave(job, "me")
    assert ended(job).state == "stopped"


def test_a_killed_worker_ends_its_job(runner):
    job = ended(submit(runner, job_samples.die))
    assert (job.state, job.is_silent, job.restarts) == ("died", False, 0)
