"""From bytes to text: the encoding, and whether it is text at all."""

from __future__ import annotations

import codecs

from nestviz.data.errors import DataError, quoted
from nestviz.data.tables import Guess

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 4096
# Text may have a stray control character; one in ten random bytes is one.
_CONTROL_SHARE = 0.02
# Encodings of host names: decoding takes quadratic time.
_SLOW = ("punycode", "idna")
_CONTROLS = set(range(32)) - {9, 10, 12, 13} | {127}


def decode(content: bytes, encoding: str | None) -> tuple[str, list[Guess]]:
    """Decode the text of a file, with the given encoding or a guess; return text and guesses."""
    if encoding is not None:
        text, guesses = _decode_as(content, encoding), []
    else:
        encoding, why = _guess_encoding(content)
        text, guesses = _decode_as(content, encoding), [Guess("encoding", encoding, why)]
    text = text.removeprefix("\ufeff")
    check_readable(text)
    return text, guesses


def check_readable(text: str) -> None:
    """Raise unless the text is readable."""
    if not text.strip():
        raise DataError("There is no text to read.", hint="Give at least one row.")
    start = text[:_SAMPLE]
    strange = sum(ord(letter) in _CONTROLS for letter in start)
    if strange > _CONTROL_SHARE * len(start):
        raise DataError(
            "This is neither text nor a known file format.",
            hint="Save the data as CSV, Excel, Parquet or .npy and try again.",
        )


def _guess_encoding(content: bytes) -> tuple[str, str]:
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return encoding, "The file starts with the byte order mark of this encoding."
    wide = _guess_wide(content[:_SAMPLE])
    if wide:
        return wide, "Every second byte is zero, as in UTF-16 text."
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return "utf-8", "All bytes are valid UTF-8."
    try:
        content.decode("cp1252")
    except UnicodeDecodeError:
        return "latin-1", "The bytes are not valid UTF-8; Latin-1 can read any byte."
    return "cp1252", "The bytes are not valid UTF-8; this is the usual Western encoding."


def _guess_wide(start: bytes) -> str | None:
    """Return the UTF-16 encoding without a mark: plain characters leave every second byte zero."""
    first, second = start[0::2], start[1::2]
    if not second:
        return None
    zeros = first.count(0) / len(first), second.count(0) / len(second)
    if zeros[1] > 0.6 and zeros[0] < 0.1:
        return "utf-16-le"
    if zeros[0] > 0.6 and zeros[1] < 0.1:
        return "utf-16-be"
    return None


def _decode_as(content: bytes, encoding: str) -> str:
    try:
        # A codec such as "hex" turns bytes into bytes; only encodings of text are wanted.
        codec = codecs.lookup(encoding)
        is_text = codec._is_text_encoding and codec.name not in _SLOW
    except (LookupError, ValueError):
        is_text = False
    if not is_text:
        raise DataError(
            f"There is no text encoding called '{quoted(encoding)}'.", hint="Try utf-8."
        )
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as fault:
        row = content[: fault.start].count(b"\n") + 1
        raise DataError(
            f"Byte {fault.start + 1} of the file cannot be read as {codec.name} text.",
            row=row,
            hint="Choose another encoding.",
        ) from fault
    except UnicodeError as fault:
        raise DataError(
            f"The file cannot be read as {codec.name} text.", hint="Choose another encoding."
        ) from fault
