"""Errors as users see them: a sentence, never a traceback."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from nestviz.data import DataError
from nestviz.escaping import markdown

_log = logging.getLogger("nestviz")


@contextmanager
def in_words() -> Iterator[None]:
    """Show a data error as its message, and any other error with an id that is in the log.

    The drawn part of the page, the data and the settings are kept.
    """
    try:
        yield
    except DataError as error:
        st.error(markdown(str(error)), icon=":material/error:")
    except Exception:
        number = uuid.uuid4().hex[:8]
        _log.exception("fault %s", number)
        st.error(
            f"An unexpected error occurred (fault {number}). Your data and settings are kept: "
            f"change a setting or choose other data to continue. Details of fault {number} are in "
            "the server's log.",
            icon=":material/bug_report:",
        )
