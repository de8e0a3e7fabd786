import assert from "node:assert/strict";
import { test } from "node:test";

import { formatNumber, makePlot, niceTicks } from "../../nestviz/ui/components/js/plot.js";
import { assertClose } from "./path_record.js";

const BOX = { x: 50, y: 30, w: 400, h: 200 };
const VIEW = [-2, 2, 10, 20];

test("corners of the view are corners of the box, upside down", () => {
  const plot = makePlot(BOX, VIEW);
  assertClose([plot.toX(-2), plot.toX(2), plot.toY(20), plot.toY(10)], [50, 450, 30, 230]);
});

test("there and back again", () => {
  const plot = makePlot(BOX, VIEW);
  for (const value of [-3, -2, 0.1, 7]) assertClose(plot.fromX(plot.toX(value)), value);
  for (const value of [9, 12.5, 21]) assertClose(plot.fromY(plot.toY(value)), value);
});

test("edges belong to the plot", () => {
  const { holds } = makePlot(BOX, VIEW);
  assert.ok(holds(50, 30) && holds(450, 230));
  assert.ok(!holds(49.9, 100) && !holds(100, 230.1));
});

test("an aspect that is kept shrinks the box about its centre", () => {
  const plot = makePlot(BOX, [0, 1, 0, 1], true);
  assertClose([plot.x, plot.y, plot.w, plot.h], [150, 30, 200, 200]);
});

test("ticks are round, inside, and about as many as asked for", () => {
  for (const [low, high, count] of [[-2.31, 2.97, 6], [0, 1e-5, 4], [1e6, 3.3e6, 5], [-7, -6.9, 3]]) {
    const { ticks, step } = niceTicks(low, high, count);
    assert.ok(ticks.length >= 1 && ticks.length <= 2 * count + 1);
    assert.ok(ticks.every((tick) => tick >= low - step * 1e-6 && tick <= high + step * 1e-6));
    assert.match((step / 10 ** Math.floor(Math.log10(step) + 1e-9)).toFixed(3), /^(1|2|5)\.000$/);
  }
  assert.deepEqual(niceTicks(-2.31, 2.97, 6).ticks, [-2, -1, 0, 1, 2]);
  // A single tick would show no scale.
  assert.deepEqual(niceTicks(-3.3, 3.3, 3.2).ticks, [-2, 0, 2]);
});

test("numbers have the digits of their step and a true minus", () => {
  assert.equal(formatNumber(-1.25, 0.05), "−1.25");
  assert.equal(formatNumber(3, 1), "3");
  assert.equal(formatNumber(-0.001, 0.1), "0.0");
  assert.equal(formatNumber(5e-6, 5e-6), "5.0e−6");
  assert.equal(formatNumber(-250000, 50000), "−2.5e+5");
});
