"""The app without a browser."""

import json
from collections.abc import Callable
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from nestviz.resources import app_dir
from nestviz.ui.app import PAGES
from nestviz.ui.export import panel
from nestviz.ui.player import player
from nestviz.ui.results import jobs
from nestviz.ui.scene.drawn import DrawnScene, draw_scene
from nestviz.ui.scene.message import read_header
from nestviz.ui.scene.scene import Scene
from nestviz.ui.session.view_state import View

# Seconds that no busy machine needs; what ends sooner costs nothing.
LONGEST_JOB, LONGEST_RUN = 300.0, 600.0
HOME, DATA = "pages/start/home.py", "pages/start/data.py"
ADDRESSES = {file: address for rows in PAGES.values() for file, _, address, _ in rows}


@pytest.fixture(autouse=True)
def patient(monkeypatch) -> None:
    """Pages wait for long work: nothing runs them again by itself here, as a browser does."""
    monkeypatch.setattr(jobs, "INLINE_SECONDS", LONGEST_JOB)


@pytest.fixture
def open_app() -> Callable[..., AppTest]:
    """Open a page of the app in a session of its own, as a link with query parameters does.

    The exports are opened too: closed, they would not be there.
    """

    def visit(page: str = HOME, **query: str) -> AppTest:
        app = AppTest.from_file(str(app_dir() / "app.py"), default_timeout=LONGEST_RUN)
        app.session_state[panel.KEY] = True
        for name, value in query.items():
            app.query_params[name] = value
        if page != HOME:
            # `switch_page` finds a page by its address only after a run of the home page.
            app._page_hash = calc_hash(ADDRESSES[page])
        healthy(app.run())
        # A browser drops the parameters when another page is opened; here they would stay.
        app.query_params.clear()
        return app

    return visit


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
