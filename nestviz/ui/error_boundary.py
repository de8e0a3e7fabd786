"""What a person sees when something goes wrong: a sentence, never a traceback."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from nestviz.data import DataError

_log = logging.getLogger("nestviz")


@contextmanager
def in_words() -> Iterator[None]:
    """Show a fault of the data as its own sentence, any other with an id that the log explains.

    Everything already drawn stays, and so do the data and the settings of the session.
    """
    try:
        yield
    except DataError as error:
        st.error(str(error), icon=":material/error:")
    except Exception:
        number = uuid.uuid4().hex[:8]
        _log.exception("fault %s", number)
        st.error(
            f"Something went wrong here that should not have (fault {number}). Your data and "
            f"settings are kept: change a setting or choose other data to go on. The server's log "
            f"explains fault {number}.",
            icon=":material/bug_report:",
        )
