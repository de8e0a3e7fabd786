// The browser's evaluation of a family against Python's, and against many levels tried in turn.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  coefficientsAt, curveAt, firstLevelAt, intervalsAt, kernelAt, offsetAt, valueAt,
} from "../../nestviz/ui/player/js/family.js";
import { plainFamily, readCases, readCoarse } from "./families.js";

const cases = readCases();

/** The size of a family's terms, to which rounding is relative. */
function sizeOf({ family, levels, points }) {
  let size = Math.max(...Array.from(family.offsets, Math.abs), 1e-12);
  for (const [u, v] of points) {
    const kernel = kernelAt(family, u, v);
    for (const level of levels) {
      const c = coefficientsAt(family, level);
      size = Math.max(size, c.reduce((sum, value, i) => sum + Math.abs(value * kernel[i]), 0));
    }
  }
  return size;
}

for (const row of cases) {
  const { name, family, points, levels } = row;
  const size = sizeOf(row);

  test(`${name}: values`, () => {
    points.forEach(([u, v], p) => levels.forEach((level, k) => {
      const [got, wanted] = [valueAt(family, u, v, level), row.values[k][p]];
      assert.ok(Math.abs(got - wanted) <= 1e-6 * size, `${[u, v]} at ${level}: ${got}, not ${wanted}`);
      if (Math.abs(wanted) > 1e-6 * size) assert.equal(got >= 0, wanted >= 0);
    }));
  });

  test(`${name}: intervals and first levels`, () => {
    const reach = family.levels[family.levels.length - 1] - family.levels[0] || 1;
    const near = (a, b) => a === b || Math.abs(a - b) <= 1e-5 * reach;
    points.forEach(([u, v], p) => {
      const [got, wanted] = [intervalsAt(family, u, v), row.intervals[p]];
      const text = `${[u, v]}: ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`;
      assert.equal(got.length, wanted.length, text);
      got.forEach((ends, k) => ends.forEach((end, side) => assert.ok(near(end, wanted[k][side]), text)));
      assert.ok(near(firstLevelAt(family, u, v), row.first[p]), `first at ${[u, v]}`);
    });
  });
}

test("intervals are those of many levels tried in turn", () => {
  for (const { name, family, points } of cases.filter((row) => !row.family.isNested)) {
    const high = Math.min(family.high, family.levels[family.levels.length - 1] + 1);
    const low = Math.max(family.low, family.levels[0] - 1);
    for (const [u, v] of points) {
      const intervals = intervalsAt(family, u, v);
      for (let k = 0; k < 100; k += 1) {
        const level = low + ((high - low) * (k + 0.437)) / 100;
        const value = valueAt(family, u, v, level);
        if (Math.abs(value) < 1e-7) continue;
        const inside = intervals.some(([from, to]) => from <= level && level <= to);
        assert.equal(inside, value >= 0, `${name} at ${[u, v]}, level ${level}`);
      }
    }
  }
});

test("a curve runs through both ends and all breakpoints between them", () => {
  const family = plainFamily({ centres: [[0, 0]], rows: [[1], [0], [2]], levels: [0, 1, 2], offsets: [0, 0, 0] });
  const { levels, values } = curveAt(family, 0, 0, 0.5, 1.5);
  assert.deepEqual([...levels], [0.5, 1, 1.5]);
  assert.deepEqual([...values], [0.5, -2.2250738585072014e-308, 1]);
});

test("a jump has a value from below and one at the level", () => {
  const family = plainFamily({ centres: [[0, 0]], rows: [[1], [2], [5]], levels: [0, 1, 1], offsets: [0, 0, 3] });
  assert.equal(coefficientsAt(family, 1)[0], 5);
  assert.equal(coefficientsAt(family, 1, undefined, true)[0], 2);
  assert.deepEqual([offsetAt(family, 1), offsetAt(family, 1, true)], [3, 0]);
});

test("a union keeps what was inside, an intersection what stays inside", () => {
  const parts = { centres: [[0, 0]], rows: [[1], [-1], [1]], levels: [0, 1, 2], offsets: [0, 0, 0] };
  assert.deepEqual(intervalsAt(plainFamily(parts), 0, 0), [[0, 0.5], [1.5, 2]]);
  const union = plainFamily({ ...parts, derived: "union", is_nested: true });
  assert.deepEqual(intervalsAt(union, 0, 0), [[0, 2]]);
  assert.equal(valueAt(union, 0, 0, 1), 1);
  const intersection = plainFamily({ ...parts, derived: "intersection", is_nested: true });
  assert.equal(firstLevelAt(intersection, 0, 0), 1.5);
  assert.equal(valueAt(intersection, 0, 0, 0), -1);
});

test("a family of another version is refused", () => {
  assert.throws(() => plainFamily({ centres: [[0, 0]], rows: [[1]], levels: [0], offsets: [0], version: 2 }), /version 2/);
});

for (const { name, family, levels, points, coefficients, values } of readCoarse()) {
  test(`${name}: coefficients and values up to 16 bits`, () => {
    assert.equal(family.exact, false);
    const largest = Math.max(...coefficients.flat().map(Math.abs));
    coefficients.forEach((wanted, k) => {
      const got = coefficientsAt(family, levels[k]);
      wanted.forEach((value, i) => assert.ok(Math.abs(got[i] - value) <= 1.6e-5 * largest, `${i}`));
      // What is zero stays zero, so that it can be left out.
      wanted.forEach((value, i) => assert.ok(value !== 0 || got[i] === 0, `${i}`));
    });
    const size = Math.max(...values.flat().map(Math.abs));
    points.forEach(([u, v], p) => levels.forEach((level, k) => {
      const difference = Math.abs(valueAt(family, u, v, level) - values[k][p]);
      assert.ok(difference <= (coefficients.length ? 1e-4 : 2e-3) * size, `${[u, v]}: ${difference / size}`);
    }));
  });
}
