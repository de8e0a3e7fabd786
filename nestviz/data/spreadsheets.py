"""Excel and OpenDocument workbooks."""

from __future__ import annotations

import datetime
import importlib.util
import io
from collections.abc import Iterator, Sequence
from typing import Any

from nestviz.data.archives import open_zip, read_member
from nestviz.data.errors import DataError, quoted
from nestviz.data.limits import Limits
from nestviz.data.records import Frame, read_records
from nestviz.data.tables import Guess, ReadChoices

XLS_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SHOWN = 5


def read_spreadsheet(
    content: bytes, choices: ReadChoices, limits: Limits
) -> tuple[Frame, list[Guess]]:
    """Read one sheet of a workbook.

    The spreadsheet library is native code: on a damaged workbook it may abort or allocate any
    amount of memory. Only the process that reads files calls this.
    """
    if importlib.util.find_spec("python_calamine") is None:
        raise DataError(
            "Workbooks need the package python-calamine, which is not installed.",
            hint='Install it with: pip install "nestviz[io]"',
        )
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError

    if content.startswith(b"PK"):
        _check_unpacking(content, limits)
    try:
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(content))
        names = _visible_sheets(workbook)
        sheet = _choose(workbook, names, choices.sheet)
    except PasswordError as fault:
        raise DataError(
            "The workbook is protected by a password.", hint="Save it without one."
        ) from fault
    except CalamineError as fault:
        raise DataError(
            f"The workbook cannot be read ({quoted(str(fault))}).",
            hint="Open it in a spreadsheet program and save it again, or save it as CSV.",
        ) from fault
    # Rows above the first filled one count too: they come out as blank.
    limits.check_shape(sheet.end[0] + 1, sheet.width)
    guesses = []
    if choices.sheet is None:
        why = f"It is the first sheet with data, of {_listed(names)}."
        guesses.append(Guess("sheet", sheet.name, why))

    def open_rows() -> Iterator[list[str]]:
        rows = enumerate(sheet.iter_rows(), 1)
        return ([_text(cell, row, limits) for cell in cells] for row, cells in rows)

    frame = read_records(open_rows, choices.decimal or ".", choices.header, limits)
    return frame, guesses


def _check_unpacking(content: bytes, limits: Limits) -> None:
    """Unpack every member once, counting, since a declared size may be false."""
    archive = open_zip(content, limits)
    total = 0
    for name in archive.namelist():
        total += len(read_member(archive, name, limits))
        limits.check_unpacked_size(total)


def _visible_sheets(workbook: Any) -> list[str]:
    from python_calamine import SheetTypeEnum, SheetVisibleEnum

    visible = [
        sheet.name
        for sheet in workbook.sheets_metadata
        if sheet.typ == SheetTypeEnum.WorkSheet and sheet.visible == SheetVisibleEnum.Visible
    ]
    return visible or list(workbook.sheet_names)


def _choose(workbook: Any, names: list[str], wanted: str | None) -> Any:
    """Return the sheet asked for, or the first one with data."""
    if wanted is not None and wanted not in workbook.sheet_names:
        raise DataError(
            f"The workbook has no sheet called '{quoted(wanted)}'.",
            hint=f"Choose one of {_listed(names)}.",
        )
    for name in names if wanted is None else [wanted]:
        sheet = workbook.get_sheet_by_name(name)
        if sheet.end is not None:
            return sheet
    raise DataError("The workbook has no data.", hint="Choose a sheet with at least a row.")


def _listed(names: Sequence[str]) -> str:
    """Return the first few names, and how many more there are."""
    shown = [quoted(name, 80 // _SHOWN) for name in names[:_SHOWN]]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")


def _text(cell: object, row: int, limits: Limits) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, (datetime.date, datetime.time)):
        return cell.isoformat()
    text = str(cell)
    limits.check_cell(len(text), row)
    return text
