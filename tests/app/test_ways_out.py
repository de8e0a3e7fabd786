"""Data that a page cannot use: a sentence says why, and buttons lead on."""

import numpy as np
import pytest
from app_visits import ADDRESSES, DATA, components, healthy, look

from nestviz import Dataset
from nestviz.ui.session.own_data import OwnData

SAME, TWO = np.ones((12, 2)), np.array([[0.0, 0.0], [1.0, 1.0]])
WIDE = np.random.default_rng(0).normal(size=(30, 10))
ENDS = [
    ("pages/use/bandwidth.py", SAME, {}, "only one different point"),
    ("pages/use/bandwidth.py", TWO, {}, "only 2 different points"),
    ("pages/explore/variants.py", TWO, {"variant": "Left out"}, "6 or more different points"),
    ("pages/use/quantiles.py", TWO[:1], {}, "a single point"),
    ("pages/use/error_control.py", SAME, {"task": "Minimum volume sets"}, "too few different"),
    ("pages/use/error_control.py", TWO, {"task": "Worst-case bounds"}, "takes 4 to"),
]


def visit(open_app, file, X, query):
    app = open_app(DATA)
    app.session_state["own_data"] = OwnData(Dataset(X), "drawn")
    return healthy(look(app, data="mine", folds=2, widths=8, **query).switch_page(file).run())


@pytest.mark.parametrize(("file", "X", "query", "words"), ENDS)
def test_the_reason_is_said_and_other_data_are_one_click_away(open_app, file, X, query, words):
    app = visit(open_app, file, X, query)
    assert any(words in note.value for note in app.info)
    assert any(button.key == "to_data" for button in app.button)


def test_a_sample_is_one_click_away(open_app):
    app = visit(open_app, "pages/explore/variants.py", TWO, {"variant": "Left out"})
    app.button(key="other_banana").click().run()
    assert not healthy(app).info
    assert components(app, "nestviz_plane")


@pytest.mark.slow
@pytest.mark.parametrize("X", [SAME, TWO, TWO[:1], WIDE], ids=["same", "two", "one", "wide"])
@pytest.mark.parametrize("file", [file for file in ADDRESSES if "learn" not in file])
def test_every_page_shows_a_picture_or_says_why_not(open_app, file, X):
    app = visit(open_app, file, X, {})
    shown = app.get("plotly_chart") or any(
        components(app, name) for name in ("nestviz_player", "nestviz_plane")
    )
    leads_on = {button.key for button in app.button} & {"to_data", "name_labels"}
    assert shown or (app.info and leads_on)
