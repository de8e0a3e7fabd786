import assert from "node:assert/strict";
import { test } from "node:test";

import { extendLasso, lassoed } from "../../nestviz/ui/player/js/lasso.js";

test("the line takes vertices that are some pixels apart", () => {
  const line = [];
  const taken = [[0, 0], [1, 1], [4, 0], [4, 2.9], [4, 3]].map(([x, y]) => extendLasso(line, x, y));
  assert.deepEqual(taken, [true, false, true, false, true]);
  assert.deepEqual(line, [[0, 0], [4, 0], [4, 3]]);
});

test("what is inside is found by row, also in a hollow of the line", () => {
  const hook = [[0, 0], [30, 0], [30, 30], [20, 30], [20, 10], [10, 10], [10, 30], [0, 30]];
  const positions = [5, 20, 15, 20, 25, 20, 15, 5, 90, 90];
  assert.deepEqual(lassoed(hook, positions), [0, 2, 3]);
});

test("a line without an area surrounds nothing", () => {
  assert.deepEqual(lassoed([], [1, 1]), []);
  assert.deepEqual(lassoed([[0, 0], [9, 9]], [5, 5]), []);
});
