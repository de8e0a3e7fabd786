"""Files of every format, written by hand where no writer is at hand."""

import io
import struct
import zipfile

import numpy as np
import pytest

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_SECTOR = 512


def zipped(members):
    """A zip archive of the given members, name -> text or bytes."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target.getvalue()


def _letter(j):
    return chr(ord("A") + j)


def sheet_xml(rows, first_row=1):
    """One worksheet; numbers stay numbers, True and False booleans, the rest inline text."""
    lines = []
    for i, row in enumerate(rows, first_row):
        cells = []
        for j, value in enumerate(row):
            at = f'r="{_letter(j)}{i}"'
            if isinstance(value, bool):
                cells.append(f'<c {at} t="b"><v>{int(value)}</v></c>')
            elif isinstance(value, (int, float)):
                cells.append(f"<c {at}><v>{value!r}</v></c>")
            elif value:
                cells.append(f'<c {at} t="inlineStr"><is><t>{value}</t></is></c>')
        lines.append(f'<row r="{i}">{"".join(cells)}</row>')
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{"".join(lines)}</sheetData></worksheet>'


def xlsx_members(sheets):
    """Members of an .xlsx archive; sheets: name -> worksheet XML."""
    entries = "".join(
        f'<sheet name="{name}" sheetId="{k}" r:id="rId{k}"/>' for k, name in enumerate(sheets, 1)
    )
    links = "".join(
        f'<Relationship Id="rId{k}" Type="{_DOCUMENT}/worksheet" Target="worksheets/s{k}.xml"/>'
        for k in range(1, len(sheets) + 1)
    )
    members = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="rId1" '
        f'Type="{_DOCUMENT}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_DOCUMENT}">'
        f"<sheets>{entries}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}">{links}</Relationships>',
    }
    for k, xml in enumerate(sheets.values(), 1):
        members[f"xl/worksheets/s{k}.xml"] = xml
    return members


def xlsx(rows, first_row=1):
    return zipped(xlsx_members({"Data": sheet_xml(rows, first_row)}))


def ods(rows, repeat_rows=1, repeat_columns=1):
    space = "urn:oasis:names:tc:opendocument:xmlns"
    lines = []
    for row in rows:
        cells = []
        for value in row:
            many = f'table:number-columns-repeated="{repeat_columns}"' * (repeat_columns > 1)
            if isinstance(value, (int, float)):
                kind = f'office:value-type="float" office:value="{value!r}"'
            else:
                kind = 'office:value-type="string"'
            cells.append(
                f"<table:table-cell {kind} {many}><text:p>{value}</text:p></table:table-cell>"
            )
        many = f' table:number-rows-repeated="{repeat_rows}"' * (repeat_rows > 1)
        lines.append(f"<table:table-row{many}>{''.join(cells)}</table:table-row>")
    content = (
        f'<office:document-content xmlns:office="{space}:office:1.0" '
        f'xmlns:table="{space}:table:1.0" xmlns:text="{space}:text:1.0"><office:body>'
        f'<office:spreadsheet><table:table table:name="Data">{"".join(lines)}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        f'<manifest:manifest xmlns:manifest="{space}:manifest:1.0"><manifest:file-entry '
        f'manifest:full-path="/" manifest:media-type="{kind}"/></manifest:manifest>'
    )
    return zipped({"mimetype": kind, "META-INF/manifest.xml": manifest, "content.xml": content})


def _record(kind, data):
    return struct.pack("<HH", kind, len(data)) + data


def _biff(rows, dimensions):
    begin_book = _record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0005, 0, 0, 0, 0))
    begin_sheet = _record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0010, 0, 0, 0, 0))
    end = _record(0x000A, b"")
    name = b"Data"
    entry_size = 4 + 6 + 2 + len(name)
    start = len(begin_book) + entry_size + len(end)
    entry = _record(0x0085, struct.pack("<IHBB", start, 0, len(name), 0) + name)
    cells = []
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            at = struct.pack("<HHH", i, j, 0)
            if isinstance(value, str):
                text = struct.pack("<HB", len(value), 0) + value.encode("latin-1")
                cells.append(_record(0x0204, at + text))
            else:
                cells.append(_record(0x0203, at + struct.pack("<d", value)))
    last = dimensions or (len(rows), max(map(len, rows)))
    extent = _record(0x0200, struct.pack("<IIHHH", 0, last[0], 0, last[1], 0))
    return begin_book + entry + end + begin_sheet + extent + b"".join(cells) + end


def _directory_entry(name, kind, child, start, size):
    wide = name.encode("utf-16-le") + b"\0\0"
    entry = wide.ljust(64, b"\0") + struct.pack("<HBB", len(wide), kind, 1)
    entry += struct.pack("<III", 0xFFFFFFFF, 0xFFFFFFFF, child) + bytes(36)
    return entry + struct.pack("<IQ", start, size)


def xls(rows, dimensions=None):
    """A workbook of the old kind: one stream of records in a compound file."""
    stream = _biff(rows, dimensions)
    # Streams shorter than 4,096 bytes would live in a second, smaller file system.
    stream = stream.ljust(max(4096, -(-len(stream) // _SECTOR) * _SECTOR), b"\0")
    count = len(stream) // _SECTOR
    chain = [0xFFFFFFFD, 0xFFFFFFFE, *range(3, count + 2), 0xFFFFFFFE]
    chain += [0xFFFFFFFF] * (128 - len(chain))
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    header += struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    header += struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0)
    header += struct.pack("<I", 0) + b"\xff" * (4 * 108)
    directory = _directory_entry("Root Entry", 5, 1, 0xFFFFFFFE, 0)
    directory += _directory_entry("Workbook", 2, 0xFFFFFFFF, 2, len(stream))
    fat = struct.pack("<128I", *chain)
    return header + fat + directory.ljust(_SECTOR, b"\0") + stream


def npy(array):
    target = io.BytesIO()
    np.save(target, array, allow_pickle=True)
    return target.getvalue()


def npz(**arrays):
    target = io.BytesIO()
    np.savez_compressed(target, **arrays)
    return target.getvalue()


def parquet(columns):
    import pyarrow as pa
    import pyarrow.parquet as pq

    target = io.BytesIO()
    pq.write_table(pa.table(columns), target)
    return target.getvalue()


class Writers:
    """All writers, as one fixture."""

    zipped = staticmethod(zipped)
    sheet_xml = staticmethod(sheet_xml)
    xlsx_members = staticmethod(xlsx_members)
    xlsx = staticmethod(xlsx)
    ods = staticmethod(ods)
    xls = staticmethod(xls)
    npy = staticmethod(npy)
    npz = staticmethod(npz)
    parquet = staticmethod(parquet)


@pytest.fixture(scope="session")
def write():
    return Writers
