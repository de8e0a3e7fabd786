"""Read one sheet of a workbook in a separate process.

The spreadsheet library is native code: on a damaged workbook it may abort or allocate any amount of
memory. Run as a script, this file can fail without ending the caller. The request is the first
argument and the workbook is standard input; on standard output the first line describes the sheet
and each further line is one row, all as JSON.
"""

from __future__ import annotations

import datetime
import io
import json
import sys
from typing import Any


def _limit_memory(size: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limit; the process boundary still holds.
        return
    resource.setrlimit(resource.RLIMIT_AS, (size, size))


def _text(cell: object) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, (datetime.date, datetime.time)):
        return cell.isoformat()
    return str(cell)


def _visible_sheets(workbook: Any) -> list[str]:
    from python_calamine import SheetTypeEnum, SheetVisibleEnum

    visible = [
        sheet.name
        for sheet in workbook.sheets_metadata
        if sheet.typ == SheetTypeEnum.WorkSheet and sheet.visible == SheetVisibleEnum.Visible
    ]
    return visible or list(workbook.sheet_names)


def _choose(workbook: Any, names: list[str], wanted: str | None) -> Any:
    """Return the sheet asked for, or the first one with data; None if there is none."""
    if wanted is not None:
        return workbook.get_sheet_by_name(wanted) if wanted in workbook.sheet_names else None
    sheets = (workbook.get_sheet_by_name(name) for name in names)
    return next((sheet for sheet in sheets if sheet.start is not None), None)


def _answer(request: dict[str, Any], content: io.BytesIO) -> None:
    from python_calamine import CalamineWorkbook

    workbook = CalamineWorkbook.from_filelike(content)
    names = _visible_sheets(workbook)
    sheet = _choose(workbook, names, request["sheet"])
    # Rows above the first filled one count too: they come out as blank.
    rows, columns = (
        (0, 0) if sheet is None or sheet.end is None else (sheet.end[0] + 1, sheet.width)
    )
    about = {"sheets": names, "sheet": sheet and sheet.name, "rows": rows, "columns": columns}
    print(json.dumps(about))
    fits = rows <= request["max_rows"] and columns <= request["max_columns"]
    if sheet is not None and fits and rows * columns <= request["max_cells"]:
        for row in sheet.iter_rows():
            print(json.dumps([_text(cell) for cell in row]))


def main() -> None:
    """Answer the request in the first argument."""
    from python_calamine import CalamineError, PasswordError

    request = json.loads(sys.argv[1])
    content = io.BytesIO(sys.stdin.buffer.read())
    _limit_memory(request["max_memory"])
    try:
        _answer(request, content)
    except PasswordError:
        print(json.dumps({"fault": "password"}))
    except CalamineError as fault:
        print(json.dumps({"fault": str(fault)}))


if __name__ == "__main__":
    main()
