"""Text from outside is shown as it is, whatever language it is put into."""

import ast
import html.parser
import re
from pathlib import Path

import pytest
from hostile_names import NAMES
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from nestviz import escaping

ANY = st.text(st.characters(exclude_categories=()))
WRITERS = (escaping.plain, escaping.markdown, escaping.html, escaping.plotly)


def read_html(text):
    """The text of HTML without any tag; a tag is a failure."""
    found = []

    class Reader(html.parser.HTMLParser):
        def handle_data(self, data):
            found.append(data)

        def handle_starttag(self, tag, attributes):
            raise AssertionError(tag)

        handle_endtag = handle_comment = handle_decl = handle_pi = handle_starttag

    reader = Reader()
    reader.feed(text)
    reader.close()
    return "".join(found)


@given(ANY)
@pytest.mark.parametrize("write", WRITERS)
def test_any_text_gives_one_short_line_that_can_be_sent(write, text):
    written = write(text)
    written.encode()
    assert len(written.splitlines()) <= 1
    assert "\0" not in written


@pytest.mark.parametrize("name", NAMES)
def test_names_keep_their_text(name):
    shown = escaping.plain(name)
    assert len(shown) <= escaping.LONGEST
    assert html.unescape(escaping.html(name)) == shown == read_html(escaping.html(name))
    assert html.unescape(escaping.markdown(name).replace(":small[]", "")) == shown
    figure = escaping.plain(name, escaping.LONGEST_NAME)
    assert html.unescape(escaping.plotly(name)) == figure


@pytest.mark.parametrize("name", NAMES)
def test_no_mark_of_a_language_is_left(name):
    markdown = escaping.markdown(name).replace(":small[]", "")
    assert not re.search(r"[\\`*_{}\[\]<>!|~$@]|:\S|&(?!#\d+;)|^[-+=]|^\d+[.)](\s|$)", markdown)
    assert not re.search(r"[<>$]|%\{|&(?!#\d+;)|(?<!&)#", escaping.plotly(name))


@pytest.mark.parametrize(
    "name", ["drawn points", "moons (2).csv", "own-data.csv", "x1", "age, in years", "50 % + 3"]
)
def test_ordinary_names_are_unchanged(name):
    assert {write(name) for write in WRITERS} == {name}


def read_markdown(text):
    """The text of a paragraph in a Markdown file; anything but plain text is a failure."""
    (_, content, _) = MarkdownIt("gfm-like", {"linkify": False}).parse(text)
    assert {child.type for child in content.children} <= {"text", "text_special"}
    return "".join(child.content for child in content.children)


@pytest.mark.parametrize("name", NAMES)
def test_files_of_markdown_keep_names(name):
    shown = escaping.plain(name)
    if shown:
        assert read_markdown(escaping.commonmark(name)) == shown


@given(ANY)
def test_files_of_markdown_keep_any_text(text):
    shown = escaping.plain(text)
    if shown:
        assert read_markdown(escaping.commonmark(text)) == shown


def test_long_text_is_cut():
    assert escaping.plain("abc", 3) == "abc"
    assert escaping.plain("abcd", 3) == "ab…"
    assert len(escaping.plain(" x" * 10_000_000)) == escaping.LONGEST


UI = Path(escaping.__file__).parent / "ui"
SHOWN_BY = {
    "badge", "button", "caption", "checkbox", "download_button", "error", "expander", "header",
    "info", "link_button", "markdown", "metric", "number_input", "page_link", "pills", "popover",
    "progress", "radio", "segmented_control", "select_slider", "slider", "spinner", "status",
    "stop_page", "subheader", "success", "tabs", "text_area", "text_input", "title", "toast",
    "toggle", "warning", "write",
}  # fmt: skip
"""Calls whose arguments are read as Markdown."""
TEXTS = {"body", "help", "label", "text", "value", None}
"""Keywords of such arguments; None for those without."""
FROM_OUTSIDE = re.compile(
    r".*\.(feature_names|provenance|origin|why|notes|columns|message|hint)"
    r"|(.*\.)?(data|dataset|source|table|own|fitted|guess|sheet|uploaded)\.(name|value|column)"
    r"|(str|repr)\((error|fault)\)|error|fault"
)
"""Expressions that hold text from outside."""
WRITTEN = {writer.__name__ for writer in WRITERS} | {
    "len",
    "file_words",
    "panel.file_words",
    "scripts.own_file_name",
}
WRITTEN |= {f"escaping.{writer.__name__}" for writer in WRITERS}
"""Functions that return escaped text, letters and digits, or a number."""


def is_written(node):
    """Whether an expression is safe, whatever it is made from."""
    if not isinstance(node, ast.Call):
        return False
    return ast.unparse(node.func) in WRITTEN or ast.unparse(node).startswith("map(markdown, ")


def raw_texts(node, outside=frozenset()):
    """Expressions below a node that hold text from outside and pass through no escaper.

    ``outside`` has the names of loop variables that hold such text.
    """
    if is_written(node) or (isinstance(node, ast.FormattedValue) and node.format_spec):
        return
    if isinstance(node, (ast.GeneratorExp, ast.ListComp)):
        for loop in node.generators:
            if any(raw_texts(loop.iter, outside)):
                outside |= {name.id for name in ast.walk(loop.target) if isinstance(name, ast.Name)}
        yield from raw_texts(node.elt, outside)
        return
    if isinstance(node, ast.expr):
        text = ast.unparse(node)
        if text in outside or FROM_OUTSIDE.fullmatch(text):
            yield text
            return
    for child in ast.iter_child_nodes(node):
        yield from raw_texts(child, outside)


def shown_texts(node):
    """What is given to Markdown, and all sentences with values, unless they are escaped."""
    if is_written(node):
        return
    if isinstance(node, ast.JoinedStr):
        yield node
    called = node.func if isinstance(node, ast.Call) else None
    on_a_page = isinstance(called, ast.Attribute) and "log" not in ast.unparse(called.value)
    if on_a_page and called.attr in SHOWN_BY:
        yield from node.args
        yield from (key.value for key in node.keywords if key.arg in TEXTS)
    for child in ast.iter_child_nodes(node):
        yield from shown_texts(child)


def raw_lines(code):
    texts = shown_texts(ast.parse(code))
    return sorted({(node.lineno, raw) for node in texts for raw in raw_texts(node)})


@pytest.mark.parametrize(
    "code",
    [
        "st.caption(data.name)",
        "st.caption(f'Using {source.name}.')",
        "column.error(str(error))",
        "st.markdown('x' + ' '.join(current.notes))",
        "st.markdown(' '.join(f'- {line}' for line in source.provenance))",
        "words = f'{data.n} points of {data.name}'",
        "st.number_input('x', help=f'{error} was raised')",
    ],
)
def test_the_rule_finds_what_is_not_escaped(code):
    assert raw_lines(code)
    assert not raw_lines(f"st.caption(markdown({code.replace('st.', 'lower.')}))")


# Commands of a terminal show plain text.
PAGES = sorted(path for path in UI.rglob("*.py") if "load" not in path.relative_to(UI).parts)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(UI).as_posix())
def test_pages_escape_what_they_show(path):
    assert raw_lines(path.read_text("utf-8")) == []


def test_nothing_else_makes_markup():
    """Scripts set text, never markup; the only HTML on pages is a style of ours."""
    for path in sorted(UI.rglob("*.js")):
        code = path.read_text("utf-8")
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment"
            r"|\beval\(|new Function",
            code,
        ), path
    for path in sorted(UI.rglob("*.py")):
        code = path.read_text("utf-8")
        assert "unsafe_allow_html" not in code, path
        assert set(re.findall(r"st\.html\((.*?)\)", code)) <= {"STYLE"}, path
