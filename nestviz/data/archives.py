"""Compressed files, decompressed up to a limit."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib

from nestviz.data.errors import DataError
from nestviz.data.limits import Limits

_FIRST_PIECE, _PIECE = 1 << 10, 1 << 18
_DAMAGED = "The compressed file is damaged or incomplete."
_AGAIN = "Save or download it again."
# What a damaged archive may raise inside zipfile.
_FAULTS = (
    zipfile.BadZipFile, zlib.error, struct.error, ValueError, LookupError, OverflowError,
    RuntimeError, EOFError, OSError,
)  # fmt: skip
# Writers of tables use these two; other methods may take gigabytes to unpack a few bytes.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1
_NOT_PADDING = re.compile(rb"[^\0]")


def gunzip(content: bytes, limits: Limits) -> bytes:
    """Decompress gzip bytes, up to the limit."""
    unpacked = bytearray()
    view = memoryview(content)
    at = 0
    try:
        # Several gzip members may follow each other; zero bytes may pad each.
        while at < len(content):
            at = _unpack_member(view, at, unpacked, limits)
            next_member = _NOT_PADDING.search(content, at)
            at = next_member.start() if next_member else len(content)
    except zlib.error as fault:
        raise DataError(_DAMAGED, hint=_AGAIN) from fault
    return bytes(unpacked)


def _unpack_member(content: memoryview, at: int, unpacked: bytearray, limits: Limits) -> int:
    """Append the gzip member that starts at ``at``; return where it ends."""
    stream = zlib.decompressobj(wbits=31)
    # zlib copies what it leaves of a piece, so a small member must not be given a large one.
    size = _FIRST_PIECE
    while not stream.eof:
        piece = content[at : at + size]
        if not piece:
            raise DataError(_DAMAGED, hint=_AGAIN)
        unpacked += stream.decompress(piece, _PIECE)
        limits.check_unpacked_size(len(unpacked))
        at += len(piece) - len(stream.unconsumed_tail) - len(stream.unused_data)
        size = min(2 * size, _PIECE)
    return at


def open_zip(content: bytes, limits: Limits) -> zipfile.ZipFile:
    """Open a zip archive after checking the sizes and methods it declares."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except _FAULTS as fault:
        raise DataError(_DAMAGED, hint=_AGAIN) from fault
    members = archive.infolist()
    limits.check_unpacked_size(sum(member.file_size for member in members))
    if any(member.compress_type not in _METHODS for member in members):
        raise DataError("The file is compressed by a method that is not read.", hint=_AGAIN)
    return archive


def read_member(archive: zipfile.ZipFile, name: str, limits: Limits) -> bytes:
    """Read one member of an archive, up to the limit, and verify its checksum."""
    try:
        if archive.getinfo(name).flag_bits & _ENCRYPTED:
            raise DataError(
                "The file is protected by a password.", hint="Save it without a password."
            )
        with archive.open(name) as member:
            unpacked = member.read(limits.max_decompressed_bytes + 1)
    except DataError:
        raise
    except _FAULTS as fault:
        raise DataError(_DAMAGED, hint=_AGAIN) from fault
    limits.check_unpacked_size(len(unpacked))
    return unpacked
