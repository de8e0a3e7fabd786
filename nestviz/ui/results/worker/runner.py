"""Runs jobs in worker processes, with progress and cancellation.

Independent of Streamlit; `nestviz.ui.results.jobs` shows jobs on pages. The watchers of a job are
the sessions that wait for it. It is stopped when the last of them has cancelled, started other
work, or disconnected.
"""

from __future__ import annotations

import atexit
import itertools
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable
from contextlib import suppress
from pathlib import Path
from typing import Any

from nestviz.ui.results.lru import Store
from nestviz.ui.results.worker.job import Alive, Job, State, Watcher
from nestviz.ui.results.worker.process import WorkerProcess

GRACE_SECONDS = 0.4
"""Time for work to end by itself after it was asked to stop."""
UNSEEN_SECONDS = 90.0
"""A page that has not asked for its job this long is gone. Browsers let hidden pages ask
only once a minute."""
GONE_SECONDS = 5.0
"""A session that is disconnected this long is gone."""
WATCH_SECONDS = 1.0
SILENT_SECONDS = 8.0 if Path("/proc/self/stat").exists() else 60.0
"""A worker that neither answers nor computes for this long is replaced. Longer where the system
does not tell whether it computes: a call into a library may keep it from answering."""
RESTARTS = 1
IDLE_SECONDS = 600.0
"""A worker without work for this long ends."""


class Runner:
    """Runs jobs in at most ``workers`` processes; further jobs are queued.

    Parameters
    ----------
    store : Store
        Cache of the results.
    workers : int, optional
        By default one for each core this process may use.
    """

    def __init__(
        self,
        store: Store,
        workers: int | None = None,
        *,
        unseen_seconds: float = UNSEEN_SECONDS,
        gone_seconds: float = GONE_SECONDS,
        silent_seconds: float = SILENT_SECONDS,
    ) -> None:
        self._store = store
        self._gone_seconds = gone_seconds
        self._silent_seconds = silent_seconds
        self.workers = workers or usable_cores()
        self._unseen_seconds = unseen_seconds
        self._jobs: dict[tuple[str | None, Hashable], Job] = {}
        self._line: deque[Job] = deque()
        self._changed = threading.Condition()
        self._numbers = itertools.count()
        self._processes: set[WorkerProcess] = set()
        self._threads = 0
        self._idle = 0
        self._watching = False
        self._closed = False
        # Workers end with the server in any case; this is quicker.
        atexit.register(self.close)

    @property
    def jobs(self) -> list[Job]:
        """The jobs that are not yet forgotten."""
        with self._changed:
            return list(self._jobs.values())

    def submit(
        self,
        key: Hashable,
        work: Callable[..., Any],
        arguments: tuple[Any, ...],
        *,
        title: str,
        watcher: str,
        owner: str | None = None,
        alive: Alive = lambda: True,
    ) -> Job:
        """Return the job of a key; start it where there is none. Its result goes to the store.

        A finished job is found until it is forgotten, so that its watchers get its result.

        ``work(*arguments, report)`` runs in another process: it must be a function of a module that
        can be imported there, and its arguments and result must be picklable.
        """
        if work.__module__ == "__main__":
            raise ValueError(f"{work.__qualname__} belongs to a page; work must be in a module.")
        with self._changed:
            job = self._jobs.get((owner, key))
            if job is None or job.stop_asked:
                job = Job(owner, key, title, work, arguments, next(self._numbers))
                self._jobs[owner, key] = job
                self._line.append(job)
                self._staff()
            job.watchers[watcher] = Watcher(alive, time.monotonic())
            self._changed.notify_all()
            return job

    def start_ahead(self) -> None:
        """Start a process before there is work, unless there is one, for the first job."""
        with self._changed:
            if self._threads or self._closed:
                return
            self._threads += 1
        threading.Thread(target=self._work, args=(True,), name="jobs-worker", daemon=True).start()

    def touch(self, job: Job, watcher: str) -> None:
        """Record that a watcher still waits."""
        with self._changed:
            if watcher in job.watchers:
                job.watchers[watcher].seen = time.monotonic()

    def leave(self, job: Job, watcher: str) -> None:
        """Remove a watcher; a job without watchers is stopped within a second."""
        with self._changed:
            job.watchers.pop(watcher, None)
            if not job.watchers:
                self._stop(job)

    def forget(self, job: Job) -> None:
        """Drop a finished job; its key then starts a new one."""
        with self._changed:
            if job.finished.is_set() and self._jobs.get((job.owner, job.key)) is job:
                del self._jobs[job.owner, job.key]

    def ahead_of(self, job: Job) -> int:
        """Return the number of jobs that run or are queued before this one."""
        with self._changed:
            if job.state != "waiting":
                return 0
            running = sum(other.state == "running" for other in self._jobs.values())
            return running + (self._line.index(job) if job in self._line else 0)

    def close(self) -> None:
        """Kill all processes and accept no further jobs."""
        with self._changed:
            self._closed = True
            processes = list(self._processes)
            self._changed.notify_all()
        for process in processes:
            process.kill()

    def _stop(self, job: Job) -> None:
        if job.stop_asked or job.finished.is_set():
            return
        job.stop_asked = True
        if job in self._line:
            self._line.remove(job)
            self._finish(job, "stopped")
            return
        # Ask first, for a partial result, then kill. The timer starts before the question: a
        # process that does not read its pipe must not delay it.
        process = job.process
        if process is not None:
            threading.Timer(GRACE_SECONDS, self._end, (job, process)).start()
            threading.Thread(target=process.stop, args=(job.number,), daemon=True).start()

    def _end(self, job: Job, process: WorkerProcess) -> None:
        with self._changed:  # else it might finish now, and another job be killed
            if not job.finished.is_set():
                process.kill()

    def _finish(self, job: Job, state: State) -> None:
        with self._changed:
            job.state = state
            job.process = None
            job.arguments = ()
            job.finished.set()
            self._changed.notify_all()

    # Threads: one per worker process, as many as there is work for, and one that watches.

    def _staff(self) -> None:
        if not self._watching:
            self._watching = True
            threading.Thread(target=self._watch, name="jobs-watch", daemon=True).start()
        if self._idle < len(self._line) and self._threads < self.workers:
            self._threads += 1
            threading.Thread(target=self._work, name="jobs-worker", daemon=True).start()

    def _watch(self) -> None:
        """Stop jobs without watchers, drop finished ones, and end workers that are silent."""
        while True:
            time.sleep(WATCH_SECONDS)
            with self._changed:
                for job in list(self._jobs.values()):
                    for name in [
                        n for n, watcher in job.watchers.items() if self._is_gone(watcher)
                    ]:
                        self.leave(job, name)
                    self._check(job)
                    if not job.watchers:
                        self.forget(job)
                if self._closed or not self._jobs:
                    self._watching = False
                    return

    def _check(self, job: Job) -> None:
        """Kill the process of a job that is silent; `_follow` then starts the job again."""
        if job.process is not None and job.process.silent_seconds() > self._silent_seconds:
            job.is_silent = True
            job.process.kill()

    def _is_gone(self, watcher: Watcher) -> bool:
        unseen = time.monotonic() - watcher.seen
        return unseen > self._unseen_seconds or (
            unseen > self._gone_seconds and not watcher.alive()
        )

    def _work(self, ahead: bool = False) -> None:
        process: WorkerProcess | None = None
        if ahead:
            with suppress(OSError):  # the first job tries again, and reports it
                process = self._hire()
        while (job := self._next_job()) is not None:
            process = self._carry_out(job, process)
        self._dismiss(process)

    def _carry_out(self, job: Job, process: WorkerProcess | None) -> WorkerProcess | None:
        """Run a job, in the given process if it is alive; return the one for the next job."""
        if process is None or not process.alive:
            self._dismiss(process)
            try:
                process = self._hire()
            except OSError as error:
                job.error = error
                self._finish(job, "failed")
                return None
        with self._changed:
            if job.stop_asked:  # between the line and here
                self._finish(job, "stopped")
                return process
            job.state, job.process, job.started = "running", process, time.monotonic()
        if self._follow(job, process):
            return process
        self._dismiss(process)
        return None

    def _next_job(self) -> Job | None:
        """Return the next job; None, which ends this thread, after a long time without one."""
        with self._changed:
            self._idle += 1
            self._changed.wait_for(lambda: bool(self._line) or self._closed, IDLE_SECONDS)
            self._idle -= 1
            if self._closed or not self._line:
                self._threads -= 1
                return None
            return self._line.popleft()

    def _hire(self) -> WorkerProcess:
        process = WorkerProcess()
        with self._changed:
            self._processes.add(process)
        return process

    def _dismiss(self, process: WorkerProcess | None) -> None:
        if process is not None:
            process.close()
            with self._changed:
                self._processes.discard(process)

    def _follow(self, job: Job, process: WorkerProcess) -> bool:
        """Run a job and consume its messages; return True if the process is reusable."""
        try:
            process.run(job.number, job.work, job.arguments)
            while True:
                answer, number, *rest = process.answer()
                if number == job.number and self._take(job, answer, rest):
                    return True
        except (EOFError, OSError):
            if not self._restarted(job):
                self._finish(job, "stopped" if job.stop_asked else "died")
            return False
        except Exception as error:  # it could not be sent, or stored
            job.error = error
            self._finish(job, "failed")
            return True

    def _restarted(self, job: Job) -> bool:
        """Put a job whose worker was silent back to the front of the queue, once."""
        with self._changed:
            if not job.is_silent or job.stop_asked or job.restarts >= RESTARTS:
                return False
            job.restarts += 1
            job.is_silent, job.state, job.process = False, "waiting", None
            job.started = job.done = 0.0
            self._line.appendleft(job)
            return True

    def _take(self, job: Job, answer: str, rest: list[Any]) -> bool:
        """Process one answer; return whether it was the last."""
        if answer == "beat":  # noted by the process
            return False
        if answer == "progress":
            job.done, job.text = rest
        elif answer == "partial":
            job.partial = rest[0]
        elif answer == "failed":
            job.error, job.traceback = rest
            self._finish(job, "failed")
        elif job.stop_asked:
            # It was asked to stop: this is a partial result.
            job.partial = rest[0]
            self._finish(job, "stopped")
        else:
            job.result, job.done = rest[0], 1.0
            self._store.put(job.owner, job.key, job.result)
            self._finish(job, "done")
        return job.finished.is_set()


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
