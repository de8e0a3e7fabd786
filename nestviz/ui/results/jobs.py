"""Long work on a page: a progress bar, the time left, and a Cancel button.

    found = jobs.run(key, width_search.search, X, title="Searching for the width")

runs ``search(X, report)`` in a worker process. Until there is a result the page ends here and shows
the progress; only that small part of the page is rerun meanwhile. The function must be in a module
without Streamlit (`nestviz.ui.compute`) and call ``report(done, text, partial=None)`` from time to
time, with ``done`` from 0 to 1; where that returns True it should return what it has.

    found = jobs.run(key, rates.table, X, y, title="…", partial=True, preview=draw)

also calls ``draw(partial)`` below the progress bar with the latest partial result, as soon as there
is one, until the work is done.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache as once
from functools import partial as bound
from typing import Any, TypeVar

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from nestviz.data import DataError
from nestviz.ui import error_boundary
from nestviz.ui.compile_ahead import is_compiled
from nestviz.ui.compute.tasks import never_stop
from nestviz.ui.results import admission, cache
from nestviz.ui.results.lru import TooLargeError
from nestviz.ui.results.worker.job import Job
from nestviz.ui.results.worker.runner import Runner
from nestviz.ui.session.view import stop_page

Result = TypeVar("Result")
Preview = Callable[[Any], None]
"""Draws a partial result."""

SILENT_SECONDS = 3.0
"""Without any progress for this long, the page names the likely reason."""
POLL_SECONDS = 0.4
INLINE_SECONDS = 0.5
"""Work that takes no longer than this shows no progress bar."""
STOP_SECONDS = 1.0
_WAITING, _STOPPED = "jobs_waiting", "jobs_stopped"
_STOPPED_KEPT = 8
ASIDES, ASIDES_USED = "asides", "asides:used"
"""Where a session keeps its work beside pages (`asides`), and which the run of a page asks for."""
_MISSING = object()

RUNNER = Runner(cache.STORE)
"""Runs all long work of this server; its processes start with the first job."""


class WorkerError(RuntimeError):
    """An error in a worker process, with its traceback for the log."""


def run(
    key: tuple[Hashable, ...],
    work: Callable[..., Result],
    *arguments: Any,
    title: str,
    partial: bool = False,
    long: bool = True,
    preview: Preview | None = None,
) -> Result:
    """Return the result of long work; end the page here until there is one.

    Parameters
    ----------
    key : tuple
        Everything the result depends on: the data and the settings.
    work : callable
        Called as ``work(*arguments, report)`` in a worker process.
    title : str
        The work in words, such as "Searching for the width".
    partial : bool
        After Cancel, return the partial result, if there is one, instead of ending the page.
    long : bool
        Whether to use a worker process; other work runs at once, behind a spinner.
    preview : callable, optional
        Draws the latest partial result while the work runs. It is called at every poll, since what
        a fragment does not draw again is removed: it should be quick, draw the same elements for
        the same partial result, and have no controls.
    """
    full = full_key(work, key)
    owner = cache.owner()
    found = cache.STORE.get(owner, full, _MISSING)
    if found is not _MISSING:
        return found
    if not long:
        with admission.solving(), st.spinner(f"{title} …"):
            return cache.STORE.get_or_make(owner, full, bound(work, *arguments, never_stop))
    stopped: dict[Hashable, Job] = st.session_state.setdefault(_STOPPED, {})
    if full in stopped:
        return _show_stopped(full, stopped[full], partial)
    job = _job(full, work, arguments, title)
    with admission.aside():
        finished = job.finished.wait(INLINE_SECONDS)
    if not finished:
        # This job would wait for work beside another page, which nobody looks at any more.
        leave_unused_asides()
        _bar(job, preview)
        stop_page()
    return outcome(job)


def full_key(work: Callable[..., Any], key: tuple[Hashable, ...]) -> tuple[Hashable, ...]:
    """Return the key under which the result of some work is cached."""
    return (f"{work.__module__}.{work.__qualname__}", *cache.plain(key))


def leave_aside(name: str) -> None:
    """End the work of a name beside the page, unless another session waits for it."""
    job = st.session_state.get(ASIDES, {}).pop(name, None)
    if job is not None:
        RUNNER.leave(job, watcher_of(name))


def leave_unused_asides() -> None:
    """End work beside pages that this run of a page has not asked for."""
    used = st.session_state.pop(ASIDES_USED, set())
    for name in set(st.session_state.get(ASIDES, {})) - used:
        leave_aside(name)


def watcher_of(name: str) -> str:
    """Return the name under which this session waits for work beside the page."""
    return f"{cache.session_name()}:{name}"


def expect_work() -> None:
    """Let a worker process start while a visitor still reads, on a server of its own."""
    if runtime.exists():
        RUNNER.start_ahead()


def end_of_page() -> None:
    """Stop the work that this page no longer waits for, and that of other pages."""
    leave_unused_asides()
    waiting: tuple[Job, str] | None = st.session_state.get(_WAITING)
    if waiting is not None and waiting[1] == _page():
        RUNNER.leave(waiting[0], cache.session_name())
        del st.session_state[_WAITING]


def _job(key: Hashable, work: Callable[..., Any], arguments: tuple[Any, ...], title: str) -> Job:
    """Return the job of a key. A session waits for one job at a time, and leaves the last one."""
    name, owner = cache.session_name(), cache.owner()
    waiting: tuple[Job, str] | None = st.session_state.get(_WAITING)
    job = RUNNER.submit(
        key, work, arguments, title=title, watcher=name, owner=owner, alive=is_connected()
    )
    if waiting is not None and waiting[0] is not job:
        RUNNER.leave(waiting[0], name)
    st.session_state[_WAITING] = job, _page()
    return job


def outcome(job: Job) -> Any:
    """Return the result of a finished job, or raise its error."""
    RUNNER.forget(job)
    waiting: tuple[Job, str] | None = st.session_state.get(_WAITING)
    if waiting is not None and waiting[0] is job:
        del st.session_state[_WAITING]
    if job.state == "done":
        return job.result
    if job.state == "stopped":
        st.rerun()
    if job.state == "died" and job.is_silent:
        raise DataError(
            "The computation stopped responding twice and was ended.",
            hint="Use fewer points, or try again later.",
        )
    if job.state == "died":
        raise DataError(
            "The computation was ended by the system, most likely for lack of memory.",
            hint="Use fewer points, or a larger width.",
        )
    if isinstance(job.error, TooLargeError):
        raise DataError(
            f"This result is larger than the app can keep. {job.error}",
            hint="Use fewer points, or a larger width.",
        )
    if isinstance(job.error, DataError):
        raise job.error
    raise WorkerError(job.traceback or repr(job.error)) from job.error


@st.fragment(run_every=POLL_SECONDS)
def _bar(job: Job, preview: Preview | None) -> None:
    """Show the progress of a job and its partial result; rerun until the job has ended."""
    RUNNER.touch(job, cache.session_name())
    if job.finished.is_set():
        st.rerun()
    with st.container(border=True):
        st.progress(job.done, text=words(job))
        if job.state == "running" and not job.done and job.elapsed > SILENT_SECONDS:
            st.caption(_why_silent())
        if job.restarts:
            st.caption("Its worker process stopped responding; the computation was started again.")
        if st.button(
            "Cancel",
            key="cancel_job",
            icon=":material/stop_circle:",
            help="Stops the computation within a second and keeps its partial result.",
        ):
            _cancel(job)
            st.rerun()
    if preview is not None and job.partial is not None:
        with error_boundary.in_words():
            preview(job.partial)


@once
def _why_silent() -> str:
    """Say what a worker process does before its first report."""
    if is_compiled():
        return "A worker process is starting and loads its solvers."
    return "Solvers are compiled when first used on a computer. This can take a minute, once."


def _cancel(job: Job) -> None:
    RUNNER.leave(job, cache.session_name())
    # Its partial result takes a moment. There is none if another session still waits.
    if not job.watchers:
        job.finished.wait(STOP_SECONDS)
    stopped: dict[Hashable, Job] = st.session_state.setdefault(_STOPPED, {})
    stopped[job.key] = job
    while len(stopped) > _STOPPED_KEPT:
        del stopped[next(iter(stopped))]


def _show_stopped(key: Hashable, job: Job, partial: bool) -> Any:
    kept = partial and job.partial is not None
    words = "The partial result is shown." if kept else "Your data and settings are kept."
    with st.container(border=True):
        st.markdown(f":material/stop_circle: **{job.title}: stopped at {job.done:.0%}.** {words}")
        st.button(
            "Run again", key="rerun_job", icon=":material/refresh:", on_click=_again, args=(key,)
        )
    if not kept:
        stop_page()
    return job.partial


def _again(key: Hashable) -> None:
    st.session_state.get(_STOPPED, {}).pop(key, None)


def words(job: Job) -> str:
    """Describe the progress of a job."""
    if job.state == "waiting":
        ahead = RUNNER.ahead_of(job)
        others = "1 other computation comes" if ahead == 1 else f"{ahead} other computations come"
        return f"{job.title}: {others} first on this server." if ahead else f"{job.title} …"
    time = f"{job.elapsed:.0f} s so far"
    if job.seconds_left is not None:
        time = time_left(job.seconds_left)
    return f"{job.title} … {', '.join(part for part in (job.text, time) if part)}"


def time_left(seconds: float) -> str:
    """Format a remaining-time estimate, coarsely."""
    if seconds < 1:
        return "nearly done"
    if seconds < 60:
        return f"about {seconds:.0f} s left"
    return f"about {seconds / 60:.0f} min left"


def _page() -> str:
    context = get_script_run_ctx()
    return "" if context is None else context.page_script_hash


def is_connected() -> Callable[[], bool]:
    """Return a thread-safe check whether the browser of this session is connected."""
    context = get_script_run_ctx()
    if context is None or not runtime.exists():
        return lambda: True
    session, server = context.session_id, runtime.get_instance()
    return lambda: server.is_active_session(session)
