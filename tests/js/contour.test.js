// Outlines against the pixels they enclose.

import assert from "node:assert/strict";
import { test } from "node:test";

import { insidePolygon } from "../../nestviz/ui/components/js/geometry.js";
import { shareOf, traceSet } from "../../nestviz/ui/player/js/contour.js";
import { latticeOf } from "../../nestviz/ui/player/js/field.js";
import { PathRecord } from "./path_record.js";

const same = (x) => x;

/** Rings of a field given by a function of u and v. */
function ringsOf(view, columns, rows, value) {
  const lattice = latticeOf(view, columns, rows);
  const field = Float32Array.from({ length: columns * rows }, (_, k) => value(
    lattice.u0 + (k % columns) * lattice.du, lattice.v0 + Math.floor(k / columns) * lattice.dv,
  ));
  const path = new PathRecord();
  traceSet(field, lattice, path, same, same);
  assert.equal(path.closed, path.polygons.length);
  assert.ok(path.polygons.flat(2).every(Number.isFinite));
  return { rings: path.polygons, field, lattice };
}

/** Twice the area is the sum of cross products; holes run the other way round. */
const areaOf = (ring) => ring.reduce((sum, [x, y], k) => {
  const [a, b] = ring[(k + 1) % ring.length];
  return sum + (x * b - a * y) / 2;
}, 0);
const totalArea = (rings) => rings.reduce((sum, ring) => sum + areaOf(ring), 0);

test("a disc", () => {
  const { rings } = ringsOf([-2, 2, -2, 2], 101, 101, (u, v) => 1 - u * u - v * v);
  assert.equal(rings.length, 1);
  assert.ok(Math.abs(areaOf(rings[0]) - Math.PI) < 2e-3);
  for (const [u, v] of rings[0]) assert.ok(Math.abs(Math.hypot(u, v) - 1) < 5e-4);
});

test("a ring has a hole, which runs the other way", () => {
  const { rings } = ringsOf([-3, 3, -3, 3], 121, 121, (u, v) => 1 - (Math.hypot(u, v) - 1.5) ** 2 * 4);
  assert.equal(rings.length, 2);
  assert.ok(Math.abs(totalArea(rings) - Math.PI * (4 - 1)) < 0.02);
});

test("all inside, all outside, one pixel", () => {
  const view = [0, 3, 0, 2];
  const full = ringsOf(view, 4, 3, () => 1).rings;
  assert.equal(full.length, 1);
  assert.ok(Math.abs(totalArea(full) - 6) < 1e-12);
  assert.deepEqual(ringsOf(view, 4, 3, () => -1).rings, []);
  const single = ringsOf(view, 4, 3, (u, v) => (u === 1 && v === 1 ? 1 : -1)).rings;
  assert.equal(single.length, 1);
  assert.ok(Math.abs(totalArea(single) - 0.5) < 1e-12);
});

test("a set is cut at the border", () => {
  const { rings } = ringsOf([-1, 1, -1, 1], 41, 41, (u) => 0.5 - u);
  assert.equal(rings.length, 1);
  assert.ok(Math.abs(totalArea(rings) - 3) < 1e-6);
  const corner = ringsOf([0, 1, 0, 1], 41, 41, (u, v) => 0.5 - u - v).rings;
  assert.ok(Math.abs(totalArea(corner) - 0.125) < 1e-6);
});

test("a boundary through pixels belongs to the set", () => {
  const { rings } = ringsOf([0, 4, 0, 4], 5, 5, (u, v) => 1 - Math.max(Math.abs(u - 2), Math.abs(v - 2)));
  assert.equal(rings.length, 1);
  assert.ok(Math.abs(totalArea(rings) - 4) < 1e-12);
});

test("the mean of a cell decides whether a saddle is connected", () => {
  const corners = (rest) => (u, v) => (u === v ? 1 : rest);
  assert.equal(ringsOf([0, 1, 0, 1], 2, 2, corners(-0.5)).rings.length, 1);
  assert.equal(ringsOf([0, 1, 0, 1], 2, 2, corners(-2)).rings.length, 2);
});

test("random fields: every pixel is on its side of the rings", () => {
  let state = 1;
  const random = () => {
    state = (state * 16807) % 2147483647;
    return state / 2147483647 - 0.5;
  };
  for (let round = 0; round < 20; round += 1) {
    const [columns, rows] = [2 + (round % 9), 2 + (round % 7)];
    const { rings, field } = ringsOf([0, columns - 1, 0, rows - 1], columns, rows, random);
    field.forEach((value, k) => {
      const [x, y] = [k % columns, Math.floor(k / columns)];
      // Rings run along the border, where inside and outside cannot be told apart.
      if (x === 0 || y === 0 || x === columns - 1 || y === rows - 1) return;
      const enclosing = rings.filter((ring) => insidePolygon(ring, x, y)).length;
      assert.equal(enclosing % 2 === 1, value >= 0, `round ${round}, pixel ${[x, y]}`);
    });
    assert.ok(totalArea(rings) >= 0);
  }
});

test("the share of pixels inside", () => {
  assert.equal(shareOf(Float32Array.of(1, 0, -1, -2)), 0.5);
});
