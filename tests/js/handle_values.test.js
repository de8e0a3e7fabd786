import assert from "node:assert/strict";
import { test } from "node:test";

import {
  addedHandle, movedHandle, removedHandle, roundedHandle,
} from "../../nestviz/ui/components/js/handle_values.js";

const AXIS = {
  key: "shares", label: "levels", value: 0, values: [0.1, 0.5, 0.9], low: 0, high: 1, log: false,
  unit: 1, form: "3g", marks: [], least: 2, most: 4,
};

test("a moved handle stays on the axis and in order", () => {
  assert.deepEqual(movedHandle(AXIS, AXIS.values, 0, 0.7), { values: [0.5, 0.7, 0.9], index: 1 });
  assert.deepEqual(movedHandle(AXIS, AXIS.values, 2, 9), { values: [0.1, 0.5, 1], index: 2 });
  assert.deepEqual(movedHandle(AXIS, AXIS.values, 1, -9), { values: [0, 0.1, 0.9], index: 0 });
});

test("a handle moved onto another one takes its place", () => {
  assert.deepEqual(movedHandle(AXIS, AXIS.values, 0, 0.5), { values: [0.5, 0.9], index: 0 });
});

test("no more than the most are added, no fewer than the least remain", () => {
  const four = addedHandle(AXIS, AXIS.values, 0.3).values;
  assert.deepEqual(four, [0.1, 0.3, 0.5, 0.9]);
  assert.equal(addedHandle(AXIS, four, 0.4).values, four);
  const two = removedHandle(AXIS, AXIS.values, 1);
  assert.deepEqual(two, [0.1, 0.9]);
  assert.equal(removedHandle(AXIS, two, 0), two);
  assert.deepEqual(AXIS.values, [0.1, 0.5, 0.9]);
});

test("numbers have the digits of links", () => {
  assert.equal(roundedHandle(0.123456), 0.1235);
});
