"""The svmlight / libsvm text format: a label, then index:value pairs."""

from __future__ import annotations

import re
from array import array

import numpy as np

from nestviz.data.cells import DECIMAL, number, numbers, texts
from nestviz.data.errors import DataError, first_repeat, quoted
from nestviz.data.limits import Limits
from nestviz.data.tables import Column

_NUMBER = rf"[-+]?{DECIMAL}"
_LINE = re.compile(rf"{_NUMBER}(?:,{_NUMBER})*(?:\s+qid:[0-9]+)?(?:\s+[0-9]+:{_NUMBER})*\s*")
_PAIR = re.compile(r"\s[0-9]+:")
_LOOK, _LOOK_LETTERS = 50, 20_000


def looks_like_svmlight(text: str) -> bool:
    """Return whether the first lines are labels with index:value pairs, at least one pair."""
    start = text[:_LOOK_LETTERS]
    if len(text) > len(start):
        # Do not judge by a pair that is cut short.
        start = start.rpartition(" ")[0]
    lines = [line.partition("#")[0].strip() for line in start.splitlines()[: _LOOK + 1]]
    # The last line of the excerpt may be cut short.
    lines = [line for line in (lines[:-1] if len(lines) > 1 else lines) if line]
    fits = all(_LINE.fullmatch(line) for line in lines)
    return bool(lines) and fits and any(_PAIR.search(line) for line in lines)


def read_svmlight(
    text: str, limits: Limits
) -> tuple[tuple[str, ...], tuple[Column, ...], np.ndarray]:
    """Read names, columns and row numbers of a text in svmlight format.

    Features are named by their index in the file, from x1, or from x0 if index 0 occurs. An index
    that a line leaves out stands for the value 0. The label is the last column.
    """
    labels: list[str] = []
    rows: list[int] = []
    record, feature, values = array("q"), array("q"), array("d")
    largest, smallest = 0, 1
    for row, line in enumerate(text.splitlines(), 1):
        label, *parts = line.partition("#")[0].split() or [""]
        if not label:
            continue
        pairs = [_pair(part, row) for part in parts if not part.startswith("qid:")]
        indices = [index for index, _ in pairs]
        _check_indices(indices, row)
        largest, smallest = max([largest, *indices]), min([smallest, *indices])
        limits.check_shape(len(rows) + 1, largest)
        record.extend([len(rows)] * len(pairs))
        feature.extend(indices)
        values.extend([value for _, value in pairs])
        labels.append(label)
        rows.append(row)
    if not values:
        raise DataError(
            "No line has an index:value pair.", hint="Check that the file is in svmlight format."
        )
    X = np.zeros((largest + 1, len(rows)))
    X[np.frombuffer(feature, dtype=np.int64), np.frombuffer(record, dtype=np.int64)] = values
    names = tuple(f"x{j}" for j in range(smallest, largest + 1))
    return (*names, "label"), (*X[smallest:], _labels(labels)), np.array(rows, dtype=np.int64)


def _labels(cells: list[str]) -> Column:
    values = numbers(cells)
    return texts(cells) if values is None else values


def _check_indices(indices: list[int], row: int) -> None:
    twice = first_repeat(indices)
    if twice is not None:
        raise DataError(
            f"Index {twice} comes twice in this line.", row=row, hint="Keep one of the two."
        )


def _pair(part: str, row: int) -> tuple[int, float]:
    index, colon, value = part.partition(":")
    parsed = number(value) if colon else None
    if parsed is None or not index.isascii() or not index.isdigit() or len(index) > 9:
        raise DataError(
            f"'{quoted(part)}' is not an index:value pair.",
            row=row,
            hint="Write a whole number, a colon and a number, such as 3:0.5.",
        )
    return int(index), parsed
