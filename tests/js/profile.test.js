import assert from "node:assert/strict";
import { test } from "node:test";

import { valueAt } from "../../nestviz/ui/player/js/family.js";
import {
  givenUp, lineThrough, profileOf, profileRange, ratioRange, ratiosAt,
} from "../../nestviz/ui/player/js/profile.js";
import { scaleOf } from "./canvas_record.js";
import { plainFamily } from "./families.js";
import { assertClose } from "./path_record.js";

const VIEW = [-4, 4, -2, 2];
/** Two centres; the first loses its coefficient faster than the level falls. */
const FAMILY = plainFamily({
  centres: [[-1, 0], [1, 0]], rows: [[0, 0.1], [0.1, 0.3], [0.5, 0.5]],
  levels: [0.1, 0.3, 0.5], offsets: [0.1, 0.3, 0.5], sigma: 0.5, orientation: -1, high: 0.5, low: 0.1,
});
const SCALE = scaleOf([0.5, 0.4, 0.3, 0.2, 0.1]);

test("a line goes through both locations, as far as the picture, from left to right", () => {
  const line = lineThrough([0, 0], [-1, -1], VIEW);
  assertClose([line.from, line.to], [[-2, -2], [2, 2]]);
  assertClose([line.length, line.pin], [4 * Math.SQRT2, Math.SQRT2]);
  const level = lineThrough([0, 0], [3, 0], VIEW);
  assertClose([level.from, level.to, level.pin], [[-4, 0], [4, 0], 7]);
  const upright = lineThrough([1, -1], [1, 1], VIEW);
  assertClose([upright.length, Math.abs(upright.from[1])], [4, 2]);
});

test("a pin at the centre has a level line", () => {
  const line = lineThrough([1, 1], [1, 1], VIEW);
  assertClose([line.from, line.to, line.pin], [[-4, 1], [4, 1], 5]);
});

test("a ratio reaches 1 where the location is inside", () => {
  const line = lineThrough([0, 0], [-1, 0], VIEW);
  const profile = profileOf(FAMILY, line, [-1, 0], 33);
  for (const level of [0.5, 0.42, 0.3, 0.15]) {
    ratiosAt(profile, level).forEach((ratio, k) => {
      const u = -4 + k / 4;
      assertClose([ratio], [valueAt(FAMILY, u, 0, level) / level + 1]);
      assert.equal(ratio >= 1, valueAt(FAMILY, u, 0, level) >= 0);
    });
  }
});

test("what was inside at a smaller set and is outside now is given up", () => {
  const line = lineThrough([0, 0], [-1, 0], VIEW);
  const profile = profileOf(FAMILY, line, [-1, 0], 33);
  assertClose([profile.entry], [0.5]);
  const [left, right] = [12, 20]; // u = −1 and u = 1
  for (const [level, lost] of [[0.5, false], [0.3, true], [0.1, true]]) {
    const ratios = ratiosAt(profile, level);
    const found = givenUp(profile, ratios, level);
    assert.deepEqual([found[left], found[right], found[0]], [lost, false, false]);
  }
});

test("the axis holds the level and all ratios, but not extreme ones", () => {
  const [low, high] = ratioRange([0.5, 1.2, NaN]);
  assert.ok(low < 0.5 && high > 1.2 && high < 1.4);
  const [floor, top] = ratioRange([0, 50]);
  assert.ok(floor === 0 && top < 2.5);
  const [below, above] = ratioRange([1, 1]);
  assert.ok(below < 1 && above > 1);
  const line = lineThrough([0, 0], [-1, 0], VIEW);
  const range = profileRange(profileOf(FAMILY, line, [-1, 0], 33), SCALE);
  assert.ok(range[0] === 0 && range[1] > 1);
});
