"""From a file or standard input to points: the options that all commands share, and reading."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nestviz.commands import numbers
from nestviz.commands.console import Console
from nestviz.commands.ending import FailedError, UsageError
from nestviz.commands.roles import ids_of, roles_of
from nestviz.data import DELIMITERS, FORMATS, Dataset, Limits, ReadChoices, Table, read_table
from nestviz.data.conversion import Converted, convert
from nestviz.data.dataset import subsample_rows
from nestviz.data.errors import listed
from nestviz.data.preparation import Preparation
from nestviz.data.roles import label_texts

STANDARD = "-"
"""The name that stands for standard input, and for standard output."""
_DELIMITERS = {name.split()[0]: sign for name, sign in DELIMITERS.items()} | {"bar": "|"}
_QUOTES = {"double": '"', "single": "'", "none": ""}


@dataclass(frozen=True, eq=False)
class Points:
    """Points of a file, with what is needed to find them there again.

    Attributes
    ----------
    own, fitted : Dataset
        In the units of the file, and as they are fitted.
    rows : ndarray of int of shape (n_points,)
        Row of the file, counted from 1, of each point.
    ids : dict of str to list
        Columns that identify the points: those of --id, or else those that look like it.
    total : int
        Number of rows of the file.
    preparation : Preparation or None
        The steps from the file to ``fitted``.
    """

    own: Dataset
    fitted: Dataset
    rows: npt.NDArray[np.int64]
    ids: dict[str, list[Any]]
    total: int
    preparation: Preparation | None

    def features(self) -> dict[str, Any]:
        """Return class, if there is one, and features in the units of the file."""
        classes = {} if self.own.y is None else {"class": self.own.y}
        return classes | dict(zip(self.own.feature_names, self.own.X.T, strict=True))


def add_options(parser: argparse.ArgumentParser, *, several: bool = False) -> None:
    """Add the file, or several of them, and the options of reading."""
    parser.add_argument(
        "data", nargs="*" if several else "?", default=STANDARD,
        help="CSV, TSV, Parquet, Excel, OpenDocument, NumPy or svmlight file, text also packed by "
        "gzip; - is standard input (the default)",
    )  # fmt: skip
    columns = parser.add_argument_group("columns (names; several separated by commas)")
    columns.add_argument("--features", action="append", metavar="NAMES", help="use these columns")
    columns.add_argument("--ignore", action="append", metavar="NAMES", help="leave these out")
    columns.add_argument(
        "--id", action="append", metavar="NAMES",
        help="no features, but repeated in the output (default: dates, names and numbers of rows)",
    )  # fmt: skip
    columns.add_argument("--label", metavar="NAME", help="the column of classes (default: a guess)")
    columns.add_argument("--no-label", action="store_true", help="there is no column of classes")
    columns.add_argument(
        "--positive", action="append", metavar="VALUE", help="value of the label that counts as +1"
    )
    rows = parser.add_argument_group("values")
    rows.add_argument(
        "--missing", choices=("drop", "mean"), default="drop",
        help="leave out rows with missing values, or fill in the mean (default: drop)",
    )  # fmt: skip
    rows.add_argument(
        "--standardise", "--standardize", action=argparse.BooleanOptionalAction, default=True,
        help="bring each feature to mean 0 and standard deviation 1 (default: yes, as in the app)",
    )  # fmt: skip
    rows.add_argument(
        "--most", type=numbers.positive, metavar="N", help="use N rows drawn at random"
    )
    rows.add_argument("--seed", type=numbers.whole, default=0, help="seed of that draw (0)")
    _add_reading(parser.add_argument_group("reading (default: guessed from the content)"))


def _add_reading(group: Any) -> None:
    group.add_argument("--input-format", choices=FORMATS, help="the format")
    group.add_argument("--encoding", metavar="NAME", help="of text, such as utf-8 or cp1252")
    group.add_argument(
        "--delimiter", type=_delimiter, metavar="SIGN",
        help="the sign itself, or comma, semicolon, tab, bar, spaces, none",
    )  # fmt: skip
    group.add_argument("--decimal", choices=(".", ","), help="decimal mark")
    group.add_argument("--quote", choices=tuple(_QUOTES), help="quotes around text")
    group.add_argument(
        "--header", action=argparse.BooleanOptionalAction, default=None,
        help="whether the first row has names",
    )  # fmt: skip
    group.add_argument("--sheet", metavar="NAME", help="sheet of a workbook")
    group.add_argument("--array", metavar="NAME", help="array of an .npz file")


def read_points(options: argparse.Namespace, console: Console) -> Points:
    """Return the points of a file, prepared as the options say."""
    table = read_file(options, console)
    roles = roles_of(table, options)
    own = convert(table, replace(roles, standardise=False))
    preparation = Preparation.of(table, roles, own)
    known = {*(roles.features or ()), roles.label, *roles.ids}
    unused = [name for name in table.columns if name not in known]
    if unused and not options.features and not options.ignore:
        console.say(f"Columns that are not used: {listed(unused)}.")
    for sentence in own.dataset.provenance[1:]:
        console.note(sentence)
    return _points(table, own, preparation, options, console)


def read_new_points(
    options: argparse.Namespace, preparation: Preparation | None, features: int, console: Console
) -> Points:
    """Return the points of a file for a model, prepared as those that it was fitted to."""
    table = read_file(options, console)
    if preparation is not None:
        used = {feature.column for feature in preparation.features}
        ids = ids_of(table, options, used)
        return _points(table, preparation.apply(table, ids), preparation, options, console)
    own = convert(table, replace(roles_of(table, options), standardise=False))
    if own.dataset.d != features:
        raise UsageError(
            f"The model has {features} features, the file {own.dataset.d}: choose them by "
            "--features, in the order of the model."
        )
    console.say("The model does not say how its data were prepared: features are used as they are.")
    return _points(table, own, None, options, console)


def _points(
    table: Table,
    own: Converted,
    preparation: Preparation | None,
    options: argparse.Namespace,
    console: Console,
) -> Points:
    data, records = own
    fitted = data if preparation is None else preparation.scaled(data)
    left_out = table.n_rows - len(records)
    if left_out:
        some = "1 row is" if left_out == 1 else f"{left_out:,} rows are"
        console.say(f"{some} left out of {table.n_rows:,}, for missing values or classes.")
    if options.most is not None and options.most < data.n:
        kept = subsample_rows(data, options.most, options.seed)
        why = f"{len(kept):,} of {data.n:,} points were drawn at random (seed {options.seed})."
        data, fitted, records = data.take(kept, why), fitted.take(kept, why), records[kept]
        console.say(why)
    shown = data.annotations.ids if data.annotations else ()
    ids = {name: _values(table, name, records) for name in shown}
    rows = table.row_numbers[records]
    return Points(data, fitted, rows, ids, table.n_rows, preparation)


def _values(table: Table, name: str, records: npt.NDArray[np.intp]) -> list[Any]:
    """Return the cells of a column: text, whole numbers without a point, None where missing."""
    written, values = label_texts(table, name)[records], table.column(name)[records]
    if table.is_numeric(name):
        return [
            None if not text else int(text) if text.lstrip("-").isdecimal() else float(value)
            for text, value in zip(written, values, strict=True)
        ]
    return [text or None for text in written]


def read_file(options: argparse.Namespace, console: Console) -> Table:
    """Return the table in the file of the options."""
    choices = ReadChoices(
        format=options.input_format,
        encoding=options.encoding,
        delimiter=options.delimiter,
        decimal=options.decimal,
        quote=None if options.quote is None else _QUOTES[options.quote],
        header=options.header,
        sheet=options.sheet,
        array=options.array,
    )
    standard = options.data == STANDARD
    content = _standard_input() if standard else _content(Path(options.data))
    name = "standard input" if standard else Path(options.data).name
    table = read_table(content, name, choices)
    for guess in table.guesses:
        console.note(f"{guess.what}: {guess.value!r}. {guess.why}")
    return table


def _standard_input() -> bytes:
    if sys.stdin.isatty():
        raise UsageError("Give a file, or rows on standard input: nestviz … < data.csv")
    return sys.stdin.buffer.read(Limits().max_bytes + 1)


def _content(path: Path) -> bytes:
    most = Limits().max_bytes
    try:
        with path.open("rb") as file:
            if path.is_file():
                Limits().check_file_size(os.fstat(file.fileno()).st_size)
            return file.read(most + 1)
    except OSError as error:
        raise FailedError(f"'{path}' cannot be read: {error.strerror}.") from error


def _delimiter(text: str) -> str:
    sign = _DELIMITERS.get(text, text.replace("\\t", "\t"))
    if sign in DELIMITERS.values():
        return sign
    raise argparse.ArgumentTypeError(f"choose one of {', '.join(_DELIMITERS)}, not {text!r}")
