"""Families as Python sends them, and what Python computes for them, for the tests of ``family.js``.

``python tests/js/family_fixture.py`` writes the file anew; ``test_family_form.py`` compares it.
"""

import json
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from nestviz.estimators import (
    CostSensitivePath,
    HierarchicalMVSets,
    NestedCostSensitiveSVM,
    NestedOneClassSVM,
    OneClassPath,
    ParzenLevelSets,
)
from nestviz.estimators.nu_path import nu_family
from nestviz.estimators.soft_ball import BallKernel
from nestviz.families import SetFamily
from nestviz.grids import Plane
from nestviz.intersections import IntersectionFamily
from nestviz.kernels import GaussianKernel, PolynomialKernel
from nestviz.ui.scene.family_form import family_form

FIXTURE = Path(__file__).with_name("families.bin")
FLAT = Plane.of_two_features()


class ListTable:
    """Arrays in the order in which they were added."""

    def __init__(self) -> None:
        self.arrays: list[np.ndarray] = []

    def add(self, array, dtype: str) -> int:
        self.arrays.append(np.asarray(array).astype(dtype).ravel())
        return len(self.arrays) - 1

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in self.arrays)


def random_family(seed: int) -> SetFamily:
    """Return a family with jumps, tails, open ends, zeros and coefficients of both signs."""
    rng = np.random.default_rng(seed)
    M, n = int(rng.integers(1, 9)), int(rng.integers(1, 7))
    levels = np.sort(rng.choice(np.arange(0.0, 3.0, 0.25), M))
    c = rng.normal(size=(M, n)) * rng.choice([0.0, 1.0], (M, n))
    if rng.random() < 0.4:
        c = np.abs(c)
    orientation = int(rng.choice([-1, 1]))
    tail = float(rng.choice([0.0, 0.7 * orientation * -1]))
    low = float(levels[0] - rng.choice([0.0, 0.5]))
    high = float(levels[-1] + rng.choice([0.0, 0.5]))
    if tail and rng.random() < 0.5:
        low, high = (low, np.inf) if orientation == -1 else (-np.inf, high)
    kernel = (
        GaussianKernel(0.8) if rng.random() < 0.7 else PolynomialKernel(int(rng.integers(1, 4)))
    )
    offsets = rng.choice([0.0, 0.0, 0.2, -0.1], M)
    return SetFamily(
        levels, c, offsets, rng.normal(size=(n, 2)), kernel, orientation, (low, high), tail,
        bool(rng.random() < 0.5 and np.isfinite(low)),
        tolerance=float(rng.choice([0.0, 1e-12])),
    )  # fmt: skip


def solved() -> Iterator[tuple[str, SetFamily, Plane]]:
    """Yield families of the estimators."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(20, 2)), 0.4 * rng.normal(size=(14, 2)) + (2.0, 1.0)])
    X[3] = X[4]
    y = np.where(np.arange(len(X)) < 20, 1, -1)
    path = OneClassPath(0.5).fit(X)
    yield "one-class path", path.family_, FLAT
    yield "union of a path", path.family_.union(), FLAT
    yield "path without hold", OneClassPath(0.5, hold_below=None).fit(X).family_, FLAT
    yield "path over ν", nu_family(path), FLAT
    yield "union over ν", nu_family(path).union(), FLAT
    yield "polynomial path", OneClassPath(kernel="polynomial").fit(X).family_, FLAT
    costs = CostSensitivePath(0.5, 0.05).fit(X, y).family_
    yield "cost path", costs, FLAT
    yield "union of a cost path", costs.union(), FLAT
    yield "intersection of a cost path", IntersectionFamily.of(costs), FLAT
    yield "nested", NestedOneClassSVM(0.5).fit(X).family_, FLAT
    yield "nested costs", NestedCostSensitiveSVM(0.5, 0.05).fit(X, y).family_, FLAT
    yield "Parzen", ParzenLevelSets(0.4).fit(X).family_, FLAT
    yield "hierarchical", HierarchicalMVSets(0.5, quantiles=4).fit(X).family_, FLAT
    Z = rng.normal(size=(24, 4))
    directions = np.linalg.qr(rng.normal(size=(4, 2)))[0].T
    slice_ = Plane(np.full(4, 0.1), directions)
    yield "slice of a path", OneClassPath(1.2).fit(Z).family_, slice_
    yield "slice, polynomial", OneClassPath(kernel="polynomial", degree=3).fit(Z).family_, slice_


def cases() -> Iterator[tuple[str, SetFamily, Plane]]:
    """Yield all families of the fixture."""
    yield from solved()
    for seed in range(48):
        family = random_family(seed)
        yield f"random {seed}", family, FLAT
        if seed % 3 == 0:
            yield f"union of random {seed}", family.union(), FLAT
        distinct = np.all(np.diff(family.levels) > 0) and not family.open_below
        if distinct and family.domain == (family.levels[0], family.levels[-1]):
            yield f"intersection of random {seed}", IntersectionFamily.of(family), FLAT


def span_of(family: SetFamily) -> tuple[float, float]:
    """Return a finite range of levels."""
    low, high = family.domain
    low = low if np.isfinite(low) else family.levels[0] - 1.0
    high = high if np.isfinite(high) else family.levels[-1] + 0.2 * (family.levels[-1] - low)
    return float(low), float(high)


def asked(family: SetFamily, plane: Plane, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return locations and levels: anywhere, at centres, far away; at breakpoints and between."""
    rng = np.random.default_rng(seed)
    uv = plane.coordinates(family.centres)
    points = np.concatenate([rng.normal(size=(5, 2)) * 1.5, uv[:4], [(60.0, -70.0)]])
    low, high = span_of(family)
    levels = np.concatenate([rng.uniform(low, high, 4), rng.choice(family.levels, 3), [high]])
    return points, levels[levels > low]


def expected(family: SetFamily, plane: Plane, seed: int) -> dict:
    """Return what the browser should compute."""
    points, levels = asked(family, plane, seed)
    X = plane.lift(points)
    intervals = family.intervals(X)
    return {
        "points": points.tolist(),
        "levels": levels.tolist(),
        "values": family.values(X, levels).tolist() if levels.size else [],
        "intervals": [_plain(intervals[p]) for p in range(len(points))],
        "first": _plain(family.first_level(X)),
    }


def _plain(numbers: np.ndarray) -> list:
    """Return nested lists, with infinities by name."""
    if numbers.ndim > 1:
        return [_plain(row) for row in numbers]
    return [float(x) if np.isfinite(x) else str(float(x)) for x in numbers]


def build() -> tuple[list[dict], ListTable]:
    """Return headers with expectations, and their arrays."""
    table, rows = ListTable(), []
    for seed, (name, family, plane) in enumerate(cases()):
        header = family_form(family, plane, table, detail="exact", span=span_of(family), pixel=0.01)
        rows.append({"name": name, "header": header} | expected(family, plane, seed))
    return rows, table


def ball() -> SetFamily:
    """Return a family whose kernel the browser cannot evaluate."""
    rng = np.random.default_rng(1)
    c = rng.dirichlet(np.ones(12))[None]
    return SetFamily(
        [0.0], c, [0.0], rng.normal(size=(12, 2)), BallKernel(GaussianKernel(0.7)), -1,
        (-np.inf, np.inf), 1.0, is_nested=True,
    )  # fmt: skip


def build_coarse(table: ListTable) -> list[dict]:
    """Return families as they are sent while a slider moves, with coefficients at some levels."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(220, 2))
    y = np.where(X[:, 0] > 0.1, 1, -1)
    rows = []
    for name, family in (
        ("knots of a path", OneClassPath(0.5).fit(X[:60]).family_),
        ("knots of a cost path", CostSensitivePath(0.6, 0.1).fit(X[:60], y[:60]).family_),
        ("nested in 16 bits", NestedOneClassSVM(0.5, levels=11).fit(X).family_),
        (
            "signed in 16 bits",
            NestedCostSensitiveSVM(0.5, 0.1, asymmetries=np.linspace(0, 1, 11)).fit(X, y).family_,
        ),
        ("lattice", ball()),
    ):
        span = span_of(family)
        header = family_form(
            family,
            FLAT,
            table,
            detail="knots",
            span=span,
            pixel=0.01,
            most_bytes=4_000 if "path" in name else 60_000,
        )
        kept = table.arrays[header["levels"]]
        levels = kept[np.linspace(0, kept.size - 1, 5).astype(int)]
        points = rng.uniform(-1.5, 1.5, size=(6, 2))
        coefficients, _ = family.coefficients_at(levels)
        rows.append(
            {"name": name, "header": header, "levels": levels.tolist(), "points": points.tolist()}
            | {"values": family.values(points, levels).tolist()}
            | {"coefficients": [] if name == "lattice" else coefficients.tolist()}
        )
    return rows


def pack(rows: list[dict], coarse: list[dict], table: ListTable) -> bytes:
    """Return header length, JSON and arrays, each padded to 8 bytes, compressed."""
    entries, body = [], b""
    for array in table.arrays:
        entries.append({"dtype": array.dtype.name, "offset": len(body), "length": array.size})
        body += array.tobytes() + bytes(-array.nbytes % 8)
    text = json.dumps({"arrays": entries, "cases": rows, "coarse": coarse}).encode()
    text += b" " * (-(len(text) + 4) % 8)
    return zlib.compress(struct.pack("<I", len(text)) + text + body, 9)


if __name__ == "__main__":
    cases_, table_ = build()
    FIXTURE.write_bytes(pack(cases_, build_coarse(table_), table_))
