import assert from "node:assert/strict";
import { test } from "node:test";

import {
  curveWords, heightAt, heightRange, logTicks, pointedValue,
} from "../../nestviz/ui/player/js/curve_values.js";
import { signOf } from "../../nestviz/ui/player/js/curve_drawing.js";

const curve = {
  name: "volume", alt: "", values: [0.1, 1, 10], heights: [0.4, 0.1, 0.3], errors: [0, 0.05, 0],
  band: [], close: null, best: 1, still: false,
};
const knob = {
  key: "look", label: "Width σ", value: 1, low: 0.1, high: 10, log: true, unit: 1, form: "3g",
  marks: [[3, "median distance"]], curve,
};

test("a curve is straight between its points on the slider's axis", () => {
  assert.ok(Math.abs(heightAt(knob, curve, 1) - 0.1) < 1e-12);
  assert.equal(heightAt(knob, curve, 0.1), 0.4);
  assert.equal(heightAt(knob, curve, 10), 0.3);
  assert.ok(Math.abs(heightAt(knob, curve, Math.sqrt(10)) - 0.2) < 1e-12);
  assert.equal(heightAt(knob, curve, 0.05), null);
  assert.equal(heightAt(knob, curve, 11), null);
});

test("the pointer takes the best value, a named one or a tried one where it is near", () => {
  assert.equal(pointedValue(knob, 0.505, 0.02), 1);
  assert.equal(pointedValue(knob, 0.735, 0.02), 3);
  assert.equal(pointedValue(knob, 0.996, 0.02), 10);
  // Elsewhere positions are rounded, so that a hand that trembles asks once.
  assert.equal(pointedValue(knob, 0.3, 0.02), pointedValue(knob, 0.301, 0.02));
  assert.ok(pointedValue(knob, 0.3, 0.02) < pointedValue(knob, 0.31, 0.02));
});

test("the heights shown include the bands", () => {
  const [low, high] = heightRange(curve);
  assert.ok(low < 0.05 && low > 0 && high > 0.4 && high < 0.5);
  const [lower] = heightRange({ ...curve, band: [[0.3, 0.5], [-0.2, 0.3], [0.2, 0.4]] });
  assert.ok(lower < -0.2);
});

test("a curve that is level has a range", () => {
  const [low, high] = heightRange({ ...curve, heights: [2, 2, 2], errors: [0, 0, 0] });
  assert.ok(low < 2 && high > 2);
});

test("ticks of a logarithmic axis are few and round", () => {
  assert.deepEqual(logTicks(0.4, 6, 8), [0.5, 1, 2, 5]);
  assert.deepEqual(logTicks(0.02, 60, 8), [0.03, 0.1, 0.3, 1, 3, 10, 30]);
  assert.deepEqual(logTicks(0.02, 6000, 6), [0.1, 1, 10, 100, 1000]);
});

test("the curve says its height in words", () => {
  assert.equal(curveWords(knob, 1), "σ = 1: 0.1");
  assert.equal(curveWords(knob, 20), "σ = 20");
});

test("six named values have six different signs, and none is the star of the least one", () => {
  const signs = [0, 1, 2, 3, 4, 5].map(signOf);
  assert.equal(new Set(signs).size, 6);
  assert.ok(!signs.includes("star"));
});
