"""The pictures of all chapters at their first settings, for the handout of the course."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from nestviz.ui.widgets.shown_pictures import Shown, collected

THREAD = "course-pictures"
_LOGGER = "streamlit.runtime.scriptrunner_utils.script_run_context"


def course_pictures() -> Mapping[str, list[Shown]]:
    """Return the pictures of each chapter, by the name of its file."""
    quiet = logging.getLogger(_LOGGER)
    quiet.addFilter(_elsewhere)
    try:
        # Controls return their defaults and draw nothing in a thread that runs no page.
        with ThreadPoolExecutor(1, thread_name_prefix=THREAD) as pool:
            return pool.submit(_shown).result()
    finally:
        quiet.removeFilter(_elsewhere)


def _shown() -> dict[str, list[Shown]]:
    # The page imports its chapters, and they this.
    from nestviz.ui.pages.theory.page import CHAPTERS

    found: dict[str, list[Shown]] = {}
    for chapter in CHAPTERS.values():
        with collected() as pictures:
            chapter.show()
        found[chapter.file] = pictures
    return found


def _elsewhere(record: logging.LogRecord) -> bool:
    """Return whether a warning that no page is run comes from another thread: here none is."""
    return not str(record.threadName).startswith(THREAD)
