"""Every format in, columns by name, rows that keep their numbers, and sentences for bad files."""

import gzip
import io
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_runs import MOONS, SENSORS, STATIONS, one_sentence

QUICK = ("--method", "parzen")
NAMES = ("height", "weight", "kind")
X = np.round(np.random.default_rng(3).normal(size=(24, 2)), 3)
KINDS = ["a", "b", "a"] * 8


def delimited(sign, decimal="."):
    def text(x):
        return repr(float(x)).replace(".", decimal)

    lines = [sign.join(NAMES)]
    lines += [sign.join((text(a), text(b), kind)) for (a, b), kind in zip(X, KINDS, strict=True)]
    return "\n".join(lines).encode() + b"\n"


def parquet():
    out = io.BytesIO()
    columns = [X[:, 0], X[:, 1], KINDS]
    pq.write_table(pa.table(dict(zip(NAMES, columns, strict=True))), out)
    return out.getvalue()


def npy(**arrays):
    out = io.BytesIO()
    kinds = [("height", float), ("weight", float), ("kind", "U1")]
    rows = [(*x, kind) for x, kind in zip(X.tolist(), KINDS, strict=True)]
    np.save(out, np.array(rows, dtype=kinds))
    return out.getvalue()


def cell(row, column, value):
    at = f'r="{"ABC"[column]}{row}"'
    if isinstance(value, str):
        return f'<c {at} t="inlineStr"><is><t>{value}</t></is></c>'
    return f"<c {at}><v>{float(value)!r}</v></c>"


def workbook():
    space = "http://schemas.openxmlformats.org"
    rows = [NAMES, *((*x, kind) for x, kind in zip(X, KINDS, strict=True))]
    body = "".join(
        f'<row r="{k}">{"".join(cell(k, j, value) for j, value in enumerate(row))}</row>'
        for k, row in enumerate(rows, 1)
    )
    main, inner = f"{space}/spreadsheetml/2006/main", f"{space}/officeDocument/2006/relationships"
    links = f'<Relationships xmlns="{space}/package/2006/relationships">'
    files = {
        "_rels/.rels": f'{links}<Relationship Id="r1" Type="{inner}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{inner}"><sheets>'
        '<sheet name="points" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'{links}<Relationship Id="r1" Type="{inner}/worksheet" '
        'Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{body}</sheetData>'
        "</worksheet>",
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


FILES = {
    "semicolons.csv": (delimited(";", ","), 1),
    "tabs.tsv": (delimited("\t"), 1),
    "packed.csv.gz": (gzip.compress(delimited(",")), 1),
    "points.parquet": (parquet(), 0),
    "points.npy": (npy(), 0),
    "points.xlsx": (workbook(), 1),
}


@pytest.fixture(scope="module")
def csv_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "points.csv"
    path.write_bytes(delimited(","))
    return path


@pytest.mark.parametrize("name", FILES)
def test_every_format_gives_the_same_ranks(nestviz, csv_file, tmp_path, name):
    content, header = FILES[name]
    (tmp_path / name).write_bytes(content)
    ran = nestviz("rank", tmp_path / name, *QUICK)
    rows = nestviz("rank", csv_file, *QUICK).rows
    for row in rows:
        row["row"] = str(int(row["row"]) - 1 + header)
    assert (ran.status, ran.rows) == (0, rows)


def test_svmlight_is_read(nestviz, tmp_path):
    lines = [f"{'+1' if kind == 'a' else '-1'} 1:{a!r} 2:{b!r}" for (a, b), kind in
             zip(X.tolist(), KINDS, strict=True)]  # fmt: skip
    (tmp_path / "points.svm").write_text("\n".join(lines))
    ran = nestviz("rank", tmp_path / "points.svm", *QUICK)
    assert ran.status == 0
    assert sorted(ran.column("row", int)) == list(range(1, 25))
    assert {row["class"] for row in ran.rows} == {"1", "-1"}


def test_standard_input_is_a_file_too(nestviz, csv_file, monkeypatch):
    from_file = nestviz("rank", csv_file, *QUICK).out
    for given in (("-",), ()):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(csv_file.read_bytes())))
        assert nestviz("rank", *given, *QUICK).out == from_file


def test_rows_left_out_keep_the_numbers_of_the_others(nestviz, tmp_path):
    lines = delimited(",").decode().splitlines()
    for row in (2, 5, 9):
        lines[row - 1] = f",{lines[row - 1].partition(',')[2]}"
    lines.insert(11, "")
    (tmp_path / "gaps.csv").write_text("\n".join(lines))
    ran = nestviz("rank", tmp_path / "gaps.csv", *QUICK)
    assert sorted(ran.column("row", int)) == sorted({*range(2, 27)} - {2, 5, 9, 12})
    assert "3 rows are left out of 24" in ran.err
    for row in ran.rows:
        assert lines[int(row["row"]) - 1].split(",")[:2] == [row["height"], row["weight"]]
    filled = nestviz("rank", tmp_path / "gaps.csv", *QUICK, "--missing", "mean")
    assert sorted(filled.column("row", int)) == sorted({*range(2, 27)} - {12})


def test_columns_are_chosen_by_name(nestviz, csv_file):
    def columns(*options):
        ran = nestviz("rank", csv_file, *QUICK, *options)
        assert ran.status == 0, ran.err
        return list(ran.rows[0])

    own = ["rank", "score", "level", "tied", "flagged", "extrapolated", "ambiguous", "volume"]
    own += ["top_feature", "top_value", "top_median", "top_robust_z"]
    assert columns() == ["row", *own, "class", "height", "weight"]
    assert columns("--features", "weight") == ["row", *own, "class", "weight"]
    assert columns("--features", "weight,height", "--no-label")[-2:] == ["weight", "height"]
    assert columns("--ignore", "weight") == ["row", *own, "class", "height"]
    assert columns("--id", "kind") == ["row", "kind", *own, "height", "weight"]
    assert columns("--no-label")[-2:] == ["height", "weight"]
    assert columns("--features", "height,kind")[-2:] == ["height", "kind=b"]


def test_identifiers_are_repeated_unasked(nestviz, tmp_path):
    lines = ["id,day,size,weight"]
    lines += [f"{100 + k},2024-01-{k + 1:02d},{k % 5}.5,{k * k % 11}" for k in range(20)]
    (tmp_path / "days.csv").write_text("\n".join(lines))
    ran = nestviz("rank", tmp_path / "days.csv", *QUICK)
    assert list(ran.rows[0])[:3] == ["row", "id", "day"]
    assert list(ran.rows[0])[-2:] == ["size", "weight"]
    for row in ran.rows:
        assert int(row["id"]) == 98 + int(row["row"])
    fitted = nestviz("rank", tmp_path / "days.csv", *QUICK, "--features", "id,size")
    assert list(fitted.rows[0])[:2] == ["row", "day"]
    assert list(fitted.rows[0])[-2:] == ["id", "size"]
    by_volume = nestviz("rank", tmp_path / "days.csv", *QUICK, "--score", "volume")
    assert by_volume.column("score") == ran.column("volume")
    assert by_volume.column("rank") == ran.column("rank")


def test_ties_that_keep_points_from_being_flagged_are_said(nestviz, csv_file):
    narrow = nestviz("rank", csv_file, "--method", "parzen", "--width", "0.001")
    assert "points tie at the top" in narrow.err
    assert set(narrow.column("flagged", str)) == {"False"}


def test_features_are_in_the_units_of_the_file(nestviz, csv_file):
    scaled = nestviz("rank", csv_file, *QUICK).rows
    plain = nestviz("rank", csv_file, *QUICK, "--no-standardise").rows
    for rows in (scaled, plain):
        found = {int(row["row"]): (float(row["height"]), float(row["weight"])) for row in rows}
        assert [found[k] for k in range(2, 26)] == [tuple(x) for x in X.tolist()]
    assert [row["level"] for row in scaled] != [row["level"] for row in plain]


def test_a_name_that_is_taken_gets_an_underscore(nestviz, tmp_path):
    (tmp_path / "names.csv").write_text("rank,row,level\n1,2,3\n4,5,7\n2,2,2\n9,9,1\n")
    ran = nestviz("rank", tmp_path / "names.csv", *QUICK, "--id", "rank")
    assert list(ran.rows[0])[:3] == ["row", "rank_", "rank"]
    assert list(ran.rows[0])[-2:] == ["row_", "level_"]
    assert {row["row"]: row["rank_"] for row in ran.rows} == {
        "2": "1",
        "3": "4",
        "4": "2",
        "5": "9",
    }


def test_a_part_of_the_rows_is_that_of_the_app(nestviz):
    from nestviz.data import read_table, subsample, to_dataset

    with open(MOONS, "rb") as file:
        data = subsample(to_dataset(read_table(file.read(), "two-moons.csv")), 40, 7)
    ran = nestviz("fit", MOONS, *QUICK, "--most", 40, "--seed", 7, "--format", "csv")
    assert len(ran.rows) == 40
    whole = nestviz("fit", MOONS, *QUICK, "--format", "csv").rows
    places = {row["row"]: (row["x1"], row["x2"]) for row in whole}
    assert all(places[row["row"]] == (row["x1"], row["x2"]) for row in ran.rows)
    assert [int(row["class"]) for row in ran.rows] == data.y.tolist()


def test_reading_can_be_set(nestviz, tmp_path):
    (tmp_path / "odd.txt").write_bytes("é|2,5\n1,5|3,5\n2|4\n7|1,25\n".encode("cp1252"))
    ran = nestviz(
        "rank", tmp_path / "odd.txt", *QUICK, "--delimiter", "bar", "--decimal", ",",
        "--encoding", "cp1252", "--header", "--verbose",
    )  # fmt: skip
    assert ran.status == 0
    assert list(ran.rows[0])[-2:] == ["é", "2,5"]
    assert "format" in ran.err


BAD = {
    "empty.csv": (b"", 2, "empty"),
    "header.csv": (b"a,b\n", 2, "no row of data"),
    "alike.csv": (b"a,b\n1,2\n1,2\n", 2, "constant"),
    "infinite.csv": (b"a,b\n1,2\n1,inf\n3,4\n", 2, "row 3"),
    "gaps.csv": (b"a,b\n1,\n,2\n3,\n,4\n", 2, "missing"),
    "twice.csv": (b"a,a\n1,2\n2,3\n", 2, "same name"),
    "picture.png": (b"\x89PNG\r\n\x1a\n0000", 2, "picture"),
    "model.pkl": (b"\x80\x04K\x01.", 2, "pickle"),
    "cut.parquet": (parquet()[:200], 2, ""),
    "bytes.csv": (bytes(range(256)), 2, ""),
}


@pytest.mark.parametrize("command", ["fit", "rank", "tree", "bandwidth"])
@pytest.mark.parametrize("name", ["empty.csv", "gaps.csv"])
def test_every_command_refuses_bad_files(nestviz, tmp_path, command, name):
    _refused(nestviz, tmp_path, command, name)


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_refused_in_one_sentence(nestviz, tmp_path, name):
    _refused(nestviz, tmp_path, "rank", name)


def _refused(nestviz, tmp_path, command, name):
    content, status, words = BAD[name]
    (tmp_path / name).write_bytes(content)
    ran = nestviz(command, tmp_path / name, "--output", tmp_path / "out.json")
    assert (ran.status, ran.out) == (status, "")
    assert one_sentence(ran.err), ran.err
    assert words in ran.err
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("rank", "no-such-file.csv"), 1, "No such file"),
        (("rank", "."), 1, "directory"),
        (("rank", MOONS, "--features", "x1,x9"), 2, "column 'x9'"),
        (("rank", MOONS, "--id", "name"), 2, "It has x1, x2, label"),
        (("rank", MOONS, "--label", "x9"), 2, "no such column"),
        (("rank", MOONS, "--label", "label", "--no-label"), 2, "not both"),
        (("rank", MOONS, "--positive", "7"), 2, "never has the value '7'"),
        (("rank", MOONS, "--no-label", "--positive", "1"), 2, "--label"),
        (("rank", MOONS, "--ignore", "x1,x2"), 2, "--features"),
        (("rank", MOONS, "--delimiter", "x"), 2, "comma"),
        (("rank", MOONS, "--sigma", "0"), 2, "positive number"),
        (("rank", MOONS, "--sigma", "miv:wide"), 2, "margin"),
        (("rank", MOONS, "--nu", "1.5"), 2, "up to 1"),
        (("rank", MOONS, "--eta", "0.5"), 2, "from 1 up"),
        (("rank", MOONS, "--method", "magic"), 2, "parzen"),
        (("rank", MOONS, "--method", "cost-sensitive"), 2, "choose one of"),
        (("rank", MOONS, "--contamination", "1"), 2, "share"),
        (("rank", MOONS, "--sheet", "x", "--top", "none"), 2, "whole number"),
        (("fit", STATIONS, "--no-label", "--method", "cost-sensitive"), 2, "needs two classes"),
        (("fit", SENSORS, "--method", "cost-sensitive", "--sigma", "miv"), 2, "two classes"),
        (("bandwidth", MOONS, "--method", "parzen", "--rule", "support-vectors"), 2, "no support"),
        (("tree", MOONS, "--clusters", "77"), 2, "Possible numbers: 1, 2"),
    ],
)  # fmt: skip
def test_wrong_options_are_one_sentence(nestviz, arguments, status, words):
    ran = nestviz(*arguments, "--quiet")
    assert (ran.status, ran.out) == (status, "")
    assert one_sentence(ran.err), ran.err
    assert words in ran.err


def test_a_terminal_is_not_waited_for(nestviz, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr("sys.stdin", Terminal())
    ran = nestviz("rank")
    assert ran.status == 2
    assert "standard input" in ran.err


def test_names_from_files_do_not_steer_the_terminal(nestviz, tmp_path):
    (tmp_path / "names.csv").write_bytes(b"a\x1b[31m,b\n1,2\n2,4\n7,3\n")
    ran = nestviz("rank", tmp_path / "names.csv", "--features", "c", "--verbose")
    assert ran.status == 2
    assert "\x1b" not in ran.err
