// Fields on a lattice against values at single locations.

import assert from "node:assert/strict";
import { test } from "node:test";

import { valueAt } from "../../nestviz/ui/player/js/family.js";
import { fieldOn, latticeOf } from "../../nestviz/ui/player/js/field.js";
import { plainFamily, readCases } from "./families.js";

const LATTICE = latticeOf([-2.5, 3, -2, 2.5], 23, 17);

/** The largest difference from the value at each pixel, relative to the largest value. */
function differenceOf(family, level, lattice) {
  const field = fieldOn(family, level, lattice);
  let [largest, size] = [0, Math.abs(family.offsets[0])];
  field.forEach((value, k) => {
    const u = lattice.u0 + (k % lattice.columns) * lattice.du;
    const v = lattice.v0 + Math.floor(k / lattice.columns) * lattice.dv;
    const wanted = valueAt(family, u, v, level);
    largest = Math.max(largest, Math.abs(value - wanted));
    size = Math.max(size, Math.abs(wanted));
  });
  return largest / Math.max(size, 1e-30);
}

for (const { name, family, levels } of readCases()) {
  if (family.derived) continue;
  test(`${name}: every pixel has the value of its location`, () => {
    for (const level of levels.slice(0, 4)) {
      const difference = differenceOf(family, level, LATTICE);
      assert.ok(difference < 1e-6, `level ${level}: ${difference}`);
    }
  });
}

test("a lattice has its corners on those of the view", () => {
  const { u0, v0, du, dv, columns, rows } = LATTICE;
  assert.deepEqual([u0, u0 + (columns - 1) * du, v0, v0 + (rows - 1) * dv], [-2.5, 3, -2, 2.5]);
});

test("lattices of any size, near and far", () => {
  const family = plainFamily({
    centres: [[0, 0], [0.3, 1], [-1, 0.2]], rows: [[1, -0.4, 0], [0, 1, 1]], levels: [0, 1],
    offsets: [0, 0.1], sigma: 0.4,
  });
  for (const [columns, rows] of [[2, 2], [3, 5], [4, 4], [5, 3], [31, 2], [9, 40]]) {
    for (const view of [[-1, 1, -1, 1], [0.3, 0.301, 1, 1.001], [-40, 40, -30, 30], [5, 6, 5, 6]]) {
      const difference = differenceOf(family, 0.7, latticeOf(view, columns, rows));
      assert.ok(difference < 1e-6, `${columns} × ${rows} on ${view}: ${difference}`);
    }
  }
});

test("where no term is left there is no boundary, and signs survive single precision", () => {
  const family = plainFamily({
    centres: [[0, 0]], rows: [[-1], [1]], levels: [0, 1], offsets: [0, 0], sigma: 0.1,
  });
  const far = latticeOf([30, 40, 30, 40], 4, 4);
  assert.ok(fieldOn(family, 1, far).every((value) => value < 0));
  // exp(−200) is zero in single precision.
  const edge = latticeOf([2, 2.1, 0, 0.1], 2, 2);
  assert.ok(fieldOn(family, 0, edge).every((value) => value < 0));
  assert.ok(fieldOn(family, 1, edge).every((value) => value > 0));
});

test("a buffer that is given is the one returned", () => {
  const family = plainFamily({ centres: [[0, 0]], rows: [[1]], levels: [0], offsets: [0.5] });
  const out = new Float32Array(16);
  const lattice = latticeOf([-1, 1, -1, 1], 4, 4);
  assert.equal(fieldOn(family, 0, lattice, out), out);
  assert.deepEqual(out, fieldOn(family, 0, lattice));
});

test("a field on a grid is interpolated linearly, and constant beyond it", () => {
  const grid = { kind: "grid", columns: 3, rows: 2, umin: 0, umax: 2, vmin: 0, vmax: 1 };
  const family = plainFamily({
    centres: [], rows: [[0, 1, 2, 10, 11, 12]], levels: [0], offsets: [1], kernel: grid,
  });
  assert.equal(valueAt(family, 0.5, 0.5, 0), 4.5);
  assert.equal(valueAt(family, 9, 9, 0), 11);
  assert.ok(differenceOf(family, 0, latticeOf([-1, 3, -1, 2], 13, 9)) < 1e-6);
});
