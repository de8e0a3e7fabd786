import assert from "node:assert/strict";
import { test } from "node:test";

import {
  addPoint, endStroke, erasePoints, normalPair, randomSource, recallDrawing, remember, undoStroke,
} from "../../nestviz/ui/components/js/painter_memory.js";
import { makePlot } from "../../nestviz/ui/components/js/plot.js";
import { assertClose } from "./path_record.js";

const PLOT = makePlot({ x: 0, y: 0, w: 200, h: 200 }, [-1, 1, -1, 1]);
const POINTS = [[0, 0, 1], [0.5, 0.5, -1]];

let count = 0;
const fresh = (points = POINTS) => {
  count += 1;
  return recallDrawing({ id: `painter ${count}`, base: "first", points, seed: 1 });
};

test("the same seed gives the same numbers, spread over 0 to 1", () => {
  const [one, two, other] = [randomSource(7), randomSource(7), randomSource(8)];
  const numbers = Array.from({ length: 4000 }, one);
  assert.deepEqual(numbers.slice(0, 50), Array.from({ length: 50 }, two));
  assert.notEqual(other(), numbers[0]);
  assert.ok(numbers.every((value) => value >= 0 && value < 1));
  assertClose(numbers.reduce((sum, value) => sum + value) / 4000, 0.5, 0.02);
});

test("normal pairs have mean 0 and variance 1", () => {
  const random = randomSource(3);
  const numbers = Array.from({ length: 4000 }, () => normalPair(random)).flat();
  assertClose(numbers.reduce((sum, value) => sum + value) / 8000, 0, 0.05);
  assertClose(numbers.reduce((sum, value) => sum + value ** 2) / 8000, 1, 0.07);
});

test("a stroke can be undone, once", () => {
  const drawing = fresh();
  remember(drawing);
  addPoint(drawing, PLOT, { x: 150, y: 50 }, 10);
  assert.ok(endStroke(drawing));
  assert.deepEqual(drawing.points, [...POINTS, [0.5, 0.5, 1]]);
  assert.ok(undoStroke(drawing));
  assert.equal(drawing.points, POINTS);
  assert.ok(!undoStroke(drawing));
  assert.equal(drawing.points, POINTS);
});

test("a stroke that changes nothing leaves nothing to undo", () => {
  const drawing = fresh();
  remember(drawing);
  erasePoints(drawing, PLOT, { x: 10, y: 190 }, 10);
  assert.ok(!endStroke(drawing));
  assert.ok(!undoStroke(drawing));
});

test("only the last strokes are kept", () => {
  const drawing = fresh([]);
  for (let k = 0; k < 250; k++) {
    remember(drawing);
    addPoint(drawing, PLOT, { x: 100, y: 100 }, 1000);
    endStroke(drawing);
  }
  let undone = 0;
  while (undoStroke(drawing)) undone += 1;
  assert.equal(undone, 200);
  assert.equal(drawing.points.length, 50);
});

test("points are added inside the plot only, and up to the limit", () => {
  const drawing = fresh();
  addPoint(drawing, PLOT, { x: 201, y: 100 }, 10);
  addPoint(drawing, PLOT, { x: 100, y: 100 }, 2);
  assert.equal(drawing.points, POINTS);
  drawing.tool = -1;
  addPoint(drawing, PLOT, { x: 0, y: 200 }, 3);
  assert.deepEqual(drawing.points.at(-1), [-1, -1, -1]);
});

test("the eraser takes what is within reach", () => {
  const drawing = fresh();
  erasePoints(drawing, PLOT, { x: 108, y: 100 }, 10);
  assert.deepEqual(drawing.points, [[0.5, 0.5, -1]]);
});

test("the drawing outlives the page until Python sets other points", () => {
  const data = { id: "kept", base: "one", points: POINTS, seed: 2 };
  const drawing = recallDrawing(data);
  drawing.tool = 0;
  remember(drawing);
  drawing.points = [];
  drawing.turn = 5;
  assert.deepEqual(recallDrawing({ ...data }).points, []);
  const replaced = recallDrawing({ ...data, base: "two" });
  assert.equal(replaced.points, POINTS);
  assert.equal(replaced.reported, POINTS);
  assert.deepEqual([replaced.tool, replaced.turn, replaced.past], [0, 5, []]);
});
