"""How agreement with published values is counted and said."""

import math

import pytest
from study_runs import auc_run

from nestviz.studies import agreement as agree
from nestviz.studies.findings import Claim, Value


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (Value("a", "q", 0.905, published=0.900, published_sd=0.01), agree.ONE),
        (Value("a", "q", 0.915, published=0.900, published_sd=0.01), agree.TWO),
        (Value("a", "q", 0.925, published=0.900, published_sd=0.01), agree.BEYOND),
        # A standard deviation that rounds to zero: within it is what rounds to the same.
        (Value("a", "q", 0.9984, published=0.998, published_sd=0.0), agree.ONE),
        (Value("a", "q", 0.995, published=0.998, published_sd=0.0), agree.BEYOND),
        (Value("a", "q", 0.9004, published=0.900), agree.EQUAL),
        (Value("a", "q", 0.95, published=0.900), agree.DIFFERENT),
        (Value("a", "q", 0.95), agree.UNPUBLISHED),
        (Value("a", "q", math.nan, published=0.9, published_sd=0.1), agree.UNPUBLISHED),
    ],
)
def test_every_kind_of_value_has_its_words(value, words):
    assert agree.agreement(value) == words
    assert words in agree.MARKS


def test_counts_in_a_sentence():
    found = agree.count(auc_run().findings.values)
    assert (found.compared, found.one, found.two) == (15, 9, 11)
    assert found.in_words().startswith("9 of 15 values are within one published")
    assert agree.count([Value("a", "q", 1.0)]).in_words() == ""


def test_verdicts_are_counted_in_a_fixed_order():
    claims = [Claim("", "", "", held) for held in (None, True, False, True)]
    assert agree.verdicts(claims) == {"held": 2, "not held": 1, "undecided": 1}
    assert list(agree.verdicts(())) == ["held", "not held", "undecided"]
