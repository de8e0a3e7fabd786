"""The app without a browser."""

from collections.abc import Callable

import pytest
from app_visits import ADDRESSES, HOME, healthy
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from nestviz.resources import app_dir
from nestviz.ui.export import panel
from nestviz.ui.results import asides, jobs

# Seconds that no busy machine needs; what ends sooner costs nothing.
LONGEST_JOB, LONGEST_RUN = 300.0, 600.0


@pytest.fixture(autouse=True)
def patient(monkeypatch) -> None:
    """Pages wait for long work: nothing runs them again by itself here, as a browser does."""
    monkeypatch.setattr(jobs, "INLINE_SECONDS", LONGEST_JOB)
    monkeypatch.setattr(asides, "WAIT_SECONDS", LONGEST_JOB)


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
