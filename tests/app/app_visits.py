"""Helpers for tests of the app without a browser."""

import json
from urllib.parse import parse_qs

from streamlit.testing.v1 import AppTest

from nestviz.ui.app import PAGES
from nestviz.ui.player import player
from nestviz.ui.scene.drawn import DrawnScene, draw_scene
from nestviz.ui.scene.message import read_header
from nestviz.ui.scene.scene import Scene
from nestviz.ui.session.view_state import View

HOME, DATA = "pages/start/home.py", "pages/start/data.py"
ADDRESSES = {file: address for rows in PAGES.values() for file, _, address, _ in rows}


def healthy(app: AppTest) -> AppTest:
    """Fail on anything a user should not see."""
    assert not app.exception, [e.value for e in app.exception]
    assert not [e.value for e in app.error if "fault" in e.value]
    return app


def rows_of(app: AppTest, name: str) -> list[int]:
    """The rows that are chosen in a table."""
    key = next(t.proto.id.split("-", 2)[2] for t in app.dataframe if f"-{name}." in t.proto.id)
    return app.session_state[key]["selection"]["rows"]


def look(app: AppTest, **values) -> AppTest:
    """Have the session show something else with the next run, as a callback does."""
    before = app.session_state["view"] if "view" in app.session_state else View()
    app.session_state["view"] = before.with_values(values)
    return app


def address(app: AppTest) -> dict[str, list[str]]:
    """The parameters that the page has written into its address."""
    written = components(app, "nestviz_address")[0]
    return parse_qs(json.loads(written.proto.json)["search"], keep_blank_values=True)


def components(app: AppTest, name: str) -> list:
    """The components of a kind that are on the page."""
    return [c for c in app.get("bidi_component") if c.proto.component_name.endswith(name)]


def scene(app: AppTest) -> Scene:
    """The scene that the player on the page was sent."""
    sent = components(app, "nestviz_player")[0].proto.bytes
    header = read_header(sent)
    own = header["player"], header["live"]
    return next(s for s, packed in player.MESSAGES.items() if packed.message(*own) == sent)


def drawn(app: AppTest) -> DrawnScene:
    """The sets of the player on the page, at all stops."""
    return draw_scene(scene(app))


def marked(app: AppTest) -> list[int]:
    """The points with a ring in the player."""
    return json.loads(components(app, "nestviz_player_marker")[0].proto.json)["rows"]


def knobs(app: AppTest) -> dict[str, float]:
    """The values of the knobs on the page, in the player or beside it."""
    found = [json.loads(knob.proto.json) for knob in components(app, "nestviz_knob")]
    values = {knob["key"].removeprefix("knob:"): knob["value"] for knob in found}
    if components(app, "nestviz_player"):
        values |= {knob.key: knob.value for knob in scene(app).knobs}
    return values


def in_use(app: AppTest) -> str:
    """The heading under which the Data page shows the current data."""
    return next(h.value for h in app.header if h.value.startswith("In use"))
