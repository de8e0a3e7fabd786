"""Jobs in worker processes, without Streamlit."""

import os
import subprocess
import sys
import textwrap
import time

import job_samples
import pytest

from nestviz.data import DataError
from nestviz.ui.results.lru import Store, TooLargeError
from nestviz.ui.results.worker import runner as runner_module
from nestviz.ui.results.worker.runner import Runner

LONG = 600.0


@pytest.fixture(scope="module")
def store():
    return Store(max_entries=8, max_bytes=10**6)


@pytest.fixture(scope="module")
def one_worker(store):
    made = Runner(store, workers=1)
    yield made
    made.close()


@pytest.fixture
def runner(one_worker, store):
    store.clear()
    yield one_worker
    for job in one_worker.jobs:
        ended(job)
        one_worker.forget(job)


def submit(runner, work, *arguments, key="job", watcher="me", **options):
    return runner.submit(key, work, arguments, title="Test", watcher=watcher, **options)


def ended(job):
    assert job.finished.wait(LONG)
    return job


def wait_for(condition):
    deadline = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_job_ends_with_its_result_and_the_store_has_it(runner, store):
    job = ended(submit(runner, job_samples.add, 2, 3))
    assert (job.state, job.result, job.done) == ("done", 5, 1.0)
    assert store.get(None, "job") == 5


def test_a_result_is_kept_for_its_owner_only(runner, store):
    ended(submit(runner, job_samples.add, 2, 3, owner="anna"))
    assert store.get("anna", "job") == 5
    assert store.get(None, "job") is None
    assert store.get("bert", "job") is None
    assert ended(submit(runner, job_samples.add, 1, 1, owner="bert")).result == 2


def test_a_worker_is_another_process_with_one_thread_and_is_used_again(runner):
    first = ended(submit(runner, job_samples.where, key=1)).result
    second = ended(submit(runner, job_samples.where, key=2)).result
    assert first == second
    assert first[0] != os.getpid()
    assert first[1] == "1"


def test_what_work_prints_does_not_get_in_between(runner):
    assert ended(submit(runner, job_samples.print_something)).result == "printed"


def test_progress_arrives(runner, tmp_path):
    job = submit(runner, job_samples.until_told, str(tmp_path / "flag"))
    wait_for(lambda: job.done > 0.05)
    assert job.text.startswith("step")
    assert job.state == "running"
    runner.leave(job, "me")
    ended(job)


def test_seconds_left_follow_from_the_pace(runner, monkeypatch):
    job = ended(submit(runner, job_samples.add, 1, 1))
    job.done, job.started = 0.25, 100.0
    monkeypatch.setattr(time, "monotonic", lambda: 110.0)
    assert job.seconds_left == pytest.approx(30.0)
    job.done = 0.001
    assert job.seconds_left is None


def test_work_that_listens_hands_over_what_it_has(runner, store, tmp_path):
    flag = tmp_path / "flag"
    job = submit(runner, job_samples.until_told, str(flag))
    wait_for(flag.exists)
    pid = job.process.pid
    runner.leave(job, "me")
    assert ended(job).state == "stopped"
    assert job.partial == "as far as it came"
    assert len(store) == 0
    assert is_running(pid)
    assert ended(submit(runner, job_samples.where, key="next")).result[0] == pid


def test_work_that_does_not_listen_is_killed(runner, tmp_path):
    flag = tmp_path / "flag"
    job = submit(runner, job_samples.deaf, str(flag))
    wait_for(flag.exists)
    pid = job.process.pid
    runner.leave(job, "me")
    assert ended(job).state == "stopped"
    assert job.partial == "early days"
    wait_for(lambda: not is_running(pid))
    assert ended(submit(runner, job_samples.add, 2, 2, key="next")).result == 4


def test_sessions_that_ask_for_the_same_share_a_job(runner, tmp_path):
    flag = tmp_path / "flag"
    job = submit(runner, job_samples.until_told, str(flag), watcher="anna")
    assert submit(runner, job_samples.until_told, str(flag), watcher="bert") is job
    wait_for(flag.exists)
    runner.leave(job, "anna")
    assert not job.stop_asked
    runner.leave(job, "bert")
    assert ended(job).state == "stopped"


def test_jobs_wait_in_line(runner, tmp_path):
    flag = tmp_path / "flag"
    first = submit(runner, job_samples.until_told, str(flag), key=1)
    second = submit(runner, job_samples.add, 1, 2, key=2)
    third = submit(runner, job_samples.add, 3, 4, key=3)
    wait_for(flag.exists)
    assert [runner.ahead_of(job) for job in (first, second, third)] == [0, 1, 2]
    assert second.state == "waiting"
    runner.leave(second, "me")
    assert ended(second).state == "stopped"
    assert runner.ahead_of(third) == 1
    runner.leave(first, "me")
    assert ended(third).result == 7


def test_no_more_jobs_at_once_than_workers(store, tmp_path):
    two = Runner(store, workers=2)
    flags = [tmp_path / str(k) for k in range(3)]
    jobs = [submit(two, job_samples.until_told, str(f), key=f.name) for f in flags]
    wait_for(lambda: flags[0].exists() and flags[1].exists())
    assert [job.state for job in jobs] == ["running", "running", "waiting"]
    for job in jobs[:2]:
        two.leave(job, "me")
    wait_for(flags[2].exists)
    two.close()
    assert ended(jobs[2]).state == "died"


def test_faults_come_back(runner):
    refused = ended(submit(runner, job_samples.refuse, key=1))
    assert refused.state == "failed"
    assert isinstance(refused.error, DataError)
    assert str(refused.error) == "There is no such thing. Choose another."
    broken = ended(submit(runner, job_samples.break_down, key=2))
    assert isinstance(broken.error, ZeroDivisionError)
    assert "job_samples" in broken.traceback


@pytest.mark.parametrize("name", ["fail_without_travelling", "answer_what_cannot_travel"])
def test_what_cannot_travel_is_a_fault_with_a_traceback(runner, name):
    job = ended(submit(runner, getattr(job_samples, name)))
    assert job.state == "failed"
    assert "Traceback" in job.traceback
    assert ended(submit(runner, job_samples.add, 1, 1, key="next")).result == 2


def test_arguments_that_cannot_travel_are_a_fault(runner):
    job = ended(submit(runner, job_samples.add, lambda: None, 1))
    assert job.state == "failed"
    assert job.error is not None
    assert ended(submit(runner, job_samples.add, 1, 1, key="next")).result == 2


def test_a_process_that_dies_is_told_and_replaced(runner):
    assert ended(submit(runner, job_samples.die, key=1)).state == "died"
    assert ended(submit(runner, job_samples.add, 1, 1, key=2)).result == 2


def test_a_result_too_large_to_keep_is_a_fault(runner):
    job = ended(submit(runner, job_samples.add, "x" * 10**6, "y"))
    assert job.state == "failed"
    assert isinstance(job.error, TooLargeError)


def test_an_ended_job_is_found_until_it_is_forgotten(runner):
    job = ended(submit(runner, job_samples.refuse))
    assert submit(runner, job_samples.refuse) is job
    runner.forget(job)
    again = submit(runner, job_samples.refuse)
    assert again is not job
    ended(again)


def test_a_stopped_job_can_be_started_again(runner, tmp_path):
    flag = tmp_path / "flag"
    job = submit(runner, job_samples.until_told, str(flag))
    wait_for(flag.exists)
    runner.leave(job, "me")
    again = submit(runner, job_samples.until_told, str(flag))
    assert again is not job
    assert ended(job).state == "stopped"
    wait_for(lambda: again.state == "running")
    runner.leave(again, "me")
    assert ended(again).state == "stopped"


@pytest.mark.parametrize("gone", ["unseen", "disconnected"])
def test_a_job_that_nobody_waits_for_is_stopped(store, tmp_path, monkeypatch, gone):
    monkeypatch.setattr(runner_module, "WATCH_SECONDS", 0.05)
    limits = {"unseen_seconds": 0.2} if gone == "unseen" else {"gone_seconds": 0.2}
    runner = Runner(store, workers=1, **limits)
    flag = tmp_path / "flag"
    job = submit(runner, job_samples.until_told, str(flag), alive=lambda: gone == "unseen")
    assert ended(job).state == "stopped"
    wait_for(lambda: submit(runner, job_samples.until_told, str(flag)) is not job)
    runner.close()


def test_a_job_that_is_asked_for_goes_on(store, tmp_path, monkeypatch):
    monkeypatch.setattr(runner_module, "WATCH_SECONDS", 0.05)
    runner = Runner(store, workers=1, unseen_seconds=LONG, gone_seconds=0.0)
    flag, asked = tmp_path / "flag", []
    job = submit(runner, job_samples.until_told, str(flag), alive=lambda: asked.append(1) or True)
    wait_for(flag.exists)
    wait_for(lambda: len(asked) > 3)
    assert not job.stop_asked
    runner.close()


def test_work_of_a_page_is_refused(runner):
    def work(report):
        return 1

    work.__module__ = "__main__"
    with pytest.raises(ValueError, match="must be in a module"):
        submit(runner, work)


@pytest.mark.parametrize("end", ["sys.exit()", "os._exit(1)"])
def test_a_server_leaves_no_process_behind(tmp_path, end):
    """Also one that is killed: the last line stands for a server that has no time to tidy up."""
    script = f"""
        import os, sys, time
        sys.path.insert(0, {os.path.dirname(__file__)!r})
        import job_samples
        from nestviz.ui.results.lru import Store
        from nestviz.ui.results.worker.runner import Runner
        flag = {str(tmp_path / "flag")!r}
        runner = Runner(Store(8, 10**6), workers=1)
        job = runner.submit("k", job_samples.deaf, (flag,), title="", watcher="me")
        while not os.path.exists(flag):
            time.sleep(0.01)
        print(job.process.pid, flush=True)
        {end}
    """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONG, check=False)
    pid = int(done.stdout)
    wait_for(lambda: not is_running(pid))


def test_a_worker_that_was_started_ahead_takes_the_first_job(store, monkeypatch):
    started, start = [], runner_module.WorkerProcess

    def note():
        started.append(start())
        return started[-1]

    monkeypatch.setattr(runner_module, "WorkerProcess", note)
    store.clear()
    runner = Runner(store, workers=1)
    try:
        runner.start_ahead()
        runner.start_ahead()
        wait_for(lambda: len(started) == 1)
        job = ended(submit(runner, job_samples.where, key="ahead"))
        assert [process.pid for process in started] == [job.result[0]]
    finally:
        runner.close()
