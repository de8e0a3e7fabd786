"""Compressed files, decompressed up to a limit."""

from __future__ import annotations

import io
import zipfile
import zlib

from nestviz.data.errors import DataError
from nestviz.data.limits import Limits

_PIECE = 1 << 18
_DAMAGED = "The compressed file is damaged or incomplete."
_AGAIN = "Save or download it again."
_FAULTS = (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError, OSError)


def gunzip(content: bytes, limits: Limits) -> bytes:
    """Decompress gzip bytes, up to the limit."""
    unpacked = bytearray()
    rest = content
    try:
        while rest:
            stream = zlib.decompressobj(wbits=31)
            while rest and not stream.eof:
                unpacked += stream.decompress(rest, _PIECE)
                limits.check_unpacked_size(len(unpacked))
                rest = stream.unconsumed_tail
            if not stream.eof:
                raise DataError(_DAMAGED, hint=_AGAIN)
            # Several gzip members may follow each other; zero bytes may pad the end.
            rest = stream.unused_data.lstrip(b"\0")
    except zlib.error as fault:
        raise DataError(_DAMAGED, hint=_AGAIN) from fault
    return bytes(unpacked)


def open_zip(content: bytes, limits: Limits) -> zipfile.ZipFile:
    """Open a zip archive after checking the sizes it declares."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
        declared = sum(member.file_size for member in archive.infolist())
    except _FAULTS as fault:
        raise DataError(_DAMAGED, hint=_AGAIN) from fault
    limits.check_unpacked_size(declared)
    return archive


def read_member(archive: zipfile.ZipFile, name: str, limits: Limits) -> bytes:
    """Read one member of an archive, up to the limit, and verify its checksum."""
    try:
        with archive.open(name) as member:
            unpacked = member.read(limits.max_decompressed_bytes + 1)
    except RuntimeError as fault:
        raise DataError(
            "The file is protected by a password.", hint="Save it without a password."
        ) from fault
    except (*_FAULTS, zlib.error, KeyError) as fault:
        raise DataError(_DAMAGED, hint=_AGAIN) from fault
    limits.check_unpacked_size(len(unpacked))
    return unpacked
