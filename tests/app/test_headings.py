"""Every page begins with its title, one sentence, and a button for its help."""

import pytest

from nestviz.ui.menu import PAGES
from nestviz.ui.page_frame import HELP, page_text

EVERY_PAGE = [row[0] for rows in PAGES.values() for row in rows]
SMALL = {"data": "multi", "multi.n": "40", "widths": "8", "folds": "2"}


def blocks(block):
    """All blocks and elements below one, in the order of the page."""
    for child in getattr(block, "children", {}).values():
        yield child
        yield from blocks(child)


@pytest.mark.parametrize("file", EVERY_PAGE)
def test_the_page_begins_with_its_title_a_sentence_and_help(open_app, file):
    app = open_app(file, **SMALL)
    found = list(blocks(app.main))
    kinds = [child.type for child in found]
    assert len(app.title) == 1
    title = next(k for k, child in enumerate(found) if child.type == "title")
    popover = found[kinds.index("popover")]
    assert popover.proto.popover.label == HELP
    assert title < kinds.index("popover") < title + 3
    name = file.split("/")[-1].removesuffix(".py")
    sentence, _, more = page_text(name, "help").partition("\n\n")
    words = [text.value for text in app.markdown]
    assert words.index(more.strip()) < words.index(sentence) <= 2
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert len(sentence) <= 110
