"""Addresses with values that no control writes: each is read as its default, and named."""

import random

import pytest

from nestviz.ui.session.view_rules import Words
from nestviz.ui.session.view_state import LONGEST, RULES, View, decode, encode, read_address

HOSTILE = [
    "", " ", "inf", "-inf", "nan", "1e400", "-1e400", "-1", "0x10", "1_000", "9" * 40, "9" * 400,
    "9" * 5_000, "0" * 199 + "1", "٣", "１２", "\ud800", "a\x00b", "True ", "None", "null", "[]",
    "1,2", "nan,nan", "1e400,1", "1,2,3", ",", ".", "..", "none.", "<script>", "x" * 100_000,
    "1e-400", "1e", "+", "--1", "½", "1.5.2", "¹", "\u202e1", "mine\n", "banana\x7f",
]  # fmt: skip


def is_sound(key, texts):
    """Whether a value may be asked for: then it is written as it was read."""
    found = read_address({key: texts})
    view = found.over(View())
    assert decode(encode(view)) == view
    written = encode(view)
    assert all(len(text) <= LONGEST for text in written.get(key, ()))
    "".join(written.get(key, ())).encode()
    assert found.unusable in ((), (key,))
    assert (view[key] is None) == (found.unusable == (key,))
    return not found.unusable


@pytest.mark.parametrize("key", sorted(RULES))
def test_any_text_is_a_sound_value_or_named(key):
    for text in HOSTILE:
        is_sound(key, [text])
    assert not is_sound(key, [])
    assert not is_sound(key, ["1"] * 100)
    for text in ("\ud800", "a\x00b", "9" * 5_000):
        assert not is_sound(key, [text])
        assert not is_sound(key, ["1", text])


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(50))
def test_any_mixture_of_texts_is_read(seed):
    rng = random.Random(seed)
    letters = "019.-+eE,_ naif\ud800\x00λ٣"
    for _ in range(400):
        texts = [
            "".join(rng.choices(letters, k=rng.randrange(30))) for _ in range(rng.randrange(4))
        ]
        is_sound(rng.choice(sorted(RULES)), texts)


def test_numbers_are_never_infinite_or_words():
    for key, rule in RULES.items():
        for text in ("inf", "nan", "1e400", "9" * 400, "٣", "１２", "1_000"):
            if hasattr(rule, "low"):
                assert not is_sound(key, [text]), key


@pytest.mark.parametrize("key", ["embed", "embed_options", "__class__", "options", "selection",
                                 "one_class_share", "from_", "nothing.n", ".", ""])  # fmt: skip
def test_unknown_keys_are_ignored(key):
    found = read_address({key: ["1"]})
    assert found.values == {}
    assert found.unusable == ()


def test_an_empty_list_of_words_is_a_value():
    keys = [key for key, rule in RULES.items() if isinstance(rule, Words)]
    assert keys
    assert all(read_address({key: [""]}).over(View())[key] == () for key in keys)
