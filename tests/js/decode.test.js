// The browser's decoder, on a message that Python has packed.

import assert from "node:assert/strict";
import { test } from "node:test";

import { countInside, decodeScene } from "../../nestviz/ui/player/js/decode.js";
import { expected, message, scene } from "./scene.js";

const list = (array) => array && [...array];

test("texts and numbers of the header", () => {
  assert.deepEqual(scene.player, expected.player);
  assert.deepEqual(scene.view, expected.view);
  assert.deepEqual(scene.axis_names, ["α", "β"]);
  assert.deepEqual(scene.class_names, ["+1", "−1", "new"]);
  assert.equal(scene.start, 1.25);
  assert.equal(scene.ghosts, 2);
  assert.deepEqual(scene.notes, ["a; ", "b; ", "", "d; "]);
  assert.deepEqual(scene.live, { url: "/live", token: "t", player: "p" });
  const [knob] = scene.knobs;
  assert.deepEqual([knob.key, knob.value, knob.low, knob.high, knob.log], ["width", 0.4, 0.05, 2, true]);
  assert.deepEqual(knob.marks, [[1, "median"]]);
});

test("the level axis, and the known density", () => {
  assert.equal(scene.scale.name, "training mass");
  assert.deepEqual(list(scene.scale.levels), expected.levels);
  assert.deepEqual(list(scene.scale.numbers), expected.numbers);
  assert.deepEqual(list(scene.truth.values), expected.truth);
  const { u0, v0, du, dv, columns, rows } = scene.truth.lattice;
  assert.deepEqual([u0, v0, du, dv, columns, rows, scene.truth.factor], [-2, -1, 1, 1.25, 6, 3, 0.25]);
});

scene.panels.forEach((panel, k) => {
  const wanted = expected.panels[k];

  test(`panel ${k}: points, classes, flags and sizes`, () => {
    assert.equal(panel.title, wanted.title);
    assert.deepEqual(list(panel.points), wanted.points);
    assert.deepEqual(list(panel.classes), wanted.classes);
    assert.deepEqual(list(panel.hollow), wanted.hollow);
    assert.equal(panel.sizeScale, wanted.size_scale);
    assert.deepEqual(list(panel.sizeRows), wanted.size_rows);
  });

  test(`panel ${k}: when each point is inside`, () => {
    assert.deepEqual(list(panel.inside), wanted.inside);
    const found = panel.intervals && wanted.classes.map((_, point) => {
      const [from, to] = [panel.intervals.starts[point], panel.intervals.starts[point + 1]];
      return Array.from({ length: to - from }, (_row, row) => (
        [panel.intervals.lower[from + row], panel.intervals.upper[from + row]]
      ));
    });
    assert.deepEqual(found, wanted.intervals);
  });

  test(`panel ${k}: its family`, () => {
    assert.deepEqual(list(panel.family.centres ?? panel.family.kernel.centres), wanted.centres);
    assert.equal(panel.family.orientation, -1);
    assert.equal(panel.family.isNested, k === 1);
  });

  test(`panel ${k}: points inside at any position`, () => {
    for (const { position, level, inside } of expected.at) {
      const counts = countInside(panel, level, Math.round(position), 3);
      assert.equal(counts.reduce((sum, one) => sum + one.inside, 0), inside[k], `at ${position}`);
      assert.equal(counts.reduce((sum, one) => sum + one.all, 0), wanted.classes.length);
    }
  });
});

test("points are counted by class, and not where nothing is known", () => {
  assert.deepEqual(countInside(scene.panels[0], 0.6, 1, 3), [
    { inside: 0, all: 2 }, { inside: 1, all: 2 }, { inside: 1, all: 1 },
  ]);
  assert.equal(countInside({ ...scene.panels[0], intervals: null }, 0.6, 1, 3), null);
});

test("a message that begins in the middle of a buffer", () => {
  const shifted = new Uint8Array(message.length + 3);
  shifted.set(message, 3);
  assert.deepEqual(decodeScene(shifted.subarray(3)), scene);
});
