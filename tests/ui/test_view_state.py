"""The record of what a page shows: one way into the address, one way out, and no way to fail."""

from dataclasses import FrozenInstanceError, fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nestviz.ui.session.selection import listed_number
from nestviz.ui.session.view_rules import (
    Layers,
    Location,
    Number,
    Numbers,
    Span,
    Switch,
    Word,
    Words,
)
from nestviz.ui.session.view_state import (
    LONGEST,
    MOST_WORDS,
    RULES,
    View,
    decode,
    encode,
    read_address,
)

LETTERS = "abN 0.1-+&=?%·λ−\n"
SHORT = st.text(LETTERS, min_size=1, max_size=20)
KEYS = [
    "data", "seed", "standardise", "most", "rows", "centres", "show", "against", "from", "kind",
    "width",
    "levels", "depth", "grid", "shares", "gammas", "sigmas", "masses", "score", "colour",
    "over", "loglam", "nu", "eta", "left", "right", "left2", "right2", "method", "methods",
    "methods2", "problem", "kind_path", "frame", "view", "probe", "at", "point", "heldout",
    "hdbscan", "choose", "choose_for", "choose_grid",
    "heights", "clusters", "prune", "cut", "contamination", "new_x",
    "filter", "filter_is", "filter_low", "filter_high", "new_y", "sets", "widths",
    "folds", "box", "look", "detail", "resamples", "areas", "learn", "alternative", "task",
    "aim", "alpha", "delta", "search",
    "smoothing", "rare", "shift", "cells", "aside", "rates", "at_sigma", "at_plus", "at_minus",
    "beta", "of", "bound", "machine", "rho",
    "qmethods", "qcount", "qrange", "held", "split", "qframes", "bars",
    "calibrated", "calibrate", "promise", "discover", "fdr", "ordinary",
    "labelsets", "risk",
    "variant", "vkernel", "others", "marks", "radius", "smallest", "line", "few", "leave", "draw",
    "resampling", "sure", "stable", "support", "chapter", "step", "table", "quantity", "only", "v",
]  # fmt: skip


def values(rule):
    """Values that a rule can write."""
    if isinstance(rule, Number):
        if rule.whole:
            return st.integers(int(rule.low), int(rule.high))
        return (
            st.floats(rule.low, rule.high)
            .map(lambda x: float(f"{x:.9g}"))
            .filter(lambda x: rule.low <= x <= rule.high)
        )
    if isinstance(rule, Numbers):
        one = st.floats(rule.low, rule.high).map(lambda x: float(f"{x:.4g}"))
        one = one.filter(lambda x: rule.low <= x <= rule.high)
        several = st.lists(one, min_size=rule.least, max_size=rule.most, unique=True)
        return several.map(lambda found: tuple(sorted(found)))
    if isinstance(rule, Span):
        return st.tuples(*[st.integers(rule.low, rule.high)] * 2).map(lambda p: tuple(sorted(p)))
    if isinstance(rule, Switch):
        return st.booleans()
    if isinstance(rule, Words):
        return st.lists(SHORT, unique=True, max_size=5).map(tuple)
    if isinstance(rule, Location):
        return st.tuples(*[st.floats(-1e6, 1e6).map(lambda x: float(f"{x:.6g}"))] * 2)
    if isinstance(rule, Layers):
        return st.sampled_from([(), ("outline",), ("levels", "outline", "sizes")])
    assert isinstance(rule, Word)
    return st.sampled_from(rule.choices) if rule.choices else SHORT


@st.composite
def views(draw):
    keys = draw(st.lists(st.sampled_from(sorted(RULES)), unique=True, max_size=12))
    return View().with_values({key: draw(values(RULES[key])) for key in keys})


def test_the_keys_of_links_are_all_there():
    assert {key for key in RULES if "." not in key} == set(KEYS)
    assert {"ring.n", "banana.noise"} <= set(RULES)


@given(views())
def test_what_is_written_is_read_again(view):
    assert decode(encode(view)) == view


@given(views(), views())
def test_what_an_address_does_not_name_keeps_its_value(before, asked):
    found = decode(encode(asked), before)
    for key in RULES:
        assert found[key] == (before[key] if asked[key] is None else asked[key])


@given(
    st.dictionaries(
        st.sampled_from(sorted(RULES)) | st.text(LETTERS, max_size=8),
        st.lists(
            st.text(LETTERS, max_size=30)
            | st.sampled_from(["nan", "inf", "-1", "1e999", "9" * 300, "true", ""]),
            max_size=4,
        ),
        max_size=8,
    )
)
def test_any_address_is_read(parameters):
    found = decode(parameters)
    assert decode(encode(found)) == found


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("width", "nan"), ("width", "inf"), ("width", "0.0005"), ("width", "31"), ("width", "wide"),
        ("levels", "7.5"), ("levels", "1"), ("data", "nothing"), ("data", ""), ("seed", "-1"),
        ("standardise", "maybe"), ("point", "-3"), ("point", "point 291 · rank 21"),
        ("frame", "last"), ("frame", "-0.5"), ("frame", "nan"), ("view", "everything"),
        ("probe", "1"), ("probe", "1.5"), ("probe", "nan,1"), ("probe", "1,2,3"), ("probe", "here"),
        ("grid", "odd"), ("look", "0"), ("look", "wide"), ("left", "x" * (LONGEST + 1)),
        ("shares", "0"), ("shares", "0.5,x"), ("shares", ",".join(["0.5"] * 50)), ("gammas", "0.5"),
        ("gammas", "0.2,1.5"), ("sigmas", "0.1,0.1,0.1"), ("masses", "nan"),
        ("banana.n", "1e9"), ("new_x", "-inf"), ("qrange", "5"), ("alpha", "0"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_the_default_and_named(key, text):
    assert decode({key: [text]}) == View()
    assert read_address({key: [text]}).unusable == (key,)
    before = View(width=0.4, seed=3)
    assert decode({key: [text]}, before) == before.with_values({key: None})


def test_too_many_values_are_not_read():
    assert decode({"methods": ["Parzen"] * (MOST_WORDS + 1)}) == View()


def test_values_have_the_type_of_their_control():
    found = decode({"banana.n": ["250"], "seed": ["3"], "width": ["1"], "qrange": ["90", "10"]})
    assert found.options == (("banana.n", 250),)
    assert isinstance(found["banana.n"], int)
    assert isinstance(found.seed, int)
    assert isinstance(found.width, float)
    assert found.qrange == (10, 90)


@pytest.mark.parametrize(("text", "frame"), [("12", 12.0), ("12.25", 12.25), ("0", 0.0)])
def test_a_level_between_two_stops_is_in_the_link(text, frame):
    found = decode({"frame": [text]})
    assert found.frame == frame
    assert encode(found) == {"frame": [text]}


def test_the_pinned_location_is_in_the_link():
    view = View(probe=(0.5, -1.25))
    assert decode(encode(view)) == view
    assert list(encode(view)) == ["probe"]


def test_only_the_keys_of_the_page_are_written():
    view = View(width=0.4, data="ring", alpha=0.2).with_values({"ring.n": 60})
    keys = ["data", "ring.n", "width", "seed"]
    assert encode(view, keys) == {"data": ["ring"], "ring.n": ["60"], "width": ["0.4"]}


def test_the_record_does_not_change():
    with pytest.raises(FrozenInstanceError):
        View().width = 0.3
    assert all(f.default is not None or f.name != "options" for f in fields(View))


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (7, 7), ("7", 7), ("291 · rank 21", 291), ("point 291 · rank 21", 291), (-1, None),
        ("none", None), ("", None), (None, None), (float("nan"), None), (float("inf"), None),
        ("−1", None), ("-1", None), ([1], None), ("9" * 40, None), (True, 1),
    ],
)  # fmt: skip
def test_any_entry_of_a_list_is_a_number_or_nothing(value, number):
    assert listed_number(value) == number
