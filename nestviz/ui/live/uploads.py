"""Uploads: in memory only, and a bounded number of bytes for each session."""

from __future__ import annotations

from starlette.formparsers import MultiPartParser
from streamlit.runtime import memory_uploaded_file_manager
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from nestviz.data.limits import Limits

MOST_BYTES = 2 * Limits().max_bytes
"""Bytes of the files of a session: the one in use, and the one that replaces it."""


class BoundedUploads(MemoryUploadedFileManager):
    """The files of all sessions; the oldest of a session make room for its new ones.

    The app has one file of a session at a time, which the browser takes back when another one is
    chosen. A client that does not would fill the memory.
    """

    def add_file(self, session_id: str, file: UploadedFileRec) -> None:
        """Keep a file; forget the oldest ones of the session where there are too many bytes."""
        super().add_file(session_id, file)
        kept = list(self.file_storage.get(session_id, {}).values())
        size = sum(len(one.data) for one in kept)
        for old in kept:
            if size <= MOST_BYTES or old.file_id == file.file_id:
                return
            size -= len(old.data)
            self.remove_file(session_id, old.file_id)


def install() -> None:
    """Bound what Streamlit keeps of uploads; before its runtime is made."""
    # Starlette would write what is larger than a megabyte to disk.
    MultiPartParser.spool_max_size = MOST_BYTES
    vars(memory_uploaded_file_manager)["MemoryUploadedFileManager"] = BoundedUploads
