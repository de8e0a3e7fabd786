"""Long work on a page: a bar, the time left, and a Cancel that cancels.

    choice = jobs.run(key, tasks.search, X, title="Searching the width")

runs ``tasks.search(X, report)`` in a worker process. Until there is a result the page ends here and
shows how far the work has come; only that small part of the page is run again meanwhile. The
function must be in a module that does not import Streamlit (`nestviz.ui.compute.tasks`, say) and
calls ``report(done, text, partial=None)`` from time to time, with ``done`` from 0 to 1; where that
returns True it should return what it has.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial as bound
from typing import Any, TypeVar

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from nestviz.data import DataError
from nestviz.ui.compute.tasks import never_stop
from nestviz.ui.results import cache
from nestviz.ui.results.lru import TooLargeError
from nestviz.ui.results.worker.job import Job
from nestviz.ui.results.worker.runner import Runner
from nestviz.ui.session.view import stop_page

Result = TypeVar("Result")

SILENT_SECONDS = 3.0
"""Without any progress for so long, the page says what may be the reason."""
POLL_SECONDS = 0.4
AT_ONCE_SECONDS = 0.5
"""Work that takes no longer than this shows no bar."""
STOP_SECONDS = 1.0
_WAITING, _STOPPED = "jobs_waiting", "jobs_stopped"
_STOPPED_KEPT = 8
_MISSING = object()

RUNNER = Runner(cache.STORE)
"""All long work of this server; its processes start with the first job."""


class WorkerError(RuntimeError):
    """A fault in a worker process, with its traceback for the log."""


def run(
    key: tuple[Hashable, ...],
    work: Callable[..., Result],
    *arguments: Any,
    title: str,
    own: bool | None = None,
    partial: bool = False,
    long: bool = True,
    spinner: str = "Solving …",
) -> Result:
    """The result of long work; the page ends here until there is one.

    Parameters
    ----------
    key : tuple
        Everything the result depends on: the data and the settings.
    work : callable
        Called as ``work(*arguments, report)`` in a worker process.
    title : str
        What is being done, such as "Searching the width".
    own : bool, optional
        Whether the result is this session's alone; by default it is while the user's own data are
        in use. Otherwise sessions share results, and a job they wait for together.
    partial : bool
        After Cancel, return what the work had by then, if it had anything, instead of ending the
        page: for results that can say themselves that they are not complete.
    long : bool
        Whether it is work for a worker process; what is not long is done here and now, behind
        the spinner.
    """
    full = (f"{work.__module__}.{work.__qualname__}", *cache.plain(key))
    owner = cache.owner(own)
    found = cache.STORE.get(owner, full, _MISSING)
    if found is not _MISSING:
        return found
    if not long:
        with st.spinner(spinner):
            return cache.STORE.get_or_make(owner, full, bound(work, *arguments, never_stop))
    stopped: dict[Hashable, Job] = st.session_state.setdefault(_STOPPED, {})
    if full in stopped:
        return _show_stopped(full, stopped[full], partial)
    job = _job(full, work, arguments, title, owner)
    if not job.finished.wait(AT_ONCE_SECONDS):
        _bar(job)
        stop_page()
    return _outcome(job)


def end_of_page() -> None:
    """Stop what this page had been waiting for: it was shown whole, and waits no longer."""
    waiting: tuple[Job, str] | None = st.session_state.get(_WAITING)
    if waiting is not None and waiting[1] == _page():
        RUNNER.leave(waiting[0], cache.session_name())
        del st.session_state[_WAITING]


def _job(
    key: Hashable,
    work: Callable[..., Any],
    arguments: tuple[Any, ...],
    title: str,
    owner: str | None,
) -> Job:
    """The job of a key. A session waits for one at a time: asking for another leaves the last."""
    name = cache.session_name()
    waiting: tuple[Job, str] | None = st.session_state.get(_WAITING)
    job = RUNNER.submit(
        key, work, arguments, title=title, watcher=name, owner=owner, alive=_is_connected()
    )
    if waiting is not None and waiting[0] is not job:
        RUNNER.leave(waiting[0], name)
    st.session_state[_WAITING] = job, _page()
    return job


def _outcome(job: Job) -> Any:
    """The result of a finished job, or its fault."""
    RUNNER.forget(job)
    st.session_state.pop(_WAITING, None)
    if job.state == "done":
        return job.result
    if job.state == "stopped":
        st.rerun()
    if job.state == "died":
        raise DataError(
            "The computation was ended by the system, most likely because memory ran short.",
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
def _bar(job: Job) -> None:
    """How far a job has come; run again by itself until the job has ended."""
    RUNNER.touch(job, cache.session_name())
    if job.finished.is_set():
        st.rerun()
    with st.container(border=True):
        st.progress(job.done, text=_words(job))
        if job.state == "running" and not job.done and job.elapsed > SILENT_SECONDS:
            st.caption(
                "Solvers are compiled when first used on a computer. That can take a minute, once."
            )
        if st.button(
            "Cancel",
            key="cancel_job",
            icon=":material/stop_circle:",
            help="Stops the computation within a second; what it has found so far is kept.",
        ):
            _cancel(job)
            st.rerun()


def _cancel(job: Job) -> None:
    RUNNER.leave(job, cache.session_name())
    # Its last words take a moment; another session may want the rest, and then there are none.
    if not job.watchers:
        job.finished.wait(STOP_SECONDS)
    stopped: dict[Hashable, Job] = st.session_state.setdefault(_STOPPED, {})
    stopped[job.key] = job
    while len(stopped) > _STOPPED_KEPT:
        del stopped[next(iter(stopped))]


def _show_stopped(key: Hashable, job: Job, partial: bool) -> Any:
    kept = partial and job.partial is not None
    words = "What was found until then is shown." if kept else "Your data and settings are kept."
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


def _words(job: Job) -> str:
    if job.state == "waiting":
        ahead = RUNNER.ahead_of(job)
        others = "1 other computation comes" if ahead == 1 else f"{ahead} other computations come"
        return f"{job.title}: {others} first on this server." if ahead else f"{job.title} …"
    time = f"{job.elapsed:.0f} s so far"
    if job.seconds_left is not None:
        time = time_left(job.seconds_left)
    return f"{job.title} … {', '.join(part for part in (job.text, time) if part)}"


def time_left(seconds: float) -> str:
    """In words, no finer than anybody can know."""
    if seconds < 1:
        return "nearly done"
    if seconds < 60:
        return f"about {seconds:.0f} s left"
    return f"about {seconds / 60:.0f} min left"


def _page() -> str:
    context = get_script_run_ctx()
    return "" if context is None else context.page_script_hash


def _is_connected() -> Callable[[], bool]:
    """A question that can be asked from any thread: is this session's browser still there?"""
    context = get_script_run_ctx()
    if context is None or not runtime.exists():
        return lambda: True
    session, server = context.session_id, runtime.get_instance()
    return lambda: server.is_active_session(session)
