"""Answers, refusals and limits of the route that the player asks."""

import asyncio
import threading

import pytest
from event_loops import run_in_loop
from live_client import HEADERS, Server, asking

from nestviz.data import DataError
from nestviz.ui.live.registry import AT_ONCE, BURST, RATE

LONG = 600.0


@pytest.fixture
def server():
    made = Server()
    made.registry.put("ticket", "one_class", lambda question: repr(question.knobs).encode())
    return made


def test_an_answer_is_the_bytes_of_the_build(server):
    status, headers, body = server.ask(asking(knobs={"sigma": 0.5, "lam": 2}))
    assert (status, body) == (200, b"{'sigma': 0.5, 'lam': 2.0}")
    assert headers["content-type"] == "application/octet-stream"
    assert headers["cache-control"] == "no-store"
    assert headers["content-encoding"] == "identity", "else Streamlit compresses it, slowly"
    assert not any(name.startswith("access-control") for name in headers)


def test_edited_points_arrive_as_arrays(server):
    seen = []
    server.registry.put("ticket", "one_class", lambda question: seen.append(question) or b"")
    server.ask(asking(points=[[0, 1.5], [2, 3]], classes=[1, -1]))
    server.ask(asking(points=[], classes=[]))
    (question, empty) = seen
    assert question.points.tolist() == [[0.0, 1.5], [2.0, 3.0]]
    assert question.classes.tolist() == [1, -1]
    assert empty.points.shape == (0, 2)


def test_the_newest_build_of_a_player_counts(server):
    server.registry.put("ticket", "one_class", lambda question: b"newer")
    assert server.ask(asking())[2] == b"newer"


@pytest.mark.parametrize("path", ["/nestviz/live", "/base/nestviz/live", "/a/b/nestviz/live"])
def test_the_route_is_below_any_base_path(server, path):
    assert server.ask(asking(), path=path)[0] == 200


def test_only_posts_are_answered(server):
    assert server.ask(asking(), method="GET")[0] == 405


def test_an_unknown_token_and_an_unknown_player_look_the_same(server):
    server.registry.put("other ticket", "two_classes", lambda question: b"theirs")
    answers = [
        server.ask(question)
        for question in (
            asking(token="wrong"),
            asking(token="\ud800"),
            asking(player="no_such"),
            asking(player="two_classes"),
            asking(token="other ticket"),
        )
    ]
    assert [answer[0] for answer in answers] == [404] * 5
    assert len({answer[2] for answer in answers}) == 1
    assert b"Reload the page" in answers[0][2]


@pytest.mark.parametrize("origin", ["http://elsewhere", "null", "http://here:8501.elsewhere", ""])
def test_other_sites_may_not_ask(server, origin):
    status, headers, body = server.ask(asking(), headers=HEADERS | {"origin": origin})
    assert (status, body) == (403, b"Only the pages of this server may ask.")
    assert not any(name.startswith("access-control") for name in headers)


def test_programs_without_an_origin_may_ask(server):
    assert server.ask(asking(), headers={"host": "here:8501"})[0] == 200


def test_an_error_in_the_data_is_said(server):
    def build(question):
        raise DataError("There is one point only.", hint="Add another.")

    server.registry.put("ticket", "one_class", build)
    assert server.ask(asking())[::2] == (422, b"There is one point only. Add another.")


def test_a_fault_has_a_number_and_shows_nothing_else(server, caplog):
    def build(question):
        raise RuntimeError("secret detail")

    server.registry.put("ticket", "one_class", build)
    status, _, body = server.ask(asking())
    assert status == 500
    assert b"secret" not in body
    assert caplog.records[0].getMessage().split()[1] in body.decode()


def test_a_large_body_is_not_read_to_its_end(server):
    async def run():
        call = server.post(b" " * 300_000)
        answer = await call.done
        return answer, call.messages.qsize()

    (status, _, body), unread = run_in_loop(run())
    assert (status, body) == (413, b"The question is larger than 256 kB.")
    assert unread


def test_questions_above_the_rate_are_refused_for_a_while():
    now = [0.0]
    server = Server(clock=lambda: now[0])
    server.registry.put("ticket", "one_class", lambda question: b"")
    server.registry.put("other", "one_class", lambda question: b"")
    assert {server.ask(asking())[0] for _ in range(int(BURST))} == {200}
    assert server.ask(asking())[::2] == (
        429,
        b"This session asks more than 40 questions a second.",
    )
    assert server.ask(asking(token="other"))[0] == 200
    now[0] += 1.5 / RATE
    assert [server.ask(asking())[0] for _ in range(2)] == [200, 429]


class Gate:
    """A build that says when it has begun, and ends when it is let go or no longer needed."""

    def __init__(self):
        self.begun, self.go, self.stopped = (threading.Event() for _ in range(3))

    def __call__(self, question):
        self.begun.set()
        while not self.go.wait(0.01):
            if question.stopped():
                self.stopped.set()
                return b""
        return b"done"


async def until(event):
    """Wait for an event of a thread without keeping the event loop busy."""
    assert await asyncio.to_thread(event.wait, LONG)


def test_closing_the_request_stops_its_build(server):
    gate = Gate()
    server.registry.put("ticket", "one_class", gate)

    async def run():
        call = server.post(asking())
        await until(gate.begun)
        call.close()
        status, _, _ = await call.done
        await until(gate.stopped)
        return status

    assert run_in_loop(run()) == 499


def test_a_server_that_ends_stops_its_builds(server):
    gate = Gate()
    server.registry.put("ticket", "one_class", gate)

    async def run():
        call = server.post(asking())
        await until(gate.begun)
        server.answers.stop()
        await call.done

    run_in_loop(run())
    assert gate.stopped.is_set()


def test_a_closed_request_that_waits_for_its_turn_never_begins():
    server, gate, other = Server(threads=1), Gate(), Gate()
    server.registry.put("ticket", "slow", gate)
    server.registry.put("ticket", "one_class", other)
    server.registry.put("ticket", "last", lambda question: b"last")

    async def run():
        slow = server.post(asking(player="slow"))
        await until(gate.begun)
        waiting = server.post(asking())
        await asyncio.sleep(0)
        waiting.close()
        status, _, _ = await waiting.done
        gate.go.set()
        await slow.done
        last = await server.post(asking(player="last")).done
        return status, last[2]

    assert run_in_loop(run()) == (499, b"last")
    assert not other.begun.is_set()


def test_a_third_question_at_once_is_refused():
    server = Server(threads=4)
    gates = [Gate() for _ in range(AT_ONCE)]
    for number, gate in enumerate(gates):
        server.registry.put("ticket", f"player {number}", gate)

    async def run():
        calls = [server.post(asking(player=f"player {number}")) for number in range(AT_ONCE)]
        for gate in gates:
            await until(gate.begun)
        third = await server.post(asking(player="player 0")).done
        calls[0].close()
        await calls[0].done
        gates[0].go.set()
        # A withdrawn question no longer counts, even before its build has noticed.
        fourth = await server.post(asking(player="player 0")).done
        gates[1].go.set()
        return third, fourth, await calls[1].done

    third, fourth, second = run_in_loop(run())
    assert third[::2] == (429, b"This session has 2 open questions already.")
    assert (fourth[0], second[0]) == (200, 200)


def test_sessions_take_turns():
    """With one turn at a time, the second session waits for one build of the first, not for two."""
    server, gate, order = Server(threads=1), Gate(), []
    server.registry.put("greedy", "first", gate)
    server.registry.put("greedy", "second", lambda question: order.append("greedy") or b"")
    server.registry.put("fast", "second", lambda question: order.append("fast") or b"")
    server.registry.put("modest", "only", lambda question: order.append("modest") or b"")

    async def run():
        calls = [server.post(asking("greedy", "first"))]
        await until(gate.begun)
        for token, player in [("fast", "second"), ("fast", "second"), ("modest", "only")]:
            calls.append(server.post(asking(token, player)))
            for _ in range(100):  # more steps than it takes to wait for its turn
                await asyncio.sleep(0)
        gate.go.set()
        return [(await call.done)[0] for call in calls]

    assert run_in_loop(run()) == [200] * 4
    assert order == ["fast", "modest", "fast"]
