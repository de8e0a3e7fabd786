"""The form in which families are sent to the browser: complete, small, and close to the family."""

import json
import runpy
import zlib
from pathlib import Path

import numpy as np
import pytest

from nestviz.coefficients import PathRows
from nestviz.data import make_sample
from nestviz.estimators import (
    CostSensitivePath,
    NestedOneClassSVM,
    OneClassPath,
    ParzenLevelSets,
)
from nestviz.estimators.nu_path import nu_family
from nestviz.families import SetFamily
from nestviz.grids import Grid, Plane
from nestviz.kernels import GaussianKernel, PrecomputedKernel, auto_sigma
from nestviz.ui.scene.family_form import FIELDS, family_form

FIXTURE = runpy.run_path(str(Path(__file__).parents[1] / "js" / "family_fixture.py"))
ListTable = FIXTURE["ListTable"]
FLAT = Plane.of_two_features()


def sent(family, detail="exact", span=None, pixel=0.01, plane=FLAT, **options):
    """Return the header and the arrays of a family."""
    table = ListTable()
    span = span or FIXTURE["span_of"](family)
    header = family_form(family, plane, table, detail=detail, span=span, pixel=pixel, **options)
    return header, table


def rows_of(header, table) -> np.ndarray:
    """Return the coefficients at all levels, as the browser reads them."""
    a = table.arrays
    if "rows" in header:
        form = header["rows"]
        values = a[form["values"]].astype(float).reshape(a[header["levels"]].size, -1)
        return (values - form["zero"]) * form["step"]
    form = header["path"]
    base = a[form["base"]]
    slope = np.zeros_like(base) if form["slope"] is None else a[form["slope"]]
    share, changing, place, rows = np.zeros(base.size), np.zeros(base.size, bool), 0, []
    for k, node in enumerate(a[form["nodes"]]):
        changing[a[form["toggles"]][slice(*a[form["starts"]][k : k + 2])]] ^= True
        count = changing.sum()
        new = a[form["shares"]][place : place + count]
        share[changing] = (new / form["root_steps"]) ** 2 if form["root_steps"] else new
        place += count
        rows.append(share * (base + slope * node))
    assert place == a[form["shares"]].size
    return np.array(rows)


def two_groups(n: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.normal(size=(n // 2, 2)), rng.normal(size=(n // 2, 2)) / 2 + (3, 1)])


def test_the_committed_families_are_those_of_python():
    """Headers are the same; solved numbers may differ by rounding from machine to machine."""
    message = zlib.decompress(FIXTURE["FIXTURE"].read_bytes())
    length = int.from_bytes(message[:4], "little")
    committed = json.loads(message[4 : 4 + length])["cases"]
    rows, _ = FIXTURE["build"]()
    assert [row["name"] for row in rows] == [row["name"] for row in committed]
    for row, wanted in zip(rows, committed, strict=True):
        assert row["header"].keys() == wanted["header"].keys(), "Run: tests/js/family_fixture.py"
        np.testing.assert_allclose(row["points"], wanted["points"], atol=1e-9)
        if row["name"].startswith("random"):
            assert json.loads(json.dumps(row)) == wanted, "Run: tests/js/family_fixture.py"


@pytest.mark.parametrize(
    "make",
    [
        lambda X, y: OneClassPath(0.4).fit(X).family_,
        lambda X, y: nu_family(OneClassPath(0.4).fit(X)),
        lambda X, y: CostSensitivePath(0.4, 0.05).fit(X, y).family_,
        lambda X, y: NestedOneClassSVM(0.4).fit(X).family_,
        lambda X, y: ParzenLevelSets(0.4).fit(X).family_,
    ],
)
def test_an_exact_form_has_all_breakpoints_and_coefficients(make):
    X = two_groups(60)
    family = make(X, np.repeat([1, -1], 30))
    header, table = sent(family)
    json.dumps(header, allow_nan=False)
    assert header["exact"]
    assert header["version"] == 1
    np.testing.assert_array_equal(table.arrays[header["levels"]], family.levels)
    np.testing.assert_array_equal(table.arrays[header["offsets"]], family.offsets)
    wanted = family.coefficients.take(np.arange(len(family.levels)), axis=0)
    np.testing.assert_allclose(rows_of(header, table), wanted, rtol=2e-7, atol=1e-12)


def test_infinite_ends_are_none_and_a_union_names_its_rule():
    family = OneClassPath(0.4).fit(two_groups(40)).family_
    header, _ = sent(family.union())
    assert header["high"] is None
    assert header["low"] == 0.0
    assert (header["derived"], header["is_nested"]) == ("union", True)
    assert sent(family)[0]["derived"] == ""


def test_fields_are_kept_at_a_few_levels_of_the_span():
    family = OneClassPath(0.3).fit(two_groups(120)).family_
    span = 0.05 * family.levels[-1], 0.9 * family.levels[-1]
    header, table = sent(family, span=span)
    knots = table.arrays[header["knots"]]
    assert (knots[0], knots[-1]) == span
    assert np.all(np.diff(knots) >= 0)
    assert 10 < knots.size <= FIELDS + 2


def test_a_jump_is_kept_when_a_path_is_thinned():
    levels = np.sort(np.append(np.linspace(0.0, 1.0, 400), [0.5, 0.5]))
    c = np.column_stack([levels, 1.0 - levels, np.where(np.arange(402) < 201, 0.0, 1.0)])
    family = SetFamily(levels, c, np.zeros(402), np.eye(3, 2), GaussianKernel(1.0), 1)
    header, table = sent(family, "knots", most_bytes=1)
    kept = table.arrays[header["levels"]]
    assert np.sum(kept == 0.5) == 2
    assert np.sum(table.arrays[header["knots"]] == 0.5) == 2


def worst_displacement(family, header, table, view: Grid, level: float) -> float:
    """Return how far outlines move along edges between pixels that they cross, in pixels.

    Where the field is flat an outline is not determined, as where two clusters join; where it runs
    along an edge, the edge says nothing. Such crossings are left out.
    """
    kept, offsets = table.arrays[header["levels"]], table.arrays[header["offsets"]]
    k = int(np.clip(np.searchsorted(kept, level, side="right") - 1, 0, kept.size - 2))
    w = (level - kept[k]) / (kept[k + 1] - kept[k])
    c = np.array([1 - w, w]) @ rows_of(header, table)[k : k + 2]
    r = np.array([1 - w, w]) @ offsets[k : k + 2]
    near = (family.kernel.grid_field(c[None], family.centres, view)[0] - r).reshape(view.shape)
    true = family.values(view, level).reshape(view.shape)
    slope = np.hypot(*np.gradient(true))
    worst = 0.0
    for turned in (np.asarray, np.transpose):
        g, h, size = turned(true), turned(near), turned(slope)[:, 1:]
        a, b, p, q = g[:, :-1], g[:, 1:], h[:, :-1], h[:, 1:]
        crossed = ((a > 0) != (b > 0)) & (np.abs(a - b) > 0.5 * size)
        if crossed.any():
            crossed &= size > 0.3 * np.median(size[crossed])
            root, moved = a[crossed] / (a - b)[crossed], p[crossed] / (p - q)[crossed]
            worst = max(worst, float(np.abs(root - moved).max()))
    return worst


@pytest.mark.parametrize("width", [0.5, 1.0, 2.5])
@pytest.mark.parametrize("kind", ["one class", "two classes"])
@pytest.mark.parametrize("name", ["banana", "ring", "groups"])
def test_knots_move_no_outline_by_a_tenth_of_a_pixel(name, kind, width):
    X = two_groups(200) if name == "groups" else make_sample(name, n=200).X
    sigma = width * auto_sigma(X)
    if kind == "one class":
        family = OneClassPath(sigma).fit(X).family_
    else:
        y = np.where(X[:, 0] > np.median(X[:, 0]) + 0.2 * np.sin(3 * X[:, 1]), 1, -1)
        family = CostSensitivePath(sigma, 0.1).fit(X, y).family_
    view = Grid.around(X, resolution=450)
    pixel = view.u[1] - view.u[0]
    low, high = 0.02 * family.levels[-1], 0.97 * family.levels[-1]
    path = family.coefficients.path
    too_little = 4 * path.indices.size + 24 * path.breakpoints.size - 1
    header, table = sent(family, "knots", (low, high), pixel, most_bytes=too_little)
    assert not header["exact"]
    assert table.arrays[header["levels"]].size < len(family.levels)
    levels = np.random.default_rng(0).uniform(low, high, 12)
    assert max(worst_displacement(family, header, table, view, x) for x in levels) < 0.1


def test_sizes_at_400_points():
    """Both methods: 200 kB while a slider moves, 600 kB at rest."""
    X = two_groups(400)
    for width in (0.5, 1.0, 2.0):
        sigma = width * auto_sigma(X)
        families = [OneClassPath(sigma).fit(X).family_, NestedOneClassSVM(sigma).fit(X).family_]
        for detail, most in (("knots", 200_000), ("exact", 600_000)):
            assert sum(sent(family, detail)[1].nbytes for family in families) < most


def test_a_path_too_long_is_sent_by_finer_knots():
    family = OneClassPath(0.3).fit(two_groups(160)).family_
    header, table = sent(family, most_bytes=30_000)
    assert not header["exact"]
    assert table.nbytes < 40_000
    assert isinstance(family.coefficients, PathRows)


def test_another_kernel_is_sent_on_a_lattice():
    family = FIXTURE["ball"]()
    header, table = sent(family, span=(0.1, 0.9))
    kernel = header["kernel"]
    assert kernel["kind"] == "grid"
    assert not header["exact"]
    grid = Grid(
        np.linspace(kernel["umin"], kernel["umax"], kernel["columns"]),
        np.linspace(kernel["vmin"], kernel["vmax"], kernel["rows"]),
        FLAT,
    )
    wanted = family.values(grid, 0.0)
    np.testing.assert_allclose(rows_of(header, table)[0], wanted, atol=1e-6)


def test_a_precomputed_kernel_has_no_picture():
    K = np.eye(4)
    family = SetFamily([0.0], np.ones((1, 4)), [0.1], K, PrecomputedKernel.of(K), -1)
    with pytest.raises(TypeError, match="no values at the pixels"):
        sent(family, plane=Plane(np.zeros(4), np.eye(2, 4)))
