import assert from "node:assert/strict";
import { test } from "node:test";

import { evenLevels, labelAt, levelAt, positionAt } from "../../nestviz/ui/player/js/scale.js";
import { assertClose } from "./path_record.js";
import { expected, scene } from "./scene.js";

const scaleOf = (levels, numbers = levels, form = "3g") => ({
  name: "level λ", form, levels: Float64Array.from(levels), numbers: Float64Array.from(numbers),
});

test("levels, labels and positions are Python's", () => {
  for (const { position, level, label, back } of expected.at) {
    assertClose(levelAt(scene.scale, position), level, 1e-15);
    assert.equal(labelAt(scene.scale, position), label);
    assertClose(positionAt(scene.scale, level), back, 1e-12);
  }
});

test("level and position are inverse, both ways", () => {
  for (const levels of [[1, 0.6, 0.4, 0.125], [0, 0.1, 5, 6], [-3, 7]]) {
    const scale = scaleOf(levels);
    for (let k = 0; k <= 20; k++) {
      const position = (k * (levels.length - 1)) / 20;
      assertClose(positionAt(scale, levelAt(scale, position)), position, 1e-9);
    }
  }
});

test("beyond its ends an axis stays at them", () => {
  const scale = scaleOf([1, 0.5, 0.1]);
  assert.deepEqual([levelAt(scale, -2), levelAt(scale, 9)], [1, 0.1]);
  assert.deepEqual([positionAt(scale, 3), positionAt(scale, -3)], [0, 2]);
});

test("of several stops at one level the first is meant; one stop alone is position 0", () => {
  assert.equal(positionAt(scaleOf([1, 0.5, 0.5, 0.1]), 0.5), 1);
  assert.equal(positionAt(scaleOf([0.3]), 7), 0);
  assert.equal(levelAt(scaleOf([0.3]), 0), 0.3);
});

test("labels have the unit and the form of the axis", () => {
  const forms = { "3g": "0.15", "2f": "0.15", "3f": "0.150", "1%": "15.0%" };
  for (const [form, text] of Object.entries(forms)) {
    assert.equal(labelAt(scaleOf([8, 4], [0.1, 0.2], form), 0.5), text);
  }
});

test("even levels hold both ends", () => {
  assertClose(evenLevels(scaleOf([1, 0.5, 0.1]), 5), [1, 0.75, 0.5, 0.3, 0.1], 1e-12);
  assert.deepEqual(evenLevels(scaleOf([1, 0.5, 0.1]), 1), [1]);
});
