"""Long work as a page shows it."""

import time

import pytest
from streamlit.testing.v1 import AppTest

from nestviz.ui.results import cache, jobs
from nestviz.ui.session.own_data import DATA_KEY, MINE

LONG = 600.0


def page():
    import job_samples
    import streamlit as st

    from nestviz.ui import error_boundary
    from nestviz.ui.results import jobs

    def show(partial):
        st.text(f"so far: {partial}")
        if asked["preview"] == "fails":
            raise ValueError(f"no picture of {partial}")

    asked = st.session_state["asked"]
    with error_boundary.in_words():
        result = jobs.run(
            asked["key"],
            getattr(job_samples, asked["work"]),
            *asked["arguments"],
            title="Counting",
            partial=asked.get("partial", False),
            preview=show if "preview" in asked else None,
        )
        st.text(f"result: {result}")
    jobs.end_of_page()


@pytest.fixture(autouse=True)
def nothing_kept():
    cache.STORE.clear()
    yield
    for job in jobs.RUNNER.jobs:
        for name in list(job.watchers):
            jobs.RUNNER.leave(job, name)
        assert job.finished.wait(LONG)
        jobs.RUNNER.forget(job)


@pytest.fixture
def waits(monkeypatch):
    """The page waits for the result instead of showing a bar."""
    monkeypatch.setattr(jobs, "INLINE_SECONDS", LONG)


@pytest.fixture
def bar_at_once(monkeypatch):
    monkeypatch.setattr(jobs, "INLINE_SECONDS", 0.0)


def visit(work, *arguments, key="k", data=None, **options):
    app = AppTest.from_function(page, default_timeout=LONG)
    app.session_state["asked"] = {"key": key, "work": work, "arguments": arguments, **options}
    if data is not None:
        app.session_state[DATA_KEY] = data
    app.run()
    assert not app.exception
    return app


def wait_for(condition):
    deadline = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def running():
    return [job for job in jobs.RUNNER.jobs if job.state == "running"]


def shown(app):
    return [element.value for element in app.text]


def names(app):
    return {button.key for button in app.button}


def bar(app):
    return app.get("progress")[0].proto.text


def test_a_quick_result_is_there_at_once(waits):
    app = visit("add", 2, 3)
    assert shown(app) == ["result: 5"]
    assert not app.button


def test_a_result_is_kept(waits, monkeypatch):
    visit("add", 2, 3)
    monkeypatch.setattr(jobs.RUNNER, "submit", None)  # nothing may be started
    assert shown(visit("add", 2, 3)) == ["result: 5"]


def test_a_bar_with_progress_and_cancel(bar_at_once, tmp_path):
    flag = tmp_path / "flag"
    app = visit("until_told", str(flag))
    assert names(app) == {"cancel_job"}
    assert not shown(app)
    wait_for(lambda: running() and running()[0].text)
    app.run()
    assert bar(app).startswith("Counting … step")
    app.button(key="cancel_job").click().run()
    assert "stopped at" in app.markdown[0].value
    assert names(app) == {"rerun_job"}
    assert not running()


def test_what_was_found_is_shown_where_it_can_be(bar_at_once, tmp_path):
    flag = tmp_path / "flag"
    app = visit("until_told", str(flag), partial=True)
    wait_for(flag.exists)
    app.button(key="cancel_job").click().run()
    assert shown(app) == ["result: as far as it came"]
    assert "The partial result is shown." in app.markdown[0].value
    app.button(key="rerun_job").click().run()
    assert names(app) == {"cancel_job"}
    wait_for(running)


def test_cancelling_deaf_work_keeps_what_it_told(bar_at_once, tmp_path):
    flag = tmp_path / "flag"
    app = visit("deaf", str(flag), partial=True)
    wait_for(flag.exists)
    app.button(key="cancel_job").click().run()
    assert shown(app) == ["result: early days"]


def test_a_partial_result_is_drawn_while_the_work_runs(bar_at_once, tmp_path):
    app = visit("step_by_step", str(tmp_path), partial=True, preview="shows")
    assert not shown(app)
    for step in (1, 2):
        (tmp_path / f"go {step}").touch()
        wait_for(lambda step=step: running() and running()[0].partial == step)
        app.run()
        assert shown(app) == [f"so far: {step}"]
        assert names(app) == {"cancel_job"}
    (tmp_path / "go 3").touch()
    wait_for(lambda: all(job.finished.is_set() for job in jobs.RUNNER.jobs))
    app.run()
    assert shown(app) == ["result: 3"]


def test_a_preview_that_fails_leaves_the_bar_and_ends_in_words(bar_at_once, tmp_path, caplog):
    app = visit("step_by_step", str(tmp_path), partial=True, preview="fails")
    (tmp_path / "go 1").touch()
    wait_for(lambda: running() and running()[0].partial == 1)
    app.run()
    assert not app.exception
    assert "fault" in app.error[0].value
    assert names(app) == {"cancel_job"}
    assert "no picture of 1" in caplog.text


def test_the_bar_goes_when_the_work_is_done(bar_at_once):
    app = visit("add", 1, 1)
    wait_for(lambda: all(job.finished.is_set() for job in jobs.RUNNER.jobs))
    app.run()
    assert shown(app) == ["result: 2"]


def test_asking_for_something_else_stops_the_first(bar_at_once, tmp_path):
    flag = tmp_path / "flag"
    app = visit("until_told", str(flag))
    wait_for(flag.exists)
    first = running()[0]
    app.session_state["asked"] = {"key": 2, "work": "add", "arguments": (1, 2)}
    app.run()
    assert first.finished.wait(LONG)
    assert first.state == "stopped"


def test_a_page_that_is_whole_again_stops_what_it_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(jobs, "INLINE_SECONDS", LONG)
    done = {"key": "quick", "work": "add", "arguments": (1, 2)}
    visit("add", 1, 2, key="quick")
    monkeypatch.setattr(jobs, "INLINE_SECONDS", 0.0)
    flag = tmp_path / "flag"
    app = visit("until_told", str(flag))
    wait_for(flag.exists)
    first = running()[0]
    app.session_state["asked"] = done
    app.run()
    assert shown(app) == ["result: 3"]
    assert first.finished.wait(LONG)
    assert first.state == "stopped"


def test_faults_of_the_data_are_sentences(waits):
    app = visit("refuse")
    assert [error.value for error in app.error] == ["There is no such thing. Choose another."]


def test_other_faults_have_an_id_and_the_log_has_the_rest(waits, caplog):
    app = visit("break_down")
    assert "fault" in app.error[0].value
    assert "a detail for the log" not in app.error[0].value
    assert "a detail for the log" in caplog.text
    assert "job_samples" in caplog.text


def test_a_process_that_died_is_told_in_words(waits):
    assert "ended by the system" in visit("die").error[0].value


def test_a_result_too_large_is_told_in_words(waits, monkeypatch):
    monkeypatch.setattr(cache.STORE, "max_entry_bytes", 1000)
    assert "larger than the app can keep" in visit("add", "x" * 2000, "y").error[0].value


def test_samples_are_shared_and_own_data_are_not(waits):
    """The same key, the same content: and yet each user's own data are worked on anew."""
    shared = [shown(visit("where", data="banana"))[0] for _ in range(2)]
    assert shared[0] == shared[1]
    assert len(cache.STORE) == 1
    sessions = [visit("where", data=MINE) for _ in range(2)]
    assert len(sessions) == 2
    assert len(cache.STORE) == 3
    owners = cache.STORE.owners
    assert len(owners) == 3
    assert None in owners


def test_results_from_own_data_go_with_their_session(waits):
    app = visit("add", 1, 2, data=MINE)
    assert len(cache.STORE) == 1
    name = app.session_state["session_name"]
    del app.session_state["session_name"]
    owner = name.text
    del name
    assert cache.STORE.get(owner, ("job_samples.add", "k")) is None


def kept_page():
    import streamlit as st

    from nestviz.ui.results.cache import kept

    @kept()
    def secret(fingerprint, _data):
        return _data

    st.text(secret("fingerprint", st.session_state["points"]))


def test_two_users_with_the_same_content_see_their_own(waits):
    """Even where a fingerprint is the same, what is kept is each user's own."""
    for points in ("hers", "his"):
        app = AppTest.from_function(kept_page)
        app.session_state[DATA_KEY] = MINE
        app.session_state["points"] = points
        assert shown(app.run()) == [points]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "nearly done"), (12.3, "about 12 s left"), (185.0, "about 3 min left")],
)
def test_time_left_in_words(seconds, words):
    assert jobs.time_left(seconds) == words
