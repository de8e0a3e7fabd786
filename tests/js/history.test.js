import assert from "node:assert/strict";
import { test } from "node:test";

import { EditHistory } from "../../nestviz/ui/player/js/history.js";

const START = Object.freeze([Object.freeze([0, 0, 0]), Object.freeze([1, 1, 1])]);

test("each step can be undone and done again", () => {
  const history = new EditHistory(START);
  history.add(2, 2, 1);
  history.move(0, 5, 5);
  history.remove(1);
  const end = history.points;
  assert.deepEqual(end, [[5, 5, 0], [2, 2, 1]]);
  assert.ok(history.undo() && history.undo() && history.undo());
  assert.equal(history.points, START);
  assert.ok(!history.changed && !history.canUndo && !history.undo());
  assert.ok(history.redo() && history.redo() && history.redo());
  assert.equal(history.points, end);
  assert.ok(history.changed && !history.canRedo && !history.redo());
});

test("the moves of a drag are one step", () => {
  const history = new EditHistory(START);
  for (let k = 1; k <= 5; k++) history.move(0, k, k);
  history.settle();
  history.move(0, 9, 9);
  history.undo();
  assert.deepEqual(history.points[0], [5, 5, 0]);
  history.undo();
  assert.equal(history.points, START);
});

test("moves of another point, or after an undo, are another step", () => {
  const history = new EditHistory(START);
  history.move(0, 1, 0);
  history.move(1, 2, 0);
  history.undo();
  assert.deepEqual(history.points, [[1, 0, 0], [1, 1, 1]]);
  history.move(1, 3, 3);
  assert.ok(!history.canRedo);
  history.undo();
  assert.deepEqual(history.points, [[1, 0, 0], [1, 1, 1]]);
});

test("points that are not there and points too many are refused without a step", () => {
  const history = new EditHistory(START, 2);
  assert.ok(!history.add(3, 3, 0) && !history.move(7, 0, 0) && !history.remove(-1));
  assert.equal(history.points, START);
  assert.ok(!history.canUndo);
});

test("many steps are forgotten from the beginning on, and other points begin anew", () => {
  const history = new EditHistory(START);
  for (let k = 0; k < 500; k++) history.add(k, k, 0);
  let steps = 0;
  while (history.undo()) steps += 1;
  assert.equal(steps, 200);
  assert.equal(history.points.length, 302);
  history.reset(START);
  assert.ok(!history.changed && !history.canUndo && !history.canRedo);
});
