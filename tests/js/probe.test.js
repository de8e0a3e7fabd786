import assert from "node:assert/strict";
import { test } from "node:test";

import { readFamily } from "../../nestviz/ui/player/js/family.js";
import {
  brokenStretches, curveValue, insideAt, positionsOf, probeOf, probeText,
} from "../../nestviz/ui/player/js/probe.js";
import { drawProbe, PROBE_ROW, probeHeight } from "../../nestviz/ui/player/js/probe_card.js";
import { curveRange, levelAxis, stretchSpan, valueText } from "../../nestviz/ui/player/js/probe_layout.js";
import { labelAt } from "../../nestviz/ui/player/js/scale.js";
import { canvasRecord, scaleOf, textsOf, THEME } from "./canvas_record.js";
import { assertClose } from "./path_record.js";

const DOWN = scaleOf([0.5, 0.4, 0.3, 0.2, 0.1]);
const UP = scaleOf([1, 2, 3, 4, 5], "γ");
const BOX = { x: 10, y: 20, w: 200, h: 122 };

function probeWith(intervals, orientation, [low, high]) {
  return {
    first: 0,
    intervals,
    broken: brokenStretches(intervals, orientation, low, high),
    curve: { levels: Float64Array.of(low, high), values: Float64Array.of(1, -1) },
  };
}

test("a probe of a family has its intervals, gaps and curve at the levels shown", () => {
  // One centre with coefficient 1: at the centre g is 1 minus the offset.
  const arrays = [[0, 0], [0, 1, 2, 3], [0, 2, 0.5, 3], [1, 1, 1, 1]].map((row) => Float64Array.from(row));
  const family = readFamily({
    version: 1, kernel: { kind: "gaussian", sigma: 1, centres: 0 }, levels: 1, offsets: 2,
    rows: { values: 3 }, knots: 1, orientation: -1, low: 0, high: 3, tail: 1, open_below: false,
    is_nested: false, hold_level: null, tolerance: 0, rounding: 0, signed: false, derived: "",
    exact: true, level_name: "λ",
  }, arrays);
  const probe = probeOf(family, 0, 0, 0.2, 2.5);
  assertClose([probe.first, ...probe.intervals], [2.2, [0.2, 0.5], [5 / 3, 2.2]]);
  assertClose(probe.broken, [[0.5, 5 / 3]]);
  assertClose([0.2, 1, 1.5, 2.5].map((level) => curveValue(probe.curve, level)), [0.6, -1, -0.25, -0.75]);
});

test("broken is outside after inside at a smaller set, for both orientations", () => {
  const intervals = [[0.2, 0.25], [0.3, 0.4]];
  assert.deepEqual(brokenStretches(intervals, -1, 0.1, 0.5), [[0.1, 0.2], [0.25, 0.3]]);
  assert.deepEqual(brokenStretches(intervals, 1, 0.1, 0.5), [[0.25, 0.3], [0.4, 0.5]]);
});

test("one interval up to the largest set is not broken, and neither is none at all", () => {
  assert.deepEqual(brokenStretches([[0, 0.3]], -1, 0.1, 0.5), []);
  assert.deepEqual(brokenStretches([[0.3, Infinity]], 1, 0.1, 0.5), []);
  assert.deepEqual(brokenStretches([], -1, 0.1, 0.5), []);
});

test("smaller sets than those shown count", () => {
  assert.deepEqual(brokenStretches([[0.8, 0.9]], -1, 0.1, 0.5), [[0.1, 0.5]]);
  assert.deepEqual(brokenStretches([[0.01, 0.02]], 1, 0.1, 0.5), [[0.1, 0.5]]);
});

test("intervals that touch leave no gap", () => {
  assert.deepEqual(brokenStretches([[0, 0.2], [0.2, 0.4]], -1, 0.1, 0.5), []);
});

test("the curve is linear between its levels, and a jump has its later value", () => {
  const curve = { levels: Float64Array.of(0, 1, 1, 2), values: Float64Array.of(0, 2, -4, 0) };
  assertClose([0, 0.5, 1, 1.5, 2].map((level) => curveValue(curve, level)), [0, 1, -4, -2, 0]);
  assert.ok(Number.isNaN(curveValue(curve, -0.1)) && Number.isNaN(curveValue(curve, 2.1)));
  assert.equal(curveValue({ levels: Float64Array.of(3), values: Float64Array.of(7) }, 3), 7);
});

test("the curve's range keeps zero and cuts what is far below it", () => {
  assertClose(curveRange({ values: Float64Array.of(-100, 2) }), [-3, 2]);
  assertClose(curveRange({ values: Float64Array.of(-1, 2) }), [-1, 2]);
  const [bottom, top] = curveRange({ values: Float64Array.of(-4, -2) });
  assert.ok(bottom === -4 && top > 0);
});

test("ends of an interval are inside", () => {
  const probe = probeWith([[0.2, 0.3]], -1, [0.1, 0.5]);
  assert.deepEqual([0.19, 0.2, 0.3, 0.31].map((level) => insideAt(probe, level)), [false, true, true, false]);
});

test("small sets are on the left, whichever way the level goes", () => {
  assertClose(positionsOf(DOWN, [0.2, 0.4]), [1, 3]);
  assertClose(positionsOf(UP, [2, 4]), [1, 3]);
  assertClose([0.5, 0.3, 0.1].map(levelAxis(BOX, DOWN)), [10, 110, 210]);
  assertClose(stretchSpan(BOX, DOWN, [0.2, 0.4]), [60, 100]);
});

test("a stretch is never too thin to be seen, nor beyond the box", () => {
  for (const stretch of [[0.1, 0.1], [0.3, 0.3], [0.5, 0.5]]) {
    const [left, width] = stretchSpan(BOX, DOWN, stretch);
    assert.ok(width === 2 && left >= 10 && left + width <= 210);
  }
});

test("the text says when a location is inside and where this breaks", () => {
  const name = (position) => labelAt(DOWN, position);
  const probes = [
    { title: "One-class SVM", probe: probeWith([[0.1, 0.2], [0.3, 0.4]], -1, [0.1, 0.5]) },
    { title: "Nested", probe: probeWith([[0, 0.3]], -1, [0.1, 0.5]) },
  ];
  assert.equal(
    probeText(probes, 0.25, DOWN),
    `One-class SVM: outside now; inside from λ = ${name(1)} down, but outside again between `
    + `${name(2)} and ${name(3)}. Nested: inside now; inside from λ = ${name(2)} down.`,
  );
});

test("the text of locations that are always, never, or no longer inside", () => {
  const text = (intervals) => probeText(
    [{ title: "A", probe: probeWith(intervals, 1, [1, 5]) }], 2, UP,
  );
  assert.equal(text([]), "A: outside at every level shown.");
  assert.equal(text([[1, Infinity]]), "A: inside at every level shown.");
  assert.match(text([[2, 3]]), /^A: inside now; inside from γ = \S+ up, but outside again from \S+ up\.$/);
});

test("many gaps are counted, not listed", () => {
  const probe = probeWith([[0, 0.15], [0.18, 0.2], [0.22, 0.25], [0.3, 0.35], [0.4, 0.45]], -1, [0.1, 0.5]);
  assert.match(probeText([{ title: "A", probe }], 0.3, DOWN), /between \S+ and \S+, between \S+ and \S+ and in 2 more stretches\.$/);
});

test("values have two digits that count", () => {
  assert.equal(valueText(0.01234), "g = 0.012");
  assert.equal(valueText(-3.456), "g = −3.5");
  assert.equal(valueText(-3.1e-6), "g = −3.1e−6");
  assert.equal(valueText(NaN), "");
});

test("the card has a bar for each method, hatching where it breaks, and the present level", () => {
  const context = canvasRecord();
  const probes = [
    { title: "Path", color: "accent", probe: probeWith([[0.1, 0.2], [0.3, 0.4]], -1, [0.1, 0.5]) },
    { title: "Nested", color: "accent", probe: probeWith([[0, 0.3]], -1, [0.1, 0.5]) },
  ];
  drawProbe(context, { ...BOX, h: probeHeight(2) }, probes, DOWN, 0.25, THEME);
  const filled = (color) => context.calls
    .filter(([name, , fill]) => name === "fillRect" && fill === color).map(([, args]) => args);
  assertClose(filled("alarm").map(([x, , w]) => [x, w]), [[110, 50]]);
  assertClose(filled("accent").map(([x, , w]) => [x, w]).sort((a, b) => a[0] - b[0]), [[60, 50], [110, 100], [160, 50]]);
  assert.ok(context.calls.some(([name, , , stroke]) => name === "stroke" && stroke === "alarm"));
  const texts = textsOf(context);
  assert.ok(texts.includes("Path") && texts.includes("Nested") && texts.includes("small sets"));
  assert.ok(texts.some((text) => text.startsWith("outside again")) && texts.some((text) => text.startsWith("inside")));
  assert.ok(texts.includes(`λ = ${labelAt(DOWN, 2.5)}`));
  const lines = context.calls.filter(([name, [x]]) => name === "moveTo" && Math.abs(x - 135) < 1);
  assertClose(lines[1][1][1] - lines[0][1][1], PROBE_ROW);
});
