import assert from "node:assert/strict";
import { test } from "node:test";

import { handlesWords, movedHandle, removedHandle, roundedHandle } from "../../nestviz/ui/components/js/handle_values.js";

const AXIS = {
  key: "shares", label: "levels", value: 0, values: [0.1, 0.5, 0.9], low: 0, high: 1, log: false,
  unit: 1, form: "3g", marks: [], least: 2, most: 4,
};

test("a moved handle stays on the axis and in order", () => {
  assert.deepEqual(movedHandle(AXIS, [0.5, 0.9], 0.7), { values: [0.5, 0.7, 0.9], index: 1 });
  assert.deepEqual(movedHandle(AXIS, [0.1, 0.5], 9), { values: [0.1, 0.5, 1], index: 2 });
  assert.deepEqual(movedHandle(AXIS, [0.1, 0.9], -9), { values: [0, 0.1, 0.9], index: 0 });
});

test("a handle covers another one only while it is there", () => {
  const others = [0.5, 0.9];
  assert.deepEqual(movedHandle(AXIS, others, 0.5), { values: [0.5, 0.9], index: 0 });
  assert.deepEqual(movedHandle(AXIS, others, 0.6).values, [0.5, 0.6, 0.9]);
});

test("no fewer than the least remain", () => {
  const two = removedHandle(AXIS, AXIS.values, 1);
  assert.deepEqual(two, [0.1, 0.9]);
  assert.equal(removedHandle(AXIS, two, 0), two);
  assert.deepEqual(AXIS.values, [0.1, 0.5, 0.9]);
});

test("numbers have the digits of links", () => {
  assert.equal(roundedHandle(0.123456), 0.1235);
});

test("handles say where they stand", () => {
  assert.equal(handlesWords(AXIS, AXIS.values), "0.1, 0.5, 0.9");
  const many = Array.from({ length: 21 }, (_, k) => (k + 1) / 21);
  assert.equal(handlesWords({ ...AXIS, most: 81 }, many), "21 values from 0.0476 to 1");
});
