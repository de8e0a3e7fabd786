"""No page passes text from outside to Markdown as it is.

Everything that a page sends is searched, whatever element it belongs to: what is not known to be
shown as plain text counts as Markdown.
"""

import json

import pytest
from app_visits import ADDRESSES, DATA, components, healthy, look
from hostile_names import MARKED, RAW, SHOWN, hostile_data
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from nestviz.resources import app_dir
from nestviz.ui.export import panel
from nestviz.ui.session import session_file
from nestviz.ui.session.own_data import OwnData
from nestviz.ui.session.session_file import Session

PLAIN = {
    ("Selectbox", "options"),
    ("Selectbox", "raw_value"),
    ("MultiSelect", "options"),
    ("MultiSelect", "raw_values"),
    ("TextArea", "value"),
    ("Code", "code_text"),
    ("PlotlyChart", "spec"),
    ("PlotlyChart", "alt"),
    ("BidiComponent", "json"),
}
"""Fields that browsers show as they are, or that have a test of their own."""


def sent(app):
    """Every (message, field, text) of the elements and blocks of a page."""
    stack = [app._tree[k] for k in app._tree.children]
    while stack:
        node = stack.pop()
        yield from texts(node.proto)
        stack.extend(getattr(node, "children", {}).values())


def texts(message):
    if message is None or not hasattr(message, "ListFields"):
        return
    for field, value in message.ListFields():
        values = value if field.is_repeated else [value]
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            values = list(value.values())
        for part in values:
            if isinstance(part, str):
                yield message.DESCRIPTOR.name, field.name, part
            else:
                yield from texts(part)


def check(app):
    """Fail on a raw name; return how many texts show an escaped one."""
    found = list(sent(healthy(app)))
    raw = [row for row in found if row[:2] not in PLAIN and any(mark in row[2] for mark in RAW)]
    assert raw == []
    charts = [text for name, field, text in found if (name, field) == ("PlotlyChart", "spec")]
    for spec in charts:
        assert not [mark for mark in ("<img", "$\\\\frac", "$\\frac") if mark in spec]
    return sum(SHOWN in text for _, _, text in found)


def visit(page, data):
    app = AppTest.from_file(str(app_dir() / "app.py"), default_timeout=600)
    app.session_state[panel.KEY] = True
    app.session_state["own_data"] = OwnData(data, MARKED)
    app.query_params["point"] = "3"
    app._page_hash = calc_hash(ADDRESSES[page])
    return look(app, data="mine")


@pytest.mark.parametrize("page", ADDRESSES)
def test_hostile_names_on_every_page(page):
    shown = check(visit(page, hostile_data()).run())
    assert shown >= (0 if page.startswith("pages/learn/") else 1)


@pytest.mark.parametrize("page", [DATA, "pages/explore/one_class.py"])
def test_hostile_names_of_many_features(page):
    assert check(visit(page, hostile_data(d=3)).run()) >= 2


def test_hostile_links(open_app):
    keys = ("data", "left", "right", "width", "frame", "view", "point", "probe", "over", "levels")
    check(open_app("pages/explore/one_class.py", **dict.fromkeys(keys, MARKED)))


def test_hostile_columns_and_values_of_a_file(open_app):
    app = open_app(DATA, **{"from": "File"})
    quoted = '"' + MARKED.replace('"', '""') + '"'
    rows = "\n".join(f"{k},{k % 3},{quoted if k % 2 else 'other'}" for k in range(12))
    content = f"{quoted},x,class\n{rows}\n".encode()
    name = f"{MARKED}.csv".replace("/", "-")
    app.file_uploader(key="upload").set_value((name, content, "text/csv")).run()
    assert check(app) >= 1


@pytest.mark.parametrize(
    "content",
    [f"a,{MARKED},c\n1,2\n3,4,5,6\n", f"{MARKED},{MARKED}\n1,2\n3,4\n", f"x\n{MARKED}\n", MARKED],
)
def test_complaints_about_a_hostile_file(open_app, content):
    app = open_app(DATA, **{"from": "File"})
    name = f"{MARKED}.csv".replace("/", "-")
    app.file_uploader(key="upload").set_value((name, content.encode(), "text/csv")).run()
    check(app)


def test_hostile_session_files(open_app):
    app = open_app(DATA, **{"from": "Session"})
    upload = app.file_uploader(key="session_upload")
    text = session_file.write(Session("outliers", dataset=hostile_data(), origin=MARKED))
    upload.set_value(("s.json", text.encode(), "application/json")).run()
    assert check(app) >= 1
    app.button(key="session_open").click().run()
    assert check(app) >= 1
    other = json.dumps(json.loads(text) | {"page": MARKED})
    app = open_app(DATA, **{"from": "Session"})
    app.file_uploader(key="session_upload").set_value(
        ("s.json", other.encode(), "application/json")
    ).run()
    check(app)
    assert components(app, "nestviz_address")
