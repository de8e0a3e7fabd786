"""NumPy files (.npy, .npz), read without loading a pickle."""

from __future__ import annotations

import io
import math
import sys
import tokenize
import warnings
import zipfile

import numpy as np
import numpy.typing as npt

from nestviz.data.archives import open_zip, read_member
from nestviz.data.cells import texts
from nestviz.data.errors import DataError, listed, quoted
from nestviz.data.limits import Limits
from nestviz.data.tables import Column, Guess, ReadChoices

NPY_MAGIC = b"\x93NUMPY"
_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
# What a damaged header, or a shape or type that makes no sense, may raise inside NumPy.
_DAMAGE = (
    ValueError, KeyError, TypeError, SyntaxError, OverflowError, tokenize.TokenError,
    RecursionError, MemoryError, AttributeError, IndexError, SystemError,
)  # fmt: skip
Columns = tuple[tuple[str, ...], tuple[Column, ...]]


def read_npy(content: bytes, limits: Limits) -> Columns:
    """Read the columns of the array in an .npy file."""
    return _columns(_load(content, limits), limits)


def read_npz(content: bytes, choices: ReadChoices, limits: Limits) -> tuple[Columns, list[Guess]]:
    """Read the columns of one array of an .npz file, with a matching `y` as the last column."""
    archive = open_zip(content, limits)
    members = {m.removesuffix(".npy"): m for m in archive.namelist() if m.endswith(".npy")}
    if not members:
        raise DataError("The archive contains no NumPy array.", hint="Save it with numpy.savez.")
    if choices.array is not None:
        if choices.array not in members:
            raise DataError(
                f"The file has no array called '{quoted(choices.array)}'.",
                hint=f"Choose one of {listed(members)}.",
            )
        chosen = read_member(archive, members[choices.array], limits)
        return read_npy(chosen, limits), []
    name = next((key for key in ("X", "x", "data") if key in members), next(iter(members)))
    array = _load(read_member(archive, members[name], limits), limits)
    names, values = _columns(array, limits)
    labels = _matching_labels(archive, members, name, len(values[0]), limits)
    others = [key for key in members if key not in (name, *labels)]
    why = f"The file also contains {listed(others)}." if others else "There is no other array."
    if labels:
        why = f"It is the usual name for points; {', '.join(labels)} goes with it. {why}"
    names += tuple(labels)
    values += tuple(labels.values())
    return (names, values), [Guess("array", name, why)]


def _matching_labels(
    archive: zipfile.ZipFile, members: dict[str, str], name: str, rows: int, limits: Limits
) -> dict[str, Column]:
    """Return the array y if it accompanies X and has one entry for each row."""
    if name not in ("X", "x", "data"):
        return {}
    for key in ("y", "Y", "target", "labels"):
        if key in members:
            array = _load(read_member(archive, members[key], limits), limits)
            if array.shape in ((rows,), (rows, 1)) and array.dtype.names is None:
                return {key: _column(array.reshape(rows))}
    return {}


def _load(content: bytes, limits: Limits) -> np.ndarray:
    """Read the array of an .npy file after checking its size from the header."""
    stream = io.BytesIO(content)
    try:
        with warnings.catch_warnings():
            # A damaged header may also only warn.
            warnings.simplefilter("ignore")
            read_header = _HEADERS[np.lib.format.read_magic(stream)]
            shape, fortran, dtype = read_header(stream)
    except _DAMAGE as fault:
        raise _damaged_header() from fault
    _refuse_objects(dtype)
    if any(type(size) is not int or size < 0 for size in shape):
        raise _damaged_header()
    count = math.prod(shape)
    limits.check_unpacked_size(count * dtype.itemsize)
    if len(content) - stream.tell() < count * dtype.itemsize:
        raise DataError(
            "The NumPy array is cut short: its header announces more than the file contains.",
            hint="Save or download it again.",
        )
    if count == 0 or dtype.itemsize == 0:
        raise DataError("The NumPy array is empty.", hint="Save an array with at least one row.")
    try:
        flat = np.frombuffer(content, dtype=dtype, count=count, offset=stream.tell())
        return flat.reshape(shape, order="F" if fortran else "C")
    except _DAMAGE as fault:
        raise _damaged_header() from fault


def _damaged_header() -> DataError:
    problem = "The header of the NumPy array is damaged."
    return DataError(problem, hint="Save it again with numpy.save.")


def _refuse_objects(dtype: np.dtype) -> None:
    if dtype.hasobject:
        raise DataError(
            "The NumPy array contains Python objects as a pickle, which can run code when opened; "
            "it was not opened.",
            hint="Save an array of numbers, or write the table to CSV.",
        )


def _columns(array: np.ndarray, limits: Limits) -> Columns:
    if array.dtype.names is not None:
        return _structured_columns(array, limits)
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2:
        raise DataError(
            f"The NumPy array has {array.ndim} dimensions; a table has two.",
            hint="Reshape it to one row per point before saving.",
        )
    limits.check_shape(*array.shape)
    names = tuple(f"x{j + 1}" for j in range(array.shape[1]))
    return names, tuple(_column(array[:, j]) for j in range(array.shape[1]))


def _structured_columns(array: np.ndarray, limits: Limits) -> Columns:
    fields = array.dtype.names or ()
    if array.ndim != 1 or any(array.dtype[name].shape for name in fields):
        raise DataError(
            "The NumPy array has named fields of more than one number each.",
            hint="Save one array of one row per point.",
        )
    limits.check_shape(len(array), len(fields))
    return tuple(fields), tuple(_column(array[name]) for name in fields)


def _column(values: npt.NDArray) -> Column:
    kind = values.dtype.kind
    if kind in "biuf":
        with np.errstate(over="ignore", invalid="ignore"):
            return np.array(values, dtype=np.float64)
    if kind == "S":
        return texts([value.decode("latin-1") for value in values.tolist()])
    if kind == "U":
        return texts(_unicode(values))
    # Dates and durations without a unit have no meaning.
    if kind in "Mm" and np.datetime_data(values.dtype)[0] != "generic":
        return texts([str(value) for value in values])
    raise DataError(
        f"The NumPy array contains values of type {quoted(str(values.dtype))}, which are not "
        "numbers.",
        hint="Save real numbers or text.",
    )


def _unicode(values: npt.NDArray) -> list[str]:
    """Return texts, with U+FFFD for numbers beyond the last character, which NumPy cannot read."""
    code = np.dtype(np.uint32).newbyteorder(values.dtype.byteorder)
    codes = np.ascontiguousarray(values).view(code).astype(np.uint32)
    codes[codes > sys.maxunicode] = ord("\N{REPLACEMENT CHARACTER}")
    found: list[str] = codes.view(f"U{values.dtype.itemsize // 4}").tolist()
    return found
