"""Own levels, asymmetries, widths and quantiles: typed, pasted, linked, moved."""

import numpy as np
import pytest
from app_visits import healthy, look, scene

from nestviz.ui.compute.methods import Spec, largest_regularisation, level_grid, top_level
from nestviz.ui.decoding import numbers_of
from nestviz.ui.widgets.number_lists import NumberList

ONE, TWO = "pages/explore/one_class.py", "pages/explore/two_classes.py"
LEVELS = NumberList("shares", 0.0, 1.0, unit=0.5)


def nested_levels(page):
    """The breakpoints of the nested panel, as shares of the largest."""
    levels = scene(page).panels[1].family.levels
    return levels / levels.max()


def typed(page, key, text):
    page.text_input(key=f"typed:{key}").set_value(text).run()
    return healthy(page)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("0.1, 0.5", (0.1, 0.5)),
        ("[0.5; 0.1]", (0.5, 0.1)),
        ("1e-3\t0.2\n0.3", (1e-3, 0.2, 0.3)),
        ("10% 50%", (0.1, 0.5)),
        ("", ()),
    ],
)
def test_lists_are_read_as_they_are_pasted(text, numbers):
    assert numbers_of(text, 40) == numbers


@pytest.mark.parametrize("text", ["0.1, x", "0.1 nan", "inf", "1 " * 60, "9" * 5_000, "0.1,,a"])
def test_what_is_no_list_is_said_in_a_sentence(text):
    found = numbers_of(text, 40)
    assert isinstance(found, str)
    assert found.endswith(".")
    assert len(found) < 120


def test_levels_are_typed_in_units_of_lambda_or_as_shares():
    assert LEVELS.read("0.25, 0.05") == (0.1, 0.5)
    assert LEVELS.read("10% 50%") == (0.1, 0.5)
    assert LEVELS.read(LEVELS.written((0.1, 0.5))) == (0.1, 0.5)
    assert "outside" in LEVELS.read("0.7")


def test_typed_levels_are_those_of_the_nested_svm(open_app):
    page = open_app(ONE, data="ring", **{"ring.n": "80"})
    typed(page, "shares", "20%, 60%")
    assert np.allclose(nested_levels(page), [1e-6 / 0.6, 0.2 / 0.6, 1.0])
    # Another width scales them with the largest level.
    look(page, width=0.9).run()
    assert np.allclose(nested_levels(healthy(page)), [1e-6 / 0.6, 0.2 / 0.6, 1.0])
    page.button(key="usual:shares").click().run()
    assert nested_levels(healthy(page)).size == 11


def test_a_list_that_cannot_be_read_changes_nothing(open_app):
    page = open_app(ONE, data="ring", **{"ring.n": "80"})
    typed(page, "shares", "20%, many")
    assert any("“many” is not a number." in c.value for c in page.caption)
    assert page.text_input(key="typed:shares").value == "20%, many"
    assert nested_levels(page).size == 11
    typed(page, "shares", "30%")
    assert nested_levels(page).size == 2
    assert not any("is not a number" in c.value for c in page.caption)


def test_asymmetries_of_a_link(open_app):
    page = open_app(TWO, data="banana", gammas="0,0.3,1", **{"banana.n": "80"})
    assert scene(page).panels[1].family.levels.tolist() == [0.0, 0.3, 1.0]
    typed(page, "gammas", "0 0.5 0.75 1")
    assert scene(page).panels[1].family.levels.tolist() == [0.0, 0.5, 0.75, 1.0]


def test_eleven_asymmetries_by_default(open_app):
    page = open_app(TWO, data="banana", **{"banana.n": "80"})
    assert scene(page).panels[1].family.levels.size == 11


def test_own_quantiles(open_app):
    page = open_app(
        "pages/use/quantiles.py", data="ring", masses="0.5,0.9", qframes="quantiles",
        qmethods="q-OCSVM", **{"ring.n": "80"},
    )  # fmt: skip
    assert scene(page).scale.levels.tolist() == [0.5, 0.9]
    typed(page, "masses", "25% 50% 95%")
    assert scene(page).scale.levels.tolist() == [0.25, 0.5, 0.95]


def test_own_widths_are_the_ones_tried(open_app):
    page = open_app("pages/use/bandwidth.py", data="ring", **{"ring.n": "80"})
    typed(page, "sigmas", "0.2, 0.3, 0.45, 0.6")
    tried = scene(page).knobs[0].curve.values
    np.testing.assert_allclose(tried, [0.2, 0.3, 0.45, 0.6], rtol=1e-3)


def test_a_spec_forgets_the_number_of_levels_where_there_are_own_ones():
    own = (0.2, 0.7)
    assert Spec("nested one-class SVM", 0.4, 7, own=own) == Spec(
        "nested one-class SVM", 0.4, 11, spacing="geometric", own=own
    )
    assert Spec("Parzen", 0.4, own=own) == Spec("Parzen", 0.4)
    X = np.random.default_rng(0).normal(size=(30, 2))
    found = level_grid(Spec("nested one-class SVM", 0.4, own=own), X)
    assert np.allclose(found, np.array([0.7, 0.2, 1e-6]) * top_level(X, 0.4))


def test_the_largest_regularisation_is_the_one_from_which_nothing_changes():
    from nestviz import CostSensitiveSVM

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), np.where(rng.random(40) < 0.4, 1, -1)
    largest = largest_regularisation(X, y, 0.7)
    assert np.isclose(largest, CostSensitiveSVM(0.7, 1.0).fit(X, y).lambda_max_)
    at, above, below = (
        [CostSensitiveSVM(0.7, f * largest, g).fit(X, y).alpha_ for g in (0.0, 1.0)]
        for f in (1.0, 5.0, 0.7)
    )
    assert np.allclose(at, above)
    assert not np.allclose(at, below)


@pytest.mark.parametrize(
    ("path", "data", "key"),
    [(ONE, {"data": "ring", "ring.n": "80"}, "shares"), (TWO, {"data": "moons"}, "gammas")],
)
def test_levels_can_be_inserted_by_the_fit(open_app, path, data, key):
    page = open_app(path, grid="adaptive", **data)
    said = next(c.value for c in page.caption if "inserted in" in c.value)
    count = int(said.split()[0])
    assert scene(page).panels[1].family.levels.size == count
    assert page.slider(key="levels").disabled
    assert any("at every level between them" in c.value for c in page.caption)
    # Own levels are used as they are.
    typed(page, key, "20%, 60%")
    assert scene(page).panels[1].family.levels.size in (2, 3)
    page.button(key=f"usual:{key}").click().run()
    assert scene(healthy(page)).panels[1].family.levels.size == count
