"""One selection per session, that belongs to its data."""

import numpy as np
import pytest
import streamlit as st

from nestviz.data import Dataset
from nestviz.ui.session import selection, view, view_state


@pytest.fixture(autouse=True)
def session(monkeypatch):
    state: dict[str, object] = {}
    monkeypatch.setattr(st, "session_state", state)
    return state


def points(seed: int, n: int = 5) -> Dataset:
    return Dataset(np.random.default_rng(seed).normal(size=(n, 2)), name="points")


def test_points_are_kept_in_order_and_once():
    data = points(0)
    assert selection.selection(data).point is None
    selection.select(data, [3, 1, 3], branch=2)
    found = selection.selection(data)
    assert found.points == (3, 1)
    assert found.point == 3
    assert found.branch == 2


def test_rows_that_do_not_exist_are_not_selected():
    data = points(0)
    selection.select(data, [-1, 4, 5])
    assert selection.selection(data).points == (4,)


def test_other_data_have_nothing_selected_and_the_choice_comes_back():
    data, other = points(0), points(1)
    selection.select(data, [2])
    assert selection.selection(other).points == ()
    assert selection.selection(data).points == (2,)
    selection.clear(data)
    assert selection.selection(data).points == ()


def test_levels_are_shares_kept_for_each_kind():
    assert selection.level_share("one class") is None
    selection.keep_level_share("one class", 1.7)
    selection.keep_level_share("two classes", 0.25)
    assert selection.level_share("one class") == 1.0
    assert selection.level_share("two classes") == 0.25


def test_the_point_of_a_link_belongs_to_the_data_it_was_opened_with():
    view.change(selection=view_state.Selection(points=(3,)))
    data, other = points(0), points(1)
    assert selection.selection(data).points == ()
    selection.belongs_to(data)
    assert selection.selection(data).points == (3,)
    selection.belongs_to(other)
    assert selection.selection(other).points == ()


def test_stale_entries_and_nonsense_are_not_selected():
    data = points(0)
    selection.select(data, ["point 3 · rank 21", "none", None, float("nan"), "99", 1.0])
    assert selection.selection(data).points == (3, 1)
