"""Session files and links: what was seen comes back, on every page."""

import pytest
from app_visits import DATA, address, healthy, in_use, knobs
from test_take_home import own, with_own_data

from nestviz.data import make_sample
from nestviz.ui.app import PAGES
from nestviz.ui.session import session_file


def upload(app, content, name="s.nestviz.json"):
    app.file_uploader(key="session_upload").set_value((name, content, "application/json")).run()
    return healthy(app)


def test_a_session_file_brings_back_data_settings_and_selection(open_app):
    dataset = own()
    session = session_file.Session(
        "one-class",
        {"data": ["mine"], "width": ["0.5"], "left": ["Parzen"]},
        dataset,
        "file",
        (4, 7),
        dataset.fingerprint,
        levels={"one class": 0.25},
    )
    app = open_app(DATA, **{"from": "Session"})
    upload(app, session_file.write(session).encode())
    assert any("60 points of “My data, 2nd (final)”" in text.value for text in app.markdown)
    app.button(key="session_open").click().run()
    healthy(app)
    assert app.title[0].value == "One class"
    current = app.session_state["current_data"]
    assert current.own == dataset
    assert app.session_state["view"].selection.points == (4, 7)
    assert app.session_state["view"].one_class_share == pytest.approx(0.25, abs=0.01)
    assert knobs(app)["width"] == 0.5
    assert app.selectbox(key="left").value == "Parzen"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{}", "not a session file"),
        (b"a,b\n1,2\n", "not a session file"),
        (session_file.write(session_file.Session("data")).encode()[:-40], "ends too early"),
        (
            session_file.write(session_file.Session("data"))
            .replace('"version": 1', '"version": 7')
            .encode(),
            "version 7",
        ),
        (session_file.write(session_file.Session("elsewhere")).encode(), "does not have"),
    ],
)
def test_a_bad_session_file_gets_a_sentence_and_changes_nothing(open_app, content, words):
    app = with_own_data(open_app, DATA, own())
    app.segmented_control(key="from").set_value("Session").run()
    upload(app, content)
    assert words in app.error[0].value
    assert "unchanged" in app.error[0].value
    assert in_use(app) == "In use: My data, 2nd (final)"


EVERY_PAGE = [row[0] for rows in PAGES.values() for row in rows]


@pytest.mark.parametrize("page", EVERY_PAGE)
def test_a_link_restores_data_and_settings_on_every_page(open_app, page):
    query = {"data": "ring", "ring.n": "60", "seed": "5", "width": "0.35", "levels": "7"}
    app = open_app(page, **query)
    if page.startswith("pages/learn/"):
        # The data are not used there; the next page shows them.
        assert not any(widget.key == "data" for widget in app.selectbox)
        assert {key: address(app)[key] for key in ("data", "ring.n", "seed")} == {
            "data": ["ring"], "ring.n": ["60"], "seed": ["5"],
        }  # fmt: skip
        app = healthy(app.switch_page("pages/explore/one_class.py").run())
    current = healthy(app).session_state["current_data"]
    assert current.fitted == make_sample("ring", 5, n=60)
    shown = knobs(app) | {w.key: w.value for w in app.slider}
    for key in {"width", "levels"} & set(shown):
        assert shown[key] == float(query[key])


def test_a_link_of_a_later_version_is_pointed_out(open_app):
    app = open_app(v="99")
    assert any("later version" in info.value for info in app.info)
    assert not any("later version" in info.value for info in open_app(v="1").info)


@pytest.mark.parametrize("page", ["explore/compare", "use/cluster_tree", "use/outliers"])
def test_a_link_names_the_selected_point(open_app, page):
    app = open_app(f"pages/{page}.py", data="ring", point="5", **{"ring.n": "60"})
    assert app.session_state["view"].selection.points == (5,)
    assert address(app)["point"] == ["5"]


def test_a_point_that_does_not_exist_is_not_selected(open_app):
    app = open_app("pages/use/outliers.py", data="ring", point="60", **{"ring.n": "60"})
    assert app.session_state["view"].selection.points == ()
    assert "point" not in address(app)
