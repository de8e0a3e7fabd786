"""Links and session files with values that no control writes, on the pages that read them."""

import json

import pytest
from app_visits import DATA, address, healthy

from nestviz.ui.app import PAGES
from nestviz.ui.session import session_file
from nestviz.ui.session.view_state import RULES

SMALL = {"data": "ring", "ring.n": "60"}
WORST = ["inf", "9" * 400, "1e400", "٣", "%00", "", "nonsense"]
FILES = [row[0] for rows in PAGES.values() for row in rows if row[2] != "home"]


def notice(app):
    return [info.value for info in app.info if "could not be used" in info.value]


def all_keys(value, seed=0):
    """Every key with a wrong value, but for those that keep the data small."""
    return {key: value for key in RULES if key not in SMALL} | SMALL


@pytest.mark.parametrize(("page", "value"), [(f, WORST[k % 7]) for k, f in enumerate(FILES)])
def test_a_page_opens_with_every_value_wrong(open_app, page, value):
    app = healthy(open_app(page, **all_keys(value)))
    assert len(notice(app)) == 1
    written = address(app)
    assert all(value not in texts for texts in written.values() if value)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "value", [*WORST, " ", "-inf", "nan", "9" * 5_000, "1e12", "-1e12", "1e150,1e150"]
)
@pytest.mark.parametrize("page", FILES)
def test_every_page_opens_with_every_value_wrong(open_app, page, value):
    healthy(open_app(page, **all_keys(value)))


@pytest.mark.parametrize(
    ("page", "query"),
    [
        ("pages/explore/one_class.py", {"probe": "1e150,-1e150", "frame": "100000"}),
        ("pages/use/outliers.py", {"new_x": "1e12", "new_y": "-1e12", "point": "10000000"}),
    ],
)
def test_the_largest_sound_values_are_shown(open_app, page, query):
    app = healthy(open_app(page, **SMALL, **query))
    assert not notice(app)


def test_a_wrong_value_is_named_until_it_is_chosen(open_app):
    app = open_app("pages/explore/one_class.py", **SMALL, left="nonsense", seed="inf")
    assert notice(app) == [
        "2 values of the link could not be used and have their defaults: `seed`, `left`."
    ]
    assert {"left", "seed"}.isdisjoint(address(app))
    healthy(app.number_input(key="seed").set_value(3).run())
    assert notice(app) == ["One value of the link could not be used and has its default: `left`."]
    healthy(app.selectbox(key="left").select("Parzen").run())
    assert notice(app) == []


def test_a_session_file_with_wrong_settings_opens_with_defaults(open_app):
    content = json.loads(session_file.write(session_file.Session("one-class")))
    content["parameters"] = {
        "seed": ["inf"], "width": ["0.5"], "embed": ["true"], "left": ["\ud800"], "ring.n": ["60"],
        "data": ["ring"],
    }  # fmt: skip
    app = open_app(DATA, **{"from": "Session"})
    file = ("s.nestviz.json", json.dumps(content).encode(), "application/json")
    healthy(app.file_uploader(key="session_upload").set_value(file).run())
    healthy(app.button(key="session_open").click().run())
    assert app.title[0].value == "One class"
    assert app.session_state["view"].width == 0.5
    assert app.session_state["view"].seed is None
    assert "`seed`" in notice(app)[0]
    assert "embed" not in address(app)
