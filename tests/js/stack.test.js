import assert from "node:assert/strict";
import { test } from "node:test";

import { makePlot } from "../../nestviz/ui/components/js/plot.js";
import { labelAt } from "../../nestviz/ui/player/js/scale.js";
import { drawStack, paintOrder } from "../../nestviz/ui/player/js/stack.js";
import {
  cornersFromRear, heightOf, makeStack, presentSheet, project, projectionOf,
} from "../../nestviz/ui/player/js/stack_shape.js";
import { canvasRecord, fieldOf, scaleOf, textsOf, THEME } from "./canvas_record.js";
import { assertClose } from "./path_record.js";

const SCALE = scaleOf([0.5, 0.4, 0.3, 0.2, 0.1]);
const BOX = { x: 10, y: 20, w: 300, h: 240 };
const VIEW = [0, 40, 0, 20];

/** Discs about (centre, 10), one for each level. */
function discs(levels, centre, radius) {
  return levels.map((level, k) => ({
    level, ...fieldOf(41, 21, (i, j) => radius(k) - Math.hypot(i - centre(k), j - 10)),
  }));
}

test("small sets are on top, large ones on the floor", () => {
  assertClose([0.5, 0.3, 0.1].map((level) => heightOf(SCALE, level)), [1, 0.5, 0]);
  const stack = makeStack(discs([0.5, 0.1, 0.3], () => 20, (k) => [2, 8, 5][k]), SCALE);
  assertClose(stack.sheets.map(({ level }) => level), [0.1, 0.3, 0.5]);
});

test("nested sheets do not overhang, one that left its location does", () => {
  const nested = makeStack(discs([0.1, 0.3, 0.5], () => 20, (k) => 8 - 3 * k), SCALE);
  assert.ok(nested.sheets.every(({ overhang }) => overhang === null));
  const moved = makeStack(discs([0.1, 0.3, 0.5], (k) => [12, 12, 28][k], () => 5), SCALE);
  assert.deepEqual(moved.sheets.map(({ overhang }) => overhang !== null), [false, false, true]);
});

test("a sheet overhangs any set below it, not only the next", () => {
  const { sheets } = makeStack(discs([0.1, 0.3, 0.5], (k) => [12, 28, 28][k], () => 5), SCALE);
  assert.deepEqual(sheets.map(({ overhang }) => overhang !== null), [false, true, true]);
});

test("the present sheet overhangs what is below it", () => {
  const stack = makeStack(discs([0.1, 0.3], (k) => [12, 28][k], () => 5), SCALE);
  const [low, high] = discs([0.1, 0.2], (k) => [12, 28][k], () => 5);
  assert.equal(presentSheet(low, stack).overhang, null);
  assert.notEqual(presentSheet(high, stack).overhang, null);
});

test("from above the floor is to scale and heights vanish", () => {
  const projection = projectionOf(BOX, VIEW, { turn: 0, tilt: 0 });
  const [x, y] = project(projection, 20, 10, 0);
  assertClose([x, y], [160, 140]);
  assertClose(project(projection, 20, 10, 1), [x, y]);
  const [right, up] = [project(projection, 21, 10, 0), project(projection, 20, 11, 0)];
  assertClose([right[1] - y, up[0] - x, (right[0] - x) + (up[1] - y)], [0, 0, 0]);
  assert.ok(right[0] > x && up[1] < y);
});

test("the stack stays inside its box at every angle, and turning does not change its size", () => {
  const sizes = new Set();
  for (let turn = -3; turn <= 3; turn += 0.5) {
    for (const tilt of [0, 0.5, 1, 1.5]) {
      const projection = projectionOf(BOX, VIEW, { turn, tilt });
      for (const [u, v, height] of [[0, 0, 0], [40, 0, 1], [40, 20, 0], [0, 20, 1], [0, 0, 1], [40, 20, 1]]) {
        const [x, y] = project(projection, u, v, height);
        assert.ok(x >= 10 - 1e-9 && x <= 310 + 1e-9 && y >= 20 - 1e-9 && y <= 260 + 1e-9);
      }
      if (tilt === 1) sizes.add(projection.rise.toFixed(9));
    }
  }
  assert.equal(sizes.size, 1);
});

test("corners are named from the rear, left before right", () => {
  const at = (turn) => cornersFromRear(projectionOf(BOX, VIEW, { turn, tilt: 1 }), VIEW);
  assert.deepEqual(at(0.3), [[40, 20], [0, 20], [0, 0], [40, 0]]);
  assert.deepEqual(at(-0.3), [[0, 20], [0, 0], [40, 0], [40, 20]]);
  assert.deepEqual(at(0)[0], [0, 20]);
});

test("sheets are painted upwards, with the present one among them", () => {
  const [first, ...others] = discs([0.1, 0.25, 0.3, 0.5], () => 20, (k) => 8 - k);
  const stack = makeStack([first, others[1], others[2]], SCALE);
  const nearest = paintOrder(stack, 0.28);
  assertClose(nearest.map(({ sheet }) => sheet.level), [0.1, 0.3, 0.5]);
  assert.deepEqual(nearest.map(({ isPresent }) => isPresent), [false, true, false]);
  const between = paintOrder(stack, 0.25, presentSheet(others[0], stack));
  assertClose(between.map(({ sheet }) => sheet.level), [0.1, 0.25, 0.3, 0.5]);
  assert.deepEqual(between.map(({ isPresent }) => isPresent), [false, true, false, false]);
  const same = paintOrder(stack, 0.3, presentSheet(others[1], stack));
  assert.equal(same.length, 3);
  assert.deepEqual(paintOrder({ sheets: [], scale: SCALE }, 0.3), []);
});

test("the picture labels the levels and shows overhangs in the alarm colour", () => {
  const context = canvasRecord();
  const plot = makePlot({ x: 0, y: 0, w: 400, h: 400 }, VIEW);
  const stack = makeStack(discs([0.1, 0.3, 0.5], (k) => [12, 12, 28][k], () => 5), SCALE);
  drawStack(context, plot, stack, 0.35, { turn: 0.5, tilt: 1 }, THEME, {
    points: [12, 10, 28, 10, 99, 99], classes: [0, 1, 0], title: "Path", axisNames: ["x1", "x2"],
  });
  const texts = textsOf(context);
  for (const text of ["Path", "λ", "x1", "x2", labelAt(SCALE, 0), labelAt(SCALE, 4), labelAt(SCALE, 1.5)]) {
    assert.ok(texts.includes(text), text);
  }
  assert.equal(context.calls.filter(([name, , fill]) => name === "fill" && fill === "alarm").length, 1);
  // A point beyond the view is not on the floor.
  assert.equal(context.path.circles.length, 1);
});

test("seen from above there is no axis of levels to label", () => {
  const context = canvasRecord();
  const plot = makePlot({ x: 0, y: 0, w: 400, h: 400 }, VIEW);
  drawStack(context, plot, makeStack([], SCALE), 0.3, { turn: 0, tilt: 0 }, THEME);
  assert.ok(!textsOf(context).includes("λ"));
});
