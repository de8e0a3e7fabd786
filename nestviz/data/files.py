"""`read_table`: from the bytes of a file, or pasted text, to a `Table`.

The content decides the format before the name of the file does: a CSV file called .xls is read as
CSV.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import PurePosixPath

import numpy as np

from nestviz.data.archives import gunzip, open_zip
from nestviz.data.arrays import NPY_MAGIC, read_npy, read_npz
from nestviz.data.dialect import records, settle_dialect
from nestviz.data.errors import DataError, quoted
from nestviz.data.limits import Limits
from nestviz.data.parquet import PARQUET_MAGIC, read_parquet
from nestviz.data.reader_process import read_in_child
from nestviz.data.records import Frame, read_records
from nestviz.data.spreadsheets import XLS_MAGIC, read_spreadsheet
from nestviz.data.svmlight import looks_like_svmlight, read_svmlight
from nestviz.data.tables import FORMATS, Column, Guess, ReadChoices, Table
from nestviz.data.text import check_readable, decode

_GZIP_MAGIC = b"\x1f\x8b"
_ZIP_MAGIC = b"PK\x03\x04"
_PICKLE_SUFFIXES = (".pkl", ".pickle", ".joblib")
_PICKLE_START = re.compile(rb"\x80[\x02-\x05]")
_SVMLIGHT_SUFFIXES = (".svm", ".svmlight", ".libsvm")
_REFUSED = {
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"\x89HDF": "an HDF5 file",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a RAR archive",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"\x28\xb5\x2f\xfd": "a Zstandard archive",
    b"SQLite format 3": "an SQLite database",
    b"MATLAB 5.0": "a MATLAB file",
}
# Shorter text is read at once, without the start of a process.
_LONG_TEXT = 64_000
Read = tuple[Frame, list[Guess]]
_USE = "Save the data as CSV, Excel, Parquet, .npy or svmlight and try again."


def read_table(
    content: bytes, filename: str, choices: ReadChoices | None = None, limits: Limits | None = None
) -> Table:
    """Read a file, in a child process with limits on memory and computing time.

    Parameters
    ----------
    content : bytes
        The file: CSV, TSV or other delimited text, svmlight, Parquet, Excel or OpenDocument
        workbook, .npy or .npz; text formats may be compressed by gzip.
    filename : str
        Its name.
    choices : ReadChoices, optional
        Settings that are not to be guessed.
    limits : Limits, optional
        Limits on the size.

    Returns
    -------
    Table
        With the guesses made.

    Raises
    ------
    DataError
        If the file cannot be read, or only beyond the limits.

    Examples
    --------
    >>> table = read_table(b"a;b\\n1,5;2\\n2,5;3\\n", "small.csv")
    >>> table.columns, [(guess.what, guess.value) for guess in table.guesses][3:5]
    (('a', 'b'), [('delimiter', ';'), ('decimal', ',')])
    """
    choices, limits = choices or ReadChoices(), limits or Limits()
    limits.check_file_size(len(content))
    return read_in_child(content, filename, choices, limits)


def read_text(text: str, choices: ReadChoices | None = None, limits: Limits | None = None) -> Table:
    """Read pasted text: delimited rows, or svmlight lines.

    Parameters
    ----------
    text : str
        The text.
    choices : ReadChoices, optional
        Settings that are not to be guessed.
    limits : Limits, optional
        Limits on the size.

    Returns
    -------
    Table

    Raises
    ------
    DataError
        If the text cannot be read, or only beyond the limits.
    """
    choices, limits = choices or ReadChoices(), limits or Limits()
    limits.check_file_size(len(text))
    if len(text) > _LONG_TEXT:
        return read_in_child(text, None, choices, limits)
    return parse_text(text, choices, limits)


def parse_table(
    content: bytes, filename: str, choices: ReadChoices | None = None, limits: Limits | None = None
) -> Table:
    """Read a file as `read_table` does, but in this process and without limits on its resources."""
    choices, limits = choices or ReadChoices(), limits or Limits()
    limits.check_file_size(len(content))
    if not content:
        raise DataError("The file is empty.", hint="Choose a file with at least one row.")
    base, suffix = _split_name(filename)
    _refuse_pickle(content, suffix)
    if content.startswith(_GZIP_MAGIC):
        content = gunzip(content, limits)
        base, suffix = _split_name(base + ("" if suffix == ".gz" else suffix))
        _refuse_pickle(content, suffix)
        if not content:
            raise DataError("The compressed file is empty.", hint="Choose a file with data.")
    form, guesses = _settle_format(content, suffix, choices, limits)
    frame, more = _READERS[form](content, choices, limits)
    limits.check_names(frame.columns)
    return _table(frame, base, f"Read from the file '{base}{suffix}'.", [*guesses, *more])


def parse_text(text: str, choices: ReadChoices, limits: Limits) -> Table:
    """Read pasted text in this process."""
    check_readable(text)
    form, guesses = choices.format, []
    if form is None:
        form, why = _guess_text_format(text, "")
        guesses.append(Guess("format", form, why))
    if form not in ("delimited", "svmlight"):
        raise DataError(
            f"Pasted text cannot be of the format '{quoted(form)}'.",
            hint="Choose 'delimited' or 'svmlight'.",
        )
    frame, more = (_svmlight if form == "svmlight" else _delimited)(text, choices, limits)
    limits.check_names(frame.columns)
    return _table(frame, "pasted text", "Read from pasted text.", [*guesses, *more])


def _split_name(filename: str) -> tuple[str, str]:
    """Return the printable base name, and the suffix in lower case."""
    path = PurePosixPath(filename.replace("\\", "/"))
    shown = "".join(letter for letter in path.name if letter.isprintable())[-80:]
    suffix = PurePosixPath(shown).suffix
    return shown.removesuffix(suffix) or "file", suffix.lower()


def _refuse_pickle(content: bytes, suffix: str) -> None:
    protocol = _PICKLE_START.match(content) and content.rstrip(b"\0\n").endswith(b".")
    if suffix in _PICKLE_SUFFIXES or protocol:
        raise DataError(
            "This is a Python pickle, which can run code when opened; it was not opened.", hint=_USE
        )


def _settle_format(
    content: bytes, suffix: str, choices: ReadChoices, limits: Limits
) -> tuple[str, list[Guess]]:
    """Return the format (one of `FORMATS`) to read the content by."""
    if choices.format is not None:
        if choices.format not in FORMATS:
            raise DataError(
                f"There is no format called '{quoted(choices.format)}'.",
                hint=f"Choose one of {', '.join(FORMATS)}.",
            )
        return choices.format, []
    form, why = _guess_binary_format(content, limits)
    if not form:
        text, _ = decode(content, choices.encoding)
        form, why = _guess_text_format(text, suffix)
    return form, [Guess("format", form, why)]


def _guess_binary_format(content: bytes, limits: Limits) -> tuple[str, str]:
    for magic, what in _REFUSED.items():
        if content.startswith(magic):
            raise DataError(f"This is {what}, which cannot be read.", hint=_USE)
    if content.startswith(PARQUET_MAGIC):
        return "parquet", "The file starts as Parquet files do."
    if content.startswith(NPY_MAGIC):
        return "numpy", "The file starts as NumPy arrays do."
    if content.startswith(XLS_MAGIC):
        return "spreadsheet", "The file starts as old Excel workbooks do."
    if not content.startswith(_ZIP_MAGIC):
        return "", ""
    names = open_zip(content, limits).namelist()
    if any(name.endswith(".npy") for name in names):
        return "numpy", "The file is an archive of NumPy arrays."
    if any(name.startswith("xl/") or name == "content.xml" for name in names):
        return "spreadsheet", "The file is packed as workbooks are."
    raise DataError("This is a zip archive.", hint="Unpack it and choose one file from it.")


def _guess_text_format(text: str, suffix: str) -> tuple[str, str]:
    if looks_like_svmlight(text):
        return "svmlight", "The first lines are labels followed by index:value pairs."
    if suffix in _SVMLIGHT_SUFFIXES:
        return "svmlight", f"The name of the file ends in {suffix}."
    return "delimited", "The content is text, but not in svmlight format."


def _delimited(text: str, choices: ReadChoices, limits: Limits) -> Read:
    dialect, guesses = settle_dialect(text, choices)
    frame = read_records(lambda: records(text, dialect), dialect.decimal, choices.header, limits)
    return frame, guesses


def _svmlight(text: str, choices: ReadChoices, limits: Limits) -> Read:
    columns, values, row_numbers = read_svmlight(text, limits)
    return Frame(columns, values, row_numbers, ()), []


def _read_text_format(
    read: Callable[[str, ReadChoices, Limits], Read],
    content: bytes,
    choices: ReadChoices,
    limits: Limits,
) -> Read:
    text, guesses = decode(content, choices.encoding)
    frame, more = read(text, choices, limits)
    return frame, [*guesses, *more]


def _read_parquet(content: bytes, choices: ReadChoices, limits: Limits) -> Read:
    return _frame(*read_parquet(content, limits)), []


def _read_numpy(content: bytes, choices: ReadChoices, limits: Limits) -> Read:
    if content.startswith(NPY_MAGIC):
        return _frame(*read_npy(content, limits)), []
    if not content.startswith(_ZIP_MAGIC):
        raise DataError("This is not a NumPy file.", hint="Choose another format.")
    columns, guesses = read_npz(content, choices, limits)
    return _frame(*columns), guesses


def _frame(columns: tuple[str, ...], values: tuple[Column, ...]) -> Frame:
    row_numbers = np.arange(1, len(values[0]) + 1, dtype=np.int64)
    return Frame(columns, values, row_numbers, ())


_READERS: dict[str, Callable[[bytes, ReadChoices, Limits], Read]] = {
    "delimited": partial(_read_text_format, _delimited),
    "svmlight": partial(_read_text_format, _svmlight),
    "parquet": _read_parquet,
    "spreadsheet": read_spreadsheet,
    "numpy": _read_numpy,
}


def _table(frame: Frame, name: str, source: str, guesses: list[Guess]) -> Table:
    rows = frame.row_numbers
    blank = int(rows[-1] - rows[0]) + 1 - len(rows)
    if blank:
        source += f" {blank:,} blank {'row was' if blank == 1 else 'rows were'} left out."
    all_guesses = (*guesses, *frame.guesses)
    return Table(frame.columns, frame.values, rows, name, all_guesses, source)
