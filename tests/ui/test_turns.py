"""Turns: how many at once, in which order, and what happens to those who leave."""

import threading

import pytest

from nestviz.ui.results.turns import Turns


def served(turns, *tickets):
    """Return the sessions in the order in which they get a single turn that is free again."""
    order, left = [], list(tickets)
    while left:
        now = next(ticket for ticket in left if ticket.has_turn)
        order.append(now.session)
        left.remove(now)
        now.leave()
    return order


def test_no_more_than_the_count_at_once():
    turns = Turns(2)
    tickets = [turns.join(name) for name in "abcd"]
    assert [ticket.has_turn for ticket in tickets] == [True, True, False, False]
    assert (turns.taken, len(turns)) == (2, 2)
    tickets[0].leave()
    assert tickets[2].has_turn
    assert not tickets[3].has_turn


def test_ten_requests_of_one_session_delay_another_by_one_turn():
    turns = Turns(1)
    tickets = [turns.join("greedy") for _ in range(10)]
    tickets += [turns.join("modest"), turns.join("late")]
    assert served(turns, *tickets)[:5] == ["greedy", "greedy", "modest", "late", "greedy"]


@pytest.mark.parametrize("greedy", [1, 3, 25])
def test_every_session_gets_a_turn_in_each_round(greedy):
    turns = Turns(1)
    running = turns.join("running")
    tickets = [turns.join(name) for name in "abc" for _ in range(greedy)]
    running.leave()
    order = served(turns, *tickets)
    for start in range(0, len(order), 3):
        assert sorted(order[start : start + 3]) == ["a", "b", "c"]


def test_a_ticket_says_how_many_come_before_it():
    turns = Turns(1)
    running = turns.join("running")
    tickets = [turns.join(name) for name in "aaabbc"]
    said = [ticket.ahead for ticket in tickets]
    running.leave()
    order = []
    while len(order) < len(tickets):
        now = next(t for t in tickets if t.has_turn and t not in order)
        order.append(now)
        now.leave()
    assert said == [order.index(ticket) for ticket in tickets]
    assert tickets[0].ahead == 0


def test_who_leaves_the_queue_gets_no_turn():
    turns = Turns(1)
    first, second, third = (turns.join(name) for name in "abc")
    second.leave()
    second.leave()
    first.leave()
    assert third.has_turn
    assert not second.has_turn
    third.leave()
    third.leave()
    assert (turns.taken, len(turns)) == (0, 0)
    assert turns.join("d").has_turn


def test_a_turn_that_is_held_for_long_no_longer_counts():
    now = [0.0]
    turns = Turns(1, lapse=0.5, clock=lambda: now[0])
    slow, waiting = turns.join("slow"), turns.join("waiting")
    now[0] = 0.4
    assert not waiting.wait(0)
    now[0] = 0.6
    assert waiting.wait(0)
    slow.leave()
    assert turns.taken == 1
    assert not turns.join("next").has_turn


def test_only_turns_that_nobody_waits_for_are_taken_in_addition():
    turns = Turns(3)
    turns.join("a")
    helpers = turns.take_free("a", 5)
    assert len(helpers) == 2
    assert all(helper.has_turn for helper in helpers)
    assert turns.take_free("b", 1) == []
    waiting = turns.join("b")
    for helper in helpers:
        helper.leave()
    assert waiting.has_turn


def test_threads_never_have_more_turns_than_there_are():
    turns, most, now, lock = Turns(3), [0], [0], threading.Lock()

    def work(name):
        for _ in range(50):
            ticket = turns.join(name)
            while not ticket.wait(0.1):
                pass
            with lock:
                now[0] += 1
                most[0] = max(most[0], now[0])
            with lock:
                now[0] -= 1
            ticket.leave()

    threads = [threading.Thread(target=work, args=(k % 4,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 1 <= most[0] <= 3
    assert (turns.taken, len(turns)) == (0, 0)
