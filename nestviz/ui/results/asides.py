"""Long work beside a page: the page is complete without it, and shows it when it is there.

    found = asides.run("certificate", key, all_rows.certify, *arguments, title="Certifying")
    if found.done: show(found.value)
    else: asides.follow(found, draw)

``run`` returns at once. ``follow`` draws the progress in a fragment of the page, which runs the
page again when the work has ended. A session has one piece of work of each name: another key ends
the work before it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from nestviz.ui.results import admission, cache, jobs
from nestviz.ui.results.worker.job import Job

WAIT_SECONDS = 0.05
"""Time for work that is nearly done."""
_STOPPED = "asides:stopped"
_MISSING = object()


@dataclass(frozen=True, eq=False)
class Aside:
    """Work beside the page: its value, or the job that computes it, or neither if cancelled."""

    name: str
    key: Hashable
    value: Any = None
    job: Job | None = None
    done: bool = False

    @property
    def cancelled(self) -> bool:
        """Whether the user has cancelled it."""
        return not self.done and self.job is None


def run(
    name: str, key: tuple[Hashable, ...], work: Callable[..., Any], *arguments: Any, title: str
) -> Aside:
    """Return the result of work, or the job that computes it; parameters as in `jobs.run`."""
    full, owner = jobs.full_key(work, key), cache.owner()
    st.session_state.setdefault(jobs.ASIDES_USED, set()).add(name)
    found = cache.STORE.get(owner, full, _MISSING)
    if found is not _MISSING:
        jobs.leave_aside(name)
        return Aside(name, full, found, done=True)
    if st.session_state.get(_STOPPED, {}).get(name) == full:
        return Aside(name, full)
    job = jobs.RUNNER.submit(
        full,
        work,
        arguments,
        title=title,
        watcher=jobs.watcher_of(name),
        owner=owner,
        alive=jobs.is_connected(),
    )
    known: dict[str, Job] = st.session_state.setdefault(jobs.ASIDES, {})
    if name in known and known[name] is not job:
        jobs.leave_aside(name)
    known[name] = job
    with admission.aside():
        finished = job.finished.wait(WAIT_SECONDS)
    if finished:
        known.pop(name, None)
        return Aside(name, full, jobs.outcome(job), done=True)
    return Aside(name, full, job=job)


def follow(aside: Aside, draw: Callable[[Job], None]) -> None:
    """Show the progress of work by ``draw(job)``; the page runs again when the work has ended."""
    assert aside.job is not None
    _followed(aside.name, aside.job, draw)


@st.fragment(run_every=jobs.POLL_SECONDS)
def _followed(name: str, job: Job, draw: Callable[[Job], None]) -> None:
    jobs.RUNNER.touch(job, jobs.watcher_of(name))
    if job.finished.is_set():
        st.rerun()
    draw(job)


def cancel(aside: Aside) -> None:
    """End work that the user no longer wants; for callbacks."""
    jobs.leave_aside(aside.name)
    st.session_state.setdefault(_STOPPED, {})[aside.name] = aside.key


def again(aside: Aside) -> None:
    """Start cancelled work again with the next run; for callbacks."""
    st.session_state.get(_STOPPED, {}).pop(aside.name, None)
